//! The bodies of `account/limits` and `account/history`, and the exclusion in `live/user-status` (CONTRACT 9). Must
//! validate only the format.

use super::json::Json;
use kvota_domain::money::Money;
use kvota_domain::protection::{
    Exclusion, Flows, LIMIT_MINUTES_MAX, LimitChange, LimitKind, PendingLimit, Protection, RealityCheck, SessionEnd,
};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// The changes in a body of `PUT account/limits`: the named limits, with `None` for null. `None` if a limit has another
/// format than the contract's. Unknown members are ignored, so that a client may send back what GET returned.
pub fn read_limits(body: &Json) -> Option<Vec<LimitChange>> {
    let Json::Object(_) = body else { return None };
    let mut changes = Vec::new();
    for kind in LimitKind::ALL {
        let given = match kind.code().split_once('.') {
            None => named(body, kind.code()),
            Some((group, window)) => match named(body, group) {
                None => None,
                Some(group @ Json::Object(_)) => named(group, window),
                Some(_) => return None,
            },
        };
        if let Some(value) = given {
            changes.push((kind, read_value(kind, value)?));
        }
    }
    Some(changes)
}

/// The member with this name, also if it is null.
fn named<'a>(object: &'a Json, name: &str) -> Option<&'a Json> {
    let Json::Object(members) = object else { return None };
    members.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// An amount as text or number, or whole minutes; null is `Some(None)`.
fn read_value(kind: LimitKind, value: &Json) -> Option<Option<i64>> {
    match (kind.flow(), value) {
        (_, Json::Null) => Some(None),
        (Some(_), Json::Number(text) | Json::Text(text)) => Money::parse(text).map(|amount| Some(amount.cents())),
        (None, Json::Number(text)) => {
            let minutes = text.parse::<i64>().ok()?;
            (1..=LIMIT_MINUTES_MAX).contains(&minutes).then_some(Some(minutes))
        }
        _ => None,
    }
}

/// The answer of `account/limits`: the limits in force, and in `pending`, in the same shape, those that wait.
#[derive(Serialize, Debug)]
#[serde(transparent)]
pub struct LimitsBody(Map<String, Value>);

impl LimitsBody {
    /// The limits at a time, and in `used` what counts against each limit of an amount that is in force.
    pub fn of(protection: &Protection, flows: &Flows, now_ms: i64) -> LimitsBody {
        let shown = |kind, value: Option<i64>| value.map_or(Value::Null, |value| shown(kind, value));
        let mut body = by_group(|kind| shown(kind, protection.limit(kind, now_ms)));
        let pending = by_group(|kind| match protection.pending(kind, now_ms) {
            None => Value::Null,
            Some(PendingLimit { value, at_ms }) => json!({"value": shown(kind, value), "at": at_ms}),
        });
        body.insert("pending".to_owned(), Value::Object(pending));
        let mut used = by_group(|kind| match kind.flow() {
            Some((flow, window)) if protection.limit(kind, now_ms).is_some() => {
                json!(flows.used(flow, window).to_string())
            }
            _ => Value::Null,
        });
        used.retain(|_, windows| windows.is_object());
        body.insert("used".to_owned(), Value::Object(used));
        LimitsBody(body)
    }
}

/// A limit as it is shown: an amount as text, minutes as a number.
fn shown(kind: LimitKind, value: i64) -> Value {
    match kind.flow() {
        Some(_) => json!(Money::from_cents(value).to_string()),
        None => json!(value),
    }
}

/// An object with a value for each kind of limit, in the shape of the contract.
fn by_group(value: impl Fn(LimitKind) -> Value) -> Map<String, Value> {
    let mut body = Map::new();
    for kind in LimitKind::ALL {
        match kind.code().split_once('.') {
            None => {
                body.insert(kind.code().to_owned(), value(kind));
            }
            Some((group, window)) => {
                let group = body.entry(group).or_insert_with(|| Value::Object(Map::new()));
                if let Value::Object(windows) = group {
                    windows.insert(window.to_owned(), value(kind));
                }
            }
        }
    }
    body
}

/// An exclusion in `live/user-status`.
#[derive(Serialize, Debug)]
pub struct ExclusionBody {
    kind: &'static str,
    until: Option<i64>,
}

impl ExclusionBody {
    /// Its body.
    pub fn of(exclusion: Exclusion) -> ExclusionBody {
        ExclusionBody { kind: exclusion.kind.code(), until: exclusion.until_ms }
    }
}

/// A reality check, as the hub sends it.
#[derive(Serialize, Debug)]
pub struct RealityCheckBody {
    time: i64,
    staked: String,
    returned: String,
}

impl RealityCheckBody {
    /// Its body.
    pub fn of(check: &RealityCheck) -> RealityCheckBody {
        let RealityCheck { time_ms, staked, returned } = check;
        RealityCheckBody { time: *time_ms, staked: staked.to_string(), returned: returned.to_string() }
    }
}

/// The end of a login by its limit, as the hub sends it.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct SessionEndBody {
    ends_at: i64,
    #[serde(flatten)]
    so_far: RealityCheckBody,
}

impl SessionEndBody {
    /// Its body.
    pub fn of(end: &SessionEnd) -> SessionEndBody {
        SessionEndBody { ends_at: end.ends_at_ms, so_far: RealityCheckBody::of(&end.so_far) }
    }
}

/// The answer of `account/history`.
#[derive(Serialize, Debug)]
pub struct HistoryBody {
    entries: Vec<HistoryEntryBody>,
    next: Option<String>,
}

#[derive(Serialize, Debug)]
struct HistoryEntryBody {
    at: i64,
    kind: String,
    details: Box<RawValue>,
}

impl HistoryBody {
    /// A page of entries: time, kind and details as JSON. `None` if details are not JSON.
    pub fn of<'a>(entries: impl Iterator<Item = (i64, &'a str, &'a str)>, next: Option<i64>) -> Option<HistoryBody> {
        let entries = entries.map(|(at, kind, details)| {
            let details = RawValue::from_string(details.to_owned()).ok()?;
            Some(HistoryEntryBody { at, kind: kind.to_owned(), details })
        });
        Some(HistoryBody { entries: entries.collect::<Option<_>>()?, next: next.map(|next| next.to_string()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<LimitChange>> {
        read_limits(&Json::parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn named_limits_are_read_and_all_others_are_left_out() {
        let text = r#"{"stake": {"day": "100.50", "week": null}, "deposit": {"month": 20}, "session": 60,
            "realityCheck": null, "pending": {"loss": {"day": "x"}}, "loss": {}}"#;
        let expected = vec![
            (LimitKind::StakeDay, Some(10_050)),
            (LimitKind::StakeWeek, None),
            (LimitKind::DepositMonth, Some(2_000)),
            (LimitKind::Session, Some(60)),
            (LimitKind::RealityCheck, None),
        ];
        assert_eq!(read(text), Some(expected));
        assert_eq!(read("{}"), Some(Vec::new()));
    }

    #[test]
    fn limit_with_another_format_is_rejected() {
        for text in [
            "[]",
            r#"{"stake": null}"#,
            r#"{"stake": 10}"#,
            r#"{"stake": {"day": "-1"}}"#,
            r#"{"stake": {"day": 10.123}}"#,
            r#"{"loss": {"week": true}}"#,
            r#"{"session": "60"}"#,
            r#"{"session": 0}"#,
            r#"{"session": 1.5}"#,
            r#"{"realityCheck": 10081}"#,
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn limits_in_force_and_those_that_wait_are_shown_in_one_shape() {
        let set = Protection::default().with_limits(
            &[(LimitKind::StakeDay, Some(500)), (LimitKind::Session, Some(30))],
            0,
            100,
        );
        let raised = set.with_limits(&[(LimitKind::StakeDay, None), (LimitKind::Session, Some(60))], 1, 100);
        let none = json!({"day": null, "week": null, "month": null});
        let expected = json!({
            "stake": {"day": "5.00", "week": null, "month": null}, "loss": none, "deposit": none,
            "session": 30, "realityCheck": null,
            "pending": {
                "stake": {"day": {"value": null, "at": 101}, "week": null, "month": null}, "loss": none, "deposit": none,
                "session": {"value": 60, "at": 101}, "realityCheck": null,
            },
            "used": {"stake": {"day": "3.00", "week": null, "month": null}, "loss": none, "deposit": none},
        });
        let staked = [300, 400, 500].map(Money::from_cents);
        let flows = Flows { staked, ..Flows::default() };
        assert_eq!(serde_json::to_value(LimitsBody::of(&raised, &flows, 100)).unwrap(), expected);
        let later = serde_json::to_value(LimitsBody::of(&raised, &flows, 101)).unwrap();
        assert_eq!(
            (&later["stake"]["day"], &later["used"]["stake"]["day"], &later["session"], &later["pending"]["session"]),
            (&Value::Null, &Value::Null, &json!(60), &Value::Null)
        );
    }
}
