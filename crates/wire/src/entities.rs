//! Sports, markets and odds as positional arrays (CONTRACT 1) in both encodings, for the hub's messages and the msgpack
//! bodies. The contract's elements come first, our additions after them. Called by `hub` and `offer`; must not leave
//! out or reorder an element.

use kvota_domain::facts::Fact;
use kvota_domain::ids::MatchId;
use kvota_domain::incidents::{History, Incident};
use kvota_domain::market::{Market, Odd};
use kvota_domain::matches::{Ball, Side};
use kvota_domain::price::Price;
use kvota_domain::sport::{ColumnMarket, PreferredColumn, Sport};
use serde::ser::{Serialize, SerializeTuple, Serializer};

/// Serialises a value as the contract's array.
#[derive(Clone, Copy, Debug)]
pub struct Positional<'a, T: ?Sized>(pub &'a T);

/// Serialises a price as a number: whole prices as integers, which are shorter.
pub(crate) fn price_number<S: Serializer>(price: Price, serializer: S) -> Result<S::Ok, S::Error> {
    let thousandths = price.thousandths();
    if thousandths.is_multiple_of(1000) {
        serializer.serialize_u32(thousandths / 1000)
    } else {
        // Both operands are exact doubles, so the quotient is the double nearest to the decimal price.
        serializer.serialize_f64(f64::from(thousandths) / 1000.0)
    }
}

/// A price that serialises by [`price_number`].
#[derive(Clone, Copy)]
pub(crate) struct Number(pub(crate) Price);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        price_number(self.0, serializer)
    }
}

impl Serialize for Positional<'_, Odd> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        odd_array(self.0, Some(self.0.mark()), serializer)
    }
}

fn odd_array<S: Serializer>(odd: &Odd, changed: Option<i8>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_tuple(7)?;
    out.serialize_element(&odd.id.get())?;
    out.serialize_element(&odd.kind)?;
    out.serialize_element(&Number(odd.value))?;
    out.serialize_element(&odd.values)?;
    out.serialize_element(&odd.alias)?;
    out.serialize_element(&changed)?;
    out.serialize_element(&odd.description)?;
    out.end()
}

impl Serialize for Positional<'_, Market> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        market_array(self.0, Positional(self.0.odds.as_slice()), serializer)
    }
}

/// A market or an odd in a message of the feed: an odd without a mark has none.
pub(crate) struct AsSent<'a, T>(pub(crate) &'a T);

impl Serialize for AsSent<'_, Odd> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        odd_array(self.0, self.0.changed, serializer)
    }
}

impl Serialize for AsSent<'_, Market> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        market_array(self.0, Elements(self.0.odds.iter().map(AsSent)), serializer)
    }
}

/// Serialises the items of an iterator as an array.
pub(crate) struct Elements<I>(pub(crate) I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Elements<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

fn market_array<S: Serializer>(market: &Market, odds: impl Serialize, serializer: S) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_tuple(if market.is_suspended { 13 } else { 12 })?;
    out.serialize_element(&market.id.get())?;
    out.serialize_element(&market.name)?;
    out.serialize_element(&market.short)?;
    out.serialize_element(&market.special)?;
    out.serialize_element(&market.sbv)?;
    out.serialize_element(&market.kind)?;
    out.serialize_element(&market.subtype)?;
    out.serialize_element(&market.order)?;
    out.serialize_element(&odds)?;
    out.serialize_element(&market.balanced)?;
    out.serialize_element(&market.description)?;
    out.serialize_element(&market.tags)?;
    if market.is_suspended {
        out.serialize_element(&-1)?;
    }
    out.end()
}

impl<T> Serialize for Positional<'_, [T]>
where
    for<'a> Positional<'a, T>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Positional))
    }
}

impl Serialize for Positional<'_, ColumnMarket> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entry = self.0;
        (entry.market_kind, &entry.status, &entry.format).serialize(serializer)
    }
}

impl Serialize for Positional<'_, PreferredColumn> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let column = self.0;
        let markets = Positional(column.markets.as_slice());
        (column.order, &column.name, &column.fields, column.hidden, markets).serialize(serializer)
    }
}

/// A sport with nil, or only the ids, instead of its matches.
pub(crate) struct SportArray<'a>(pub(crate) &'a Sport, pub(crate) Option<&'a [MatchId]>);

impl Serialize for SportArray<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SportArray(sport, matches) = self;
        let matches: Option<Vec<u64>> = matches.map(|ids| ids.iter().map(|id| id.get()).collect());
        let preferred = Positional(sport.preferred.as_slice());
        (sport.id.get(), &sport.name, sport.order, matches, preferred, sport.selected_preferred).serialize(serializer)
    }
}

impl Serialize for Positional<'_, Ball> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ball = self.0;
        [ball.x, ball.y, ball.side, ball.action].serialize(serializer)
    }
}

impl Serialize for Positional<'_, History> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let history = self.0;
        let incidents = Positional(history.incidents.as_slice());
        match history.facts.as_slice() {
            [] => (incidents, &history.pressure, history.counts).serialize(serializer),
            facts => (incidents, &history.pressure, history.counts, Positional(facts)).serialize(serializer),
        }
    }
}

impl Serialize for Positional<'_, Fact> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let numbers = self.0.numbers.iter().copied();
        serializer.collect_seq(std::iter::once(self.0.topic.number().into()).chain(numbers))
    }
}

impl Serialize for Positional<'_, Incident> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let incident = self.0;
        let side = side_number(incident.side);
        let (seconds, status) = (incident.seconds, &incident.status);
        (incident.kind.number(), side, seconds, status, incident.score, &incident.player).serialize(serializer)
    }
}

/// 1 home, 2 away.
pub(crate) const fn side_number(side: Side) -> u8 {
    match side {
        Side::Home => 1,
        Side::Away => 2,
    }
}
