//! Whether a producer can be trusted: alive messages, silence, recovery (contract 10). A pure state machine: the caller
//! passes the time in and does what it asks for.
//!
//! Must not be up before a recovery of its own request is complete.

use crate::message::ProducerId;
use crate::recovery_limits::{Asked, RecoveryLimits};

/// How long a recovery may take before it is asked for again, in ms: the provider's clients use 10 to 60 minutes.
const RECOVERY_MS_MAX: i64 = 20 * 60_000;
/// The first pause after a failed request, and the longest, in ms.
const RETRY_MS: [i64; 2] = [2_000, 60_000];

/// What a producer is configured with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The producer.
    pub id: ProducerId,
    /// How long it may be silent, or we may be behind, in ms.
    pub silence_ms: i64,
    /// How far back a recovery may begin, in ms.
    pub window_ms: i64,
}

/// The state of a producer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Its odds cannot be trusted.
    Down,
    /// It lives, and its odds are being recovered.
    Recovering,
    /// Its odds are complete.
    Up,
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// The connection to the broker is lost.
    Lost,
    /// An alive message was processed.
    Alive {
        /// When the producer made it, in ms since the epoch.
        timestamp_ms: i64,
        /// Whether it sends us its messages.
        is_subscribed: bool,
    },
    /// A message of the producer was processed so long after it had arrived, in ms.
    Waited(i64),
    /// A recovery is complete.
    SnapshotComplete(i64),
    /// The call that asked for a recovery failed.
    RequestFailed(i64),
    /// Time passes.
    Tick,
}

/// What the caller must do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Take no bets on its lines.
    GoDown,
    /// Ask for a recovery; its lines are unconfirmed from now on.
    Ask {
        /// The number of the request.
        request_id: i64,
        /// From when on, in ms since the epoch; `None` for all present odds.
        after_ms: Option<i64>,
    },
    /// Its confirmed lines can be bet on.
    GoUp,
}

/// A producer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Producer {
    settings: Settings,
    state: State,
    /// When the latest alive was processed, in our time.
    heard_ms: Option<i64>,
    /// The time of the latest alive that was processed while it was up: a recovery begins there.
    recover_from_ms: Option<i64>,
    /// The request that is under way, and when it was made.
    request: Option<(i64, i64)>,
    /// When the next request may be made, and the pause after the next failure.
    retry: (i64, i64),
    next_request_id: i64,
    limits: RecoveryLimits,
}

impl Producer {
    /// A producer of which nothing has been heard. `recover_from_ms` is what a former run has kept, and
    /// `first_request_id` must be larger than its requests.
    pub fn new(settings: Settings, recover_from_ms: Option<i64>, first_request_id: i64) -> Producer {
        Producer {
            settings,
            state: State::Down,
            heard_ms: None,
            recover_from_ms,
            request: None,
            retry: (i64::MIN, RETRY_MS[0]),
            next_request_id: first_request_id,
            limits: RecoveryLimits::default(),
        }
    }

    /// Its state.
    pub fn state(&self) -> State {
        self.state
    }

    /// How far back a recovery may begin, in ms, as the provider says.
    pub fn set_window_ms(&mut self, window_ms: i64) {
        self.settings.window_ms = window_ms;
    }

    /// Where the next recovery begins, to be kept for the next run.
    pub fn recover_from_ms(&self) -> Option<i64> {
        self.recover_from_ms
    }

    /// Handles an input at a time, in ms since the epoch.
    pub fn handle(&mut self, input: Input, now_ms: i64) -> Vec<Action> {
        let mut actions = Vec::new();
        let is_silent =
            self.heard_ms.is_none_or(|heard_ms| now_ms.saturating_sub(heard_ms) >= self.settings.silence_ms);
        if is_silent {
            self.go_down(&mut actions);
        }
        match input {
            Input::Lost => self.go_down(&mut actions),
            Input::Alive { timestamp_ms, is_subscribed } => {
                self.heard_ms = Some(now_ms);
                if self.state == State::Up && is_subscribed {
                    self.recover_from_ms = Some(timestamp_ms.max(self.recover_from_ms.unwrap_or(timestamp_ms)));
                } else if self.state == State::Up {
                    self.go_down(&mut actions);
                }
                if self.state == State::Down {
                    self.state = State::Recovering;
                }
            }
            Input::Waited(waited_ms) if waited_ms > self.settings.silence_ms => self.go_down(&mut actions),
            Input::SnapshotComplete(request_id) if self.is_awaited(request_id) => {
                (self.state, self.request) = (State::Up, None);
                self.retry.1 = RETRY_MS[0];
                actions.push(Action::GoUp);
            }
            Input::RequestFailed(request_id) if self.is_awaited(request_id) => {
                let (_, pause_ms) = self.retry;
                self.request = None;
                self.retry = (now_ms.saturating_add(pause_ms), pause_ms.saturating_mul(2).min(RETRY_MS[1]));
            }
            Input::Waited(_) | Input::SnapshotComplete(_) | Input::RequestFailed(_) | Input::Tick => {}
        }
        if self.state == State::Recovering {
            self.ask(now_ms, &mut actions);
        }
        actions
    }

    fn is_awaited(&self, request_id: i64) -> bool {
        self.state == State::Recovering && self.request.is_some_and(|(held, _)| held == request_id)
    }

    fn go_down(&mut self, actions: &mut Vec<Action>) {
        if self.state == State::Up {
            actions.push(Action::GoDown);
        }
        (self.state, self.request) = (State::Down, None);
    }

    /// Asks for a recovery if none is under way, or if it has taken too long.
    fn ask(&mut self, now_ms: i64, actions: &mut Vec<Action>) {
        let is_late = |(_, at_ms): (i64, i64)| now_ms.saturating_sub(at_ms) >= RECOVERY_MS_MAX;
        if self.request.is_some_and(|request| !is_late(request)) {
            return;
        }
        let age_ms = self.recover_from_ms.map(|from_ms| now_ms.saturating_sub(from_ms));
        let age_ms = age_ms.filter(|age_ms| *age_ms <= self.settings.window_ms);
        let asked = Asked::Since(age_ms);
        if now_ms < self.retry.0 || self.limits.allowed_at(asked, now_ms) > now_ms {
            return;
        }
        self.limits.note(asked, now_ms);
        let request_id = self.next_request_id;
        self.next_request_id = request_id.saturating_add(1);
        self.request = Some((request_id, now_ms));
        actions.push(Action::Ask { request_id, after_ms: age_ms.and(self.recover_from_ms) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SETTINGS: Settings = Settings { id: 1, silence_ms: 20_000, window_ms: 10 * 3_600_000 };
    const ALIVE: Input = Input::Alive { timestamp_ms: 0, is_subscribed: true };

    fn alive(timestamp_ms: i64) -> Input {
        Input::Alive { timestamp_ms, is_subscribed: true }
    }

    fn ask(request_id: i64, after_ms: Option<i64>) -> Action {
        Action::Ask { request_id, after_ms }
    }

    fn up_at(now_ms: i64) -> Producer {
        let mut producer = Producer::new(SETTINGS, None, 1);
        assert_eq!(producer.handle(alive(now_ms), now_ms), [ask(1, None)]);
        assert_eq!(producer.handle(Input::SnapshotComplete(1), now_ms), [Action::GoUp]);
        producer
    }

    #[test]
    fn a_producer_is_up_after_the_recovery_that_was_asked_for() {
        let mut producer = Producer::new(SETTINGS, None, 7);
        assert_eq!(producer.handle(Input::Tick, 0), []);
        assert_eq!(producer.handle(ALIVE, 0), [ask(7, None)]);
        assert_eq!(producer.handle(Input::SnapshotComplete(6), 1), [], "the recovery of another request");
        assert_eq!(producer.handle(ALIVE, 10_000), []);
        assert_eq!(producer.handle(Input::SnapshotComplete(7), 10_001), [Action::GoUp]);
        assert_eq!(producer.state(), State::Up);
    }

    #[test]
    fn silence_takes_it_down_and_a_recovery_begins_at_the_last_alive_while_it_was_up() {
        let mut producer = up_at(0);
        producer.handle(alive(9_900), 10_000);
        assert_eq!(producer.handle(Input::Tick, 29_999), []);
        assert_eq!(producer.handle(Input::Tick, 30_000), [Action::GoDown]);
        assert_eq!(producer.handle(alive(39_900), 40_000), [ask(2, Some(9_900))]);
        assert_eq!(producer.recover_from_ms(), Some(9_900), "an alive during the recovery changes nothing");
        assert_eq!(producer.handle(Input::SnapshotComplete(2), 41_000), [Action::GoUp]);
        producer.handle(alive(49_900), 50_000);
        assert_eq!(producer.recover_from_ms(), Some(49_900));
    }

    #[test]
    fn a_lost_connection_a_new_subscription_and_a_long_delay_take_it_down() {
        let mut producer = up_at(0);
        assert_eq!(producer.handle(Input::Lost, 1), [Action::GoDown]);
        assert_eq!(producer.handle(alive(2), 2), [ask(2, None)]);

        let mut producer = up_at(0);
        let unsubscribed = Input::Alive { timestamp_ms: 5, is_subscribed: false };
        assert_eq!(producer.handle(unsubscribed, 5), [Action::GoDown, ask(2, None)]);

        let mut producer = up_at(0);
        assert_eq!(producer.handle(Input::Waited(20_000), 5), []);
        assert_eq!(producer.handle(Input::Waited(20_001), 5), [Action::GoDown]);
    }

    #[test]
    fn beyond_the_window_everything_is_asked_for() {
        for (from_ms, after_ms) in [(0, None), (1, Some(1))] {
            let mut producer = Producer::new(SETTINGS, Some(from_ms), 1);
            let now_ms = SETTINGS.window_ms + 1;
            assert_eq!(producer.handle(alive(now_ms), now_ms), [ask(1, after_ms)]);
        }
    }

    #[test]
    fn failed_and_endless_requests_are_repeated_with_pauses_and_within_the_limits() {
        let mut producer = Producer::new(SETTINGS, Some(0), 1);
        let mut asked = Vec::new();
        let mut now_ms = 1_000;
        while now_ms < 10 * 60_000 {
            for action in producer.handle(alive(now_ms), now_ms) {
                if let Action::Ask { request_id, .. } = action {
                    asked.push(now_ms);
                    assert_eq!(producer.handle(Input::RequestFailed(request_id), now_ms), []);
                }
            }
            now_ms += 1_000;
        }
        assert_eq!(asked[..4], [1_000, 3_000, 7_000, 15_000]);
        assert!(asked.len() <= 20 && asked.windows(2).all(|pair| pair[1] - pair[0] <= 60_000), "{asked:?}");

        let mut producer = Producer::new(SETTINGS, Some(0), 1);
        producer.handle(alive(0), 0);
        let mut asked = Vec::new();
        for now_ms in (10_000..=25 * 60_000).step_by(10_000) {
            asked.extend(producer.handle(alive(now_ms), now_ms).into_iter().map(|action| (now_ms, action)));
        }
        assert_eq!(asked, [(RECOVERY_MS_MAX, ask(2, Some(0)))]);
    }

    proptest! {
        /// Whatever happens, it is up only after a recovery of its latest request and within the silence.
        #[test]
        fn it_is_never_up_without_a_recovery(steps in proptest::collection::vec((0..7_u8, 0..15_000_i64), 1..80)) {
            let mut producer = Producer::new(SETTINGS, None, 1);
            let (mut now_ms, mut heard_ms, mut asked) = (0, i64::MIN / 2, None);
            for (kind, wait_ms) in steps {
                now_ms += wait_ms;
                let input = match kind {
                    0 | 1 => alive(now_ms),
                    2 => Input::SnapshotComplete(asked.unwrap_or(0)),
                    3 => Input::SnapshotComplete(asked.unwrap_or(0) - 1),
                    4 => Input::RequestFailed(asked.unwrap_or(0)),
                    5 => Input::Tick,
                    _ => Input::Lost,
                };
                let before = producer.state();
                let actions = producer.handle(input, now_ms);
                if let Input::Alive { .. } = input {
                    heard_ms = now_ms;
                }
                for action in &actions {
                    if let Action::Ask { request_id, .. } = action {
                        prop_assert!(asked.is_none_or(|held| held < *request_id));
                        asked = Some(*request_id);
                    }
                }
                if before != State::Up && producer.state() == State::Up {
                    prop_assert_eq!(input, Input::SnapshotComplete(asked.unwrap_or(-1)));
                    prop_assert_eq!(&actions, &[Action::GoUp]);
                }
                if producer.state() == State::Up {
                    prop_assert!(now_ms - heard_ms < SETTINGS.silence_ms);
                }
                prop_assert_eq!(actions.contains(&Action::GoDown), before == State::Up && producer.state() != State::Up);
            }
        }
    }
}
