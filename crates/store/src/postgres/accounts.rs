//! Accounts and logins in PostgreSQL.

use super::gathered::Found;
use super::locks::Lock;
use super::{PostgresStore, is_holdable};
use crate::limits::ACCOUNT_SESSIONS_LISTED_MAX;
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
use sqlx::{PgConnection, PgPool};

impl AccountStore for PostgresStore {
    fn create(&self, account: NewAccount) -> StoreFuture<'_, Created> {
        Box::pin(self.run(move |pool| async move {
            let NewAccount { name, password_hash, opening, now_ms, external_id } = account;
            let (skeleton, external_key) = (name_skeleton(&name), external_id.as_deref().map(external_key));
            let mut transaction = pool.begin().await?;
            let id: Option<i64> = sqlx::query_scalar(
                "INSERT INTO accounts (name, password_hash, balance_cents, created_at_ms, external_id) \
                 VALUES ($1, $2, $3, $4, $5) \
                 ON CONFLICT (name) DO NOTHING RETURNING id",
            )
            .bind(name)
            .bind(password_hash)
            .bind(opening.cents())
            .bind(now_ms)
            .bind(external_id)
            .fetch_optional(&mut *transaction)
            .await?;
            let Some(id) = id else { return Ok(Created::NameTaken) };
            let id = AccountId::bettor(id).ok_or_else(|| StoreError::corrupt("an account got no number"))?;
            let named = sqlx::query(
                "INSERT INTO account_names (skeleton, account_id) VALUES ($1, $2) ON CONFLICT (skeleton) DO NOTHING",
            )
            .bind(skeleton)
            .bind(id.get())
            .execute(&mut *transaction)
            .await?;
            if named.rows_affected() == 0 {
                transaction.rollback().await?;
                return Ok(Created::NameTaken);
            }
            if let Some(key) = external_key {
                let question =
                    "INSERT INTO external_ids (key, account_id) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING";
                let given = sqlx::query(question).bind(key).bind(id.get()).execute(&mut *transaction).await?;
                if given.rows_affected() == 0 {
                    transaction.rollback().await?;
                    return Ok(Created::ExternalIdTaken);
                }
            }
            if opening != Money::ZERO {
                post_opening(&mut transaction, id, opening, now_ms).await?;
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
            // Try the exact name first: older accounts may have names that look the same.
            let found = sqlx::query(
                "SELECT id, name, password_hash, balance_cents, receivable_cents, protection, external_id FROM accounts WHERE name = $1 \
                 OR id = (SELECT account_id FROM account_names WHERE skeleton = $2) ORDER BY name = $1 DESC LIMIT 1",
            )
            .bind(&name)
            .bind(name_skeleton(&name))
            .fetch_optional(&pool)
            .await?;
            found.as_ref().map(StoreRow::account).transpose()
        }))
    }

    fn account(&self, id: AccountId) -> StoreFuture<'_, Option<Account>> {
        Box::pin(self.run(move |pool| async move {
            let found = sqlx::query(
                "SELECT id, name, password_hash, balance_cents, receivable_cents, protection, external_id FROM accounts WHERE id = $1",
            )
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

    fn money(&self, id: AccountId) -> StoreFuture<'_, Option<AccountMoney>> {
        Box::pin(self.run(move |pool| async move {
            let row = sqlx::query("SELECT balance_cents, receivable_cents, revision FROM accounts WHERE id = $1")
                .bind(id.get())
                .fetch_optional(&pool)
                .await?;
            row.as_ref().map(StoreRow::money).transpose()
        }))
    }

    fn log_in(&self, session: SessionId, new: NewLogin) -> StoreFuture<'_, ()> {
        Box::pin(self.run(move |pool| async move {
            let mut transaction = pool.begin().await?;
            // Waits for a change of the password or of a limit, or makes it wait, so that it concerns this login.
            let account = sqlx::query("SELECT protection FROM accounts WHERE id = $1 FOR SHARE")
                .bind(new.account.get())
                .fetch_optional(&mut *transaction)
                .await?;
            let account = account.ok_or_else(|| StoreError::corrupt("a login of an account that does not exist"))?;
            let login = new.login(&account.protection(0)?);
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
            .bind(new.agent)
            .bind(login.times.ends_at_ms)
            .bind(login.times.check_due_at_ms)
            .execute(&mut *transaction)
            .await?;
            let surplus = "DELETE FROM logins WHERE account_id = $1 AND session_hash IN (SELECT session_hash FROM logins \
                 WHERE account_id = $1 ORDER BY expires_at_ms DESC, session_hash OFFSET $2)";
            let surplus = sqlx::query(surplus).bind(login.account.get()).bind(wide(ACCOUNT_SESSIONS_LISTED_MAX as u64));
            surplus.execute(&mut *transaction).await?;
            Ok(transaction.commit().await?)
        }))
    }

    fn login(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, Option<Login>> {
        Box::pin(async move {
            let login = self.logins.get(session_hash(session)).await?;
            Ok(login.filter(|login| login.holds(now_ms)))
        })
    }

    fn renew_login(&self, session: SessionId, login: Login) -> StoreFuture<'_, bool> {
        Box::pin(self.run(move |pool| async move {
            let renewal = sqlx::query(
                "UPDATE logins SET expires_at_ms = LEAST($1, COALESCE(ends_at_ms, $1)) \
                 WHERE session_hash = $2 AND account_id = $3",
            )
            .bind(login.expires_at_ms)
            .bind(session_hash(session))
            .bind(login.account.get());
            Ok(renewal.execute(&pool).await?.rows_affected() > 0)
        }))
    }

    fn log_out(&self, session: SessionId) -> StoreFuture<'_, bool> {
        Box::pin(self.run(move |pool| async move {
            let deletion = sqlx::query("DELETE FROM logins WHERE session_hash = $1").bind(session_hash(session));
            Ok(deletion.execute(&pool).await?.rows_affected() > 0)
        }))
    }

    fn sessions_of(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Vec<AccountSession>> {
        Box::pin(self.run(move |pool| async move {
            let rows = sqlx::query(
                "SELECT session_hash, expires_at_ms, created_at_ms, agent FROM logins \
                 WHERE account_id = $1 AND expires_at_ms > $2 ORDER BY expires_at_ms DESC, session_hash LIMIT $3",
            )
            .bind(account.get())
            .bind(now_ms)
            .bind(wide(ACCOUNT_SESSIONS_LISTED_MAX as u64))
            .fetch_all(&pool)
            .await?;
            rows.iter().map(StoreRow::account_session).collect()
        }))
    }

    fn end_session(&self, account: AccountId, key: SessionKey) -> StoreFuture<'_, bool> {
        Box::pin(self.run(move |pool| async move {
            let deletion = sqlx::query("DELETE FROM logins WHERE account_id = $1 AND session_hash = $2")
                .bind(account.get())
                .bind(key.into_hash());
            Ok(deletion.execute(&pool).await?.rows_affected() > 0)
        }))
    }

    fn change_password(&self, change: PasswordChange) -> StoreFuture<'_, Option<Vec<SessionKey>>> {
        Box::pin(self.run(move |pool| async move {
            let PasswordChange { account, old_hash, new_hash, kept } = change;
            let mut transaction = pool.begin().await?;
            let changed = sqlx::query("UPDATE accounts SET password_hash = $1 WHERE id = $2 AND password_hash = $3")
                .bind(new_hash)
                .bind(account.get())
                .bind(old_hash)
                .execute(&mut *transaction)
                .await?;
            if changed.rows_affected() == 0 {
                return Ok(None);
            }
            let ended: Vec<Vec<u8>> = sqlx::query_scalar(
                "DELETE FROM logins WHERE account_id = $1 AND session_hash <> $2 RETURNING session_hash",
            )
            .bind(account.get())
            .bind(session_hash(kept))
            .fetch_all(&mut *transaction)
            .await?;
            transaction.commit().await?;
            Ok(Some(ended.into_iter().map(SessionKey::of_hash).collect()))
        }))
    }

    fn forget_ended_logins(&self, now_ms: i64) -> StoreFuture<'_, u64> {
        // Check the time again in the DELETE: a login may be renewed after the inner SELECT.
        let statement = "DELETE FROM logins WHERE expires_at_ms <= $1 AND session_hash = ANY(ARRAY(\
             SELECT session_hash FROM logins WHERE expires_at_ms <= $1 ORDER BY expires_at_ms LIMIT $2))";
        Box::pin(self.delete(Lock::EndedLogins, statement, now_ms))
    }
}

/// The logins of these cookies, by the hashes that are stored of them.
pub(super) fn logins(pool: PgPool, hashes: Vec<Vec<u8>>) -> StoreFuture<'static, Found<Vec<u8>, Login>> {
    Box::pin(async move {
        let question = "SELECT account_id, expires_at_ms, created_at_ms, ends_at_ms, check_due_at_ms, session_hash \
             FROM logins WHERE session_hash = ANY($1)";
        let rows = sqlx::query(question).bind(hashes).fetch_all(&pool).await?;
        rows.iter().map(|row| Ok((row.bytes(5)?, row.login()))).collect()
    })
}

/// Inserts the missing rows of older accounts into `account_names`, the oldest account first. Called at each start,
/// because a node with an older version may have created accounts meanwhile.
pub(super) async fn name_older_accounts(connection: &mut PgConnection) -> Result<(), StoreError> {
    let mut last = 0_i64;
    loop {
        let slice: Vec<(i64, String)> = sqlx::query_as(
            "SELECT a.id, a.name FROM accounts a WHERE a.id > $1 \
             AND NOT EXISTS (SELECT 1 FROM account_names n WHERE n.account_id = a.id) ORDER BY a.id LIMIT 1000",
        )
        .bind(last)
        .fetch_all(&mut *connection)
        .await?;
        let Some((newest, _)) = slice.last() else { return Ok(()) };
        last = *newest;
        let (ids, names): (Vec<i64>, Vec<String>) = slice.into_iter().unzip();
        let skeletons: Vec<String> = names.iter().map(|name| name_skeleton(name)).collect();
        sqlx::query(
            "INSERT INTO account_names (skeleton, account_id) \
             SELECT * FROM UNNEST($1::text[], $2::bigint[]) AS named (skeleton, id) ORDER BY id ON CONFLICT DO NOTHING",
        )
        .bind(skeletons)
        .bind(ids)
        .execute(&mut *connection)
        .await?;
    }
}

/// Posts an opening balance.
async fn post_opening(
    connection: &mut PgConnection,
    account: AccountId,
    amount: Money,
    at_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO postings (at_ms, kind, from_account, to_account, amount_cents, bettor_id, balance_after_cents) \
         VALUES ($1, 'opening', 'bank', 'bettor', $2, $3, $2)",
    )
    .bind(at_ms)
    .bind(amount.cents())
    .bind(account.get())
    .execute(connection)
    .await?;
    Ok(())
}
