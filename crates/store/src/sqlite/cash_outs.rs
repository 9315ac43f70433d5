//! Cash-outs and their rules in SQLite. Each is one operation of the writer, so a bet is either cashed out or settled.
//! Must not decide whether a cash-out happens: `crates/store/src/cashing_out.rs` does.

use super::SqliteStore;
use super::bets::{bets_of, find_key, insert_answer};
use super::grading::{load, write};
use super::writer::Operation;
use crate::bets::KeyPurpose;
use crate::cashing_out::{Decision, decide, rest_of, rule_changed, stored_cash_out};
use crate::rows::{StoreRow, select_bets, wide};
use crate::settling::{Holdings, LoadedBet};
use crate::{
    AccountId, CashOutDone, CashOutOrder, CashOutOrigin, CashOutStore, OpenBets, RuleSet, StoreError, StoreFuture,
    TicketId, fail_point,
};
use kvota_domain::bet::{BetState, CashOutRule, StoredCashOut};
use kvota_domain::money::Money;
use kvota_domain::settlement::CashOut;
use serde_json::json;
use sqlx::SqliteConnection;

/// A page of open bets; the parameters are whether they must have a rule, the bet before them, and their number.
pub(super) const OPEN_BETS: &str =
    select_bets!("WHERE b.state = 'open' AND (r.bet_id IS NOT NULL OR NOT ?) AND id > ? ORDER BY id LIMIT ?");

impl CashOutStore for SqliteStore {
    fn cash_out(&self, order: CashOutOrder) -> StoreFuture<'_, CashOutDone> {
        Box::pin(self.writer.run(DoCashOut(order)))
    }

    fn set_cash_out_rule<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
        rule: Option<CashOutRule>,
    ) -> StoreFuture<'a, RuleSet> {
        Box::pin(self.writer.run(SetRule { account, ticket: ticket.clone(), rule }))
    }

    fn open_bets(&self, after: u64, limit: u32, with_rule: bool) -> StoreFuture<'_, OpenBets> {
        Box::pin(async move {
            let mut reader = self.readers.acquire().await?;
            let rows = sqlx::query(OPEN_BETS)
                .bind(with_rule)
                .bind(wide(after))
                .bind(i64::from(limit))
                .fetch_all(&mut *reader)
                .await?;
            let bets = bets_of(&mut reader, &rows).await?;
            let next = bets.last().filter(|_| bets.len() == limit as usize).map(|last| last.number);
            Ok(OpenBets { bets, next })
        })
    }
}

/// The cash-outs of these bets, each with the number of its bet, oldest first.
pub(super) async fn cash_outs_of(
    connection: &mut SqliteConnection,
    bets: &[i64],
) -> Result<Vec<(i64, StoredCashOut)>, StoreError> {
    let rows = sqlx::query(
        "SELECT bet_id, at_ms, share_hundredths, value_cents, win_tax_cents, paid_cents FROM cash_outs \
         WHERE bet_id IN (SELECT value FROM json_each(?)) ORDER BY bet_id, number",
    )
    .bind(json!(bets).to_string())
    .fetch_all(connection)
    .await?;
    rows.iter().map(StoreRow::cash_out).collect()
}

/// A bet of an account, and the money of the account.
async fn bet_of(
    connection: &mut SqliteConnection,
    account: AccountId,
    ticket: &TicketId,
) -> Result<Option<(LoadedBet, Holdings)>, StoreError> {
    let id = sqlx::query_scalar("SELECT id FROM bets WHERE account_id = ? AND ticket_id = ?")
        .bind(account.get())
        .bind(ticket.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    let Some(id) = id else { return Ok(None) };
    let (mut loaded, mut holdings) = load(connection, &[id]).await?;
    let held = holdings.remove(&account.get());
    let held = held.ok_or_else(|| StoreError::corrupt(format!("there is no account {account}")))?;
    Ok(loaded.pop().map(|bet| (bet, held)))
}

async fn rule_of(connection: &mut SqliteConnection, bet: i64) -> Result<Option<CashOutRule>, StoreError> {
    let cents: Option<i64> = sqlx::query_scalar("SELECT at_least_cents FROM cash_out_rules WHERE bet_id = ?")
        .bind(bet)
        .fetch_optional(connection)
        .await?;
    Ok(cents.map(|cents| CashOutRule { at_least: Money::from_cents(cents) }))
}

struct DoCashOut(CashOutOrder);

impl Operation for DoCashOut {
    type Output = CashOutDone;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<CashOutDone, StoreError> {
        let DoCashOut(order) = self;
        if let CashOutOrigin::Call { key, .. } = &order.origin
            && let Some(record) = find_key(connection, order.account, key.key).await?
        {
            let is_same = record.digest == key.digest;
            return Ok(if is_same { CashOutDone::Replayed(record.answer) } else { CashOutDone::KeyConflict });
        }
        let Some((bet, held)) = bet_of(connection, order.account, &order.ticket_id).await? else {
            return Ok(CashOutDone::NoTicket);
        };
        let id = bet.id;
        let rule = rule_of(connection, id).await?;
        let plan = match decide(bet, held, rule, order)? {
            Decision::Reject(obstacle) => return Ok(CashOutDone::Rejected(obstacle)),
            Decision::Write(plan) => plan,
        };
        write(connection, &plan.batch, order.now_ms).await?;
        let mut all = Vec::new();
        if let Some(payment) = &plan.payment {
            store(connection, id, payment, order.now_ms).await?;
            all = cash_outs_of(connection, &[id]).await?.into_iter().map(|(_, stored)| stored).collect();
        }
        fail_point::pass("cash-out-written");
        let done = plan.done(order, all);
        if let (CashOutOrigin::Call { key, .. }, CashOutDone::Answered { answer, .. }) = (&order.origin, &done) {
            let record = (&key.digest, answer);
            insert_answer(connection, order.account, key.key, record, order.now_ms, KeyPurpose::CashOut).await?;
        }
        fail_point::pass("cash-out-before-commit");
        Ok(done)
    }
}

/// Writes a cash-out and the rest of its bet, and removes the rule.
async fn store(connection: &mut SqliteConnection, bet: i64, payment: &CashOut, now_ms: i64) -> Result<(), StoreError> {
    let (stored, rest) = (stored_cash_out(payment, now_ms), rest_of(payment));
    sqlx::query(
        "INSERT INTO cash_outs (bet_id, number, at_ms, share_hundredths, value_cents, win_tax_cents, paid_cents, \
         bruto_cents, stake_cents) SELECT ?1, (SELECT COUNT(*) + 1 FROM cash_outs WHERE bet_id = ?1), ?2, ?3, ?4, ?5, \
         ?6, ?7, ?8",
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
    sqlx::query(
        "UPDATE bets SET rest_bruto_cents = ?, rest_stake_cents = ? WHERE id = ?; \
         DELETE FROM cash_out_rules WHERE bet_id = ?",
    )
    .bind(rest.bruto.cents())
    .bind(rest.taxed_stake.cents())
    .bind(bet)
    .bind(bet)
    .execute(connection)
    .await?;
    Ok(())
}

struct SetRule {
    account: AccountId,
    ticket: TicketId,
    rule: Option<CashOutRule>,
}

impl Operation for SetRule {
    type Output = RuleSet;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<RuleSet, StoreError> {
        let SetRule { account, ticket, rule } = self;
        let Some((bet, held)) = bet_of(connection, *account, ticket).await? else { return Ok(RuleSet::NoTicket) };
        if bet.bet.state != BetState::Open && rule.is_some() {
            return Ok(RuleSet::NotOpen);
        }
        if rule_of(connection, bet.id).await? == *rule {
            return Ok(RuleSet::Set(None));
        }
        let statement = match rule {
            Some(rule) => sqlx::query(
                "INSERT INTO cash_out_rules (bet_id, at_least_cents) VALUES (?, ?) \
                 ON CONFLICT (bet_id) DO UPDATE SET at_least_cents = excluded.at_least_cents",
            )
            .bind(bet.id)
            .bind(rule.at_least.cents()),
            None => sqlx::query("DELETE FROM cash_out_rules WHERE bet_id = ?").bind(bet.id),
        };
        statement.execute(&mut *connection).await?;
        let changed = sqlx::query("UPDATE bets SET revision = revision + 1 WHERE id = ?").bind(bet.id);
        changed.execute(&mut *connection).await?;
        let all = cash_outs_of(connection, &[bet.id]).await?.into_iter().map(|(_, stored)| stored).collect();
        Ok(RuleSet::Set(rule_changed(&bet, held, all, *rule)))
    }
}
