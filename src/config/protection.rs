//! The section `protection` of the configuration: limits and exclusions of bettors, and the register of excluded players
//! (CONTRACT 9).

use super::Secret;
use super::reader::Reader;
use crate::betting::exclusion_register::Unreachable;
use std::sync::Arc;

/// Section `protection`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Protection {
    /// How long a higher limit, or the removal of a limit, waits, in ms.
    pub raise_after_ms: i64,
    /// The address of the register of excluded players; `None` without one.
    pub register_url: Option<Arc<str>>,
    /// The token with which the register is asked.
    pub register_token: Secret,
    /// What happens while the register does not answer.
    pub register_unreachable: Unreachable,
}

/// The longest waiting time that may be configured, in hours: 30 days.
const RAISE_AFTER_HOURS_MAX: f64 = 720.0;

pub(super) fn read_protection(reader: &mut Reader<'_>) -> Option<Protection> {
    let hours = reader.number("protection.raise_after_hours", "a number of hours from 0 to 720", |hours| {
        (0.0..=RAISE_AFTER_HOURS_MAX).contains(&hours)
    });
    let url = reader.parsed("protection.register_url", "an https:// or http:// address, or empty", |text| {
        let is_address =
            ["https://", "http://"].iter().any(|scheme| text.len() > scheme.len() && text.starts_with(scheme));
        (text.is_empty() || is_address).then(|| Some(Arc::from(text)).filter(|url: &Arc<str>| !url.is_empty()))
    });
    let token = reader.secret("protection.register_token", "printable ASCII characters, or empty", |text| {
        text.bytes().all(|byte| byte.is_ascii_graphic())
    });
    let unreachable = reader.parsed("protection.register_unreachable", "refuse or allow", |text| match text {
        "refuse" => Some(Unreachable::Refuse),
        "allow" => Some(Unreachable::Allow),
        _ => None,
    });
    Some(Protection {
        // At most 2.6e9, which is exact.
        raise_after_ms: (hours? * 3_600_000.0).round() as i64,
        register_url: url?,
        register_token: token?,
        register_unreachable: unreachable?,
    })
}
