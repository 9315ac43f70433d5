//! Texts of a feed, each kept once: a message of 2,000 odds says "1", "X" and "2" some hundred times, and the next one
//! says nearly all of it again. Texts that are kept once are also compared by their place, which is what most of a delta is.
//!
//! Must never grow without bound: it knows a limited number of short texts, and forgets all of them beyond.

use super::Flaw;
use kvota_domain::Text;
use std::borrow::Borrow;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

/// Texts known at most; then it begins anew. What is kept in the offer lives on, and is kept once more.
const TEXTS_MAX: usize = 65_536;
/// Longer texts hardly repeat, and looking them up costs more.
const TEXT_BYTES_MAX: usize = 64;

#[derive(Default)]
pub(super) struct Interner {
    // Of the texts of a feed none decides where it lies: a seeded hash that is quick on short ones is enough.
    known: HashSet<Known, foldhash::fast::RandomState>,
}

impl Interner {
    /// The text of these bytes.
    ///
    /// # Errors
    /// They are not UTF-8.
    pub(super) fn text(&mut self, bytes: &[u8]) -> Result<Text, Flaw> {
        // What is known was UTF-8.
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

/// A text that is looked up by its bytes.
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
    fn a_text_said_twice_is_kept_once() {
        let mut interner = Interner::default();
        let mut same = |text: &[u8]| Text::ptr_eq(&interner.text(text).unwrap(), &interner.text(text).unwrap());
        assert!(same(b"X"));
        assert!(same(&[b'x'; TEXT_BYTES_MAX]));
        assert!(!same(&[b'x'; TEXT_BYTES_MAX + 1]));
    }

    #[test]
    fn it_knows_so_many_and_no_more() {
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
    fn what_is_no_text_is_not_kept() {
        let mut interner = Interner::default();
        assert_eq!(interner.text(b"\xff"), Err(Flaw::Text));
        assert!(interner.known.is_empty());
    }
}
