//! The offer in short form (score and prices of each match), as clients see it and as the feed sent it.

use kvota::testkit::builders::{MatchBuilder, live_match, result};
use kvota::testkit::slip::slip_body;
use kvota::testkit::virtual_world::Node;
use kvota_domain::feed::{Change, MatchUpdate};
use serde_json::Value;
use std::collections::BTreeMap;

/// The score and the prices of each match, by match id.
pub(crate) type Seen = BTreeMap<u64, String>;

/// The offer that `GET live/offer` returns.
pub(crate) async fn offer_of(node: &Node) -> Seen {
    let offer = node.get("live/offer").await.json();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let matches = list(&offer["sports"]).into_iter().flat_map(|sport| list(&sport["matches"]));
    let of_match = |live_match: Value| {
        let odds = list(&live_match["markets"]).into_iter().flat_map(|market| list(&market["odds"]));
        let prices: Vec<f64> = odds.map(|odd| odd["value"].as_f64().unwrap_or_default()).collect();
        (live_match["id"].as_u64().unwrap_or_default(), format!("{} {prices:?}", live_match["score"]))
    };
    matches.map(of_match).collect()
}

/// The expected offer: the messages of the producer, applied by the rules of CONTRACT 1.
#[derive(Default)]
pub(crate) struct ExpectedOffer(pub(crate) Seen);

impl ExpectedOffer {
    pub(crate) fn note(&mut self, update: &MatchUpdate) {
        let id = update.id().get();
        if update.change == Change::Delete {
            self.0.remove(&id);
            return;
        }
        let odds = update.live_match.markets.iter().flat_map(|market| &market.odds);
        let prices: Vec<f64> = odds.map(|odd| f64::from(odd.value.thousandths()) / 1000.0).collect();
        let [home, away] = update.live_match.score.unwrap_or_default();
        self.0.insert(id, format!("[{home},{away}] {prices:?}"));
    }
}

/// A match with this price of the home win and this number of home goals.
pub(crate) fn match_at(id: u64, home: &str, goals: i64) -> MatchBuilder {
    live_match(id).score(goals, 0).market(result(id * 10, [home, "3", "4"]))
}

/// A bet of 1.00 on the home win of such a match.
pub(crate) fn bet_on(id: u64, home: &str) -> Value {
    slip_body(0, "1.00", &[(id, home)])
}
