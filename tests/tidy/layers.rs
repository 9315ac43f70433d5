//! Which folders of the root package may import which others. Cargo checks the same between packages.

use crate::problem::Problem;

/// A folder of `src/`, and the other parts of the package that it may import.
pub(crate) struct Layer {
    pub(crate) folder: &'static str,
    pub(crate) may_import: &'static [&'static str],
}

/// The imports of a file that its layer does not allow.
pub(crate) fn forbidden(path: &str, text: &str, layers: &[Layer]) -> Vec<Problem> {
    let Some(layer) = layers.iter().find(|layer| path.starts_with(&format!("src/{}/", layer.folder))) else {
        return Vec::new();
    };
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split("//").next().unwrap_or_default();
        for after in code.split("crate::").skip(1) {
            let part: String = after.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            let is_allowed = part == layer.folder || layer.may_import.contains(&part.as_str());
            if !is_allowed {
                let message = format!("src/{} must not import {part} (docs/architecture.md, *Layers*)", layer.folder);
                problems.push(Problem::new(path, number, message));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn import_of_a_higher_layer_is_a_problem() {
        let layers = [Layer { folder: "betting", may_import: &[] }, Layer { folder: "http", may_import: &["betting"] }];
        let text = "use crate::http::AppState;\nuse crate::betting::bet_events;\n// crate::http\n";
        assert_eq!(forbidden("src/betting/placement.rs", text, &layers).len(), 1);
        assert_eq!(forbidden("src/http/mod.rs", text, &layers).len(), 0);
        assert_eq!(forbidden("src/cli.rs", text, &layers).len(), 0);
    }
}
