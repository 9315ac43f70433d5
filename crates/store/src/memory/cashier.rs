//! Deposits and withdrawals in memory.

use super::{KeptPosting, MemoryStore, unknown};
use crate::{CashierStore, KeyRecord, Paid, Payment, StoreFuture};
use kvota_domain::ledger::{Holdings, PostingRow};

impl CashierStore for MemoryStore {
    fn pay(&self, payment: Payment) -> StoreFuture<'_, Paid> {
        let mut state = self.state();
        let account = payment.account;
        let Some(held) = state.accounts.get(&account) else { return Self::done(Err(unknown(account))) };
        if let Some(known) = state.payments.get(&(account, payment.key)) {
            let is_same = known.digest == payment.digest;
            return Self::done(Ok(if is_same { Paid::Replayed(known.answer.clone()) } else { Paid::KeyConflict }));
        }
        let revision = state.revisions.get(&account).copied().unwrap_or_default();
        let holdings = Holdings { balance: held.balance, receivable: held.receivable, revision };
        let booked = match payment.attempt().book(holdings, &held.protection, &state.flows(account, payment.now_ms)) {
            Ok(Ok(booked)) => booked,
            Ok(Err(obstacle)) => return Self::done(Ok(Paid::Rejected(obstacle))),
            Err(fault) => return Self::done(Err(fault.into())),
        };
        if let Some(held) = state.accounts.get_mut(&account) {
            (held.balance, held.receivable) = (booked.held.balance, booked.held.receivable);
        }
        state.revisions.insert(account, booked.held.revision);
        for (posting, balance_after) in &booked.postings {
            let row = PostingRow {
                posting: *posting,
                bettor: account,
                bet_id: 0,
                settlement: None,
                reverses: None,
                balance_after: *balance_after,
            };
            state.postings.push(KeptPosting { at_ms: payment.now_ms, ticket_id: None, row });
        }
        let (answer, money) = payment.done(&booked);
        let record = KeyRecord { digest: payment.digest, answer: answer.clone() };
        state.payments.insert((account, payment.key), record);
        Self::done(Ok(Paid::Paid { answer, money }))
    }
}
