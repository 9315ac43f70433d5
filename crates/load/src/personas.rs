//! The personas of the sessions, their weights, and their think times. Pure; their actions are in `itinerary.rs`
//! and `script.rs`.

use super::length;
use super::random::Random;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::time::Duration;

/// The behaviour of a session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Persona {
    /// Reads the list, opens a match now and then, goes back.
    Watcher,
    /// Builds a ticket and takes it apart again, without placing it.
    Builder,
    /// Has an account, builds a ticket and places it.
    Bettor,
}

impl Persona {
    /// All personas, in the order of [`Weights`].
    pub const ALL: [Persona; 3] = [Persona::Watcher, Persona::Builder, Persona::Bettor];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Persona::Watcher => "watcher",
            Persona::Builder => "builder",
            Persona::Bettor => "bettor",
        }
    }

    /// Its place in [`Persona::ALL`].
    pub const fn place(self) -> usize {
        match self {
            Persona::Watcher => 0,
            Persona::Builder => 1,
            Persona::Bettor => 2,
        }
    }
}

/// The weights of the personas: `watcher=80,builder=15,bettor=5`. A persona without a weight does not occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights([u32; 3]);

impl Default for Weights {
    fn default() -> Weights {
        Weights([80, 15, 5])
    }
}

impl Weights {
    /// Draws a persona by weight.
    pub fn draw(self, random: &mut Random) -> Persona {
        Persona::ALL[random.weighted(&self.0)]
    }

    /// The personas with their weights.
    pub fn list(self) -> impl Iterator<Item = (Persona, u32)> {
        Persona::ALL.into_iter().zip(self.0)
    }
}

impl FromStr for Weights {
    type Err = String;

    fn from_str(text: &str) -> Result<Weights, String> {
        let mut weights = [0; 3];
        for (persona, weight) in named(text)? {
            weights[persona.place()] = weight
                .parse::<u32>()
                .map_err(|_| format!("{weight:?} is no weight: write a whole number, such as watcher=80,bettor=20"))?;
        }
        if weights.iter().all(|weight| *weight == 0) {
            return Err("at least one persona needs a weight above 0".to_owned());
        }
        Ok(Weights(weights))
    }
}

/// Average think time of each persona between two actions: `watcher=20s,bettor=5s`, or `2s` for all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThinkTimes([Duration; 3]);

impl Default for ThinkTimes {
    fn default() -> ThinkTimes {
        ThinkTimes([Duration::from_secs(20), Duration::from_secs(6), Duration::from_secs(10)])
    }
}

impl ThinkTimes {
    /// The think time of a persona.
    pub fn of(self, persona: Persona) -> Duration {
        self.0[persona.place()]
    }
}

impl FromStr for ThinkTimes {
    type Err = String;

    fn from_str(text: &str) -> Result<ThinkTimes, String> {
        let sound = |text: &str| match length::length(text) {
            Ok(time) if time >= Duration::from_millis(20) => Ok(time),
            Ok(_) => Err("a think time is at least 20ms: the hub takes 50 commands a second from one".to_owned()),
            Err(wrong) => Err(wrong),
        };
        if !text.contains('=') {
            return sound(text).map(|time| ThinkTimes([time; 3]));
        }
        let mut times = ThinkTimes::default();
        for (persona, time) in named(text)? {
            times.0[persona.place()] = sound(time)?;
        }
        Ok(times)
    }
}

fn named(text: &str) -> Result<Vec<(Persona, &str)>, String> {
    let pair = |pair: &'_ str| -> Option<(Persona, usize)> {
        let (name, _) = pair.split_once('=')?;
        let persona = Persona::ALL.into_iter().find(|persona| persona.name() == name.trim())?;
        Some((persona, name.len() + 1))
    };
    let read = |part| pair(part).map(|(persona, from)| (persona, part[from..].trim()));
    let wrong = |part| format!("{part:?} names no persona: write watcher=…, builder=… or bettor=…, with commas");
    text.split(',').map(|part| read(part).ok_or_else(|| wrong(part))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_parsed_or_rejected() {
        assert_eq!("watcher=80,builder=15,bettor=5".parse(), Ok(Weights::default()));
        assert_eq!("bettor=1".parse(), Ok(Weights([0, 0, 1])));
        for text in ["", "watcher", "watcher=0", "watcher=-1", "gambler=5", "watcher=1,,bettor=1"] {
            assert!(text.parse::<Weights>().is_err(), "{text:?}");
        }
        let mut random = Random::new(1, 1);
        assert!((0..100).all(|_| Weights([0, 3, 0]).draw(&mut random) == Persona::Builder));
    }

    #[test]
    fn think_times_are_for_one_or_for_all() {
        let two = Duration::from_secs(2);
        assert_eq!("2s".parse(), Ok(ThinkTimes([two; 3])));
        let mixed: ThinkTimes = "builder=2s".parse().expect("think times");
        assert_eq!((mixed.of(Persona::Builder), mixed.of(Persona::Watcher)), (two, Duration::from_secs(20)));
        for text in ["", "0s", "10ms", "builder=", "builder=10ms"] {
            assert!(text.parse::<ThinkTimes>().is_err(), "{text:?}");
        }
    }
}
