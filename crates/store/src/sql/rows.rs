//! Reads rows by the names of their columns. A value that no version of this program writes means a corrupt store; must
//! never guess its meaning.

use super::super::dialect::Row;
use crate::nodes::SessionKey;
use crate::result_columns::result_of;
use crate::{
    Account, AccountId, AccountMoney, AccountSession, Answer, Bet, BetBasis, BetPair, BetState, CashOutRule,
    HistoryEntry, KeyRecord, Login, PairTexts, SavedSession, StoreError, StoredBet, StoredCashOut, StoredResult,
    StoredSettlement, TicketId, bet_rules, protection,
};
use kvota_domain::feed::Position;
use kvota_domain::ids::{MarketId, MatchId, OddId, SportId};
use kvota_domain::ledger::{Holdings, UndecidedPair};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::protection::{LoginTimes, Protection};
use kvota_domain::settlement::{CashOutShare, DeadHeat, MarketResult, PairResult, StakePart};
use kvota_domain::ticket::{Consent, MatchFacts};
use sqlx::Row as _;

/// A row of the database.
pub(in super::super) trait StoreRow {
    fn int(&self, column: &str) -> Result<i64, StoreError>;
    fn optional_int(&self, column: &str) -> Result<Option<i64>, StoreError>;
    fn flag(&self, column: &str) -> Result<bool, StoreError>;
    fn text(&self, column: &str) -> Result<String, StoreError>;
    fn optional_text(&self, column: &str) -> Result<Option<String>, StoreError>;
    fn bytes(&self, column: &str) -> Result<Vec<u8>, StoreError>;

    fn cents(&self, column: &str) -> Result<Money, StoreError> {
        self.int(column).map(Money::from_cents)
    }

    fn account_id(&self, column: &str) -> Result<AccountId, StoreError> {
        AccountId::bettor(self.int(column)?).ok_or_else(|| odd_value("an account's number"))
    }

    fn ticket_id(&self) -> Result<TicketId, StoreError> {
        TicketId::new(&self.text("ticket_id")?).ok_or_else(|| odd_value("a ticket's id"))
    }

    fn unsigned<T: TryFrom<i64>>(&self, column: &str) -> Result<T, StoreError> {
        T::try_from(self.int(column)?).map_err(|_| odd_value("a number"))
    }

    fn id<T>(&self, column: &str, make: impl FnOnce(u64) -> Option<T>) -> Result<T, StoreError> {
        make(self.unsigned(column)?).ok_or_else(|| odd_value("an id"))
    }

    fn match_id(&self) -> Result<MatchId, StoreError> {
        self.id("match_id", MatchId::new)
    }

    fn market_id(&self) -> Result<MarketId, StoreError> {
        self.id("market_id", MarketId::new)
    }

    fn price(&self, column: &str) -> Result<Price, StoreError> {
        Price::from_thousandths(self.unsigned(column)?).ok_or_else(|| odd_value("a price"))
    }

    fn state(&self) -> Result<BetState, StoreError> {
        BetState::from_word(&self.text("state")?).ok_or_else(|| odd_value("a state"))
    }

    /// In the columns of `ACCOUNT_COLUMNS`.
    fn account(&self) -> Result<Account, StoreError> {
        Ok(Account {
            id: self.account_id("id")?,
            name: self.text("name")?,
            password_hash: self.text("password_hash")?,
            balance: self.cents("balance_cents")?,
            receivable: self.cents("receivable_cents")?,
            protection: self.protection()?,
            external_id: self.optional_text("external_id")?,
        })
    }

    /// `protection`: NULL if nothing was ever set.
    fn protection(&self) -> Result<Protection, StoreError> {
        let Some(json) = self.optional_text("protection")? else { return Ok(Protection::default()) };
        protection::from_json(&json).ok_or_else(|| odd_value("the protection of an account"))
    }

    /// `balance_cents, receivable_cents, revision`.
    fn holdings(&self) -> Result<Holdings, StoreError> {
        let (balance, receivable) = (self.cents("balance_cents")?, self.cents("receivable_cents")?);
        Ok(Holdings { balance, receivable, revision: self.unsigned("revision")? })
    }

    /// `balance_cents, receivable_cents, revision`.
    fn money(&self) -> Result<AccountMoney, StoreError> {
        self.holdings().map(AccountMoney::from)
    }

    /// `id, at_ms, kind, details`.
    fn history_entry(&self) -> Result<(i64, HistoryEntry), StoreError> {
        let (kind, details) = (self.text("kind")?, self.text("details")?);
        Ok((self.int("id")?, HistoryEntry { at_ms: self.int("at_ms")?, kind, details }))
    }

    /// In the columns of `LOGIN_COLUMNS`.
    fn login(&self) -> Result<Login, StoreError> {
        let (ends_at_ms, check_due_at_ms) = (self.optional_int("ends_at_ms")?, self.optional_int("check_due_at_ms")?);
        Ok(Login {
            account: self.account_id("account_id")?,
            expires_at_ms: self.int("expires_at_ms")?,
            created_at_ms: self.optional_int("created_at_ms")?,
            times: LoginTimes { ends_at_ms, check_due_at_ms },
        })
    }

    /// `session_hash, expires_at_ms, created_at_ms, agent`.
    fn account_session(&self) -> Result<AccountSession, StoreError> {
        Ok(AccountSession {
            key: SessionKey::of_hash(self.bytes("session_hash")?),
            expires_at_ms: self.int("expires_at_ms")?,
            created_at_ms: self.optional_int("created_at_ms")?,
            agent: self.optional_text("agent")?.unwrap_or_default(),
        })
    }

    /// `digest, status, body`.
    fn key_record(&self) -> Result<KeyRecord, StoreError> {
        let digest = self.bytes("digest")?.try_into().map_err(|_| odd_value("a digest"))?;
        Ok(KeyRecord { digest, answer: Answer { status: self.unsigned("status")?, body: self.bytes("body")? } })
    }

    /// A row of `UNDECIDED_PAIRS`.
    fn undecided_pair(&self) -> Result<UndecidedPair, StoreError> {
        Ok(UndecidedPair {
            bet: self.unsigned("id")?,
            ticket_id: self.ticket_id()?,
            account: self.account_id("account_id")?,
            placed_at_ms: self.int("placed_at_ms")?,
            match_id: self.match_id()?,
            market_id: self.market_id()?,
            odd_id: self.id("odd_id", OddId::new)?,
            ended_at_ms: self.optional_int("ended_at_ms")?,
            is_set_aside: self.int("is_set_aside")? == 1,
            line_moved: self.flag("line_moved")?,
        })
    }

    /// `version, bytes`.
    fn session(&self) -> Result<SavedSession, StoreError> {
        Ok(SavedSession { version: self.unsigned("version")?, bytes: self.bytes("bytes")? })
    }

    /// `match_id, stake_cents, payout_cents`.
    fn match_facts(&self) -> Result<MatchFacts, StoreError> {
        let (stake, payout) = (self.cents("stake_cents")?, self.cents("payout_cents")?);
        Ok(MatchFacts { match_id: self.match_id()?, stake, payout })
    }

    /// A bet, in the columns of `select_bets!`, without its pairs. Returns the number of the row with it.
    fn bet(&self) -> Result<(i64, StoredBet), StoreError> {
        let consent = Consent::from_code(&self.text("consent")?).ok_or_else(|| odd_value("a consent"))?;
        let bet = Bet {
            placed_at_ms: self.int("placed_at_ms")?,
            bruto: self.cents("bruto_cents")?,
            stake: self.cents("stake_cents")?,
            total_odd: self.text("total_odd")?,
            system_type: self.unsigned("system_type")?,
            potential_win: self.cents("potential_win_cents")?,
            win_tax: self.cents("win_tax_cents")?,
            payout: self.cents("payout_cents")?,
            consent,
            basis: self.basis()?,
            pairs: Vec::new(),
        };
        let rule = self.optional_int("at_least_cents")?;
        let stored = StoredBet {
            ticket_id: self.ticket_id()?,
            account: self.account_id("account_id")?,
            number: self.unsigned("id")?,
            revision: self.unsigned("revision")?,
            state: self.state()?,
            balance_after: self.cents("balance_after_cents")?,
            settlement: self.settlement()?,
            results: Vec::new(),
            rest: StakePart { bruto: self.cents("rest_bruto_cents")?, taxed_stake: self.cents("rest_stake_cents")? },
            cash_outs: Vec::new(),
            cash_out_rule: rule.map(|cents| CashOutRule { at_least: Money::from_cents(cents) }),
            bet,
        };
        Ok((self.int("id")?, stored))
    }

    /// The rules and the offer revision by which a bet was accepted, in the columns of `select_bets!`.
    fn basis(&self) -> Result<BetBasis, StoreError> {
        let rules = self.optional_text("rules")?;
        let rules = rules.map(|text| bet_rules::from_json(&text).ok_or_else(|| odd_value("the rules of a bet")));
        let unsigned = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
        let seq = unsigned(self.optional_int("feed_seq")?);
        Ok(BetBasis {
            rules: rules.transpose()?,
            offer_version: unsigned(self.optional_int("offer_version")?),
            feed: self.optional_int("feed_epoch")?.zip(seq).map(|(epoch, seq)| Position { epoch, seq }),
        })
    }

    /// The current settlement of a bet, in the columns of `select_bets!`.
    fn settlement(&self) -> Result<Option<StoredSettlement>, StoreError> {
        let Some(number) = self.optional_int("standing")? else { return Ok(None) };
        Ok(Some(StoredSettlement {
            number: u32::try_from(number).map_err(|_| odd_value("the number of a settlement"))?,
            at_ms: self.int("settled_at_ms")?,
            gross: self.cents("settled_gross_cents")?,
            win_tax: self.cents("settled_win_tax_cents")?,
            paid: self.cents("settled_paid_cents")?,
            reason: self.optional_text("settled_reason")?,
        }))
    }

    /// A pair, in the columns of `select_pairs!`. Returns the number of the bet's row with it.
    fn pair(&self) -> Result<(i64, BetPair, StoredResult), StoreError> {
        let pair = BetPair {
            match_id: self.match_id()?,
            market_id: self.market_id()?,
            odd_id: self.id("odd_id", OddId::new)?,
            sport_id: self.id("sport_id", SportId::new)?,
            market_type: self.int("market_type")?,
            market_subtype: self.optional_int("market_subtype")?,
            sbv: self.optional_text("sbv")?,
            odd_type: self.optional_text("odd_type")?,
            odds_submitted: self.price("odds_submitted")?,
            odds_taken: self.price("odds_taken")?,
            is_fix: self.flag("is_fix")?,
            texts: PairTexts {
                home: self.text("home")?,
                away: self.text("away")?,
                market: self.text("market")?,
                odd: self.text("odd")?,
                tournament: self.text("tournament")?,
            },
        };
        Ok((self.int("bet_id")?, pair, self.result()?))
    }

    /// `bet_id, at_ms, share_hundredths, value_cents, win_tax_cents, paid_cents`. Returns the number of the bet's row with
    /// it.
    fn cash_out(&self) -> Result<(i64, StoredCashOut), StoreError> {
        let share = CashOutShare::from_hundredths(self.unsigned("share_hundredths")?);
        let share = share.ok_or_else(|| odd_value("a share"))?;
        let (win_tax, paid) = (self.cents("win_tax_cents")?, self.cents("paid_cents")?);
        let value = self.cents("value_cents")?;
        Ok((self.int("bet_id")?, StoredCashOut { at_ms: self.int("at_ms")?, share, value, win_tax, paid }))
    }

    /// `number, at_ms, state, gross_cents, win_tax_cents, paid_cents, reason`.
    fn made_settlement(&self) -> Result<(BetState, StoredSettlement), StoreError> {
        let settlement = StoredSettlement {
            number: self.unsigned("number")?,
            at_ms: self.int("at_ms")?,
            gross: self.cents("gross_cents")?,
            win_tax: self.cents("win_tax_cents")?,
            paid: self.cents("paid_cents")?,
            reason: self.optional_text("reason")?,
        };
        Ok((self.state()?, settlement))
    }

    /// The result of a pair: `result, settled_at_ms, dead_heat, reason`.
    fn result(&self) -> Result<StoredResult, StoreError> {
        let share = self.optional_int("dead_heat")?;
        let share = share.and_then(|share| DeadHeat::from_ten_thousandths(u64::try_from(share).ok()?));
        let result = PairResult::from_code(&self.text("result")?, share).ok_or_else(|| odd_value("a result"))?;
        let (settled_at_ms, reason) = (self.optional_int("settled_at_ms")?, self.optional_text("reason")?);
        Ok(StoredResult { result, settled_at_ms, reason })
    }

    /// The result of a market, in the columns of `RESULT_COLUMNS`.
    fn market_result(&self) -> Result<(MatchId, MarketResult), StoreError> {
        let (odds, windows) = (self.text("odds")?, self.text("void_windows")?);
        let (version, state) = (self.int("version")?, self.int("state")?);
        let result = result_of(self.market_id()?, version, state, &odds, &windows, self.optional_text("reason")?)?;
        Ok((self.match_id()?, result))
    }
}

impl StoreRow for Row {
    fn int(&self, column: &str) -> Result<i64, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn optional_int(&self, column: &str) -> Result<Option<i64>, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn flag(&self, column: &str) -> Result<bool, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn text(&self, column: &str) -> Result<String, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn optional_text(&self, column: &str) -> Result<Option<String>, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn bytes(&self, column: &str) -> Result<Vec<u8>, StoreError> {
        Ok(self.try_get(column)?)
    }
}

fn odd_value(what: &str) -> StoreError {
    StoreError::corrupt(format!("{what} is not as it was written"))
}
