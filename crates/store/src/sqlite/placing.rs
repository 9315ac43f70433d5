//! Places a bet in SQLite: one operation of the writer. It checks everything before it writes: an operation that changes
//! nothing must not have written anything, because the writer commits it together with others.

use super::SqliteStore;
use super::sql::StoreRow;
use super::sql::bets::facts;
use super::sql::grading::settled_match;
use super::writer::Operation;
use crate::bets::{KeyPurpose, placed, receipt};
use crate::rows::wide;
use crate::{AccountMoney, Answer, Bet, PlaceBet, Placed, StoreError, StoreFuture, bet_rules, fail_point};
use kvota_domain::ledger::{has_limit, is_over};
use kvota_domain::money::Money;
use sqlx::SqliteConnection;

/// What decides about a bet. `$3` are its pairs, as [`pairs_as_json`] writes them.
const READ: &str = "SELECT k.digest AS digest, k.status AS status, k.body AS body, k.key IS NOT NULL AS is_key_taken, \
     a.balance_cents AS balance_cents, a.receivable_cents AS receivable_cents, a.revision AS revision, \
     a.protection AS protection, EXISTS (SELECT 1 FROM betting_pause) AS is_paused, \
     EXISTS (SELECT 1 FROM json_each($3) p JOIN market_results r \
     ON r.match_id = p.value ->> 0 AND r.market_id = p.value ->> 1) AS has_result, \
     (SELECT coalesce(max(id), 0) + 1 FROM postings) AS number FROM accounts a \
     LEFT JOIN answers k ON k.account_id = a.id AND k.key = $2 WHERE a.id = $1";

/// Writes the answer under its key, the stake, the bet and its pairs: statements that are sent together, because each call
/// is a round trip to SQLite's thread.
const WRITE: &str = "INSERT INTO answers (account_id, key, digest, status, body, at_ms, purpose) \
     VALUES ($3, $4, $15, $16, $17, $5, $18); \
     INSERT INTO postings (id, at_ms, kind, from_account, to_account, amount_cents, bettor_id, balance_after_cents) \
     VALUES ($1, $5, 'stake', 'bettor', 'open_stakes', $6, $3, $14); \
     UPDATE accounts SET balance_cents = $14, revision = revision + 1 WHERE id = $3; \
     INSERT INTO bets (id, ticket_id, account_id, key, placed_at_ms, bruto_cents, stake_cents, total_odd, \
     system_type, potential_win_cents, win_tax_cents, payout_cents, consent, balance_after_cents, rules, \
     offer_version, feed_epoch, feed_seq, rest_bruto_cents, rest_stake_cents) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $19, $20, $21, $22, $6, $7); \
     INSERT INTO bet_pairs (bet_id, account_id, position, match_id, market_id, odd_id, sport_id, market_type, \
     market_subtype, sbv, odd_type, odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament) \
     SELECT $1, $3, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, \
     value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, \
     value ->> 15 FROM json_each($23)";

impl SqliteStore {
    pub(super) fn place_bet(&self, bet: PlaceBet) -> StoreFuture<'_, Placed> {
        self.placing.note();
        Box::pin(self.writer.run(Place(bet)))
    }
}

struct Place(PlaceBet);

impl Operation for Place {
    type Output = Placed;

    const IS_BET: bool = true;

    async fn run(&self, connection: &mut SqliteConnection) -> Result<Placed, StoreError> {
        let Place(order) = self;
        let bet = &order.bet;
        let pairs = pairs_as_json(bet)?;
        let row = sqlx::query(READ)
            .bind(order.account.get())
            .bind(&order.key.0[..])
            .bind(&pairs)
            .fetch_optional(&mut *connection)
            .await?;
        let row = row.ok_or_else(|| StoreError::corrupt(format!("there is no account {}", order.account)))?;
        if row.flag("is_key_taken")? {
            let record = row.key_record()?;
            let is_same = record.digest == order.digest;
            return Ok(if is_same { Placed::Replayed(record.answer) } else { Placed::KeyConflict });
        }
        if row.flag("is_paused")? {
            return Ok(Placed::Paused);
        }
        let (held, receivable) = (row.cents("balance_cents")?, row.cents("receivable_cents")?);
        if receivable > Money::ZERO {
            return Ok(Placed::Owes { receivable });
        }
        if row.flag("has_result")?
            && let Some(settled) = settled_match(connection, bet).await?
        {
            return Ok(Placed::MarketSettled(settled));
        }
        let left = held.checked_sub(bet.bruto).filter(|left| *left >= Money::ZERO);
        let Some(balance) = left else { return Ok(Placed::NotEnough { balance: held }) };
        if has_limit(&order.limits) || !row.protection()?.is_empty() {
            let matches = bet.pairs.iter().map(|pair| wide(pair.match_id.get())).collect();
            if let Some(facts) = facts(connection, order.account, matches, &order.limits, bet.placed_at_ms).await?
                && is_over(&facts, bet, &order.limits)
            {
                return Ok(Placed::OverLimit(facts));
            }
        }

        let number = row.int("number")?;
        let answer = Answer { status: 200, body: (order.answer)(&receipt(balance, number)) };
        fail_point::pass("after-read");
        write(connection, number, order, balance, &answer, &pairs).await?;
        fail_point::pass("after-write");
        let money = AccountMoney { balance, receivable, revision: row.unsigned::<u64>("revision")?.saturating_add(1) };
        Ok(placed(order, number, money, answer))
    }
}

/// Runs [`WRITE`].
async fn write(
    connection: &mut SqliteConnection,
    number: i64,
    order: &PlaceBet,
    balance: Money,
    answer: &Answer,
    pairs: &str,
) -> Result<(), StoreError> {
    let bet = &order.bet;
    sqlx::query(WRITE)
        .bind(number)
        .bind(order.ticket_id.as_str())
        .bind(order.account.get())
        .bind(&order.key.0[..])
        .bind(bet.placed_at_ms)
        .bind(bet.bruto.cents())
        .bind(bet.stake.cents())
        .bind(&bet.total_odd)
        .bind(i64::from(bet.system_type))
        .bind(bet.potential_win.cents())
        .bind(bet.win_tax.cents())
        .bind(bet.payout.cents())
        .bind(bet.consent.code())
        .bind(balance.cents())
        .bind(&order.digest[..])
        .bind(i64::from(answer.status))
        .bind(&answer.body[..])
        .bind(KeyPurpose::Bet.word())
        .bind(bet.basis.rules.as_ref().map(bet_rules::to_json))
        .bind(bet.basis.offer_version.map(wide))
        .bind(bet.basis.feed.map(|feed| feed.epoch))
        .bind(bet.basis.feed.map(|feed| wide(feed.seq)))
        .bind(pairs)
        .execute(connection)
        .await?;
    Ok(())
}

/// The pairs as an array of arrays, in the column order of [`WRITE`]. SQLite reads integers in JSON exactly.
fn pairs_as_json(bet: &Bet) -> Result<String, StoreError> {
    let columns = bet.pairs.iter().map(|pair| {
        (
            pair.match_id.get(),
            pair.market_id.get(),
            pair.odd_id.get(),
            pair.sport_id.get(),
            pair.market_type,
            pair.market_subtype,
            &pair.sbv,
            &pair.odd_type,
            pair.odds_submitted.thousandths(),
            pair.odds_taken.thousandths(),
            pair.is_fix,
            &pair.texts.home,
            &pair.texts.away,
            &pair.texts.market,
            &pair.texts.odd,
            &pair.texts.tournament,
        )
    });
    serde_json::to_string(&columns.collect::<Vec<_>>()).map_err(|failure| StoreError::corrupt(failure.to_string()))
}
