//! Converts rows of both databases to values and back. The columns have the same names and order in both, so they share
//! this code. A value that no version of this program writes means a corrupt store; must never guess its meaning.

use super::nodes::SessionKey;
use super::unsettled::UndecidedPair;
use super::{
    Account, AccountId, AccountMoney, AccountSession, Answer, Bet, BetBasis, BetPair, BetState, CashOutRule,
    HistoryEntry, KeyRecord, Login, PairTexts, SavedSession, SessionOwner, StoreError, StoredBet, StoredCashOut,
    StoredResult, StoredSettlement, TicketId, bet_rules, protection,
};
use kvota_domain::feed::Position;
use kvota_domain::ids::{MarketId, MatchId, OddId, SportId};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::protection::{LoginTimes, Protection};
use kvota_domain::session::SessionId;
use kvota_domain::settlement::{CashOutShare, DeadHeat, PairResult, StakePart};
use kvota_domain::ticket::{Consent, MatchFacts};
use sha2::{Digest, Sha256};
use sqlx::{ColumnIndex, Decode, Row, Type};
use std::collections::HashMap;

/// A row of a database. Its columns are read by index.
pub(super) trait StoreRow<'r>: Row + Sized
where
    usize: ColumnIndex<Self>,
    i64: Decode<'r, Self::Database> + Type<Self::Database>,
    bool: Decode<'r, Self::Database> + Type<Self::Database>,
    String: Decode<'r, Self::Database> + Type<Self::Database>,
    Vec<u8>: Decode<'r, Self::Database> + Type<Self::Database>,
{
    fn int(&'r self, column: usize) -> Result<i64, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn text(&'r self, column: usize) -> Result<String, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn bytes(&'r self, column: usize) -> Result<Vec<u8>, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn cents(&'r self, column: usize) -> Result<Money, StoreError> {
        self.int(column).map(Money::from_cents)
    }

    fn account_id(&'r self, column: usize) -> Result<AccountId, StoreError> {
        AccountId::bettor(self.int(column)?).ok_or_else(|| odd_value("an account's number"))
    }

    fn unsigned<T: TryFrom<i64>>(&'r self, column: usize) -> Result<T, StoreError> {
        T::try_from(self.int(column)?).map_err(|_| odd_value("a number"))
    }

    fn id<T>(&'r self, column: usize, make: impl FnOnce(u64) -> Option<T>) -> Result<T, StoreError> {
        make(self.unsigned(column)?).ok_or_else(|| odd_value("an id"))
    }

    fn price(&'r self, column: usize) -> Result<Price, StoreError> {
        Price::from_thousandths(self.unsigned(column)?).ok_or_else(|| odd_value("a price"))
    }

    /// `id, name, password_hash, balance_cents, receivable_cents, protection, external_id`.
    fn account(&'r self) -> Result<Account, StoreError>
    where
        Option<String>: Decode<'r, Self::Database> + Type<Self::Database>,
    {
        Ok(Account {
            id: self.account_id(0)?,
            name: self.text(1)?,
            password_hash: self.text(2)?,
            balance: self.cents(3)?,
            receivable: self.cents(4)?,
            protection: self.protection(5)?,
            external_id: self.try_get(6)?,
        })
    }

    /// `protection`: NULL if nothing was ever set.
    fn protection(&'r self, column: usize) -> Result<Protection, StoreError>
    where
        Option<String>: Decode<'r, Self::Database> + Type<Self::Database>,
    {
        let Some(json) = self.try_get::<Option<String>, _>(column)? else { return Ok(Protection::default()) };
        protection::from_json(&json).ok_or_else(|| odd_value("the protection of an account"))
    }

    /// `id, at_ms, kind, details`.
    fn history_entry(&'r self) -> Result<(i64, HistoryEntry), StoreError> {
        Ok((self.int(0)?, HistoryEntry { at_ms: self.int(1)?, kind: self.text(2)?, details: self.text(3)? }))
    }

    /// `account_id, expires_at_ms, created_at_ms, ends_at_ms, check_due_at_ms`.
    fn login(&'r self) -> Result<Login, StoreError>
    where
        Option<i64>: Decode<'r, Self::Database> + Type<Self::Database>,
    {
        Ok(Login {
            account: self.account_id(0)?,
            expires_at_ms: self.int(1)?,
            created_at_ms: self.try_get(2)?,
            times: LoginTimes { ends_at_ms: self.try_get(3)?, check_due_at_ms: self.try_get(4)? },
        })
    }

    /// `session_hash, expires_at_ms, created_at_ms, agent`.
    fn account_session(&'r self) -> Result<AccountSession, StoreError>
    where
        Option<i64>: Decode<'r, Self::Database> + Type<Self::Database>,
        Option<String>: Decode<'r, Self::Database> + Type<Self::Database>,
    {
        Ok(AccountSession {
            key: SessionKey::of_hash(self.bytes(0)?),
            expires_at_ms: self.int(1)?,
            created_at_ms: self.try_get(2)?,
            agent: self.try_get::<Option<String>, _>(3)?.unwrap_or_default(),
        })
    }

    /// `digest, status, body`.
    fn key_record(&'r self) -> Result<KeyRecord, StoreError> {
        let digest = self.bytes(0)?.try_into().map_err(|_| odd_value("a digest"))?;
        Ok(KeyRecord { digest, answer: Answer { status: self.unsigned(1)?, body: self.bytes(2)? } })
    }

    /// A row of [`UNDECIDED_PAIRS`](super::unsettled::UNDECIDED_PAIRS).
    fn undecided_pair(&'r self) -> Result<UndecidedPair, StoreError> {
        Ok(UndecidedPair {
            bet: self.id(0, Some)?,
            ticket_id: TicketId::new(&self.text(1)?).ok_or_else(|| StoreError::corrupt("a ticket has no id"))?,
            account: self.account_id(2)?,
            placed_at_ms: self.int(3)?,
            match_id: self.id(4, MatchId::new)?,
            market_id: self.id(5, MarketId::new)?,
            odd_id: self.id(6, OddId::new)?,
            ended_at_ms: Some(self.int(7)?).filter(|ended_at_ms| *ended_at_ms >= 0),
            is_set_aside: self.int(8)? == 1,
            line_moved: self.try_get(9)?,
        })
    }

    /// `version, bytes`.
    fn session(&'r self) -> Result<SavedSession, StoreError> {
        Ok(SavedSession { version: self.unsigned(0)?, bytes: self.bytes(1)? })
    }

    /// `match_id, stake, payout`.
    fn match_facts(&'r self) -> Result<MatchFacts, StoreError> {
        Ok(MatchFacts { match_id: self.id(0, MatchId::new)?, stake: self.cents(1)?, payout: self.cents(2)? })
    }

    /// A bet, in the columns of `select_bets!`, without its pairs. Returns the number of the row with it.
    fn bet(&'r self) -> Result<(i64, StoredBet), StoreError>
    where
        Option<i64>: Decode<'r, Self::Database> + Type<Self::Database>,
        Option<String>: Decode<'r, Self::Database> + Type<Self::Database>,
    {
        let state = BetState::from_word(&self.text(4)?).ok_or_else(|| odd_value("a state"))?;
        let consent = Consent::from_code(&self.text(12)?).ok_or_else(|| odd_value("a consent"))?;
        let bet = Bet {
            placed_at_ms: self.int(3)?,
            bruto: self.cents(5)?,
            stake: self.cents(6)?,
            total_odd: self.text(7)?,
            system_type: self.unsigned(8)?,
            potential_win: self.cents(9)?,
            win_tax: self.cents(10)?,
            payout: self.cents(11)?,
            consent,
            basis: self.basis()?,
            pairs: Vec::new(),
        };
        let ticket_id = TicketId::new(&self.text(1)?).ok_or_else(|| odd_value("a ticket's id"))?;
        let (account, balance_after) = (self.account_id(2)?, self.cents(13)?);
        let settlement = self.settlement()?;
        let (number, revision) = (self.unsigned(0)?, self.unsigned(24)?);
        let results = Vec::new();
        let rest = StakePart { bruto: self.cents(25)?, taxed_stake: self.cents(26)? };
        let rule: Option<i64> = self.try_get(27)?;
        let stored = StoredBet {
            ticket_id,
            account,
            number,
            revision,
            state,
            balance_after,
            settlement,
            results,
            rest,
            cash_outs: Vec::new(),
            cash_out_rule: rule.map(|cents| CashOutRule { at_least: Money::from_cents(cents) }),
            bet,
        };
        Ok((self.int(0)?, stored))
    }

    /// The rules and the offer revision by which a bet was accepted, in the columns of `select_bets!`.
    fn basis(&'r self) -> Result<BetBasis, StoreError>
    where
        Option<i64>: Decode<'r, Self::Database> + Type<Self::Database>,
        Option<String>: Decode<'r, Self::Database> + Type<Self::Database>,
    {
        let rules: Option<String> = self.try_get(14)?;
        let rules = rules.map(|text| bet_rules::from_json(&text).ok_or_else(|| odd_value("the rules of a bet")));
        let unsigned = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
        let (epoch, seq): (Option<i64>, Option<i64>) = (self.try_get(16)?, self.try_get(17)?);
        Ok(BetBasis {
            rules: rules.transpose()?,
            offer_version: unsigned(self.try_get(15)?),
            feed: epoch.zip(unsigned(seq)).map(|(epoch, seq)| Position { epoch, seq }),
        })
    }

    /// The current settlement, in the columns of `select_bets!`.
    fn settlement(&'r self) -> Result<Option<StoredSettlement>, StoreError>
    where
        Option<i64>: Decode<'r, Self::Database> + Type<Self::Database>,
        Option<String>: Decode<'r, Self::Database> + Type<Self::Database>,
    {
        let number: Option<i64> = self.try_get(18)?;
        let Some(number) = number else { return Ok(None) };
        Ok(Some(StoredSettlement {
            number: u32::try_from(number).map_err(|_| odd_value("the number of a settlement"))?,
            at_ms: self.int(19)?,
            gross: self.cents(20)?,
            win_tax: self.cents(21)?,
            paid: self.cents(22)?,
            reason: self.try_get(23)?,
        }))
    }

    /// A pair, in the columns of `select_pairs!`. Returns the number of the bet's row with it.
    fn pair(&'r self) -> Result<(i64, BetPair, StoredResult), StoreError>
    where
        Option<i64>: Decode<'r, Self::Database> + Type<Self::Database>,
        Option<String>: Decode<'r, Self::Database> + Type<Self::Database>,
    {
        let pair = BetPair {
            match_id: self.id(1, MatchId::new)?,
            market_id: self.id(2, MarketId::new)?,
            odd_id: self.id(3, OddId::new)?,
            sport_id: self.id(4, SportId::new)?,
            market_type: self.int(5)?,
            market_subtype: self.try_get(6)?,
            sbv: self.try_get(7)?,
            odd_type: self.try_get(8)?,
            odds_submitted: self.price(9)?,
            odds_taken: self.price(10)?,
            is_fix: self.try_get(11)?,
            texts: PairTexts {
                home: self.text(12)?,
                away: self.text(13)?,
                market: self.text(14)?,
                odd: self.text(15)?,
                tournament: self.text(16)?,
            },
        };
        Ok((self.int(0)?, pair, self.result(17)?))
    }

    /// `bet_id, at_ms, share_hundredths, value_cents, win_tax_cents, paid_cents`. Returns the number of the bet's row with
    /// it.
    fn cash_out(&'r self) -> Result<(i64, StoredCashOut), StoreError> {
        let share = CashOutShare::from_hundredths(self.unsigned(2)?).ok_or_else(|| odd_value("a share"))?;
        let (value, win_tax, paid) = (self.cents(3)?, self.cents(4)?, self.cents(5)?);
        Ok((self.int(0)?, StoredCashOut { at_ms: self.int(1)?, share, value, win_tax, paid }))
    }

    /// `balance_cents, receivable_cents, revision`.
    fn money(&'r self) -> Result<AccountMoney, StoreError> {
        Ok(AccountMoney { balance: self.cents(0)?, receivable: self.cents(1)?, revision: self.unsigned(2)? })
    }

    /// `number, at_ms, state, gross_cents, win_tax_cents, paid_cents, reason`.
    fn made_settlement(&'r self) -> Result<(BetState, StoredSettlement), StoreError>
    where
        Option<String>: Decode<'r, Self::Database> + Type<Self::Database>,
    {
        let state = BetState::from_word(&self.text(2)?).ok_or_else(|| odd_value("a state"))?;
        let settlement = StoredSettlement {
            number: self.unsigned(0)?,
            at_ms: self.int(1)?,
            gross: self.cents(3)?,
            win_tax: self.cents(4)?,
            paid: self.cents(5)?,
            reason: self.try_get(6)?,
        };
        Ok((state, settlement))
    }

    /// The result of a pair: its name, time, dead heat share and reason, in the columns from `first` on.
    fn result(&'r self, first: usize) -> Result<StoredResult, StoreError>
    where
        Option<i64>: Decode<'r, Self::Database> + Type<Self::Database>,
        Option<String>: Decode<'r, Self::Database> + Type<Self::Database>,
    {
        let share: Option<i64> = self.try_get(first + 2)?;
        let share = share.and_then(|share| DeadHeat::from_ten_thousandths(u64::try_from(share).ok()?));
        let result = PairResult::from_code(&self.text(first)?, share).ok_or_else(|| odd_value("a result"))?;
        Ok(StoredResult { result, settled_at_ms: self.try_get(first + 1)?, reason: self.try_get(first + 3)? })
    }
}

impl<'r, R: Row> StoreRow<'r> for R
where
    usize: ColumnIndex<R>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
    bool: Decode<'r, R::Database> + Type<R::Database>,
    String: Decode<'r, R::Database> + Type<R::Database>,
    Vec<u8>: Decode<'r, R::Database> + Type<R::Database>,
{
}

/// A `SELECT` of bets with the columns that [`StoreRow::bet`] reads. The argument is the rest of the statement.
macro_rules! select_bets {
    ($rest:literal) => {
        concat!(
            "SELECT id, ticket_id, account_id, placed_at_ms, b.state, bruto_cents, stake_cents, total_odd, system_type, \
             potential_win_cents, b.win_tax_cents, payout_cents, consent, balance_after_cents, rules, offer_version, \
             feed_epoch, feed_seq, s.number, s.at_ms, s.gross_cents, s.win_tax_cents, s.paid_cents, s.reason, b.revision, \
             rest_bruto_cents, rest_stake_cents, r.at_least_cents FROM bets b \
             LEFT JOIN settlements s ON s.bet_id = b.id AND s.number = b.standing \
             LEFT JOIN cash_out_rules r ON r.bet_id = b.id AND b.state = 'open' ",
            $rest
        )
    };
}
pub(super) use select_bets;

/// A `SELECT` of pairs with the columns that [`StoreRow::pair`] reads. The argument is the rest of the statement.
macro_rules! select_pairs {
    ($rest:literal) => {
        concat!(
            "SELECT bet_id, match_id, market_id, odd_id, sport_id, market_type, market_subtype, sbv, odd_type, \
             odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament, result, settled_at_ms, \
             dead_heat, reason FROM bet_pairs ",
            $rest
        )
    };
}
pub(super) use select_pairs;

fn odd_value(what: &str) -> StoreError {
    StoreError::corrupt(format!("{what} is not as it was written"))
}

/// The numbers of the bets that have cash-outs, which must be read too.
pub(super) fn with_cash_outs(bets: &[(i64, StoredBet)]) -> Vec<i64> {
    let has_any = |(_, stored): &&(i64, StoredBet)| stored.rest.bruto != stored.bet.bruto;
    bets.iter().filter(has_any).map(|(number, _)| *number).collect()
}

/// Adds cash-outs to bets. They must be ordered by their number.
pub(super) fn add_cash_outs(bets: &mut [(i64, StoredBet)], cash_outs: Vec<(i64, StoredCashOut)>) {
    for (bet, cash_out) in cash_outs {
        if let Some((_, stored)) = bets.iter_mut().find(|(number, _)| *number == bet) {
            stored.cash_outs.push(cash_out);
        }
    }
}

/// Adds pairs to bets. The pairs must be ordered by the number of the bet and by position.
pub(super) fn with_pairs(bets: Vec<(i64, StoredBet)>, pairs: Vec<(i64, BetPair, StoredResult)>) -> Vec<StoredBet> {
    let mut by_bet: HashMap<i64, Vec<(BetPair, StoredResult)>> = HashMap::new();
    for (bet, pair, result) in pairs {
        by_bet.entry(bet).or_default().push((pair, result));
    }
    let whole = |(number, mut stored): (i64, StoredBet)| {
        (stored.bet.pairs, stored.results) = by_bet.remove(&number).unwrap_or_default().into_iter().unzip();
        stored
    };
    bets.into_iter().map(whole).collect()
}

/// The hash that is stored instead of a session id, so that the database does not contain credentials. It needs no
/// salt, because the id is 128 random bits.
pub(super) fn session_hash(session: SessionId) -> Vec<u8> {
    Sha256::digest(session.to_text().as_bytes()).to_vec()
}

/// The key of a saved session, and whether it is anonymous.
pub(super) fn owner_key(owner: SessionOwner) -> (Vec<u8>, bool) {
    match owner {
        SessionOwner::Anonymous(session) => ([vec![0], session_hash(session)].concat(), true),
        SessionOwner::Account(account) => ([vec![1], account.get().to_be_bytes().to_vec()].concat(), false),
    }
}

/// Converts a number to a database integer. Ids are below 2^53, and versions far below that.
pub(super) fn wide(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
