//! Cash-outs and their rules. The transaction locks the account and then the bet like a settlement: the row of the bet
//! decides whether it is cashed out or settled. Must not decide whether a cash-out happens: `kvota_domain::ledger` does.

use super::super::dialect::{Connection, Store, is_in, list};
use super::super::grading::{lock, write};
use super::StoreRow;
use super::bets::{bet_id, bets_of, find_key, insert_answer, select_bets};
use super::grading::load;
use super::pause::paused_since;
use crate::bets::KeyPurpose;
use crate::rows::wide;
use crate::{
    AccountId, CashOutDone, CashOutObstacle, CashOutOrder, CashOutOrigin, CashOutStore, OpenBets, RuleSet, StoreError,
    StoreFuture, TicketId, fail_point,
};
use kvota_domain::bet::{BetState, CashOutRule, StoredCashOut};
use kvota_domain::ledger::{Decision, Holdings, LoadedBet, decide, rest_of, rule_changed, stored_cash_out};
use kvota_domain::money::Money;
use kvota_domain::settlement::CashOut;

/// A page of open bets: after a bet, at most so many, and whether they must have a rule.
pub(in super::super) const OPEN_BETS: &str =
    select_bets!("WHERE b.state = 'open' AND (r.bet_id IS NOT NULL OR NOT $3) AND id > $1 ORDER BY id LIMIT $2");

impl CashOutStore for Store {
    fn cash_out(&self, order: CashOutOrder) -> StoreFuture<'_, CashOutDone> {
        self.cash_out_bet(order)
    }

    fn set_cash_out_rule<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
        rule: Option<CashOutRule>,
    ) -> StoreFuture<'a, RuleSet> {
        self.write((account, ticket.clone(), rule), |connection, (account, ticket, rule)| {
            Box::pin(set_rule(connection, *account, ticket, *rule))
        })
    }

    fn open_bets(&self, after: u64, limit: u32, with_rule: bool) -> StoreFuture<'_, OpenBets> {
        self.read(move |connection| {
            Box::pin(async move {
                let question = sqlx::query(OPEN_BETS).bind(wide(after)).bind(i64::from(limit)).bind(with_rule);
                let rows = question.fetch_all(&mut *connection).await?;
                let bets = bets_of(connection, &rows).await?;
                let next = bets.last().filter(|_| bets.len() == limit as usize).map(|last| last.number);
                Ok(OpenBets { bets, next })
            })
        })
    }
}

/// The cash-outs of these bets, each with the number of its bet, oldest first.
pub(super) async fn cash_outs_of(
    connection: &mut Connection,
    bets: &[i64],
) -> Result<Vec<(i64, StoredCashOut)>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT bet_id, at_ms, share_hundredths, value_cents, win_tax_cents, paid_cents FROM cash_outs WHERE ",
        is_in!("bet_id", "$1"),
        " ORDER BY bet_id, number"
    ))
    .bind(list(bets.iter().copied()))
    .fetch_all(connection)
    .await?;
    rows.iter().map(StoreRow::cash_out).collect()
}

/// Locks a bet and its account, and reads the money of the account.
async fn held(connection: &mut Connection, account: AccountId, bet: i64) -> Result<Holdings, StoreError> {
    let held = lock(connection, &[bet]).await?.remove(&account.get());
    held.ok_or_else(|| StoreError::corrupt(format!("there is no account {account}")))
}

async fn loaded(connection: &mut Connection, bet: i64) -> Result<LoadedBet, StoreError> {
    load(connection, &[bet]).await?.pop().ok_or_else(|| StoreError::corrupt(format!("the bet {bet} disappeared")))
}

async fn rule_of(connection: &mut Connection, bet: i64) -> Result<Option<CashOutRule>, StoreError> {
    let question = sqlx::query_scalar("SELECT at_least_cents FROM cash_out_rules WHERE bet_id = $1").bind(bet);
    let cents: Option<i64> = question.fetch_optional(connection).await?;
    Ok(cents.map(|cents| CashOutRule { at_least: Money::from_cents(cents) }))
}

/// All cash-outs of a bet, oldest first.
async fn all_of(connection: &mut Connection, bet: i64) -> Result<Vec<StoredCashOut>, StoreError> {
    Ok(cash_outs_of(connection, &[bet]).await?.into_iter().map(|(_, stored)| stored).collect())
}

pub(in super::super) async fn cash_out(
    connection: &mut Connection,
    order: &CashOutOrder,
) -> Result<CashOutDone, StoreError> {
    let Some(id) = bet_id(connection, order.account, &order.ticket_id).await? else {
        return Ok(CashOutDone::NoTicket);
    };
    let held = held(connection, order.account, id).await?;
    if let CashOutOrigin::Call { key, .. } = &order.origin
        && let Some(record) = find_key(connection, order.account, key.key).await?
    {
        let is_same = record.digest == key.digest;
        return Ok(if is_same { CashOutDone::Replayed(record.answer) } else { CashOutDone::KeyConflict });
    }
    let bet = loaded(connection, id).await?;
    let rule = rule_of(connection, id).await?;
    let plan = match decide(bet, held, rule, &order.attempt())? {
        Decision::Reject(obstacle) => return Ok(CashOutDone::Rejected(obstacle)),
        Decision::Write(plan) => plan,
    };
    if plan.payment.is_some() && paused_since(connection).await?.is_some() {
        return Ok(CashOutDone::Rejected(CashOutObstacle::NotBettable));
    }
    let (batch, payment) = (plan.batch.clone(), plan.payment);
    let mut all = Vec::new();
    if let Some(payment) = &payment {
        all = all_of(connection, id).await?;
        all.push(stored_cash_out(payment, order.now_ms));
    }
    let done = order.done(*plan, all);
    if let (CashOutOrigin::Call { key, .. }, CashOutDone::Answered { answer, .. }) = (&order.origin, &done) {
        let (record, purpose) = ((&key.digest, answer), KeyPurpose::CashOut);
        // Taken if the same key has just rejected a bet of this account.
        if !insert_answer(connection, order.account, key.key, record, order.now_ms, purpose).await? {
            return Ok(CashOutDone::KeyConflict);
        }
    }
    write(connection, &batch, order.now_ms).await?;
    if let Some(payment) = &payment {
        store(connection, id, payment, order.now_ms).await?;
    }
    fail_point::pass("cash-out-written");
    fail_point::pass("cash-out-before-commit");
    Ok(done)
}

/// Writes a cash-out and the rest of its bet, and removes the rule.
async fn store(connection: &mut Connection, bet: i64, payment: &CashOut, now_ms: i64) -> Result<(), StoreError> {
    let (stored, rest) = (stored_cash_out(payment, now_ms), rest_of(payment));
    sqlx::query(
        "INSERT INTO cash_outs (bet_id, number, at_ms, share_hundredths, value_cents, win_tax_cents, paid_cents, \
         bruto_cents, stake_cents) SELECT $1, (SELECT COUNT(*) + 1 FROM cash_outs WHERE bet_id = $1), $2, $3, $4, $5, \
         $6, $7, $8",
    )
    .bind(bet)
    .bind(now_ms)
    .bind(i64::from(stored.share.hundredths()))
    .bind(stored.value.cents())
    .bind(stored.win_tax.cents())
    .bind(stored.paid.cents())
    .bind(payment.part.bruto.cents())
    .bind(payment.part.taxed_stake.cents())
    .execute(&mut *connection)
    .await?;
    sqlx::query("UPDATE bets SET rest_bruto_cents = $1, rest_stake_cents = $2 WHERE id = $3")
        .bind(rest.bruto.cents())
        .bind(rest.taxed_stake.cents())
        .bind(bet)
        .execute(&mut *connection)
        .await?;
    sqlx::query("DELETE FROM cash_out_rules WHERE bet_id = $1").bind(bet).execute(connection).await?;
    Ok(())
}

async fn set_rule(
    connection: &mut Connection,
    account: AccountId,
    ticket: &TicketId,
    rule: Option<CashOutRule>,
) -> Result<RuleSet, StoreError> {
    let Some(id) = bet_id(connection, account, ticket).await? else { return Ok(RuleSet::NoTicket) };
    let held = held(connection, account, id).await?;
    let bet = loaded(connection, id).await?;
    if bet.bet.state != BetState::Open && rule.is_some() {
        return Ok(RuleSet::NotOpen);
    }
    if rule_of(connection, id).await? == rule {
        return Ok(RuleSet::Set(None));
    }
    let statement = match rule {
        Some(rule) => sqlx::query(
            "INSERT INTO cash_out_rules (bet_id, at_least_cents) VALUES ($1, $2) \
             ON CONFLICT (bet_id) DO UPDATE SET at_least_cents = excluded.at_least_cents",
        )
        .bind(id)
        .bind(rule.at_least.cents()),
        None => sqlx::query("DELETE FROM cash_out_rules WHERE bet_id = $1").bind(id),
    };
    statement.execute(&mut *connection).await?;
    sqlx::query("UPDATE bets SET revision = revision + 1 WHERE id = $1").bind(id).execute(&mut *connection).await?;
    let all = all_of(connection, id).await?;
    Ok(RuleSet::Set(rule_changed(&bet, held, all, rule)))
}
