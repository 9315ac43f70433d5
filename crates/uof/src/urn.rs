//! Names of events, sports and players in the feed: `sr:match:1234`.

use kvota_domain::ids::ID_MAX;
use std::fmt;

/// The longest name that is read, in bytes.
const BYTES_MAX: usize = 256;

/// A name of a prefix, a type and a number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Urn {
    text: Box<str>,
    number: u64,
}

impl Urn {
    /// Reads a name that ends with a number of at most 2^53 - 1.
    pub fn parse(text: &str) -> Option<Urn> {
        let (kind, number) = text.rsplit_once(':')?;
        let is_kind = kind.split(':').all(|part| !part.is_empty()) && kind.contains(':');
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|number| *number <= ID_MAX)?;
        (is_kind && is_number && text.len() <= BYTES_MAX).then(|| Urn { text: text.into(), number })
    }

    /// The number: ids of matches and sports are those of the feed (contract 10).
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The whole name.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The part before the number: `sr:match`.
    pub fn kind(&self) -> &str {
        self.text.rsplit_once(':').map_or("", |(kind, _)| kind)
    }
}

impl fmt::Display for Urn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_a_kind_and_a_number() {
        let urn = Urn::parse("sr:match:1234").unwrap();
        assert_eq!((urn.kind(), urn.number(), urn.to_string().as_str()), ("sr:match", 1234, "sr:match:1234"));
        assert_eq!(Urn::parse("vhc:stage:18361597").unwrap().kind(), "vhc:stage");
        let largest = format!("sr:match:{ID_MAX}");
        assert!(Urn::parse(&largest).is_some());
        for bad in ["", "1234", "match:1", "sr:match:", "sr:match:x", "sr::1", ":a:1", "sr:match:-1", "sr:match:+1"] {
            assert_eq!(Urn::parse(bad), None, "{bad}");
        }
        assert_eq!(Urn::parse("sr:match:9007199254740992"), None);
        assert_eq!(Urn::parse(&format!("sr:{}:1", "m".repeat(300))), None);
    }
}
