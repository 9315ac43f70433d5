//! Checks that documents and lists agree with the code.

use crate::problem::Problem;
use std::collections::BTreeSet;

/// The dependencies of a `Cargo.toml`, with their lines. A dev-dependency on the package itself is left out.
pub(crate) fn cargo_dependencies(manifest: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut is_listing = false;
    let mut own_name = None;
    let mut section = "";
    for (index, line) in manifest.lines().enumerate() {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            is_listing = section.ends_with("dependencies");
            // A dependency may also have a section of its own: `[dependencies.name]`.
            if let Some((_, name)) = section.split_once("dependencies.") {
                found.push((name.to_owned(), index + 1));
            }
        } else if let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            // `name.workspace = true` names the dependency before the dot.
            let key = key.trim().split('.').next().unwrap_or_default().trim_matches('"');
            if section == "package" && key == "name" {
                own_name = Some(value.trim().trim_matches('"'));
            }
            if is_listing && key.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') {
                found.push((key.to_owned(), index + 1));
            }
        }
    }
    found.retain(|(name, _)| Some(name.as_str()) != own_name && !name.starts_with("kvota-"));
    found
}

/// The dependencies of a `package.json`, with their lines.
pub(crate) fn npm_dependencies(manifest: &str) -> Result<Vec<(String, usize)>, String> {
    let json: serde_json::Value = serde_json::from_str(manifest).map_err(|error| error.to_string())?;
    let sections = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
    let members = sections.iter().filter_map(|section| json.get(section)?.as_object()).flatten();
    Ok(members.map(|(name, _)| (name.clone(), line_with(manifest, &format!("\"{name}\"")))).collect())
}

fn line_with(text: &str, part: &str) -> usize {
    text.lines().position(|line| line.contains(part)).map_or(1, |index| index + 1)
}

/// The names explained in the document of dependencies: the first cell of each row, between backticks.
fn documented_dependencies(document: &str) -> Vec<(&str, usize)> {
    let rows = document.lines().enumerate().filter_map(|(index, line)| Some((index + 1, line.strip_prefix("| `")?)));
    rows.filter_map(|(line, rest)| {
        let (name, reason) = rest.split_once("` |")?;
        let has_reason = !reason.trim_matches(|c| c == '|' || c == ' ').is_empty();
        has_reason.then_some((name, line))
    })
    .collect()
}

/// Every dependency has a row with its reason, and every row has its dependency.
pub(crate) fn dependencies(path: &str, document: &str, manifests: &[(&str, Vec<(String, usize)>)]) -> Vec<Problem> {
    let rows = documented_dependencies(document);
    let mut problems = Vec::new();
    let mut used = BTreeSet::new();
    for (manifest, names) in manifests {
        for (name, line) in names {
            used.insert(name.as_str());
            if !rows.iter().any(|(row, _)| row == name) {
                problems.push(Problem::new(manifest, *line, format!("{path} has no row \"| `{name}` | reason |\"")));
            }
        }
    }
    for (name, line) in rows.into_iter().filter(|(name, _)| !used.contains(name)) {
        problems.push(Problem::new(path, line, format!("`{name}` is no dependency any more; delete the row")));
    }
    problems
}

/// Download addresses in a lock file, which would bind everyone to the registry of its author.
pub(crate) fn addresses(path: &str, lock: &str) -> Vec<Problem> {
    let lines = lock.lines().enumerate().filter(|(_, line)| line.contains("\"resolved\""));
    let what = "a download address; write the file anew with the project's own web/.npmrc in force";
    lines.map(|(index, _)| Problem::new(path, index + 1, what)).collect()
}

/// Path prefixes of one machine. Assembled here, so that this file does not contain them.
const FOREIGN_ROOTS: &[&str] = &[concat!("/", "work/"), concat!("/", "root/")];

/// Absolute paths that exist on one machine only.
pub(crate) fn foreign_paths(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for root in FOREIGN_ROOTS {
        for (at, _) in text.match_indices(root) {
            // `network/work/` is relative and `$HOME/work/` is fine: an absolute path does not follow a name.
            let before = text[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || "_-.~})*".contains(c)) {
                continue;
            }
            let line = text[..at].matches('\n').count() + 1;
            problems.push(Problem::new(path, line, format!("`{root}` is a path of one machine; write it relative")));
        }
    }
    problems.sort_by_key(|problem| problem.line);
    problems
}

/// Folders of the repository that documents name files of.
const NAMED_FOLDERS: &[&str] = &["src/", "crates/", "web/", "scripts/", "tests/", "config/", "docs/"];

/// Files that a document names between backticks, with their path from the root, and that do not exist.
pub(crate) fn missing_files(path: &str, document: &str, exists: impl Fn(&str) -> bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, line) in document.lines().enumerate() {
        let is_file = |name: &&str| {
            let has_extension = name.rsplit('/').next().is_some_and(|last| last.contains('.'));
            let is_plain = name.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
            NAMED_FOLDERS.iter().any(|folder| name.starts_with(folder)) && has_extension && is_plain
        };
        for name in line.split('`').skip(1).step_by(2).filter(is_file).filter(|name| !exists(name)) {
            problems.push(Problem::new(path, index + 1, format!("there is no file `{name}`")));
        }
    }
    problems
}

/// Endings of the files that headers name.
const NAMED_ENDINGS: &[&str] = &["css", "html", "json", "md", "mjs", "rs", "sh", "sql", "toml", "ts", "tsx"];

/// Whether a word is the name of a file. An absolute path is the address of a call, and `answer.json()` is code.
fn is_file_name(word: &str) -> bool {
    let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
    let may_be_code = ending == "json" && !word.contains('/');
    NAMED_ENDINGS.contains(&ending) && !word.starts_with(['/', '.']) && !may_be_code
}

/// The part of the repository that a short name refers to: a package below `crates/`, or a folder of the root.
fn part_of(path: &str) -> &str {
    let depth = if path.starts_with("crates/") { 2 } else { 1 };
    path.match_indices('/').nth(depth - 1).map_or("", |(at, _)| &path[..at])
}

/// Files that the header of a Rust file names (`//!`) and that do not exist. A name is a path from the root, or the end
/// of a path in the same part of the repository. `files` are the paths of all files.
pub(crate) fn missing_in_header(path: &str, text: &str, files: &[String]) -> Vec<Problem> {
    let is_end_of = |name: &str, file: &str| file.strip_suffix(name).is_some_and(|folders| folders.ends_with('/'));
    let exists =
        |name: &str| files.iter().any(|file| file == name || (part_of(file) == part_of(path) && is_end_of(name, file)));
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(header) = line.trim_start().strip_prefix("//!") else { continue };
        let words = header.split(|c: char| !c.is_alphanumeric() && !"/._-".contains(c));
        // A full stop may end the sentence.
        let names = words.map(|word| word.trim_end_matches('.')).filter(|word| is_file_name(word));
        for name in names.filter(|name| !exists(name)) {
            let what = format!("there is no file `{name}` in {}; write the path from the root", part_of(path));
            problems.push(Problem::new(path, index + 1, what));
        }
    }
    problems
}

/// Every patch with a deliberate fault still applies: its context is in the file that it names.
pub(crate) fn faults(path: &str, patch: &str, read: impl Fn(&str) -> String) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut source = String::new();
    let mut hunk: Option<(usize, String)> = None;
    let ends = [(usize::MAX, "@@")];
    for (index, line) in patch.lines().enumerate().chain(ends) {
        let is_next = line.starts_with("@@") || line.starts_with("diff ");
        if let Some((at, found)) = hunk.take_if(|_| is_next)
            && !source.contains(&found)
        {
            problems.push(Problem::new(path, at, "the code is not as this fault expects it; write it anew"));
        }
        if let Some(name) = line.strip_prefix("--- a/") {
            source = read(name);
        } else if line.starts_with("@@") {
            hunk = Some((index.saturating_add(1), String::new()));
        } else if let (Some((_, found)), Some(text)) = (&mut hunk, line.strip_prefix([' ', '-'])) {
            found.push_str(text);
            found.push('\n');
        }
    }
    problems
}

/// The reliability table names existing tests, since a renamed test would never run. `rust` and `browser` are the
/// sources of the tests.
pub(crate) fn rows(path: &str, table: &str, rust: &str, browser: &str) -> Vec<Problem> {
    let quoted = |line: &str| -> Vec<String> { line.split('"').skip(1).step_by(2).map(str::to_owned).collect() };
    let mut problems = Vec::new();
    let mut is_title = false;
    for (index, line) in table.lines().enumerate() {
        is_title |= line.contains("titles: [");
        for name in quoted(line) {
            let is_there = if is_title && name.contains(' ') {
                // The name of a group may come before the title of the test.
                let places = name.match_indices(' ').map(|(at, _)| at + 1).chain([0]);
                places.into_iter().any(|at| browser.contains(&format!("test('{}", &name[at..])))
            } else if let Some((_, test)) = name.rsplit_once("::") {
                rust.contains(&format!("fn {test}("))
            } else {
                true
            };
            if !is_there {
                problems.push(Problem::new(path, index + 1, format!("no test is called `{name}`")));
            }
        }
        is_title &= !line.contains(']');
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
    fn dependencies_are_read_from_all_sections() {
        let manifest = "[package]\nname = \"own\"\n[features]\ntestkit = []\n[dependencies]\na-b = \"1\"\n# c = \"1\"\n\
            d = { version = \"1\" }\n[dev-dependencies]\nown = { path = \".\" }\ne.workspace = true\n\
            [target.'cfg(unix)'.build-dependencies]\nf = \"1\"\n[dependencies.g]\nversion = \"1\"\n[lints.rust]\nh = \"deny\"";
        let names: Vec<String> = cargo_dependencies(manifest).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a-b", "d", "e", "f", "g"]);
        let json = "{\n\"dependencies\": {\n\"@a/b\": \"1\"},\n\"devDependencies\": {\"c\": \"1\"}, \"scripts\": {\"d\": \"\"}}";
        assert_eq!(npm_dependencies(json), Ok(vec![("@a/b".to_owned(), 3), ("c".to_owned(), 4)]));
        assert!(npm_dependencies("{").is_err());
    }

    #[test]
    fn missing_and_superfluous_dependency_reasons_are_reported() {
        let document = "| name | reason |\n|---|---|\n| `a` | needed |\n| `b` |  |\n| `c` | gone |\n";
        let manifest = [("Cargo.toml", vec![("a".to_owned(), 1), ("b".to_owned(), 2)])];
        let problems: Vec<String> = dependencies("d.md", document, &manifest).iter().map(Problem::to_string).collect();
        assert_eq!(
            problems,
            [
                "Cargo.toml:2: d.md has no row \"| `b` | reason |\"",
                "d.md:5: `c` is no dependency any more; delete the row"
            ]
        );
    }

    #[test]
    fn download_addresses_are_reported() {
        assert_eq!(lines(&addresses("l", "{\n\"resolved\": \"https://a\",\n\"integrity\": \"b\"}")), [2]);
        assert_eq!(addresses("l", "{\"integrity\": \"resolved\u{20}\"}"), []);
    }

    #[test]
    fn paths_of_one_machine_are_reported() {
        let [work, home] = FOREIGN_ROOTS else { panic!("this test is about two places") };
        let text = format!("see {work}a\n({home}b)\nnetwork{work}c $HOME{work}d ..{work}e\nfile://{home}f\n{home}g");
        assert_eq!(lines(&foreign_paths("a", &text)), [1, 2, 4, 5]);
    }

    #[test]
    fn files_that_do_not_exist_are_reported() {
        let document =
            "See `src/a.rs` and `src/b.rs`.\n`src/` `b.rs` `other/b.rs` `src/*.rs` src/b.rs\n`web/src/c.ts`\n";
        assert_eq!(lines(&missing_files("d", document, |name| name == "src/a.rs")), [1, 3]);
    }

    #[test]
    fn files_in_headers_that_do_not_exist_are_reported() {
        let files = ["src/a/b.rs", "src/long_c.rs", "crates/x/src/d.rs", "docs/e.md"].map(str::to_owned);
        let text = [
            "//! `a/b.rs` (`src/a/b.rs`): b.rs, docs/e.md. GET /api/f.json, offer.json(), f.rs.",
            "let a = 1; // f.rs",
            "//! `d.rs` `crates/x/src/d.rs` .rs e.md",
            "    //! `c.rs`",
        ];
        assert_eq!(lines(&missing_in_header("src/g.rs", &text.join("\n"), &files)), [1, 3, 3, 4]);
        let text = "//! d.rs\n//! b.rs\n//! crates/e.rs";
        assert_eq!(lines(&missing_in_header("crates/x/src/g.rs", text, &files)), [2, 3]);
    }

    #[test]
    fn rows_with_unknown_tests_are_reported() {
        let rust = "#[test]\nfn one_is_there() {}\n";
        let browser = "test.describe('is one bet', () => {\n  test('by a click, and it is told', async () => {})\n})";
        let table = "store: [\"a::one_is_there\",\n\"a::one_is_gone\"],\nfile: \"x.spec.ts\", titles: [\n\"is one bet by a click\",\n\
            \"by a click\",\n\"is one bet by two clicks\"],\npart: \"as it is\"";
        assert_eq!(lines(&rows("r", table, rust, browser)), [2, 6]);
    }

    #[test]
    fn fault_patch_that_does_not_apply_is_reported() {
        let patch = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@ fn\n one\n-two\n@@ -8,2 +7,3 @@\n eight\n+new\n nine\n";
        let code = |text: &'static str| move |_: &str| text.to_owned();
        assert_eq!(faults("p", patch, code("one\ntwo\nthree\neight\nnine\n")), []);
        assert_eq!(lines(&faults("p", patch, code("one\ntwo\nthree\neight\nten\n"))), [7]);
        assert_eq!(lines(&faults("p", patch, code("one\n2\neight\nnine\n"))), [4]);
    }
}
