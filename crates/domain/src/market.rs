//! Markets and odds of a match (CONTRACT 0), as the feed sends them in one language.

use super::Text;
use super::ids::{MarketId, OddId};
use super::price::Price;
use std::sync::Arc;

/// One question that can be bet on, with its possible outcomes.
#[derive(Clone, PartialEq, Debug)]
pub struct Market {
    /// Unique over the whole offer.
    pub id: MarketId,
    /// The name shown.
    pub name: Option<Text>,
    /// The short name, for narrow columns.
    pub short: Option<Text>,
    /// A text the feed may add for special markets.
    pub special: Option<Text>,
    /// The special bet value: the line, such as `2.5`.
    pub sbv: Option<Text>,
    /// The kind of the market (1 full-time result, 18 total …).
    pub kind: i64,
    /// The variant of the kind.
    pub subtype: Option<i64>,
    /// The feed's own ordering number; markets are kept in the order the feed lists them.
    pub order: Option<i64>,
    /// The outcomes, in the feed's order.
    pub odds: Vec<Odd>,
    /// Whether it is the line closest to even among several lines of one kind.
    pub balanced: Option<bool>,
    /// A longer explanation.
    pub description: Option<Text>,
    /// `group.name`: only the part after the dot is shown.
    pub tags: Arc<[Text]>,
    /// Whether it takes no bets at the moment (CONTRACT 10): its odds keep their prices, but cannot be picked.
    pub is_suspended: bool,
}

impl Odd {
    /// What the outcome is called: its type, or its description if the type is an outcome id of a provider
    /// (CONTRACT 10). Such an odd has all texts.
    pub fn name(&self) -> Option<&Text> {
        self.provider_name().or(self.kind.as_ref())
    }

    /// The description of an odd with an outcome id as its type: a number, or a name such as `sr:player:947`.
    pub fn provider_name(&self) -> Option<&Text> {
        let is_id = |kind: &Text| kind.contains(':') || kind.bytes().all(|byte| byte.is_ascii_digit());
        let has_id = self.alias.is_some() && self.kind.as_ref().is_some_and(is_id);
        self.description.as_ref().filter(|_| has_id)
    }
}

/// One outcome with its price.
#[derive(Clone, PartialEq, Debug)]
pub struct Odd {
    /// Unique over the whole offer.
    pub id: OddId,
    /// The outcome's name as shown (`1`, `X`, `2`, `Više`). A preferred column's fields are matched with it.
    pub kind: Option<Text>,
    /// The price; 0 means not offered.
    pub value: Price,
    /// The price as text by odds format (0 decimal to 5 Malay). Missing texts are derived from `value`.
    pub values: Option<Arc<[Text]>>,
    /// A second name a preferred column's fields are matched with.
    pub alias: Option<Text>,
    /// 1 up, -1 down, 0 unchanged against the previous value. `None` if the feed sends none: it is derived when the update
    /// is applied, and stays `None` if the price has not moved.
    pub changed: Option<i8>,
    /// A longer explanation.
    pub description: Option<Text>,
}

impl Market {
    /// Whether one of its prices is marked as moved.
    pub(crate) fn has_moved(&self) -> bool {
        self.odds.iter().any(|odd| odd.mark() != 0)
    }

    /// Whether the markets differ only in prices, their texts and their movement.
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
            && self.is_suspended == other.is_suspended
            && self.odds.len() == other.odds.len()
            && self.odds.iter().zip(&other.odds).all(|(a, b)| a.same_shape(b))
    }
}

impl Odd {
    /// Its movement mark: 1 up, -1 down, 0 unchanged.
    pub fn mark(&self) -> i8 {
        self.changed.unwrap_or_default()
    }

    fn same_shape(&self, other: &Odd) -> bool {
        self.id == other.id
            && self.kind == other.kind
            && self.alias == other.alias
            && self.description == other.description
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_id_is_not_a_name() {
        let odd = |kind: &str, alias: Option<&str>, description: Option<&str>| Odd {
            id: OddId::new(1).unwrap(),
            kind: Some(kind.into()),
            value: Price::NONE,
            values: None,
            alias: alias.map(Text::from),
            changed: None,
            description: description.map(Text::from),
        };
        for (odd, name) in [
            (odd("1", None, None), "1"),
            (odd("Više", Some("over"), None), "Više"),
            (odd("2:1", None, Some("two to one")), "2:1"),
            (odd("2", Some("x"), Some("draw")), "draw"),
            (odd("sr:player:947", Some("Barnard"), Some("Lee Barnard")), "Lee Barnard"),
            (odd("Home", Some("1"), Some("the home side")), "Home"),
        ] {
            assert_eq!(odd.name().map(|name| &**name), Some(name));
        }
    }
}
