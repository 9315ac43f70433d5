//! Accounts and logins in PostgreSQL.

use super::locks::Lock;
use super::{PostgresStore, is_holdable};
use crate::domain::money::Money;
use crate::domain::session::SessionId;
use crate::store::rows::{StoreRow, session_hash};
use crate::store::{Account, AccountId, AccountStore, Created, Login, NewAccount, StoreError, StoreFuture};
use sqlx::PgConnection;

impl AccountStore for PostgresStore {
    fn create(&self, account: NewAccount) -> StoreFuture<'_, Created> {
        Box::pin(self.run(move |pool| async move {
            let NewAccount { name, password_hash, opening, now_ms } = account;
            let mut transaction = pool.begin().await?;
            let id: Option<i64> = sqlx::query_scalar(
                "INSERT INTO accounts (name, password_hash, balance_cents, created_at_ms) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (name) DO NOTHING RETURNING id",
            )
            .bind(name)
            .bind(password_hash)
            .bind(opening.cents())
            .bind(now_ms)
            .fetch_optional(&mut *transaction)
            .await?;
            let Some(id) = id else { return Ok(Created::NameTaken) };
            let id = AccountId::bettor(id).ok_or_else(|| StoreError::corrupt("an account got no number"))?;
            if opening != Money::ZERO {
                transfer(&mut transaction, "opening", now_ms, AccountId::BANK, id, opening).await?;
            }
            transaction.commit().await?;
            Ok(Created::Account(id))
        }))
    }

    fn find<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Account>> {
        let name = name.to_owned();
        Box::pin(self.run(|pool| async move {
            if !is_holdable(&name) {
                return Ok(None);
            }
            let found = sqlx::query("SELECT id, name, password_hash, balance_cents FROM accounts WHERE name = $1")
                .bind(name)
                .fetch_optional(&pool)
                .await?;
            found.as_ref().map(StoreRow::account).transpose()
        }))
    }

    fn account(&self, id: AccountId) -> StoreFuture<'_, Option<Account>> {
        Box::pin(self.run(move |pool| async move {
            let found = sqlx::query("SELECT id, name, password_hash, balance_cents FROM accounts WHERE id = $1")
                .bind(id.get())
                .fetch_optional(&pool)
                .await?;
            found.as_ref().map(StoreRow::account).transpose()
        }))
    }

    fn balance(&self, id: AccountId) -> StoreFuture<'_, Option<Money>> {
        Box::pin(self.run(move |pool| async move {
            let cents: Option<i64> = sqlx::query_scalar("SELECT balance_cents FROM accounts WHERE id = $1")
                .bind(id.get())
                .fetch_optional(&pool)
                .await?;
            Ok(cents.map(Money::from_cents))
        }))
    }

    fn log_in(&self, session: SessionId, login: Login) -> StoreFuture<'_, ()> {
        Box::pin(self.run(move |pool| async move {
            sqlx::query(
                "INSERT INTO logins (session_hash, account_id, expires_at_ms) VALUES ($1, $2, $3) \
                 ON CONFLICT (session_hash) DO UPDATE SET account_id = $2, expires_at_ms = $3",
            )
            .bind(session_hash(session))
            .bind(login.account.get())
            .bind(login.expires_at_ms)
            .execute(&pool)
            .await?;
            Ok(())
        }))
    }

    fn login(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, Option<Login>> {
        Box::pin(self.run(move |pool| async move {
            let question =
                "SELECT account_id, expires_at_ms FROM logins WHERE session_hash = $1 AND expires_at_ms > $2";
            let found = sqlx::query(question).bind(session_hash(session)).bind(now_ms).fetch_optional(&pool).await?;
            found.as_ref().map(StoreRow::login).transpose()
        }))
    }

    fn log_out(&self, session: SessionId) -> StoreFuture<'_, bool> {
        Box::pin(self.run(move |pool| async move {
            let deletion = sqlx::query("DELETE FROM logins WHERE session_hash = $1").bind(session_hash(session));
            Ok(deletion.execute(&pool).await?.rows_affected() > 0)
        }))
    }

    fn log_out_everywhere(&self, id: AccountId) -> StoreFuture<'_, u64> {
        Box::pin(self.run(move |pool| async move {
            let deletion = sqlx::query("DELETE FROM logins WHERE account_id = $1").bind(id.get());
            Ok(deletion.execute(&pool).await?.rows_affected())
        }))
    }

    fn forget_ended_logins(&self, now_ms: i64) -> StoreFuture<'_, u64> {
        // The time is compared again: a login may be renewed between the two readings.
        let statement = "DELETE FROM logins WHERE expires_at_ms <= $1 AND session_hash = ANY(ARRAY(\
             SELECT session_hash FROM logins WHERE expires_at_ms <= $1 ORDER BY expires_at_ms LIMIT $2))";
        Box::pin(self.delete(Lock::EndedLogins, statement, now_ms))
    }
}

/// Writes a movement with its two lines; gives its number. The balances kept with accounts are the caller's to change.
async fn transfer(
    connection: &mut PgConnection,
    kind: &'static str,
    at_ms: i64,
    from: AccountId,
    to: AccountId,
    amount: Money,
) -> Result<i64, StoreError> {
    let number: i64 = sqlx::query_scalar("INSERT INTO transfers (kind, at_ms) VALUES ($1, $2) RETURNING id")
        .bind(kind)
        .bind(at_ms)
        .fetch_one(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO entries (transfer_id, account_id, amount_cents) VALUES ($1, $2, -$4::bigint), ($1, $3, $4)",
    )
    .bind(number)
    .bind(from.get())
    .bind(to.get())
    .bind(amount.cents())
    .execute(connection)
    .await?;
    Ok(number)
}
