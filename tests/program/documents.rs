//! docs/operations.md must list exactly the configuration keys and metrics that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[track_caller]
fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The first cells of table rows that begin with a name in backticks, if the name fits.
fn named_rows(document: &str, fits: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let names = document.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    names.filter(|name| fits(name)).map(str::to_owned).collect()
}

#[test]
fn every_configuration_key_is_documented() {
    let mut section = String::new();
    let mut keys = BTreeSet::new();
    for line in read(&root().join("config/default.toml")).lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').to_owned();
        } else if let (Some((key, _)), false) = (line.split_once(" = "), line.starts_with(['#', ' '])) {
            keys.insert(format!("{section}.{key}"));
        }
    }
    let sections =
        ["accounts.", "betting.", "feed.", "http.", "hub.", "log.", "media.", "protection.", "store.", "wallet."];
    let is_key = |name: &str| sections.iter().any(|section| name.starts_with(section));
    assert!(keys.iter().all(|key| is_key(key)), "a new section: add it to this test");
    assert_eq!(named_rows(&read(&root().join("docs/operations.md")), is_key), keys);
}

/// Whether a text is the name of a metric. Names for tests do not count.
fn is_metric(text: &str) -> bool {
    let is_name = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_name && text.starts_with("kvota_") && !text.starts_with("kvota_test_")
}

#[test]
fn every_metric_is_documented() {
    let mut used = BTreeSet::new();
    let mut folders = vec![root().join("src"), root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the sources can be read") {
            let path = entry.expect("an entry of a folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let names = read(&path);
                used.extend(names.split('"').filter(|text| is_metric(text)).map(str::to_owned));
            }
        }
    }
    let documented = named_rows(&read(&root().join("docs/operations.md")), is_metric);
    let missing: Vec<&String> = used.difference(&documented).collect();
    assert!(missing.is_empty(), "docs/operations.md has no row for {missing:?}");
    let gone: Vec<&String> = documented.difference(&used).collect();
    assert!(gone.is_empty(), "docs/operations.md has rows for what nothing counts: {gone:?}");
}
