//! Fixtures, and an event as a match of the offer.

use kvota_domain::feed::Time;
use kvota_domain::ids::SportId;
use kvota_domain::lang::Lang;
use kvota_domain::matches::Match;
use kvota_uof::descriptions::Descriptions;
use kvota_uof::event_status::EventStatus;
use kvota_uof::fixture::{Fixture, Profiles};
use kvota_uof::ids::LineRegister;
use kvota_uof::line_key::LineKey;
use kvota_uof::lines::Lines;
use kvota_uof::message::{Body, EventMessage, Malformed, Message};
use kvota_uof::projection::{EventView, LineFacts};
use std::collections::BTreeMap;

fn sample(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    std::fs::read(&path).expect("a sample")
}

fn message(body: &[u8]) -> EventMessage {
    match Message::parse(body) {
        Ok(Message::Event(message)) => message,
        other => panic!("{other:?}"),
    }
}

struct Known {
    fixture: Fixture,
    descriptions: Descriptions,
    profiles: Profiles,
    status: EventStatus,
    lines: Lines,
    bet_stop_reason: Option<i64>,
}

impl Known {
    fn new() -> Known {
        let mut descriptions = Descriptions::default();
        descriptions.add(&sample("markets-0.xml")).expect("descriptions");
        descriptions.add(&sample("markets-1.xml")).expect("descriptions");
        let fixture = Fixture::parse(&sample("fixture-0.xml")).expect("a fixture");
        Known {
            fixture,
            descriptions,
            profiles: Profiles::default(),
            status: EventStatus::default(),
            lines: Lines::default(),
            bet_stop_reason: None,
        }
    }

    fn apply(&mut self, body: &str) {
        let message = message(body.as_bytes());
        match message.body {
            Body::OddsChange { status, lines, betstop_reason } => {
                self.bet_stop_reason = betstop_reason;
                self.status = status.map_or_else(|| self.status.clone(), |status| *status);
                self.lines.change(message.product, message.timestamp_ms, lines, &self.descriptions);
            }
            Body::BetStop { groups, status } => {
                self.lines.stop(message.product, message.timestamp_ms, &groups, status, &self.descriptions);
            }
            other => panic!("{other:?}"),
        }
    }

    fn shown(&self, is_up: bool) -> Option<(Match, Time)> {
        self.shown_after(is_up, 0)
    }

    fn shown_after(&self, is_up: bool, since_s: i64) -> Option<(Match, Time)> {
        let mut register = LineRegister::default();
        let facts: BTreeMap<LineKey, LineFacts> = self
            .lines
            .iter()
            .map(|(key, line)| {
                let outcomes = line.outcomes.iter().map(|outcome| &outcome.id);
                let ids = register.register(&self.fixture.event, key, outcomes, None);
                (key.clone(), LineFacts::new(key, ids))
            })
            .collect();
        let view = EventView {
            event: &self.fixture.event,
            fixture: &self.fixture,
            sport: SportId::new(1).expect("soccer"),
            since_s,
            status: &self.status,
            bet_stop_reason: self.bet_stop_reason,
            lines: &self.lines,
            lang: Lang::En,
            descriptions: [&self.descriptions; 2],
            profiles: [&self.profiles; 2],
        };
        view.live_match(|_| is_up, |key| facts.get(key))
    }
}

const LIVE: &str = "<odds_change product='1' event_id='sr:match:18001015' timestamp='5'>\
    <sport_event_status status='1' match_status='7' home_score='2' away_score='1'>\
    <clock match_time='75:02' stopped='false'/>\
    <period_scores><period_score number='2' home_score='0' away_score='1'/>\
    <period_score number='1' home_score='2' away_score='0'/></period_scores>\
    <statistics><red_cards home='1' away='0'/><yellow_red_cards home='0' away='1'/></statistics></sport_event_status>\
    <odds><market id='10'><outcome id='9' odds='1.25'/><outcome id='10' odds='1.4' active='0'/></market>\
    <market id='16' specifiers='hcp=-1.5' favourite='1'><outcome id='1714' odds='3'/><outcome id='1715' odds='1.3'/></market>\
    <market id='1' status='0'><outcome id='1' odds='2'/></market></odds></odds_change>";

#[test]
fn a_fixture_names_sides_tournament_and_players() {
    let fixture = Fixture::parse(&sample("fixture-0.xml")).expect("a fixture");
    let names = fixture.competitors.map(|side| side.map(|named| named.name.to_string()));
    assert_eq!(names, [Some("Ajax Amsterdam".to_owned()), Some("Tottenham Hotspur".to_owned())]);
    assert_eq!(fixture.sport.map(|sport| sport.urn.number()), Some(1));
    assert_eq!(fixture.category.map(|it| it.name.to_string()).as_deref(), Some("International Clubs"));

    let doubles = Fixture::parse(&sample("fixture-3.xml")).expect("a fixture without a tournament");
    assert_eq!((doubles.tournament.clone(), doubles.sport.clone()), (None, None));
    let mut profiles = Profiles::default();
    profiles.add_fixture(&doubles);
    profiles.add_profile(&sample("player_profile_m.xml")).expect("a profile");
    let names = ["sr:competitor:92845", "sr:player:947", "sr:player:1", "x"].map(|urn| profiles.get(urn));
    assert_eq!(names, [Some("Goldhoff, George"), Some("Lee Barnard"), None, None]);
    assert_eq!(Fixture::parse(b"<fixtures_fixture/>"), Err(Malformed::Attribute("id")));
    assert_eq!(profiles.add_profile(b"<fixtures_fixture/>"), Err(Malformed::UnknownRoot));
}

#[test]
fn an_event_is_a_match_with_the_numbers_of_the_provider() {
    let mut known = Known::new();
    known.apply(LIVE);
    let (shown, time) = known.shown(true).expect("a match");
    assert_eq!((shown.id.get(), shown.sport_id.get(), shown.betting), (18_001_015, 1, true));
    assert_eq!(
        (shown.home.as_deref(), shown.tournament.as_deref()),
        (Some("Ajax Amsterdam"), Some("UEFA Champions League"))
    );
    assert_eq!((shown.status.as_deref(), time), (Some("second_half"), Time::Seconds(4_502)));
    assert_eq!((shown.score, &shown.scores[..]), (Some([2, 1]), &[[2, 0], [0, 1]][..]));
    assert_eq!((shown.red_cards, shown.clock_stopped), (Some([1, 1]), Some(false)));

    let [double, handicap] = &shown.markets[..] else { panic!("two lines are in the offer: {:?}", shown.markets) };
    assert_eq!((double.kind, double.sbv.as_deref(), double.name.as_deref()), (10, None, Some("Double chance")));
    let odd = &double.odds[0];
    assert_eq!((odd.kind.as_deref(), odd.alias.as_deref()), (Some("9"), Some("1X")));
    assert_eq!(odd.description.as_deref(), Some("Ajax Amsterdam or draw"));
    assert!(!double.odds[1].value.is_offered(), "the outcome is not active");
    assert_eq!((handicap.sbv.as_deref(), handicap.balanced), (Some("-1.5"), Some(true)));
    let away = &handicap.odds[1];
    assert_eq!((away.alias.as_deref(), away.description.as_deref()), (Some("2"), Some("Tottenham Hotspur (+1.5)")));
    let ids: std::collections::BTreeSet<u64> =
        shown.markets.iter().flat_map(|market| market.odds.iter().map(|odd| odd.id.get())).collect();
    assert_eq!(ids.len(), 4);
}

#[test]
fn a_stop_locks_lines_and_a_producer_that_is_down_stops_the_match() {
    let mut known = Known::new();
    known.apply(LIVE);
    assert!(!known.shown(false).expect("still readable").0.betting);
    known.apply("<bet_stop product='1' event_id='sr:match:18001015' timestamp='6' groups='score'/>");
    let (shown, _) = known.shown(true).expect("a match");
    assert!(shown.markets.iter().all(|market| market.is_suspended) && !shown.betting);
    assert!(shown.markets[0].odds[0].value.is_offered(), "the prices are shown locked");
    assert_eq!(shown.markets[0].description, None);
    // The reason comes with the next odds.
    let odds = "<odds betstop_reason='1'><market id='10' status='-1'/></odds>";
    known.apply(&format!("<odds_change product='1' event_id='sr:match:18001015' timestamp='7'>{odds}</odds_change>"));
    let (shown, _) = known.shown(true).expect("a match");
    assert_eq!(shown.markets[0].description.as_deref(), Some("possible goal"));
}

#[test]
fn an_event_leaves_the_offer_at_its_end() {
    let mut known = Known::new();
    known.apply(LIVE);
    for (status, is_shown) in [
        ("status='7' match_status='80'", true),
        ("status='9' match_status='90'", true),
        ("status='3' match_status='100'", false),
        ("status='5' match_status='70'", false),
    ] {
        let body = "<odds_change product='1' event_id='sr:match:18001015' timestamp='7'>";
        known.apply(&format!("{body}<sport_event_status {status}/></odds_change>"));
        let shown = known.shown(true);
        assert_eq!(shown.is_some(), is_shown, "{status}");
        assert!(shown.is_none_or(|(shown, _)| !shown.betting), "{status}");
    }
}

#[test]
fn the_clock_is_carried_on_while_it_runs() {
    let mut known = Known::new();
    let body = "<odds_change product='1' event_id='sr:match:18001015' timestamp='7'>";
    for (code, clock, time) in [
        ("6", "match_time='10:00' stopped='false'", Time::Seconds(607)),
        ("6", "match_time='10:00'", Time::Seconds(607)),
        ("6", "match_time='10:00' stopped='true'", Time::Seconds(600)),
        ("31", "match_time='45:00'", Time::Seconds(2_700)),
        ("13", "remaining_time_in_period='0:05'", Time::Text("0:00".into())),
    ] {
        let status = format!("<sport_event_status status='1' match_status='{code}'><clock {clock}/>");
        known.apply(&format!("{body}{status}</sport_event_status></odds_change>"));
        assert_eq!(known.shown_after(true, 7).expect("a match").1, time, "{clock}");
    }
}

#[test]
fn a_match_is_suspended_while_a_side_is() {
    let mut known = Known::new();
    for (sides, is_suspended) in [
        ("", None),
        ("home_suspend='0' away_suspend='0'", Some(false)),
        ("home_suspend='1' away_suspend='0'", Some(true)),
        ("away_suspend='2'", Some(true)),
        ("home_suspend='x'", None),
    ] {
        let body = "<odds_change product='1' event_id='sr:match:18001015' timestamp='7'>";
        known.apply(&format!("{body}<sport_event_status status='1' match_status='6' {sides}/></odds_change>"));
        assert_eq!(known.shown(true).expect("a match").0.suspended, is_suspended, "{sides}");
    }
}

#[test]
fn tennis_has_points_a_server_and_no_clock() {
    let mut known = Known::new();
    let status = "status='1' match_status='8' home_score='0' away_score='0' home_gamescore='50' away_gamescore='40' \
        current_server='2' tiebreak='false'";
    let body = "<odds_change product='1' event_id='sr:match:18001015' timestamp='7'>";
    known.apply(&format!("{body}<sport_event_status {status}/></odds_change>"));
    let (shown, time) = known.shown(true).expect("a match");
    assert_eq!(shown.game.map(|game| game.map(|points| points.to_string())), Some(["AD".into(), "40".into()]));
    assert_eq!((shown.player_serving, shown.tiebreak, time), (Some(2), Some(false), Time::None));
    let clock = "<clock remaining_time_in_period='7:05' stopped='true'/>";
    known.apply(&format!(
        "{body}<sport_event_status status='1' match_status='13'>{clock}</sport_event_status></odds_change>"
    ));
    let (shown, time) = known.shown(true).expect("a match");
    assert_eq!((time, shown.clock_stopped), (Time::Text("7:05".into()), Some(true)));
}
