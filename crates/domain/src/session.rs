//! The id of a bettor's session: 128 random bits. It gives access to the session, so it must not be logged or
//! guessable. The cookie that carries it is made in `src/http/session_cookie.rs`.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A session, anonymous or signed in (CONTRACT 4: it survives a reload, a reconnect and a restart).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SessionId([u8; 16]);

impl SessionId {
    /// Length of the text form: 32 lower-case hexadecimal digits.
    pub const TEXT_LEN: usize = 32;

    /// The session of these 16 random bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> SessionId {
        SessionId(bytes)
    }

    /// Parses the text form of [`SessionId::to_text`]. `None` for any other text, including upper case: a session has
    /// one text form.
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

    /// A public name of the session, for clients and reports. It gives no access: scripts must never see the cookie's
    /// value.
    pub fn public_name(self) -> String {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    /// The text form, as in the cookie.
    pub fn to_text(self) -> String {
        crate::hex::hex(&self.0)
    }
}

/// The first 2 of 16 bytes: enough to distinguish sessions in a log, too little to take one over.
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
    fn invalid_text_is_rejected() {
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
    fn debug_output_does_not_reveal_the_id() {
        let id = SessionId::from_bytes([0xab; 16]);
        assert_eq!(format!("{id:?}"), "SessionId(abab…)");
    }
}
