//! The provider's list of producers: their paths and how far back a recovery may begin. Without the list, what the
//! documentation says about them.

use crate::message::{Malformed, ProducerId};
use crate::read::number;
use crate::xml::Document;
use std::collections::BTreeMap;

const HOUR_MS: i64 = 3_600_000;
/// Producers of a list.
const PRODUCERS_MAX: usize = 256;
/// The longest path of a producer, in bytes.
const PATH_BYTES_MAX: usize = 64;

/// What is known of a producer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Its part of the paths for recovery.
    pub path: String,
    /// How far back a recovery may begin, in ms.
    pub window_ms: i64,
}

/// A producer as the documentation describes it.
pub fn documented(id: ProducerId) -> Listed {
    let (path, hours) = match id {
        1 => ("liveodds", 10),
        3 => ("pre", 72),
        4 => ("betpal", 72),
        5 => ("premium_cricket", 72),
        6 => ("vf", 3),
        7 => ("wns", 72),
        8 => ("vbl", 3),
        9 => ("vto", 3),
        10 => ("vdr", 3),
        11 => ("vhc", 3),
        12 => ("vti", 3),
        14 => ("codds", 72),
        15 => ("vbi", 3),
        17 => ("vci", 3),
        _ => return Listed { path: format!("producer{id}"), window_ms: 3 * HOUR_MS },
    };
    Listed { path: path.to_owned(), window_ms: HOUR_MS.saturating_mul(hours) }
}

/// Reads a list. A producer without a readable path is left out.
///
/// # Errors
/// The document is malformed, or of another kind.
pub fn parse(body: &[u8]) -> Result<BTreeMap<ProducerId, Listed>, Malformed> {
    let mut document = Document::new(body)?;
    if document.root()?.name() != "producers" {
        return Err(Malformed::UnknownRoot);
    }
    let mut listed = BTreeMap::new();
    while let Some(child) = document.child()? {
        let (mut id, mut path, mut minutes) = (None, None, None);
        child.attributes(|name, value| match name {
            "id" => id = value.parse::<ProducerId>().ok(),
            "api_url" => path = path_of(&value).map(str::to_owned),
            "stateful_recovery_window_in_minutes" => minutes = number(&value),
            _ => {}
        })?;
        document.skip()?;
        if listed.len() >= PRODUCERS_MAX {
            return Err(Malformed::TooMany);
        }
        let Some((id, path)) = id.zip(path) else { continue };
        let window_ms = minutes.filter(|minutes| *minutes > 0).and_then(|minutes| minutes.checked_mul(60_000));
        let window_ms = window_ms.unwrap_or(documented(id).window_ms);
        listed.insert(id, Listed { path, window_ms });
    }
    Ok(listed)
}

/// The last part of an address, if it is one of letters, digits, `-` and `_`.
fn path_of(url: &str) -> Option<&str> {
    let last = url.trim_end_matches('/').rsplit('/').next()?;
    let is_path = last.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    (is_path && !last.is_empty() && last.len() <= PATH_BYTES_MAX).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_gives_paths_and_windows() {
        let body = br#"<?xml version="1.0"?><producers response_code="OK">
            <producer id="1" name="LO" api_url="https://x/v1/live/" stateful_recovery_window_in_minutes="60"/>
            <producer id="3" name="Ctrl" api_url="https://x/v1/pre"/>
            <producer id="4" name="bad" api_url="https://x/v1/a?b=c"/><producer name="none" api_url="https://x/y/"/>
            </producers>"#;
        let listed = parse(body).unwrap();
        let shown: Vec<_> = listed.iter().map(|(id, held)| (*id, held.path.as_str(), held.window_ms)).collect();
        assert_eq!(shown, [(1, "live", HOUR_MS), (3, "pre", 72 * HOUR_MS)]);
        assert_eq!(parse(b"<x/>"), Err(Malformed::UnknownRoot));
        assert_eq!(documented(1), Listed { path: "liveodds".to_owned(), window_ms: 10 * HOUR_MS });
        assert_eq!(documented(99).path, "producer99");
    }
}
