//! Computes the rows to write for a settlement batch, in the same way for all databases. The databases read the bets
//! and their results, call [`revisions`] and [`Batch::of`], and write the rows in one transaction.
//!
//! Must never read or write a database itself.

use super::settlement::{GradedBet, Revision, revise, state_of, taking_back};
use super::{StoreError, bet_rules};
use kvota_domain::bet::{
    AccountId, AccountMoney, Bet, BetChange, BetEvent, BetPair, BetProgress, BetRules, BetState, StoredResult,
    StoredSettlement, TicketId,
};
use kvota_domain::ids::{MarketId, MatchId, OddId};
use kvota_domain::money::Money;
use kvota_domain::settlement::{
    DeadHeat, LedgerAccount, MarketResult, MarketState, PairResult, Posting, PostingKind, RawOddResult, Settlement,
    VoidFactor, VoidWindow, possible, with_receivable,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A bet as a database read it.
#[derive(Clone, Debug)]
pub(super) struct LoadedBet {
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
pub(super) struct Holdings {
    /// The balance, in cents.
    pub balance: Money,
    /// The debt, in cents; not negative.
    pub receivable: Money,
    /// The revision: the number of changes of the balance or the debt.
    pub revision: u64,
}

impl Holdings {
    /// Applies a posting.
    pub(super) fn apply(&mut self, posting: &Posting) {
        let owed = posting.change_of(LedgerAccount::Receivable);
        self.balance = [self.balance, posting.change_of(LedgerAccount::Bettor)].into_iter().sum();
        self.receivable = [self.receivable, owed.negated()].into_iter().sum();
        self.revision = self.revision.saturating_add(1);
    }
}

/// A bet, and how it changes.
pub(super) type Revised = (LoadedBet, Revision);

/// The bets that change.
pub(super) fn revisions(loaded: Vec<LoadedBet>) -> Vec<Revised> {
    loaded.into_iter().filter_map(|bet| revise(&bet.bet).map(|revision| (bet, revision))).collect()
}

/// The numbers of the bets with a reversed settlement. The database must read the ids of its postings.
pub(super) fn taken_back(revised: &[Revised]) -> Vec<i64> {
    revised.iter().filter(|(_, revision)| revision.takes_back).map(|(bet, _)| bet.id).collect()
}

/// A row of `settlements`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SettlementRow {
    pub bet_id: i64,
    pub number: u32,
    pub state: BetState,
    pub settlement: Settlement,
    pub reason: Option<String>,
}

/// A row of `postings`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PostingRow {
    pub posting: Posting,
    pub bettor: AccountId,
    pub bet_id: i64,
    /// The settlement; `None` for a cash-out.
    pub settlement: Option<u32>,
    pub reverses: Option<i64>,
    pub balance_after: Option<Money>,
}

/// The new values of a row of `bets`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BetRow {
    pub id: i64,
    pub state: BetState,
    pub settlements: u32,
    pub standing: Option<u32>,
    pub revision: u64,
}

/// The new values of a row of `bet_pairs`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PairRow {
    pub bet_id: i64,
    pub position: usize,
    pub stored: StoredResult,
}

/// All rows of a batch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Batch {
    pub settlements: Vec<SettlementRow>,
    pub postings: Vec<PostingRow>,
    pub bets: Vec<BetRow>,
    pub pairs: Vec<PairRow>,
    pub accounts: BTreeMap<i64, Holdings>,
    pub events: Vec<BetEvent>,
}

impl Batch {
    /// The rows for bets that change. `holdings` has all their accounts. `postings` has the ids of the postings of each
    /// settlement that is reversed, in their order.
    ///
    /// # Errors
    /// Postings of a settlement are missing: the ledger is corrupt.
    pub(super) fn of(
        revised: Vec<Revised>,
        mut holdings: HashMap<i64, Holdings>,
        mut postings: HashMap<i64, Vec<i64>>,
        now_ms: i64,
    ) -> Result<Batch, StoreError> {
        let mut batch = Batch::default();
        for (bet, revision) in revised {
            let held = holdings
                .get_mut(&bet.account.get())
                .ok_or_else(|| StoreError::corrupt(format!("there is no account {}", bet.account)))?;
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
    ) -> Result<(), StoreError> {
        let mut movements = Vec::new();
        let mut reversed_ids = Vec::new().into_iter();
        if let (true, Some(standing)) = (revision.takes_back, &bet.bet.standing) {
            movements = taking_back(&bet.bet.terms, standing);
            let ids = postings.remove(&bet.id).unwrap_or_default();
            if ids.len() != movements.len() {
                return Err(StoreError::corrupt(format!(
                    "the postings of bet {} are not those of its settlement",
                    bet.id
                )));
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
            money: AccountMoney { balance: held.balance, receivable: held.receivable, revision: held.revision },
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
    pub(super) fn book(
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

/// The name of a ledger account in the databases.
pub(super) const fn account_name(account: LedgerAccount) -> &'static str {
    match account {
        LedgerAccount::Bettor => "bettor",
        LedgerAccount::OpenStakes => "open_stakes",
        LedgerAccount::House => "house",
        LedgerAccount::Tax => "tax",
        LedgerAccount::Receivable => "receivable",
        LedgerAccount::Bank => "bank",
    }
}

/// Decoded rules, by their stored text: bets of one batch usually have the same rules.
#[derive(Default)]
pub(super) struct RulesCache(HashMap<String, BetRules>);

impl RulesCache {
    /// Decodes stored rules.
    ///
    /// # Errors
    /// There is no text, or this program did not write it.
    pub(super) fn read(&mut self, text: Option<String>) -> Result<BetRules, StoreError> {
        let text = text.ok_or_else(|| StoreError::corrupt("a bet has no rules"))?;
        if let Some(known) = self.0.get(&text) {
            return Ok(known.clone());
        }
        let rules =
            bet_rules::from_json(&text).ok_or_else(|| StoreError::corrupt("the rules of a bet cannot be read"))?;
        self.0.insert(text, rules.clone());
        Ok(rules)
    }
}

/// If an odd of a new bet currently has a result, returns the match of the first such pair.
pub(super) fn settled_pair(bet: &Bet, results: &[(MatchId, MarketResult)]) -> Option<MatchId> {
    let is_decided = |pair: &BetPair| {
        let of_pair = |(match_id, result): &&(MatchId, MarketResult)| {
            *match_id == pair.match_id && result.market == pair.market_id
        };
        results.iter().find(of_pair).is_some_and(|(_, result)| result.decides(pair.odd_id, bet.placed_at_ms))
    };
    bet.pairs.iter().find(|pair| is_decided(pair)).map(|pair| pair.match_id)
}

/// The columns `odds` and `void_windows` of a result.
pub(super) fn result_as_json(result: &MarketResult) -> (String, String) {
    let odds = result.odds.iter().map(|odd| {
        let void = odd.void_factor.map(VoidFactor::ten_thousandths);
        let dead_heat = odd.dead_heat.map(DeadHeat::ten_thousandths);
        json!([odd.odd.get(), odd.result, void, dead_heat])
    });
    let windows = result.void_windows.iter().map(|window| json!([window.from_ms, window.until_ms]));
    (Value::Array(odds.collect()).to_string(), Value::Array(windows.collect()).to_string())
}

/// An odd in the column `odds`: its id, its result, its void factor and its dead heat.
type KeptOdd = (u64, Option<i64>, Option<u64>, Option<u64>);

/// Decodes a stored result.
///
/// # Errors
/// This program did not write the columns.
pub(super) fn result_of(
    market: MarketId,
    version: i64,
    state: i64,
    odds: &str,
    windows: &str,
    reason: Option<String>,
) -> Result<MarketResult, StoreError> {
    let corrupt = || StoreError::corrupt(format!("the result of market {market} cannot be read"));
    let odds: Vec<KeptOdd> = serde_json::from_str(odds).map_err(|_| corrupt())?;
    let odds = odds.into_iter().map(|(odd, result, void, dead_heat)| {
        Some(RawOddResult {
            odd: OddId::new(odd)?,
            result,
            void_factor: void.and_then(VoidFactor::from_ten_thousandths),
            dead_heat: dead_heat.and_then(DeadHeat::from_ten_thousandths),
        })
    });
    let windows: Vec<(Option<i64>, Option<i64>)> = serde_json::from_str(windows).map_err(|_| corrupt())?;
    let void_windows = windows.into_iter().map(|(from_ms, until_ms)| VoidWindow { from_ms, until_ms }).collect();
    Ok(MarketResult {
        market,
        version,
        state: MarketState::from_code(state),
        odds: odds.collect::<Option<_>>().ok_or_else(corrupt)?,
        void_windows,
        reason: reason.map(Into::into),
    })
}
