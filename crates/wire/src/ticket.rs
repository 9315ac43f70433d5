//! The body of `live/send-ticket` and its answer (CONTRACT 4, *Placing*). Parses the submitted ticket, amounts from
//! their own text, and writes the answer. Must validate only the format.

use super::json::Json;
use kvota_domain::Text;
use kvota_domain::bet::TicketNumber;
use kvota_domain::ids::{MatchId, OddId};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::ticket::{AcceptedBet, Consent, SubmittedPair, SubmittedTicket};
use serde::Serialize;
use serde_json::value::RawValue;

/// The ticket of a body; `None` if a member is missing or has another format than the contract's. Unknown members are
/// ignored, and null counts as absent.
pub fn read(body: &Json) -> Option<SubmittedTicket> {
    let Json::List(pairs) = body.member("pairs")? else { return None };
    Some(SubmittedTicket {
        stake: amount(body.member("stake")?)?,
        bruto: amount(body.member("bruto")?)?,
        potential_win: amount(body.member("potentialWin")?)?,
        win_tax: amount(body.member("winTax")?)?,
        payout: amount(body.member("payout")?)?,
        system_type: u8::try_from(whole(body.member("systemType")?)?).ok()?,
        consent: consent(body)?,
        pairs: pairs.iter().map(pair).collect::<Option<Vec<_>>>()?,
    })
}

fn pair(pair: &Json) -> Option<SubmittedPair> {
    let id = |name| u64::try_from(whole(pair.member(name)?)?).ok();
    Some(SubmittedPair {
        match_id: MatchId::new(id("matchId")?)?,
        // The contract's `marketId` is the odd's id.
        odd_id: OddId::new(id("marketId")?)?,
        market_kind: whole(pair.member("marketType")?)?,
        market_subtype: optional(pair.member("marketSubType"), whole)?,
        sbv: optional(pair.member("sbv"), text_or_number)?,
        odd_kind: optional(pair.member("oddType"), text)?,
        odd_value: Price::parse(written(pair.member("oddValue")?)?)?,
        is_fix: optional(pair.member("isFix"), truth)?.unwrap_or(false),
    })
}

/// `oddsPolicy` if present, else the boolean of the older member in either of its names; without both there is no
/// consent.
fn consent(body: &Json) -> Option<Consent> {
    let spelt_so = optional(body.member("consentForChangedOdss"), truth)?;
    let spelt_right = optional(body.member("consentForChangedOdds"), truth)?;
    let any = spelt_so.or(spelt_right).unwrap_or(false);
    match body.member("oddsPolicy") {
        Some(Json::Text(policy)) => Consent::from_code(policy),
        Some(_) => None,
        None => Some(if any { Consent::Any } else { Consent::None }),
    }
}

/// `None` for a member that cannot be read; `Some(None)` for a missing one.
fn optional<T>(member: Option<&Json>, read: impl FnOnce(&Json) -> Option<T>) -> Option<Option<T>> {
    match member {
        Some(member) => read(member).map(Some),
        None => Some(None),
    }
}

/// The text of a number, or of a string that contains one.
fn written(value: &Json) -> Option<&str> {
    match value {
        Json::Number(text) | Json::Text(text) => Some(text),
        _ => None,
    }
}

fn amount(value: &Json) -> Option<Money> {
    Money::parse(written(value)?)
}

/// An integer written as such: `7`, not `7.0` or `"7"`.
fn whole(value: &Json) -> Option<i64> {
    match value {
        Json::Number(text) => text.parse().ok(),
        _ => None,
    }
}

fn text(value: &Json) -> Option<Text> {
    match value {
        Json::Text(text) => Some(text.as_str().into()),
        _ => None,
    }
}

fn text_or_number(value: &Json) -> Option<Text> {
    written(value).map(Text::from)
}

fn truth(value: &Json) -> Option<bool> {
    match value {
        Json::Bool(value) => Some(*value),
        _ => None,
    }
}

/// The answer for an accepted bet.
#[derive(Clone, Copy, Debug)]
pub struct Taken<'a> {
    /// A text for people.
    pub message: &'a str,
    /// The id of the ticket.
    pub ticket_id: &'a str,
    /// The number that people read.
    pub ticket_number: TicketNumber,
    /// In ms since the epoch.
    pub placed_at_ms: i64,
    /// The bet.
    pub bet: &'a AcceptedBet,
    /// The balance of the account after the bet.
    pub balance: Money,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TakenBody<'a> {
    message: &'a str,
    ticket_id: &'a str,
    ticket_number: String,
    placed_at: i64,
    pairs: Vec<TakenPairBody>,
    potential_win: String,
    win_tax: String,
    payout: String,
    balance: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TakenPairBody {
    match_id: u64,
    market_id: u64,
    odd_value: Box<RawValue>,
}

/// The body of the 200 response.
pub fn taken_body(taken: &Taken<'_>) -> Vec<u8> {
    let Taken { message, ticket_id, ticket_number, placed_at_ms, bet, balance } = *taken;
    let pairs = bet.pairs.iter().map(|pair| TakenPairBody {
        match_id: pair.match_id.get(),
        market_id: pair.odd_id.get(),
        odd_value: number(&pair.taken),
    });
    let body = TakenBody {
        message,
        ticket_id,
        ticket_number: ticket_number.to_string(),
        placed_at: placed_at_ms,
        pairs: pairs.collect(),
        potential_win: bet.totals.possible_win.to_string(),
        win_tax: bet.totals.win_tax.to_string(),
        payout: bet.totals.possible_payout.to_string(),
        balance: balance.to_string(),
    };
    // Writing to memory cannot fail, and all keys are text.
    serde_json::to_vec(&body).unwrap_or_default()
}

/// A JSON number of a decimal text, exact, without trailing zeros.
pub fn number(value: &impl ToString) -> Box<RawValue> {
    let text = value.to_string();
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    RawValue::from_string(text.to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::ids::{MarketId, SportId};
    use kvota_domain::ticket::{AcceptedPair, Snapshot, TicketKind, Totals};

    const PAIR: &str = r#"{"matchId":1,"marketId":1000,"marketType":1,"marketSubType":null,"sbv":null,"oddType":"1","oddValue":"1.75","isFix":false}"#;
    const TICKET: &str = r#"{"stake":"9.50","bruto":10,"potentialWin":16.63,"winTax":"0.71","payout":"15.92",
        "systemType":0,"consentForChangedOdss":false,"pairs":[PAIR]}"#;

    fn of(text: &str) -> Option<SubmittedTicket> {
        read(&Json::parse(text.replace("PAIR", PAIR).as_bytes())?)
    }

    fn with(from: &str, to: &str) -> Option<SubmittedTicket> {
        let whole = TICKET.replace("PAIR", PAIR);
        assert!(whole.contains(from), "{from}");
        of(&whole.replacen(from, to, 1))
    }

    #[test]
    fn a_ticket_is_read_from_its_text() {
        let ticket = of(TICKET).unwrap();
        assert_eq!(ticket.bruto, Money::from_cents(1_000));
        assert_eq!(ticket.potential_win, Money::from_cents(1_663));
        assert_eq!((ticket.system_type, ticket.consent), (0, Consent::None));
        let pair = &ticket.pairs[0];
        assert_eq!((pair.match_id.get(), pair.odd_id.get(), pair.market_kind), (1, 1_000, 1));
        assert_eq!((pair.market_subtype, pair.sbv.as_deref(), pair.odd_kind.as_deref()), (None, None, Some("1")));
        assert_eq!((pair.odd_value.thousandths(), pair.is_fix), (1_750, false));
    }

    #[test]
    fn an_amount_is_a_text_or_a_number_of_at_most_two_decimals() {
        for (amount, cents) in [
            ("10", Some(1_000)),
            ("10.5", Some(1_050)),
            ("\"10.50\"", Some(1_050)),
            ("0.10", Some(10)),
            ("10.500", None),
            ("1e1", None),
            ("1.0E1", None),
            ("-10", None),
            ("\"+10\"", None),
            ("\" 10\"", None),
            ("\"10,50\"", None),
            ("\"\u{661}\u{660}\"", None),
            ("\"\"", None),
            ("true", None),
            ("null", None),
            ("[10]", None),
            ("1e400", None),
        ] {
            let bruto = with("\"bruto\":10", &format!("\"bruto\":{amount}")).map(|ticket| ticket.bruto.cents());
            assert_eq!(bruto, cents, "{amount}");
        }
    }

    #[test]
    fn an_odd_is_a_text_or_a_number_of_at_most_three_decimals() {
        for (odd, thousandths) in [
            ("1.75", Some(1_750)),
            ("\"1.750\"", Some(1_750)),
            ("2", Some(2_000)),
            ("1.7500", None),
            ("1e0", None),
            ("\"1.75 \"", None),
            ("null", None),
        ] {
            let value = with("\"oddValue\":\"1.75\"", &format!("\"oddValue\":{odd}"));
            assert_eq!(value.map(|ticket| ticket.pairs[0].odd_value.thousandths()), thousandths, "{odd}");
        }
    }

    #[test]
    fn odds_policy_overrides_both_consent_members() {
        let truth = "\"consentForChangedOdss\":false";
        for (members, consent) in [
            (r#""consentForChangedOdss":false"#, Some(Consent::None)),
            (r#""consentForChangedOdss":true"#, Some(Consent::Any)),
            (r#""consentForChangedOdds":true"#, Some(Consent::Any)),
            (r#""consentForChangedOdss":true,"consentForChangedOdds":false"#, Some(Consent::Any)),
            (r#""consentForChangedOdss":true,"oddsPolicy":"none""#, Some(Consent::None)),
            (r#""consentForChangedOdss":false,"oddsPolicy":"higher""#, Some(Consent::Higher)),
            (r#""oddsPolicy":"any""#, Some(Consent::Any)),
            (r#""consentForChangedOdss":true,"oddsPolicy":null"#, Some(Consent::Any)),
            (r#""unknown":0"#, Some(Consent::None)),
            (r#""consentForChangedOdss":1"#, None),
            (r#""oddsPolicy":"lower""#, None),
            (r#""oddsPolicy":true"#, None),
        ] {
            assert_eq!(with(truth, members).map(|ticket| ticket.consent), consent, "{members}");
        }
    }

    #[test]
    fn missing_or_mistyped_fields_are_rejected() {
        for (from, to) in [
            ("\"stake\":\"9.50\",", ""),
            ("\"systemType\":0", "\"systemType\":\"0\""),
            ("\"systemType\":0", "\"systemType\":-1"),
            ("\"systemType\":0", "\"systemType\":256"),
            ("\"systemType\":0", "\"systemType\":0.0"),
            ("\"matchId\":1", "\"matchId\":\"1\""),
            ("\"matchId\":1", "\"matchId\":9007199254740992"),
            ("\"matchId\":1", "\"matchId\":1.0"),
            ("\"matchId\":1", "\"matchId\":-1"),
            ("\"matchId\":1,", ""),
            ("\"marketType\":1", "\"marketType\":\"1\""),
            ("\"marketType\":1,", ""),
            ("\"marketSubType\":null", "\"marketSubType\":\"x\""),
            ("\"sbv\":null", "\"sbv\":true"),
            ("\"oddType\":\"1\"", "\"oddType\":1"),
            ("\"isFix\":false", "\"isFix\":0"),
            ("[{", "[1,{"),
            ("\"pairs\":[", "\"pairs\":null,\"p\":["),
        ] {
            assert_eq!(with(from, to), None, "{to}");
        }
        for (from, to) in [
            ("\"sbv\":null", "\"sbv\":2.5"),
            ("\"sbv\":null,", ""),
            (",\"isFix\":false", ""),
            ("\"marketSubType\":null", "\"marketSubType\":7"),
            ("[{", "[{\"later\":[{}],"),
        ] {
            assert!(with(from, to).is_some(), "{to}");
        }
        assert_eq!(of("[]"), None);
        assert_eq!(of("{}"), None);
    }

    #[test]
    fn a_number_is_written_exactly() {
        for (text, written) in
            [("1.50", "1.5"), ("1.00", "1"), ("100000", "100000"), ("0.00", "0"), ("3.7625", "3.7625")]
        {
            assert_eq!(number(&text).get(), written);
        }
    }

    #[test]
    fn answer_contains_the_accepted_bet() {
        let id = |number| MatchId::new(number).unwrap();
        let snapshot = Snapshot {
            sport_id: SportId::new(1).unwrap(),
            home: None,
            away: None,
            tournament: None,
            market_kind: 1,
            market_subtype: None,
            market_name: None,
            sbv: None,
            odd_kind: None,
            odd_name: None,
        };
        let pair = AcceptedPair {
            match_id: id(17),
            market_id: MarketId::new(170).unwrap(),
            odd_id: OddId::new(17_001).unwrap(),
            seen: Price::parse("1.75").unwrap(),
            taken: Price::parse("1.80").unwrap(),
            is_fix: false,
            snapshot,
        };
        let cents = Money::from_cents;
        let totals = Totals {
            possible_win: cents(3_677),
            win_tax: cents(273),
            possible_payout: cents(3_404),
            ..Totals::default()
        };
        let (kind, consent) = (TicketKind::Standard, Consent::Any);
        let bet = AcceptedBet { kind, combination: None, consent, bruto: cents(1_000), totals, pairs: vec![pair] };
        let (message, ticket_id, placed_at_ms) = ("Hvala", "K-1", 1_700_000_000_000);
        let body = taken_body(&Taken {
            message,
            ticket_id,
            ticket_number: TicketNumber::of(17),
            placed_at_ms,
            bet: &bet,
            balance: cents(99_000),
        });
        let expected = r#"{"message":"Hvala","ticketId":"K-1","ticketNumber":"NUMBER","placedAt":1700000000000,"pairs":[{"matchId":17,"marketId":17001,"oddValue":1.8}],"potentialWin":"36.77","winTax":"2.73","payout":"34.04","balance":"990.00"}"#;
        let expected = expected.replace("NUMBER", &TicketNumber::of(17).to_string());
        assert_eq!(String::from_utf8(body).unwrap(), expected);
    }
}
