//! What SQLite does with accounts in its own way: creating one, and reading a login.

use super::SqliteStore;
use super::sql::StoreRow;
use crate::{AccountId, Created, Login, NewAccount, StoreError, StoreFuture};
use kvota_domain::account_name::{external_key, name_skeleton};
use kvota_domain::money::Money;
use sqlx::{Connection, SqliteConnection};

impl SqliteStore {
    pub(super) fn create_account(&self, account: NewAccount) -> StoreFuture<'_, Created> {
        self.write(account, |connection, account| Box::pin(create(connection, account)))
    }

    /// The login with this hash of its cookie.
    pub(super) fn read_login(&self, hash: Vec<u8>) -> StoreFuture<'_, Option<Login>> {
        self.read(|connection| Box::pin(login(connection, hash)))
    }
}

async fn login(connection: &mut SqliteConnection, hash: Vec<u8>) -> Result<Option<Login>, StoreError> {
    let question = "SELECT account_id, expires_at_ms, created_at_ms, ends_at_ms, check_due_at_ms FROM logins \
         WHERE session_hash = ?";
    let found = sqlx::query(question).bind(hash).fetch_optional(connection).await?;
    found.as_ref().map(StoreRow::login).transpose()
}

/// Checks everything before it writes: other operations share its transaction.
async fn create(connection: &mut SqliteConnection, account: &NewAccount) -> Result<Created, StoreError> {
    let NewAccount { name, password_hash, opening, now_ms, external_id } = account;
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
