//! The provider's descriptions of markets and variants in one language. Kept as they came; filled in by
//! [`crate::names`].

use crate::lines::Groups;
use crate::message::Malformed;
use crate::read::number;
use crate::xml::{Document, Element, Step};
use kvota_domain::Text;
use std::collections::HashMap;

/// Descriptions in a document; the whole list of a provider has about 1,500.
const MARKETS_MAX: usize = 20_000;
/// Outcomes of a description.
const OUTCOMES_MAX: usize = 2_000;
/// The producer with the short labels that we show: live odds.
const LIVE: &str = "1";

/// A market, or a variant of one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MarketDescription {
    /// The template of its name.
    pub name: Text,
    /// Its groups, `all` among them.
    pub groups: Vec<Text>,
    /// The templates of its outcomes, by id.
    pub outcomes: Vec<(Text, Text)>,
    /// Short labels of outcomes, by id.
    pub labels: Vec<(Text, Text)>,
    /// Whether outcomes are shown with the score of the specifier added.
    pub is_flex_score: bool,
}

impl MarketDescription {
    /// The template of an outcome.
    pub fn outcome(&self, id: &str) -> Option<&Text> {
        find(&self.outcomes, id)
    }

    /// The short label of an outcome.
    pub fn label(&self, id: &str) -> Option<&Text> {
        find(&self.labels, id)
    }
}

fn find<'a>(pairs: &'a [(Text, Text)], id: &str) -> Option<&'a Text> {
    pairs.iter().find(|(held, _)| &**held == id).map(|(_, text)| text)
}

/// All descriptions of one language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Descriptions {
    markets: HashMap<i64, MarketDescription>,
    /// Variants of one market, and those that any market may have (market `None`).
    variants: HashMap<(Option<i64>, Text), MarketDescription>,
}

impl Descriptions {
    /// The description of a market.
    pub fn market(&self, id: i64) -> Option<&MarketDescription> {
        self.markets.get(&id)
    }

    /// The description of a variant of a market.
    pub fn variant(&self, market: i64, variant: &str) -> Option<&MarketDescription> {
        let of = |market| self.variants.get(&(market, Text::from(variant)));
        of(Some(market)).or_else(|| of(None))
    }

    /// Adds the descriptions of a document: a list of markets or of variants, or one variant of a market. Later ones
    /// replace earlier ones. Returns their number.
    ///
    /// # Errors
    /// The document is malformed, of another kind, or has too many entries; then none is added.
    pub fn add(&mut self, body: &[u8]) -> Result<usize, Malformed> {
        let mut document = Document::new(body)?;
        match document.root()?.name() {
            "market_descriptions" | "variant_descriptions" => {}
            _ => return Err(Malformed::UnknownRoot),
        }
        let mut read = Vec::new();
        while let Some(child) = document.child()? {
            if !matches!(child.name(), "market" | "variant") {
                document.skip()?;
                continue;
            }
            if read.len() >= MARKETS_MAX {
                return Err(Malformed::TooMany);
            }
            read.extend(description(&child, &mut document)?);
        }
        if !matches!(document.step()?, Step::End) {
            return Err(Malformed::UnknownRoot);
        }
        let number = read.len();
        for (market, variant, description) in read {
            match (market, variant) {
                (market, Some(variant)) => drop(self.variants.insert((market, variant), description)),
                (Some(market), None) => drop(self.markets.insert(market, description)),
                (None, None) => {}
            }
        }
        Ok(number)
    }
}

impl Groups for Descriptions {
    fn contains(&self, market: i64, group: &str) -> Option<bool> {
        self.markets.get(&market).map(|held| held.groups.iter().any(|name| &**name == group))
    }
}

type Read = (Option<i64>, Option<Text>, MarketDescription);

/// A `market` or `variant` with its children; `None` if it has no id.
fn description(element: &Element<'_>, document: &mut Document<'_>) -> Result<Option<Read>, Malformed> {
    let is_variant = element.name() == "variant";
    let (mut id, mut variant, mut held) = (None, None, MarketDescription::default());
    element.attributes(|name, value| match name {
        "id" => id = Some(Text::from(&*value)),
        "name" => held.name = Text::from(&*value),
        "variant" => variant = Some(Text::from(&*value)),
        "groups" => held.groups = value.split('|').filter(|name| !name.is_empty()).map(Text::from).collect(),
        "is_flex_score" => held.is_flex_score = matches!(&*value, "true" | "1"),
        _ => {}
    })?;
    while let Some(child) = document.child()? {
        match child.name() {
            "outcomes" => texts(document, "outcome", ["id", "name"], &mut held.outcomes)?,
            "mappings" => mappings(document, &mut held)?,
            "attributes" => {
                while let Some(attribute) = document.child()? {
                    attribute.attributes(|name, value| {
                        held.is_flex_score |= name == "name" && value == "is_flex_score";
                    })?;
                    document.skip()?;
                }
            }
            _ => document.skip()?,
        }
    }
    let Some(id) = id else { return Ok(None) };
    Ok(match (is_variant, number(&id)) {
        (true, _) => Some((None, Some(id), held)),
        (false, Some(market)) => Some((Some(market), variant, held)),
        (false, None) => None,
    })
}

/// Pairs of two attributes of the children with a name.
fn texts(
    document: &mut Document<'_>,
    child_name: &str,
    [key, text]: [&str; 2],
    held: &mut Vec<(Text, Text)>,
) -> Result<(), Malformed> {
    while let Some(child) = document.child()? {
        if child.name() == child_name {
            let (mut id, mut name) = (None, None);
            child.attributes(|attribute, value| {
                if attribute == key {
                    id = Some(Text::from(&*value));
                } else if attribute == text {
                    name = Some(Text::from(&*value));
                }
            })?;
            if held.len() >= OUTCOMES_MAX {
                return Err(Malformed::TooMany);
            }
            held.extend(id.zip(name).filter(|(id, _)| find(held, id).is_none()));
        }
        document.skip()?;
    }
    Ok(())
}

/// The short labels of the mappings for live odds; the first one of each outcome counts.
fn mappings(document: &mut Document<'_>, held: &mut MarketDescription) -> Result<(), Malformed> {
    while let Some(child) = document.child()? {
        let mut is_live = false;
        child.attributes(|name, value| {
            is_live |= matches!(name, "product_id" | "product_ids") && value.split('|').any(|product| product == LIVE);
        })?;
        if is_live {
            texts(document, "mapping_outcome", ["outcome_id", "product_outcome_name"], &mut held.labels)?;
        } else {
            document.skip()?;
        }
    }
    Ok(())
}
