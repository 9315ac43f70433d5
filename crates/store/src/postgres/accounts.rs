//! What PostgreSQL does with accounts in its own way: creating one, and reading logins, which are gathered.

use super::PostgresStore;
use super::gathered::Found;
use super::sql::StoreRow;
use crate::{AccountId, Created, Login, NewAccount, StoreError, StoreFuture};
use kvota_domain::account_name::{external_key, name_skeleton};
use kvota_domain::money::Money;
use sqlx::{PgConnection, PgPool};

impl PostgresStore {
    pub(super) fn create_account(&self, account: NewAccount) -> StoreFuture<'_, Created> {
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

    /// The login with this hash of its cookie.
    pub(super) fn read_login(&self, hash: Vec<u8>) -> StoreFuture<'_, Option<Login>> {
        Box::pin(self.logins.get(hash))
    }
}

/// The logins of these cookies, by the hashes that are stored of them.
pub(super) fn logins(pool: PgPool, hashes: Vec<Vec<u8>>) -> StoreFuture<'static, Found<Vec<u8>, Login>> {
    Box::pin(async move {
        let question = "SELECT account_id, expires_at_ms, created_at_ms, ends_at_ms, check_due_at_ms, session_hash \
             FROM logins WHERE session_hash = ANY($1)";
        let rows = sqlx::query(question).bind(hashes).fetch_all(&pool).await?;
        rows.iter().map(|row| Ok((row.bytes("session_hash")?, row.login()))).collect()
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
