//! The id of a request, which links its log line, its answer (`x-request-id`) and the log line of its bet. Created by
//! `observe.rs`, read by calls that pass work on. The server always creates it, because a client's own id could be
//! anything.

use super::session_cookie::random;
use actix_web::http::header::HeaderName;
use actix_web::{HttpMessage, HttpRequest};
use std::sync::Arc;
use uuid::Builder;

/// The header of an answer.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// A UUID of version 4, as text.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(Arc<str>);

impl RequestId {
    /// A new id; its random bits are zero if the system has no randomness.
    pub(crate) fn new() -> RequestId {
        let id = Builder::from_random_bytes(random().unwrap_or_default()).into_uuid();
        RequestId(id.hyphenated().to_string().into())
    }

    /// The id of a request; empty if it has none.
    pub(crate) fn of(req: &HttpRequest) -> Arc<str> {
        req.extensions().get::<RequestId>().map_or_else(|| "".into(), |id| Arc::clone(&id.0))
    }

    /// As in the header and in the log.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_id_is_a_random_uuid_v4() {
        let id = RequestId::new();
        let parts: Vec<usize> = id.as_str().split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert_eq!(&id.as_str()[14..15], "4", "the version");
        assert!(["8", "9", "a", "b"].contains(&&id.as_str()[19..20]), "the variant: {}", id.as_str());
        assert_ne!(id.as_str(), RequestId::new().as_str());
    }
}
