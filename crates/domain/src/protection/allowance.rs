//! What a limit still leaves (CONTRACT 9): stakes, losses and deposits of sliding windows against their limits.

use super::limit::{Flow, LimitKind, Window};
use crate::money::Money;

/// Sums of one kind of movement over the windows of [`Window::ALL`].
pub type WindowSums = [Money; 3];

/// The movements of an account up to now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flows {
    /// Stakes before tax.
    pub staked: WindowSums,
    /// What bets have paid, less what corrections took back.
    pub returned: WindowSums,
    /// Deposits.
    pub deposited: WindowSums,
}

impl Flows {
    /// What counts against a limit; a loss is negative after a win.
    pub fn used(&self, flow: Flow, window: Window) -> Money {
        let of = |sums: WindowSums| sums[window as usize];
        match flow {
            Flow::Stake => of(self.staked),
            Flow::Loss => [of(self.staked), of(self.returned).negated()].into_iter().sum(),
            Flow::Deposit => of(self.deposited),
        }
    }
}

/// What one limit leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// The limit.
    pub kind: LimitKind,
    /// The amount that is left; never negative.
    pub left: Money,
}

impl Allowance {
    /// What a limit of this many cents leaves; `None` for a limit in minutes.
    pub fn of(kind: LimitKind, cents: i64, flows: &Flows) -> Option<Allowance> {
        let (flow, window) = kind.flow()?;
        let left = [Money::from_cents(cents), flows.used(flow, window).negated()].into_iter().sum();
        Some(Allowance { kind, left: Money::ZERO.max(left) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stakes_losses_and_deposits_count_separately() {
        let sums = |day, week, month| [day, week, month].map(Money::from_cents);
        let flows = Flows { staked: sums(300, 900, 2_000), returned: sums(0, 1_000, 500), deposited: sums(50, 60, 70) };
        for (kind, limit, left) in [
            (LimitKind::StakeDay, 1_000, Some(700)),
            (LimitKind::StakeWeek, 1_000, Some(100)),
            (LimitKind::StakeMonth, 1_000, Some(0)),
            (LimitKind::LossDay, 1_000, Some(700)),
            (LimitKind::LossWeek, 1_000, Some(1_100)),
            (LimitKind::LossMonth, 1_000, Some(0)),
            (LimitKind::DepositDay, 60, Some(10)),
            (LimitKind::DepositWeek, 60, Some(0)),
            (LimitKind::DepositMonth, 80, Some(10)),
            (LimitKind::Session, 60, None),
        ] {
            let allowance = Allowance::of(kind, limit, &flows);
            assert_eq!(allowance.map(|allowance| allowance.left.cents()), left, "{kind:?}");
        }
    }
}
