//! A client of the live hub, written only from docs/protocol.md: it keeps the offer by applying frames, as a browser
//! does. It holds plain JSON with the names of `GET live/offer`, so that both can be compared. Used by the sampled
//! sessions of a load test and by the tests of the hub.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The offer as built from frames: rows of matches, and the details that were sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replica {
    /// The last state of the feed: 0, 1 or 2.
    pub feed: u64,
    /// Sports by id.
    pub sports: BTreeMap<u64, Value>,
    /// Rows by match: the object of `GET live/offer?view=rows`, with `clock` instead of `time`.
    pub rows: BTreeMap<u64, Row>,
    /// Details by match.
    pub details: BTreeMap<u64, Detail>,
    /// Matches that must be requested again.
    pub gaps: Vec<u64>,
    /// Whether everything must be requested again.
    pub is_lost: bool,
    /// The goals in the order received.
    pub goals: Vec<(u64, u64)>,
}

/// The row of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its revision.
    pub revision: u64,
    /// Its fields by their contract names, without markets and time.
    pub fields: Map<String, Value>,
    /// The instant at which the clock was zero, `[seconds]` of a stopped clock, a text, or null.
    pub clock: Value,
    /// Markets as the contract's arrays.
    pub markets: Vec<Value>,
}

/// The detail of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// Its revision.
    pub revision: u64,
    /// The ids of all markets in order.
    pub layout: Vec<Value>,
    /// The markets that are not in the row, as the contract's arrays.
    pub markets: Vec<Value>,
    /// The ball.
    pub ball: Value,
    /// The history.
    pub history: Value,
}

const NAMES: [&str; 26] = [
    "id",
    "status",
    "home",
    "away",
    "betting",
    "change",
    "markets",
    "order",
    "score",
    "scores",
    "sportId",
    "sportName",
    "time",
    "tournament",
    "tournamentDescription",
    "result",
    "performEventId",
    "performEventType",
    "redCards",
    "yellowCards",
    "corners",
    "clockStopped",
    "suspended",
    "playerServing",
    "tiebreak",
    "game",
];

impl Replica {
    /// Applies the messages of a frame.
    pub fn apply_frame(&mut self, frame: &Value) {
        for message in frame.as_array().into_iter().flatten() {
            self.apply(message);
        }
    }

    /// Applies one message.
    pub fn apply(&mut self, message: &Value) {
        let part = |index: usize| &message[index];
        let id = part(1).as_u64().unwrap_or_default();
        match part(0).as_u64() {
            Some(0) => self.feed = part(3).as_u64().unwrap_or_default(),
            Some(2) => {
                self.feed = id;
                if id == 0 {
                    *self = Replica { goals: std::mem::take(&mut self.goals), ..Replica::default() };
                }
            }
            Some(3) => self.put_row(part(1), part(2).as_i64().unwrap_or_default()),
            Some(4) => self.change_row(id, message),
            Some(5) => self.change_detail(id, message),
            Some(6) => {
                self.rows.remove(&id);
                self.details.remove(&id);
            }
            Some(7) => self.put_sport(part(1)),
            Some(8) => {
                self.sports.remove(&id);
                self.rows.retain(|_, row| row.fields["sportId"] != json!(id));
            }
            Some(9) => self.goals.push((id, part(2).as_u64().unwrap_or_default())),
            Some(10) => self.put_detail(id, message),
            Some(11) => {
                let of_sport = self.rows.iter().filter(|(_, row)| row.fields["sportId"] == json!(id));
                let sums = of_sport.fold((0_u64, 0_u32), |(count, sum), (id, row)| {
                    let hashed = (*id as u32).wrapping_mul(2_654_435_761).wrapping_add(row.revision as u32);
                    (count + 1, sum.wrapping_add(hashed))
                });
                self.is_lost |= (part(2), part(3)) != (&json!(sums.0), &json!(sums.1));
            }
            Some(12) => {
                let row = self.rows.get(&id).map(|row| row.revision);
                let detail = self.details.get(&id).map(|detail| detail.revision);
                if row != part(2).as_u64() || detail != part(3).as_u64() {
                    self.gaps.push(id);
                }
            }
            Some(14) => self.is_lost = true,
            _ => {}
        }
    }

    /// Loads sports and rows from a body of `GET live/offer` in either view. A newer row that is already held stays, and so
    /// do details.
    pub fn load_offer(&mut self, body: &Value) {
        self.sports.clear();
        let mut rows = BTreeMap::new();
        let date_ms = body["date"].as_i64().unwrap_or_default();
        for sport in body["sports"].as_array().into_iter().flatten() {
            let header = fields_of(sport, |name, _| name != "matches");
            self.sports.insert(sport["id"].as_u64().unwrap_or_default(), header.into());
            for live_match in sport["matches"].as_array().into_iter().flatten() {
                let (id, row) = row_of_object(live_match, date_ms);
                // Frames that arrived meanwhile may be newer than the body.
                match self.rows.remove(&id) {
                    Some(held) if held.revision > row.revision => rows.insert(id, held),
                    _ => rows.insert(id, row),
                };
            }
        }
        self.rows = rows;
        self.is_lost = false;
        self.gaps.clear();
    }

    fn put_row(&mut self, array: &Value, date_ms: i64) {
        let mut fields = Map::new();
        for (name, value) in NAMES.iter().zip(array.as_array().into_iter().flatten()) {
            if !value.is_null() && !matches!(*name, "markets" | "time") {
                fields.insert((*name).to_owned(), value.clone());
            }
        }
        fields.insert("numberOfOdds".to_owned(), array[27].clone());
        let revision = array[28].as_u64().unwrap_or_default();
        let id = array[0].as_u64().unwrap_or_default();
        if self.rows.get(&id).is_some_and(|row| row.revision > revision) {
            return;
        }
        let clock = clock_of(&array[12], fields.get("clockStopped"), date_ms);
        let markets = array[6].as_array().cloned().unwrap_or_default();
        self.rows.insert(id, Row { revision, fields, clock, markets });
    }

    fn put_sport(&mut self, array: &Value) {
        let id = array[0].as_u64().unwrap_or_default();
        let column = |column: &Value| {
            let markets = column[4].as_array().into_iter().flatten();
            let entry = |entry: &Value| json!({"marketId": entry[0], "status": entry[1], "format": entry[2]});
            json!({
                "order": column[0], "name": column[1], "fields": column[2], "hidden": column[3],
                "markets": markets.map(entry).collect::<Vec<_>>(),
            })
        };
        let columns: Vec<Value> = array[4].as_array().into_iter().flatten().map(column).collect();
        let sport = json!({
            "id": id, "name": array[1], "order": array[2], "preferred": columns, "selectedPreferred": array[5],
        });
        self.sports.insert(id, sport);
        if let Some(ids) = array[3].as_array() {
            self.rows.retain(|key, row| row.fields["sportId"] != json!(id) || ids.contains(&json!(key)));
        }
    }

    fn put_detail(&mut self, id: u64, message: &Value) {
        let revision = message[2].as_u64().unwrap_or_default();
        if self.details.get(&id).is_some_and(|detail| detail.revision > revision) {
            return;
        }
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let (layout, markets) = (list(&message[3]), list(&message[4]));
        let (ball, history) = (message[5].clone(), message[6].clone());
        let detail = Detail { revision, layout, markets, ball, history };
        self.details.insert(id, detail);
    }

    fn change_row(&mut self, id: u64, message: &Value) {
        let Some(row) = self.rows.get_mut(&id) else { return self.gaps.push(id) };
        match follows(message, row.revision) {
            Follows::Old => return,
            Follows::Gap => return self.gaps.push(id),
            Follows::Next => row.revision += 1,
        }
        unmark(&mut row.markets);
        for (key, value) in pairs(message) {
            match field_name(key) {
                Some("clock") => row.clock = value.clone(),
                Some(name) if value.is_null() => {
                    row.fields.remove(name);
                }
                Some(name) => {
                    row.fields.insert(name.to_owned(), value.clone());
                }
                None => change_markets(&mut row.markets, key, value),
            }
        }
    }

    fn change_detail(&mut self, id: u64, message: &Value) {
        let Some(detail) = self.details.get_mut(&id) else { return self.gaps.push(id) };
        match follows(message, detail.revision) {
            Follows::Old => return,
            Follows::Gap => return self.gaps.push(id),
            Follows::Next => detail.revision += 1,
        }
        unmark(&mut detail.markets);
        for (key, value) in pairs(message) {
            match key {
                -23 => detail.layout = value.as_array().cloned().unwrap_or_default(),
                -24 => detail.ball = value.clone(),
                -25 => detail.history = value.clone(),
                _ => change_markets(&mut detail.markets, key, value),
            }
        }
    }
}

enum Follows {
    Old,
    Next,
    Gap,
}

fn follows(message: &Value, held: u64) -> Follows {
    match message[2].as_u64().unwrap_or_default().cmp(&held) {
        std::cmp::Ordering::Less => Follows::Old,
        std::cmp::Ordering::Equal => Follows::Next,
        std::cmp::Ordering::Greater => Follows::Gap,
    }
}

fn pairs(message: &Value) -> impl Iterator<Item = (i64, &Value)> {
    let changes = message.as_array().map_or(&[][..], |parts| parts.get(3..).unwrap_or_default());
    changes.chunks_exact(2).map(|pair| (pair[0].as_i64().unwrap_or_default(), &pair[1]))
}

fn field_name(key: i64) -> Option<&'static str> {
    let names = [
        "status",
        "score",
        "scores",
        "clock",
        "betting",
        "suspended",
        "redCards",
        "yellowCards",
        "corners",
        "playerServing",
        "tiebreak",
        "game",
        "numberOfOdds",
        "order",
        "clockStopped",
        "performEventId",
    ];
    usize::try_from(-key - 1).ok().and_then(|place| names.get(place).copied())
}

/// Resets all movement marks to 0.
fn unmark(markets: &mut [Value]) {
    for odd in odds_mut(markets) {
        odd[5] = json!(0);
    }
}

fn odds_mut(markets: &mut [Value]) -> impl Iterator<Item = &mut Value> {
    markets.iter_mut().filter_map(|market| market.get_mut(8)?.as_array_mut()).flatten()
}

fn change_markets(markets: &mut Vec<Value>, key: i64, value: &Value) {
    match key {
        -20 => {
            let id_of = |market: &Value| market[0].as_u64().unwrap_or_default();
            let order: Vec<u64> = match value[0].as_array() {
                Some(order) => order.iter().filter_map(Value::as_u64).collect(),
                None => markets.iter().map(id_of).collect(),
            };
            let mut by_id: BTreeMap<u64, Value> = markets.drain(..).map(|market| (id_of(&market), market)).collect();
            for market in value[1].as_array().into_iter().flatten() {
                by_id.insert(market[0].as_u64().unwrap_or_default(), market.clone());
            }
            markets.extend(order.iter().filter_map(|id| by_id.remove(id)));
        }
        -21 => {
            for mark in value.as_array().map_or(&[][..], Vec::as_slice).chunks_exact(2) {
                set_odd(markets, &mark[0], |odd| odd[5] = mark[1].clone());
            }
        }
        -22 => {
            for texts in value.as_array().map_or(&[][..], Vec::as_slice).chunks_exact(2) {
                set_odd(markets, &texts[0], |odd| odd[3] = texts[1].clone());
            }
        }
        place => set_odd(markets, &json!(place), |odd| {
            let before = thousandths(&odd[2]);
            let after = value.as_u64().unwrap_or_default();
            odd[5] = json!(match after.cmp(&before) {
                std::cmp::Ordering::Less => -1,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 1,
            });
            odd[2] = price(after);
        }),
    }
}

fn set_odd(markets: &mut [Value], place: &Value, change: impl FnOnce(&mut Value)) {
    let place = place.as_u64().and_then(|place| usize::try_from(place).ok());
    if let Some(odd) = place.and_then(|place| odds_mut(markets).nth(place)) {
        change(odd);
    }
}

fn thousandths(price: &Value) -> u64 {
    (price.as_f64().unwrap_or_default() * 1000.0).round() as u64
}

fn price(thousandths: u64) -> Value {
    if thousandths.is_multiple_of(1000) { json!(thousandths / 1000) } else { json!(thousandths as f64 / 1000.0) }
}

/// The clock as the hub sends it, from a reading as of a date.
fn clock_of(time: &Value, stopped: Option<&Value>, date_ms: i64) -> Value {
    match time.as_i64() {
        Some(seconds) if stopped == Some(&json!(true)) => json!([seconds]),
        // A reading of whole seconds gives the instant of zero to within a second.
        Some(seconds) => json!(date_ms - seconds * 1000),
        None => time.clone(),
    }
}

/// The row of a match from the object of an HTTP call.
pub fn row_of_object(live_match: &Value, date_ms: i64) -> (u64, Row) {
    let is_other = |name: &str| matches!(name, "markets" | "time" | "revision" | "detailRevision" | "ball" | "history");
    let fields = fields_of(live_match, |name, value| !value.is_null() && !is_other(name));
    let revision = live_match["revision"].as_u64().unwrap_or_default();
    let clock = clock_of(&live_match["time"], fields.get("clockStopped"), date_ms);
    let markets = live_match["markets"].as_array().into_iter().flatten().map(market_array).collect();
    (live_match["id"].as_u64().unwrap_or_default(), Row { revision, fields, clock, markets })
}

/// Copies only the selected fields of an object, which may be very large.
fn fields_of(object: &Value, is_wanted: impl Fn(&str, &Value) -> bool) -> Map<String, Value> {
    let fields = object.as_object().into_iter().flatten().filter(|(name, value)| is_wanted(name, value));
    fields.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// A market's object as the contract's array.
pub fn market_array(market: &Value) -> Value {
    let odd = |odd: &Value| {
        json!([odd["id"], odd["type"], odd["value"], odd["values"], odd["alias"], odd["changed"], odd["description"]])
    };
    let odds: Vec<Value> = market["odds"].as_array().into_iter().flatten().map(odd).collect();
    let mut array = json!([
        market["id"],
        market["name"],
        market["short"],
        market["special"],
        market["sbv"],
        market["type"],
        market["subtype"],
        market["order"],
        odds,
        market["balanced"],
        market["description"],
        market["tags"]
    ]);
    if let (Value::Array(array), Some(status)) = (&mut array, market.get("status")) {
        array.push(status.clone());
    }
    array
}
