//! What protects a bettor from betting too much (CONTRACT 9): limits that bettors set for themselves, and exclusions.
//! Pure decisions: the store keeps a [`Protection`] with its account and asks it in the transaction of a bet or a
//! deposit. Must never shorten an exclusion, and must never raise a limit before its waiting time is over.

mod allowance;
mod exclusion;
mod limit;

pub use allowance::{Allowance, Flows, WindowSums};
pub use exclusion::{Exclusion, ExclusionKind, SELF_EXCLUSION_MONTHS, ShorterExclusion, TIME_OUT_HOURS, after_months};
pub use limit::{Flow, LIMIT_MINUTES_MAX, Limit, LimitKind, PendingLimit, Window};

use crate::money::Money;
use std::collections::BTreeMap;

/// The limits and the exclusion of one account.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Protection {
    /// The limits; one that was never set is absent.
    pub limits: BTreeMap<LimitKind, Limit>,
    /// The last exclusion, also one that is over.
    pub exclusion: Option<Exclusion>,
    /// Limits and exclusions of kinds that a later version has added, as it stored them. They are kept; no bet and no
    /// deposit is accepted with them (CONTRACT 9).
    pub unknown: BTreeMap<String, String>,
}

/// The name of an exclusion of an unknown kind among [`Protection::unknown`]. No limit has it.
pub const UNKNOWN_EXCLUSION: &str = "exclusion";

/// When the limits of its bettor concern a login, in ms since the epoch; `None` for never.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoginTimes {
    /// When it ends, however often it is used.
    pub ends_at_ms: Option<i64>,
    /// When a reality check is due. From then on no bet is accepted until the bettor has answered it.
    pub check_due_at_ms: Option<i64>,
}

/// What a reality check shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RealityCheck {
    /// How long the login has lasted, in ms.
    pub time_ms: i64,
    /// Stakes before tax since the login.
    pub staked: Money,
    /// What bets have paid since the login, less what corrections took back.
    pub returned: Money,
}

/// A login ends by the limit of its bettor, soon or now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionEnd {
    /// When, in ms since the epoch.
    pub ends_at_ms: i64,
    /// Time, stakes and payouts since the login.
    pub so_far: RealityCheck,
}

/// A change of one limit: `None` removes it.
pub type LimitChange = (LimitKind, Option<i64>);

impl Protection {
    /// Whether nothing was ever set, so that no further data is needed to accept a bet.
    pub fn is_empty(&self) -> bool {
        self.limits.is_empty() && self.exclusion.is_none() && self.unknown.is_empty()
    }

    /// The value of a limit in force; `None` without a limit.
    pub fn limit(&self, kind: LimitKind, now_ms: i64) -> Option<i64> {
        self.limits.get(&kind).and_then(|limit| limit.in_force(now_ms))
    }

    /// The change of a limit that waits.
    pub fn pending(&self, kind: LimitKind, now_ms: i64) -> Option<PendingLimit> {
        self.limits.get(&kind).and_then(|limit| limit.pending(now_ms))
    }

    /// The exclusion in force.
    pub fn exclusion(&self, now_ms: i64) -> Option<Exclusion> {
        self.exclusion.filter(|exclusion| exclusion.holds(now_ms))
    }

    /// With these changes. Limits that are not named stay.
    #[must_use]
    pub fn with_limits(&self, changes: &[LimitChange], now_ms: i64, raise_after_ms: i64) -> Protection {
        let mut limits = self.limits.clone();
        for &(kind, value) in changes {
            let limit = limits.entry(kind).or_default();
            *limit = limit.changed(value, now_ms, raise_after_ms);
        }
        limits.retain(|_, limit| *limit != Limit::default());
        Protection { limits, exclusion: self.exclusion, unknown: self.unknown.clone() }
    }

    /// With this exclusion instead of the present one.
    ///
    /// # Errors
    /// The present exclusion lasts longer, or this version does not know how long it lasts and the new one ends some day.
    pub fn with_exclusion(&self, exclusion: Exclusion, now_ms: i64) -> Result<Protection, ShorterExclusion> {
        let is_unknown = self.unknown.contains_key(UNKNOWN_EXCLUSION);
        if is_unknown && exclusion.until_ms.is_some()
            || self.exclusion(now_ms).is_some_and(|present| present.outlasts(exclusion))
        {
            return Err(ShorterExclusion);
        }
        let (limits, mut unknown) = (self.limits.clone(), self.unknown.clone());
        unknown.remove(UNKNOWN_EXCLUSION);
        Ok(Protection { limits, exclusion: Some(exclusion), unknown })
    }

    /// When the limits in minutes concern a login. It began at `begun_ms`; `checked_ms` is when its last reality check was
    /// answered.
    pub fn login_times(&self, begun_ms: i64, checked_ms: Option<i64>, now_ms: i64) -> LoginTimes {
        let after = |kind, from_ms: i64| {
            self.limit(kind, now_ms).map(|minutes| from_ms.saturating_add(minutes.saturating_mul(60_000)))
        };
        LoginTimes {
            ends_at_ms: after(LimitKind::Session, begun_ms),
            check_due_at_ms: after(LimitKind::RealityCheck, checked_ms.unwrap_or(begun_ms)),
        }
    }

    /// The longest window of the limits of these flows in force: sums beyond it are not needed. `None` without a limit.
    pub fn longest_window<const N: usize>(&self, flows: [Flow; N], now_ms: i64) -> Option<Window> {
        let in_force = LimitKind::of_flows(flows).filter(|kind| self.limit(*kind, now_ms).is_some());
        in_force.filter_map(|kind| kind.flow().map(|(_, window)| window)).max()
    }

    /// What each limit of these flows leaves, in the order of [`LimitKind::ALL`].
    pub fn allowances<const N: usize>(&self, flows: [Flow; N], sums: &Flows, now_ms: i64) -> Vec<Allowance> {
        LimitKind::of_flows(flows).filter_map(|kind| Allowance::of(kind, self.limit(kind, now_ms)?, sums)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MS: i64 = 86_400_000;

    #[test]
    fn an_exclusion_of_an_unknown_kind_is_not_replaced() {
        let unknown =
            BTreeMap::from([(UNKNOWN_EXCLUSION.to_owned(), r#"{"kind":"operator","until":null}"#.to_owned())]);
        let held = Protection { unknown, ..Protection::default() };
        let day = Exclusion { kind: ExclusionKind::TimeOut, until_ms: Some(DAY_MS) };
        assert_eq!(held.with_exclusion(day, 0), Err(ShorterExclusion));
        // One without an end is not shorter than any other.
        let for_ever = Exclusion { kind: ExclusionKind::SelfExclusion, until_ms: None };
        assert_eq!(held.with_exclusion(for_ever, 0).map(|protection| protection.unknown), Ok(BTreeMap::new()));
        assert!(Protection::default().with_exclusion(day, 0).is_ok());
    }

    #[test]
    fn only_named_limits_change_and_a_removed_one_disappears() {
        let none = Protection::default();
        let set = none.with_limits(&[(LimitKind::StakeDay, Some(500)), (LimitKind::Session, Some(60))], 0, DAY_MS);
        let lower = set.with_limits(&[(LimitKind::StakeDay, Some(400))], 1, DAY_MS);
        assert_eq!(lower.limit(LimitKind::StakeDay, 1), Some(400));
        assert_eq!(lower.limit(LimitKind::Session, 1), Some(60));
        let removed = lower.with_limits(&[(LimitKind::StakeDay, None)], 2, DAY_MS);
        assert_eq!(removed.limit(LimitKind::StakeDay, 1 + DAY_MS), Some(400), "not before a day has passed");
        assert_eq!(removed.limit(LimitKind::StakeDay, 2 + DAY_MS), None);
        assert!(none.with_limits(&[(LimitKind::LossDay, None)], 0, DAY_MS).is_empty());
    }

    #[test]
    fn login_ends_and_is_checked_after_the_minutes_of_its_limits() {
        let none = Protection::default();
        assert_eq!(none.login_times(0, None, 0), LoginTimes::default());
        let set = none.with_limits(&[(LimitKind::Session, Some(60)), (LimitKind::RealityCheck, Some(15))], 0, DAY_MS);
        let times = |ends, due| LoginTimes { ends_at_ms: Some(ends), check_due_at_ms: Some(due) };
        assert_eq!(set.login_times(1_000, None, 1_000), times(3_601_000, 901_000));
        assert_eq!(set.login_times(1_000, Some(902_000), 902_000), times(3_601_000, 1_802_000));
    }

    #[test]
    fn exclusion_is_replaced_by_a_longer_one_alone() {
        let until = |until_ms| Exclusion { kind: ExclusionKind::TimeOut, until_ms };
        let week = Protection::default().with_exclusion(until(Some(7 * DAY_MS)), 0).unwrap();
        assert_eq!(week.with_exclusion(until(Some(DAY_MS)), 0), Err(ShorterExclusion));
        assert_eq!(week.with_exclusion(until(None), 0).unwrap().exclusion(i64::MAX), Some(until(None)));
        let for_good = week.with_exclusion(until(None), 0).unwrap();
        assert_eq!(for_good.with_exclusion(until(Some(i64::MAX)), 0), Err(ShorterExclusion));
        let over = 7 * DAY_MS;
        assert_eq!((week.exclusion(over - 1).is_some(), week.exclusion(over)), (true, None));
        let again = week.with_exclusion(until(Some(over + 1)), over).unwrap();
        assert!(again.exclusion(over).is_some(), "an exclusion that is over hinders no shorter one");
    }

    #[test]
    fn allowances_name_the_limits_of_the_asked_flows() {
        let changes =
            [(LimitKind::StakeWeek, Some(1_000)), (LimitKind::DepositDay, Some(50)), (LimitKind::LossDay, Some(10))];
        let set = Protection::default().with_limits(&changes, 0, DAY_MS);
        let allowed: Vec<LimitKind> =
            set.allowances([Flow::Stake, Flow::Loss], &Flows::default(), 0).iter().map(|left| left.kind).collect();
        assert_eq!(allowed, [LimitKind::StakeWeek, LimitKind::LossDay]);
        let of_deposits = set.allowances([Flow::Deposit], &Flows::default(), 0);
        assert_eq!(of_deposits.iter().map(|left| left.left).collect::<Vec<_>>(), [Money::from_cents(50)]);
        let bets = [Flow::Stake, Flow::Loss];
        assert_eq!(set.longest_window(bets, 0), Some(Window::Week));
        assert_eq!(set.longest_window([Flow::Deposit], 0), Some(Window::Day));
        let deposits = Protection::default().with_limits(&[(LimitKind::DepositDay, Some(1))], 0, 0);
        assert_eq!(deposits.longest_window(bets, 0), None);
    }
}
