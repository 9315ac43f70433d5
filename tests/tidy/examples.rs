//! Checks that every public item of the test kit for actors has an example in its documentation.

use crate::files::Source;
use crate::problem::Problem;

const STARTS: [&str; 7] =
    ["pub struct ", "pub enum ", "pub trait ", "pub type ", "pub const ", "pub fn ", "pub async fn "];

/// Items at the top level of a file without an example. Methods are in the example of their type.
pub(crate) fn missing(source: &Source) -> Vec<Problem> {
    let lines: Vec<&str> = source.text.lines().collect();
    let items = lines.iter().enumerate().filter(|(_, line)| STARTS.iter().any(|start| line.starts_with(start)));
    let lacks_example = |at: usize| {
        let above = lines[..at].iter().rev();
        let above = above.take_while(|line| line.starts_with("///") || line.starts_with("#["));
        !above.into_iter().any(|line| line.starts_with("/// ```"))
    };
    items
        .filter(|(at, _)| lacks_example(*at))
        .map(|(at, line)| {
            Problem::new(&source.path, at + 1, format!("`{line}` has no example: show its use in its doc comment"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn item_without_an_example_is_found() {
        let text = "/// Good.\n///\n/// ```\n/// x();\n/// ```\n#[track_caller]\npub fn x() {}\n\n/// Bad.\npub struct Y;\n\nimpl Y {\n    pub fn z() {}\n}\n";
        let source = Source { path: "a.rs".to_owned(), text: text.to_owned() };
        let found: Vec<usize> = missing(&source).iter().map(|problem| problem.line).collect();
        assert_eq!(found, [10]);
    }
}
