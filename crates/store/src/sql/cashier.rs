//! Deposits and withdrawals. Must not decide whether money is paid: `kvota_domain::ledger` does.

use super::super::dialect::{Connection, Store, locked};
use super::StoreRow;
use super::protection::flows_of;
use crate::rows::{account_name, wide};
use crate::{Answer, CashierStore, Paid, Payment, StoreError, StoreFuture};
use kvota_domain::ledger::BookedPayment;
use kvota_domain::money::Money;
use kvota_domain::protection::Flows;

impl CashierStore for Store {
    fn pay(&self, payment: Payment) -> StoreFuture<'_, Paid> {
        self.write(payment, |connection, payment| Box::pin(pay(connection, payment)))
    }
}

async fn pay(connection: &mut Connection, payment: &Payment) -> Result<Paid, StoreError> {
    let account = payment.account;
    let row = sqlx::query(locked!(
        "SELECT balance_cents, receivable_cents, revision, protection FROM accounts WHERE id = $1"
    ))
    .bind(account.get())
    .fetch_optional(&mut *connection)
    .await?;
    let row = row.ok_or_else(|| StoreError::corrupt(format!("there is no account {account}")))?;
    let known = sqlx::query("SELECT digest, status, body FROM cashier_answers WHERE account_id = $1 AND key = $2")
        .bind(account.get())
        .bind(&payment.key.0[..])
        .fetch_optional(&mut *connection)
        .await?;
    if let Some(known) = known {
        let record = known.key_record()?;
        return Ok(if record.digest == payment.digest { Paid::Replayed(record.answer) } else { Paid::KeyConflict });
    }
    let (protection, attempt) = (row.protection()?, payment.attempt());
    let flows = match attempt.longest_window(&protection) {
        Some(longest) => flows_of(connection, account, payment.now_ms, longest).await?,
        None => Flows::default(),
    };
    let booked = match attempt.book(row.holdings()?, &protection, &flows)? {
        Ok(booked) => booked,
        Err(obstacle) => return Ok(Paid::Rejected(obstacle)),
    };
    let (answer, money) = payment.done(&booked);
    write(connection, payment, &booked, &answer).await?;
    Ok(Paid::Paid { answer, money })
}

async fn write(
    connection: &mut Connection,
    payment: &Payment,
    booked: &BookedPayment,
    answer: &Answer,
) -> Result<(), StoreError> {
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
    .bind(i64::from(answer.status))
    .bind(&answer.body)
    .bind(payment.now_ms)
    .execute(connection)
    .await?;
    Ok(())
}
