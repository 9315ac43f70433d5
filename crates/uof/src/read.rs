//! Reads messages. Called by [`Message::parse`]. Must not fail a message for a market that cannot be read.

use crate::event_status::EventStatus;
use crate::line_key::{LineKey, Specifiers};
use crate::message::{
    Body, EventMessage, LineCancel, LineOdds, LineResult, LineStatus, Malformed, Message, OutcomeOdds, OutcomeResult,
    ProducerId, Window,
};
use crate::shared_text::shared;
use crate::urn::Urn;
use crate::xml::{Document, Element, Step, XmlError};
use kvota_domain::Text;
use kvota_domain::price::Price;

/// Lines in a message: a whole recovery of an event has at most some hundred.
const LINES_MAX: usize = 10_000;
/// Outcomes of a line: a race with many riders.
const OUTCOMES_MAX: usize = 2_000;
/// Bytes of the name of an outcome; composite ones name some competitors.
const OUTCOME_BYTES_MAX: usize = 512;
/// Groups of a stop.
const GROUPS_MAX: usize = 64;

/// The attributes that messages share.
#[derive(Default)]
struct Head {
    product: Option<ProducerId>,
    event: Option<Urn>,
    timestamp_ms: Option<i64>,
    request_id: Option<i64>,
    is_subscribed: bool,
    groups: Option<String>,
    market_status: Option<i64>,
    certainty: Option<i64>,
    window: Window,
    change: Option<i64>,
    starts_ms: Option<i64>,
}

impl Head {
    fn of(root: &Element<'_>) -> Result<Head, XmlError> {
        let mut head = Head { is_subscribed: true, ..Head::default() };
        root.attributes(|name, value| match name {
            "product" => head.product = value.parse().ok(),
            "event_id" => head.event = Urn::parse(&value),
            "timestamp" => head.timestamp_ms = number(&value).filter(|ms| *ms >= 0),
            "request_id" => head.request_id = number(&value),
            "subscribed" => head.is_subscribed = value != "0",
            "groups" => head.groups = Some(value.into_owned()),
            "market_status" => head.market_status = number(&value),
            "certainty" => head.certainty = number(&value),
            "start_time" => {
                head.window.from_ms = number(&value);
                head.starts_ms = number(&value);
            }
            "end_time" => head.window.until_ms = number(&value),
            "change_type" => head.change = number(&value),
            _ => {}
        })?;
        Ok(head)
    }

    fn product(&self) -> Result<ProducerId, Malformed> {
        self.product.ok_or(Malformed::Attribute("product"))
    }

    fn timestamp_ms(&self) -> Result<i64, Malformed> {
        self.timestamp_ms.ok_or(Malformed::Attribute("timestamp"))
    }
}

/// Reads a body.
pub(crate) fn message(body: &[u8]) -> Result<Message, Malformed> {
    let mut document = Document::new(body)?;
    let root = document.root()?;
    let head = Head::of(&root)?;
    let name = shared(root.name());
    let message = match &*name {
        "alive" => Message::Alive {
            product: head.product()?,
            timestamp_ms: head.timestamp_ms()?,
            is_subscribed: head.is_subscribed,
        },
        "snapshot_complete" => Message::SnapshotComplete {
            product: head.product()?,
            timestamp_ms: head.timestamp_ms()?,
            request_id: head.request_id.ok_or(Malformed::Attribute("request_id"))?,
        },
        _ => {
            let body = event_body(&name, &head, &mut document)?;
            return Ok(Message::Event(EventMessage {
                product: head.product()?,
                timestamp_ms: head.timestamp_ms()?,
                request_id: head.request_id,
                event: head.event.ok_or(Malformed::Attribute("event_id"))?,
                body,
            }));
        }
    };
    document.skip()?;
    end(&mut document)?;
    Ok(message)
}

fn event_body(name: &str, head: &Head, document: &mut Document<'_>) -> Result<Body, Malformed> {
    let body = match name {
        "odds_change" => odds_change(document)?,
        "bet_stop" => {
            document.skip()?;
            let groups = head.groups.as_deref().unwrap_or("all");
            let groups = groups.split('|').filter(|group| !group.is_empty()).take(GROUPS_MAX).map(Text::from);
            let status = head.market_status.map_or(LineStatus::Suspended, LineStatus::of);
            Body::BetStop { groups: groups.collect(), status }
        }
        "bet_settlement" => {
            let certainty = head.certainty.filter(|certainty| matches!(certainty, 1 | 2));
            let certainty = certainty.ok_or(Malformed::Attribute("certainty"))?;
            let mut lines = Vec::new();
            while let Some(child) = document.child()? {
                match child.name() {
                    "outcomes" => read_lines(document, &mut lines, line_result)?,
                    _ => document.skip()?,
                }
            }
            Body::Settlement { certainty, lines }
        }
        "rollback_bet_settlement" => Body::RollbackSettlement { lines: cancelled(document)? },
        "bet_cancel" => Body::Cancel { window: head.window, lines: cancelled(document)? },
        "rollback_bet_cancel" => Body::RollbackCancel { window: head.window, lines: cancelled(document)? },
        "fixture_change" => {
            document.skip()?;
            Body::FixtureChange { change: head.change, starts_ms: head.starts_ms }
        }
        _ => return Err(Malformed::UnknownRoot),
    };
    end(document)?;
    Ok(body)
}

/// Nothing may follow the root element.
fn end(document: &mut Document<'_>) -> Result<(), Malformed> {
    match document.step()? {
        Step::End => Ok(()),
        Step::Open(_) | Step::Close => Err(XmlError::Malformed.into()),
    }
}

fn odds_change(document: &mut Document<'_>) -> Result<Body, Malformed> {
    let (mut status, mut betstop_reason, mut lines) = (None, None, Vec::new());
    while let Some(child) = document.child()? {
        match child.name() {
            "sport_event_status" => status = Some(Box::new(EventStatus::read(&child, document)?)),
            "odds" => {
                child.attributes(|name, value| {
                    if name == "betstop_reason" {
                        betstop_reason = number(&value);
                    }
                })?;
                read_lines(document, &mut lines, line_odds)?;
            }
            _ => document.skip()?,
        }
    }
    Ok(Body::OddsChange { status, betstop_reason, lines })
}

/// What `market` elements say about their line.
#[derive(Default)]
struct MarketHead {
    id: Option<i64>,
    specifiers: Option<Specifiers>,
    status: LineStatus,
    is_favourite: bool,
    void_reason: Option<i64>,
}

impl MarketHead {
    fn of(element: &Element<'_>) -> Result<MarketHead, XmlError> {
        let mut head = MarketHead { specifiers: Some(Specifiers::default()), ..MarketHead::default() };
        element.attributes(|name, value| match name {
            "id" => head.id = number(&value),
            "specifiers" => head.specifiers = Specifiers::parse(&value),
            "status" => head.status = number(&value).map_or(LineStatus::Inactive, LineStatus::of),
            "favourite" => head.is_favourite = value == "1",
            "void_reason" => head.void_reason = number(&value),
            _ => {}
        })?;
        Ok(head)
    }

    fn line(&self) -> Option<LineKey> {
        Some(LineKey { market: self.id?, specifiers: self.specifiers.clone()? })
    }
}

/// The `market` children of the open element; one that cannot be read is left out.
fn read_lines<T>(
    document: &mut Document<'_>,
    lines: &mut Vec<T>,
    line: impl Fn(MarketHead, &mut Document<'_>) -> Result<Option<T>, Malformed>,
) -> Result<(), Malformed> {
    while let Some(child) = document.child()? {
        if child.name() != "market" {
            document.skip()?;
            continue;
        }
        let head = MarketHead::of(&child)?;
        if let Some(line) = line(head, document)? {
            if lines.len() >= LINES_MAX {
                return Err(Malformed::TooMany);
            }
            lines.push(line);
        }
    }
    Ok(())
}

/// Calls `take` for each `outcome` child of the open element.
fn outcomes(
    document: &mut Document<'_>,
    mut take: impl FnMut(&Element<'_>) -> Result<(), XmlError>,
) -> Result<(), Malformed> {
    let mut number = 0_usize;
    while let Some(child) = document.child()? {
        if child.name() == "outcome" {
            number = number.saturating_add(1);
            if number > OUTCOMES_MAX {
                return Err(Malformed::TooMany);
            }
            take(&child)?;
        }
        document.skip()?;
    }
    Ok(())
}

fn line_odds(head: MarketHead, document: &mut Document<'_>) -> Result<Option<LineOdds>, Malformed> {
    let mut listed: Vec<OutcomeOdds> = Vec::new();
    outcomes(document, |element| {
        let (mut id, mut price, mut is_active, mut team) = (None, Price::NONE, true, None);
        element.attributes(|name, value| match name {
            "id" => id = outcome_id(&value),
            "odds" => price = price_of(&value),
            "active" => is_active = value == "1",
            "team" => team = number(&value),
            _ => {}
        })?;
        if let Some(id) = id
            && listed.iter().all(|held| held.id != id)
        {
            listed.push(OutcomeOdds { id, price: if is_active { price } else { Price::NONE }, team });
        }
        Ok(())
    })?;
    let MarketHead { status, is_favourite, .. } = head;
    Ok(head.line().map(|line| LineOdds { line, status, is_favourite, outcomes: listed }))
}

fn line_result(head: MarketHead, document: &mut Document<'_>) -> Result<Option<LineResult>, Malformed> {
    let mut listed = Vec::new();
    outcomes(document, |element| {
        let (mut id, mut result, mut void_factor, mut dead_heat_factor) = (None, None, None, None);
        element.attributes(|name, value| match name {
            "id" => id = outcome_id(&value),
            "result" => result = number(&value),
            "void_factor" => void_factor = Some(factor(&value)),
            "dead_heat_factor" => dead_heat_factor = Some(factor(&value)),
            _ => {}
        })?;
        listed.extend(id.map(|id| OutcomeResult { id, result, void_factor, dead_heat_factor }));
        Ok(())
    })?;
    Ok(head.line().map(|line| LineResult { line, void_reason: head.void_reason, outcomes: listed }))
}

fn cancelled(document: &mut Document<'_>) -> Result<Vec<LineCancel>, Malformed> {
    let mut lines = Vec::new();
    read_lines(document, &mut lines, |head, document| {
        let mut listed = Vec::new();
        outcomes(document, |element| {
            element.attributes(|name, value| {
                if name == "id" {
                    listed.extend(outcome_id(&value));
                }
            })
        })?;
        Ok(head.line().map(|line| LineCancel { line, void_reason: head.void_reason, outcomes: listed }))
    })?;
    Ok(lines)
}

fn outcome_id(text: &str) -> Option<Text> {
    (!text.is_empty() && text.len() <= OUTCOME_BYTES_MAX).then(|| shared(text))
}

/// A decimal price, cut to three decimals; anything that is no price is not offered.
fn price_of(text: &str) -> Price {
    let thousandths = decimal(text).and_then(|thousandths| u32::try_from(thousandths).ok());
    thousandths.and_then(Price::from_thousandths).unwrap_or(Price::NONE)
}

/// A factor in ten-thousandths; one that cannot be read is -1, so that its outcome is not graded.
fn factor(text: &str) -> i64 {
    scaled(text, 4).unwrap_or(-1)
}

/// A whole number.
pub(crate) fn number(text: &str) -> Option<i64> {
    text.trim().parse().ok()
}

/// A decimal number in thousandths; further decimals are cut.
pub(crate) fn decimal(text: &str) -> Option<i64> {
    scaled(text, 3)
}

fn scaled(text: &str, decimals: usize) -> Option<i64> {
    let text = text.trim();
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(rest) {
        return None;
    }
    let kept: String = rest.chars().chain(std::iter::repeat('0')).take(decimals).collect();
    let value: i64 = format!("{whole}{kept}").parse().ok()?;
    Some(if is_negative { value.checked_neg()? } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_cut_not_rounded() {
        for (text, thousandths) in [
            ("1.12", Some(1_120)),
            ("200.0", Some(200_000)),
            ("3", Some(3_000)),
            ("1.0009", Some(1_000)),
            ("-0.5", Some(-500)),
            ("8.97094E-4", None),
            ("1.", None),
            (".5", None),
            ("1,5", None),
            ("", None),
            ("NaN", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(decimal(text), thousandths, "{text}");
        }
        assert_eq!([factor("0.5"), factor("0.3333"), factor("x")], [5_000, 3_333, -1]);
    }

    #[test]
    fn prices_outside_the_contract_are_not_offered() {
        for (text, price) in [("1.5", 1_500), ("0", 0), ("-2", 0), ("1e9", 0), ("99999999", 0)] {
            assert_eq!(price_of(text).thousandths(), price, "{text}");
        }
    }
}
