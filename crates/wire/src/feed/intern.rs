//! Interns the short texts of a feed: a message of 2,000 odds contains "1", "X" and "2" hundreds of times, and the next
//! message repeats nearly all texts. Interned texts compare by pointer, which makes deltas cheap.
//!
//! Must not grow without bound: it holds a limited number of short texts and then forgets all of them.

use super::Flaw;
use kvota_domain::Text;
use std::borrow::Borrow;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

/// Texts held at most; then the table is cleared. Texts in the offer stay valid and may then be stored a second time.
const TEXTS_MAX: usize = 65_536;
/// Longer texts rarely repeat, and looking them up costs more.
const TEXT_BYTES_MAX: usize = 64;

#[derive(Default)]
pub(super) struct Interner {
    // The hash is randomly seeded, so a producer cannot force collisions; foldhash is fast for short texts.
    known: HashSet<Known, foldhash::fast::RandomState>,
}

impl Interner {
    /// The text of these bytes.
    ///
    /// # Errors
    /// The bytes are not UTF-8.
    pub(super) fn text(&mut self, bytes: &[u8]) -> Result<Text, Flaw> {
        // Only valid UTF-8 is inserted, so a hit needs no check.
        if let Some(Known(text)) = self.known.get(bytes) {
            return Ok(text.clone());
        }
        let text: Text = std::str::from_utf8(bytes).map_err(|_| Flaw::Text)?.into();
        if bytes.len() <= TEXT_BYTES_MAX {
            if self.known.len() >= TEXTS_MAX {
                self.known.clear();
            }
            self.known.insert(Known(text.clone()));
        }
        Ok(text)
    }
}

/// A text that can be looked up by its bytes.
#[derive(PartialEq, Eq)]
struct Known(Text);

impl Borrow<[u8]> for Known {
    fn borrow(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Hash for Known {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_bytes().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_text_is_stored_once() {
        let mut interner = Interner::default();
        let mut same = |text: &[u8]| Text::ptr_eq(&interner.text(text).unwrap(), &interner.text(text).unwrap());
        assert!(same(b"X"));
        assert!(same(&[b'x'; TEXT_BYTES_MAX]));
        assert!(!same(&[b'x'; TEXT_BYTES_MAX + 1]));
    }

    #[test]
    fn number_of_texts_is_limited() {
        let mut interner = Interner::default();
        let first = interner.text(b"0").unwrap();
        for number in 1..TEXTS_MAX {
            interner.text(number.to_string().as_bytes()).unwrap();
        }
        assert!(Text::ptr_eq(&first, &interner.text(b"0").unwrap()));
        interner.text(b"one more").unwrap();
        assert_eq!(interner.known.len(), 1);
        assert!(!Text::ptr_eq(&first, &interner.text(b"0").unwrap()));
    }

    #[test]
    fn invalid_utf8_is_not_stored() {
        let mut interner = Interner::default();
        assert_eq!(interner.text(b"\xff"), Err(Flaw::Text));
        assert!(interner.known.is_empty());
    }
}
