//! Places a bet in SQLite: one operation of the writer. It checks everything before it writes: an operation that changes
//! nothing must not have written anything, because the writer commits it together with others.

use super::SqliteStore;
use super::sql::StoreRow;
use super::sql::bets::{facts, insert_answer};
use super::sql::grading::settled_match;
use super::writer::Operation;
use crate::bets::{KeyPurpose, placed, receipt};
use crate::rows::wide;
use crate::{AccountMoney, Answer, Bet, PlaceBet, Placed, StoreError, StoreFuture, bet_rules, fail_point};
use kvota_domain::ledger::{has_limit, is_over};
use kvota_domain::money::Money;
use serde_json::{Value, json};
use sqlx::SqliteConnection;

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
        let row = sqlx::query(
            "SELECT k.digest AS digest, k.status AS status, k.body AS body, k.key IS NOT NULL AS is_key_taken, \
             a.balance_cents AS balance_cents, a.receivable_cents AS receivable_cents, a.revision AS revision, \
             a.protection AS protection, EXISTS (SELECT 1 FROM betting_pause) AS is_paused, \
             (SELECT coalesce(max(id), 0) + 1 FROM postings) AS number FROM accounts a \
             LEFT JOIN answers k ON k.account_id = a.id AND k.key = ?2 WHERE a.id = ?1",
        )
        .bind(order.account.get())
        .bind(&order.key.0[..])
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
        if let Some(settled) = settled_match(connection, bet).await? {
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
        let record = (&order.digest, &answer);
        if !insert_answer(connection, order.account, order.key, record, bet.placed_at_ms, KeyPurpose::Bet).await? {
            return Err(StoreError::corrupt("a key was taken while its bet was placed"));
        }
        fail_point::pass("after-key");
        debit(connection, number, order, balance).await?;
        fail_point::pass("after-debit");
        insert_bet(connection, number, order, balance).await?;
        fail_point::pass("after-bet");
        let money = AccountMoney { balance, receivable, revision: row.unsigned::<u64>("revision")?.saturating_add(1) };
        Ok(placed(order, number, money, answer))
    }
}

/// Books the stake: writes the posting with this number and the new balance. Statements without a fail point between
/// them are sent together, because each call is a round trip to SQLite's thread.
async fn debit(
    connection: &mut SqliteConnection,
    number: i64,
    order: &PlaceBet,
    balance: Money,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO postings (id, at_ms, kind, from_account, to_account, amount_cents, bettor_id, balance_after_cents) \
         VALUES (?, ?, 'stake', 'bettor', 'open_stakes', ?, ?, ?); \
         UPDATE accounts SET balance_cents = ?, revision = revision + 1 WHERE id = ?",
    )
    .bind(number)
    .bind(order.bet.placed_at_ms)
    .bind(order.bet.bruto.cents())
    .bind(order.account.get())
    .bind(balance.cents())
    .bind(balance.cents())
    .bind(order.account.get())
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes the bet and its pairs.
async fn insert_bet(
    connection: &mut SqliteConnection,
    number: i64,
    order: &PlaceBet,
    balance: Money,
) -> Result<(), StoreError> {
    let bet = &order.bet;
    sqlx::query(
        "INSERT INTO bets (id, ticket_id, account_id, key, placed_at_ms, bruto_cents, stake_cents, total_odd, \
         system_type, potential_win_cents, win_tax_cents, payout_cents, consent, balance_after_cents, rules, \
         offer_version, feed_epoch, feed_seq, rest_bruto_cents, rest_stake_cents) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?); \
         INSERT INTO bet_pairs (bet_id, account_id, position, match_id, market_id, odd_id, sport_id, market_type, \
         market_subtype, sbv, odd_type, odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament) \
         SELECT ?, ?, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, \
         value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, \
         value ->> 15 FROM json_each(?)",
    )
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
    .bind(bet.basis.rules.as_ref().map(bet_rules::to_json))
    .bind(bet.basis.offer_version.map(wide))
    .bind(bet.basis.feed.map(|feed| feed.epoch))
    .bind(bet.basis.feed.map(|feed| wide(feed.seq)))
    .bind(bet.bruto.cents())
    .bind(bet.stake.cents())
    .bind(number)
    .bind(order.account.get())
    .bind(pairs_as_json(bet))
    .execute(connection)
    .await?;
    Ok(())
}

/// The pairs as an array of arrays, in the column order of the statement above. SQLite reads integers in JSON exactly.
fn pairs_as_json(bet: &Bet) -> String {
    let pairs = bet.pairs.iter().map(|pair| {
        let texts = &pair.texts;
        json!([
            pair.match_id.get(),
            pair.market_id.get(),
            pair.odd_id.get(),
            pair.sport_id.get(),
            pair.market_type,
            pair.market_subtype,
            pair.sbv,
            pair.odd_type,
            pair.odds_submitted.thousandths(),
            pair.odds_taken.thousandths(),
            pair.is_fix,
            texts.home,
            texts.away,
            texts.market,
            texts.odd,
            texts.tournament,
        ])
    });
    Value::Array(pairs.collect()).to_string()
}
