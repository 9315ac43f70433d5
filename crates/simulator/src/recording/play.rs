//! Plays one recorded match: follows its script, keeps the state of the match, and asks the model for prices. Driven by
//! [`super::generator`]. Must not look further into the script than the current time, except for the time of the next
//! change.

use super::period::{Period, place};
use super::script::{Action, Beat, Script};
use super::story;
use super::timeline::{Fact, Recording};
use crate::fixture::{Fixture, FrameClock};
use crate::generator::GeneratedChange;
use crate::pricing::book::Book;
use crate::results::MatchDecisions;
use crate::results::open_markets::OpenMarkets;
use crate::simulator::clock::game::Game;
use crate::simulator::frame::Frame;
use crate::simulator::soccer::game;
use crate::simulator::soccer::strengths::Rates;
use crate::simulator::sport::{Board, BoardClock, Play as _};
use crate::simulator::sports::{Entry, find};
use kvota_domain::feed::Change;
use kvota_domain::incidents::HistoryBuilder;
use kvota_domain::matches::Ball;
use std::sync::{Arc, LazyLock};

static SOCCER: LazyLock<&'static Entry> = LazyLock::new(|| find("soccer").expect("a sport of the table"));

/// Soccer in the table of sports.
pub(super) fn soccer() -> &'static Entry {
    *SOCCER
}

/// Shortest time between two ball positions, in ms of wall time.
pub const BALL_MS_MIN: i64 = 1_000;
/// The minimum suspension of betting, in ms of wall time. At high speeds a goal could otherwise happen between two
/// messages without a visible suspension.
const SUSPENDED_MS_MIN: i64 = 1_000;
/// The minimum interval between two pricings of a match, in ms of wall time …
const REPRICE_MS_MIN: i64 = 2_000;
/// … plus a delay of up to this, by a fixed rule, so that matches are priced at different moments.
const REPRICE_MS_SPREAD: u64 = 3_000;

/// A recording with its script.
#[derive(Clone, Debug)]
pub struct Staged {
    /// What happened.
    pub recording: Arc<Recording>,
    /// Its events on the time axis.
    pub script: Arc<Script>,
}

/// A moment on both clocks, in milliseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moment {
    /// Match time since the first kick-off of all.
    pub played_ms: i64,
    /// Wall time since the epoch.
    pub wall_ms: i64,
    /// Match time in a millisecond of wall time.
    pub pace: f64,
}

impl Moment {
    /// The wall time at which match time reaches `played_ms`.
    pub fn wall_of(&self, played_ms: i64) -> i64 {
        let ahead = (played_ms - self.played_ms) as f64 / self.pace;
        self.wall_ms.saturating_add(ahead.ceil() as i64)
    }
}

/// A recorded match being played.
#[derive(Debug)]
pub struct Play {
    staged: Staged,
    fixture: Arc<Fixture>,
    game: Game,
    kick_off_ms: i64,
    cursor: usize,
    period_start_ms: i64,
    markets: OpenMarkets,
    suspended: bool,
    /// Whether the script has betting suspended.
    suspended_by_script: bool,
    suspended_until_ms: i64,
    ball: Option<Ball>,
    ball_moved: bool,
    chronicle: HistoryBuilder,
    book: Arc<Book>,
    prices_drawn: u64,
    next_price_ms: i64,
    told_ms: Option<i64>,
}

impl Play {
    /// A match that kicks off at `kick_off_ms` of match time.
    pub fn new(staged: Staged, fixture: Arc<Fixture>, rates: Rates, kick_off_ms: i64) -> Play {
        Play {
            game: game(&rates, staged.recording.competition.is_knock_out()),
            staged,
            markets: OpenMarkets::new(&soccer().catalogue, fixture.block),
            fixture,
            kick_off_ms,
            cursor: 0,
            period_start_ms: kick_off_ms,
            suspended: false,
            suspended_by_script: false,
            suspended_until_ms: i64::MIN,
            ball: None,
            ball_moved: false,
            chronicle: HistoryBuilder::default(),
            book: Arc::new(Book::new(soccer().profile.kinds)),
            prices_drawn: 0,
            next_price_ms: 0,
            told_ms: None,
        }
    }

    /// When it is inserted into the offer, in match time.
    pub fn insert_ms(&self) -> i64 {
        self.kick_off_ms + self.staged.script.insert_ms
    }

    /// When it is deleted from the offer, in match time.
    pub fn delete_ms(&self) -> i64 {
        self.kick_off_ms + self.staged.script.delete_ms
    }

    /// Advances to a moment; returns the change, if there is one.
    pub fn advance(&mut self, to: &Moment) -> Option<GeneratedChange> {
        if to.played_ms < self.insert_ms() {
            return None;
        }
        if to.played_ms >= self.delete_ms() {
            // A match that was never published need not be removed.
            self.told_ms?;
            self.follow(to);
            self.draw_prices(to);
            return Some(self.tell(Change::Delete, to, to.wall_of(self.delete_ms())));
        }
        let happened = self.follow(to);
        self.game.report_time(self.played_in_period_ms(to));
        let is_new = self.told_ms.is_none();
        let price_due = to.wall_ms >= self.next_price_ms && self.is_moving();
        if is_new || happened.is_some() || price_due {
            self.draw_prices(to);
        }
        let change = if is_new { Change::Insert } else { Change::Update };
        let ball_due = self.ball_moved && self.ball_due_ms() <= to.wall_ms;
        if is_new || happened.is_some() || price_due || ball_due {
            return Some(self.tell(change, to, happened.unwrap_or(to.wall_ms)));
        }
        None
    }

    /// When the next change is due, in wall time.
    pub fn next_due_ms(&self, now: &Moment) -> i64 {
        if self.told_ms.is_none() {
            return now.wall_of(self.insert_ms());
        }
        let mut due = now.wall_of(self.delete_ms());
        if self.is_moving() {
            due = due.min(self.next_price_ms);
        }
        if self.ball_moved {
            due = due.min(self.ball_due_ms());
        }
        if self.suspended && !self.suspended_by_script {
            due = due.min(self.suspended_until_ms);
        }
        for beat in &self.staged.script.beats[self.cursor..] {
            let beat_ms = now.wall_of(self.kick_off_ms + beat.at_ms);
            if !matches!(beat.action, Action::Ball(_)) {
                return due.min(beat_ms);
            }
            due = due.min(beat_ms.max(self.ball_due_ms()));
            if beat_ms >= due {
                return due;
            }
        }
        due
    }

    /// The markets decided since the last call; `None` if there are none.
    pub fn take_decisions(&mut self) -> Option<MatchDecisions> {
        let markets = self.markets.take_decided();
        (!markets.is_empty()).then_some(MatchDecisions { match_id: self.fixture.id, markets })
    }

    fn ball_due_ms(&self) -> i64 {
        self.told_ms.unwrap_or_default() + BALL_MS_MIN
    }

    /// Whether prices change with the clock: in play, and not while betting is suspended.
    fn is_moving(&self) -> bool {
        self.game.is_in_play() && !self.suspended
    }

    /// Applies all beats up to a moment. Returns the time of the last one that must be published.
    fn follow(&mut self, to: &Moment) -> Option<i64> {
        let script = self.staged.script.clone();
        let mut happened = None;
        let stops = |board: Board| (board.score, board.red_cards);
        let before = stops(self.game.board());
        let mut stopped = false;
        while let Some(beat) = script.beats.get(self.cursor) {
            let at_ms = self.kick_off_ms + beat.at_ms;
            if at_ms > to.played_ms {
                break;
            }
            self.cursor += 1;
            stopped |= beat.action == Action::Suspend;
            if self.take(beat) {
                happened = Some(to.wall_of(at_ms));
            }
        }
        if stopped || stops(self.game.board()) != before {
            self.suspended_until_ms = to.wall_ms + SUSPENDED_MS_MIN;
        }
        let suspended = self.suspended_by_script || to.wall_ms < self.suspended_until_ms;
        if suspended != self.suspended {
            self.suspended = suspended;
            return happened.or(Some(to.wall_ms));
        }
        happened
    }

    /// Applies one beat. Returns whether it must be published.
    fn take(&mut self, beat: &Beat) -> bool {
        match beat.action {
            Action::Begin(_) => {
                self.game.report_start();
                self.period_start_ms = self.kick_off_ms + beat.at_ms;
            }
            Action::Pause => self.game.report_whistle(false),
            Action::End => self.game.report_whistle(true),
            Action::Suspend => self.suspended_by_script = true,
            Action::Resume => self.suspended_by_script = false,
            Action::Ball(index) => {
                self.move_ball(index);
                self.note(index);
                return false;
            }
            Action::Fact(index) => {
                self.move_ball(index);
                self.count(index);
                self.note(index);
            }
        }
        true
    }

    fn move_ball(&mut self, index: usize) {
        let event = self.staged.recording.events.get(index);
        if let Some(ball) = event.and_then(|event| event.ball) {
            self.ball_moved |= self.ball != Some(ball);
            self.ball = Some(ball);
        }
    }

    fn note(&mut self, index: usize) {
        if let Some(event) = self.staged.recording.events.get(index) {
            story::note(&mut self.chronicle, event, &self.game.board());
        }
    }

    fn count(&mut self, index: usize) {
        let Some(event) = self.staged.recording.events.get(index) else {
            return;
        };
        if event.period != Period::ShootOut {
            self.game.report_time(event.at_ms.into());
        }
        match &event.fact {
            Some(Fact::Goal { side, .. } | Fact::Penalty { side, scored: true, .. }) => {
                self.game.report_goal(place(*side));
            }
            Some(Fact::Yellow(side)) => self.game.report_card(place(*side), false),
            Some(Fact::Red(side)) => self.game.report_card(place(*side), true),
            Some(Fact::Corner(side)) => self.game.report_corner(place(*side)),
            Some(Fact::ShootOutKick { side, scored }) => self.game.report_kick(place(*side), *scored),
            Some(Fact::Penalty { scored: false, .. }) | None => {}
        }
    }

    fn played_in_period_ms(&self, now: &Moment) -> i64 {
        (now.played_ms - self.period_start_ms).max(0)
    }

    fn draw_prices(&mut self, now: &Moment) {
        let game = &self.game;
        if game.is_over() {
            self.markets.settle_all(|kind, line| game.right(kind, line));
        } else {
            self.markets.settle(|kind, line| game.right(kind, line));
        }
        self.book = Arc::new(self.markets.offer(game.book(), |kind, line| game.right(kind, line)));
        self.prices_drawn += 1;
        // Spread the matches over time by a fixed rule, so that not all are published at once.
        let turn = self.fixture.block.wrapping_mul(7_919).wrapping_add(self.prices_drawn.wrapping_mul(104_729));
        let spread = (turn % REPRICE_MS_SPREAD) as i64;
        self.next_price_ms = now.wall_ms + REPRICE_MS_MIN + spread;
    }

    fn tell(&mut self, change: Change, now: &Moment, at_ms: i64) -> GeneratedChange {
        self.told_ms = Some(now.wall_ms);
        self.ball_moved = false;
        GeneratedChange { at_ms: at_ms.min(now.wall_ms), change, state: Arc::new(self.frame(now)) }
    }

    fn frame(&self, now: &Moment) -> Frame {
        let board = Board { suspended: self.suspended, ..self.game.board() };
        let history = self.chronicle.history();
        Frame {
            entry: soccer(),
            fixture: self.fixture.clone(),
            clock: match board.clock {
                BoardClock::None | BoardClock::Words(_) => FrameClock::Hidden,
                BoardClock::Stopped { ms } => FrameClock::Stopped { seconds: ms / 1000 },
                BoardClock::Running { ms } => FrameClock::Running { played_ms: ms, at_ms: now.wall_ms, pace: now.pace },
            },
            betting: !board.over,
            board,
            facts: (!history.is_empty()).then_some(history),
            ball: self.ball.filter(|_| self.game.is_in_play()),
            pictures: Some(self.staged.recording.id),
            book: self.book.clone(),
        }
    }
}
