//! Results and settlements in memory, under one lock. Must use the same functions as the databases to compute the rows.

use super::{KeptPosting, MemoryStore, State, Work};
use crate::{
    AccountId, BetRules, BetState, OfferedLine, ResultsStored, SettleScope, SettledBatch, SettlementBacklog,
    SettlementStore, SettlementWork, StatementEntry, StatementPage, StoreError, StoreFuture, StoredBet, StoredResult,
    StoredSettlement, UnsettledBet,
};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::ledger::{
    Batch, GradedBet, GradedPair, Holdings, LoadedBet, NewerResults, UndecidedPair, by_match, outcome_of, revisions,
    taken_back, unsettled,
};
use kvota_domain::money::Money;
use kvota_domain::settlement::{BetTerms, LedgerAccount, MarketResult, MatchResults, RequestedMatch, Settlement};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

impl SettlementStore for MemoryStore {
    fn store_results(&self, results: MatchResults, now_ms: i64) -> StoreFuture<'_, ResultsStored> {
        let mut state = self.state();
        let known = state.results.iter().filter(|((match_id, _), _)| *match_id == results.match_id);
        let known = known.map(|((_, market), result)| (*market, (result.version, Some(result.clone())))).collect();
        let NewerResults { newer, changed } = NewerResults::of(&results, &known);
        for result in newer {
            let key = (results.match_id, result.market);
            state.results.insert(key, result.into_owned());
            state.result_times.insert(key, now_ms);
        }
        for market in &changed {
            let key = (results.match_id, *market);
            if state
                .bets
                .iter()
                .any(|stored| stored.bet.pairs.iter().any(|pair| (pair.match_id, pair.market_id) == key))
            {
                let since_ms = state.work.get(&key).map_or(now_ms, |work| work.since_ms);
                state.work.insert(key, Work { next: 0, since_ms });
            }
        }
        Self::done(Ok(ResultsStored { changed }))
    }

    fn work_of_match(&self, match_id: MatchId) -> StoreFuture<'_, Vec<SettlementWork>> {
        let state = self.state();
        let work = state.work.keys().filter(|(of, _)| *of == match_id);
        Self::done(Ok(work.map(|&(match_id, market_id)| SettlementWork { match_id, market_id }).collect()))
    }

    fn waiting_work(&self, before_ms: i64, max: u32) -> StoreFuture<'_, Vec<SettlementWork>> {
        let state = self.state();
        let mut work: Vec<_> = state.work.iter().filter(|(_, work)| work.since_ms < before_ms).collect();
        work.sort_by_key(|(key, work)| (work.since_ms, **key));
        let work = work.into_iter().take(max as usize);
        Self::done(Ok(work.map(|(&(match_id, market_id), _)| SettlementWork { match_id, market_id }).collect()))
    }

    fn set_aside(&self, work: SettlementWork, cause: String, now_ms: i64) -> StoreFuture<'_, bool> {
        let mut state = self.state();
        let next = state.in_turn(work, &SettleScope::Next { bets_max: 1 }).first().copied();
        if let Some(position) = next {
            let key = (work.match_id, work.market_id);
            state.set_aside.insert(position, (key, cause, now_ms));
            if let Some(work) = state.work.get_mut(&key) {
                work.next = position + 1;
            }
        }
        Self::done(Ok(next.is_some()))
    }

    fn retry_set_aside(&self, before_ms: i64, now_ms: i64) -> StoreFuture<'_, u64> {
        let mut state = self.state();
        let all = std::mem::take(&mut state.set_aside);
        let (retried, kept) = all.into_iter().partition(|(_, (_, _, at_ms))| *at_ms < before_ms);
        state.set_aside = kept;
        let retried: BTreeMap<usize, _> = retried;
        for (key, ..) in retried.values() {
            let since_ms = state.work.get(key).map_or(now_ms, |work| work.since_ms);
            state.work.insert(*key, Work { next: 0, since_ms });
        }
        Self::done(Ok(retried.len() as u64))
    }

    fn settlement_backlog(&self) -> StoreFuture<'_, SettlementBacklog> {
        let state = self.state();
        Self::done(Ok(SettlementBacklog {
            oldest_ms: state.work.values().map(|work| work.since_ms).min(),
            markets: state.work.len() as u64,
            set_aside: state.set_aside.len() as u64,
        }))
    }

    fn keep_rules(&self, rules: BetRules) -> StoreFuture<'_, u64> {
        let mut state = self.state();
        let without = state.bets.iter_mut().filter(|stored| stored.bet.basis.rules.is_none());
        let kept = without.map(|stored| stored.bet.basis.rules = Some(rules.clone())).count();
        Self::done(Ok(kept as u64))
    }

    fn settle(&self, work: SettlementWork, scope: SettleScope, now_ms: i64) -> StoreFuture<'_, SettledBatch> {
        Self::done(self.state().settle(work, &scope, now_ms))
    }

    fn results<'a>(&'a self, matches: &'a [MatchId]) -> StoreFuture<'a, Vec<(MatchId, MarketResult)>> {
        let state = self.state();
        let of_matches = state.results.iter().filter(|((match_id, _), _)| matches.contains(match_id));
        Self::done(Ok(of_matches.map(|((match_id, _), result)| (*match_id, result.clone())).collect()))
    }

    fn forget_results(&self, before_ms: i64) -> StoreFuture<'_, u64> {
        let mut state = self.state();
        let pairs = state.bets.iter().flat_map(|stored| &stored.bet.pairs);
        let with_bets: HashSet<_> = pairs.map(|pair| (pair.match_id, pair.market_id)).collect();
        let is_old = |key: &(MatchId, MarketId), at_ms: &i64| *at_ms < before_ms && !with_bets.contains(key);
        let old: Vec<_> =
            state.result_times.iter().filter(|(key, at_ms)| is_old(key, at_ms)).map(|(key, _)| *key).collect();
        for key in &old {
            state.results.remove(key);
            state.result_times.remove(key);
        }
        Self::done(Ok(old.len() as u64))
    }

    fn park_moved_lines(&self, lines: Vec<OfferedLine>) -> StoreFuture<'_, u64> {
        let mut state = self.state();
        let lines: HashMap<_, String> =
            lines.into_iter().map(|line| ((line.match_id, line.market_id), line.sbv)).collect();
        let has_moved = |pair: &crate::BetPair| {
            let line = lines.get(&(pair.match_id, pair.market_id));
            line.is_some_and(|sbv| pair.sbv.as_deref().unwrap_or_default() != sbv)
        };
        let mut moved = BTreeSet::new();
        for (position, stored) in state.bets.iter().enumerate() {
            let pairs = stored.bet.pairs.iter().zip(&stored.results).enumerate();
            let open = pairs.filter(|(_, (pair, kept))| !kept.result.is_decided() && has_moved(pair));
            moved.extend(open.map(|(index, _)| (position, index)));
        }
        let before = state.parked.len();
        state.parked.append(&mut moved);
        Self::done(Ok((state.parked.len() - before) as u64))
    }

    fn reset_result_version(&self, match_id: MatchId, market: MarketId) -> StoreFuture<'_, bool> {
        let mut state = self.state();
        let State { bets, parked, results, result_times, work, .. } = &mut *state;
        let key = (match_id, market);
        let before = parked.len();
        let is_on_market = |pair: &crate::BetPair| (pair.match_id, pair.market_id) == key;
        parked.retain(|(position, index)| !is_on_market(&bets[*position].bet.pairs[*index]));
        let result = results.get_mut(&key);
        if let (Some(_), Some(at_ms), true) = (&result, result_times.get(&key), parked.len() < before) {
            work.insert(key, Work { next: 0, since_ms: *at_ms });
        }
        Self::done(Ok(result.map(|result| result.version = 0).is_some()))
    }

    fn undecided_matches(&self) -> StoreFuture<'_, Vec<RequestedMatch>> {
        let state = self.state();
        let open = state.bets.iter().filter(|stored| stored.state == BetState::Open);
        let undecided = open.flat_map(|stored| {
            let pairs = stored.bet.pairs.iter().zip(&stored.results);
            let undecided = pairs.filter(|(_, result)| **result == StoredResult::default());
            undecided.map(|(pair, _)| (pair.match_id, pair.market_id))
        });
        let markets: BTreeSet<_> = undecided.collect();
        Self::done(Ok(by_match(markets)))
    }

    fn note_match_ends<'a>(&'a self, ended: &'a [MatchId], offered: &'a [MatchId], now_ms: i64) -> StoreFuture<'a, ()> {
        let mut state = self.state();
        for id in ended {
            state.match_ends.entry(*id).or_insert(now_ms);
        }
        for id in offered {
            state.match_ends.remove(id);
        }
        Self::done(Ok(()))
    }

    fn unsettled_bets(&self, ended_before_ms: i64) -> StoreFuture<'_, Vec<UnsettledBet>> {
        let state = self.state();
        let mut undecided = Vec::new();
        for (position, stored) in state.bets.iter().enumerate().filter(|(_, stored)| stored.state == BetState::Open) {
            let pairs = stored.bet.pairs.iter().zip(&stored.results);
            for (index, (pair, _)) in pairs.enumerate().filter(|(_, (_, kept))| !kept.result.is_decided()) {
                undecided.push(UndecidedPair {
                    bet: stored.number,
                    ticket_id: stored.ticket_id.clone(),
                    account: stored.account,
                    placed_at_ms: stored.bet.placed_at_ms,
                    match_id: pair.match_id,
                    market_id: pair.market_id,
                    odd_id: pair.odd_id,
                    ended_at_ms: state.match_ends.get(&pair.match_id).copied(),
                    is_set_aside: state.set_aside.contains_key(&position),
                    line_moved: state.parked.contains(&(position, index)),
                });
            }
        }
        let results: Vec<_> = state.results.iter().map(|((id, _), result)| (*id, result.clone())).collect();
        Self::done(Ok(unsettled(undecided, results, ended_before_ms)))
    }

    fn statement(
        &self,
        account: AccountId,
        before: Option<i64>,
        from_ms: Option<i64>,
        to_ms: Option<i64>,
        limit: u32,
    ) -> StoreFuture<'_, StatementPage> {
        let state = self.state();
        let is_asked = |at_ms: i64| from_ms.is_none_or(|from| from <= at_ms) && to_ms.is_none_or(|to| at_ms < to);
        let numbered = state.postings.iter().enumerate().rev().map(|(position, kept)| (position as i64 + 1, kept));
        let of_account = numbered.filter(|(number, kept)| {
            kept.row.bettor == account && before.is_none_or(|before| *number < before) && is_asked(kept.at_ms)
        });
        let entries = of_account.filter_map(|(number, kept)| Some((number, state.statement_entry(kept)?)));
        let limit = super::page_limit(limit);
        Self::done(Ok(StatementPage::of(entries.take(limit + 1).collect(), limit)))
    }
}

impl State {
    /// The positions of the bets that this call grades.
    fn in_turn(&self, work: SettlementWork, scope: &SettleScope) -> Vec<usize> {
        let key = (work.match_id, work.market_id);
        let from = self.work.get(&key).map_or(self.bets.len(), |work| work.next);
        let is_on_market = |pair: &crate::BetPair| (pair.match_id, pair.market_id) == key;
        let on_market = self.bets.iter().enumerate().filter(|(_, stored)| stored.bet.pairs.iter().any(is_on_market));
        match scope {
            SettleScope::Next { bets_max } => on_market
                .map(|(position, _)| position)
                .filter(|position| *position >= from)
                .take(*bets_max as usize)
                .collect(),
            SettleScope::Accounts(accounts) => on_market
                .filter(|(_, stored)| accounts.contains(&stored.account))
                .map(|(position, _)| position)
                .collect(),
        }
    }

    fn settle(&mut self, work: SettlementWork, scope: &SettleScope, now_ms: i64) -> Result<SettledBatch, StoreError> {
        let key = (work.match_id, work.market_id);
        let positions = self.in_turn(work, scope);
        let loaded = positions.iter().map(|&position| self.load(position)).collect::<Result<_, _>>()?;
        let holdings = self.accounts.values().map(|account| {
            (
                account.id.get(),
                Holdings {
                    balance: account.balance,
                    receivable: account.receivable,
                    revision: self.revisions.get(&account.id).copied().unwrap_or_default(),
                },
            )
        });
        let holdings: HashMap<i64, Holdings> = holdings.collect();
        let revised = revisions(loaded);
        let postings = taken_back(&revised).into_iter().map(|bet| (bet, self.postings_of(bet))).collect();
        let batch = Batch::of(revised, holdings, postings, now_ms)?;
        let graded = u32::try_from(positions.len()).unwrap_or(u32::MAX);
        self.write(&batch, now_ms);
        let is_finished = match scope {
            SettleScope::Accounts(_) => false,
            SettleScope::Next { bets_max } if graded < *bets_max => {
                self.work.remove(&key);
                true
            }
            SettleScope::Next { .. } => {
                if let (Some(work), Some(last)) = (self.work.get_mut(&key), positions.last()) {
                    work.next = last + 1;
                }
                false
            }
        };
        Ok(SettledBatch { events: batch.events, graded, is_finished })
    }

    pub(super) fn load(&self, position: usize) -> Result<LoadedBet, StoreError> {
        let stored = &self.bets[position];
        let made = self.settlements.get(&position).map_or(0, Vec::len);
        let outcome = outcome_of(stored.state);
        let standing = stored.settlement.as_ref().zip(outcome).map(|(kept, outcome)| {
            let StoredSettlement { gross, win_tax, paid, .. } = *kept;
            Settlement { outcome, gross, win_tax, paid }
        });
        let rules = stored.bet.basis.rules.clone().ok_or_else(|| StoreError::corrupt("a bet has no rules"))?;
        let BetRules { rules, void_returns_stake_tax } = rules;
        let pairs = stored.bet.pairs.iter().zip(&stored.results).enumerate();
        let pairs = pairs.map(|(index, (pair, result))| GradedPair {
            odd: pair.odd_id,
            kept: result.clone(),
            market: self.results.get(&(pair.match_id, pair.market_id)).cloned(),
            line_moved: self.parked.contains(&(position, index)),
        });
        Ok(LoadedBet {
            id: position as i64,
            ticket_id: stored.ticket_id.clone(),
            account: stored.account,
            settlements: u32::try_from(made).unwrap_or(u32::MAX),
            standing: stored.settlement.clone(),
            revision: stored.revision,
            bet: GradedBet {
                state: stored.state,
                terms: terms_of_rest(
                    BetTerms {
                        bruto: stored.rest.bruto,
                        taxed_stake: stored.rest.taxed_stake,
                        system_type: stored.bet.system_type,
                        pairs: stored.bet.pairs.iter().map(|pair| (pair.odds_taken, pair.is_fix)).collect(),
                        rules,
                        void_returns_stake_tax,
                    },
                    stored,
                ),
                placed_at_ms: stored.bet.placed_at_ms,
                standing,
                pairs: pairs.collect(),
            },
        })
    }

    /// The ids of the postings of a bet's current settlement.
    fn postings_of(&self, bet: i64) -> Vec<i64> {
        let standing = usize::try_from(bet).ok().and_then(|position| self.bets.get(position)?.settlement.as_ref());
        let number = standing.map_or(0, |standing| standing.number);
        let is_of_it = |kept: &KeptPosting| {
            let kind = kept.row.posting.kind;
            let pays = matches!(kind, super::PostingKind::Payout | super::PostingKind::Refund);
            kept.row.bet_id == bet && kept.row.settlement == Some(number) && pays
        };
        (1..).zip(&self.postings).filter(|(_, kept)| is_of_it(kept)).map(|(id, _)| id).collect()
    }

    pub(super) fn write(&mut self, batch: &Batch, now_ms: i64) {
        for row in &batch.settlements {
            let Settlement { gross, win_tax, paid, .. } = row.settlement;
            let made = StoredSettlement {
                number: row.number,
                at_ms: now_ms,
                gross,
                win_tax,
                paid,
                reason: row.reason.clone(),
            };
            self.settlements.entry(row.bet_id as usize).or_default().push((row.state, made));
        }
        for row in &batch.postings {
            let ticket_id = self.bets.get(row.bet_id as usize).map(|stored| stored.ticket_id.clone());
            self.postings.push(KeptPosting { at_ms: now_ms, ticket_id, row: row.clone() });
        }
        for row in &batch.bets {
            let made = self.settlements.get(&(row.id as usize));
            let standing = made
                .and_then(|made| made.iter().find(|(_, made)| Some(made.number) == row.standing))
                .map(|(_, made)| made.clone());
            if let Some(stored) = self.bets.get_mut(row.id as usize) {
                (stored.state, stored.settlement, stored.revision) = (row.state, standing, row.revision);
            }
        }
        for row in &batch.pairs {
            let bet = self.bets.get_mut(row.bet_id as usize);
            if let Some(kept) = bet.and_then(|bet| bet.results.get_mut(row.position)) {
                *kept = row.stored.clone();
            }
        }
        for (id, held) in &batch.accounts {
            let account = AccountId::bettor(*id).and_then(|id| self.accounts.get_mut(&id));
            if let Some(account) = account {
                (account.balance, account.receivable) = (held.balance, held.receivable);
                self.revisions.insert(account.id, held.revision);
            }
        }
    }

    fn statement_entry(&self, kept: &KeptPosting) -> Option<StatementEntry> {
        let balance = kept.row.balance_after?;
        let posting = &kept.row.posting;
        let amount: Money = posting.change_of(LedgerAccount::Bettor);
        let ticket_id = kept.ticket_id.clone();
        let bet = self.bets.iter().find(|stored| Some(&stored.ticket_id) == ticket_id.as_ref());
        let ticket_number = bet.map(StoredBet::ticket_number);
        Some(StatementEntry { at_ms: kept.at_ms, kind: posting.kind, amount, balance, ticket_id, ticket_number })
    }
}

fn terms_of_rest(terms: BetTerms, stored: &StoredBet) -> BetTerms {
    terms.after_payments(stored.cash_outs.iter().map(|cash_out| cash_out.paid).sum())
}
