//! Reads the events of one match: ball positions, and their meaning for the match by the derivation rules of
//! `data/wyscout-soccer/README.md`. Called by [`super::wyscout`]; it does not check totals.

use super::period::{Period, other};
use super::timeline::{Event, Fact};
use kvota_domain::Text;
use kvota_domain::matches::{Ball, Side};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;

/// Tags of an event (`tags[].id`).
mod tag {
    pub(super) const GOAL: u32 = 101;
    pub(super) const OWN_GOAL: u32 = 102;
    pub(super) const RED: u32 = 1701;
    pub(super) const YELLOW: u32 = 1702;
    pub(super) const SECOND_YELLOW: u32 = 1703;
}

/// A foul this long before a penalty is the one it was given for: the video referee took four minutes once.
const PENALTY_DECISION_MS_MAX: u32 = 300_000;

/// An event as the file has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RawEvent<'a> {
    #[serde(borrow)]
    event_name: Cow<'a, str>,
    #[serde(borrow)]
    sub_event_name: Cow<'a, str>,
    tags: Vec<RawTag>,
    team_id: u64,
    player_id: u64,
    positions: Vec<RawPosition>,
    #[serde(borrow)]
    match_period: Cow<'a, str>,
    event_sec: f64,
}

#[derive(Deserialize)]
struct RawTag {
    id: u32,
}

#[derive(Deserialize)]
struct RawPosition {
    x: i64,
    y: i64,
}

/// Reads events of one match.
pub(super) struct Reader {
    /// The team at home.
    pub(super) home: u64,
    /// The other one.
    pub(super) away: u64,
    /// Names by player id.
    pub(super) players: HashMap<u64, Text>,
}

impl Reader {
    fn side(&self, team: u64) -> Option<Side> {
        if team == self.home {
            Some(Side::Home)
        } else if team == self.away {
            Some(Side::Away)
        } else {
            None
        }
    }

    /// All events, in the recorded order. The error describes the first invalid event.
    pub(super) fn events(&self, raw: &[RawEvent]) -> Result<Vec<Event>, String> {
        let mut last_foul: Option<(Period, u32, Side)> = None;
        let mut events = Vec::with_capacity(raw.len());
        for raw in raw {
            let period = period(&raw.match_period).ok_or_else(|| format!("unknown period {:?}", raw.match_period))?;
            let side = self.side(raw.team_id).ok_or_else(|| format!("unknown team {}", raw.team_id))?;
            let at_ms = milliseconds(raw.event_sec).ok_or_else(|| format!("an event at second {}", raw.event_sec))?;
            let since_foul_ms = match last_foul {
                Some((when, foul_ms, by)) if when == period && by == other(side) => at_ms.saturating_sub(foul_ms),
                _ => 0,
            };
            let fact = self.fact(raw, period, side, since_foul_ms);
            if raw.event_name == "Foul" {
                last_foul = Some((period, at_ms, side));
            }
            let ball = ball(raw, side, fact.as_ref());
            if fact.is_some() || ball.is_some() {
                events.push(Event { period, at_ms, ball, fact });
            }
        }
        Ok(events)
    }

    fn fact(&self, raw: &RawEvent, period: Period, side: Side, since_foul_ms: u32) -> Option<Fact> {
        let tagged = |tag: u32| raw.tags.iter().any(|held| held.id == tag);
        let is_kick = raw.event_name == "Shot" || raw.event_name == "Free Kick";
        let scored = is_kick && tagged(tag::GOAL);
        let player = || self.players.get(&raw.player_id).cloned();
        let is_penalty = raw.sub_event_name == "Penalty";
        if period == Period::ShootOut {
            return is_penalty.then_some(Fact::ShootOutKick { side, scored });
        }
        if is_penalty {
            let known = since_foul_ms <= PENALTY_DECISION_MS_MAX;
            return Some(Fact::Penalty {
                side,
                scored,
                since_foul_ms: if known { since_foul_ms } else { 0 },
                taker: player(),
            });
        }
        if scored || tagged(tag::OWN_GOAL) {
            return Some(Fact::Goal { side: if scored { side } else { other(side) }, own: !scored, scorer: player() });
        }
        if tagged(tag::RED) || tagged(tag::SECOND_YELLOW) {
            return Some(Fact::Red(side));
        }
        if tagged(tag::YELLOW) {
            return Some(Fact::Yellow(side));
        }
        (raw.sub_event_name == "Corner").then_some(Fact::Corner(side))
    }
}

fn period(name: &str) -> Option<Period> {
    match name {
        "1H" => Some(Period::FirstHalf),
        "2H" => Some(Period::SecondHalf),
        "E1" => Some(Period::ExtraFirst),
        "E2" => Some(Period::ExtraSecond),
        "P" => Some(Period::ShootOut),
        _ => None,
    }
}

/// A moment of a period; no period lasts three hours.
fn milliseconds(seconds: f64) -> Option<u32> {
    let fits = (0.0..10_800.0).contains(&seconds);
    fits.then(|| (seconds * 1000.0).round() as u32)
}

/// Where the ball was. Both sides of a duel are recorded: the defender's half would show the ball on the wrong foot.
fn ball(raw: &RawEvent, side: Side, fact: Option<&Fact>) -> Option<Ball> {
    if raw.sub_event_name == "Ground defending duel" {
        return None;
    }
    let position = raw.positions.first()?;
    let percent = |value: i64| value.clamp(0, 100) as u8;
    let (own_x, own_y) = (percent(position.x), percent(position.y));
    // Each side sees the pitch attacking towards 100: the away side's view is turned round.
    let (x, y) = match side {
        Side::Home => (own_x, own_y),
        Side::Away => (100 - own_x, 100 - own_y),
    };
    let nobody = raw.event_name == "Interruption";
    let holder = match side {
        _ if nobody => 0,
        Side::Home => 1,
        Side::Away => 2,
    };
    let action = action(raw, own_x, fact);
    Some(Ball { x, y, side: holder, action })
}

/// The action's number ([`Ball::action`]).
fn action(raw: &RawEvent, own_x: u8, fact: Option<&Fact>) -> u8 {
    match fact {
        Some(Fact::Goal { .. } | Fact::Penalty { scored: true, .. }) => return 10,
        Some(Fact::Penalty { .. } | Fact::ShootOutKick { .. }) => return 11,
        _ => {}
    }
    match (&*raw.event_name, &*raw.sub_event_name) {
        ("Shot", _) | (_, "Free kick shot") => 3,
        (_, "Corner") => 4,
        (_, "Goal kick") => 6,
        (_, "Throw in") => 7,
        ("Free Kick", _) => 5,
        ("Save attempt", _) => 8,
        ("Foul", _) => 9,
        ("Offside", _) => 12,
        ("Interruption", _) => 0,
        _ if own_x >= 80 => 2,
        _ if own_x >= 60 => 1,
        _ => 0,
    }
}
