//! The matches and odds of the current offer, fetched every few seconds by the engine for all sessions, so that a
//! choice costs a session no call. To the server this is one more reader.

use super::http::{Line, Request};
use super::random::Random;
use serde::Deserialize;
use std::time::Duration;

const PATH: &str = "/api/v1/live/offer?view=rows";

/// The matches of the current offer with the odds of their rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Catalogue {
    matches: Vec<Entry>,
    sports: Vec<u64>,
}

/// A match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its id.
    pub id: u64,
    /// Its sport.
    pub sport: u64,
    /// Market and odd of everything offered in its row; empty while it cannot be bet on.
    pub odds: Vec<(u64, u64)>,
}

#[derive(Deserialize)]
struct Offer {
    sports: Vec<Sport>,
}

#[derive(Deserialize)]
struct Sport {
    id: u64,
    #[serde(default)]
    matches: Vec<Match>,
}

#[derive(Deserialize)]
struct Match {
    id: u64,
    #[serde(default)]
    betting: Option<bool>,
    #[serde(default)]
    suspended: Option<bool>,
    #[serde(default)]
    markets: Vec<Market>,
}

#[derive(Deserialize)]
struct Market {
    id: u64,
    #[serde(default)]
    odds: Vec<Odd>,
}

#[derive(Deserialize)]
struct Odd {
    id: u64,
    #[serde(default)]
    value: f64,
}

impl Catalogue {
    /// Fetches the catalogue; `None` if there is no offer.
    pub async fn get(line: &mut Line, limit: Duration) -> Option<Catalogue> {
        let request =
            Request { keeps_body: true, headers: "Accept: application/json\r\n", ..Request::get(PATH, limit) };
        let answer = line.call(&request).await.ok().filter(|answer| answer.status == 200)?;
        Catalogue::read(&answer.body)
    }

    fn read(body: &[u8]) -> Option<Catalogue> {
        let offer: Offer = serde_json::from_slice(body).ok()?;
        let sports = offer.sports.iter().map(|sport| sport.id).collect();
        let entry = |sport: u64, of: Match| {
            let is_open = of.betting == Some(true) && of.suspended != Some(true);
            let odds = of.markets.iter().flat_map(|market| market.odds.iter().map(|odd| (market.id, odd)));
            let odds = odds.filter(|(_, odd)| is_open && odd.value > 1.0).map(|(market, odd)| (market, odd.id));
            Entry { id: of.id, sport, odds: odds.collect() }
        };
        let of_sport = |sport: Sport| sport.matches.into_iter().map(move |of| entry(sport.id, of));
        Some(Catalogue { matches: offer.sports.into_iter().flat_map(of_sport).collect(), sports })
    }

    /// Selects a match by a number of the plan, from one sport or from all.
    pub fn match_by(&self, choice: u64, sport: Option<u64>) -> Option<u64> {
        let of_sport: Vec<u64> =
            self.matches.iter().filter(|of| sport.is_none_or(|sport| of.sport == sport)).map(|of| of.id).collect();
        by_choice(&of_sport, choice)
    }

    /// The ids of the first matches, at most this many.
    pub fn first_matches(&self, most: usize) -> Vec<u64> {
        self.matches.iter().take(most).map(|of| of.id).collect()
    }

    /// Selects a sport by a number of the plan.
    pub fn sport_by(&self, choice: u64) -> Option<u64> {
        by_choice(&self.sports, choice)
    }

    /// A random odd that can be bet on: match, market, odd.
    pub fn any_odd(&self, random: &mut Random) -> Option<(u64, u64, u64)> {
        // Some matches are always suspended; continue with the next one.
        let from = random.below(self.matches.len());
        let open =
            self.matches.iter().cycle().skip(from).take(self.matches.len()).find(|entry| !entry.odds.is_empty())?;
        random.one_of(&open.odds).map(|(market, odd)| (open.id, *market, *odd))
    }

    /// The number of matches.
    pub fn len(&self) -> usize {
        self.matches.len()
    }

    /// Whether there are no matches.
    pub fn is_empty(&self) -> bool {
        self.matches.is_empty()
    }
}

fn by_choice(of: &[u64], choice: u64) -> Option<u64> {
    let index = choice.checked_rem(of.len() as u64)?;
    usize::try_from(index).ok().and_then(|index| of.get(index)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_bet_on_is_found() {
        let body = br#"{"sports": [{"id": 1, "matches": [
            {"id": 7, "betting": true, "suspended": true, "markets": [{"id": 70, "odds": [{"id": 700, "value": 2}]}]},
            {"id": 8, "betting": true, "markets": [{"id": 80, "odds": [{"id": 800, "value": 0}, {"id": 801, "value": 1.5}]}]}
        ]}], "numberOfMatches": 2}"#;
        let catalogue = Catalogue::read(body).expect("an offer");
        let mut random = Random::new(1, 1);
        for _ in 0..20 {
            assert_eq!(catalogue.any_odd(&mut random), Some((8, 80, 801)));
        }
        assert_eq!([6, 7].map(|choice| catalogue.match_by(choice, Some(1))), [Some(7), Some(8)]);
        assert_eq!((catalogue.match_by(1, None), catalogue.match_by(1, Some(2))), (Some(8), None));
        assert_eq!((catalogue.sport_by(5), Catalogue::default().sport_by(5)), (Some(1), None));
        assert_eq!(Catalogue::default().any_odd(&mut random), None);
        assert_eq!(Catalogue::read(b"{}"), None);
    }
}
