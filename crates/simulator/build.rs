//! Checks the files in `catalogue/` before the crate is compiled, so that a mistake is reported with its file and row.

#![allow(dead_code, unreachable_pub, reason = "the program uses the rest of these files")]

#[path = "src/catalogue/file.rs"]
mod file;
#[path = "src/catalogue/names.rs"]
mod names;
#[path = "src/catalogue/questions/mod.rs"]
mod questions;

use file::{Common, Sheet};
use questions::{
    BaseballQuestion, ClockQuestion, CricketQuestion, DartsQuestion, InOrder, MmaQuestion, RallySetQuestion,
    SetsQuestion, SnookerQuestion, TennisSetQuestion,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::process::exit;

/// The questions about sets of a sport without sets.
#[derive(Deserialize)]
enum NoSets {}

/// Checks a text and returns what is wrong.
type Check = fn(&str, &Common) -> Result<(), String>;

const SPORTS: [(&str, Check); 18] = [
    ("american_football", any::<ClockQuestion, NoSets>),
    ("badminton", sets::<RallySetQuestion>),
    ("baseball", ordered::<BaseballQuestion>),
    ("basketball", any::<ClockQuestion, NoSets>),
    ("beach_volleyball", sets::<RallySetQuestion>),
    ("cricket", ordered::<CricketQuestion>),
    ("darts", ordered::<DartsQuestion>),
    ("futsal", any::<ClockQuestion, NoSets>),
    ("handball", any::<ClockQuestion, NoSets>),
    ("ice_hockey", any::<ClockQuestion, NoSets>),
    ("mma", ordered::<MmaQuestion>),
    ("rugby", any::<ClockQuestion, NoSets>),
    ("snooker", ordered::<SnookerQuestion>),
    ("soccer", any::<ClockQuestion, NoSets>),
    ("squash", sets::<RallySetQuestion>),
    ("table_tennis", sets::<RallySetQuestion>),
    ("tennis", sets::<TennisSetQuestion>),
    ("volleyball", sets::<RallySetQuestion>),
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

fn any<Q: DeserializeOwned, S: DeserializeOwned>(text: &str, common: &Common) -> Result<(), String> {
    file::sheet::<Q, S>(text, common).map(|_| ())
}

fn ordered<Q: DeserializeOwned + InOrder>(text: &str, common: &Common) -> Result<(), String> {
    let sheet: Sheet<Q, NoSets> = file::sheet(text, common)?;
    file::in_order(&sheet.market)
}

fn sets<S: DeserializeOwned + InOrder>(text: &str, common: &Common) -> Result<(), String> {
    let sheet: Sheet<SetsQuestion, S> = file::sheet(text, common)?;
    file::in_order(&sheet.market)?;
    file::in_order(&sheet.set_market)
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
