//! Deposits and withdrawals in PostgreSQL: one transaction, which locks the account's row.

use super::PostgresStore;
use super::protection::flows_of;
use crate::cashier::BookedPayment;
use crate::rows::{StoreRow, wide};
use crate::settling::{Holdings, account_name};
use crate::{CashierStore, Paid, Payment, StoreError, StoreFuture};
use kvota_domain::money::Money;
use kvota_domain::protection::Flows;
use sqlx::{PgConnection, PgPool};

impl CashierStore for PostgresStore {
    fn pay(&self, payment: Payment) -> StoreFuture<'_, Paid> {
        Box::pin(self.run(move |pool| pay(pool, payment)))
    }
}

async fn pay(pool: PgPool, payment: Payment) -> Result<Paid, StoreError> {
    let account = payment.account;
    let mut transaction = pool.begin().await?;
    let row = sqlx::query(
        "SELECT balance_cents, receivable_cents, revision, protection FROM accounts WHERE id = $1 FOR NO KEY UPDATE",
    )
    .bind(account.get())
    .fetch_optional(&mut *transaction)
    .await?;
    let row = row.ok_or_else(|| StoreError::corrupt(format!("there is no account {account}")))?;
    let held = Holdings { balance: row.cents(0)?, receivable: row.cents(1)?, revision: row.unsigned(2)? };
    let known = sqlx::query("SELECT digest, status, body FROM cashier_answers WHERE account_id = $1 AND key = $2")
        .bind(account.get())
        .bind(&payment.key.0[..])
        .fetch_optional(&mut *transaction)
        .await?;
    if let Some(known) = known {
        let record = known.key_record()?;
        return Ok(if record.digest == payment.digest { Paid::Replayed(record.answer) } else { Paid::KeyConflict });
    }
    let protection = row.protection(3)?;
    let flows = match payment.longest_window(&protection) {
        Some(longest) => flows_of(&mut transaction, account, payment.now_ms, longest).await?,
        None => Flows::default(),
    };
    let booked = match payment.book(held, &protection, &flows)? {
        Ok(booked) => booked,
        Err(obstacle) => return Ok(Paid::Rejected(obstacle)),
    };
    write(&mut transaction, &payment, &booked).await?;
    transaction.commit().await?;
    Ok(booked.outcome())
}

async fn write(connection: &mut PgConnection, payment: &Payment, booked: &BookedPayment) -> Result<(), StoreError> {
    let account = payment.account.get();
    for (posting, balance_after) in &booked.postings {
        sqlx::query(
            "INSERT INTO postings (at_ms, kind, from_account, to_account, amount_cents, bettor_id, balance_after_cents) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(payment.now_ms)
        .bind(posting.kind.code())
        .bind(account_name(posting.from))
        .bind(account_name(posting.to))
        .bind(posting.amount.cents())
        .bind(account)
        .bind(balance_after.map(Money::cents))
        .execute(&mut *connection)
        .await?;
    }
    sqlx::query("UPDATE accounts SET balance_cents = $1, receivable_cents = $2, revision = $3 WHERE id = $4")
        .bind(booked.held.balance.cents())
        .bind(booked.held.receivable.cents())
        .bind(wide(booked.held.revision))
        .bind(account)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO cashier_answers (account_id, key, digest, status, body, at_ms) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(account)
    .bind(&payment.key.0[..])
    .bind(&payment.digest[..])
    .bind(i64::from(booked.answer.status))
    .bind(&booked.answer.body)
    .bind(payment.now_ms)
    .execute(connection)
    .await?;
    Ok(())
}
