//! The report: one self-contained HTML page that loads nothing from a network. Its script draws the plots from the
//! results, which are embedded as JSON. Called by `command.rs`.

use super::results::Results;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
///
/// # Errors
/// Results that cannot be serialised, which does not occur.
pub fn page(results: &Results) -> serde_json::Result<String> {
    let mut results = results.clone();
    // The page draws no single values, and they are most of the bytes.
    for latency in results.parts.iter_mut().flat_map(|part| part.latency.values_mut()) {
        latency.felt_values.clear();
        latency.uncorrected_values.clear();
    }
    // Escapes `<`, so that no text of the data can end the script element.
    let data = serde_json::to_string(&results)?.replace('<', "\\u003c");
    // Insert the data last, so that placeholders inside it are not replaced.
    Ok(PAGE.replace("/*STYLE*/", STYLE).replace("/*SCRIPT*/", SCRIPT).replacen("/*DATA*/", &data, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::ErrorKind;

    #[test]
    fn page_is_self_contained() {
        let mut results = Results::default();
        results.errors.push(ErrorKind { kind: "</script><b>".to_owned(), count: 1 });
        let page = page(&results).expect("a page");
        assert!(!page.contains("</script><b>") && page.contains("\\u003c/script>"), "a text must not end the script");
        for place in ["/*STYLE*/", "/*SCRIPT*/", "/*DATA*/", "src=", "@import", "url(", "//cdn"] {
            assert!(!page.contains(place), "{place}");
        }
        let links = page.matches("http://").chain(page.matches("https://")).count();
        let names = page.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(links, names, "no address but the name of SVG");
    }
}
