//! One match from its announcement to its end, with rare events: a late or postponed start, an interruption, an
//! abandonment, a retirement, a corrected score. Driven by [`super::generator`] in simulated time. Must not look beyond
//! the current time, except for the time of the next change.

use super::frame::Frame;
use super::random::Random;
use super::sport::{Board, BoardClock, Pairing, Play, Step};
use super::sports::Entry;
use crate::fixture::{Fixture, FrameClock};
use crate::generator::RenderMatch;
use crate::pricing::book::Book;
use crate::results::open_markets::OpenMarkets;
use crate::results::{Cancellation, MatchDecisions};
use kvota_domain::incidents::History;
use kvota_domain::matches::Pair;
use std::borrow::Cow;
use std::sync::Arc;

/// A match starts late with this chance …
const DELAYED: f64 = 0.03;
/// … and not at all with this.
const POSTPONED: f64 = 0.004;
/// An abandoned match is abandoned in this part of its expected length.
const ABANDONED_AFTER: std::ops::Range<f64> = 0.05..0.6;
/// Keeps the random numbers of abandonments apart from all others, so that without any nothing else changes.
const ABANDONMENTS: u64 = 0xABAD;
/// How long a match that is over stays in the offer, in ms.
const SHOWN_MS: i64 = 60_000;

/// A match.
#[derive(Debug)]
pub(super) struct Course {
    entry: &'static Entry,
    fixture: Arc<Fixture>,
    play: Box<dyn Play>,
    /// What happens in the play …
    random: Random,
    /// … and to it.
    fate: Random,
    state: State,
    /// When the next step is due, in ms of simulated time.
    due_ms: i64,
    /// When the play's latest step was.
    stepped_ms: i64,
    /// When it is interrupted, when a side gives up and when it is abandoned, if ever.
    interrupted_ms: Option<i64>,
    retired_ms: Option<i64>,
    abandoned_ms: Option<i64>,
    /// The play before a score that is about to be taken back.
    before: Option<Box<dyn Play>>,
    book: Arc<Book>,
    is_priced: bool,
    /// A price change without an event, as by a trader: the market and the amount.
    nudge: Option<(usize, f64)>,
    /// Every market that was ever offered, until it is decided.
    markets: OpenMarkets,
    is_told: bool,
}

/// Where a match is in its course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Announced,
    Delayed,
    Playing,
    /// A score is being looked at and will be taken back.
    Reviewed,
    Interrupted,
    /// Over, with this status instead of the play's own, if given.
    Over(Option<&'static str>),
    Gone,
}

impl Course {
    /// A match that comes into the offer and starts at these moments of simulated time, unless it is late. `seed` and
    /// `number` are those of the simulation and the match; `abandoned` is how likely it is abandoned.
    pub(super) fn new(
        entry: &'static Entry,
        fixture: Arc<Fixture>,
        pairing: Pairing,
        (announced_ms, start_ms): (i64, i64),
        (seed, number): (u64, u64),
        abandoned: f64,
    ) -> Course {
        let mut random = Random::new(seed, number.wrapping_mul(2));
        let mut fate = Random::new(seed, number.wrapping_mul(2) + 1);
        let play = entry.sport.begin(pairing, &mut random);
        let profile = entry.profile;
        let length_ms = f64::from(profile.minutes) * 60_000.0;
        let moment = |fate: &mut Random, chance: f64| {
            let (happens, part) = (fate.chance(chance), fate.between(0.1, 0.9));
            happens.then(|| start_ms + (length_ms * part) as i64)
        };
        let mut abandonment = Random::new(seed ^ ABANDONMENTS, number);
        let abandoned_ms = abandonment.chance(abandoned).then(|| {
            let part = abandonment.between(ABANDONED_AFTER.start, ABANDONED_AFTER.end);
            start_ms + (length_ms * part) as i64
        });
        Course {
            entry,
            markets: OpenMarkets::new(&entry.catalogue, fixture.block),
            fixture,
            play,
            abandoned_ms,
            interrupted_ms: moment(&mut fate, profile.interrupted),
            retired_ms: moment(&mut fate, profile.retired),
            due_ms: announced_ms,
            stepped_ms: start_ms,
            state: State::Announced,
            random,
            fate,
            before: None,
            book: Arc::new(Book::new(profile.kinds)),
            is_priced: false,
            nudge: None,
            is_told: false,
        }
    }

    /// When something happens next, in ms of simulated time.
    pub(super) fn due_ms(&self) -> i64 {
        self.due_ms
    }

    /// Whether it has left the offer.
    pub(super) fn is_gone(&self) -> bool {
        self.state == State::Gone
    }

    /// Whether the match was published.
    pub(super) fn is_told(&self) -> bool {
        self.is_told
    }

    /// Applies all events that are due.
    pub(super) fn happen(&mut self) {
        let now_ms = self.due_ms;
        self.is_priced = false;
        self.nudge = None;
        match self.state {
            // The announcement: from now on it waits for its start, kept in `stepped_ms`.
            State::Announced if now_ms < self.stepped_ms => self.due_ms = self.stepped_ms,
            State::Announced => self.start(now_ms),
            State::Delayed => self.step(now_ms),
            State::Reviewed => self.take_back(now_ms),
            State::Interrupted => self.step(now_ms),
            State::Playing => self.go_on(now_ms),
            State::Over(_) | State::Gone => self.state = State::Gone,
        }
    }

    fn start(&mut self, now_ms: i64) {
        if self.fate.chance(POSTPONED) {
            self.end(now_ms, Some("postponed"));
        } else if self.fate.chance(DELAYED) {
            self.state = State::Delayed;
            self.due_ms = now_ms + (self.fate.between(120.0, 900.0) * 1000.0) as i64;
        } else {
            self.step(now_ms);
        }
    }

    fn go_on(&mut self, now_ms: i64) {
        if self.abandoned_ms.is_some_and(|at| at <= now_ms) {
            self.end(now_ms, Some("abandoned"));
        } else if self.retired_ms.is_some_and(|at| at <= now_ms) {
            let side = self.fate.side(0.5);
            self.play.retire(side);
            self.end(now_ms, Some("retired"));
        } else if self.interrupted_ms.take_if(|at| *at <= now_ms).is_some() {
            self.state = State::Interrupted;
            self.due_ms = now_ms + (self.fate.between(180.0, 1_500.0) * 1000.0) as i64;
        } else {
            self.step(now_ms);
        }
    }

    fn step(&mut self, now_ms: i64) {
        self.state = State::Playing;
        let counted = tally(&self.play.board());
        let before = self.fate.chance(self.entry.profile.corrected).then(|| self.play.copied());
        self.stepped_ms = now_ms;
        match self.play.step(&mut self.random) {
            Step::Over => self.end(now_ms, None),
            Step::Next { after_ms } => {
                self.due_ms = now_ms + i64::from(after_ms.max(1));
                let scored = tally(&self.play.board()) != counted;
                if let Some(before) = before.filter(|_| scored) {
                    self.before = Some(before);
                    self.state = State::Reviewed;
                    self.due_ms = now_ms + (self.fate.between(6.0, 25.0) * 1000.0) as i64;
                }
            }
        }
    }

    fn take_back(&mut self, now_ms: i64) {
        if let Some(before) = self.before.take() {
            self.play = before;
        }
        self.state = State::Playing;
        self.stepped_ms = now_ms;
        self.due_ms = now_ms + 3_000;
    }

    fn end(&mut self, now_ms: i64, status: Option<&'static str>) {
        self.stepped_ms = now_ms;
        self.state = State::Over(status);
        self.due_ms = now_ms + SHOWN_MS;
        self.decide_rest(status);
    }

    /// Decides all markets that are still open, according to how the match ended.
    fn decide_rest(&mut self, status: Option<&'static str>) {
        let play = &self.play;
        match status {
            Some("abandoned") => {
                self.markets.settle(|kind, line| play.right(kind, line));
                self.markets.cancel_all(Cancellation::Abandoned);
            }
            Some("postponed") => self.markets.cancel_all(Cancellation::Postponed),
            _ => self.markets.settle_all(|kind, line| play.right(kind, line)),
        }
    }

    /// The markets that were decided since the last call; `None` if there are none.
    pub(super) fn take_decisions(&mut self) -> Option<MatchDecisions> {
        let markets = self.markets.take_decided();
        (!markets.is_empty()).then_some(MatchDecisions { match_id: self.fixture.id, markets })
    }

    /// Whether prices may move without a cause now.
    pub(super) fn takes_nudges(&self) -> bool {
        self.state == State::Playing && !self.play.board().suspended
    }

    /// A trader moves one of the markets' prices.
    pub(super) fn nudge(&mut self, which: usize, by: f64) {
        self.nudge = Some((which, by));
    }

    /// The match at `now_ms` of simulated time. `at_ms` is the wall time of that moment, and `pace` is simulated time
    /// per wall time.
    pub(super) fn frame(&mut self, now_ms: i64, at_ms: i64, pace: f64) -> Arc<dyn RenderMatch> {
        self.is_told = true;
        self.draw_prices();
        let mut board = self.play.board();
        board.suspended |= matches!(self.state, State::Reviewed | State::Interrupted);
        if let Some(status) = self.status() {
            board.status = status.into();
        }
        let is_over = matches!(self.state, State::Over(_) | State::Gone);
        board.over |= is_over;
        let facts = self.play.facts();
        Arc::new(Frame {
            entry: self.entry,
            fixture: Arc::clone(&self.fixture),
            clock: self.clock(&board, now_ms, at_ms, pace),
            board,
            facts: (!facts.is_empty()).then(|| Arc::new(History { facts, ..History::default() })),
            betting: !is_over && self.state != State::Interrupted,
            ball: None,
            pictures: None,
            book: Arc::clone(&self.book),
        })
    }

    fn draw_prices(&mut self) {
        if matches!(self.state, State::Over(_) | State::Gone) {
            // Nothing is offered any more.
            self.book = Arc::new(Book::new(self.entry.profile.kinds));
            return;
        }
        if !self.is_priced {
            let mut book = Book::new(self.entry.profile.kinds);
            self.play.price(&mut book);
            let play = &self.play;
            // A score that is being looked at may be taken back: it decides nothing.
            if self.state != State::Reviewed {
                self.markets.settle(|kind, line| play.right(kind, line));
            }
            self.book = Arc::new(self.markets.offer(book.in_order(), |kind, line| play.right(kind, line)));
            self.is_priced = true;
        }
        if let Some((which, by)) = self.nudge.take() {
            let mut book = Book::clone(&self.book);
            book.nudge(which, by);
            self.book = Arc::new(book);
        }
    }

    /// The status, if it differs from the play's own.
    fn status(&self) -> Option<&'static str> {
        match self.state {
            State::Announced => Some("not_started"),
            State::Delayed => Some("delayed"),
            State::Interrupted => Some("interrupted"),
            State::Over(status) => Some(status.unwrap_or("ended")),
            State::Playing | State::Reviewed | State::Gone => None,
        }
    }

    fn clock(&self, board: &Board, now_ms: i64, at_ms: i64, pace: f64) -> FrameClock {
        let holds = matches!(self.state, State::Interrupted | State::Reviewed);
        match board.clock {
            BoardClock::None | BoardClock::Words(_) => FrameClock::Hidden,
            _ if matches!(self.state, State::Announced | State::Delayed | State::Over(_)) => FrameClock::Hidden,
            BoardClock::Stopped { ms } => FrameClock::Stopped { seconds: ms.div_euclid(1000) },
            BoardClock::Running { ms } if holds => FrameClock::Stopped { seconds: ms.div_euclid(1000) },
            BoardClock::Running { ms } => {
                FrameClock::Running { played_ms: ms + (now_ms - self.stepped_ms), at_ms, pace }
            }
        }
    }
}

/// All counters of a score. If they change, a side has scored. The start of a period must not change them.
fn tally(board: &Board) -> (Option<Pair>, i64, Option<[Cow<'static, str>; 2]>) {
    let periods = board.scores.iter().map(|[home, away]| home + away).sum();
    (board.score, periods, board.game.clone())
}

#[cfg(test)]
mod tests {
    use super::super::sport::{Ask, Profile, Sport};
    use super::super::sports::find;
    use super::*;
    use crate::pricing::render::odd_id;
    use crate::results::verdict::Verdict;
    use crate::results::{DecidedMarket, MarketDecision};
    use kvota_domain::Text;
    use kvota_domain::ids::{MatchId, OddId};
    use kvota_domain::lang::PerLang;
    use std::collections::BTreeMap;
    use std::sync::LazyLock;

    /// Soccer in which every second goal is taken back.
    #[derive(Debug)]
    struct Reviewed;

    static PROFILE: LazyLock<Profile> = LazyLock::new(|| Profile { corrected: 0.5, ..*soccer().profile });
    static ENTRY: LazyLock<Entry> = LazyLock::new(|| Entry::new(&Reviewed).expect("a sport"));

    impl Sport for Reviewed {
        fn profile(&self) -> &'static Profile {
            &PROFILE
        }

        fn begin(&self, pairing: Pairing, random: &mut Random) -> Box<dyn Play> {
            soccer().sport.begin(pairing, random)
        }
    }

    fn soccer() -> &'static Entry {
        find("soccer").expect("a sport")
    }

    fn course(number: u64) -> Course {
        let text = || PerLang::new(|_| Text::from("x"));
        let fixture = Fixture {
            id: MatchId::new(number + 1).expect("a small id"),
            block: number,
            order: 1,
            home: text(),
            away: text(),
            sport: text(),
            tournament: text(),
            tournament_description: text(),
        };
        let pairing = Pairing { strengths: [0.0; 2], tournament: number };
        Course::new(&ENTRY, Arc::new(fixture), pairing, (0, 60_000), (7, number), 0.0)
    }

    fn goals(course: &Course) -> i64 {
        course.play.board().score.map_or(0, |score| score.iter().sum())
    }

    #[test]
    fn a_goal_that_is_taken_back_is_not_scored_again_at_once() {
        let (mut taken_back, mut again) = (0, 0);
        for number in 0..10 {
            let mut course = course(number);
            while !matches!(course.state, State::Over(_)) {
                let (before, is_reviewed) = (goals(&course), course.state == State::Reviewed);
                course.happen();
                if is_reviewed && goals(&course) < before {
                    course.happen();
                    taken_back += 1;
                    again += u32::from(goals(&course) == before);
                }
            }
        }
        assert!(taken_back > 5 && again == 0, "{again} of {taken_back}");
    }

    #[test]
    fn a_goal_that_is_taken_back_settles_nothing() {
        for number in 0..10 {
            let mut course = course(number);
            let mut decided: Vec<DecidedMarket> = Vec::new();
            while !matches!(course.state, State::Over(_)) {
                course.happen();
                course.frame(course.due_ms, 0, 1.0);
                decided.extend(course.take_decisions().into_iter().flat_map(|decisions| decisions.markets));
            }
            let catalogue = &ENTRY.catalogue;
            let mut at_the_end: BTreeMap<OddId, Verdict> = BTreeMap::new();
            for (kind, spec) in PROFILE.kinds.iter().enumerate() {
                for (line, answer) in
                    (0..spec.lines).flat_map(|line| (0..spec.answers.places()).map(move |a| (line, a)))
                {
                    let ask = Ask { kind: kind as u16, line, answer };
                    let odd = odd_id(catalogue, number, ask.kind, line, answer);
                    at_the_end.insert(odd.expect("a small id"), ENTRY.verdict(course.play.as_ref(), ask));
                }
            }
            for market in decided {
                let MarketDecision::Settled(odds) = market.outcome else { continue };
                for (odd, verdict) in odds {
                    assert_eq!(at_the_end.get(&odd), Some(&verdict), "odd {odd} of match {number}");
                }
            }
        }
    }
}
