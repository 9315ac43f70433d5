//! Accounts and logins. What the databases do in their own way: creating an account (`create_account`), and reading a login
//! (`read_login`), which PostgreSQL gathers.

use super::super::dialect::{Connection, Store, is_among, is_holdable, least, locked_shared};
use super::StoreRow;
use crate::limits::ACCOUNT_SESSIONS_LISTED_MAX;
use crate::nodes::SessionKey;
use crate::rows::{session_hash, wide};
use crate::slices::Deletion;
use crate::{
    Account, AccountId, AccountSession, AccountStore, Created, Login, NewAccount, NewLogin, PasswordChange, StoreError,
    StoreFuture,
};
use kvota_domain::account_name::name_skeleton;
use kvota_domain::bet::AccountMoney;
use kvota_domain::money::Money;
use kvota_domain::session::SessionId;

impl AccountStore for Store {
    fn create(&self, account: NewAccount) -> StoreFuture<'_, Created> {
        self.create_account(account)
    }

    fn find<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Account>> {
        let name = name.to_owned();
        self.read(|connection| Box::pin(find(connection, name)))
    }

    fn account(&self, id: AccountId) -> StoreFuture<'_, Option<Account>> {
        self.read(move |connection| Box::pin(account(connection, id)))
    }

    fn balance(&self, id: AccountId) -> StoreFuture<'_, Option<Money>> {
        Box::pin(async move { Ok(self.money(id).await?.map(|money| money.balance)) })
    }

    fn money(&self, id: AccountId) -> StoreFuture<'_, Option<AccountMoney>> {
        self.read(move |connection| Box::pin(money(connection, id)))
    }

    fn log_in(&self, session: SessionId, login: NewLogin) -> StoreFuture<'_, ()> {
        self.write((session, login), |connection, (session, new)| Box::pin(log_in(connection, *session, new)))
    }

    fn login(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, Option<Login>> {
        Box::pin(async move {
            let login = self.read_login(session_hash(session)).await?;
            Ok(login.filter(|login| login.holds(now_ms)))
        })
    }

    fn renew_login(&self, session: SessionId, login: Login) -> StoreFuture<'_, bool> {
        self.write_at_once((session, login), |connection, (session, login)| {
            Box::pin(renew_login(connection, *session, login))
        })
    }

    fn log_out(&self, session: SessionId) -> StoreFuture<'_, bool> {
        self.write_at_once(session, |connection, session| Box::pin(log_out(connection, *session)))
    }

    fn sessions_of(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Vec<AccountSession>> {
        self.read(move |connection| Box::pin(sessions_of(connection, account, now_ms)))
    }

    fn end_session(&self, account: AccountId, key: SessionKey) -> StoreFuture<'_, bool> {
        self.write_at_once((account, key.into_hash()), |connection, (account, hash)| {
            Box::pin(end_session(connection, *account, hash))
        })
    }

    fn change_password(&self, change: PasswordChange) -> StoreFuture<'_, Option<Vec<SessionKey>>> {
        self.write(change, |connection, change| Box::pin(change_password(connection, change)))
    }

    fn forget_ended_logins(&self, now_ms: i64) -> StoreFuture<'_, u64> {
        // The time is checked again: a login may be renewed after the inner question.
        let statement = concat!(
            "DELETE FROM logins WHERE expires_at_ms <= $1 AND ",
            is_among!(
                "session_hash",
                "SELECT session_hash FROM logins WHERE expires_at_ms <= $1 ORDER BY expires_at_ms LIMIT $2"
            )
        );
        self.delete(Deletion::EndedLogins, statement, now_ms)
    }
}

async fn find(connection: &mut Connection, name: String) -> Result<Option<Account>, StoreError> {
    if !is_holdable(&name) {
        return Ok(None);
    }
    // Try the exact name first: older accounts may have names that look the same.
    let found = sqlx::query(
        "SELECT id, name, password_hash, balance_cents, receivable_cents, protection, external_id FROM accounts \
         WHERE name = $1 OR id = (SELECT account_id FROM account_names WHERE skeleton = $2) \
         ORDER BY name = $1 DESC LIMIT 1",
    )
    .bind(&name)
    .bind(name_skeleton(&name))
    .fetch_optional(connection)
    .await?;
    found.as_ref().map(StoreRow::account).transpose()
}

async fn account(connection: &mut Connection, id: AccountId) -> Result<Option<Account>, StoreError> {
    let question = "SELECT id, name, password_hash, balance_cents, receivable_cents, protection, external_id \
         FROM accounts WHERE id = $1";
    let found = sqlx::query(question).bind(id.get()).fetch_optional(connection).await?;
    found.as_ref().map(StoreRow::account).transpose()
}

async fn money(connection: &mut Connection, id: AccountId) -> Result<Option<AccountMoney>, StoreError> {
    let question = "SELECT balance_cents, receivable_cents, revision FROM accounts WHERE id = $1";
    let found = sqlx::query(question).bind(id.get()).fetch_optional(connection).await?;
    found.as_ref().map(StoreRow::money).transpose()
}

async fn log_in(connection: &mut Connection, session: SessionId, new: &NewLogin) -> Result<(), StoreError> {
    // Waits for a change of the password or of a limit, or makes it wait, so that it concerns this login.
    let account = sqlx::query(locked_shared!("SELECT protection FROM accounts WHERE id = $1"))
        .bind(new.account.get())
        .fetch_optional(&mut *connection)
        .await?;
    let account = account.ok_or_else(|| StoreError::corrupt("a login of an account that does not exist"))?;
    let login = new.login(&account.protection()?);
    sqlx::query(
        "INSERT INTO logins (session_hash, account_id, expires_at_ms, created_at_ms, agent, ends_at_ms, \
         check_due_at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (session_hash) DO UPDATE \
         SET account_id = $2, expires_at_ms = $3, created_at_ms = $4, agent = $5, ends_at_ms = $6, \
         check_due_at_ms = $7, checked_at_ms = NULL",
    )
    .bind(session_hash(session))
    .bind(login.account.get())
    .bind(login.expires_at_ms)
    .bind(login.created_at_ms)
    .bind(&new.agent)
    .bind(login.times.ends_at_ms)
    .bind(login.times.check_due_at_ms)
    .execute(&mut *connection)
    .await?;
    let surplus = concat!(
        "DELETE FROM logins WHERE account_id = $1 AND ",
        is_among!(
            "session_hash",
            "SELECT session_hash FROM logins WHERE account_id = $1 ORDER BY expires_at_ms DESC, session_hash \
             LIMIT 1000000 OFFSET $2"
        )
    );
    let surplus = sqlx::query(surplus).bind(login.account.get()).bind(wide(ACCOUNT_SESSIONS_LISTED_MAX as u64));
    surplus.execute(connection).await?;
    Ok(())
}

async fn renew_login(connection: &mut Connection, session: SessionId, login: &Login) -> Result<bool, StoreError> {
    let renewal = concat!(
        "UPDATE logins SET expires_at_ms = ",
        least!("$1", "COALESCE(ends_at_ms, $1)"),
        " WHERE session_hash = $2 AND account_id = $3"
    );
    let renewal = sqlx::query(renewal).bind(login.expires_at_ms).bind(session_hash(session)).bind(login.account.get());
    Ok(renewal.execute(connection).await?.rows_affected() > 0)
}

async fn log_out(connection: &mut Connection, session: SessionId) -> Result<bool, StoreError> {
    let deletion = sqlx::query("DELETE FROM logins WHERE session_hash = $1").bind(session_hash(session));
    Ok(deletion.execute(connection).await?.rows_affected() > 0)
}

async fn sessions_of(
    connection: &mut Connection,
    account: AccountId,
    now_ms: i64,
) -> Result<Vec<AccountSession>, StoreError> {
    let rows = sqlx::query(
        "SELECT session_hash, expires_at_ms, created_at_ms, agent FROM logins \
         WHERE account_id = $1 AND expires_at_ms > $2 ORDER BY expires_at_ms DESC, session_hash LIMIT $3",
    )
    .bind(account.get())
    .bind(now_ms)
    .bind(wide(ACCOUNT_SESSIONS_LISTED_MAX as u64))
    .fetch_all(connection)
    .await?;
    rows.iter().map(StoreRow::account_session).collect()
}

async fn end_session(connection: &mut Connection, account: AccountId, hash: &[u8]) -> Result<bool, StoreError> {
    let deletion = sqlx::query("DELETE FROM logins WHERE account_id = $1 AND session_hash = $2");
    Ok(deletion.bind(account.get()).bind(hash).execute(connection).await?.rows_affected() > 0)
}

async fn change_password(
    connection: &mut Connection,
    change: &PasswordChange,
) -> Result<Option<Vec<SessionKey>>, StoreError> {
    let PasswordChange { account, old_hash, new_hash, kept } = change;
    let changed = sqlx::query("UPDATE accounts SET password_hash = $1 WHERE id = $2 AND password_hash = $3")
        .bind(new_hash)
        .bind(account.get())
        .bind(old_hash)
        .execute(&mut *connection)
        .await?;
    if changed.rows_affected() == 0 {
        return Ok(None);
    }
    let ended: Vec<Vec<u8>> =
        sqlx::query_scalar("DELETE FROM logins WHERE account_id = $1 AND session_hash <> $2 RETURNING session_hash")
            .bind(account.get())
            .bind(session_hash(*kept))
            .fetch_all(connection)
            .await?;
    Ok(Some(ended.into_iter().map(SessionKey::of_hash).collect()))
}
