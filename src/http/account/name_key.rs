//! The key under which everything about an account's name is counted and signed, without keeping the name.

use crate::http::limits::NAME_CHARS_MAX;
use kvota_domain::account_name::name_skeleton;
use sha2::{Digest, Sha256};

/// A digest of the name's skeleton. All names that find the same
/// account share a key, and a long name takes no more memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct NameKey([u8; 16]);

impl NameKey {
    pub(super) fn of(name: &str) -> NameKey {
        let start: String = name.chars().take(NAME_CHARS_MAX).collect();
        let digest: [u8; 32] = Sha256::digest(name_skeleton(&start)).into();
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        NameKey(key)
    }

    pub(super) fn to_text(self) -> String {
        kvota_domain::hex::hex(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_same_account_share_a_try_count() {
        assert_eq!(NameKey::of("ANA"), NameKey::of("ana"));
        assert_eq!(NameKey::of("\u{430}na"), NameKey::of("ana"));
        assert_ne!(NameKey::of("anna"), NameKey::of("ana"));
        assert_eq!(NameKey::of(&"x".repeat(10_000)), NameKey::of(&"x".repeat(64)));
    }
}
