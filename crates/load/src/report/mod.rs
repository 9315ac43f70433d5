//! The report: one page of HTML with everything in it, that opens without a network and says nothing to anybody. Its
//! script draws the plots from the results, which stand in the page as JSON. Called by `cli.rs`.

use super::results::Results;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
///
/// # Errors
/// Results that are no JSON, which ours always are.
pub fn page(results: &Results) -> serde_json::Result<String> {
    // Within a script element nothing ends it but its own end, and no text of ours may look like one.
    let data = serde_json::to_string(results)?.replace('<', "\\u003c");
    // The data last: what stands in it is never taken for a place of its own.
    Ok(PAGE.replace("/*STYLE*/", STYLE).replace("/*SCRIPT*/", SCRIPT).replacen("/*DATA*/", &data, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::ErrorKind;

    #[test]
    fn the_page_holds_everything_and_asks_nobody() {
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
