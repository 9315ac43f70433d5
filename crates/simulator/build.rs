//! Checks the files in `catalogue/` before the crate is compiled, so that a mistake is reported with its file and row.

#![allow(dead_code, unreachable_pub, reason = "the program uses the rest of these files")]

#[path = "src/catalogue/file.rs"]
mod file;
#[path = "src/catalogue/names.rs"]
mod names;
#[path = "src/catalogue/questions/mod.rs"]
mod questions;

use file::Common;
use questions::{ClockQuestion, SetsQuestion, TurnsQuestion};
use serde::de::DeserializeOwned;
use std::path::Path;
use std::process::exit;

/// Checks a text and returns what is wrong.
type Check = fn(&str, &Common) -> Result<(), String>;

const SPORTS: [(&str, Check); 18] = [
    ("american_football", sport::<ClockQuestion>),
    ("badminton", sport::<SetsQuestion>),
    ("baseball", sport::<TurnsQuestion>),
    ("basketball", sport::<ClockQuestion>),
    ("beach_volleyball", sport::<SetsQuestion>),
    ("cricket", sport::<TurnsQuestion>),
    ("darts", sport::<SetsQuestion>),
    ("futsal", sport::<ClockQuestion>),
    ("handball", sport::<ClockQuestion>),
    ("ice_hockey", sport::<ClockQuestion>),
    ("mma", sport::<TurnsQuestion>),
    ("rugby", sport::<ClockQuestion>),
    ("snooker", sport::<SetsQuestion>),
    ("soccer", sport::<ClockQuestion>),
    ("squash", sport::<SetsQuestion>),
    ("table_tennis", sport::<SetsQuestion>),
    ("tennis", sport::<SetsQuestion>),
    ("volleyball", sport::<SetsQuestion>),
];

const TONGUES: [&str; 7] = [
    "names/english",
    "names/german",
    "names/italian",
    "names/nordic",
    "names/south_slavic",
    "names/spanish",
    "names/west_slavic",
];

fn sport<Q: DeserializeOwned + PartialEq>(text: &str, common: &Common) -> Result<(), String> {
    file::sheet::<Q>(text, common).map(|_| ())
}

fn read(name: &str) -> String {
    let path = format!("catalogue/{name}.toml");
    println!("cargo::rerun-if-changed={path}");
    std::fs::read_to_string(Path::new(&path)).unwrap_or_else(|error| fail(name, &error.to_string()))
}

fn fail(name: &str, problem: &str) -> ! {
    for line in problem.lines().filter(|line| !line.trim().is_empty()) {
        println!("cargo::error=catalogue/{name}.toml: {line}");
    }
    exit(1);
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/catalogue");
    let common = file::common(&read("common")).unwrap_or_else(|problem| fail("common", &problem));
    for (name, check) in SPORTS {
        check(&read(name), &common).unwrap_or_else(|problem| fail(name, &problem));
    }
    for name in TONGUES {
        names::tongue(&read(name)).unwrap_or_else(|problem| fail(name, &problem));
    }
    let places = "names/places";
    names::places(&read(places)).unwrap_or_else(|problem| fail(places, &problem));
}
