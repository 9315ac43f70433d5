//! Decodes the history, element 28 of a match and our extension of the contract. Called by `decode`. Other producers
//! may send anything there, so an invalid history counts as absent, and an invalid incident is left out.

use super::Flaw;
use super::fields::{self, Fields};
use super::intern::Interner;
use crate::limits::PLAYER_BYTES_MAX;
use crate::msgpack::Cursor;
use kvota_domain::facts::{Fact, Topic};
use kvota_domain::incidents::{ACTIONS, History, Incident, IncidentKind};
use kvota_domain::limits::{FACT_NUMBERS_MAX, HISTORY_INCIDENTS_MAX, HISTORY_MINUTES_MAX};
use kvota_domain::matches::Side;
use std::sync::Arc;

pub(super) fn history(fields: &mut Fields<'_, '_>, texts: &mut Interner) -> Option<Arc<History>> {
    let mut cursor = *fields.next()?;
    fields.cursor().skip().ok()?;
    read(&mut cursor, texts).ok().flatten().map(Arc::new)
}

fn read(cursor: &mut Cursor<'_>, texts: &mut Interner) -> Result<Option<History>, Flaw> {
    let mut fields = Fields::open(cursor)?;
    let mut history = History::default();
    let Some(len) = fields.list()? else {
        return Ok(None);
    };
    for place in 0..len {
        let cursor = fields.cursor();
        let mut one = *cursor;
        cursor.skip()?;
        // Keep the newest ones.
        if len - place <= HISTORY_INCIDENTS_MAX as u32 {
            history.incidents.extend(incident(&mut one, texts).ok().flatten());
        }
    }
    let minutes = fields.list()?.unwrap_or_default();
    for minute in 0..minutes {
        let pressed = fields::int(fields.cursor().token()?)?.unwrap_or_default();
        if (minute as usize) < HISTORY_MINUTES_MAX {
            history.pressure.push(pressed.clamp(-100, 100) as i8);
        }
    }
    let counts = fields.items(fields::listed_pair)?.unwrap_or_default();
    for (place, pair) in counts.into_iter().take(ACTIONS).enumerate() {
        history.counts[place] = pair.map(|count| count.clamp(0, i64::from(u16::MAX)) as u16);
    }
    if let Some(cursor) = fields.next() {
        facts(cursor, &mut history.facts).ok();
    }
    Ok(Some(history))
}

/// Facts of unknown topics, later ones of the same topic and those with too many numbers are left out.
fn facts(cursor: &mut Cursor<'_>, known: &mut Vec<Fact>) -> Result<(), Flaw> {
    let mut fields = Fields::open(cursor)?;
    while let Some(one) = fields.next() {
        let mut fact = *one;
        one.skip()?;
        if let Ok(Some(fact)) = read_fact(&mut fact)
            && known.iter().all(|held| held.topic != fact.topic)
        {
            known.push(fact);
        }
    }
    Ok(())
}

fn read_fact(cursor: &mut Cursor<'_>) -> Result<Option<Fact>, Flaw> {
    let mut fields = Fields::open(cursor)?;
    let Some(topic) = fields.int()?.and_then(Topic::of) else { return Ok(None) };
    let mut numbers = Vec::new();
    while let Some(cursor) = fields.next() {
        let Some(number) = fields::int(cursor.token()?)?.and_then(|number| i32::try_from(number).ok()) else {
            return Ok(None);
        };
        if numbers.len() == FACT_NUMBERS_MAX {
            return Ok(None);
        }
        numbers.push(number);
    }
    Ok(Some(Fact { topic, numbers }))
}

fn incident(cursor: &mut Cursor<'_>, texts: &mut Interner) -> Result<Option<Incident>, Flaw> {
    let mut fields = Fields::open(cursor)?;
    let kind = fields.int()?.and_then(|number| u8::try_from(number).ok()).and_then(IncidentKind::of);
    let side = match fields.int()? {
        Some(1) => Side::Home,
        Some(2) => Side::Away,
        _ => return Ok(None),
    };
    let Some(kind) = kind else {
        return Ok(None);
    };
    let seconds = fields.int()?.and_then(|seconds| u32::try_from(seconds).ok());
    let is_short = |text: &kvota_domain::Text| text.len() <= PLAYER_BYTES_MAX;
    Ok(Some(Incident {
        kind,
        side,
        seconds,
        status: fields.text(texts)?.filter(is_short),
        score: fields.pair()?,
        player: fields.text(texts)?.filter(is_short),
    }))
}
