//! Messages of the provider's samples, and what may be wrong with a message.

use kvota_domain::Text;
use kvota_domain::price::Price;
use kvota_uof::event_status::Period;
use kvota_uof::message::{Body, EventMessage, LineStatus, Malformed, Message, Window};
use kvota_uof::xml::XmlError;

fn sample(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    std::fs::read(&path).expect("a sample")
}

fn event(body: &[u8]) -> EventMessage {
    match Message::parse(body) {
        Ok(Message::Event(message)) => message,
        other => panic!("{other:?}"),
    }
}

fn price(text: &str) -> Price {
    Price::parse(text).expect("a price")
}

#[test]
fn odds_with_a_status_are_read() {
    let message = event(&sample("odds_change-0.xml"));
    assert_eq!((message.product, message.event.number(), message.timestamp_ms), (2, 123, 1234));
    let Body::OddsChange { status, betstop_reason, lines } = message.body else { panic!("odds") };
    let status = status.expect("a status");
    assert_eq!((status.status, status.match_status, status.score), (Some(1), Some(7), Some([2, 2])));
    assert_eq!(status.clock.and_then(|clock| clock.match_s), Some(4_502));
    assert_eq!(status.periods, [Period { number: 1, score: [2, 0] }, Period { number: 2, score: [0, 2] }]);
    assert_eq!((status.corners, status.yellow_cards), (Some([5, 7]), Some([1, 1])));
    assert_eq!(betstop_reason, Some(2));

    let line = |market: i64| lines.iter().find(|line| line.line.market == market).expect("a line");
    let first = line(47);
    assert_eq!((first.line.specifiers.as_str(), first.is_favourite), ("score=41.5", true));
    assert_eq!((first.outcomes[1].id.as_ref(), first.outcomes[1].price), ("2", price("1.92")));
    assert_eq!(line(48).status, LineStatus::Active, "the status is active if it is absent");
    assert_eq!((line(49).status, line(49).outcomes.len()), (LineStatus::Inactive, 0));
    let suspended = line(123);
    assert_eq!(suspended.line.specifiers.as_str(), "game=3|point=1|set=2");
    assert_eq!((suspended.status, suspended.outcomes[0].price), (LineStatus::Suspended, price("1.3")));
    let players = line(188);
    assert_eq!(players.outcomes[1].price, Price::NONE, "an outcome that is not active");
    let goals = line(899);
    assert_eq!((goals.outcomes[0].team, goals.outcomes[10].price), (Some(1), Price::NONE));
    assert_eq!(line(145).status, LineStatus::Cancelled);
}

#[test]
fn messages_of_a_recovery_and_composite_outcomes_are_read() {
    let message = event(&sample("odds_change-vhc.xml"));
    assert_eq!((message.request_id, message.event.kind()), (Some(1), "vhc:stage"));
    let Body::OddsChange { lines, .. } = message.body else { panic!("odds") };
    assert_eq!(lines[0].outcomes[0].id.as_ref(), "sr:competitor:94075,sr:competitor:94137");
}

#[test]
fn settlements_have_results_and_factors() {
    let Body::Settlement { certainty, lines } = event(&sample("bet_settlement.xml")).body else { panic!("results") };
    assert_eq!(certainty, 2);
    let outcomes = |market: i64| &lines.iter().find(|line| line.line.market == market).expect("a line").outcomes;
    let void: Vec<_> = outcomes(201).iter().map(|it| (it.result, it.void_factor)).collect();
    let wanted = [(Some(0), Some(10_000)), (Some(0), Some(5_000)), (Some(1), Some(5_000)), (Some(0), None)];
    assert_eq!(void, wanted);
    assert_eq!(outcomes(535)[0].dead_heat_factor, Some(5_000));
}

#[test]
fn cancellations_have_a_time_and_a_reason() {
    let Body::Cancel { window, lines } = event(&sample("bet_cancel.xml")).body else { panic!("a cancellation") };
    let wanted = Window { from_ms: Some(1_564_597_838_000), until_ms: Some(1_564_598_513_000) };
    assert_eq!((window, lines[0].void_reason), (wanted, Some(12)));
    assert_eq!(
        Message::parse(&sample("rollback_bet_cancel.xml")),
        Err(Malformed::Attribute("product")),
        "the sample has no producer"
    );
}

#[test]
fn system_messages_and_short_ones_are_read() {
    let alive = |subscribed| Message::Alive { product: 1, timestamp_ms: 5, is_subscribed: subscribed };
    assert_eq!(Message::parse(b"<alive product='1' timestamp='5' subscribed='1'/>"), Ok(alive(true)));
    assert_eq!(Message::parse(b"<alive timestamp='5' subscribed='0' product='1' new='x'></alive>"), Ok(alive(false)));
    assert_eq!(
        Message::parse(b"<snapshot_complete product='3' timestamp='5' request_id='77'/>"),
        Ok(Message::SnapshotComplete { product: 3, timestamp_ms: 5, request_id: 77 })
    );
    let stop = |attributes: &str| {
        event(format!("<bet_stop product='1' event_id='sr:match:4' timestamp='5' {attributes}/>").as_bytes()).body
    };
    let of =
        |groups: &[&str], status| Body::BetStop { groups: groups.iter().map(|it| Text::from(*it)).collect(), status };
    assert_eq!(stop("groups='all'"), of(&["all"], LineStatus::Suspended));
    assert_eq!(stop("groups='score|corners' market_status='0'"), of(&["score", "corners"], LineStatus::Inactive));
    let change = event(b"<fixture_change event_id='sr:match:4' timestamp='5' product='1' change_type='3'/>").body;
    assert_eq!(change, Body::FixtureChange { change: Some(3), starts_ms: None });
    let rollback = event(
        b"<rollback_bet_settlement product='1' event_id='sr:match:4' timestamp='5'><market id='1'>\
          <outcome id='2'/></market></rollback_bet_settlement>",
    );
    let Body::RollbackSettlement { lines } = rollback.body else { panic!("a rollback") };
    assert_eq!(lines[0].outcomes, [Text::from("2")]);
    let only_odds = event(b"<odds_change product='1' event_id='sr:match:4' timestamp='5'/>").body;
    assert_eq!(only_odds, Body::OddsChange { status: None, betstop_reason: None, lines: vec![] });
}

#[test]
fn what_is_no_message_is_an_error_and_a_bad_market_is_left_out() {
    for (body, error) in [
        (&b"<hello product='1'/>"[..], Malformed::UnknownRoot),
        (b"<alive timestamp='5'/>", Malformed::Attribute("product")),
        (b"<alive product='1'/>", Malformed::Attribute("timestamp")),
        (b"<alive product='1' timestamp='-5'/>", Malformed::Attribute("timestamp")),
        (b"<odds_change product='1' timestamp='5' event_id='4'/>", Malformed::Attribute("event_id")),
        (
            b"<bet_settlement product='1' timestamp='5' event_id='sr:match:4' certainty='3'/>",
            Malformed::Attribute("certainty"),
        ),
        (b"<alive product='1' timestamp='5'/><alive/>", Malformed::Xml(XmlError::Malformed)),
        (b"<alive product='1' timestamp='5'>", Malformed::Xml(XmlError::Malformed)),
        (b"", Malformed::Xml(XmlError::Malformed)),
        (b"\xff\xfe", Malformed::Xml(XmlError::Malformed)),
    ] {
        assert_eq!(Message::parse(body), Err(error), "{}", String::from_utf8_lossy(body));
    }
    let message = event(
        b"<odds_change product='1' event_id='sr:match:4' timestamp='5'><odds>\
          <market id='x'><outcome id='1' odds='2'/></market>\
          <market id='1' specifiers='a'/>\
          <market id='1' status='9'><outcome odds='2'/><outcome id='1' odds='2'/><outcome id='1' odds='3'/></market>\
          </odds></odds_change>",
    );
    let Body::OddsChange { lines, .. } = message.body else { panic!("odds") };
    assert_eq!((lines.len(), lines[0].status), (1, LineStatus::Inactive), "an unknown status takes no bets");
    assert_eq!((lines[0].outcomes.len(), lines[0].outcomes[0].price), (1, price("2")));
}
