//! The rows to write for bets that change: settlements, postings, bets, pairs and the money of accounts (CONTRACT 7). The
//! store reads the bets and their results, calls [`revisions`] and [`Batch::of`], and writes the rows in one transaction.
//! Must not decide how a bet changes: `revise.rs` does.

use super::LedgerFault;
use super::revise::{GradedBet, Revision, revise, state_of, taking_back};
use crate::bet::{
    AccountId, AccountMoney, BetChange, BetEvent, BetProgress, BetState, StoredResult, StoredSettlement, TicketId,
};
use crate::money::Money;
use crate::settlement::{LedgerAccount, PairResult, Posting, PostingKind, Settlement, possible, with_receivable};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A bet as a database read it.
#[derive(Clone, Debug)]
pub struct LoadedBet {
    /// The number of its row.
    pub id: i64,
    /// The number on the ticket.
    pub ticket_id: TicketId,
    /// The account.
    pub account: AccountId,
    /// The number of settlements so far, including reversed ones.
    pub settlements: u32,
    /// The current settlement.
    pub standing: Option<StoredSettlement>,
    /// The revision: the number of changes of the bet.
    pub revision: u64,
    /// The data for grading.
    pub bet: GradedBet,
}

/// The money of an account while a batch is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holdings {
    /// The balance, in cents.
    pub balance: Money,
    /// The debt, in cents; not negative.
    pub receivable: Money,
    /// The revision: the number of changes of the balance or the debt.
    pub revision: u64,
}

impl From<Holdings> for AccountMoney {
    fn from(held: Holdings) -> AccountMoney {
        AccountMoney { balance: held.balance, receivable: held.receivable, revision: held.revision }
    }
}

impl Holdings {
    /// Applies a posting.
    pub fn apply(&mut self, posting: &Posting) {
        let owed = posting.change_of(LedgerAccount::Receivable);
        self.balance = [self.balance, posting.change_of(LedgerAccount::Bettor)].into_iter().sum();
        self.receivable = [self.receivable, owed.negated()].into_iter().sum();
        self.revision = self.revision.saturating_add(1);
    }
}

/// A bet, and how it changes.
pub type Revised = (LoadedBet, Revision);

/// The bets that change.
pub fn revisions(loaded: Vec<LoadedBet>) -> Vec<Revised> {
    loaded.into_iter().filter_map(|bet| revise(&bet.bet).map(|revision| (bet, revision))).collect()
}

/// The numbers of the bets with a reversed settlement. The database must read the ids of its postings.
pub fn taken_back(revised: &[Revised]) -> Vec<i64> {
    revised.iter().filter(|(_, revision)| revision.takes_back).map(|(bet, _)| bet.id).collect()
}

/// A row of `settlements`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettlementRow {
    /// The number of the bet.
    pub bet_id: i64,
    /// The number of the settlement, from 1.
    pub number: u32,
    /// The state of the bet by it.
    pub state: BetState,
    /// What it pays.
    pub settlement: Settlement,
    /// The reason of the provider, if there is one.
    pub reason: Option<String>,
}

/// A row of `postings`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PostingRow {
    /// The movement.
    pub posting: Posting,
    /// The account that it concerns.
    pub bettor: AccountId,
    /// The number of the bet.
    pub bet_id: i64,
    /// The settlement; `None` for a cash-out.
    pub settlement: Option<u32>,
    /// The posting that a correction reverses.
    pub reverses: Option<i64>,
    /// The balance of the account after it; `None` if it does not concern the bettor's own account.
    pub balance_after: Option<Money>,
}

/// The new values of a row of `bets`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BetRow {
    /// The number of the bet.
    pub id: i64,
    /// The state.
    pub state: BetState,
    /// The number of settlements so far.
    pub settlements: u32,
    /// The number of the current settlement.
    pub standing: Option<u32>,
    /// The revision.
    pub revision: u64,
}

/// The new values of a row of `bet_pairs`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairRow {
    /// The number of the bet.
    pub bet_id: i64,
    /// Its position in the bet, from 0.
    pub position: usize,
    /// Its result.
    pub stored: StoredResult,
}

/// All rows of a batch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch {
    /// New settlements.
    pub settlements: Vec<SettlementRow>,
    /// New postings, in their order.
    pub postings: Vec<PostingRow>,
    /// Changed bets.
    pub bets: Vec<BetRow>,
    /// Changed pairs.
    pub pairs: Vec<PairRow>,
    /// The money of the accounts with a new posting, by account.
    pub accounts: BTreeMap<i64, Holdings>,
    /// One event for each bet.
    pub events: Vec<BetEvent>,
}

impl Batch {
    /// The rows for bets that change. `holdings` has all their accounts. `postings` has the ids of the postings of each
    /// settlement that is reversed, in their order.
    ///
    /// # Errors
    /// Postings of a settlement are missing: the ledger is corrupt.
    pub fn of(
        revised: Vec<Revised>,
        mut holdings: HashMap<i64, Holdings>,
        mut postings: HashMap<i64, Vec<i64>>,
        now_ms: i64,
    ) -> Result<Batch, LedgerFault> {
        let mut batch = Batch::default();
        for (bet, revision) in revised {
            let held = holdings
                .get_mut(&bet.account.get())
                .ok_or_else(|| LedgerFault(format!("there is no account {}", bet.account)))?;
            batch.add(bet, revision, held, &mut postings, now_ms)?;
        }
        let touched = batch.postings.iter().map(|row| row.bettor.get());
        batch.accounts = touched.filter_map(|account| Some((account, *holdings.get(&account)?))).collect();
        Ok(batch)
    }

    fn add(
        &mut self,
        bet: LoadedBet,
        revision: Revision,
        held: &mut Holdings,
        postings: &mut HashMap<i64, Vec<i64>>,
        now_ms: i64,
    ) -> Result<(), LedgerFault> {
        let mut movements = Vec::new();
        let mut reversed_ids = Vec::new().into_iter();
        if let (true, Some(standing)) = (revision.takes_back, &bet.bet.standing) {
            movements = taking_back(&bet.bet.terms, standing);
            let ids = postings.remove(&bet.id).unwrap_or_default();
            if ids.len() != movements.len() {
                return Err(LedgerFault(format!("the postings of bet {} are not those of its settlement", bet.id)));
            }
            reversed_ids = ids.into_iter();
        }
        let number = if revision.makes.is_some() { bet.settlements.saturating_add(1) } else { bet.settlements };
        let (takes_back, is_made) = (revision.takes_back, revision.makes.is_some());
        let mut settlement = bet.standing.clone().filter(|_| !takes_back);
        if let Some((made, made_postings, reason)) = revision.makes {
            movements.extend(made_postings);
            let state = state_of(made.outcome);
            self.settlements.push(SettlementRow {
                bet_id: bet.id,
                number,
                state,
                settlement: made,
                reason: reason.clone(),
            });
            let Settlement { gross, win_tax, paid, .. } = made;
            settlement = Some(StoredSettlement { number, at_ms: now_ms, gross, win_tax, paid, reason });
        }
        self.book(&movements, &bet, Some(number), held, reversed_ids);
        let bet_revision = bet.revision.saturating_add(1);
        self.bets.push(BetRow {
            id: bet.id,
            state: revision.state,
            settlements: number,
            standing: settlement.as_ref().map(|standing| standing.number),
            revision: bet_revision,
        });
        let mut results = Vec::with_capacity(revision.pairs.len());
        for (position, (pair, (result, reason))) in bet.bet.pairs.iter().zip(revision.pairs).enumerate() {
            let result = result.as_stored();
            // A pair keeps the time of its result until the result changes.
            let since_ms = pair.kept.settled_at_ms.filter(|_| pair.kept.result == result).unwrap_or(now_ms);
            let stored = StoredResult { result, settled_at_ms: result.is_decided().then_some(since_ms), reason };
            if stored != pair.kept {
                self.pairs.push(PairRow { bet_id: bet.id, position, stored: stored.clone() });
            }
            results.push(stored);
        }
        let terms = &bet.bet.terms;
        let all: Vec<PairResult> = results.iter().map(|stored| stored.result).collect();
        let progress = Arc::new(BetProgress {
            ticket_id: bet.ticket_id,
            revision: bet_revision,
            state: revision.state,
            possible: (revision.state == BetState::Open).then(|| possible(terms, &all)),
            results,
            odds_taken: terms.pairs.iter().map(|(taken, _)| *taken).collect(),
            settlement,
            cash_out: None,
        });
        self.events.push(BetEvent {
            account: bet.account,
            money: (*held).into(),
            change: match (takes_back, is_made) {
                (true, _) => BetChange::Corrected(progress),
                (false, true) => BetChange::Settled(progress),
                (false, false) => BetChange::PairDecided(progress),
            },
        });
        Ok(())
    }
}

impl Batch {
    /// Books movements of money for a bet, and changes the money of its account. `reversed_ids` are the postings that the
    /// corrections reverse, in their order.
    pub fn book(
        &mut self,
        movements: &[Posting],
        bet: &LoadedBet,
        settlement: Option<u32>,
        held: &mut Holdings,
        mut reversed_ids: impl Iterator<Item = i64>,
    ) {
        for posting in with_receivable(movements, held.balance, held.receivable) {
            let change = posting.change_of(LedgerAccount::Bettor);
            held.apply(&posting);
            self.postings.push(PostingRow {
                posting,
                bettor: bet.account,
                bet_id: bet.id,
                settlement,
                reverses: if posting.kind == PostingKind::Correction { reversed_ids.next() } else { None },
                balance_after: (change != Money::ZERO).then_some(held.balance),
            });
        }
    }
}
