//! The format of the files in `catalogue/names/`: the parts of invented names by language, countries and tournaments.
//! The build script reads them as well, so this file must not import anything of the crate but the format of texts.

use super::file::Text;
use serde::Deserialize;

/// The parts of names of one language. A part that is not written as it is heard has both: `Whit=Vit`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tongue {
    /// Beginnings of towns with the ends that go with them.
    pub towns: Vec<Towns>,
    /// Words of club names before the town.
    pub before: Vec<String>,
    /// Words of club names after the town.
    pub after: Vec<String>,
    /// First names of men.
    pub men: Vec<String>,
    /// First names of women.
    pub women: Vec<String>,
    /// Beginnings of surnames.
    pub stems: Vec<String>,
    /// Ends of surnames; a man's and a woman's, `ek/ková=kova`, if they differ.
    pub ends: Vec<String>,
    /// Whether its words are inflected by Croatian grammar.
    pub native: bool,
}

/// Towns that are made alike.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Towns {
    /// Their beginnings.
    pub heads: Vec<String>,
    /// Their ends.
    pub tails: Vec<String>,
}

/// The language that names of a country are made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "named as the files")]
pub enum TongueName {
    SouthSlavic,
    WestSlavic,
    Italian,
    Spanish,
    Nordic,
    English,
    German,
}

/// `places.toml`: countries and tournaments.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Places {
    /// Nicknames of clubs of the American style.
    pub nicknames: Vec<String>,
    /// The surfaces of tennis.
    pub surfaces: Vec<Text>,
    /// The countries.
    pub country: Vec<CountryRow>,
    /// Where sports are at home.
    pub home: Vec<Home>,
    /// The names of tournaments.
    pub tournament: Vec<Tournaments>,
}

/// A country.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountryRow {
    /// Its name.
    pub name: Text,
    /// What its people and towns are named in.
    pub tongue: TongueName,
}

/// The countries in which some sports are popular.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Home {
    /// The ids of the sports.
    pub sports: Vec<u64>,
    /// The English names of the countries.
    pub countries: Vec<String>,
}

/// The names of the tournaments of some sports.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tournaments {
    /// The ids of the sports; empty for all other sports.
    pub sports: Vec<u64>,
    /// `{town}` is a town, `{of}` its genitive, `{n}` a number: the how-manieth it is.
    pub names: Vec<Text>,
}

/// Reads the file of a language.
///
/// # Errors
/// What is wrong, with the line.
pub fn tongue(text: &str) -> Result<Tongue, String> {
    let tongue: Tongue = toml::from_str(text).map_err(|error| error.to_string())?;
    let has_empty = {
        let towns = tongue.towns.iter().flat_map(|towns| [&towns.heads, &towns.tails]);
        let mut lists = [&tongue.men, &tongue.women, &tongue.stems, &tongue.ends].into_iter().chain(towns);
        tongue.towns.is_empty() || lists.any(Vec::is_empty)
    };
    let has_clubs = !(tongue.before.is_empty() && tongue.after.is_empty());
    if has_empty || !has_clubs { Err("a list is empty".to_owned()) } else { Ok(tongue) }
}

/// Reads `places.toml`.
///
/// # Errors
/// What is wrong, with the line.
pub fn places(text: &str) -> Result<Places, String> {
    let places: Places = toml::from_str(text).map_err(|error| error.to_string())?;
    let is_known = |name: &String| places.country.iter().any(|country| country.name.quad()[1] == name);
    let unknown = places.home.iter().flat_map(|home| &home.countries).find(|name| !is_known(name));
    let is_empty = |tournaments: &Tournaments| tournaments.names.is_empty();
    match unknown {
        Some(name) => Err(format!("there is no country {name}")),
        None if places.home.iter().any(|home| home.countries.is_empty()) => Err("a home has no country".to_owned()),
        None if places.tournament.iter().any(is_empty) => Err("some tournaments have no name".to_owned()),
        None if !places.tournament.iter().any(|tournaments| tournaments.sports.is_empty()) => {
            Err("there are no tournaments for all other sports".to_owned())
        }
        None => Ok(places),
    }
}
