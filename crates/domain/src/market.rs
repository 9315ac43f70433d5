//! Markets and odds of a match (CONTRACT 0), as the feed gives them in one language.

use super::Text;
use super::ids::{MarketId, OddId};
use super::price::Price;

/// One question that can be bet on, with its possible answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Market {
    /// Unique over the whole offer.
    pub id: MarketId,
    /// The name shown.
    pub name: Option<Text>,
    /// The short name, for narrow places.
    pub short: Option<Text>,
    /// A text the feed may add for special markets.
    pub special: Option<Text>,
    /// The special bet value: the line, such as `2.5`.
    pub sbv: Option<Text>,
    /// The kind of the market (1 full-time result, 18 total …).
    pub kind: i64,
    /// The kind's variant.
    pub subtype: Option<i64>,
    /// The feed's own ordering number; markets are kept in the order the feed lists them.
    pub order: Option<i64>,
    /// The outcomes, in the feed's order.
    pub odds: Vec<Odd>,
    /// Of several lines of one kind, the one closest to even.
    pub balanced: Option<bool>,
    /// A longer explanation.
    pub description: Option<Text>,
    /// `group.name`: what stands after the dot is shown.
    pub tags: Vec<Text>,
}

/// One outcome with its price.
#[derive(Clone, PartialEq, Debug)]
pub struct Odd {
    /// Unique over the whole offer.
    pub id: OddId,
    /// The outcome's name as shown (`1`, `X`, `2`, `Više`); what a preferred column's fields are matched with.
    pub kind: Option<Text>,
    /// The price; 0 is not offered.
    pub value: Price,
    /// The price as text by odds format (0 decimal … 5 Malay); absent or short: derived from `value`.
    pub values: Option<Vec<Text>>,
    /// A second name a preferred column's fields are matched with.
    pub alias: Option<Text>,
    /// 1 up, -1 down, 0 unchanged against the value before. `None` only on the way in: derived when applied.
    pub changed: Option<i8>,
    /// A longer explanation.
    pub description: Option<Text>,
}

impl Market {
    /// Whether the other market differs in nothing but prices, their texts and their movement.
    pub(crate) fn same_shape(&self, other: &Market) -> bool {
        self.id == other.id
            && self.kind == other.kind
            && self.subtype == other.subtype
            && self.order == other.order
            && self.balanced == other.balanced
            && self.name == other.name
            && self.short == other.short
            && self.special == other.special
            && self.sbv == other.sbv
            && self.description == other.description
            && self.tags == other.tags
            && self.odds.len() == other.odds.len()
            && self.odds.iter().zip(&other.odds).all(|(a, b)| a.same_shape(b))
    }
}

impl Odd {
    fn same_shape(&self, other: &Odd) -> bool {
        self.id == other.id
            && self.kind == other.kind
            && self.alias == other.alias
            && self.description == other.description
    }
}
