//! The types of [`super::ProtectionStore`], and the JSON encoding of limits and exclusions. Both databases keep it in
//! the account's row, so that the transaction of a bet reads it with the lock of that row. Must not decide whether a
//! limit is reached: the domain does.
//!
//! All stored versions must stay readable: a member may be added with a default, but no member may change its meaning.

use kvota_domain::bet::AccountId;
use kvota_domain::money::Money;
use kvota_domain::protection::{
    Exclusion, ExclusionKind, Flows, Limit, LimitChange, LimitKind, PendingLimit, Protection, ShorterExclusion,
    UNKNOWN_EXCLUSION, Window,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A change of an account's protection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProtectionChange {
    /// New values of limits.
    Limits {
        /// The named limits; all others stay.
        changes: Vec<LimitChange>,
        /// How long a higher limit waits, in ms.
        raise_after_ms: i64,
    },
    /// An exclusion begins.
    Exclude(Exclusion),
}

/// The outcome of [`super::ProtectionStore::protect`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Protected {
    /// It is stored, with its entries of the history.
    Stored(Protection),
    /// The present exclusion lasts longer; nothing is written.
    ShorterExclusion,
}

/// The outcome of [`super::ProtectionStore::answer_reality_check`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckAnswer {
    /// It is answered for this account.
    Answered(AccountId),
    /// None was due; nothing is written.
    NotDue,
    /// There is no such login.
    NoLogin,
}

/// A page of the history of an account's protection, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HistoryPage {
    /// The entries.
    pub entries: Vec<HistoryEntry>,
    /// The value of `before` for the next page; `None` on the last page.
    pub next: Option<i64>,
}

/// An entry of the history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryEntry {
    /// When it happened, in ms since the epoch.
    pub at_ms: i64,
    /// Its kind: `limit` or `exclusion`.
    pub kind: String,
    /// JSON, as `account/history` shows it.
    pub details: String,
}

/// A change as both databases write it.
pub(super) struct Changed {
    pub(super) protection: Protection,
    pub(super) entries: Vec<HistoryEntry>,
}

impl ProtectionChange {
    /// Whether it changes a limit in minutes.
    pub(super) fn concerns_logins(&self) -> bool {
        match self {
            ProtectionChange::Limits { changes, .. } => changes.iter().any(|(kind, _)| kind.flow().is_none()),
            ProtectionChange::Exclude(_) => false,
        }
    }

    /// The new state and its entries of the history.
    pub(super) fn apply(&self, present: &Protection, now_ms: i64) -> Result<Changed, ShorterExclusion> {
        match self {
            ProtectionChange::Limits { changes, raise_after_ms } => {
                let protection = present.with_limits(changes, now_ms, *raise_after_ms);
                let entry = |&(kind, value): &LimitChange| limit_entry(kind, value, present, &protection, now_ms);
                let entries = changes.iter().filter_map(entry).collect();
                Ok(Changed { protection, entries })
            }
            ProtectionChange::Exclude(exclusion) => {
                let protection = present.with_exclusion(*exclusion, now_ms)?;
                let details = json!({"kind": exclusion.kind.code(), "until": exclusion.until_ms});
                let entry = HistoryEntry { at_ms: now_ms, kind: "exclusion".to_owned(), details: details.to_string() };
                Ok(Changed { protection, entries: vec![entry] })
            }
        }
    }
}

/// The entry of a changed limit; `None` if nothing changed.
fn limit_entry(
    kind: LimitKind,
    value: Option<i64>,
    before: &Protection,
    after: &Protection,
    now_ms: i64,
) -> Option<HistoryEntry> {
    let state = |protection: &Protection| (protection.limit(kind, now_ms), protection.pending(kind, now_ms));
    if state(before) == state(after) {
        return None;
    }
    let shown = |value: Option<i64>| value.map(|value| shown_value(kind, value));
    let details = json!({
        "limit": kind.code(),
        "from": shown(before.limit(kind, now_ms)),
        "to": shown(value),
        "effectiveAt": after.pending(kind, now_ms).map_or(now_ms, |pending| pending.at_ms),
    });
    Some(HistoryEntry { at_ms: now_ms, kind: "limit".to_owned(), details: details.to_string() })
}

/// A limit as the calls show it: an amount as text, minutes as a number.
fn shown_value(kind: LimitKind, value: i64) -> Value {
    match kind.flow() {
        Some(_) => json!(Money::from_cents(value).to_string()),
        None => json!(value),
    }
}

/// The movements of an account in its sliding windows: what moved (0 stakes, 1 what bets returned, 2 deposits), the
/// shortest window with it, and the sum. An account's postings are nearly ordered by time, so those from a day before the
/// last window are not read; the clock of a node may be wrong by less. Both databases understand it.
pub(super) const FLOWS: &str = "SELECT CAST(CASE kind WHEN 'stake' THEN 0 WHEN 'deposit' THEN 2 ELSE 1 END AS BIGINT) AS flow, \
     CAST(CASE WHEN at_ms > $2 THEN 0 WHEN at_ms > $3 THEN 1 ELSE 2 END AS BIGINT) AS span, \
     CAST(SUM(CASE WHEN (to_account = 'bettor') <> (kind = 'stake') THEN amount_cents ELSE -amount_cents END) AS BIGINT) \
     AS amount_cents FROM postings WHERE bettor_id = $1 AND balance_after_cents IS NOT NULL AND at_ms > $4 \
     AND kind IN ('stake', 'payout', 'refund', 'cash_out', 'correction', 'deposit') \
     AND id > COALESCE((SELECT id FROM postings WHERE bettor_id = $1 AND balance_after_cents IS NOT NULL \
     AND at_ms <= $4 - 86400000 ORDER BY id DESC LIMIT 1), 0) GROUP BY flow, span";

/// The beginnings of the windows up to the longest one that is needed, for [`FLOWS`].
pub(super) fn window_starts(now_ms: i64, longest: Window) -> [i64; 3] {
    // Nothing before the longest window is read.
    Window::ALL.map(|window| now_ms.saturating_sub(window.min(longest).ms()))
}

/// Adds up the rows of [`FLOWS`]: a longer window contains the shorter ones.
pub(super) fn flows(rows: impl IntoIterator<Item = (i64, i64, Money)>) -> Flows {
    let mut flows = Flows::default();
    for (flow, span, amount) in rows {
        let sums = match flow {
            0 => &mut flows.staked,
            1 => &mut flows.returned,
            _ => &mut flows.deposited,
        };
        for (window, sum) in (0_i64..).zip(sums) {
            if window >= span {
                *sum = [*sum, amount].into_iter().sum();
            }
        }
    }
    flows
}

/// Makes a page from at most `limit` + 1 entries with their ids.
pub(super) fn history_page(mut newest_first: Vec<(i64, HistoryEntry)>, limit: usize) -> HistoryPage {
    let has_more = newest_first.len() > limit;
    newest_first.truncate(limit);
    let next = newest_first.last().filter(|_| has_more).map(|(id, _)| *id);
    HistoryPage { entries: newest_first.into_iter().map(|(_, entry)| entry).collect(), next }
}

/// Encodes a protection.
pub(super) fn to_json(protection: &Protection) -> String {
    let limits = protection.limits.iter().map(|(kind, limit)| {
        let pending = limit.pending.map(|pending| json!({"value": pending.value, "at": pending.at_ms}));
        (kind.code().to_owned(), json!({"value": limit.value, "pending": pending}))
    });
    let mut limits: Map<String, Value> = limits.collect();
    let exclusion =
        protection.exclusion.map(|exclusion| json!({"kind": exclusion.kind.code(), "until": exclusion.until_ms}));
    let mut exclusion = exclusion.unwrap_or(Value::Null);
    for (code, kept) in &protection.unknown {
        let Ok(kept) = serde_json::from_str(kept) else { continue };
        match code.as_str() {
            UNKNOWN_EXCLUSION if exclusion.is_null() => exclusion = kept,
            UNKNOWN_EXCLUSION => {}
            code => drop(limits.insert(code.to_owned(), kept)),
        }
    }
    json!({"limits": limits, "exclusion": exclusion}).to_string()
}

/// Decodes a protection; `None` if no version has written it. Kinds that this version does not know are kept.
pub(super) fn from_json(text: &str) -> Option<Protection> {
    let value: Value = serde_json::from_str(text).ok()?;
    let mut unknown = BTreeMap::new();
    let optional = |value: &Value| if value.is_null() { Some(None) } else { value.as_i64().map(Some) };
    let limit = |(code, limit): (&String, &Value)| {
        let pending = match &limit["pending"] {
            Value::Null => None,
            pending => Some(PendingLimit { value: optional(&pending["value"])?, at_ms: pending["at"].as_i64()? }),
        };
        Some((LimitKind::from_code(code)?, Limit { value: optional(&limit["value"])?, pending }))
    };
    let exclusion = match &value["exclusion"] {
        Value::Null => None,
        exclusion => match ExclusionKind::from_code(exclusion["kind"].as_str()?) {
            Some(kind) => Some(Exclusion { kind, until_ms: optional(&exclusion["until"])? }),
            None => {
                unknown.insert(UNKNOWN_EXCLUSION.to_owned(), exclusion.to_string());
                None
            }
        },
    };
    let (known, others): (Vec<_>, Vec<_>) =
        value["limits"].as_object()?.iter().partition(|(code, _)| LimitKind::from_code(code).is_some());
    unknown.extend(others.into_iter().map(|(code, limit)| (code.clone(), limit.to_string())));
    Some(Protection { limits: known.into_iter().map(limit).collect::<Option<_>>()?, exclusion, unknown })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn protection() -> Protection {
        let changes = [(LimitKind::StakeDay, Some(5_000)), (LimitKind::Session, Some(60))];
        let set = Protection::default().with_limits(&changes, 0, 100);
        let raised = set.with_limits(&[(LimitKind::StakeDay, None)], 1, 100);
        raised.with_exclusion(Exclusion { kind: ExclusionKind::TimeOut, until_ms: Some(9) }, 1).unwrap()
    }

    #[test]
    fn protection_is_read_as_it_was_written() {
        for protection in [Protection::default(), protection()] {
            assert_eq!(from_json(&to_json(&protection)), Some(protection));
        }
        for text in ["", "{}", r#"{"limits": {"stake.day": {"value": "1"}}}"#, r#"{"limits": {}, "exclusion": {}}"#] {
            assert_eq!(from_json(text), None, "{text}");
        }
    }

    #[test]
    fn unknown_kinds_are_kept_when_others_change() {
        let text = r#"{"exclusion":{"kind":"cooling","until":9},"limits":{"bets.day":{"value":7},"session":{"pending":null,"value":60}}}"#;
        let read = from_json(text).unwrap();
        assert_eq!((read.limit(LimitKind::Session, 0), read.unknown.len()), (Some(60), 2));
        let changed = read.with_limits(&[(LimitKind::StakeDay, Some(5))], 0, 0);
        let written: Value = serde_json::from_str(&to_json(&changed)).unwrap();
        assert_eq!(written["limits"]["bets.day"], json!({"value": 7}));
        assert_eq!(written["exclusion"], json!({"kind": "cooling", "until": 9}));
    }

    #[test]
    fn the_protection_of_the_first_version_stays_readable() {
        let text = r#"{"exclusion":{"kind":"time_out","until":9},"limits":{"session":{"pending":null,"value":60},
            "stake.day":{"pending":{"at":101,"value":null},"value":5000}}}"#;
        assert_eq!(from_json(text), Some(protection()));
    }

    #[test]
    fn history_has_what_changed_and_when_it_takes_effect() {
        let change = |kind, value| ProtectionChange::Limits { changes: vec![(kind, value)], raise_after_ms: 100 };
        let entries = |change: &ProtectionChange, present: &Protection| {
            let changed = change.apply(present, 7).unwrap();
            changed.entries.into_iter().map(|entry| entry.details).collect::<Vec<_>>()
        };
        let none = Protection::default();
        assert_eq!(
            entries(&change(LimitKind::LossWeek, Some(1_050)), &none),
            [r#"{"effectiveAt":7,"from":null,"limit":"loss.week","to":"10.50"}"#]
        );
        assert_eq!(
            entries(&change(LimitKind::Session, Some(90)), &protection()),
            [r#"{"effectiveAt":107,"from":60,"limit":"session","to":90}"#]
        );
        assert!(entries(&change(LimitKind::Session, Some(60)), &protection()).is_empty());
        assert_eq!(
            entries(&change(LimitKind::StakeDay, Some(5_000)), &protection()),
            [r#"{"effectiveAt":7,"from":"50.00","limit":"stake.day","to":"50.00"}"#],
            "a change that waited is withdrawn"
        );
        let longer = ProtectionChange::Exclude(Exclusion { kind: ExclusionKind::SelfExclusion, until_ms: None });
        assert_eq!(entries(&longer, &protection()), [r#"{"kind":"self_exclusion","until":null}"#]);
        let shorter = ProtectionChange::Exclude(Exclusion { kind: ExclusionKind::TimeOut, until_ms: Some(8) });
        assert_eq!(shorter.apply(&protection(), 7).err(), Some(ShorterExclusion));
    }
}
