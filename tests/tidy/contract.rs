//! Checks that every citation of the contract (`docs/contract.md`) names a section that exists there, and a name that
//! occurs in that section. Called by `tests/tidy.rs`.

use crate::problem::Problem;
use std::collections::BTreeMap;

/// The word that begins a citation. A number follows it.
const WORD: &str = "CONTRACT";

/// The sections of the contract, by number: `4` for a heading `## 4. The ticket`, and `3.5` for paragraph 5 of its
/// numbered list. The texts are in lower case, with single blanks.
pub(crate) struct Sections(BTreeMap<String, String>);

impl Sections {
    /// Reads the sections of the document.
    pub(crate) fn of(document: &str) -> Sections {
        let mut sections: BTreeMap<String, String> = BTreeMap::new();
        let (mut section, mut paragraph) = (None, None);
        for line in document.lines() {
            if let Some(number) = line.strip_prefix("## ").and_then(listed) {
                (section, paragraph) = (Some(number.to_owned()), None);
            } else if let (Some(section), Some(number)) = (&section, listed(line)) {
                paragraph = Some(format!("{section}.{number}"));
            } else if line.is_empty() {
                paragraph = None;
            }
            for number in section.iter().chain(&paragraph) {
                let text = sections.entry(number.clone()).or_default();
                line.split_whitespace().for_each(|word| text.extend([word.to_lowercase().as_str(), " "]));
            }
        }
        Sections(sections)
    }

    /// Whether there are none, so that every citation would be wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The number that begins a heading or a paragraph: `4` of `4. The ticket`.
fn listed(line: &str) -> Option<&str> {
    let (number, _) = line.split_once(". ")?;
    (!number.is_empty() && number.chars().all(|c| c.is_ascii_digit())).then_some(number)
}

/// The citations in a file that name no section of the contract, or a name that their section does not have.
pub(crate) fn unknown_sections(path: &str, text: &str, sections: &Sections) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !text.contains(WORD) {
        return problems;
    }
    let (joined, starts) = joined_lines(text);
    for (at, _) in joined.match_indices(WORD) {
        let is_word = !joined[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let Some(cited) = joined[at + WORD.len()..].strip_prefix(' ').filter(|_| is_word) else { continue };
        let line = starts.partition_point(|start| *start <= at);
        let (numbers, rest) = numbers_of(cited);
        for number in numbers.iter().filter(|number| !sections.0.contains_key(**number)) {
            problems.push(Problem::new(path, line, format!("docs/contract.md has no section {number}")));
        }
        // A name belongs to the last of the numbers.
        let Some((number, section)) = numbers.last().and_then(|last| sections.0.get_key_value(*last)) else { continue };
        for name in names_of(rest).into_iter().filter(|name| !section.contains(&name.to_lowercase())) {
            problems.push(Problem::new(path, line, format!("section {number} of docs/contract.md has no *{name}*")));
        }
    }
    problems
}

/// The lines of a file without their comment marks, joined by blanks, so that a citation may continue on the next line;
/// and the position in it at which each line begins.
fn joined_lines(text: &str) -> (String, Vec<usize>) {
    let (mut joined, mut starts) = (String::new(), Vec::new());
    for line in text.lines() {
        let line = line.trim();
        let marks = ["//!", "///", "//", "/**", "* ", "#", "-- "];
        let content = marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
        starts.push(joined.len());
        joined.extend([content.trim_start(), " "]);
    }
    (joined, starts)
}

/// The numbers that begin a text (`4`, `3.5`, `2 and 9`, `1 to 3`, `4, 7`), and what follows them.
fn numbers_of(cited: &str) -> (Vec<&str>, &str) {
    let (mut found, mut rest) = (Vec::new(), cited);
    let mut next = Some(cited);
    while let Some(text) = next {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        // A full stop may end the sentence.
        let number = text[..end].trim_end_matches('.');
        if number.is_empty() {
            break;
        }
        found.push(number);
        rest = &text[number.len()..];
        next = [" and ", " to ", ", "].iter().find_map(|joint| rest.strip_prefix(joint));
    }
    (found, rest)
}

/// The names between asterisks that directly follow the numbers: `, *Pairs* and *Stake*`.
fn names_of(rest: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut next = [", *", " *"].iter().find_map(|joint| rest.strip_prefix(joint));
    while let Some((name, after)) = next.and_then(|text| text.split_once('*')) {
        found.push(name);
        next = [", *", " and *"].iter().find_map(|joint| after.strip_prefix(joint));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "# The contract\n\n## 0. Entities\n\nWords.\n\n## 3. The hub\n\n1. *Convergence*: equal\n   \
        copies.\n2. Encoded *once*.\n\n*Slow clients*.\n\n## 12. The operator\n\n**In-play  delay.** Waits.\n";

    fn found(text: &str) -> Vec<String> {
        let text = text.replace('@', WORD);
        unknown_sections("a.rs", &text, &Sections::of(DOCUMENT)).iter().map(Problem::to_string).collect()
    }

    #[test]
    fn sections_are_headings_and_numbered_paragraphs() {
        let sections = Sections::of(DOCUMENT);
        assert_eq!(sections.0.keys().collect::<Vec<_>>(), ["0", "12", "3", "3.1", "3.2"]);
        assert_eq!(sections.0["3.1"], "1. *convergence*: equal copies. ");
        assert!(Sections::of("No heading.\n1. A paragraph.").is_empty());
    }

    #[test]
    fn citation_of_an_existing_section_is_accepted() {
        let text = "//! One (@ 0), two (@ 3.1); three: @ 3, @ 12. @ 3 and 12, @ 0 to 3: 9 and 4\n/// See (@\n/// 3.2).\n\
            /* @ 12, *In-play\n * delay*) */ @ 3.1 *Convergence*. @, TORT; MY_@ 99; the contract 99; @ says\n";
        assert_eq!(found(text), [""; 0]);
    }

    #[test]
    fn citation_of_an_unknown_section_is_a_problem() {
        let text = "// (@ 0).\n// (@ 4): a\nlet a = 1; // @ 3.3.\n\n//! See (@\n//! 13, *Slow*).\n# @ 3 and 5\n";
        let lines = [(2, "4"), (3, "3.3"), (5, "13"), (7, "5")];
        assert_eq!(found(text), lines.map(|(line, of)| format!("a.rs:{line}: docs/contract.md has no section {of}")));
    }

    #[test]
    fn citation_of_an_unknown_name_is_a_problem() {
        assert_eq!(
            found("// @ 3, *Slow clients* and *Fast\n// ones*.\n// @ 12, *a pair*"),
            [
                "a.rs:1: section 3 of docs/contract.md has no *Fast ones*",
                "a.rs:3: section 12 of docs/contract.md has no *a pair*"
            ]
        );
    }
}
