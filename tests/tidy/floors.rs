//! The floors of the house: who may import whom, and what the ground floor knows nothing of.

use crate::problem::Problem;
use crate::source::{CodePath, Source};

/// Every module of the crate's root with its floor; a floor imports lower floors only.
const FLOORS: &[(&str, u8)] = &[
    ("domain", 0),
    ("wire", 1),
    ("store", 2),
    ("feed", 2),
    ("read_model", 3),
    ("actors", 4),
    ("http", 5),
    ("load", 6),
    ("testkit", 7),
    ("app", 8),
    ("cli", 8),
    ("config", 8),
    ("cookie_key", 8),
    ("serving", 8),
    ("signals", 8),
    ("sources", 8),
    ("telemetry", 8),
    ("lib", 8),
    ("main", 8),
];

/// The floor of composition, whose modules stand side by side and may import each other.
const COMPOSITION: u8 = 8;

/// What the load generator may import: it is a client, and a client knows the wire and nothing behind it.
const LOAD_IMPORTS: &[&str] = &["domain", "wire"];

/// What the rules must not know, as beginnings of paths.
const IMPURE: &[&str] = &[
    "actix",
    "actix_rt",
    "actix_web",
    "actix_web_actors",
    "tokio",
    "serde",
    "serde_json",
    "rmp_serde",
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
];

fn rank(module: &str) -> Option<u8> {
    FLOORS.iter().find(|(name, _)| *name == module).map(|&(_, rank)| rank)
}

/// The module of the crate's root that a file under `src/` belongs to, and how deep the file's own module lies.
fn place(path: &str) -> Option<(&str, usize)> {
    let inner = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let segments: Vec<&str> = inner.split('/').collect();
    let depth = match segments.as_slice() {
        ["lib" | "main"] => 0,
        [.., "mod"] => segments.len() - 1,
        _ => segments.len(),
    };
    Some((segments[0], depth))
}

/// The module of the crate's root that a path leads to, when it goes by the root.
fn target(path: &CodePath, file_depth: usize) -> Option<&str> {
    let segments: Vec<&str> = path.segments.iter().map(String::as_str).skip_while(|&text| text == "self").collect();
    let climbed = segments.iter().take_while(|&&text| text == "super").count();
    match segments.first() {
        Some(&"crate" | &"kvota") => segments.get(1).copied(),
        Some(&"super") if climbed == file_depth + path.inline_depth => segments.get(climbed).copied(),
        _ => None,
    }
}

/// Whether the item on this line is compiled only with the feature `testkit`: its attribute stands right above it, or
/// at the head of the file.
fn is_of_the_testkit_feature(source: &Source, line: usize) -> bool {
    let is_gate = |text: &str| text.contains("cfg(") && text.contains("feature = \"testkit\"");
    let lines: Vec<&str> = source.raw.lines().collect();
    let above = &lines[line.saturating_sub(4)..line - 1];
    above.iter().any(|text| text.trim_start().starts_with("#[") && is_gate(text))
        || lines.iter().any(|text| text.trim_start().starts_with("#![") && is_gate(text))
}

/// Why `from` may not import `to`, or nothing.
fn refusal(from: &str, to: &str, is_for_tests: bool) -> Option<String> {
    let from_rank = rank(from)?;
    let Some(to_rank) = rank(to) else {
        return Some(format!("`{to}` is no floor; name the module that the thing lives in"));
    };
    if from == to || from == "testkit" {
        return None;
    }
    if to == "testkit" {
        let reason = "only tests and code under cfg(feature = \"testkit\") may import testkit";
        return (!is_for_tests).then(|| reason.to_owned());
    }
    if from == "load" && !LOAD_IMPORTS.contains(&to) {
        return Some(format!("load is a client and may import only {}, not {to}", LOAD_IMPORTS.join(" and ")));
    }
    if to_rank < from_rank || (from_rank == COMPOSITION && to_rank == COMPOSITION) {
        return None;
    }
    Some(format!("{from} is floor {from_rank} and may import only lower ones, but {to} is floor {to_rank}"))
}

/// A floor imports only lower floors.
pub(crate) fn imports(sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for source in sources {
        let Some((from, depth)) = place(&source.path) else { continue };
        if rank(from).is_none() {
            problems.push(Problem::new(&source.path, 1, format!("`{from}` is on no floor; give it one in FLOORS")));
        }
        let tests_from = source.first_test_line();
        for path in source.paths() {
            let Some(to) = target(&path, depth) else { continue };
            let is_for_tests = path.line >= tests_from || is_of_the_testkit_feature(source, path.line);
            if let Some(reason) = refusal(from, to, is_for_tests) {
                problems.push(Problem::new(&source.path, path.line, reason));
            }
        }
    }
    problems
}

/// The ground floor is pure.
pub(crate) fn purity(sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for source in sources.iter().filter(|source| place(&source.path).is_some_and(|(floor, _)| floor == "domain")) {
        for path in source.paths() {
            let named = path.segments.join("::");
            let impure = IMPURE.iter().find(|banned| {
                named.strip_prefix(**banned).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
            });
            if let Some(banned) = impure {
                let reason = format!("domain is pure and must not know {banned}");
                problems.push(Problem::new(&source.path, path.line, reason));
            }
        }
    }
    problems
}

/// Each floor opens with what it must never import.
pub(crate) fn openings(sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (floor, _) in FLOORS.iter().filter(|(_, rank)| *rank < COMPOSITION) {
        let folder = format!("src/{floor}/");
        let opening = format!("src/{floor}/mod.rs");
        if !sources.iter().any(|source| source.path.starts_with(&folder)) {
            continue;
        }
        match sources.iter().find(|source| source.path == opening) {
            None => problems.push(Problem::new(&opening, 1, "the floor has no mod.rs")),
            Some(source) if !source.raw.lines().any(|line| line.starts_with("//! Must never import")) => {
                problems.push(Problem::new(&opening, 1, "no line begins with `//! Must never import`"));
            }
            Some(_) => {}
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: [usize; 0] = [];

    fn import_lines(path: &str, raw: &str) -> Vec<usize> {
        imports(&[Source::new(path, raw)]).iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn a_lower_floor_may_be_imported_and_a_higher_one_or_a_sibling_may_not() {
        let raw = "use crate::domain::ids;\nuse crate::wire::Frame;\nuse crate::http::call;\nuse crate::store::Bets;";
        assert_eq!(import_lines("src/feed/amqp.rs", raw), [3, 4]);
        assert_eq!(import_lines("src/domain/ids.rs", "fn f() { crate::wire::encode() }"), [1]);
        assert_eq!(import_lines("src/actors/a.rs", "use crate::{domain::a, read_model::b,\nhttp::c};"), [2]);
        assert_eq!(import_lines("src/main.rs", "use kvota::cli;\nuse kvota::testkit::Probe;"), [2]);
        assert_eq!(import_lines("src/app.rs", "use crate::config::Config;\nuse crate::http::server;"), NOTHING);
    }

    #[test]
    fn comments_and_texts_import_nothing() {
        assert_eq!(
            import_lines("src/domain/ids.rs", "/// See [`crate::http::call`].\nconst A: &str = \"crate::http\";"),
            NOTHING
        );
    }

    #[test]
    fn climbing_to_the_root_by_super_is_seen() {
        assert_eq!(import_lines("src/domain/mod.rs", "use super::http;"), [1]);
        assert_eq!(import_lines("src/domain/ids.rs", "use super::super::http::call;"), [1]);
        assert_eq!(import_lines("src/domain/mod.rs", "mod tests { use super::feed::FeedUpdate; }"), NOTHING);
        assert_eq!(import_lines("src/domain/mod.rs", "mod tests { use super::super::http; }"), [1]);
        assert_eq!(import_lines("src/domain/ids.rs", "use super::feed::FeedUpdate;"), NOTHING);
    }

    #[test]
    fn the_root_gives_out_nothing_by_itself() {
        assert_eq!(import_lines("src/http/mod.rs", "use crate::Thing;\nuse crate::*;"), [1, 2]);
    }

    #[test]
    fn testkit_is_for_tests_alone() {
        let plain = "use crate::testkit::Probe;";
        assert_eq!(import_lines("src/actors/a.rs", plain), [1]);
        assert_eq!(import_lines("src/app.rs", plain), [1]);
        assert_eq!(import_lines("src/actors/a.rs", &format!("#[cfg(test)]\nmod tests {{\n{plain}\n}}")), NOTHING);
        assert_eq!(import_lines("src/actors/a.rs", &format!("#[cfg(feature = \"testkit\")]\n{plain}")), NOTHING);
        assert_eq!(
            import_lines("src/actors/a.rs", &format!("//! A.\n#![cfg(feature = \"testkit\")]\n\n\n\n{plain}")),
            NOTHING
        );
        assert_eq!(import_lines("src/testkit/kit.rs", "use crate::app::App;"), NOTHING);
    }

    #[test]
    fn load_knows_the_wire_and_nothing_behind_it() {
        assert_eq!(import_lines("src/load/bot.rs", "use crate::wire::hub;\nuse crate::actors::a;"), [2]);
    }

    #[test]
    fn a_module_without_a_floor_is_named() {
        assert_eq!(import_lines("src/utils/mod.rs", ""), [1]);
    }

    #[test]
    fn the_domain_knows_no_runtime_no_clock_and_no_machine() {
        let raw = "use std::time::Duration;\nuse std::{fmt, fs};\nuse serde::Serialize;\nfn f() { std::time::Instant::now() }\n\
            // tokio::spawn\nuse std::time::{Duration, SystemTime};\nuse std::environment;";
        let lines = |path| purity(&[Source::new(path, raw)]).iter().map(|problem| problem.line).collect::<Vec<_>>();
        assert_eq!(lines("src/domain/clock.rs"), [2, 3, 4, 6]);
        assert_eq!(lines("src/feed/clock.rs"), NOTHING);
    }

    #[test]
    fn a_floor_says_what_it_must_never_import() {
        let silent = [Source::new("src/wire/mod.rs", "//! Wire.\n// Must never import")];
        assert_eq!(openings(&silent).len(), 1);
        assert_eq!(openings(&[Source::new("src/wire/mod.rs", "//! Wire.\n//!\n//! Must never import actix.")]), []);
        assert_eq!(openings(&[Source::new("src/wire/frame.rs", "//! Frame.")]).len(), 1);
    }
}
