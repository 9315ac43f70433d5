//! The bodies of `GET live/offer`, shared by all requests for the same one. Called by [`ReadModel::offer`].
//!
//! An answer has every change that was made before its request arrived. A client watches first and fetches second, so
//! the changes that it did not receive over its socket are in the body (CONTRACT 3.1). The server need not know what a
//! client has received, and the guarantee holds on every node.
//!
//! Making a body is expensive and the offer changes many times a second, so the work is bounded in three ways:
//! - One body of a kind is made every [`OFFER_BODY_AGE_MS_MIN`] at most. A request that needs a newer one waits,
//!   together with all others of that time.
//! - At most [`OFFER_BODIES_AT_ONCE_MAX`] bodies are assembled or compressed at a time, first come, first served.
//! - The work runs on the blocking pool, never on the thread of a worker. It continues when its client disconnects, and
//!   the next request uses its result.

use super::ReadModel;
use crate::limits::{OFFER_BODIES_AT_ONCE_MAX, OFFER_BODY_AGE_MS_MIN};
use bytes::Bytes;
use kvota_domain::aggregate::MatchState;
use kvota_domain::ids::SportId;
use kvota_domain::lang::Lang;
use kvota_wire::Encoding;
use kvota_wire::matches::View;
use kvota_wire::offer::{MatchPiece, offer_body};
use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore};
use tokio::time::{Instant, sleep_until};

/// The kind of a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OfferQuery {
    /// The language of the texts.
    pub lang: Lang,
    /// JSON or msgpack.
    pub encoding: Encoding,
    /// All markets, or only those of the rows.
    pub view: View,
    /// The compression.
    pub coding: Coding,
    /// Whether the revisions of the matches are in it.
    pub base: Base,
}

/// Whether changes of the hub may be applied to a body (CONTRACT 11.1). Each node counts the revisions of its own run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// With revisions: the client's connection is on this node.
    Own,
    /// All revisions are 0: the client's connection is on another node, and its changes follow other revisions.
    Foreign,
}

/// A content coding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Coding {
    /// Not compressed.
    Identity,
    /// gzip.
    Gzip,
    /// Brotli.
    Brotli,
}

/// A body ready to be sent.
#[derive(Clone, Debug)]
pub struct Body {
    /// The bytes, shared by all requests.
    pub bytes: Bytes,
    /// A strong ETag with its quotes. Differs by run, version and every field of the query.
    pub etag: Arc<str>,
}

/// A body could not be made: its task panicked, or the server is stopping.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the body of the offer was not made")]
pub struct BodyFailed;

/// The newest body of one kind.
#[derive(Clone, Debug)]
struct CachedBody {
    /// The body has at least this version of the offer.
    version: u64,
    /// When the work began; the matches are as of this moment or later.
    begun_at: Instant,
    body: Body,
}

type Slot = Mutex<Option<CachedBody>>;

#[derive(Debug)]
pub(super) struct Bodies {
    nonce: u64,
    /// One slot per kind of body. Its lock is held while the body is made, so that equal requests share one result.
    slots: Vec<Arc<Slot>>,
    permits: Arc<Semaphore>,
    on_this_thread: AtomicBool,
    assembled: AtomicU64,
    compressed: AtomicU64,
}

const CODINGS: usize = 3;
pub(super) const BASES: usize = 2;

impl Bodies {
    pub(super) fn new(nonce: u64) -> Bodies {
        let slots = Lang::ALL.len() * Encoding::ALL.len() * View::ALL.len() * BASES * CODINGS;
        Bodies {
            nonce,
            slots: (0..slots).map(|_| Arc::default()).collect(),
            permits: Arc::new(Semaphore::new(OFFER_BODIES_AT_ONCE_MAX)),
            on_this_thread: AtomicBool::new(false),
            assembled: AtomicU64::new(0),
            compressed: AtomicU64::new(0),
        }
    }

    pub(super) fn run(&self) -> String {
        format!("{:x}", self.nonce)
    }

    pub(super) fn assembled(&self) -> u64 {
        self.assembled.load(Ordering::Relaxed)
    }

    pub(super) fn compressed(&self) -> u64 {
        self.compressed.load(Ordering::Relaxed)
    }

    /// Makes bodies on the calling thread, so that a simulation does not depend on the timing of the pool.
    #[cfg(any(test, feature = "testkit"))]
    pub(super) fn make_on_this_thread(&self) {
        self.on_this_thread.store(true, Ordering::Relaxed);
    }

    pub(super) fn etag(&self, query: OfferQuery, version: u64) -> Arc<str> {
        format!("\"{:x}-{version:x}-{}\"", self.nonce, slot(query)).into()
    }

    /// The body, with every change that was made before this call.
    pub(super) async fn offer(
        &self,
        model: &Arc<ReadModel>,
        query: OfferQuery,
        now_ms: fn() -> i64,
    ) -> Result<Body, BodyFailed> {
        let wanted = model.version();
        let held = match query.coding {
            Coding::Identity => self.plain(model, query, wanted, now_ms).await?,
            Coding::Gzip | Coding::Brotli => self.packed(model, query, wanted, now_ms).await?,
        };
        Ok(held.body)
    }

    async fn plain(
        &self,
        model: &Arc<ReadModel>,
        query: OfferQuery,
        wanted: u64,
        now_ms: fn() -> i64,
    ) -> Result<CachedBody, BodyFailed> {
        let slot = self.lock(query).await;
        if let Some(held) = slot.as_ref() {
            if held.version >= wanted {
                return Ok(held.clone());
            }
            sleep_until(held.begun_at + Duration::from_millis(OFFER_BODY_AGE_MS_MIN)).await;
        }
        let model = Arc::clone(model);
        self.make(slot, move || {
            let begun_at = Instant::now();
            // Read before the matches, so that the body may be newer than its version, never older.
            let version = model.version();
            let bytes = assemble(&model, query, version, now_ms()).into();
            model.bodies.assembled.fetch_add(1, Ordering::Relaxed);
            metrics::counter!("kvota_offer_bodies_total", "step" => "assembled").increment(1);
            CachedBody { version, begun_at, body: Body { bytes, etag: model.bodies.etag(query, version) } }
        })
        .await
    }

    /// Compresses the uncompressed body of the same kind, so that asking for three codings encodes once.
    async fn packed(
        &self,
        model: &Arc<ReadModel>,
        query: OfferQuery,
        wanted: u64,
        now_ms: fn() -> i64,
    ) -> Result<CachedBody, BodyFailed> {
        let slot = self.lock(query).await;
        if let Some(held) = slot.as_ref().filter(|held| held.version >= wanted) {
            return Ok(held.clone());
        }
        let plain = self.plain(model, OfferQuery { coding: Coding::Identity, ..query }, wanted, now_ms).await?;
        let model = Arc::clone(model);
        self.make(slot, move || {
            let bytes = compress(&plain.body.bytes, query.coding);
            model.bodies.compressed.fetch_add(1, Ordering::Relaxed);
            metrics::counter!("kvota_offer_bodies_total", "step" => "compressed").increment(1);
            CachedBody { body: Body { bytes, etag: model.bodies.etag(query, plain.version) }, ..plain }
        })
        .await
    }

    async fn lock(&self, query: OfferQuery) -> OwnedMutexGuard<Option<CachedBody>> {
        Arc::clone(&self.slots[slot(query)]).lock_owned().await
    }

    /// Makes a body and keeps it. The work owns the permit and the slot, so that a client that disconnects frees
    /// neither before the work is done.
    async fn make(
        &self,
        mut slot: OwnedMutexGuard<Option<CachedBody>>,
        work: impl FnOnce() -> CachedBody + Send + 'static,
    ) -> Result<CachedBody, BodyFailed> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| BodyFailed)?;
        let run = move || {
            let made = work();
            *slot = Some(made.clone());
            drop(permit);
            made
        };
        if self.on_this_thread.load(Ordering::Relaxed) {
            return Ok(run());
        }
        tokio::task::spawn_blocking(run).await.map_err(|_| BodyFailed)
    }
}
fn slot(query: OfferQuery) -> usize {
    let place = query.lang.index() * Encoding::ALL.len() + query.encoding.index();
    let place = (place * View::ALL.len() + query.view.index()) * BASES + query.base as usize;
    place * CODINGS + query.coding as usize
}

fn assemble(model: &ReadModel, query: OfferQuery, version: u64, now_ms: i64) -> Vec<u8> {
    let entries = model.entries();
    let mut by_sport: HashMap<SportId, Vec<(&MatchState, &MatchPiece)>> = HashMap::new();
    for entry in &entries {
        let piece = entry.piece(query.lang, query.encoding, query.view, query.base);
        by_sport.entry(entry.state.live_match.sport_id).or_default().push((&entry.state, piece));
    }
    let mut sports = Vec::with_capacity(by_sport.len());
    for (id, mut matches) in by_sport {
        // A sport is inserted before its first match and removed after its last one.
        let Some(sport) = model.sport(id) else { continue };
        matches.sort_unstable_by_key(|(state, _)| (state.live_match.order, state.live_match.id));
        sports.push((sport.in_lang(query.lang), matches.into_iter().map(|(_, piece)| piece).collect()));
    }
    sports.sort_unstable_by_key(|(sport, _)| (sport.order, sport.id));
    offer_body(&sports, version, now_ms, query.encoding)
}

/// Fast settings: an offer changes many times a second, so a body is rarely sent twice.
fn compress(bytes: &[u8], coding: Coding) -> Bytes {
    // Writing into memory cannot fail. The uncompressed bytes are never sent instead, because the header names the
    // coding.
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

#[cfg(test)]
#[path = "bodies_tests.rs"]
mod tests;
