//! The history of a recorded match for its tracker: pressure of both sides, and every goal, card and corner with minute
//! and player. Kept by [`super::play`]; must not contain future events.

use super::period::Period;
use super::timeline::{Event, Fact};
use crate::simulator::sport::Board;
use kvota_domain::Text;
use kvota_domain::incidents::{HistoryBuilder, Incident, IncidentKind};
use kvota_domain::matches::Pair;

/// Notes an event; `board` is the one after it.
pub(super) fn note(chronicle: &mut HistoryBuilder, event: &Event, board: &Board) {
    let seconds = event.period.base_s() as u32 + event.at_ms / 1000;
    // Stoppage time belongs to the last minute of its period.
    let last_minute = (event.period.end_s() / 60 - 1) as u32;
    if let (Some(ball), true) = (event.ball, event.period != Period::ShootOut) {
        chronicle.ball(ball, seconds, (seconds / 60).min(last_minute));
    }
    let Some(fact) = &event.fact else { return };
    let (kind, side, player) = match fact {
        Fact::Goal { side, own: true, scorer } => (IncidentKind::OwnGoal, *side, scorer.clone()),
        Fact::Goal { side, own: false, scorer } => (IncidentKind::Goal, *side, scorer.clone()),
        Fact::Penalty { side, scored: true, taker, .. } => (IncidentKind::Penalty, *side, taker.clone()),
        Fact::Penalty { side, scored: false, taker, .. } => (IncidentKind::PenaltyMissed, *side, taker.clone()),
        Fact::Yellow(side) => (IncidentKind::Yellow, *side, None),
        Fact::Red(side) => (IncidentKind::Red, *side, None),
        Fact::Corner(side) => (IncidentKind::Corner, *side, None),
        Fact::ShootOutKick { side, scored: true } => (IncidentKind::KickScored, *side, None),
        Fact::ShootOutKick { side, scored: false } => (IncidentKind::KickMissed, *side, None),
    };
    let score: Option<Pair> = match kind {
        IncidentKind::KickScored => board.shoot_out,
        _ => board.score.filter(|_| kind.is_goal()),
    };
    let status = Some(Text::from(event.period.status()));
    chronicle.incident(Incident { kind, side, seconds: Some(seconds), status, score, player });
}
