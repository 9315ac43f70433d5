//! Texts of one message, each kept once: a message of 2,000 odds says "1", "X" and "2" some hundred times.
//!
//! Must never outlive its message, nor grow without bound: it knows a limited number of short texts and no more.

use crate::domain::Text;
use std::collections::HashMap;

/// Texts known at most. Beyond, every text is its own.
const TEXTS_MAX: usize = 65_536;
/// Longer texts hardly repeat, and looking them up costs more.
const TEXT_BYTES_MAX: usize = 64;

#[derive(Default)]
pub(super) struct Interner<'a> {
    texts: HashMap<&'a str, Text>,
}

impl<'a> Interner<'a> {
    pub(super) fn text(&mut self, text: &'a str) -> Text {
        if text.len() > TEXT_BYTES_MAX {
            return text.into();
        }
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let fresh: Text = text.into();
        if self.texts.len() < TEXTS_MAX {
            self.texts.insert(text, fresh.clone());
        }
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_said_twice_is_kept_once() {
        let mut interner = Interner::default();
        let (first, second) = (interner.text("X"), interner.text("X"));
        assert!(Text::ptr_eq(&first, &second));
        let long = "x".repeat(TEXT_BYTES_MAX + 1);
        assert!(!Text::ptr_eq(&interner.text(&long), &interner.text(&long)));
    }
}
