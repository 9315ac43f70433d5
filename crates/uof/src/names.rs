//! Names of markets and outcomes: templates filled with specifiers, competitors and players (contract 10). Pure; the
//! texts of all languages come from the caller.

use crate::descriptions::{Descriptions, MarketDescription};
use crate::line_key::{LineKey, Specifiers};
use kvota_domain::lang::Lang;

/// What a template may refer to beside specifiers.
pub trait Subjects {
    /// The home side (1) or the away side (2), in the language.
    fn competitor(&self, side: u8) -> Option<&str>;
    /// The name of a player or competitor by its name in the feed, in the language.
    fn profile(&self, urn: &str) -> Option<&str>;
}

/// The names of a line in a language.
#[derive(Clone, Copy, Debug)]
pub struct Namer<'a, S> {
    /// The language: ordinals differ.
    pub lang: Lang,
    /// The descriptions of the language, then those of English.
    pub descriptions: [&'a Descriptions; 2],
    /// Competitors and players.
    pub subjects: &'a S,
}

impl<S: Subjects> Namer<'_, S> {
    /// The name of a line: `market 18` if there is no description.
    pub fn market(&self, line: &LineKey) -> String {
        let named = |held: &&MarketDescription| !held.name.is_empty();
        match self.described(line, named) {
            Some(held) => self.fill(&held.name, &line.specifiers),
            None => format!("market {}", line.market),
        }
    }

    /// The full name of an outcome. The parts of a composite outcome are joined with `&`.
    pub fn outcome(&self, line: &LineKey, id: &str) -> String {
        let is_named = |held: &&MarketDescription| held.outcome(id).is_some_and(|name| !name.is_empty());
        if let Some(held) = self.described(line, is_named) {
            let template = held.outcome(id).map_or("", |text| text);
            let name = self.fill(template, &line.specifiers);
            let score = line.specifiers.get("score").filter(|_| held.is_flex_score);
            return score.and_then(|score| with_score(&name, score)).unwrap_or(name);
        }
        let parts: Vec<String> = id.split(',').map(|part| self.part(part)).collect();
        parts.join(" & ")
    }

    /// The short label of an outcome, if the provider has one.
    pub fn label(&self, line: &LineKey, id: &str) -> Option<String> {
        let held = self.described(line, |held| held.label(id).is_some_and(|label| !label.is_empty()))?;
        held.label(id).map(|label| self.fill(label, &line.specifiers))
    }

    fn part(&self, id: &str) -> String {
        self.subjects.profile(id).unwrap_or(id).to_owned()
    }

    /// The first description that fits: the variant's before the market's, the language's before English.
    fn described(&self, line: &LineKey, fits: impl Fn(&&MarketDescription) -> bool) -> Option<&MarketDescription> {
        let variant = line.specifiers.get("variant");
        self.descriptions.into_iter().find_map(|held| {
            let of_variant = variant.and_then(|variant| held.variant(line.market, variant));
            of_variant.filter(&fits).or_else(|| held.market(line.market).filter(&fits))
        })
    }

    /// A template with its tokens replaced. A token that cannot be replaced stays as it is, so that it is noticed.
    fn fill(&self, template: &str, specifiers: &Specifiers) -> String {
        let mut filled = String::with_capacity(template.len());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            filled += before;
            let Some((token, next)) = after.split_once('}') else {
                filled.push('{');
                filled += after;
                return filled;
            };
            match self.token(token, specifiers) {
                Some(text) => filled += &text,
                None => filled += &format!("{{{token}}}"),
            }
            rest = next;
        }
        filled + rest
    }

    fn token(&self, token: &str, specifiers: &Specifiers) -> Option<String> {
        let value = |key: &str| specifiers.get(key);
        match token.chars().next()? {
            '$' => match token {
                "$competitor1" => self.subjects.competitor(1).map(str::to_owned),
                "$competitor2" => self.subjects.competitor(2).map(str::to_owned),
                "$event" => {
                    let (home, away) = (self.subjects.competitor(1)?, self.subjects.competitor(2)?);
                    Some(format!("{home} - {away}"))
                }
                _ => None,
            },
            '%' => value(token.strip_prefix('%')?).map(|urn| self.part(urn)),
            '!' => whole(token.strip_prefix('!')?, specifiers).map(|number| ordinal(number, self.lang)),
            '+' => value(token.strip_prefix('+')?).and_then(|value| signed(value, false)),
            '-' => value(token.strip_prefix('-')?).and_then(|value| signed(value, true)),
            '(' => whole(token, specifiers).map(|number| number.to_string()),
            _ => value(token).map(str::to_owned),
        }
    }
}

/// The value of a specifier as a whole number, or `(key+1)`, `(key-1)`.
fn whole(token: &str, specifiers: &Specifiers) -> Option<i64> {
    let value = |key: &str| specifiers.get(key)?.parse::<i64>().ok();
    let Some(sum) = token.strip_prefix('(').and_then(|token| token.strip_suffix(')')) else {
        return value(token);
    };
    let at = sum.find(['+', '-'])?;
    let (key, change) = sum.split_at_checked(at)?;
    value(key)?.checked_add(change.parse().ok()?)
}

/// A decimal number with its sign, or with the other one; zero is `0`.
fn signed(value: &str, is_turned: bool) -> Option<String> {
    let (is_negative, digits) = match value.strip_prefix(['-', '+']) {
        Some(digits) => (value.starts_with('-'), digits),
        None => (false, value),
    };
    let is_number = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.matches('.').count() <= 1;
    if !is_number {
        return None;
    }
    if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        return Some("0".to_owned());
    }
    Some(format!("{}{digits}", if is_negative == is_turned { '+' } else { '-' }))
}

/// `1st` in English, `1.` in the other languages.
fn ordinal(number: i64, lang: Lang) -> String {
    if lang != Lang::En {
        return format!("{number}.");
    }
    let suffix = match (number.wrapping_rem(10), number.wrapping_rem(100)) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

/// A score with another one added: `1:0` and `2:1` is `3:1`.
fn with_score(name: &str, score: &str) -> Option<String> {
    let read = |text: &str| {
        let (home, away) = text.split_once(':')?;
        Some([home.trim().parse::<i64>().ok()?, away.trim().parse::<i64>().ok()?])
    };
    let ([home, away], [more, others]) = (read(name)?, read(score)?);
    Some(format!("{}:{}", home.checked_add(more)?, away.checked_add(others)?))
}
