//! What readers have, and what they ought to have, in the same few words: of each match its score and its prices.

use kvota::domain::feed::{Change, MatchUpdate};
use kvota::domain::money::Money;
use kvota::domain::ticket::{Leg, Rules, TicketKind, totals};
use kvota::testkit::builders::{MatchBuilder, live_match, price, result};
use kvota::testkit::virtual_world::House;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Matches by their number: score and prices.
pub(crate) type Seen = BTreeMap<u64, String>;

/// What `GET live/offer` shows.
pub(crate) async fn offer_of(house: &House) -> Seen {
    let offer = house.get("live/offer").await.json();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let matches = list(&offer["sports"]).into_iter().flat_map(|sport| list(&sport["matches"]));
    let of_match = |told: Value| {
        let odds = list(&told["markets"]).into_iter().flat_map(|market| list(&market["odds"]));
        let prices: Vec<f64> = odds.map(|odd| odd["value"].as_f64().unwrap_or_default()).collect();
        (told["id"].as_u64().unwrap_or_default(), format!("{} {prices:?}", told["score"]))
    };
    matches.map(of_match).collect()
}

/// What a producer last said, kept by the rules of CONTRACT 1 and by nothing else.
#[derive(Default)]
pub(crate) struct Truth(pub(crate) Seen);

impl Truth {
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

/// A match at a price of its home win, with a score.
pub(crate) fn match_at(id: u64, home: &str, goals: i64) -> MatchBuilder {
    live_match(id).score(goals, 0).market(result(id * 10, [home, "3", "4"]))
}

/// A bet of 1.00 on the home win of such a match.
pub(crate) fn bet_on(id: u64, home: &str) -> Value {
    let bruto = Money::from_cents(100);
    let leg = Leg { price: price(home), is_fix: false };
    let numbers = totals(TicketKind::Standard, None, &[leg], bruto, &Rules::default());
    json!({
        "stake": numbers.taxed_stake.to_string(), "bruto": bruto.to_string(),
        "potentialWin": numbers.possible_win.to_string(), "winTax": numbers.win_tax.to_string(),
        "payout": numbers.possible_payout.to_string(), "systemType": 0, "consentForChangedOdss": false,
        "pairs": [{
            "matchId": id, "marketId": id * 1_000, "marketType": 1, "marketSubType": null, "sbv": null,
            "oddType": "1", "oddValue": home, "isFix": false,
        }],
    })
}

/// The n-th of some keys.
pub(crate) fn key(number: u64) -> String {
    format!("0193f5c2-7d1e-7000-8000-{number:012x}")
}
