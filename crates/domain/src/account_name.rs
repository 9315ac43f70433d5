//! Decides when two account names count as the same. The stores use it to keep names unique and to find an account
//! despite other capitals; the login limits use it to count attempts. Must not decide which names are allowed.

use unicode_security::confusable_detection::skeleton;

/// The folded skeleton of a name (UTS 39, with case folded before and after). Names with the same skeleton look alike:
/// `Ana` and `ana`, or the same letters with a Cyrillic `а`. Only for comparison, not for display.
pub fn name_skeleton(name: &str) -> String {
    // Skeletons can contain capitals (the skeleton of a zero is a capital O), so fold again.
    skeleton(&name.to_lowercase()).flat_map(char::to_lowercase).collect()
}

/// The form in which external ids of players are compared: without blanks, hyphens and case (CONTRACT 9).
pub fn external_key(external_id: &str) -> String {
    external_id.chars().filter(|char| !matches!(char, ' ' | '-')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_have_one_skeleton() {
        for (one, other, is_same) in [
            ("ana", "Ana", true),
            ("ana", "ANA", true),
            ("ana", "\u{430}n\u{430}", true),
            ("Ivan", "ivan", true),
            ("Вук", "вук", true),
            ("bob", "b0b", true),
            ("Đorđe", "đorđe", true),
            ("Ðorđe", "ðorđe", true),
            ("ana", "anna", false),
            ("ana", "ana1", false),
            ("anić", "anic", false),
            ("ana.b", "ana b", false),
        ] {
            assert_eq!(name_skeleton(one) == name_skeleton(other), is_same, "{one} {other}");
        }
    }
}
