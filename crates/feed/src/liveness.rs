//! The state of the feed in one language: Down, Recovering or Active (CONTRACT 1). The FeedActor has one [`Liveness`]
//! per language, passes every [`FeedInput`] to it, and carries out the decisions in order.
//!
//! - *Down*: there is no offer. At the start, without a connection, when the producer is inactive, after 15 s without a
//!   message, 15 s after a gap, or while the feed is later than `feed.lag_down_seconds`.
//! - *Recovering*: a gap or a new epoch was seen while Active. The offer stays readable. Events are still applied,
//!   because an UPDATE contains a whole match. They are also kept, to be applied to the snapshot that closes the gap.
//!   A late feed (`lag`) is Recovering too, but its offer is complete, so it needs no snapshot to become Active again.
//! - *Active*: the offer is complete.
//!
//! Must never read a clock: `now_ms` is a parameter, which may count from any moment and never goes backwards. Must not
//! depend on other languages: the FeedActor decides what the state of one language means for them.

use super::asking::Asking;
use super::lag::{Freshness, Lag, LagLimits};
use super::sequence::{Arrival, Sequence, Unfit, Weight};
use super::{FeedInput, Position};
use crate::limits::{FEED_SILENCE_MS, RECOVERY_MS_MAX};
use kvota_domain::feed::FeedUpdate;
use kvota_domain::lang::Lang;
use std::sync::Arc;

/// The states of the feed in the contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LivenessState {
    /// No offer, no bets.
    Down(DownCause),
    /// The offer stays readable; no bets.
    Recovering,
    /// The offer is complete.
    Active,
}

/// Why a feed is Down, for the operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DownCause {
    /// There is no connection.
    Disconnected,
    /// The producer reports that it is inactive.
    Inactive,
    /// No message that decodes arrived for 15 s.
    Silent,
    /// No snapshot has arrived yet, or not in time after a gap.
    NoSnapshot,
    /// The feed is late: messages are too old when they arrive.
    Late,
}

impl LivenessState {
    /// Whether there is no offer.
    pub const fn is_down(self) -> bool {
        matches!(self, LivenessState::Down(_))
    }
}

/// An input of the state machine. `T` is the content of a message.
#[derive(Debug)]
pub enum LivenessInput<T> {
    /// The connection to the feed is ready.
    Connected,
    /// The connection is lost.
    Lost,
    /// A live event.
    Event(Position, T),
    /// A live event with missing parts. The rest is applied, but it counts as a gap.
    Incomplete(Position, T),
    /// A live event that did not decode, with its position if that could be read.
    Undecodable(Option<Position>),
    /// A feed-active message: its flag, and the position of the last live event if it is given.
    Active(bool, Option<Position>),
    /// A snapshot: the correlation id of its request, the position at which it was taken, and the whole offer.
    Snapshot(u64, Position, T),
    /// An event or snapshot could not be applied to the offer: the offer has a gap at the newest position.
    Unapplied,
    /// Time has passed. To be sent at [`Liveness::next_deadline_ms`].
    Tick,
}

impl LivenessInput<FeedUpdate> {
    /// Converts an input of the source, and returns its language. `None` if it concerns the connection, and so every
    /// language.
    pub fn of(input: FeedInput) -> (Option<Lang>, LivenessInput<FeedUpdate>) {
        match input {
            FeedInput::Connected => (None, LivenessInput::Connected),
            FeedInput::Lost { .. } => (None, LivenessInput::Lost),
            FeedInput::Event { lang, position, update } if update.is_incomplete => {
                (Some(lang), LivenessInput::Incomplete(position, update))
            }
            FeedInput::Event { lang, position, update } => (Some(lang), LivenessInput::Event(position, update)),
            FeedInput::Undecodable { lang, position } => (Some(lang), LivenessInput::Undecodable(position)),
            FeedInput::Active { lang, active, position, .. } => (Some(lang), LivenessInput::Active(active, position)),
            FeedInput::Snapshot { lang, correlation, position, update } => {
                (Some(lang), LivenessInput::Snapshot(correlation, position, update))
            }
        }
    }
}

/// What the FeedActor must do, in this order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision<T> {
    /// Apply a live event to the offer.
    Apply(Arc<T>),
    /// Apply these live events to the snapshot (`fold`), and replace the offer with the result.
    TakeSnapshot {
        /// The whole offer when the snapshot was taken.
        snapshot: Arc<T>,
        /// The live events since then, in order.
        replay: Vec<Arc<T>>,
    },
    /// Request a snapshot from the source, with this correlation id.
    RequestSnapshot {
        /// Never used before.
        correlation: u64,
    },
    /// The state of the feed has changed. If it is Down, clear the offer.
    StateChanged(LivenessState),
    /// Only count the input.
    Ignore(Ignored),
}

/// Why an input is ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ignored {
    /// A live event that was applied already.
    StaleEvent,
    /// A snapshot for a request that is not the latest.
    OldAnswer,
    /// A snapshot that is not needed any more.
    UnwantedAnswer,
    /// A snapshot that does not contain the missing events.
    UnfitAnswer(Unfit),
}

impl Ignored {
    /// The label of the metric that counts it.
    pub const fn cause(self) -> &'static str {
        match self {
            Ignored::StaleEvent => "stale_event",
            Ignored::OldAnswer => "old_answer",
            Ignored::UnwantedAnswer => "unwanted_answer",
            Ignored::UnfitAnswer(Unfit::BeforeGap) => "answer_before_gap",
            Ignored::UnfitAnswer(Unfit::OtherEpoch) => "answer_of_other_epoch",
        }
    }
}

/// The state machine of one language.
#[derive(Debug)]
pub struct Liveness<T> {
    sequence: Sequence<T>,
    asking: Asking,
    connected: bool,
    /// The last feed-active message reported that the producer is inactive.
    was_inactive: bool,
    silent: bool,
    /// When the last message arrived.
    last_message_ms: u64,
    state: LivenessState,
    /// Since when the offer has a gap.
    gap_since_ms: Option<u64>,
    lag: Lag,
    /// The offer was dropped because the feed was too late.
    shut_by_lag: bool,
    /// The clock offset is doubtful, and a snapshot is requested because of that.
    resolves_doubt: bool,
    decisions: Vec<Decision<T>>,
}

impl<T: Weight> Liveness<T> {
    /// Starts Down, without a connection. No other language uses its correlation ids.
    pub fn new(lang: Lang) -> Liveness<T> {
        Liveness::with_lag(lang, LagLimits::default())
    }

    /// Like [`Liveness::new`], with these lag limits.
    pub fn with_lag(lang: Lang, limits: LagLimits) -> Liveness<T> {
        Liveness {
            sequence: Sequence::new(),
            asking: Asking::new(lang),
            connected: false,
            was_inactive: false,
            silent: false,
            last_message_ms: 0,
            state: LivenessState::Down(DownCause::Disconnected),
            gap_since_ms: None,
            lag: Lag::new(limits),
            shut_by_lag: false,
            resolves_doubt: false,
            decisions: Vec::new(),
        }
    }

    /// The state as of the latest input.
    pub fn state(&self) -> LivenessState {
        self.state
    }

    /// The newest position seen.
    pub fn position(&self) -> Option<Position> {
        self.sequence.newest()
    }

    /// How late the feed is. It is never late if no dates were noted.
    pub fn lag(&self) -> &Lag {
        &self.lag
    }

    /// Notes the date of the next message to be handled. `wall_ms` is the wall clock; both are ms since the epoch.
    pub fn note_date(&mut self, date_ms: i64, wall_ms: i64) {
        if self.connected {
            self.lag.measure(date_ms, wall_ms);
        }
    }

    /// Like [`Liveness::note_date`], for a snapshot, the answer to the request `correlation`.
    pub fn note_snapshot_date(&mut self, correlation: u64, date_ms: i64, wall_ms: i64) {
        if self.connected {
            self.lag.learn(date_ms, wall_ms);
        }
        if self.connected && self.resolves_doubt && self.asking.awaits(correlation) {
            self.lag.resolve_doubt(date_ms, wall_ms);
        }
    }

    /// When to send the next [`LivenessInput::Tick`], on the clock of `now_ms`.
    pub fn next_deadline_ms(&self) -> Option<u64> {
        let silence = (self.connected && !self.silent).then_some(self.last_message_ms + FEED_SILENCE_MS);
        let gap_since_ms = self.gap_since_ms.filter(|_| self.state == LivenessState::Recovering);
        let recovery = gap_since_ms.map(|since_ms| since_ms + RECOVERY_MS_MAX);
        let asking = self.asking.due_ms();
        [silence, recovery, asking].into_iter().flatten().min()
    }

    /// Handles one input and returns the decisions. Timeouts that passed before it are handled first.
    pub fn handle(&mut self, input: LivenessInput<T>, now_ms: u64) -> Vec<Decision<T>> {
        self.follow_lag(now_ms);
        self.pass_time(now_ms);
        match input {
            LivenessInput::Connected => self.connect(now_ms),
            // Ignore messages that arrive after the connection was lost.
            _ if !self.connected => {}
            LivenessInput::Lost => self.lose(),
            LivenessInput::Event(position, event) => {
                let event = Arc::new(event);
                self.event(|sequence, event| sequence.event(position, event), event, now_ms);
            }
            LivenessInput::Incomplete(position, event) => {
                self.event(|sequence, _| sequence.unreadable(position), Arc::new(event), now_ms);
            }
            LivenessInput::Unapplied => {
                self.sequence.give_up();
                self.handle_arrival(Arrival::Gap, now_ms);
            }
            LivenessInput::Undecodable(Some(position)) => {
                let arrival = self.sequence.unreadable(position);
                self.handle_arrival(arrival, now_ms);
            }
            LivenessInput::Undecodable(None) | LivenessInput::Tick => {}
            LivenessInput::Active(active, position) => self.handle_active(active, position, now_ms),
            LivenessInput::Snapshot(correlation, position, snapshot) => {
                self.answer(correlation, position, Arc::new(snapshot), now_ms);
            }
        }
        if self.shut_by_lag && !self.resolves_doubt {
            self.asking.end();
        }
        self.settle(now_ms);
        if let Some(correlation) = self.asking.ask(now_ms) {
            self.decisions.push(Decision::RequestSnapshot { correlation });
        }
        std::mem::take(&mut self.decisions)
    }

    /// Requests a snapshot when a feed that was too late is in time again, and when the clock offset becomes doubtful.
    fn follow_lag(&mut self, now_ms: u64) {
        let shut = self.lag.freshness() == Freshness::TooLate;
        let doubtful = self.lag.is_doubtful();
        let reopens = std::mem::replace(&mut self.shut_by_lag, shut) && !shut;
        let doubts = !std::mem::replace(&mut self.resolves_doubt, doubtful) && doubtful;
        if (reopens || doubts) && self.connected && !self.was_inactive {
            self.asking.begin(now_ms);
        }
    }

    fn pass_time(&mut self, now_ms: u64) {
        if self.connected && now_ms >= self.last_message_ms + FEED_SILENCE_MS {
            self.silent = true;
        }
        self.settle(now_ms);
    }

    fn connect(&mut self, now_ms: u64) {
        // Events sent while disconnected are unknown. The first snapshot shows the producer's position.
        self.lose();
        self.settle(now_ms);
        self.connected = true;
        self.silent = false;
        self.last_message_ms = now_ms;
        self.asking.begin(now_ms);
    }

    fn lose(&mut self) {
        self.connected = false;
        self.lag.reconnected();
        self.shut_by_lag = false;
        self.sequence = Sequence::new();
        self.asking.end();
    }

    fn event(&mut self, arrive: impl FnOnce(&mut Sequence<T>, &Arc<T>) -> Arrival, event: Arc<T>, now_ms: u64) {
        if self.note_message(now_ms) {
            self.asking.begin(now_ms);
        }
        let arrival = arrive(&mut self.sequence, &event);
        self.handle_arrival(arrival, now_ms);
        match arrival {
            Arrival::Stale => self.decisions.push(Decision::Ignore(Ignored::StaleEvent)),
            _ if self.state.is_down() => {}
            _ => self.decisions.push(Decision::Apply(event)),
        }
    }

    fn handle_active(&mut self, active: bool, position: Option<Position>, now_ms: u64) {
        let reactivated = self.note_message(now_ms) || active && self.was_inactive;
        let arrival = position.map(|position| self.sequence.announced(position));
        self.was_inactive = !active;
        if !active {
            self.asking.end();
        } else if reactivated {
            self.asking.begin(now_ms);
        } else if let Some(arrival) = arrival {
            self.handle_arrival(arrival, now_ms);
        }
    }

    fn answer(&mut self, correlation: u64, position: Position, snapshot: Arc<T>, now_ms: u64) {
        let was_silent = self.note_message(now_ms);
        if self.was_inactive {
            self.asking.end();
        } else if was_silent {
            self.asking.request(now_ms);
        }
        let ignored = if self.was_inactive || self.shut_by_lag || self.sequence.is_whole() {
            if self.asking.awaits(correlation) {
                self.asking.end();
            }
            Ignored::UnwantedAnswer
        } else if !self.asking.awaits(correlation) {
            Ignored::OldAnswer
        } else {
            match self.sequence.snapshot(position) {
                Ok(replay) => {
                    self.asking.end();
                    self.decisions.push(Decision::TakeSnapshot { snapshot, replay });
                    return;
                }
                Err(unfit) => {
                    self.asking.in_vain(now_ms);
                    Ignored::UnfitAnswer(unfit)
                }
            }
        };
        self.decisions.push(Decision::Ignore(ignored));
    }

    /// Notes that a message has arrived. Returns whether it ended a silence. Then the caller requests a snapshot at
    /// once, because a request sent during the silence may otherwise be repeated only much later.
    fn note_message(&mut self, now_ms: u64) -> bool {
        self.last_message_ms = now_ms;
        std::mem::take(&mut self.silent)
    }

    /// Requests a snapshot if the position of a message shows a gap or a new epoch.
    fn handle_arrival(&mut self, arrival: Arrival, now_ms: u64) {
        match arrival {
            Arrival::InOrder | Arrival::Stale => {}
            Arrival::Gap => self.asking.request(now_ms),
            // The former producer may have received the pending request without answering it.
            Arrival::NewEpoch => self.asking.begin(now_ms),
        }
        if self.was_inactive {
            self.asking.end();
        }
        self.settle(now_ms);
    }

    /// Computes the state from all other fields, and adds a decision if it changed.
    fn settle(&mut self, now_ms: u64) {
        if self.sequence.is_whole() {
            self.gap_since_ms = None;
        } else if !self.state.is_down() {
            self.gap_since_ms.get_or_insert(now_ms);
        }
        let overdue = self.gap_since_ms.is_some_and(|since_ms| now_ms >= since_ms + RECOVERY_MS_MAX);
        let next = match self.state {
            _ if !self.connected => LivenessState::Down(DownCause::Disconnected),
            _ if self.was_inactive => LivenessState::Down(DownCause::Inactive),
            _ if self.silent => LivenessState::Down(DownCause::Silent),
            _ if self.shut_by_lag => LivenessState::Down(DownCause::Late),
            _ if self.sequence.is_whole() && self.lag.freshness() == Freshness::Fresh => LivenessState::Active,
            _ if self.sequence.is_whole() => LivenessState::Recovering,
            LivenessState::Active => LivenessState::Recovering,
            LivenessState::Recovering if !overdue => LivenessState::Recovering,
            LivenessState::Recovering | LivenessState::Down(_) => LivenessState::Down(DownCause::NoSnapshot),
        };
        if next == self.state {
            return;
        }
        if next.is_down() {
            self.gap_since_ms = None;
        }
        let clears = next.is_down() && !self.state.is_down();
        if clears && self.sequence.is_whole() {
            self.sequence.give_up();
        }
        self.state = next;
        self.decisions.push(Decision::StateChanged(next));
    }
}

#[cfg(test)]
#[path = "liveness_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "liveness_convergence.rs"]
mod convergence;
