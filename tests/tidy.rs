//! Rules for the repository that neither compiler nor linter checks, one test a rule: files, translations, documents. A
//! rule that fails names file and line and says what to do. The rules are pure functions in `tests/tidy/`, each with a
//! test that shows it can fail; here they are applied to the repository.
//!
//! A file that a rule reads must exist: a rule that reads nothing would always pass.

#[path = "tidy/contract.rs"]
mod contract;
#[path = "tidy/documents.rs"]
mod documents;
#[path = "tidy/english.rs"]
mod english;
#[path = "tidy/examples.rs"]
mod examples;
#[path = "tidy/files.rs"]
mod files;
#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/migrations.rs"]
mod migrations;
#[path = "tidy/problem.rs"]
mod problem;
#[path = "tidy/translations.rs"]
mod translations;

use files::Source;
use layers::Layer;
use problem::{Problem, assert_tidy};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use translations::{LANGUAGES, Translation};

/// What is built or fetched, which nobody wrote; `.git` is a file in a second work tree.
const BUILT: &[&str] = &[".git", "target", "node_modules", "dist", "build", "test-results"];

/// Folders with source, for the rules that look at any text.
const MARKED_SOURCES: &[&str] = &["src", "crates", "tests", "web/src", "web/e2e", "scripts", ".ci"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The path as rules and messages spell it, from the root of the repository.
fn spelled(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

#[track_caller]
fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}:1: cannot be read: {error}"))
}

/// All files below a folder, sorted; nothing of what is built.
#[track_caller]
fn files_below(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}:1: the folder cannot be read: {error}", spelled(&folder)));
        for entry in entries {
            let entry = entry.expect("the entry of a folder can be read");
            let kind = entry.file_type().expect("the kind of a folder's entry can be read");
            if BUILT.iter().any(|built| entry.file_name() == *built) {
                continue;
            }
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

/// The Rust sources below a folder; that there are none is a mistake of this file.
#[track_caller]
fn sources_below(folder: &str) -> Vec<Source> {
    let rust = files_below(folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let found: Vec<Source> = rust.map(|path| spelled(&path)).map(|path| Source { text: read(&path), path }).collect();
    assert!(!found.is_empty(), "{folder}: there is no Rust source to look at");
    found
}

/// The texts below a folder; what is no text is left out.
fn texts_below(folder: &str) -> impl Iterator<Item = (String, String)> {
    files_below(folder).into_iter().filter_map(|path| Some((spelled(&path), fs::read_to_string(&path).ok()?)))
}

/// The rules and their own tests contain the text that they forbid.
fn is_not_a_rule(path: &str) -> bool {
    !path.starts_with("tests/tidy/")
}

fn all_sources() -> Vec<Source> {
    ["src", "tests", "crates", "benches"].into_iter().flat_map(sources_below).collect()
}

/// Lines with words that plain English avoids, by folder. These numbers may only fall.
const ENGLISH_LIMITS: &[(&str, usize)] = &[
    ("config", 2),
    ("crates/domain/src", 15),
    ("crates/load/src", 5),
    ("crates/simulator/src", 1),
    ("crates/store/src", 2),
    ("crates/testkit/src", 1),
    ("crates/wire/src", 4),
    ("docs", 20),
    ("docs/decisions", 1),
    ("scripts/reliability", 2),
    ("src/command", 1),
    ("src/actors", 4),
    ("src/config", 1),
    ("src/http", 11),
    ("src/hub", 2),
    ("src/testkit", 1),
    ("tests", 2),
    ("tests/faults", 2),
    ("tests/http", 1),
    ("tests/hub", 1),
    ("tests/load", 2),
    ("tests/placing", 2),
    ("tests/session", 1),
    ("tests/store", 2),
    ("web/e2e", 1),
    ("web/e2e/fixture", 1),
    ("web/src/api", 4),
    ("web/src/domain", 3),
    ("web/src/features", 9),
    ("web/src/platform", 6),
    ("web/src/protocol", 2),
    ("web/src/scoreboard", 3),
];

/// The folder that a file is counted in.
fn counted_in(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let depth = if matches!(parts[0], "crates" | "web") { 3 } else { 2 };
    parts[..parts.len().saturating_sub(1).min(depth)].join("/")
}

/// The contract is binding as it is written.
#[test]
fn comments_and_documents_are_in_plain_english() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for folder in ["src", "crates", "tests", "benches", "fuzz", "web/src", "web/e2e", "scripts", "config", "docs"] {
        let is_ours = |path: &str| is_not_a_rule(path) && path != "docs/contract.md";
        for (path, text) in texts_below(folder).filter(|(path, _)| is_ours(path)) {
            let extension = path.rsplit('.').next().unwrap_or_default();
            *counts.entry(counted_in(&path)).or_default() += english::constructions(&text, extension);
        }
    }
    let counts: Vec<(String, usize)> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    assert_tidy(&english::above_limits(&counts, ENGLISH_LIMITS));
}

/// The folders of the root package, lowest first. Each may import those before it.
const LAYERS: &[Layer] = &[
    Layer { folder: "betting", may_import: &["panics"] },
    Layer { folder: "actors", may_import: &["betting", "panics"] },
    Layer { folder: "http", may_import: &["betting", "actors"] },
    Layer { folder: "hub", may_import: &["betting", "actors", "http", "panics"] },
];

/// The calls include the handshake of the hub, and their state holds its admission.

#[test]
fn folders_import_only_lower_layers() {
    let of = |source: &Source| layers::forbidden(&source.path, &source.text, LAYERS);
    assert_tidy(&sources_below("src").iter().flat_map(of).collect::<Vec<_>>());
}

#[test]
fn every_item_of_the_actor_kit_has_an_example() {
    let sources = sources_below("crates/actor-testkit/src");
    assert!(sources.len() > 4, "the kit is read");
    assert_tidy(&sources.iter().flat_map(examples::missing).collect::<Vec<_>>());
}

#[test]
fn every_file_begins_with_its_purpose() {
    assert_tidy(&files::beginnings(&all_sources()));
}

#[test]
fn a_file_has_one_subject_and_at_most_500_lines() {
    assert_tidy(&files::lengths(&[sources_below("src"), sources_below("crates")].concat()));
}

#[test]
fn no_unfinished_work_markers_ignored_tests_or_sleeps() {
    let mut problems = files::skipped_tests_and_sleeps(&all_sources());
    problems.retain(|problem| is_not_a_rule(&problem.path));
    for (path, text) in
        MARKED_SOURCES.iter().flat_map(|folder| texts_below(folder)).filter(|(path, _)| is_not_a_rule(path))
    {
        problems.extend(files::markers(&path, &text));
    }
    assert_tidy(&problems);
}

#[test]
fn all_languages_have_the_same_texts() {
    let read_language = |&(lang, forms): &(&'static str, &'static [&'static str])| {
        let path = format!("config/translations/{lang}.json");
        let raw = read(&path);
        Translation { lang, forms, path, raw }
    };
    assert_tidy(&translations::check(&LANGUAGES.iter().map(read_language).collect::<Vec<_>>()));
}

#[test]
fn every_dependency_has_its_reason() {
    let npm = documents::npm_dependencies(&read("web/package.json"))
        .unwrap_or_else(|error| panic!("web/package.json:1: {error}"));
    let manifests = [
        "Cargo.toml",
        "crates/actor-testkit/Cargo.toml",
        "crates/domain/Cargo.toml",
        "crates/feed/Cargo.toml",
        "crates/load/Cargo.toml",
        "crates/read-model/Cargo.toml",
        "crates/simulator/Cargo.toml",
        "crates/store/Cargo.toml",
        "crates/testkit/Cargo.toml",
        "crates/broker/Cargo.toml",
        "crates/uof/Cargo.toml",
        "crates/uof-provider/Cargo.toml",
        "crates/wire/Cargo.toml",
    ];
    let cargo = manifests.map(|path| (path, documents::cargo_dependencies(&read(path))));
    let manifests: Vec<_> = cargo.into_iter().chain([("web/package.json", npm)]).collect();
    let path = "docs/dependencies.md";
    assert_tidy(&documents::dependencies(path, &read(path), &manifests));
}

/// The changelog names files of the past. The client is built by the tests themselves.
#[test]
fn documents_name_existing_files() {
    let documents = texts_below("").filter(|(path, _)| path.ends_with(".md") && path != "CHANGELOG.md");
    let is_there = |name: &str| name.starts_with("web/dist/") || root().join(name).exists();
    let problems: Vec<Problem> =
        documents.flat_map(|(path, text)| documents::missing_files(&path, &text, is_there)).collect();
    assert_tidy(&problems);
}

#[test]
fn headers_of_rust_files_name_existing_files() {
    let files: Vec<String> = files_below("").iter().map(|path| spelled(path)).collect();
    let missing = |source: &Source| documents::missing_in_header(&source.path, &source.text, &files);
    assert_tidy(&all_sources().iter().flat_map(missing).collect::<Vec<_>>());
}

#[test]
fn citations_of_the_contract_name_existing_sections() {
    let sections = contract::Sections::of(&read("docs/contract.md"));
    assert!(!sections.is_empty(), "docs/contract.md:1: no section is found");
    let problems: Vec<Problem> =
        texts_below("").flat_map(|(path, text)| contract::unknown_sections(&path, &text, &sections)).collect();
    assert_tidy(&problems);
}

#[test]
fn every_deliberate_fault_patch_applies() {
    let patches = texts_below("tests/mutants").filter(|(path, _)| path.ends_with(".patch"));
    let problems: Vec<Problem> = patches.flat_map(|(path, patch)| documents::faults(&path, &patch, read)).collect();
    assert_tidy(&problems);
}

#[test]
fn reliability_rows_name_existing_tests() {
    let path = "scripts/reliability/by_tests.mjs";
    let rust: String = all_sources().into_iter().map(|source| source.text).collect();
    let browser: String = texts_below("web/e2e").map(|(_, text)| text).collect();
    assert_tidy(&documents::rows(path, &read(path), &rust, &browser));
}

#[test]
fn web_lock_file_has_no_download_addresses() {
    let path = "web/package-lock.json";
    assert_tidy(&documents::addresses(path, &read(path)));
}

#[test]
fn no_file_contains_a_path_of_one_machine() {
    let problems: Vec<Problem> =
        texts_below("").flat_map(|(path, text)| documents::foreign_paths(&path, &text)).collect();
    assert_tidy(&problems);
}

/// Version 20 changed everything and needed a pause of the service.
#[test]
fn migrations_lock_no_large_table_for_long() {
    let folder = "crates/store/migrations/postgres";
    let later = texts_below(folder).filter(|(path, _)| !path.contains("/0020_"));
    let problems: Vec<Problem> = later.flat_map(|(path, text)| migrations::long_locks(&path, &text)).collect();
    assert_tidy(&problems);
}
