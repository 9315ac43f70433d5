//! Whole bodies of the offer, each made at most once a version however many ask for it. Those who wait for a body
//! being made share it, unless it is older than their request: an answer never misses what its asker was told before.

use super::ReadModel;
use crate::domain::aggregate::MatchState;
use crate::domain::ids::SportId;
use crate::domain::lang::Lang;
use crate::wire::Spelling;
use crate::wire::matches::View;
use crate::wire::offer::{MatchPiece, offer_body};
use bytes::Bytes;
use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Mutex;

/// Which body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OfferQuery {
    /// In whose words.
    pub lang: Lang,
    /// JSON or msgpack.
    pub spelling: Spelling,
    /// All markets, or those of the rows.
    pub view: View,
    /// Compressed how.
    pub coding: Coding,
}

/// A content coding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Coding {
    /// As it is.
    Identity,
    /// gzip.
    Gzip,
    /// Brotli.
    Brotli,
}

/// A body ready to be sent.
#[derive(Clone, Debug)]
pub struct Body {
    /// Shared by all who get it.
    pub bytes: Bytes,
    /// A strong tag in its quotes: differs by run, version and everything in the query.
    pub etag: Arc<str>,
}

#[derive(Debug)]
pub(super) struct Bodies {
    nonce: u64,
    slots: Vec<Mutex<Option<(u64, Body)>>>,
    made: AtomicU64,
}

const CODINGS: usize = 3;

impl Bodies {
    pub(super) fn new(nonce: u64) -> Bodies {
        let slots = Lang::ALL.len() * Spelling::ALL.len() * View::ALL.len() * CODINGS;
        Bodies { nonce, slots: (0..slots).map(|_| Mutex::new(None)).collect(), made: AtomicU64::new(0) }
    }

    pub(super) fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    pub(super) fn etag(&self, query: OfferQuery, version: u64) -> Arc<str> {
        format!("\"{:x}-{version:x}-{}\"", self.nonce, slot(query)).into()
    }

    pub(super) async fn offer(&self, model: &ReadModel, query: OfferQuery, now_ms: i64) -> Body {
        let wanted = model.version();
        let mut held = self.slots[slot(query)].lock().await;
        if let Some((version, body)) = &*held
            && *version >= wanted
        {
            return body.clone();
        }
        let (version, bytes) = match query.coding {
            Coding::Identity => self.plain(model, query, now_ms),
            Coding::Gzip | Coding::Brotli => self.compressed(model, query, now_ms).await,
        };
        let body = Body { bytes, etag: self.etag(query, version) };
        *held = Some((version, body.clone()));
        body
    }

    fn plain(&self, model: &ReadModel, query: OfferQuery, now_ms: i64) -> (u64, Bytes) {
        // Read before the matches: the body may hold more than its version says, never less.
        let version = model.version();
        self.made.fetch_add(1, Ordering::Relaxed);
        (version, assemble(model, query, version, now_ms).into())
    }

    /// Compresses the uncompressed body of the same slot, so that asking for three codings encodes once.
    async fn compressed(&self, model: &ReadModel, query: OfferQuery, now_ms: i64) -> (u64, Bytes) {
        let plain = OfferQuery { coding: Coding::Identity, ..query };
        let wanted = model.version();
        let mut held = self.slots[slot(plain)].lock().await;
        let (version, bytes) = match &*held {
            Some((version, body)) if *version >= wanted => (*version, body.bytes.clone()),
            _ => {
                let (version, bytes) = self.plain(model, plain, now_ms);
                *held = Some((version, Body { bytes: bytes.clone(), etag: self.etag(plain, version) }));
                (version, bytes)
            }
        };
        drop(held);
        // Milliseconds of work for a large offer: off the thread that serves everybody.
        let raw = bytes.clone();
        let packed = tokio::task::spawn_blocking(move || compress(&raw, query.coding)).await;
        (version, packed.unwrap_or_else(|_| compress(&bytes, query.coding)))
    }
}

fn slot(query: OfferQuery) -> usize {
    let place = query.lang.index() * Spelling::ALL.len() + query.spelling.index();
    (place * View::ALL.len() + query.view.index()) * CODINGS + query.coding as usize
}

fn assemble(model: &ReadModel, query: OfferQuery, version: u64, now_ms: i64) -> Vec<u8> {
    let entries = model.entries();
    let mut by_sport: HashMap<SportId, Vec<(&MatchState, &MatchPiece)>> = HashMap::new();
    for entry in &entries {
        let piece = entry.piece(query.lang, query.spelling, query.view);
        by_sport.entry(entry.state.live_match.sport_id).or_default().push((&entry.state, piece));
    }
    let mut sports = Vec::with_capacity(by_sport.len());
    for (id, mut matches) in by_sport {
        // A sport is put in before its first match and taken out after its last.
        let Some(sport) = model.sport(id) else { continue };
        matches.sort_unstable_by_key(|(state, _)| (state.live_match.order, state.live_match.id));
        sports.push((sport.in_lang(query.lang), matches.into_iter().map(|(_, piece)| piece).collect()));
    }
    sports.sort_unstable_by_key(|(sport, _)| (sport.order, sport.id));
    offer_body(&sports, version, now_ms, query.spelling)
}

/// Fast settings: an offer changes many times a second, so a body is rarely sent twice.
fn compress(bytes: &[u8], coding: Coding) -> Bytes {
    // Writing into memory cannot fail; the raw bytes are never sent in their place, for the header says otherwise.
    match coding {
        Coding::Identity => Bytes::copy_from_slice(bytes),
        Coding::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(1));
            let written = encoder.write_all(bytes);
            debug_assert!(written.is_ok());
            encoder.finish().unwrap_or_default().into()
        }
        Coding::Brotli => {
            let mut out = Vec::new();
            let mut encoder = brotli::CompressorWriter::new(&mut out, 1 << 16, 2, 20);
            let written = encoder.write_all(bytes);
            debug_assert!(written.is_ok());
            drop(encoder);
            out.into()
        }
    }
}
