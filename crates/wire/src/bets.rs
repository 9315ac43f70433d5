//! Bets as clients read them: the bodies of `account/tickets`, and the parts of the hub's messages about bets. The same
//! names are used in both, as JSON or as msgpack maps (docs/protocol.md).

use crate::Encoding;
use kvota_domain::bet::{
    AccountMoney, BetProgress, BetState, CashOutOffer, CashOutRule, StoredBet, StoredCashOut, StoredResult,
    StoredSettlement, TicketId,
};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::settlement::{CashOutValue, Settlement, StakePart};
use serde::{Serialize, Serializer};

/// A bet, complete.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TicketBody<'a> {
    ticket_id: &'a str,
    ticket_number: String,
    revision: u64,
    placed_at: i64,
    status: &'static str,
    state: &'static str,
    settlement: Option<SettlementBody<'a>>,
    possible: Option<PossibleBody>,
    system_type: u8,
    stake: String,
    bruto: String,
    total_odd: &'a str,
    potential_win: String,
    win_tax: String,
    payout: String,
    remaining: RemainingBody,
    cash_outs: Vec<CashOutBody>,
    cash_out_rule: Option<CashOutRuleBody>,
    pairs: Vec<PairBody<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settlements: Option<Vec<MadeSettlementBody<'a>>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PairBody<'a> {
    match_id: u64,
    /// The odd's id, as in the call that placed the bet.
    market_id: u64,
    market_type: i64,
    sport_id: u64,
    home: &'a str,
    away: &'a str,
    tournament: &'a str,
    market_name: &'a str,
    /// An outcome id, if the odd is a provider's.
    odd_type: Option<&'a str>,
    odd_name: &'a str,
    sbv: Option<&'a str>,
    #[serde(serialize_with = "number")]
    odd_value: Price,
    is_fix: bool,
    #[serde(flatten)]
    result: ResultBody<'a>,
}

/// What became of a pair.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultBody<'a> {
    result: &'static str,
    settled_at: Option<i64>,
    factor: Option<String>,
    reason: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SettlementBody<'a> {
    number: u32,
    at: i64,
    gross: String,
    win_tax: String,
    paid: String,
    reason: Option<&'a str>,
}

/// One of all settlements that a bet had.
#[derive(Serialize)]
struct MadeSettlementBody<'a> {
    state: &'static str,
    #[serde(flatten)]
    settlement: SettlementBody<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PossibleBody {
    gross: String,
    win_tax: String,
    paid: String,
}

/// What is left of the stake of a bet.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemainingBody {
    bruto: String,
    taxed_stake: String,
}

/// A cash-out of a bet.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CashOutBody {
    at: i64,
    share: String,
    value: String,
    win_tax: String,
    paid: String,
}

/// The rule that cashes a bet out.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CashOutRuleBody {
    at_least: String,
}

/// What results, a cash-out or a rule changed of a bet. The last three fields are sent only after a cash-out or a change
/// of the rule.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProgressBody<'a> {
    ticket_id: &'a str,
    revision: u64,
    state: &'static str,
    results: Vec<ResultBody<'a>>,
    settlement: Option<SettlementBody<'a>>,
    possible: Option<PossibleBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining: Option<RemainingBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cash_outs: Option<Vec<CashOutBody>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cash_out_rule: Option<Option<CashOutRuleBody>>,
}

/// The cash-out value of a bet: the answer of `account/tickets/{id}/cash-out`, and with the id of the ticket what the hub
/// sends.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CashOutValueBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    ticket_id: Option<&'a str>,
    value: Option<String>,
    win_tax: Option<String>,
    net: Option<String>,
    reasons: Vec<&'static str>,
}

/// What an account has.
#[derive(Serialize)]
pub(crate) struct MoneyBody {
    revision: u64,
    balance: String,
    receivable: String,
}

impl<'a> TicketBody<'a> {
    /// The bet without the settlements that were taken back.
    pub fn of(stored: &'a StoredBet) -> TicketBody<'a> {
        let bet = &stored.bet;
        let pairs = bet.pairs.iter().zip(&stored.results).map(|(pair, result)| PairBody {
            match_id: pair.match_id.get(),
            market_id: pair.odd_id.get(),
            market_type: pair.market_type,
            sport_id: pair.sport_id.get(),
            home: &pair.texts.home,
            away: &pair.texts.away,
            tournament: &pair.texts.tournament,
            market_name: &pair.texts.market,
            odd_type: pair.odd_type.as_deref(),
            odd_name: &pair.texts.odd,
            sbv: pair.sbv.as_deref(),
            odd_value: pair.odds_taken,
            is_fix: pair.is_fix,
            result: ResultBody::of(result, pair.odds_taken),
        });
        TicketBody {
            ticket_id: stored.ticket_id.as_str(),
            ticket_number: stored.ticket_number().to_string(),
            revision: stored.revision,
            placed_at: bet.placed_at_ms,
            status: stored.state.as_str(),
            state: stored.state.as_str(),
            settlement: stored.settlement.as_ref().map(SettlementBody::of),
            possible: stored.possible().map(PossibleBody::of),
            system_type: bet.system_type,
            stake: bet.stake.to_string(),
            bruto: bet.bruto.to_string(),
            total_odd: &bet.total_odd,
            potential_win: bet.potential_win.to_string(),
            win_tax: bet.win_tax.to_string(),
            payout: bet.payout.to_string(),
            remaining: RemainingBody::of(&stored.rest),
            cash_outs: stored.cash_outs.iter().map(CashOutBody::of).collect(),
            cash_out_rule: stored.cash_out_rule.map(CashOutRuleBody::of),
            pairs: pairs.collect(),
            settlements: None,
        }
    }

    /// The bet with all settlements that were made, oldest first.
    pub fn with_settlements(stored: &'a StoredBet, settlements: &'a [(BetState, StoredSettlement)]) -> TicketBody<'a> {
        let made = settlements.iter().map(|(state, settlement)| MadeSettlementBody {
            state: state.as_str(),
            settlement: SettlementBody::of(settlement),
        });
        TicketBody { settlements: Some(made.collect()), ..TicketBody::of(stored) }
    }
}

impl<'a> ResultBody<'a> {
    fn of(stored: &'a StoredResult, taken: Price) -> ResultBody<'a> {
        ResultBody {
            result: stored.result.code(),
            settled_at: stored.settled_at_ms,
            factor: stored.result.factor(taken).map(|factor| factor.to_string()),
            reason: stored.reason.as_deref(),
        }
    }
}

impl<'a> SettlementBody<'a> {
    fn of(settlement: &'a StoredSettlement) -> SettlementBody<'a> {
        SettlementBody {
            number: settlement.number,
            at: settlement.at_ms,
            gross: settlement.gross.to_string(),
            win_tax: settlement.win_tax.to_string(),
            paid: settlement.paid.to_string(),
            reason: settlement.reason.as_deref(),
        }
    }
}

impl PossibleBody {
    fn of(possible: Settlement) -> PossibleBody {
        PossibleBody {
            gross: possible.gross.to_string(),
            win_tax: possible.win_tax.to_string(),
            paid: possible.paid.to_string(),
        }
    }
}

impl<'a> ProgressBody<'a> {
    pub(crate) fn of(progress: &'a BetProgress) -> ProgressBody<'a> {
        let results = progress.results.iter().zip(&progress.odds_taken);
        ProgressBody {
            ticket_id: progress.ticket_id.as_str(),
            revision: progress.revision,
            state: progress.state.as_str(),
            results: results.map(|(stored, taken)| ResultBody::of(stored, *taken)).collect(),
            settlement: progress.settlement.as_ref().map(SettlementBody::of),
            possible: progress.possible.map(PossibleBody::of),
            remaining: progress.cash_out.as_ref().map(|left| RemainingBody::of(&left.rest)),
            cash_outs: progress.cash_out.as_ref().map(|left| left.cash_outs.iter().map(CashOutBody::of).collect()),
            cash_out_rule: progress.cash_out.as_ref().map(|left| left.rule.map(CashOutRuleBody::of)),
        }
    }
}

impl RemainingBody {
    pub(crate) fn of(rest: &StakePart) -> RemainingBody {
        RemainingBody { bruto: rest.bruto.to_string(), taxed_stake: rest.taxed_stake.to_string() }
    }
}

impl CashOutBody {
    fn of(cash_out: &StoredCashOut) -> CashOutBody {
        CashOutBody {
            at: cash_out.at_ms,
            share: cash_out.share.to_string(),
            value: cash_out.value.to_string(),
            win_tax: cash_out.win_tax.to_string(),
            paid: cash_out.paid.to_string(),
        }
    }
}

impl CashOutRuleBody {
    /// The body of a rule.
    pub fn of(rule: CashOutRule) -> CashOutRuleBody {
        CashOutRuleBody { at_least: rule.at_least.to_string() }
    }
}

impl<'a> CashOutValueBody<'a> {
    /// The value of a bet. The hub names the bet, the call does not.
    pub fn of(ticket_id: Option<&'a TicketId>, offer: &CashOutOffer) -> CashOutValueBody<'a> {
        let amount = |amount: fn(&CashOutValue) -> Money| offer.value.as_ref().map(|value| amount(value).to_string());
        CashOutValueBody {
            ticket_id: ticket_id.map(TicketId::as_str),
            value: amount(|value| value.value),
            win_tax: amount(|value| value.win_tax),
            net: amount(|value| value.net),
            reasons: offer.reasons.iter().map(|reason| reason.code()).collect(),
        }
    }
}

impl MoneyBody {
    pub(crate) fn of(money: &AccountMoney) -> MoneyBody {
        MoneyBody {
            revision: money.revision,
            balance: money.balance.to_string(),
            receivable: money.receivable.to_string(),
        }
    }
}

/// A price as a number without trailing zeros: 2, 1.85.
fn number<S: Serializer>(price: &Price, serializer: S) -> Result<S::Ok, S::Error> {
    let thousandths = price.thousandths();
    if thousandths.is_multiple_of(1000) {
        serializer.serialize_u32(thousandths / 1000)
    } else {
        serializer.serialize_f64(f64::from(thousandths) / 1000.0)
    }
}

/// Appends a value whose structs are maps in both encodings.
pub(crate) fn write_named(out: &mut Vec<u8>, encoding: Encoding, value: &impl Serialize) {
    // Writing to memory cannot fail, and all keys are texts.
    let written = match encoding {
        Encoding::Msgpack => rmp_serde::encode::write_named(out, value).map_err(|error| error.to_string()),
        Encoding::Json => serde_json::to_writer(out, value).map_err(|error| error.to_string()),
    };
    debug_assert_eq!(written, Ok(()));
}
