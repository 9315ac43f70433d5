//! Cash-outs and their rules in PostgreSQL. One transaction, which locks the account and then the bet like a settlement:
//! the row of the bet decides whether it is cashed out or settled. Must not decide whether a cash-out happens:
//! `crates/store/src/cashing_out.rs` does.

use super::PostgresStore;
use super::bets::{bets_of, find_key, insert_answer};
use super::grading::{load, lock, write};
use crate::bets::KeyPurpose;
use crate::cashing_out::{Decision, decide, rest_of, rule_changed, stored_cash_out};
use crate::rows::{StoreRow, select_bets, wide};
use crate::{
    AccountId, CashOutDone, CashOutOrder, CashOutOrigin, CashOutStore, OpenBets, RuleSet, StoreError, StoreFuture,
    TicketId, fail_point,
};
use kvota_domain::bet::{BetState, CashOutRule, StoredCashOut};
use kvota_domain::money::Money;
use sqlx::{PgConnection, PgPool};

impl CashOutStore for PostgresStore {
    fn cash_out(&self, order: CashOutOrder) -> StoreFuture<'_, CashOutDone> {
        Box::pin(self.run(move |pool| cash_out(pool, order)))
    }

    fn set_cash_out_rule<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
        rule: Option<CashOutRule>,
    ) -> StoreFuture<'a, RuleSet> {
        let ticket = ticket.clone();
        Box::pin(self.run(move |pool| set_rule(pool, account, ticket, rule)))
    }

    fn open_bets(&self, after: u64, limit: u32, with_rule: bool) -> StoreFuture<'_, OpenBets> {
        Box::pin(self.run(move |pool| async move {
            let rows = sqlx::query(select_bets!(
                "WHERE b.state = 'open' AND (r.bet_id IS NOT NULL OR NOT $3) AND id > $1 ORDER BY id LIMIT $2"
            ))
            .bind(wide(after))
            .bind(i64::from(limit))
            .bind(with_rule)
            .fetch_all(&pool)
            .await?;
            let bets = bets_of(&pool, &rows).await?;
            let next = bets.last().filter(|_| bets.len() == limit as usize).map(|last| last.number);
            Ok(OpenBets { bets, next })
        }))
    }
}

/// The cash-outs of these bets, each with the number of its bet, oldest first.
pub(super) async fn cash_outs_of(
    connection: &mut PgConnection,
    bets: &[i64],
) -> Result<Vec<(i64, StoredCashOut)>, StoreError> {
    let rows = sqlx::query(
        "SELECT bet_id, at_ms, share_hundredths, value_cents, win_tax_cents, paid_cents FROM cash_outs \
         WHERE bet_id = ANY($1) ORDER BY bet_id, number",
    )
    .bind(bets)
    .fetch_all(connection)
    .await?;
    rows.iter().map(StoreRow::cash_out).collect()
}

async fn bet_id(
    connection: &mut PgConnection,
    account: AccountId,
    ticket: &TicketId,
) -> Result<Option<i64>, StoreError> {
    let id = sqlx::query_scalar("SELECT id FROM bets WHERE account_id = $1 AND ticket_id = $2")
        .bind(account.get())
        .bind(ticket.as_str())
        .fetch_optional(connection)
        .await?;
    Ok(id)
}

async fn rule_of(connection: &mut PgConnection, bet: i64) -> Result<Option<CashOutRule>, StoreError> {
    let cents: Option<i64> = sqlx::query_scalar("SELECT at_least_cents FROM cash_out_rules WHERE bet_id = $1")
        .bind(bet)
        .fetch_optional(connection)
        .await?;
    Ok(cents.map(|cents| CashOutRule { at_least: Money::from_cents(cents) }))
}

async fn cash_out(pool: PgPool, order: CashOutOrder) -> Result<CashOutDone, StoreError> {
    let mut transaction = pool.begin().await?;
    let Some(id) = bet_id(&mut transaction, order.account, &order.ticket_id).await? else {
        return Ok(CashOutDone::NoTicket);
    };
    let held = lock(&mut transaction, &[id]).await?.remove(&order.account.get());
    let held = held.ok_or_else(|| StoreError::corrupt(format!("there is no account {}", order.account)))?;
    if let CashOutOrigin::Call { key, .. } = &order.origin
        && let Some(record) = find_key(&mut transaction, order.account, key.key).await?
    {
        let is_same = record.digest == key.digest;
        return Ok(if is_same { CashOutDone::Replayed(record.answer) } else { CashOutDone::KeyConflict });
    }
    let loaded = load(&mut transaction, &[id]).await?.pop();
    let bet = loaded.ok_or_else(|| StoreError::corrupt(format!("the bet {id} disappeared")))?;
    let rule = rule_of(&mut transaction, id).await?;
    let plan = match decide(bet, held, rule, &order)? {
        Decision::Reject(obstacle) => return Ok(CashOutDone::Rejected(obstacle)),
        Decision::Write(plan) => plan,
    };
    write(&mut transaction, &plan.batch, order.now_ms).await?;
    let mut all = Vec::new();
    if let Some(payment) = &plan.payment {
        store(&mut transaction, id, payment, order.now_ms).await?;
        all = cash_outs_of(&mut transaction, &[id]).await?.into_iter().map(|(_, stored)| stored).collect();
    }
    fail_point::pass("cash-out-written");
    let done = plan.done(&order, all);
    if let (CashOutOrigin::Call { key, .. }, CashOutDone::Answered { answer, .. }) = (&order.origin, &done) {
        let record = (&key.digest, answer);
        let purpose = KeyPurpose::CashOut;
        if !insert_answer(&mut transaction, order.account, key.key, record, order.now_ms, purpose).await? {
            // The same key rejected a bet of this account meanwhile. Dropping the transaction undoes the cash-out.
            return Ok(CashOutDone::KeyConflict);
        }
    }
    fail_point::pass("cash-out-before-commit");
    transaction.commit().await?;
    fail_point::pass("cash-out-after-commit");
    Ok(done)
}

/// Writes a cash-out and the rest of its bet, and removes the rule.
async fn store(
    connection: &mut PgConnection,
    bet: i64,
    payment: &kvota_domain::settlement::CashOut,
    now_ms: i64,
) -> Result<(), StoreError> {
    let (stored, rest) = (stored_cash_out(payment, now_ms), rest_of(payment));
    sqlx::query(
        "WITH rule AS (DELETE FROM cash_out_rules WHERE bet_id = $1), \
         rest AS (UPDATE bets SET rest_bruto_cents = $9, rest_stake_cents = $10 WHERE id = $1) \
         INSERT INTO cash_outs (bet_id, number, at_ms, share_hundredths, value_cents, win_tax_cents, paid_cents, \
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
    .bind(rest.bruto.cents())
    .bind(rest.taxed_stake.cents())
    .execute(connection)
    .await?;
    Ok(())
}

async fn set_rule(
    pool: PgPool,
    account: AccountId,
    ticket: TicketId,
    rule: Option<CashOutRule>,
) -> Result<RuleSet, StoreError> {
    let mut transaction = pool.begin().await?;
    let Some(id) = bet_id(&mut transaction, account, &ticket).await? else { return Ok(RuleSet::NoTicket) };
    let held = lock(&mut transaction, &[id]).await?.remove(&account.get());
    let held = held.ok_or_else(|| StoreError::corrupt(format!("there is no account {account}")))?;
    let loaded = load(&mut transaction, &[id]).await?.pop();
    let bet = loaded.ok_or_else(|| StoreError::corrupt(format!("the bet {id} disappeared")))?;
    if bet.bet.state != BetState::Open && rule.is_some() {
        return Ok(RuleSet::NotOpen);
    }
    if rule_of(&mut transaction, id).await? == rule {
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
    statement.execute(&mut *transaction).await?;
    sqlx::query("UPDATE bets SET revision = revision + 1 WHERE id = $1").bind(id).execute(&mut *transaction).await?;
    let all = cash_outs_of(&mut transaction, &[id]).await?.into_iter().map(|(_, stored)| stored).collect();
    transaction.commit().await?;
    Ok(RuleSet::Set(rule_changed(&bet, held, all, rule)))
}
