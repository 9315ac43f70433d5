//! The ledger entries of placing, settling and correcting a bet (CONTRACT 7, *Ledger*). Each posting moves an
//! amount from one account to another, so the sum of all accounts is zero. Called by the stores inside their
//! transactions.
//!
//! Must never change or delete a posting: a correction mirrors the postings that it reverses.

use super::cash_out::CashOut;
use super::grade::{BetTerms, Outcome, Settlement};
use crate::money::Money;

/// An account of the ledger. Bettor and receivable belong to the bet's bettor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LedgerAccount {
    /// The bettor's money. Never negative.
    Bettor,
    /// The stakes of all bets that are not decided.
    OpenStakes,
    /// The operator's gains and losses.
    House,
    /// Taxes owed to the tax office.
    Tax,
    /// The bettor's debt after a correction: negative while something is owed.
    Receivable,
    /// Money from outside the system.
    Bank,
}

/// The reason of a posting: the kinds of CONTRACT 7's statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PostingKind {
    /// The first balance of an account.
    Opening,
    /// Money paid in.
    Deposit,
    /// Money paid out.
    Withdrawal,
    /// The stake of a bet.
    Stake,
    /// The win of a bet, its stake and its taxes.
    Payout,
    /// The stake of a void bet.
    Refund,
    /// A cash-out.
    CashOut,
    /// An earlier posting reversed.
    Correction,
    /// A new debt of the bettor, or a repayment.
    Receivable,
}

impl PostingKind {
    /// All kinds.
    pub const ALL: [PostingKind; 9] = [
        PostingKind::Opening,
        PostingKind::Deposit,
        PostingKind::Withdrawal,
        PostingKind::Stake,
        PostingKind::Payout,
        PostingKind::Refund,
        PostingKind::CashOut,
        PostingKind::Correction,
        PostingKind::Receivable,
    ];

    /// Its name in `account/statement` and in the stores.
    pub const fn code(self) -> &'static str {
        match self {
            PostingKind::Opening => "opening",
            PostingKind::Deposit => "deposit",
            PostingKind::Withdrawal => "withdrawal",
            PostingKind::Stake => "stake",
            PostingKind::Payout => "payout",
            PostingKind::Refund => "refund",
            PostingKind::CashOut => "cash_out",
            PostingKind::Correction => "correction",
            PostingKind::Receivable => "receivable",
        }
    }

    /// The kind with this name.
    pub fn from_code(code: &str) -> Option<PostingKind> {
        PostingKind::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// An amount that moves between two accounts, in cents and above 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Posting {
    /// The reason.
    pub kind: PostingKind,
    /// The account that is debited.
    pub from: LedgerAccount,
    /// The account that is credited.
    pub to: LedgerAccount,
    /// The amount.
    pub amount: Money,
}

impl Posting {
    const fn new(kind: PostingKind, from: LedgerAccount, to: LedgerAccount, amount: Money) -> Posting {
        Posting { kind, from, to, amount }
    }

    /// The change of an account's balance by this posting; negative for the debited account.
    pub fn change_of(&self, account: LedgerAccount) -> Money {
        if self.to == account {
            self.amount
        } else if self.from == account {
            self.amount.negated()
        } else {
            Money::ZERO
        }
    }
}

/// The posting of a new bet.
pub fn placing(bruto: Money) -> Posting {
    Posting::new(PostingKind::Stake, LedgerAccount::Bettor, LedgerAccount::OpenStakes, bruto)
}

/// The postings of a settlement: those of the stake first, then the bettor's credit.
pub fn settling(terms: &BetTerms, settlement: &Settlement) -> Vec<Posting> {
    use LedgerAccount::{Bettor, House, OpenStakes, Tax};
    let rest_of = |part: Money| terms.bruto.checked_sub(part).unwrap_or(Money::ZERO);
    let postings = match settlement.outcome {
        Outcome::Void => vec![
            Posting::new(PostingKind::Refund, OpenStakes, Tax, rest_of(settlement.paid)),
            Posting::new(PostingKind::Refund, OpenStakes, Bettor, settlement.paid),
        ],
        Outcome::Won | Outcome::Lost => vec![
            Posting::new(PostingKind::Payout, OpenStakes, House, terms.taxed_stake),
            Posting::new(PostingKind::Payout, OpenStakes, Tax, rest_of(terms.taxed_stake)),
            Posting::new(PostingKind::Payout, House, Tax, settlement.win_tax),
            Posting::new(PostingKind::Payout, House, Bettor, settlement.paid),
        ],
    };
    postings.into_iter().filter(|posting| posting.amount > Money::ZERO).collect()
}

/// The postings of a cash-out: those of the stake first, then the bettor's credit.
pub fn cashing_out(cash_out: &CashOut) -> Vec<Posting> {
    use LedgerAccount::{Bettor, House, OpenStakes, Tax};
    let CashOut { part, win_tax, paid, .. } = cash_out;
    let stake_tax = part.bruto.checked_sub(part.taxed_stake).unwrap_or(Money::ZERO);
    let postings = [
        Posting::new(PostingKind::CashOut, OpenStakes, House, part.taxed_stake),
        Posting::new(PostingKind::CashOut, OpenStakes, Tax, stake_tax),
        Posting::new(PostingKind::CashOut, House, Tax, *win_tax),
        Posting::new(PostingKind::CashOut, House, Bettor, *paid),
    ];
    postings.into_iter().filter(|posting| posting.amount > Money::ZERO).collect()
}

/// The mirrored postings that reverse these, in the same order.
pub fn reversed(postings: &[Posting]) -> Vec<Posting> {
    let mirrored =
        |posting: &Posting| Posting { kind: PostingKind::Correction, from: posting.to, to: posting.from, ..*posting };
    postings.iter().map(mirrored).collect()
}

/// The same postings for a bettor with this balance and this debt (both at least 0). A part that exceeds the balance
/// becomes a debt first; a debt is paid off after each credit. The balance is never negative, not even between two
/// postings.
pub fn with_receivable(postings: &[Posting], balance: Money, debt: Money) -> Vec<Posting> {
    use LedgerAccount::{Bettor, Receivable};
    let (mut balance, mut debt) = (balance, debt);
    let mut all = Vec::with_capacity(postings.len());
    for posting in postings {
        let change = posting.change_of(Bettor);
        let after: Money = [balance, change].into_iter().sum();
        if after < Money::ZERO {
            let missing = after.negated();
            all.push(Posting::new(PostingKind::Receivable, Receivable, Bettor, missing));
            debt = [debt, missing].into_iter().sum();
        }
        all.push(*posting);
        balance = after.max(Money::ZERO);
        if change > Money::ZERO && debt > Money::ZERO {
            let paid_off = debt.min(balance);
            all.push(Posting::new(PostingKind::Receivable, Bettor, Receivable, paid_off));
            debt = debt.checked_sub(paid_off).unwrap_or(Money::ZERO);
            balance = balance.checked_sub(paid_off).unwrap_or(Money::ZERO);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::price::Price;
    use crate::ticket::Rules;
    use LedgerAccount::{Bettor, House, OpenStakes, Receivable, Tax};
    use proptest::prelude::*;

    const ALL: [LedgerAccount; 6] = [Bettor, OpenStakes, House, Tax, Receivable, LedgerAccount::Bank];

    fn cents(cents: i64) -> Money {
        Money::from_cents(cents)
    }

    fn terms(bruto: i64, taxed: i64) -> BetTerms {
        BetTerms {
            bruto: cents(bruto),
            taxed_stake: cents(taxed),
            system_type: 0,
            pairs: vec![(Price::from_thousandths(2_000).unwrap(), false)],
            rules: Rules::default(),
            void_returns_stake_tax: true,
        }
    }

    fn settlement(outcome: Outcome, gross: i64, win_tax: i64) -> Settlement {
        let paid = cents(gross - win_tax);
        Settlement { outcome, gross: cents(gross), win_tax: cents(win_tax), paid }
    }

    fn sums(postings: &[Posting]) -> Vec<i64> {
        let sum = |account| postings.iter().map(|posting| posting.change_of(account)).sum::<Money>().cents();
        ALL.iter().map(|&account| sum(account)).collect()
    }

    #[test]
    fn a_settlement_empties_the_open_stake_and_pays_the_bettor() {
        for (settlement, bettor, house, tax) in [
            (settlement(Outcome::Won, 1900, 95), 1805, 950 - 1900, 50 + 95),
            (settlement(Outcome::Lost, 0, 0), 0, 950, 50),
            (settlement(Outcome::Void, 1000, 0), 1000, 0, 0),
            (settlement(Outcome::Void, 950, 0), 950, 0, 50),
        ] {
            let postings = settling(&terms(1000, 950), &settlement);
            assert_eq!(sums(&postings), [bettor, -1000, house, tax, 0, 0], "{settlement:?}");
        }
    }

    #[test]
    fn correction_reverses_the_postings_exactly() {
        let postings = settling(&terms(1000, 950), &settlement(Outcome::Won, 1900, 95));
        let both = [postings.clone(), reversed(&postings)].concat();
        assert_eq!(sums(&both), [0; 6]);
        assert!(reversed(&postings).iter().all(|posting| posting.kind == PostingKind::Correction));
    }

    #[test]
    fn correction_beyond_the_balance_becomes_debt_repaid_by_later_credits() {
        let won = settling(&terms(1000, 950), &settlement(Outcome::Won, 1900, 95));
        let taken_back = with_receivable(&reversed(&won), cents(300), Money::ZERO);
        let kinds: Vec<(PostingKind, i64)> = taken_back
            .iter()
            .map(|posting| (posting.kind, posting.change_of(Bettor).cents()))
            .filter(|(_, change)| *change != 0)
            .collect();
        assert_eq!(kinds, [(PostingKind::Receivable, 1505), (PostingKind::Correction, -1805)]);
        let paid =
            with_receivable(&settling(&terms(1000, 950), &settlement(Outcome::Won, 5000, 0)), cents(0), cents(1505));
        let last: Vec<i64> = paid.iter().map(|posting| posting.change_of(Bettor).cents()).collect();
        assert_eq!(last[last.len() - 2..], [5000, -1505]);
    }

    #[test]
    fn each_kind_has_a_name_of_its_own() {
        for kind in PostingKind::ALL {
            assert_eq!(PostingKind::from_code(kind.code()), Some(kind));
        }
        assert_eq!(PostingKind::from_code("gift"), None);
    }

    proptest! {
        #[test]
        fn the_balance_is_never_negative_and_the_debt_is_exact(
            changes in proptest::collection::vec(-10_000_i64..10_000, 1..30), balance in 0_i64..5_000, debt in 0_i64..5_000,
        ) {
            let postings: Vec<Posting> = changes.iter().filter(|change| **change != 0).map(|&change| {
                let (from, to) = if change > 0 { (House, Bettor) } else { (Bettor, House) };
                Posting::new(PostingKind::Payout, from, to, cents(change.abs()))
            }).collect();
            let (mut held, mut owed) = (balance, debt);
            for posting in with_receivable(&postings, cents(balance), cents(debt)) {
                prop_assert!(posting.amount > Money::ZERO);
                held += posting.change_of(Bettor).cents();
                owed -= posting.change_of(Receivable).cents();
                prop_assert!(held >= 0 && owed >= 0);
            }
            prop_assert_eq!(held - owed, balance - debt + changes.iter().sum::<i64>());
        }
    }
}
