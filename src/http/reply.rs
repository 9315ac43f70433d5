//! The answer to a GET of something that has a tag: whole, or 304 where the client has it. Called by the offer, the
//! translations, the documents and the client's files, so that caching headers are right in one place.

use super::language::Spoken;
use super::negotiation;
use crate::read_model::Coding;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, IF_NONE_MATCH, VARY,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use bytes::Bytes;

/// What is said about a body besides its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head<'a> {
    /// Strong and quoted; another one for each coding.
    pub(crate) etag: &'a str,
    /// With its charset where it is a text.
    pub(crate) content_type: &'static str,
    /// How the bytes are packed.
    pub(crate) coding: Coding,
    /// What caches may do.
    pub(crate) cache: &'static str,
    /// The request headers the choice of this body depended on, besides the cookie.
    pub(crate) vary: &'static str,
    /// The language of the body and where it comes from; nothing where it has none.
    pub(crate) spoken: Option<Spoken>,
}

/// A header of the request as text.
pub(crate) fn header(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Several headers of one name mean the same as one with commas.
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
    answer.body(bytes)
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
