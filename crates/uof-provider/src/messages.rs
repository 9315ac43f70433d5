//! The XML of messages, with their routing keys.

use crate::markets::Line;
use kvota_domain::feed::Time;
use kvota_domain::ids::MatchId;
use kvota_domain::market::Market;
use kvota_domain::matches::{Match, Pair};
use kvota_domain::settlement::{MarketResult, MarketState};
use quick_xml::escape::escape;
use std::fmt::Write;

/// The producer of live odds.
pub(crate) const LIVE_ODDS: u32 = 1;

/// A message with its routing key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sent {
    /// The routing key.
    pub key: String,
    /// The body.
    pub body: String,
}

/// When a message was made, and for which recovery.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) at_ms: i64,
    /// The number of the request and the node that made it.
    pub(crate) recovery: Option<(i64, u32)>,
}

impl Head {
    pub(crate) fn live(at_ms: i64) -> Head {
        Head { at_ms, recovery: None }
    }

    fn of_event(self, priority: &str, kind: &str, sport: u64, match_id: MatchId, rest: &str) -> Sent {
        let node = self.node();
        let key = format!("{priority}.-.live.{kind}.{sport}.sr:match.{match_id}.{node}");
        let (request, at_ms) = (self.request(), self.at_ms);
        let head = format!("product=\"{LIVE_ODDS}\" event_id=\"sr:match:{match_id}\" timestamp=\"{at_ms}\"{request}");
        Sent { key, body: format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><{kind} {head}{rest}</{kind}>") }
    }

    fn node(self) -> String {
        self.recovery.map_or_else(|| "-".to_owned(), |(_, node)| node.to_string())
    }

    fn request(self) -> String {
        self.recovery.map_or_else(String::new, |(request, _)| format!(" request_id=\"{request}\""))
    }
}

/// A sign of life.
pub(crate) fn alive(at_ms: i64, is_subscribed: bool) -> Sent {
    let subscribed = u8::from(is_subscribed);
    Sent {
        key: "-.-.-.alive.-.-.-.-".to_owned(),
        body: format!("<alive product=\"{LIVE_ODDS}\" timestamp=\"{at_ms}\" subscribed=\"{subscribed}\"/>"),
    }
}

/// The end of a recovery.
pub(crate) fn snapshot_complete(at_ms: i64, request: i64, node: u32) -> Sent {
    Sent {
        key: format!("-.-.-.snapshot_complete.-.-.-.{node}"),
        body: format!("<snapshot_complete request_id=\"{request}\" timestamp=\"{at_ms}\" product=\"{LIVE_ODDS}\"/>"),
    }
}

/// A stop of all markets.
pub(crate) fn bet_stop(head: Head, live_match: &Match) -> Sent {
    head.of_event("hi", "bet_stop", live_match.sport_id.get(), live_match.id, " groups=\"all\">")
}

/// A market with its status, or only the status of one that has left.
pub(crate) enum Listed<'a> {
    Odds(&'a Line, &'a Market),
    Gone(&'a Line),
}

/// New odds and the status of a match.
pub(crate) fn odds_change(head: Head, live_match: &Match, time: &Time, is_over: bool, listed: &[Listed<'_>]) -> Sent {
    let mut rest = String::from(">");
    rest.push_str(&status(live_match, time, is_over));
    rest.push_str("<odds>");
    let is_open = live_match.betting && live_match.suspended != Some(true);
    for market in listed {
        let (line, odds) = match market {
            Listed::Odds(line, market) => (line, Some(market)),
            Listed::Gone(line) => (line, None),
        };
        let status = match odds {
            None => -3,
            Some(market) if is_open && !market.is_suspended => 1,
            Some(_) => -1,
        };
        rest.push_str(&open_market(line));
        let _ = write!(rest, " status=\"{status}\"");
        if odds.is_some_and(|market| market.balanced == Some(true)) {
            rest.push_str(" favourite=\"1\"");
        }
        rest.push('>');
        for odd in odds.into_iter().flat_map(|market| &market.odds) {
            let Some((_, outcome)) = line.outcomes.iter().find(|(id, _)| *id == odd.id) else { continue };
            let active = u8::from(odd.value.is_offered());
            let outcome = escape(outcome.as_str());
            let _ = write!(rest, "<outcome id=\"{outcome}\" odds=\"{}\" active=\"{active}\"/>", odd.value);
        }
        rest.push_str("</market>");
    }
    rest.push_str("</odds>");
    head.of_event("hi", "odds_change", live_match.sport_id.get(), live_match.id, &rest)
}

fn open_market(line: &Line) -> String {
    let mut text = format!("<market id=\"{}\"", line.market);
    if !line.specifiers.is_empty() {
        let _ = write!(text, " specifiers=\"{}\"", escape(line.specifiers.as_str()));
    }
    text
}

fn status(live_match: &Match, time: &Time, is_over: bool) -> String {
    let (status, code) = codes(live_match.status.as_deref().unwrap_or_default(), is_over);
    let mut text = format!("<sport_event_status status=\"{status}\" match_status=\"{code}\" reporting=\"1\"");
    let mut pair = |names: [&str; 2], pair: Option<[String; 2]>| {
        if let Some([home, away]) = pair {
            let _ = write!(text, " {}=\"{home}\" {}=\"{away}\"", names[0], names[1]);
        }
    };
    pair(["home_score", "away_score"], live_match.score.map(|score| score.map(|points| points.to_string())));
    let points = |point: &str| if point == "AD" { "50".to_owned() } else { point.to_owned() };
    let game = live_match.game.as_ref().map(|game| game.each_ref().map(|point| points(point.as_ref())));
    let is_numeric = |game: &[String; 2]| game.iter().all(|point| point.parse::<u32>().is_ok());
    pair(["home_gamescore", "away_gamescore"], game.filter(is_numeric));
    if let Some(server) = live_match.player_serving {
        let _ = write!(text, " current_server=\"{server}\"");
    }
    if let Some(tiebreak) = live_match.tiebreak {
        let _ = write!(text, " tiebreak=\"{tiebreak}\"");
    }
    text.push('>');
    let clock = match time {
        Time::Seconds(seconds) => Some(format!("match_time=\"{}:{:02}\"", seconds / 60, seconds % 60)),
        Time::Text(left) if left.contains(':') => Some(format!("remaining_time_in_period=\"{}\"", escape(&**left))),
        Time::Text(_) | Time::None => None,
    };
    if let Some(clock) = clock {
        let _ = write!(text, "<clock {clock} stopped=\"{}\"/>", live_match.clock_stopped == Some(true));
    }
    if !live_match.scores.is_empty() {
        text.push_str("<period_scores>");
        for (number, [home, away]) in (1..).zip(&live_match.scores) {
            let _ = write!(
                text,
                "<period_score number=\"{number}\" match_status_code=\"{code}\" home_score=\"{home}\" \
                 away_score=\"{away}\"/>"
            );
        }
        text.push_str("</period_scores>");
    }
    text.push_str(&statistics(live_match));
    text.push_str("</sport_event_status>");
    text
}

fn statistics(live_match: &Match) -> String {
    let one = |name: &str, pair: Option<Pair>| {
        pair.map_or_else(String::new, |[home, away]| format!("<{name} home=\"{home}\" away=\"{away}\"/>"))
    };
    let inside = one("yellow_cards", live_match.yellow_cards)
        + &one("red_cards", live_match.red_cards)
        + &one("corners", live_match.corners);
    if inside.is_empty() { inside } else { format!("<statistics>{inside}</statistics>") }
}

/// The status and the code of a label.
fn codes(label: &str, is_over: bool) -> (u8, u32) {
    if is_over {
        return (3, 100);
    }
    let numbered = |prefix: &str| label.strip_prefix(prefix).and_then(|number| number.parse::<u32>().ok());
    match label {
        "not_started" => (0, 0),
        "ended" => (1, 100),
        "delayed" => (1, 61),
        "interrupted" => (1, 80),
        "abandoned" => (1, 90),
        "first_half" => (1, 6),
        "second_half" => (1, 7),
        "half_time" => (1, 31),
        "pause" => (1, 30),
        "awaiting_extra_time" => (1, 32),
        "extra_half_time" => (1, 33),
        "awaiting_shoot_out" => (1, 34),
        "overtime" => (1, 40),
        "first_extra" => (1, 41),
        "second_extra" => (1, 42),
        "shoot_out" => (1, 50),
        _ => match (numbered("set_"), numbered("quarter_"), numbered("period_")) {
            (Some(set @ 1..=5), ..) => (1, set + 7),
            (Some(set @ 6..=7), ..) => (1, set + 435),
            (_, Some(quarter @ 1..=4), _) => (1, quarter + 12),
            (.., Some(period @ 1..=5)) => (1, period),
            _ => (1, 20),
        },
    }
}

/// Results of lines; `None` if there are none of this kind.
pub(crate) fn settlement(
    head: Head,
    sport: u64,
    match_id: MatchId,
    certainty: u8,
    results: &[(&Line, &MarketResult)],
) -> Option<Sent> {
    let settled: Vec<_> = results.iter().filter(|(_, result)| result.state == MarketState::Settled).collect();
    if settled.is_empty() {
        return None;
    }
    let mut rest = format!(" certainty=\"{certainty}\"><outcomes>");
    for (line, result) in settled {
        rest.push_str(&open_market(line));
        rest.push('>');
        for odd in &result.odds {
            let Some((_, outcome)) = line.outcomes.iter().find(|(id, _)| *id == odd.odd) else { continue };
            let is_void = odd.void_factor.is_some_and(|factor| factor.ten_thousandths() > 0);
            let result = odd.result.unwrap_or(if is_void { 0 } else { -1 });
            let _ = write!(rest, "<outcome id=\"{}\" result=\"{result}\"", escape(outcome.as_str()));
            match odd.void_factor.map(|factor| factor.ten_thousandths()) {
                Some(5_000) => rest.push_str(" void_factor=\"0.5\""),
                Some(10_000) => rest.push_str(" void_factor=\"1\""),
                _ => {}
            }
            if let Some(share) = odd.dead_heat.map(|share| share.ten_thousandths()).filter(|share| *share < 10_000) {
                let _ = write!(rest, " dead_heat_factor=\"0.{share:04}\"");
            }
            rest.push_str("/>");
        }
        rest.push_str("</market>");
    }
    rest.push_str("</outcomes>");
    Some(head.of_event("lo", "bet_settlement", sport, match_id, &rest))
}

/// Cancellations of lines, or the end of their settlements; `None` if there are none of this kind.
pub(crate) fn of_state(
    head: Head,
    sport: u64,
    match_id: MatchId,
    state: MarketState,
    results: &[(&Line, &MarketResult)],
) -> Option<Sent> {
    let kind = match state {
        MarketState::Cancelled => "bet_cancel",
        MarketState::OpenAgain => "rollback_bet_settlement",
        MarketState::Settled | MarketState::Unknown(_) => return None,
    };
    let lines: String =
        results.iter().filter(|(_, result)| result.state == state).map(|(line, _)| open_market(line) + "/>").collect();
    (!lines.is_empty()).then(|| head.of_event("lo", kind, sport, match_id, &format!(">{lines}")))
}
