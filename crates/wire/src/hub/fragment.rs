//! A message for many recipients: encoded at most once per language and encoding, by the first that needs the bytes,
//! and then shared (CONTRACT 3.2). `src/hub/encode.rs` creates the fragments of events; publishers put them
//! into frames.

use super::message::Message;
use crate::Encoding;
use bytes::Bytes;
use kvota_domain::lang::Lang;
use std::cell::Cell;
use std::sync::OnceLock;

thread_local! {
    /// Encodings on this thread. Compared with the number of updates, it shows that each is encoded once.
    static ENCODED: Cell<u64> = const { Cell::new(0) };
}

/// The number of times that this thread encoded any fragment.
pub fn encoded_total() -> u64 {
    ENCODED.get()
}

/// A message with its bytes, encoded when first needed.
#[derive(Debug)]
pub struct Fragment {
    message: Message,
    bytes: [OnceLock<Bytes>; Lang::ALL.len() * Encoding::ALL.len()],
}

impl Fragment {
    /// A fragment that is not encoded yet.
    pub fn new(message: Message) -> Fragment {
        Fragment { message, bytes: Default::default() }
    }

    /// The message.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// The bytes for this language and encoding.
    pub fn bytes(&self, lang: Lang, encoding: Encoding) -> &Bytes {
        let lang = if self.message.is_neutral() { Lang::ALL[0] } else { lang };
        self.bytes[lang.index() * Encoding::ALL.len() + encoding.index()].get_or_init(|| {
            ENCODED.set(ENCODED.get() + 1);
            let mut out = Vec::with_capacity(32);
            self.message.write(&mut out, lang, encoding);
            out.into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::ids::SportId;
    use kvota_domain::sport::{SportInfo, SportPatch};
    use std::sync::Arc;

    /// A sport whose name in each language is the language's code.
    fn sport() -> Message {
        let id = SportId::new(1).expect("an id");
        let mut info = SportInfo::new(id);
        for lang in Lang::ALL {
            info.apply_texts(lang, &SportPatch { name: Some(lang.code().into()), ..SportPatch::empty(id) });
        }
        Message::Sport(Arc::new(info))
    }

    fn readers() -> impl Iterator<Item = (Lang, Encoding)> {
        Lang::ALL.into_iter().flat_map(|lang| Encoding::ALL.map(|encoding| (lang, encoding)))
    }

    #[test]
    fn bytes_are_made_once_per_language_and_encoding() {
        let (fragment, before) = (Fragment::new(sport()), encoded_total());
        for (lang, encoding) in readers() {
            let mut own = Vec::new();
            fragment.message().write(&mut own, lang, encoding);
            assert_eq!(fragment.bytes(lang, encoding), &own, "{lang:?} {encoding:?}");
        }
        assert_eq!(encoded_total() - before, 8, "each of them is counted");
        let places: Vec<*const u8> = readers().map(|(lang, it)| fragment.bytes(lang, it).as_ptr()).collect();
        let again: Vec<*const u8> = readers().map(|(lang, it)| fragment.bytes(lang, it).as_ptr()).collect();
        assert_eq!(places, again);
    }

    #[test]
    fn language_neutral_bytes_are_made_once_per_encoding() {
        let fragment = Fragment::new(Message::Reload);
        for encoding in Encoding::ALL {
            let first = fragment.bytes(Lang::Hr, encoding).as_ptr();
            assert!(Lang::ALL.into_iter().all(|lang| fragment.bytes(lang, encoding).as_ptr() == first), "{encoding:?}");
        }
    }
}
