//! A message on its way to many: its bytes are made at most once for each language and spelling, by whoever needs them
//! first, and shared by all (CONTRACT 3.2). Made by actors, composed into frames by publishers.

use super::message::Message;
use crate::domain::lang::Lang;
use crate::wire::Spelling;
use bytes::Bytes;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of fragments made since the program started: with the updates told, the proof of *encoded once*.
static ENCODED: AtomicU64 = AtomicU64::new(0);

/// How many times bytes were made of any fragment.
pub fn encoded_total() -> u64 {
    ENCODED.load(Ordering::Relaxed)
}

/// A message and its bytes, once they are needed.
#[derive(Debug)]
pub struct Fragment {
    message: Message,
    bytes: [OnceLock<Bytes>; Lang::ALL.len() * Spelling::ALL.len()],
}

impl Fragment {
    /// A fragment nobody needed yet.
    pub fn new(message: Message) -> Fragment {
        Fragment { message, bytes: Default::default() }
    }

    /// What it says.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// Its bytes for a reader of this language and spelling.
    pub fn bytes(&self, lang: Lang, spelling: Spelling) -> &Bytes {
        let lang = if self.message.is_neutral() { Lang::ALL[0] } else { lang };
        self.bytes[lang.index() * Spelling::ALL.len() + spelling.index()].get_or_init(|| {
            ENCODED.fetch_add(1, Ordering::Relaxed);
            let mut out = Vec::with_capacity(32);
            self.message.write(&mut out, lang, spelling);
            out.into()
        })
    }
}
