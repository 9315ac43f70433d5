//! The exact bodies of `live/offer` and `live/match/{id}`, in both encodings and views: an object with the contract's
//! field names, and arrays (CONTRACT 0 and 1). Also hub messages that the golden vectors do not cover.

use kvota::actors::session::ticket_info;
use kvota::testkit::builders::{MatchBuilder, live_match, market, match_id, price, result, soccer, sport_id, total};
use kvota_domain::aggregate::MatchState;
use kvota_domain::delta::{Field, MarketsChange, PartChange, PartDelta};
use kvota_domain::facts::{Fact, Topic};
use kvota_domain::ids::{MarketId, OddId};
use kvota_domain::incidents::{History, Incident, IncidentKind};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::matches::{Ball, Side};
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::session_state::{SessionCommand, SessionState};
use kvota_domain::sport::{Sport, SportInfo};
use kvota_domain::ticket::{Percent, Rules, SystemCombination, TaxKind, TaxRule, TicketCommand};
use kvota_read_model::ReadModel;
use kvota_wire::Encoding;
use kvota_wire::hub::message::{Message, Part, check_sum};
use kvota_wire::matches::View;
use kvota_wire::offer::{MatchPiece, match_body, offer_body};
use serde_json::{Value, json};
use std::sync::Arc;

const DATE: i64 = 1_700_000_000_000;

/// A match with a value in every field.
fn full() -> MatchBuilder {
    let incident = Incident {
        kind: IncidentKind::Goal,
        side: Side::Away,
        seconds: Some(61),
        status: Some("first_half".into()),
        score: Some([0, 1]),
        player: Some("D. Petković".into()),
    };
    let mut history = History { incidents: vec![incident], pressure: vec![-3], ..History::default() };
    history.facts = vec![Fact { topic: Topic::Attack, numbers: vec![2] }];
    history.counts[3] = [0, 1];
    let detail = market(13, 29).odd("Da", "1.7").odd("Ne", "0").with(|m| {
        (m.short, m.special, m.sbv) = (Some("OZ".into()), Some("posebno".into()), Some("0:1".into()));
        (m.subtype, m.order, m.balanced, m.is_suspended) = (Some(4), Some(-2), Some(false), true);
        (m.description, m.tags) = (Some("Obje zabijaju".into()), ["1.Golovi".into()].into());
        let odd = &mut m.odds[0];
        (odd.values, odd.alias) = (Some(["1.70".into(), "7/10".into()].into()), Some("DA".into()));
        (odd.changed, odd.description) = (Some(-1), Some("obje".into()));
    });
    live_match(17).time(600).score(0, 1).order(3).market(result(10, ["2", "3.25", "4"])).market(detail).with(|m| {
        m.scores = vec![[0, 1]];
        m.sport_name = Some("Nogomet".into());
        (m.tournament_description, m.result) = (Some("Hrvatska".into()), Some("0:1".into()));
        (m.perform_event_id, m.perform_event_type) = (Some(9), Some("demo".into()));
        (m.red_cards, m.yellow_cards, m.corners) = (Some([1, 0]), Some([2, 1]), Some([3, 4]));
        (m.clock_stopped, m.suspended, m.tiebreak) = (Some(false), Some(true), Some(false));
        (m.player_serving, m.game) = (Some(2), Some(["40".into(), "AD".into()]));
        m.ball = Some(Ball { x: 55, y: 40, side: 1, action: 2 });
        m.history = Some(Arc::new(history));
    })
}

fn state(live_match: MatchBuilder) -> MatchState {
    let columns = soccer().preferred.unwrap_or_default();
    let mut state = MatchState::inserted(&live_match.insert(), DATE, &columns, PerLang::default(), 300);
    state.detail_revision = 301;
    state
}

fn sport() -> Sport {
    let mut info = SportInfo::new(sport_id(1));
    info.apply_primary(&soccer());
    info.in_lang(Lang::Hr)
}

/// The body of a match, one minute after its message.
fn body(state: &MatchState, lang: Lang, encoding: Encoding, view: View) -> Value {
    let piece = MatchPiece::new(state, lang, encoding, view);
    parsed(&match_body(&piece, DATE + 60_000), encoding)
}

fn parsed(bytes: &[u8], encoding: Encoding) -> Value {
    match encoding {
        Encoding::Json => serde_json::from_slice(bytes).expect("it is JSON"),
        Encoding::Msgpack => {
            let mut reader = std::io::Cursor::new(bytes);
            let value = rmp_serde::from_read(&mut reader).expect("it is msgpack");
            assert_eq!(reader.position(), bytes.len() as u64, "nothing stands behind it");
            value
        }
    }
}

fn result_object() -> Value {
    let odd = |id: u64, kind: &str, value: Value| json!({ "id": id, "type": kind, "value": value, "changed": 0 });
    let odds = [odd(1000, "1", json!(2)), odd(1001, "X", json!(3.25)), odd(1002, "2", json!(4))];
    json!({ "id": 10, "name": "Market 1", "type": 1, "tags": [], "odds": odds })
}

fn counts() -> Vec<[u16; 2]> {
    let mut counts = vec![[0, 0]; 13];
    counts[3] = [0, 1];
    counts
}

fn object() -> Value {
    let mut object: Value = serde_json::from_str(
        r#"{
        "id": 17, "status": "first_half", "home": "Home 17", "away": "Away 17", "betting": true, "change": 0, "order": 3,
        "score": [0, 1], "scores": [[0, 1]], "sportId": 1, "sportName": "Nogomet", "tournament": "Test league",
        "tournamentDescription": "Hrvatska", "result": "0:1", "performEventId": 9, "performEventType": "demo",
        "redCards": [1, 0], "yellowCards": [2, 1], "corners": [3, 4], "clockStopped": false, "suspended": true,
        "playerServing": 2, "tiebreak": false, "game": ["40", "AD"], "time": 660,
        "ball": { "x": 55, "y": 40, "side": 1, "action": 2 },
        "numberOfOdds": 5, "revision": 300, "detailRevision": 301 }"#,
    )
    .expect("it is JSON");
    let incident = json!({ "kind": 1, "side": 2, "seconds": 61, "status": "first_half", "score": [0, 1],
        "player": "D. Petković" });
    object["history"] = json!({ "incidents": [incident], "pressure": [-3], "counts": counts(), "facts": [[1, 2]] });
    let odds = json!([
        { "id": 1300, "type": "Da", "value": 1.7, "values": ["1.70", "7/10"], "alias": "DA", "changed": -1,
            "description": "obje" },
        { "id": 1301, "type": "Ne", "value": 0, "changed": 0 },
    ]);
    let detail = json!({ "id": 13, "name": "Market 29", "short": "OZ", "special": "posebno", "sbv": "0:1", "type": 29,
        "subtype": 4, "order": -2, "balanced": false, "description": "Obje zabijaju", "tags": ["1.Golovi"], "status": -1, "odds": odds });
    object["markets"] = json!([result_object(), detail]);
    object
}

fn result_array() -> Value {
    let odd = |id: u64, kind: &str, value: Value| json!([id, kind, value, null, null, 0, null]);
    let odds = [odd(1000, "1", json!(2)), odd(1001, "X", json!(3.25)), odd(1002, "2", json!(4))];
    json!([10, "Market 1", null, null, null, 1, null, null, odds, null, null, []])
}

fn array() -> Value {
    let detail = json!([
        13,
        "Market 29",
        "OZ",
        "posebno",
        "0:1",
        29,
        4,
        -2,
        [[1300, "Da", 1.7, ["1.70", "7/10"], "DA", -1, "obje"], [1301, "Ne", 0, null, null, 0, null]],
        false,
        "Obje zabijaju",
        ["1.Golovi"],
        -1
    ]);
    json!([
        17,
        "first_half",
        "Home 17",
        "Away 17",
        true,
        0,
        [result_array(), detail],
        3,
        [0, 1],
        [[0, 1]],
        1,
        "Nogomet",
        660,
        "Test league",
        "Hrvatska",
        "0:1",
        9,
        "demo",
        [1, 0],
        [2, 1],
        [3, 4],
        false,
        true,
        2,
        false,
        ["40", "AD"],
        [55, 40, 1, 2],
        5,
        300,
        301,
        [[[1, 2, 61, "first_half", [0, 1], "D. Petković"]], [-3], counts(), [[1, 2]]],
    ])
}

#[test]
fn match_is_encoded_as_a_named_object_or_an_ordered_array() {
    let mut wanted = object();
    wanted["date"] = json!(DATE + 60_000);
    assert_eq!(body(&state(full()), Lang::Hr, Encoding::Json, View::Full), wanted);
    assert_eq!(body(&state(full()), Lang::Hr, Encoding::Msgpack, View::Full), json!([array(), DATE + 60_000]));
}

#[test]
fn rows_view_omits_the_fields_of_the_detail() {
    let mut object = object();
    object["date"] = json!(DATE + 60_000);
    object["markets"] = json!([result_object()]);
    let names = object.as_object_mut().expect("an object");
    names.retain(|name, _| !["ball", "history", "detailRevision"].contains(&name.as_str()));
    assert_eq!(body(&state(full()), Lang::Hr, Encoding::Json, View::Rows), object);

    let mut array = array();
    array[6] = json!([result_array()]);
    for place in [26, 29, 30] {
        array[place] = Value::Null;
    }
    assert_eq!(body(&state(full()), Lang::Hr, Encoding::Msgpack, View::Rows), json!([array, DATE + 60_000]));
}

#[test]
fn unknown_fields_are_omitted_and_a_text_clock_is_kept() {
    let bare = live_match(18).no_time().with(|m| m.score = None);
    let encoded = body(&state(bare.clone()), Lang::Hr, Encoding::Json, View::Full);
    let names: Vec<&str> = encoded.as_object().expect("an object").keys().map(String::as_str).collect();
    let mut wanted = vec![
        "away",
        "betting",
        "change",
        "date",
        "detailRevision",
        "home",
        "id",
        "markets",
        "numberOfOdds",
        "order",
        "revision",
        "score",
        "scores",
        "sportId",
        "sportName",
        "status",
        "time",
        "tournament",
    ];
    wanted.sort_unstable();
    let mut names = names;
    names.sort_unstable();
    assert_eq!(names, wanted);
    assert_eq!(
        (&encoded["score"], &encoded["time"], &encoded["sportName"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    let text = body(&state(bare.time_text("PV")), Lang::Hr, Encoding::Json, View::Full);
    assert_eq!(text["time"], "PV");
}

#[test]
fn body_has_the_texts_of_its_language() {
    let english = full().with(|m| {
        m.home = Some("Lions".into());
        m.market_mut(1).name = Some("Both score".into());
    });
    let state = state(full()).with_texts(Lang::En, &english.update()).expect("the words are new");
    let [object, array] = [Encoding::Json, Encoding::Msgpack].map(|it| body(&state, Lang::En, it, View::Full));
    assert_eq!((&object["home"], &object["markets"][1]["name"]), (&json!("Lions"), &json!("Both score")));
    assert_eq!((&array[0][2], &array[0][6][1][1]), (&json!("Lions"), &json!("Both score")));
    assert_eq!(body(&state, Lang::Hr, Encoding::Json, View::Full)["home"], "Home 17");
}

#[test]
fn offer_lists_its_sports_with_their_matches() {
    let states = [state(full()), state(live_match(18).no_time())];
    let preferred = json!([
        { "order": 1, "name": "Column 1", "fields": ["1", "X", "2"], "hidden": false,
            "markets": [{ "marketId": 1, "status": null, "format": null }] },
        { "order": 2, "name": "Column 2", "fields": ["Manje", "Više"], "hidden": false,
            "markets": [{ "marketId": 18, "status": null, "format": null }] },
    ]);
    let columns = json!([
        [1, "Column 1", ["1", "X", "2"], false, [[1, null, null]]],
        [2, "Column 2", ["Manje", "Više"], false, [[18, null, null]]],
    ]);
    let empty = || Sport { id: sport_id(2), name: None, order: 9, preferred: Vec::new(), selected_preferred: None };
    for encoding in Encoding::ALL {
        let pieces = states.each_ref().map(|state| MatchPiece::new(state, Lang::Hr, encoding, View::Full));
        let sports = [(sport(), pieces.iter().collect::<Vec<_>>()), (empty(), Vec::new())];
        let offer = parsed(&offer_body(&sports, 42, DATE + 60_000, encoding), encoding);
        let mut second = body(&states[1], Lang::Hr, encoding, View::Full);
        let wanted = match encoding {
            Encoding::Json => {
                second.as_object_mut().expect("an object").remove("date");
                json!({
                    "sports": [
                        { "id": 1, "name": "Nogomet", "order": 1, "preferred": preferred, "selectedPreferred": 1,
                            "matches": [object(), second] },
                        { "id": 2, "name": null, "order": 9, "preferred": [], "selectedPreferred": null, "matches": [] },
                    ],
                    "numberOfMatches": 2, "date": DATE + 60_000, "version": 42,
                })
            }
            Encoding::Msgpack => json!([
                [[1, "Nogomet", 1, [array(), second[0]], columns, 1], [2, null, 9, [], [], null]],
                2,
                DATE + 60_000,
                42,
            ]),
        };
        assert_eq!(offer, wanted, "{encoding:?}");
    }
    assert_eq!(parsed(&offer_body(&[], 1, DATE, Encoding::Json), Encoding::Json)["sports"], json!([]));
}

fn written(message: &Message, lang: Lang) -> Value {
    let [msgpack, json] = Encoding::ALL.map(|encoding| {
        let mut out = Vec::new();
        message.write(&mut out, lang, encoding);
        parsed(&out, encoding)
    });
    assert_eq!(msgpack, json, "both spellings say the same");
    json
}

#[test]
fn change_message_contains_every_difference_under_its_key() {
    let before = state(full());
    let columns = soccer().preferred.unwrap_or_default();
    let values = |text: &str| Some([text.into()].into());
    let after = full().score(1, 1).with(|m| {
        m.market_mut(0).odds[0].value = price("2.5");
        m.market_mut(0).odds[1].changed = Some(-1);
        m.market_mut(0).odds[2].changed = Some(1);
        (m.market_mut(0).odds[1].values, m.market_mut(0).odds[2].values) = (values("9/4"), values("3/1"));
        m.ball = Some(Ball { x: 1, y: 2, side: 2, action: 0 });
        m.history = None;
        let lines = [total(20, "2.5", ["1.9", "1.9"]), market(21, 30).odd("Da", "5")]
            .map(|it| live_match(1).market(it).build());
        m.markets.extend(lines.into_iter().flat_map(|it| it.markets));
    });
    let (after, delta) = before.updated(after.update(), DATE, &columns);
    let after = Arc::new(after);
    let written_change = |part, delta| match delta {
        Some(PartDelta::Change(change)) => {
            written(&Message::Change { state: Arc::clone(&after), part, follows: 7, change }, Lang::Hr)
        }
        other => panic!("expected a change, got {other:?}"),
    };
    let odd = |id: u64, kind: &str, value: f64| json!([id, kind, value, null, null, 0, null]);
    let fresh = json!([
        20,
        "Market 18",
        null,
        null,
        "2.5",
        18,
        null,
        null,
        [odd(2000, "Manje", 1.9), odd(2001, "Više", 1.9)],
        null,
        null,
        []
    ]);
    let wanted = json!([
        4,
        17,
        7,
        -20,
        [[10, 20], [fresh]],
        0,
        2500,
        -21,
        [1, -1, 2, 1],
        -22,
        [1, ["9/4"], 2, ["3/1"]],
        -2,
        [1, 1],
        -13,
        8
    ]);
    assert_eq!(written_change(Part::Row, delta.row), wanted);
    let fresh = json!([
        21,
        "Market 30",
        null,
        null,
        null,
        30,
        null,
        null,
        [[2100, "Da", 5, null, null, 0, null]],
        null,
        null,
        []
    ]);
    let detail = written_change(Part::Detail, delta.detail);
    let history = detail[12].clone();
    assert_eq!(history[0][1], json!([1, 1, 600, "first_half", [1, 1], null]), "the goal goes on behind what was told");
    assert_eq!(
        detail,
        json!([
            5,
            17,
            7,
            -20,
            [[13, 21], [fresh]],
            -21,
            [0, -1],
            -23,
            [10, 13, 20, 21],
            -24,
            [1, 2, 2, 0],
            -25,
            history
        ])
    );
}

#[test]
fn only_changes_with_texts_are_encoded_per_language() {
    let state = Arc::new(state(full()));
    let change =
        |change: PartChange| Message::Change { state: Arc::clone(&state), part: Part::Detail, follows: 1, change };
    let of_markets = |fresh| {
        let markets = Some(MarketsChange { order: None, fresh });
        change(PartChange { markets, ..PartChange::default() })
    };
    let id = state.live_match.markets[1].id;
    assert!(!of_markets(vec![id]).is_neutral(), "a market told whole has words");
    assert!(of_markets(Vec::new()).is_neutral());
    let clock = || change(PartChange { fields: vec![Field::Clock], ..PartChange::default() });
    assert!(clock().is_neutral(), "a running clock has no words");
    let text = MatchState::inserted(&live_match(1).time_text("PV").insert(), DATE, &[], PerLang::default(), 1);
    let of_text = |fields| {
        let change = PartChange { fields, ..PartChange::default() };
        Message::Change { state: Arc::new(text.clone()), part: Part::Row, follows: 1, change }
    };
    assert!(!of_text(vec![Field::Clock]).is_neutral());
    assert!(of_text(vec![Field::Score]).is_neutral());
}

#[test]
fn checksums_depend_on_match_and_revision() {
    assert_eq!(
        [check_sum(match_id(1), 0), check_sum(match_id(1), 5), check_sum(match_id(3), 1)],
        [2_654_435_761, 2_654_435_766, 3_668_339_988,]
    );
    assert_eq!([FeedState::Inactive, FeedState::Recovering, FeedState::Active].map(FeedState::number), [0, 1, 2]);
}

#[test]
fn fractional_percentages_and_huge_counts_are_encoded_as_numbers() {
    let model = ReadModel::new(Lang::Hr, 1);
    model.set_feed(Lang::Hr, FeedState::Active);
    let mut rules = Rules::default();
    let half = |text| Percent::parse(text).expect("a percentage");
    rules.tax = vec![
        TaxRule { from: Money::ZERO, to: None, percentage: half("4.25"), kind: TaxKind::Stake },
        TaxRule { from: Money::ZERO, to: None, percentage: half("12.5"), kind: TaxKind::Win },
    ];
    model.put_match(Arc::new(state(live_match(17).market(result(10, ["2", "3.25", "4"])))));
    let mut session = SessionState::empty(&rules);
    let pick = TicketCommand::Pick {
        match_id: match_id(17),
        market_id: MarketId::new(10).expect("an id"),
        odd_id: OddId::new(1000).expect("an id"),
    };
    let events = session.decide(&SessionCommand::Ticket(pick), &model, &rules, |_| true).expect("it may be done");
    events.iter().for_each(|event| session.apply(event));
    let mut info = ticket_info(&session.ticket, &model, &rules, Lang::Hr);
    let ticket = written(&Message::Ticket(Arc::new(info.clone())), Lang::Hr);
    assert_eq!((&ticket[1]["stakeTaxPercentage"], &ticket[1]["winTaxPercentage"]), (&json!(4.25), &json!(12.5)));

    // A count that JavaScript cannot hold exactly is sent as the largest number that it can.
    info.totals.number_of_odds = u64::MAX;
    info.totals.system_combinations = vec![SystemCombination { k: 1, count: u64::MAX, checked: false }];
    let ticket = written(&Message::Ticket(Arc::new(info)), Lang::Hr);
    let most = json!(9_007_199_254_740_991_u64);
    assert_eq!((&ticket[1]["numberOfOdds"], &ticket[1]["systemCombinations"][0]["count"]), (&most, &most));
}

#[test]
fn encodings_and_views_have_distinct_indexes() {
    assert_eq!((Encoding::ALL.map(Encoding::index), View::ALL.map(View::index)), ([0, 1], [0, 1]));
}
