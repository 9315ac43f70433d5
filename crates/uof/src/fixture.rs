//! Fixtures and profiles in one language: which sides meet, in which tournament, and the names of players. Read from the
//! provider's documents; must not decide whether an event is offered.

use crate::message::Malformed;
use crate::urn::Urn;
use crate::xml::{Document, Element, XmlError};
use kvota_domain::Text;
use std::collections::HashMap;

/// Names that are kept; of more, none is added.
const NAMES_MAX: usize = 200_000;
/// Players of a fixture.
const PLAYERS_MAX: usize = 500;

/// A thing with a name in the feed and a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its name in the feed.
    pub urn: Urn,
    /// The text that is shown.
    pub name: Text,
}

/// An event before it is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The event.
    pub event: Urn,
    /// The sport; absent in some fixtures.
    pub sport: Option<Named>,
    /// The category: a country, or `International Clubs`.
    pub category: Option<Named>,
    /// The tournament.
    pub tournament: Option<Named>,
    /// The home side and the away side.
    pub competitors: [Option<Named>; 2],
    /// The players of both sides.
    pub players: Vec<Named>,
}

impl Fixture {
    /// Reads a fixture document.
    ///
    /// # Errors
    /// It is malformed, another document, or its event has no name in the feed.
    pub fn parse(body: &[u8]) -> Result<Fixture, Malformed> {
        let mut document = Document::new(body)?;
        if document.root()?.name() != "fixtures_fixture" {
            return Err(Malformed::UnknownRoot);
        }
        let mut read = None;
        while let Some(child) = document.child()? {
            if child.name() == "fixture" {
                read = Some(fixture(&child, &mut document)?);
            } else {
                document.skip()?;
            }
        }
        read.ok_or(Malformed::Attribute("id"))
    }
}

fn fixture(element: &Element<'_>, document: &mut Document<'_>) -> Result<Fixture, Malformed> {
    let event = urn_of(element)?.ok_or(Malformed::Attribute("id"))?;
    let mut held = Fixture {
        event,
        sport: None,
        category: None,
        tournament: None,
        competitors: [None, None],
        players: Vec::new(),
    };
    while let Some(child) = document.child()? {
        match child.name() {
            "tournament" => {
                held.tournament = named(&child)?;
                while let Some(part) = document.child()? {
                    match part.name() {
                        "sport" => held.sport = named(&part)?,
                        "category" => held.category = named(&part)?,
                        _ => {}
                    }
                    document.skip()?;
                }
            }
            "competitors" => {
                while let Some(competitor) = document.child()? {
                    let side = side_of(&competitor)?;
                    if let Some(place) = side.and_then(|side| held.competitors.get_mut(side)) {
                        *place = named(&competitor)?;
                    }
                    read_players(document, &mut held.players)?;
                }
            }
            _ => document.skip()?,
        }
    }
    Ok(held)
}

/// The players of a competitor, in the list of players.
fn read_players(document: &mut Document<'_>, players: &mut Vec<Named>) -> Result<(), XmlError> {
    while let Some(child) = document.child()? {
        if child.name() != "players" {
            document.skip()?;
            continue;
        }
        while let Some(player) = document.child()? {
            if players.len() < PLAYERS_MAX {
                players.extend(named(&player)?);
            }
            document.skip()?;
        }
    }
    Ok(())
}

fn urn_of(element: &Element<'_>) -> Result<Option<Urn>, XmlError> {
    let mut urn = None;
    element.attributes(|name, value| {
        if name == "id" {
            urn = Urn::parse(&value);
        }
    })?;
    Ok(urn)
}

fn named(element: &Element<'_>) -> Result<Option<Named>, XmlError> {
    let (mut urn, mut text) = (None, None);
    element.attributes(|name, value| match name {
        "id" => urn = Urn::parse(&value),
        "name" => text = Some(Text::from(&*value)),
        _ => {}
    })?;
    Ok(urn.zip(text).map(|(urn, name)| Named { urn, name }))
}

/// 0 for the home side, 1 for the away side.
fn side_of(competitor: &Element<'_>) -> Result<Option<usize>, XmlError> {
    let mut side = None;
    competitor.attributes(|name, value| {
        if name == "qualifier" {
            side = match &*value {
                "home" => Some(0),
                "away" => Some(1),
                _ => None,
            };
        }
    })?;
    Ok(side)
}

/// The names of players and competitors, by their names in the feed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Profiles {
    names: HashMap<Urn, Text>,
}

impl Profiles {
    /// The name of a player or competitor.
    pub fn get(&self, urn: &str) -> Option<&str> {
        self.names.get(&Urn::parse(urn)?).map(|name| &**name)
    }

    /// Adds the sides and players of a fixture.
    pub fn add_fixture(&mut self, fixture: &Fixture) {
        fixture.competitors.iter().flatten().chain(&fixture.players).for_each(|named| self.add(named.clone()));
    }

    /// Adds the name of a document about one player or competitor; the full name of a player counts.
    ///
    /// # Errors
    /// It is malformed or another document.
    pub fn add_profile(&mut self, body: &[u8]) -> Result<(), Malformed> {
        let mut document = Document::new(body)?;
        if !matches!(document.root()?.name(), "player_profile" | "competitor_profile") {
            return Err(Malformed::UnknownRoot);
        }
        while let Some(child) = document.child()? {
            if matches!(child.name(), "player" | "competitor") {
                let mut full = None;
                child.attributes(|name, value| {
                    if name == "full_name" && !value.is_empty() {
                        full = Some(Text::from(&*value));
                    }
                })?;
                if let Some(Named { urn, name }) = named(&child)? {
                    self.add(Named { urn, name: full.unwrap_or(name) });
                }
            }
            document.skip()?;
        }
        Ok(())
    }

    fn add(&mut self, Named { urn, name }: Named) {
        if self.names.len() < NAMES_MAX || self.names.contains_key(&urn) {
            self.names.insert(urn, name);
        }
    }
}
