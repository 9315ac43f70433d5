//! Accounts and logins in SQLite. Reads take a connection of their own, writes go to the writer.

use super::SqliteStore;
use super::writer::Operation;
use crate::domain::limits::STORE_DELETION_ROWS_MAX;
use crate::domain::money::Money;
use crate::domain::session::SessionId;
use crate::store::rows::{StoreRow, session_hash, wide};
use crate::store::{Account, AccountId, AccountStore, Created, Login, NewAccount, StoreError, StoreFuture};
use sqlx::SqliteConnection;

impl AccountStore for SqliteStore {
    fn create(&self, account: NewAccount) -> StoreFuture<'_, Created> {
        Box::pin(self.writer.run(Create(account)))
    }

    fn find<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Account>> {
        Box::pin(async move {
            let found = sqlx::query("SELECT id, name, password_hash, balance_cents FROM accounts WHERE name = ?")
                .bind(name)
                .fetch_optional(&self.readers)
                .await?;
            found.as_ref().map(StoreRow::account).transpose()
        })
    }

    fn account(&self, id: AccountId) -> StoreFuture<'_, Option<Account>> {
        Box::pin(async move {
            let found = sqlx::query("SELECT id, name, password_hash, balance_cents FROM accounts WHERE id = ?")
                .bind(id.get())
                .fetch_optional(&self.readers)
                .await?;
            found.as_ref().map(StoreRow::account).transpose()
        })
    }

    fn balance(&self, id: AccountId) -> StoreFuture<'_, Option<Money>> {
        Box::pin(async move {
            let cents: Option<i64> = sqlx::query_scalar("SELECT balance_cents FROM accounts WHERE id = ?")
                .bind(id.get())
                .fetch_optional(&self.readers)
                .await?;
            Ok(cents.map(Money::from_cents))
        })
    }

    fn log_in(&self, session: SessionId, login: Login) -> StoreFuture<'_, ()> {
        Box::pin(self.writer.run(LogIn(session, login)))
    }

    fn login(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, Option<Login>> {
        Box::pin(async move {
            let question = "SELECT account_id, expires_at_ms FROM logins WHERE session_hash = ? AND expires_at_ms > ?";
            let found =
                sqlx::query(question).bind(session_hash(session)).bind(now_ms).fetch_optional(&self.readers).await?;
            found.as_ref().map(StoreRow::login).transpose()
        })
    }

    fn log_out(&self, session: SessionId) -> StoreFuture<'_, bool> {
        Box::pin(async move { Ok(self.writer.run(Forget::Login(session)).await? > 0) })
    }

    fn log_out_everywhere(&self, id: AccountId) -> StoreFuture<'_, u64> {
        Box::pin(self.writer.run(Forget::LoginsOf(id)))
    }

    fn forget_ended_logins(&self, now_ms: i64) -> StoreFuture<'_, u64> {
        Box::pin(self.delete(move || Forget::LoginsEndedAt(now_ms)))
    }
}

struct Create(NewAccount);

impl Operation for Create {
    type Outcome = Created;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Created, StoreError> {
        let NewAccount { name, password_hash, opening, now_ms } = &self.0;
        let made = sqlx::query(
            "INSERT INTO accounts (name, password_hash, balance_cents, created_at_ms) VALUES (?, ?, ?, ?) \
             ON CONFLICT (name) DO NOTHING",
        )
        .bind(name)
        .bind(password_hash)
        .bind(opening.cents())
        .bind(now_ms)
        .execute(&mut *connection)
        .await?;
        if made.rows_affected() == 0 {
            return Ok(Created::NameTaken);
        }
        let id = AccountId::bettor(made.last_insert_rowid());
        let id = id.ok_or_else(|| StoreError::corrupt("an account got no number"))?;
        if *opening != Money::ZERO {
            book_opening(connection, id, *opening, *now_ms).await?;
        }
        Ok(Created::Account(id))
    }
}

/// Writes the movement of an opening balance with its two lines. `entries` has no row numbers of its own, so that the
/// last one is the movement's.
async fn book_opening(
    connection: &mut SqliteConnection,
    account: AccountId,
    amount: Money,
    at_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO transfers (kind, at_ms) VALUES ('opening', ?); \
         INSERT INTO entries (transfer_id, account_id, amount_cents) \
         VALUES (last_insert_rowid(), ?, ?), (last_insert_rowid(), ?, ?)",
    )
    .bind(at_ms)
    .bind(AccountId::BANK.get())
    .bind(amount.negated().cents())
    .bind(account.get())
    .bind(amount.cents())
    .execute(connection)
    .await?;
    Ok(())
}

struct LogIn(SessionId, Login);

impl Operation for LogIn {
    type Outcome = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let LogIn(session, login) = self;
        sqlx::query("INSERT OR REPLACE INTO logins (session_hash, account_id, expires_at_ms) VALUES (?, ?, ?)")
            .bind(session_hash(*session))
            .bind(login.account.get())
            .bind(login.expires_at_ms)
            .execute(connection)
            .await?;
        Ok(())
    }
}

enum Forget {
    Login(SessionId),
    LoginsOf(AccountId),
    LoginsEndedAt(i64),
}

impl Operation for Forget {
    type Outcome = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        let deletion = match self {
            Forget::Login(session) => {
                sqlx::query("DELETE FROM logins WHERE session_hash = ?").bind(session_hash(*session))
            }
            Forget::LoginsOf(id) => sqlx::query("DELETE FROM logins WHERE account_id = ?").bind(id.get()),
            Forget::LoginsEndedAt(now_ms) => sqlx::query(
                "DELETE FROM logins WHERE session_hash IN \
                 (SELECT session_hash FROM logins WHERE expires_at_ms <= ? ORDER BY expires_at_ms LIMIT ?)",
            )
            .bind(now_ms)
            .bind(wide(STORE_DELETION_ROWS_MAX)),
        };
        Ok(deletion.execute(connection).await?.rows_affected())
    }
}
