//! What is asked of the provider's REST interface: paths, and how long an answer may be kept. Must not make calls.

use crate::message::ProducerId;
use crate::urn::Urn;
use kvota_domain::Text;
use kvota_domain::lang::Lang;
use std::fmt::Write;

/// A day in ms.
const DAY_MS: i64 = 24 * 3_600_000;

/// What single events are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Its present odds.
    Odds,
    /// Its settlements and cancellations.
    Results,
}

/// A question.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Question {
    /// The producers, with their paths and windows.
    Producers,
    /// A recovery of a producer; the answer comes through the broker.
    Recovery {
        /// The producer.
        product: ProducerId,
        /// From when on, in ms since the epoch; `None` for all present odds.
        after_ms: Option<i64>,
        /// The number of the request.
        request_id: i64,
    },
    /// A part of an event; the answer comes through the broker.
    OfEvent {
        /// The producer.
        product: ProducerId,
        /// The event.
        event: Urn,
        /// The part.
        part: Part,
        /// The number of the request.
        request_id: i64,
    },
    /// The descriptions of all markets.
    Markets(Lang),
    /// The descriptions of all fixed variants.
    Variants(Lang),
    /// The description of one variant.
    Variant(Lang, i64, Text),
    /// The fixture of an event.
    Fixture(Lang, Urn),
    /// The name of a player.
    Player(Lang, Urn),
    /// The name of a competitor.
    Competitor(Lang, Urn),
}

impl Question {
    /// The language of the answer.
    pub fn lang(&self) -> Option<Lang> {
        match self {
            Question::Markets(lang)
            | Question::Variants(lang)
            | Question::Variant(lang, ..)
            | Question::Fixture(lang, _)
            | Question::Player(lang, _)
            | Question::Competitor(lang, _) => Some(*lang),
            Question::Producers | Question::Recovery { .. } | Question::OfEvent { .. } => None,
        }
    }

    /// Whether it is a request by POST, which changes something at the provider.
    pub fn is_order(&self) -> bool {
        matches!(self, Question::Recovery { .. } | Question::OfEvent { .. })
    }

    /// How long an answer may be kept, in ms; `None` if it must not be kept.
    pub fn kept_ms(&self) -> Option<i64> {
        match self {
            Question::Recovery { .. } | Question::OfEvent { .. } => None,
            Question::Producers | Question::Markets(_) | Question::Variants(_) => Some(DAY_MS),
            Question::Variant(..) | Question::Fixture(..) => Some(7 * DAY_MS),
            Question::Player(..) | Question::Competitor(..) => Some(30 * DAY_MS),
        }
    }

    /// The path below the address of the interface. `language` is the provider's name of the language, `producer` the
    /// path of the producer, and `node_id` ours.
    pub fn path(&self, language: &str, producer: &str, node_id: u32) -> String {
        match self {
            Question::Producers => "descriptions/producers.xml".to_owned(),
            Question::Recovery { after_ms, request_id, .. } => {
                let mut path =
                    format!("{producer}/recovery/initiate_request?request_id={request_id}&node_id={node_id}");
                if let Some(after_ms) = after_ms {
                    // Writing into a text cannot fail.
                    let _ = write!(path, "&after={after_ms}");
                }
                path
            }
            Question::OfEvent { event, part, request_id, .. } => {
                let asked = match part {
                    Part::Odds => "odds",
                    Part::Results => "stateful_messages",
                };
                let query = format!("request_id={request_id}&node_id={node_id}");
                format!("{producer}/{asked}/events/{event}/initiate_request?{query}")
            }
            Question::Markets(_) => format!("descriptions/{language}/markets.xml?include_mappings=true"),
            Question::Variants(_) => format!("descriptions/{language}/variants.xml"),
            Question::Variant(_, market, variant) => {
                format!("descriptions/{language}/markets/{market}/variants/{}", escaped(variant))
            }
            Question::Fixture(_, event) => format!("sports/{language}/sport_events/{event}/fixture.xml"),
            Question::Player(_, urn) => format!("sports/{language}/players/{urn}/profile.xml"),
            Question::Competitor(_, urn) => format!("sports/{language}/competitors/{urn}/profile.xml"),
        }
    }
}

/// A part of a path: what is not a letter, a digit or one of `-._~:` is written in hexadecimal.
fn escaped(text: &str) -> String {
    let mut path = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte) {
            path.push(char::from(byte));
        } else {
            // Writing into a text cannot fail.
            let _ = write!(path, "%{byte:02X}");
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_have_the_paths_of_the_interface() {
        let event = Urn::parse("sr:match:7").unwrap();
        for (question, path) in [
            (Question::Producers, "descriptions/producers.xml"),
            (
                Question::Recovery { product: 1, after_ms: Some(5), request_id: 3 },
                "liveodds/recovery/initiate_request?request_id=3&node_id=2&after=5",
            ),
            (
                Question::Recovery { product: 1, after_ms: None, request_id: 3 },
                "liveodds/recovery/initiate_request?request_id=3&node_id=2",
            ),
            (
                Question::OfEvent { product: 1, event: event.clone(), part: Part::Odds, request_id: 4 },
                "liveodds/odds/events/sr:match:7/initiate_request?request_id=4&node_id=2",
            ),
            (
                Question::OfEvent { product: 1, event: event.clone(), part: Part::Results, request_id: 4 },
                "liveodds/stateful_messages/events/sr:match:7/initiate_request?request_id=4&node_id=2",
            ),
            (Question::Markets(Lang::Hr), "descriptions/x/markets.xml?include_mappings=true"),
            (Question::Variants(Lang::Hr), "descriptions/x/variants.xml"),
            (
                Question::Variant(Lang::Hr, 41, "sr:exact_goals:6+/é".into()),
                "descriptions/x/markets/41/variants/sr:exact_goals:6%2B%2F%C3%A9",
            ),
            (Question::Fixture(Lang::Hr, event.clone()), "sports/x/sport_events/sr:match:7/fixture.xml"),
            (Question::Player(Lang::Hr, event.clone()), "sports/x/players/sr:match:7/profile.xml"),
            (Question::Competitor(Lang::Hr, event), "sports/x/competitors/sr:match:7/profile.xml"),
        ] {
            assert_eq!(question.path("x", "liveodds", 2), path);
            assert_eq!(question.is_order(), question.kept_ms().is_none());
            assert_eq!(question.lang().is_some(), path.contains("/x/"));
        }
    }
}
