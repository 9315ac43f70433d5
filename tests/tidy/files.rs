//! Rules of single files: how they begin, how long they are, and words that have no place in them.

use crate::problem::Problem;
use crate::source::{Source, tokens};

/// Past this a file has more than one subject.
const LINES_MAX: usize = 500;

/// Files that may be longer all the same, each with its reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// Marks of unfinished work; they belong into an issue.
const MARKERS: &[&str] = &["TODO", "FIXME", "XXX"];

/// Macros that stand for code not written.
const STUBS: &[&str] = &["todo", "unimplemented"];

/// Every Rust file says what it is for in its first line.
pub(crate) fn beginnings(sources: &[Source]) -> Vec<Problem> {
    sources
        .iter()
        .filter(|source| !source.raw.starts_with("//! "))
        .map(|source| Problem::new(&source.path, 1, "the file does not begin with `//! ` and its purpose"))
        .collect()
}

/// A file of the program has at most 500 lines before its tests.
pub(crate) fn lengths(sources: &[Source]) -> Vec<Problem> {
    lengths_except(sources, LONG_FILES)
}

fn lengths_except(sources: &[Source], long_files: &[(&str, &str)]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for source in sources.iter().filter(|source| source.path.starts_with("src/")) {
        let count = source.raw.lines().count().min(source.first_test_line() - 1);
        let excused = long_files.iter().any(|(path, _)| *path == source.path);
        if count > LINES_MAX && !excused {
            let what = format!("{count} lines before the tests, of at most {LINES_MAX}; split it by subject");
            problems.push(Problem::new(&source.path, LINES_MAX + 1, what));
        }
        if count <= LINES_MAX && excused {
            problems.push(Problem::new(&source.path, 1, "no longer too long; take it out of LONG_FILES"));
        }
    }
    let missing = long_files.iter().filter(|(path, _)| !sources.iter().any(|source| source.path == *path));
    problems.extend(missing.map(|(path, _)| Problem::new(path, 1, "no such file; take it out of LONG_FILES")));
    problems
}

/// Words of unfinished work, tests that are not run, and waits for time in place of a condition.
pub(crate) fn forbidden_words(sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for source in sources {
        for view in [&source.code, &source.comments] {
            problems.extend(markers(&source.path, view));
        }
        let words = tokens(&source.code);
        for (index, word) in words.iter().enumerate() {
            let text = |offset: usize| words.get(index + offset).map_or("", |next| next.text);
            if STUBS.contains(&word.text) && text(1) == "!" {
                let what = format!("`{}!` stands for code that is not written", word.text);
                problems.push(Problem::new(&source.path, word.line, what));
            }
            if word.text == "#" && text(1) == "[" && text(2) == "ignore" {
                let what = "a test that is not run says nothing; delete it or make it run";
                problems.push(Problem::new(&source.path, word.line, what));
            }
        }
        problems.extend(sleeps(source));
    }
    problems
}

/// The marks of unfinished work in any text, as whole words.
pub(crate) fn markers(path: &str, text: &str) -> Vec<Problem> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for word in line.split(|c| !is_word(c)).filter(|word| MARKERS.contains(word)) {
            problems.push(Problem::new(
                path,
                index + 1,
                format!("`{word}` marks unfinished work; finish it or file it"),
            ));
        }
    }
    problems
}

fn sleeps(source: &Source) -> Vec<Problem> {
    let is_test_file = source.path.starts_with("tests/");
    let mut problems = Vec::new();
    for path in source.paths() {
        let ends_with = |end: &[&str]| path.segments.ends_with(&end.iter().map(|&s| s.to_owned()).collect::<Vec<_>>());
        if ends_with(&["thread", "sleep"]) {
            let what = "thread::sleep holds a thread and waits for no condition";
            problems.push(Problem::new(&source.path, path.line, what));
        }
        // actix gives out tokio's clock under names of its own.
        if is_test_file && (ends_with(&["time", "sleep"]) || ends_with(&["clock", "sleep"])) {
            let what = "a test waits for a condition with a limit, not for time";
            problems.push(Problem::new(&source.path, path.line, what));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(problems: &[Problem]) -> Vec<usize> {
        problems.iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn a_file_begins_with_its_purpose() {
        assert_eq!(lines(&beginnings(&[Source::new("src/a.rs", "// A.\n//! B.")])), [1]);
        assert_eq!(beginnings(&[Source::new("src/a.rs", "//! A.\nuse b;")]), []);
    }

    #[test]
    fn a_long_file_is_named_and_its_tests_do_not_count() {
        let long = format!("//! A.\n{}", "fn f() {}\n".repeat(500));
        let tested = format!("//! A.\n{}#[cfg(test)]\n{}", "fn f() {}\n".repeat(499), "fn f() {}\n".repeat(900));
        assert_eq!(lines(&lengths_except(&[Source::new("src/a.rs", &long)], &[])), [501]);
        assert_eq!(lengths_except(&[Source::new("src/a.rs", &tested)], &[]), []);
        assert_eq!(lengths_except(&[Source::new("tests/a.rs", &long)], &[]), []);
    }

    #[test]
    fn the_list_of_long_files_holds_only_long_files() {
        let long = Source::new("src/a.rs", &"\n".repeat(501));
        let short = Source::new("src/b.rs", "\n");
        let excused = [("src/a.rs", "why"), ("src/b.rs", "why"), ("src/c.rs", "why")];
        let paths: Vec<String> = lengths_except(&[long, short], &excused).into_iter().map(|p| p.path).collect();
        assert_eq!(paths, ["src/b.rs", "src/c.rs"]);
    }

    #[test]
    fn unfinished_work_is_found_in_code_and_comments_but_not_in_texts() {
        let raw = "// TODO: a\nlet b = \"FIXME\";\n/* XXX */\ntodo!();\nunimplemented!(\"c\");\nlet todo = 1;\n// TODOS\nstruct XXX;";
        assert_eq!(lines(&forbidden_words(&[Source::new("src/a.rs", raw)])), [8, 1, 3, 4, 5]);
    }

    #[test]
    fn a_test_that_is_not_run_is_found() {
        let raw = "#[test]\n#[ignore]\nfn a() {}\n# [ignore = \"slow\"]\nfn b() {}\nfn ignore() {}";
        assert_eq!(lines(&forbidden_words(&[Source::new("tests/a.rs", raw)])), [2, 4]);
    }

    #[test]
    fn sleeping_is_found_by_its_path() {
        let raw = "std::thread::sleep(d);\nuse std::thread;\nthread::sleep(d);\ntokio::time::sleep(d);\n\
            use tokio::time::{sleep, timeout};\nactix::clock::sleep(d);\nuse tokio::time::sleep_until;";
        assert_eq!(lines(&forbidden_words(&[Source::new("tests/a.rs", raw)])), [1, 3, 4, 5, 6]);
        assert_eq!(lines(&forbidden_words(&[Source::new("src/a.rs", raw)])), [1, 3]);
    }
}
