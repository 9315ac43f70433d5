//! Accounts and logins in SQLite. Reads use a reader connection. Must not write except through the writer.

use super::SqliteStore;
use super::protection::protection_of;
use super::writer::Operation;
use crate::limits::{ACCOUNT_SESSIONS_LISTED_MAX, STORE_DELETION_ROWS_MAX};
use crate::nodes::SessionKey;
use crate::rows::{StoreRow, session_hash, wide};
use crate::{
    Account, AccountId, AccountSession, AccountStore, Created, Login, NewAccount, NewLogin, PasswordChange, StoreError,
    StoreFuture,
};
use kvota_domain::account_name::{external_key, name_skeleton};
use kvota_domain::bet::AccountMoney;
use kvota_domain::money::Money;
use kvota_domain::session::SessionId;
use sqlx::{Connection, SqliteConnection};

impl AccountStore for SqliteStore {
    fn create(&self, account: NewAccount) -> StoreFuture<'_, Created> {
        Box::pin(self.writer.run(Create(account)))
    }

    fn find<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Account>> {
        Box::pin(async move {
            // Try the exact name first: older accounts may have names that look the same.
            let found = sqlx::query(
                "SELECT id, name, password_hash, balance_cents, receivable_cents, protection, external_id FROM accounts WHERE name = ?1 \
                 OR id = (SELECT account_id FROM account_names WHERE skeleton = ?2) ORDER BY name = ?1 DESC LIMIT 1",
            )
            .bind(name)
            .bind(name_skeleton(name))
            .fetch_optional(&self.readers)
            .await?;
            found.as_ref().map(StoreRow::account).transpose()
        })
    }

    fn account(&self, id: AccountId) -> StoreFuture<'_, Option<Account>> {
        Box::pin(async move {
            let found = sqlx::query(
                "SELECT id, name, password_hash, balance_cents, receivable_cents, protection, external_id FROM accounts WHERE id = ?",
            )
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

    fn money(&self, id: AccountId) -> StoreFuture<'_, Option<AccountMoney>> {
        Box::pin(async move {
            let row = sqlx::query("SELECT balance_cents, receivable_cents, revision FROM accounts WHERE id = ?")
                .bind(id.get())
                .fetch_optional(&self.readers)
                .await?;
            row.as_ref().map(StoreRow::money).transpose()
        })
    }

    fn log_in(&self, session: SessionId, login: NewLogin) -> StoreFuture<'_, ()> {
        Box::pin(self.writer.run(LogIn(session, login)))
    }

    fn login(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, Option<Login>> {
        Box::pin(async move {
            let question = "SELECT account_id, expires_at_ms, created_at_ms, ends_at_ms, check_due_at_ms FROM logins \
                 WHERE session_hash = ? AND expires_at_ms > ?";
            let found =
                sqlx::query(question).bind(session_hash(session)).bind(now_ms).fetch_optional(&self.readers).await?;
            let login = found.as_ref().map(StoreRow::login).transpose()?;
            Ok(login.filter(|login| login.holds(now_ms)))
        })
    }

    fn renew_login(&self, session: SessionId, login: Login) -> StoreFuture<'_, bool> {
        Box::pin(self.writer.run(RenewLogin(session, login)))
    }

    fn log_out(&self, session: SessionId) -> StoreFuture<'_, bool> {
        Box::pin(async move { Ok(self.writer.run(Forget::Login(session)).await? > 0) })
    }

    fn sessions_of(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Vec<AccountSession>> {
        Box::pin(async move {
            let rows = sqlx::query(
                "SELECT session_hash, expires_at_ms, created_at_ms, agent FROM logins \
                 WHERE account_id = ? AND expires_at_ms > ? ORDER BY expires_at_ms DESC, session_hash LIMIT ?",
            )
            .bind(account.get())
            .bind(now_ms)
            .bind(wide(ACCOUNT_SESSIONS_LISTED_MAX as u64))
            .fetch_all(&self.readers)
            .await?;
            rows.iter().map(StoreRow::account_session).collect()
        })
    }

    fn end_session(&self, account: AccountId, key: SessionKey) -> StoreFuture<'_, bool> {
        Box::pin(async move { Ok(self.writer.run(Forget::LoginOf(account, key.into_hash())).await? > 0) })
    }

    fn change_password(&self, change: PasswordChange) -> StoreFuture<'_, Option<Vec<SessionKey>>> {
        Box::pin(self.writer.run(ChangePassword(change)))
    }

    fn forget_ended_logins(&self, now_ms: i64) -> StoreFuture<'_, u64> {
        Box::pin(self.delete(move || Forget::LoginsEndedAt(now_ms)))
    }
}

struct Create(NewAccount);

impl Operation for Create {
    type Output = Created;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Created, StoreError> {
        let NewAccount { name, password_hash, opening, now_ms, external_id } = &self.0;
        let (skeleton, external_key) = (name_skeleton(name), external_id.as_deref().map(external_key));
        let question = "SELECT EXISTS (SELECT 1 FROM external_ids WHERE key = ?)";
        if sqlx::query_scalar(question).bind(&external_key).fetch_one(&mut *connection).await? {
            let is_named = "SELECT EXISTS (SELECT 1 FROM account_names WHERE skeleton = ?)";
            let is_named: bool = sqlx::query_scalar(is_named).bind(&skeleton).fetch_one(&mut *connection).await?;
            return Ok(if is_named { Created::NameTaken } else { Created::ExternalIdTaken });
        }
        let made = sqlx::query(
            "INSERT INTO accounts (name, password_hash, balance_cents, created_at_ms, external_id) SELECT ?, ?, ?, ?, ? \
             WHERE NOT EXISTS (SELECT 1 FROM account_names WHERE skeleton = ?) ON CONFLICT (name) DO NOTHING",
        )
        .bind(name)
        .bind(password_hash)
        .bind(opening.cents())
        .bind(now_ms)
        .bind(external_id)
        .bind(&skeleton)
        .execute(&mut *connection)
        .await?;
        if made.rows_affected() == 0 {
            return Ok(Created::NameTaken);
        }
        let id = AccountId::bettor(made.last_insert_rowid());
        let id = id.ok_or_else(|| StoreError::corrupt("an account got no number"))?;
        sqlx::query("INSERT INTO account_names (skeleton, account_id) VALUES (?, ?)")
            .bind(skeleton)
            .bind(id.get())
            .execute(&mut *connection)
            .await?;
        if let Some(key) = external_key {
            let given = sqlx::query("INSERT INTO external_ids (key, account_id) VALUES (?, ?)");
            given.bind(key).bind(id.get()).execute(&mut *connection).await?;
        }
        if *opening != Money::ZERO {
            book_opening(connection, id, *opening, *now_ms).await?;
        }
        Ok(Created::Account(id))
    }
}

/// Posts an opening balance.
async fn book_opening(
    connection: &mut SqliteConnection,
    account: AccountId,
    amount: Money,
    at_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO postings (at_ms, kind, from_account, to_account, amount_cents, bettor_id, balance_after_cents) \
         VALUES (?, 'opening', 'bank', 'bettor', ?, ?, ?)",
    )
    .bind(at_ms)
    .bind(amount.cents())
    .bind(account.get())
    .bind(amount.cents())
    .execute(connection)
    .await?;
    Ok(())
}

struct LogIn(SessionId, NewLogin);

impl Operation for LogIn {
    type Output = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let LogIn(session, new) = self;
        let protection = protection_of(connection, new.account).await?;
        let protection = protection.ok_or_else(|| StoreError::corrupt("a login of an account that does not exist"))?;
        let login = new.login(&protection);
        sqlx::query(
            "INSERT OR REPLACE INTO logins (session_hash, account_id, expires_at_ms, created_at_ms, agent, ends_at_ms, \
             check_due_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(session_hash(*session))
        .bind(login.account.get())
        .bind(login.expires_at_ms)
        .bind(login.created_at_ms)
        .bind(&new.agent)
        .bind(login.times.ends_at_ms)
        .bind(login.times.check_due_at_ms)
        .execute(&mut *connection)
        .await?;
        let surplus = "DELETE FROM logins WHERE session_hash IN (SELECT session_hash FROM logins WHERE account_id = ? \
             ORDER BY expires_at_ms DESC, session_hash LIMIT -1 OFFSET ?)";
        let surplus = sqlx::query(surplus).bind(login.account.get()).bind(wide(ACCOUNT_SESSIONS_LISTED_MAX as u64));
        surplus.execute(connection).await?;
        Ok(())
    }
}

struct ChangePassword(PasswordChange);

impl Operation for ChangePassword {
    type Output = Option<Vec<SessionKey>>;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Self::Output, StoreError> {
        let PasswordChange { account, old_hash, new_hash, kept } = &self.0;
        let changed = sqlx::query("UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?")
            .bind(new_hash)
            .bind(account.get())
            .bind(old_hash)
            .execute(&mut *connection)
            .await?;
        if changed.rows_affected() == 0 {
            return Ok(None);
        }
        let ended: Vec<Vec<u8>> =
            sqlx::query_scalar("DELETE FROM logins WHERE account_id = ? AND session_hash <> ? RETURNING session_hash")
                .bind(account.get())
                .bind(session_hash(*kept))
                .fetch_all(connection)
                .await?;
        Ok(Some(ended.into_iter().map(SessionKey::of_hash).collect()))
    }
}

struct RenewLogin(SessionId, Login);

impl Operation for RenewLogin {
    type Output = bool;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<bool, StoreError> {
        let RenewLogin(session, login) = self;
        let renewal = sqlx::query(
            "UPDATE logins SET expires_at_ms = MIN(?1, COALESCE(ends_at_ms, ?1)) WHERE session_hash = ?2 AND account_id = ?3",
        )
        .bind(login.expires_at_ms)
        .bind(session_hash(*session))
        .bind(login.account.get());
        Ok(renewal.execute(connection).await?.rows_affected() > 0)
    }
}

/// Inserts the missing rows of older accounts into `account_names`, the oldest account first. Called at each start,
/// because an older version of the program may have created accounts meanwhile.
pub(super) async fn name_older_accounts(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut transaction = connection.begin().await?;
    let mut last = 0_i64;
    loop {
        let slice: Vec<(i64, String)> = sqlx::query_as(
            "SELECT id, name FROM accounts WHERE id > ? AND id NOT IN (SELECT account_id FROM account_names) \
             ORDER BY id LIMIT 1000",
        )
        .bind(last)
        .fetch_all(&mut *transaction)
        .await?;
        let Some((newest, _)) = slice.last() else { break };
        last = *newest;
        for (id, name) in slice {
            sqlx::query("INSERT INTO account_names (skeleton, account_id) VALUES (?, ?) ON CONFLICT DO NOTHING")
                .bind(name_skeleton(&name))
                .bind(id)
                .execute(&mut *transaction)
                .await?;
        }
    }
    Ok(transaction.commit().await?)
}

enum Forget {
    Login(SessionId),
    LoginOf(AccountId, Vec<u8>),
    LoginsEndedAt(i64),
}

impl Operation for Forget {
    type Output = u64;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<u64, StoreError> {
        let deletion = match self {
            Forget::Login(session) => {
                sqlx::query("DELETE FROM logins WHERE session_hash = ?").bind(session_hash(*session))
            }
            Forget::LoginOf(account, hash) => {
                sqlx::query("DELETE FROM logins WHERE account_id = ? AND session_hash = ?")
                    .bind(account.get())
                    .bind(hash)
            }
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
