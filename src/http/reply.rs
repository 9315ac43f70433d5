//! Answers a GET request for content with a tag: the whole body, or 304 if the client has it. Used by the offer, the
//! translations, the documents and the client's files, so that caching headers are set in one place.

use super::language::AnswerLanguage;
use super::negotiation;
use actix_web::body::{BodySize, MessageBody};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, IF_NONE_MATCH, VARY,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use kvota_read_model::Coding;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

/// As much as the server buffers before it writes.
const PIECE_BYTES: usize = 32 << 10;

/// The headers of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head<'a> {
    /// Strong and quoted; different for each coding.
    pub(crate) etag: &'a str,
    /// With its charset if it is text.
    pub(crate) content_type: &'static str,
    /// How the bytes are compressed.
    pub(crate) coding: Coding,
    /// The value of `Cache-Control`.
    pub(crate) cache: &'static str,
    /// The request headers that the choice of this body depends on, besides the cookie.
    pub(crate) vary: &'static str,
    /// The language of the body and where it comes from; `None` if the body has none.
    pub(crate) spoken: Option<AnswerLanguage>,
}

/// A header of the request that has one value, as text; `None` if it was sent twice, because its lines may contradict
/// each other.
pub(crate) fn header(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name);
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

/// All headers of one name, joined by commas, which means the same.
pub(crate) fn header_list(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    let values: Vec<&str> = headers.get_all(name).filter_map(|value| value.to_str().ok()).collect();
    (!values.is_empty()).then(|| values.join(","))
}

/// Whether the client has the body with this tag.
pub(crate) fn has_already(req: &HttpRequest, etag: &str) -> bool {
    let tags = header_list(req.headers(), IF_NONE_MATCH);
    negotiation::has_already(tags.as_deref(), etag)
}

/// 304: the headers that 200 would carry, no body.
pub(crate) fn not_modified(head: Head<'_>) -> HttpResponse {
    builder(StatusCode::NOT_MODIFIED, head).finish()
}

/// The body with a status.
pub(crate) fn whole(status: StatusCode, head: Head<'_>, bytes: Bytes) -> HttpResponse {
    let mut answer = builder(status, head);
    answer.insert_header((CONTENT_TYPE, head.content_type));
    match head.coding {
        Coding::Identity => &mut answer,
        Coding::Gzip => answer.insert_header((CONTENT_ENCODING, "gzip")),
        Coding::Brotli => answer.insert_header((CONTENT_ENCODING, "br")),
    };
    if bytes.len() > PIECE_BYTES { answer.body(Pieces(bytes)) } else { answer.body(bytes) }
}

/// A large body, passed on in pieces. The server copies each piece into a buffer; for a whole offer at once, that
/// buffer would be large, and allocated for each answer or kept with each connection.
struct Pieces(Bytes);

impl MessageBody for Pieces {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.0.len() as u64)
    }

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        let piece = self.0.len().min(PIECE_BYTES);
        Poll::Ready((piece > 0).then(|| Ok(self.0.split_to(piece))))
    }

    fn try_into_bytes(self) -> Result<Bytes, Self> {
        Ok(self.0)
    }
}

fn builder(status: StatusCode, head: Head<'_>) -> HttpResponseBuilder {
    let mut answer = HttpResponse::build(status);
    answer.insert_header((ETAG, head.etag)).insert_header((CACHE_CONTROL, head.cache));
    let by_cookie = head.spoken.is_some_and(|spoken| !spoken.by_url);
    let vary = [head.vary, if by_cookie { "Cookie" } else { "" }];
    let vary: Vec<&str> = vary.into_iter().filter(|name| !name.is_empty()).collect();
    if !vary.is_empty() {
        answer.insert_header((VARY, vary.join(", ")));
    }
    if let Some(spoken) = head.spoken {
        answer.insert_header((CONTENT_LANGUAGE, spoken.lang.locale()));
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    #[actix_web::test]
    async fn large_body_is_sent_in_pieces_and_complete() {
        let bytes = Bytes::from_iter((0..3 * PIECE_BYTES + 5).map(|place| (place % 251) as u8));
        let mut body = Pieces(bytes.clone());
        assert_eq!(body.size(), BodySize::Sized(bytes.len() as u64));
        let (mut pieces, mut whole) = (0, Vec::new());
        while let Some(Ok(piece)) = poll_fn(|cx| Pin::new(&mut body).poll_next(cx)).await {
            assert!(piece.len() <= PIECE_BYTES);
            pieces += 1;
            whole.extend_from_slice(&piece);
        }
        assert_eq!((pieces, whole == bytes), (4, true));
    }
}
