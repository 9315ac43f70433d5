//! The ticket as sent to its bettor (CONTRACT 3, *ticket info*). It is a map, because it is small, rare and read by
//! people. The session actor builds it for each language of its connections. Money and odds of any size are text, so
//! that no reader rounds them.

use crate::Encoding;
use crate::entities::Number;
use kvota_domain::Text;
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::ticket::{BuilderCode, CannotBet, ExactOdd, Pair, Percent, Snapshot, Ticket, Totals};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// The largest integer that a JavaScript number holds exactly.
const COUNT_MAX: u64 = (1 << 53) - 1;

/// A ticket with its numbers, in one language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TicketInfo {
    /// What the bettor put together.
    pub ticket: Ticket,
    /// The current state of each pair, in the same order.
    pub pairs: Vec<PairState>,
    /// Its numbers.
    pub totals: Totals,
    /// Why it cannot be sent yet, if it cannot.
    pub builder_code: Option<BuilderCode>,
}

/// The current state of a pair; names are from the offer, or from when it was picked if the offer no longer has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairState {
    /// The side named first.
    pub home: Option<Text>,
    /// The side named second.
    pub away: Option<Text>,
    /// The market's name.
    pub market_name: Option<Text>,
    /// The odd's name.
    pub odd_name: Option<Text>,
    /// The price, or [`Price::NONE`].
    pub price: Price,
    /// Why it cannot be bet on, if it cannot.
    pub reason: Option<CannotBet>,
}

impl TicketInfo {
    /// Appends the ticket in this encoding.
    pub(super) fn write(&self, out: &mut Vec<u8>, encoding: Encoding) {
        match encoding {
            Encoding::Json => encoding.write(out, self),
            Encoding::Msgpack => {
                // Structs as maps, unlike in the rest of the hub.
                let mut serializer = rmp_serde::Serializer::new(out).with_struct_map();
                let written = self.serialize(&mut serializer);
                debug_assert!(written.is_ok());
            }
        }
    }
}

/// Money as text with two decimals.
struct Amount(Money);

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// An odd of any size as text.
struct Exact<'a>(&'a ExactOdd);

impl Serialize for Exact<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

/// A percentage as a number.
struct PerCent(Percent);

impl Serialize for PerCent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hundredths = self.0.hundredths();
        if hundredths.is_multiple_of(100) {
            serializer.serialize_u16(hundredths / 100)
        } else {
            serializer.serialize_f64(f64::from(hundredths) / 100.0)
        }
    }
}

struct Pairs<'a>(&'a TicketInfo);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairs = self.0.ticket.pairs.iter().zip(&self.0.pairs);
        serializer.collect_seq(pairs.map(|(pair, now)| PairInfo { pair, now }))
    }
}

struct PairInfo<'a> {
    pair: &'a Pair,
    now: &'a PairState,
}

impl Serialize for PairInfo<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Pair { match_id, market_id, odd_id, picked, is_fix, snapshot } = self.pair;
        let Snapshot { sport_id, market_kind, market_subtype, sbv, odd_kind, .. } = snapshot;
        let mut out = serializer.serialize_struct("Pair", 17)?;
        out.serialize_field("matchId", &match_id.get())?;
        out.serialize_field("marketId", &market_id.get())?;
        out.serialize_field("oddId", &odd_id.get())?;
        out.serialize_field("sportId", &sport_id.get())?;
        out.serialize_field("home", &self.now.home)?;
        out.serialize_field("away", &self.now.away)?;
        out.serialize_field("marketName", &self.now.market_name)?;
        out.serialize_field("oddName", &self.now.odd_name)?;
        out.serialize_field("marketType", market_kind)?;
        out.serialize_field("marketSubType", market_subtype)?;
        out.serialize_field("sbv", sbv)?;
        out.serialize_field("oddType", odd_kind)?;
        out.serialize_field("oddValue", &Number(self.now.price))?;
        out.serialize_field("pickedValue", &Number(*picked))?;
        out.serialize_field("canBet", &self.now.reason.is_none())?;
        out.serialize_field("reason", &self.now.reason.map(CannotBet::code))?;
        out.serialize_field("isFix", is_fix)?;
        out.end()
    }
}

struct Combinations<'a>(&'a Totals);

impl Serialize for Combinations<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.system_combinations.iter().map(|listed| Combination {
            k: listed.k,
            count: listed.count.min(COUNT_MAX),
            checked: listed.checked,
        }))
    }
}

struct Combination {
    k: u8,
    count: u64,
    checked: bool,
}

impl Serialize for Combination {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Combination", 3)?;
        out.serialize_field("combinationValue", &self.k)?;
        out.serialize_field("count", &self.count)?;
        out.serialize_field("checked", &self.checked)?;
        out.end()
    }
}

impl Serialize for TicketInfo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let totals = &self.totals;
        let mut out = serializer.serialize_struct("Ticket", 22)?;
        out.serialize_field("type", &self.ticket.kind.as_type())?;
        out.serialize_field("stake", &Amount(self.ticket.stake))?;
        out.serialize_field("consent", self.ticket.consent.code())?;
        out.serialize_field("pairs", &Pairs(self))?;
        out.serialize_field("numberOfMatches", &totals.number_of_matches)?;
        out.serialize_field("numberOfFixPairs", &totals.number_of_fix_pairs)?;
        out.serialize_field("numberOfOdds", &totals.number_of_odds.min(COUNT_MAX))?;
        out.serialize_field("totalOdd", &Exact(&totals.total_odd))?;
        out.serialize_field("clamped", &totals.total_odd_clamped)?;
        out.serialize_field("stakeTaxPercentage", &PerCent(totals.stake_tax_percentage))?;
        out.serialize_field("taxedStake", &Amount(totals.taxed_stake))?;
        out.serialize_field("possibleWin", &Amount(totals.possible_win))?;
        out.serialize_field("winTax", &Amount(totals.win_tax))?;
        out.serialize_field("winTaxPercentage", &PerCent(totals.win_tax_percentage))?;
        out.serialize_field("taxedWin", &Amount(totals.taxed_win))?;
        out.serialize_field("possiblePayout", &Amount(totals.possible_payout))?;
        out.serialize_field("minWin", &Amount(totals.min_win))?;
        out.serialize_field("maxWin", &Amount(totals.max_win))?;
        out.serialize_field("minimumStake", &Amount(totals.minimum_stake))?;
        out.serialize_field("systemCombinations", &Combinations(totals))?;
        out.serialize_field("selectedSystemCombinations", &totals.selected_system_combination)?;
        out.serialize_field("builderCode", &self.builder_code.map(BuilderCode::number))?;
        out.end()
    }
}
