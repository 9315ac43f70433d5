//! The history of a match for the match tracker: incidents, pressure and ball counts (docs/protocol.md, HISTORY). It
//! extends the contract. If the feed sends none, the match aggregate derives incidents from the differences of two
//! states. Recorded matches build it from their events. Must not read a clock: seconds are those of the match clock.

use super::Text;
use super::clock::Clock;
use super::facts::Fact;
use super::matches::{Ball, Match, Pair, Side};
use crate::limits::{HISTORY_INCIDENTS_MAX, HISTORY_MINUTES_MAX};
use std::sync::Arc;

/// The number of ball actions (docs/protocol.md, BALL).
pub const ACTIONS: usize = 13;
/// Actions below this number count as touches of the ball. Saves, fouls, goals, penalties and offsides do not.
const BALL_ACTIONS: usize = 8;
/// The interval between published counts, in seconds of match time. Each publication sends the detail of the match to
/// its watchers, so a shorter interval would cost traffic for every pass.
const PUBLISHED_EVERY_S: u32 = 10;
/// Sports in which each increase of the score is an incident. Sports with very many points or with sets are left out.
const SPORTS_WITH_SCORE_INCIDENTS: [u64; 7] = [1, 3, 4, 6, 12, 16, 29];

/// The kind of an incident.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum IncidentKind {
    /// A goal, or points in another sport.
    Goal = 1,
    /// A goal scored by the other side itself.
    OwnGoal = 2,
    /// A penalty that was scored.
    Penalty = 3,
    /// A penalty that was missed.
    PenaltyMissed = 4,
    /// A yellow card.
    Yellow = 5,
    /// A red card.
    Red = 6,
    /// A corner.
    Corner = 7,
    /// A kick of the shoot-out that was scored.
    KickScored = 8,
    /// A kick of the shoot-out that was missed.
    KickMissed = 9,
}

impl IncidentKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [IncidentKind; 9] = [
        IncidentKind::Goal,
        IncidentKind::OwnGoal,
        IncidentKind::Penalty,
        IncidentKind::PenaltyMissed,
        IncidentKind::Yellow,
        IncidentKind::Red,
        IncidentKind::Corner,
        IncidentKind::KickScored,
        IncidentKind::KickMissed,
    ];

    /// Its number, 1 to 9 (docs/protocol.md).
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The kind with this number.
    pub fn of(number: u8) -> Option<IncidentKind> {
        IncidentKind::ALL.into_iter().find(|kind| kind.number() == number)
    }

    /// Whether it adds to the score.
    pub const fn is_goal(self) -> bool {
        matches!(self, IncidentKind::Goal | IncidentKind::OwnGoal | IncidentKind::Penalty)
    }
}

/// One incident of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incident {
    /// The kind.
    pub kind: IncidentKind,
    /// The side it counts for; a card counts for the side that received it.
    pub side: Side,
    /// Seconds of the match clock, if there is one.
    pub seconds: Option<u32>,
    /// The match's status at that moment.
    pub status: Option<Text>,
    /// The score after a goal.
    pub score: Option<Pair>,
    /// The player, if the feed names one.
    pub player: Option<Text>,
}

/// The history of a match, bounded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// At most [`HISTORY_INCIDENTS_MAX`], the oldest first.
    pub incidents: Vec<Incident>,
    /// Pressure in each minute, from the first: positive for home, negative for away.
    pub pressure: Vec<i8>,
    /// Number of times each action was seen, `[home, away]`. Index 0 counts all touches of the ball; attacks (1 and 2)
    /// count once per possession.
    pub counts: [[u16; 2]; ACTIONS],
    /// What the sport's tracker shows beyond that, at most one for each topic.
    pub facts: Vec<Fact>,
}

impl History {
    /// Adds an incident; beyond the limit the oldest is removed.
    pub fn add(&mut self, incident: Incident) {
        if self.incidents.len() >= HISTORY_INCIDENTS_MAX {
            self.incidents.remove(0);
        }
        self.incidents.push(incident);
    }

    /// Whether there are neither incidents nor pressure.
    pub fn is_empty(&self) -> bool {
        self.incidents.is_empty() && self.pressure.is_empty()
    }

    /// Derives the history of `now` if the feed sends neither incidents nor pressure: that of `before` plus the
    /// differences between the states, with the facts of `now`. A goal that was cancelled is removed.
    pub fn followed(before: &Match, now: &Match, date_ms: i64) -> Option<Arc<History>> {
        let fresh = differences(before, now, date_ms);
        let undone = taken_back(before, now);
        let facts = now.history.as_deref().map_or(&[][..], |history| &history.facts);
        let held = before.history.as_deref().map_or(&[][..], |history| &history.facts);
        if fresh.is_empty() && undone == [false, false] && facts == held {
            return before.history.clone();
        }
        let mut history = before.history.as_deref().cloned().unwrap_or_default();
        history.facts = facts.to_vec();
        for (side, undone) in [(Side::Home, undone[0]), (Side::Away, undone[1])] {
            let is_last = |incident: &Incident| incident.kind.is_goal() && incident.side == side;
            if let (true, Some(place)) = (undone, history.incidents.iter().rposition(is_last)) {
                history.incidents.remove(place);
            }
        }
        fresh.into_iter().for_each(|incident| history.add(incident));
        Some(Arc::new(history))
    }
}

/// For each side, whether its score decreased, because a goal was cancelled.
fn taken_back(before: &Match, now: &Match) -> [bool; 2] {
    match (before.score, now.score) {
        (Some(old), Some(new)) => [new[0] < old[0], new[1] < old[1]],
        _ => [false, false],
    }
}

/// The incidents that increased a count of `before`: score, cards and corners.
fn differences(before: &Match, now: &Match, date_ms: i64) -> Vec<Incident> {
    let seconds = now.clock.as_ref().filter(|clock| !matches!(clock, Clock::Text(_)));
    let seconds = seconds.and_then(|clock| clock.seconds_at(date_ms)).and_then(|seconds| u32::try_from(seconds).ok());
    let status = now.status.clone();
    let mut fresh = Vec::new();
    let is_scored = SPORTS_WITH_SCORE_INCIDENTS.contains(&now.sport_id.get());
    let counted = [
        (IncidentKind::Goal, before.score, now.score.filter(|_| is_scored)),
        (IncidentKind::Yellow, before.yellow_cards, now.yellow_cards),
        (IncidentKind::Red, before.red_cards, now.red_cards),
        (IncidentKind::Corner, before.corners, now.corners),
    ];
    for (kind, old, new) in counted {
        let (Some(old), Some(new)) = (old, new) else { continue };
        for (side, place) in [(Side::Home, 0), (Side::Away, 1)] {
            if new[place] > old[place] {
                let score = kind.is_goal().then_some(new);
                fresh.push(Incident { kind, side, seconds, status: status.clone(), score, player: None });
            }
        }
    }
    fresh
}

/// Builds the history of a match from its events. Publishes incidents at once, and counts at intervals.
#[derive(Clone, Debug, Default)]
pub struct HistoryBuilder {
    /// The history with all events so far.
    running: History,
    /// Pressure in each minute, `[home, away]`.
    minutes: Vec<[u16; 2]>,
    /// The side in possession, and whether this possession has been an attack and a dangerous attack.
    spell: (Option<usize>, [bool; 2]),
    /// The history as last published.
    shown: Arc<History>,
    /// The period of [`PUBLISHED_EVERY_S`] that was published last.
    shown_at: Option<u32>,
}

impl HistoryBuilder {
    /// Adds a ball action at this match time. `minute` counts from 0.
    pub fn ball(&mut self, ball: Ball, seconds: u32, minute: u32) {
        let minute = (minute as usize).min(HISTORY_MINUTES_MAX - 1);
        if self.minutes.len() <= minute {
            self.minutes.resize(minute + 1, [0; 2]);
        }
        let side = match ball.side {
            1 => 0,
            2 => 1,
            _ => return,
        };
        if self.spell.0 != Some(side) {
            self.spell = (Some(side), [false; 2]);
        }
        let reached = match ball.action {
            1 => self.spell.1.get_mut(0),
            2 => self.spell.1.get_mut(1),
            _ => None,
        };
        if usize::from(ball.action) < BALL_ACTIONS {
            let touches = &mut self.running.counts[0][side];
            *touches = touches.saturating_add(1);
        }
        let is_again = reached.is_some_and(|reached| std::mem::replace(reached, true));
        let is_counted = ball.action > 0 && !is_again;
        if let (true, Some(count)) = (is_counted, self.running.counts.get_mut(usize::from(ball.action))) {
            count[side] = count[side].saturating_add(1);
        }
        let pressed = &mut self.minutes[minute][side];
        *pressed = pressed.saturating_add(weight(ball.action));
        if self.shown_at != Some(seconds / PUBLISHED_EVERY_S) {
            self.shown_at = Some(seconds / PUBLISHED_EVERY_S);
            self.show();
        }
    }

    /// Adds an incident and publishes it at once.
    pub fn incident(&mut self, incident: Incident) {
        self.running.add(incident);
        self.show();
    }

    /// The history as last published.
    pub fn history(&self) -> Arc<History> {
        Arc::clone(&self.shown)
    }

    /// Publishes the history with all events so far.
    fn show(&mut self) {
        let difference = |[home, away]: &[u16; 2]| (i32::from(*home) - i32::from(*away)).clamp(-100, 100);
        self.running.pressure = self.minutes.iter().map(|minute| difference(minute) as i8).collect();
        self.shown = Arc::new(self.running.clone());
    }
}

/// How much a ball action adds to the pressure: more if a goal is more likely.
fn weight(action: u8) -> u16 {
    match action {
        1 => 1,
        2 => 3,
        4 | 5 => 2,
        3 => 8,
        10 | 11 => 12,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Topic;
    use crate::ids::{MatchId, SOCCER, SportId};

    fn live_match(sport: SportId) -> Match {
        let id = MatchId::new(1).unwrap();
        Match { score: Some([0, 0]), corners: Some([0, 0]), ..Match::empty(id, sport) }
    }

    #[test]
    fn differences_of_two_states_become_incidents_once() {
        let before = live_match(SOCCER);
        let clock = Some(Clock::read(600, 1_000, false));
        let goal = Match { score: Some([0, 1]), corners: Some([1, 0]), clock, ..live_match(SOCCER) };
        let history = History::followed(&before, &goal, 61_000).unwrap();
        let incidents: Vec<_> = history.incidents.iter().map(|it| (it.kind, it.side, it.seconds, it.score)).collect();
        let at = Some(660);
        assert_eq!(
            incidents,
            [(IncidentKind::Goal, Side::Away, at, Some([0, 1])), (IncidentKind::Corner, Side::Home, at, None)]
        );
        let held = Match { history: Some(history.clone()), ..goal };
        assert_eq!(History::followed(&held, &held, 62_000), Some(history));
        assert_eq!(History::followed(&before, &before, 0), None, "nothing happened");
    }

    #[test]
    fn facts_of_the_feed_stand_beside_incidents_seen_here() {
        let facts = |side| vec![Fact { topic: Topic::Attack, numbers: vec![side] }];
        let with = |live_match: Match, side| Match {
            history: Some(Arc::new(History { facts: facts(side), ..History::default() })),
            ..live_match
        };
        let before = Match { score: Some([0, 0]), ..live_match(SOCCER) };
        let goal = with(Match { score: Some([1, 0]), ..live_match(SOCCER) }, 2);
        let first = History::followed(&before, &goal, 0).unwrap();
        assert_eq!((first.incidents.len(), &first.facts), (1, &facts(2)));
        let held = Match { history: Some(Arc::clone(&first)), ..goal.clone() };
        assert_eq!(History::followed(&held, &goal, 0), Some(Arc::clone(&first)), "the same facts again");
        let next = History::followed(&held, &with(goal, 1), 0).unwrap();
        assert_eq!((next.incidents.len(), &next.facts), (1, &facts(1)));
    }

    #[test]
    fn cancelled_goal_is_removed() {
        let before = live_match(SOCCER);
        let goal = Match { score: Some([1, 0]), ..live_match(SOCCER) };
        let goal = Match { history: History::followed(&before, &goal, 0), ..goal };
        let history = History::followed(&goal, &before, 0).unwrap();
        assert_eq!(history.incidents, []);
    }

    #[test]
    fn points_of_fast_scoring_sports_are_not_incidents() {
        let basketball = SportId::new(2).unwrap();
        let after = Match { score: Some([2, 0]), ..live_match(basketball) };
        assert_eq!(History::followed(&live_match(basketball), &after, 0), None);
    }

    #[test]
    fn incidents_and_minutes_are_bounded() {
        let mut chronicle = HistoryBuilder::default();
        for goals in 0..HISTORY_INCIDENTS_MAX as i64 + 5 {
            let score = Some([goals, 0]);
            let (kind, side) = (IncidentKind::Goal, Side::Home);
            chronicle.incident(Incident { kind, side, seconds: None, status: None, score, player: None });
        }
        chronicle.ball(Ball { x: 1, y: 1, side: 1, action: 3 }, u32::MAX, u32::MAX);
        let history = chronicle.history();
        assert_eq!(history.incidents.len(), HISTORY_INCIDENTS_MAX);
        assert_eq!(history.incidents[0].score, Some([5, 0]));
        assert_eq!((history.pressure.len(), history.pressure.last()), (HISTORY_MINUTES_MAX, Some(&8)));
    }

    #[test]
    fn pressure_is_per_minute_and_published_every_ten_seconds() {
        let mut chronicle = HistoryBuilder::default();
        let ball = |side, action| Ball { x: 90, y: 50, side, action };
        chronicle.ball(ball(1, 2), 61, 1);
        chronicle.ball(ball(2, 3), 62, 1);
        assert_eq!(chronicle.history().pressure, [0, 3], "the second one waits");
        chronicle.ball(ball(0, 0), 63, 1);
        chronicle.ball(ball(2, 0), 70, 1);
        let history = chronicle.history();
        assert_eq!(history.pressure, [0, -5]);
        assert_eq!((history.counts[2], history.counts[3], history.counts[0]), ([1, 0], [0, 1], [1, 2]));
    }

    #[test]
    fn an_attack_is_one_until_the_ball_is_lost() {
        let mut chronicle = HistoryBuilder::default();
        let mut seconds = 0;
        for (side, action) in [(1, 1), (1, 2), (1, 0), (1, 2), (1, 1), (1, 3), (2, 1), (1, 2), (0, 0), (1, 2)] {
            seconds += 10;
            chronicle.ball(Ball { x: 50, y: 50, side, action }, seconds, 0);
        }
        let history = chronicle.history();
        assert_eq!((history.counts[1], history.counts[2]), ([1, 1], [2, 0]));
    }

    #[test]
    fn each_increased_count_adds_an_incident_of_its_kind_and_side() {
        type Case = (IncidentKind, fn(&mut Match, Pair), bool);
        let cases: [Case; 4] = [
            (IncidentKind::Goal, |m, pair| m.score = Some(pair), true),
            (IncidentKind::Yellow, |m, pair| m.yellow_cards = Some(pair), false),
            (IncidentKind::Red, |m, pair| m.red_cards = Some(pair), false),
            (IncidentKind::Corner, |m, pair| m.corners = Some(pair), false),
        ];
        for (kind, set, has_score) in cases {
            let with = |pair: Pair| {
                let mut changed = live_match(SOCCER);
                changed.status = Some("second_half".into());
                set(&mut changed, pair);
                changed
            };
            for (pair, side) in [([1, 0], Side::Home), ([0, 1], Side::Away)] {
                let history = History::followed(&with([0, 0]), &with(pair), 0).unwrap();
                let score = has_score.then_some(pair);
                let status = Some("second_half".into());
                let wanted = Incident { kind, side, seconds: None, status, score, player: None };
                assert_eq!(history.incidents, [wanted], "{pair:?}");
            }
            let text = Match { clock: Some(Clock::Text("HT".into())), ..with([1, 1]) };
            let both = History::followed(&with([0, 0]), &text, 0).unwrap();
            assert_eq!(
                both.incidents.iter().map(|it| (it.side, it.seconds)).collect::<Vec<_>>(),
                [(Side::Home, None), (Side::Away, None)]
            );
        }
    }

    #[test]
    fn correction_removes_only_the_last_goal_of_its_side() {
        let incident = |kind, side, home| Incident {
            kind,
            side,
            seconds: None,
            status: None,
            score: Some([home, 0]),
            player: None,
        };
        let incidents = vec![
            incident(IncidentKind::Goal, Side::Home, 1),
            incident(IncidentKind::Penalty, Side::Home, 2),
            incident(IncidentKind::OwnGoal, Side::Away, 3),
            incident(IncidentKind::Yellow, Side::Home, 4),
            incident(IncidentKind::Corner, Side::Away, 5),
        ];
        for (score, gone) in [([1, 1], 1), ([2, 0], 2)] {
            let history = History { incidents: incidents.clone(), ..History::default() };
            let before = Match { score: Some([2, 1]), history: Some(Arc::new(history)), ..live_match(SOCCER) };
            let after = Match { score: Some(score), ..live_match(SOCCER) };
            let mut left = incidents.clone();
            left.remove(gone);
            assert_eq!(History::followed(&before, &after, 0).unwrap().incidents, left, "{score:?}");
        }
    }

    #[test]
    fn kinds_have_their_numbers_and_three_of_them_are_goals() {
        for (place, kind) in IncidentKind::ALL.into_iter().enumerate() {
            assert_eq!((usize::from(kind.number()), IncidentKind::of(kind.number())), (place + 1, Some(kind)));
            assert_eq!(kind.is_goal(), place < 3, "{kind:?}");
        }
        assert_eq!((IncidentKind::of(0), IncidentKind::of(10)), (None, None));
    }

    #[test]
    fn history_with_pressure_or_incident_is_not_empty() {
        let incident = Incident {
            kind: IncidentKind::Goal,
            side: Side::Home,
            seconds: None,
            status: None,
            score: None,
            player: None,
        };
        let with_incident = History { incidents: vec![incident], ..History::default() };
        let pressed = History { pressure: vec![0], ..History::default() };
        assert_eq!([History::default().is_empty(), with_incident.is_empty(), pressed.is_empty()], [true, false, false]);
    }

    #[test]
    fn each_action_presses_and_counts_as_it_should() {
        // Expected additions to the pressure, to the action's own count, and to the touches of the ball.
        let cases = [
            (0, 0, 1, 1),
            (1, 1, 1, 1),
            (2, 3, 1, 1),
            (3, 8, 1, 1),
            (4, 2, 1, 1),
            (5, 2, 1, 1),
            (6, 0, 1, 1),
            (7, 0, 1, 1),
            (8, 0, 1, 0),
            (9, 0, 1, 0),
            (10, 12, 1, 0),
            (11, 12, 1, 0),
            (12, 0, 1, 0),
            (13, 0, 0, 0),
            (200, 0, 0, 0),
        ];
        for (action, pressed, counted, touched) in cases {
            let mut chronicle = HistoryBuilder::default();
            chronicle.ball(Ball { x: 1, y: 1, side: 2, action }, 1, 0);
            let history = chronicle.history();
            assert_eq!(
                (history.pressure.as_slice(), history.counts[0]),
                ([-pressed].as_slice(), [0, touched]),
                "{action}"
            );
            let own = history.counts.get(usize::from(action)).map_or(0, |count| count[1]);
            assert_eq!(own, counted, "{action}");
        }
    }
}
