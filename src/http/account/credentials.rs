//! Which names and passwords an account may have. A name has letters and digits of any script, spaces and `. _ - + @`;
//! surrounding white space is ignored. Combining marks are rejected, so that a composed and a decomposed form of the
//! same name cannot both be registered.

use crate::http::limits::{
    EXTERNAL_ID_CHARS_MAX, NAME_CHARS_MAX, NAME_CHARS_MIN, PASSWORD_BYTES_MAX, PASSWORD_CHARS_MIN,
};
use kvota_domain::account_name::external_key;
use serde::Deserialize;

/// The body of `register` and `login`.
#[derive(Deserialize)]
pub(crate) struct Credentials {
    /// As typed.
    pub(super) name: String,
    /// As typed; never log it.
    pub(super) password: String,
}

impl Credentials {
    /// The name without surrounding white space.
    pub(super) fn name(&self) -> &str {
        self.name.trim()
    }

    /// Whether an account may have this name.
    pub(super) fn has_good_name(&self) -> bool {
        let name = self.name();
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '@' | ' ');
        (NAME_CHARS_MIN..=NAME_CHARS_MAX).contains(&name.chars().count()) && name.chars().all(fits)
    }

    /// Whether an account may have this password.
    pub(super) fn has_good_password(&self) -> bool {
        is_good_password(&self.password)
    }
}

/// Whether an account may have this password.
pub(super) fn is_good_password(password: &str) -> bool {
    password.chars().count() >= PASSWORD_CHARS_MIN && password.len() <= PASSWORD_BYTES_MAX
}

/// Whether a player may have this name in the register of excluded players.
pub(super) fn is_good_external_id(id: &str) -> bool {
    let is_printable = id.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    // Accounts are compared by the key, so one without a sign in it would be the same player as any other.
    id.len() <= EXTERNAL_ID_CHARS_MAX && is_printable && !external_key(id).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, password: &str) -> Credentials {
        Credentials { name: name.to_owned(), password: password.to_owned() }
    }

    #[test]
    fn names_of_letters_digits_and_allowed_signs_are_valid() {
        for (name, is_good) in [
            ("ana", true),
            (" ana ", true),
            ("Ana.Anić-2_x", true),
            ("Ђорђе", true),
            ("a", true),
            ("Ana Marija", true),
            ("ana+live@example.test", true),
            ("user-0193f5c2-7d1e-7000-8000-0123456789ab", true),
            ("ana\u{0}", false),
            ("an\u{a0}a", false),
            ("an\ta", false),
            ("<b>ana", false),
            ("a\u{30c}na", false),
            ("čšž", true),
            (&"a".repeat(64), true),
            (&"a".repeat(65), false),
            ("", false),
            ("  ", false),
        ] {
            assert_eq!(with(name, "").has_good_name(), is_good, "{name:?}");
        }
    }

    #[test]
    fn external_ids_are_printable_and_short() {
        for (id, is_good) in [
            ("1", true),
            ("HR-12345/a", true),
            (&"a".repeat(128), true),
            (&"a".repeat(129), false),
            ("123 456", true),
            ("", false),
            (" ", false),
            ("-- -", false),
            ("a\tb", false),
            ("č", false),
        ] {
            assert_eq!(is_good_external_id(id), is_good, "{id:?}");
        }
    }

    #[test]
    fn password_length_is_limited_in_both_directions() {
        for (password, is_good) in [
            ("1234567", false),
            ("12345678", true),
            ("        ", true),
            ("šđčćžšđč", true),
            (&"a".repeat(256), true),
            (&"a".repeat(257), false),
            (&"š".repeat(129), false),
        ] {
            assert_eq!(with("", password).has_good_password(), is_good, "{password:?}");
        }
    }
}
