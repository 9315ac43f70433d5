//! The keys that sign cookies (docs/decisions/0009). The first key signs and all keys verify, so that an operator can
//! replace a key without ending logins. Used by `session_cookie.rs` and `account/known_browser.rs`.
//!
//! Must not log a key, and must not sign without a purpose: a signature for one purpose must not verify for another.

use ring::hmac;
use std::fmt;
use std::sync::Arc;

/// Signs and verifies cookies. All nodes of an installation use the same keys. Clones share them.
#[derive(Clone)]
pub struct CookieKeys(Arc<[hmac::Key]>);

impl CookieKeys {
    /// One key, made from a secret of at least 32 random bytes.
    pub fn new(secret: &[u8]) -> CookieKeys {
        CookieKeys::rotating([secret])
    }

    /// Several keys: the first one signs, the others only verify.
    pub fn rotating<'a>(secrets: impl IntoIterator<Item = &'a [u8]>) -> CookieKeys {
        CookieKeys(secrets.into_iter().map(|secret| hmac::Key::new(hmac::HMAC_SHA256, secret)).collect())
    }

    /// A signed value: the text, a dot, and HMAC-SHA-256 in lower-case hexadecimal. Empty if there is no key.
    pub(super) fn sign_text(&self, purpose: &str, text: &str) -> String {
        let Some(key) = self.0.first() else { return String::new() };
        let tag = hmac::sign(key, format!("{purpose}{text}").as_bytes());
        let tag = kvota_domain::hex::hex(tag.as_ref());
        format!("{text}.{tag}")
    }

    /// The text of a value that one of the keys signed for this purpose.
    pub(super) fn verify_text<'a>(&self, purpose: &str, value: &'a str) -> Option<&'a str> {
        let (text, tag) = value.split_once('.')?;
        let (tag, rest) = tag.as_bytes().as_chunks::<2>();
        let tag: Vec<u8> = tag.iter().map(byte_of).collect::<Option<_>>()?;
        let signed = format!("{purpose}{text}");
        // `hmac::verify` compares in constant time.
        let is_ours = self.0.iter().any(|key| hmac::verify(key, signed.as_bytes(), &tag).is_ok());
        (rest.is_empty() && is_ours).then_some(text)
    }
}

fn byte_of(digits: &[u8; 2]) -> Option<u8> {
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    Some(value(digits[0])? << 4 | value(digits[1])?)
}

/// Keeps the keys out of logs.
impl fmt::Debug for CookieKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CookieKeys(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_key_signs_and_all_keys_verify() {
        let (old, new) = (CookieKeys::new(&[1; 32]), CookieKeys::new(&[2; 32]));
        let both = CookieKeys::rotating([&[2; 32][..], &[1; 32][..]]);
        let signed_before = old.sign_text("p:", "text");
        assert_eq!(both.sign_text("p:", "text"), new.sign_text("p:", "text"));
        assert_eq!(both.verify_text("p:", &signed_before), Some("text"));
        assert_eq!(new.verify_text("p:", &signed_before), None, "the old key has been taken out");
    }

    #[test]
    fn signature_for_another_purpose_does_not_verify() {
        let keys = CookieKeys::new(&[1; 32]);
        assert_eq!(keys.verify_text("b:", &keys.sign_text("a:", "text")), None);
    }
}
