//! One limit of a bettor. A lower value holds at once; a higher one, or the removal of the limit, waits (CONTRACT 9).
//! A change that waits takes effect by itself: it is read with the time, so nothing has to run at that moment.

/// The largest limit in minutes: a week.
pub const LIMIT_MINUTES_MAX: i64 = 7 * 24 * 60;

/// What a limit counts. Windows slide: a day is the last 24 hours.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LimitKind {
    /// Stakes of the last 24 hours, in cents.
    StakeDay,
    /// Stakes of the last 7 days, in cents.
    StakeWeek,
    /// Stakes of the last 30 days, in cents.
    StakeMonth,
    /// Stakes less payouts of the last 24 hours, in cents.
    LossDay,
    /// Stakes less payouts of the last 7 days, in cents.
    LossWeek,
    /// Stakes less payouts of the last 30 days, in cents.
    LossMonth,
    /// Deposits of the last 24 hours, in cents.
    DepositDay,
    /// Deposits of the last 7 days, in cents.
    DepositWeek,
    /// Deposits of the last 30 days, in cents.
    DepositMonth,
    /// How long a login lasts, in minutes.
    Session,
    /// How long bets are accepted after a login or a reality check, in minutes.
    RealityCheck,
}

/// A kind of movement of money that a limit counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flow {
    /// Stakes before tax.
    Stake,
    /// Stakes before tax less what was paid.
    Loss,
    /// Deposits; withdrawals do not count.
    Deposit,
}

/// A sliding window.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Window {
    /// 24 hours.
    Day,
    /// 7 days.
    Week,
    /// 30 days.
    Month,
}

impl Window {
    /// All windows, the shortest first.
    pub const ALL: [Window; 3] = [Window::Day, Window::Week, Window::Month];

    /// Its length in ms.
    pub const fn ms(self) -> i64 {
        let days = match self {
            Window::Day => 1,
            Window::Week => 7,
            Window::Month => 30,
        };
        days * 86_400_000
    }
}

impl LimitKind {
    /// All kinds.
    pub const ALL: [LimitKind; 11] = [
        LimitKind::StakeDay,
        LimitKind::StakeWeek,
        LimitKind::StakeMonth,
        LimitKind::LossDay,
        LimitKind::LossWeek,
        LimitKind::LossMonth,
        LimitKind::DepositDay,
        LimitKind::DepositWeek,
        LimitKind::DepositMonth,
        LimitKind::Session,
        LimitKind::RealityCheck,
    ];

    /// The kinds that count these flows.
    pub fn of_flows<const N: usize>(flows: [Flow; N]) -> impl Iterator<Item = LimitKind> {
        LimitKind::ALL.into_iter().filter(move |kind| kind.flow().is_some_and(|(flow, _)| flows.contains(&flow)))
    }

    /// What it counts; `None` for a limit in minutes.
    pub const fn flow(self) -> Option<(Flow, Window)> {
        Some(match self {
            LimitKind::StakeDay => (Flow::Stake, Window::Day),
            LimitKind::StakeWeek => (Flow::Stake, Window::Week),
            LimitKind::StakeMonth => (Flow::Stake, Window::Month),
            LimitKind::LossDay => (Flow::Loss, Window::Day),
            LimitKind::LossWeek => (Flow::Loss, Window::Week),
            LimitKind::LossMonth => (Flow::Loss, Window::Month),
            LimitKind::DepositDay => (Flow::Deposit, Window::Day),
            LimitKind::DepositWeek => (Flow::Deposit, Window::Week),
            LimitKind::DepositMonth => (Flow::Deposit, Window::Month),
            LimitKind::Session | LimitKind::RealityCheck => return None,
        })
    }

    /// Its name in the stores and in `account/history`: its path in `account/limits`.
    pub const fn code(self) -> &'static str {
        match self {
            LimitKind::StakeDay => "stake.day",
            LimitKind::StakeWeek => "stake.week",
            LimitKind::StakeMonth => "stake.month",
            LimitKind::LossDay => "loss.day",
            LimitKind::LossWeek => "loss.week",
            LimitKind::LossMonth => "loss.month",
            LimitKind::DepositDay => "deposit.day",
            LimitKind::DepositWeek => "deposit.week",
            LimitKind::DepositMonth => "deposit.month",
            LimitKind::Session => "session",
            LimitKind::RealityCheck => "realityCheck",
        }
    }

    /// The kind with this name.
    pub fn from_code(code: &str) -> Option<LimitKind> {
        LimitKind::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// A limit. Values are cents or minutes, as its kind says; `None` is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limit {
    /// The value until the change that waits.
    pub value: Option<i64>,
    /// A change to a higher value.
    pub pending: Option<PendingLimit>,
}

/// A change that waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PendingLimit {
    /// The next value.
    pub value: Option<i64>,
    /// When it takes effect, in ms since the epoch.
    pub at_ms: i64,
}

impl Limit {
    /// The value in force.
    pub fn in_force(&self, now_ms: i64) -> Option<i64> {
        match self.pending {
            Some(pending) if pending.at_ms <= now_ms => pending.value,
            _ => self.value,
        }
    }

    /// The change that still waits.
    pub fn pending(&self, now_ms: i64) -> Option<PendingLimit> {
        self.pending.filter(|pending| pending.at_ms > now_ms)
    }

    /// With a new value: at once if it is lower, later if it is higher or no limit. The value in force withdraws a
    /// change that waits; the value that waits already keeps its time.
    #[must_use]
    pub fn changed(&self, value: Option<i64>, now_ms: i64, raise_after_ms: i64) -> Limit {
        let in_force = self.in_force(now_ms);
        if strictness(value) <= strictness(in_force) {
            return Limit { value, pending: None };
        }
        let waits = self.pending(now_ms).filter(|pending| pending.value == value);
        let at_ms = now_ms.saturating_add(raise_after_ms);
        Limit { value: in_force, pending: Some(waits.unwrap_or(PendingLimit { value, at_ms })) }
    }
}

/// Orders values from the strictest to none.
fn strictness(value: Option<i64>) -> i64 {
    value.unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WAIT_MS: i64 = 100;

    #[test]
    fn lower_value_holds_at_once_and_a_higher_one_later() {
        let limit = Limit::default().changed(Some(500), 0, WAIT_MS);
        assert_eq!((limit.in_force(0), limit.pending(0)), (Some(500), None), "the first limit is lower than none");
        let raised = limit.changed(Some(900), 10, WAIT_MS);
        assert_eq!((raised.in_force(109), raised.in_force(110)), (Some(500), Some(900)));
        assert_eq!(raised.pending(109), Some(PendingLimit { value: Some(900), at_ms: 110 }));
        assert_eq!(raised.pending(110), None);
        let removed = raised.changed(None, 110, WAIT_MS);
        assert_eq!((removed.in_force(209), removed.in_force(210)), (Some(900), None));
    }

    #[test]
    fn change_that_waits_is_withdrawn_by_the_value_in_force_and_by_a_lower_one() {
        let raised = Limit { value: Some(500), pending: None }.changed(Some(900), 0, WAIT_MS);
        for (value, at) in [(500, 50), (400, 50)] {
            assert_eq!(raised.changed(Some(value), at, WAIT_MS), Limit { value: Some(value), pending: None });
        }
    }

    #[test]
    fn repeated_change_keeps_its_time_and_another_one_begins_to_wait() {
        let raised = Limit { value: Some(500), pending: None }.changed(Some(900), 0, WAIT_MS);
        assert_eq!(raised.changed(Some(900), 60, WAIT_MS), raised);
        assert_eq!(
            raised.changed(Some(800), 60, WAIT_MS).pending(60),
            Some(PendingLimit { value: Some(800), at_ms: 160 })
        );
    }

    #[test]
    fn each_kind_has_its_own_name() {
        for kind in LimitKind::ALL {
            assert_eq!(LimitKind::from_code(kind.code()), Some(kind));
        }
        assert_eq!(LimitKind::from_code("stake"), None);
    }

    proptest! {
        #[test]
        fn no_sequence_of_changes_is_looser_than_a_value_of_the_last_waiting_time(
            changes in proptest::collection::vec((proptest::option::of(0_i64..50), 0_i64..60), 1..20),
        ) {
            let (mut limit, mut now) = (Limit::default(), 0);
            let mut history: Vec<(i64, Option<i64>)> = vec![(i64::MIN, None)];
            for (value, later) in changes {
                now += later;
                limit = limit.changed(value, now, WAIT_MS);
                history.push((now, value));
                // Looser than all that was chosen in the waiting time would mean a raise came too early.
                let chosen = history.iter().rev().take_while(|(at, _)| *at > now - WAIT_MS).map(|(_, value)| *value);
                let before = history.iter().rev().find(|(at, _)| *at <= now - WAIT_MS).map(|(_, value)| *value);
                let loosest = chosen.chain(before).map(strictness).max().unwrap_or(i64::MAX);
                prop_assert!(strictness(limit.in_force(now)) <= loosest);
                prop_assert!(strictness(limit.in_force(now)) <= strictness(value));
            }
        }
    }
}
