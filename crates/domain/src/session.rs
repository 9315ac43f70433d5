//! The name of a bettor's session: 128 random bits. Whoever knows them is the bettor, so they are never logged and
//! never guessable; where they come from (a cookie) and who makes them (`http/session_cookie.rs`) is not known here.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A session, anonymous or logged in (CONTRACT 4: it survives a reload, a reconnect and a restart).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SessionId([u8; 16]);

impl SessionId {
    /// Characters of a written id: 32 lower-case hexadecimal digits.
    pub const TEXT_LEN: usize = 32;

    /// The session of 16 random bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> SessionId {
        SessionId(bytes)
    }

    /// The session of a text as [`SessionId::to_text`] writes it; nothing for any other text, upper case included:
    /// one session has one spelling.
    pub fn from_text(text: &str) -> Option<SessionId> {
        if text.len() != SessionId::TEXT_LEN {
            return None;
        }
        let mut bytes = [0; 16];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            *byte = hex_digit(digits[0])? << 4 | hex_digit(digits[1])?;
        }
        Some(SessionId(bytes))
    }

    /// A name of the session that opens nothing: for a client's own eyes and for reports. The cookie stays out of the
    /// reach of scripts only as long as nothing sent to them says it.
    pub fn public_name(self) -> String {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    /// The id as it stands in the cookie.
    pub fn to_text(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The first 2 of 16 bytes: enough to tell sessions apart in a log, too little to take one over.
impl fmt::Debug for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionId({:02x}{:02x}…)", self.0[0], self.0[1])
    }
}

fn hex_digit(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_was_written() {
        let id = SessionId::from_bytes([0, 1, 15, 16, 127, 128, 255, 9, 10, 11, 12, 13, 14, 99, 100, 200]);
        assert_eq!(SessionId::from_text(&id.to_text()), Some(id));
    }

    #[test]
    fn any_other_text_is_no_id() {
        let good = "00ff00ff00ff00ff00ff00ff00ff00ff";
        assert!(SessionId::from_text(good).is_some());
        for text in [
            "",
            "00ff",
            "00FF00ff00ff00ff00ff00ff00ff00ff",
            "00ff00ff00ff00ff00ff00ff00ff00f",
            "00ff00ff00ff00ff00ff00ff00ff00ff0",
            "00ff00ff00ff00ff00ff00ff00ff00fg",
            "č0ff00ff00ff00ff00ff00ff00ff00f",
            "+0ff00ff00ff00ff00ff00ff00ff00ff",
        ] {
            assert_eq!(SessionId::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_log_does_not_betray_it() {
        let id = SessionId::from_bytes([0xab; 16]);
        assert_eq!(format!("{id:?}"), "SessionId(abab…)");
    }
}
