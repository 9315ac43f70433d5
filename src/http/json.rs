//! Reads a JSON body within limits of size and time. All calls must read bodies through it, because actix's own reader
//! has no time limit and allows 2 MiB.

use super::error::ApiError;
use crate::http::limits::{JSON_BYTES_MAX, REQUEST_MS_MAX};
use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use actix_web::{FromRequest, HttpRequest, rt};
use bytes::BytesMut;
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// The body of a request: a JSON object of at most 16 KiB that arrived in time. Otherwise 413, 415, 408 or 400.
#[derive(Debug)]
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for JsonBody<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(req: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = body(req, payload.take());
        Box::pin(async move {
            let body = body.await?;
            // Serde would also read a struct from an array.
            if !body.trim_ascii_start().starts_with(b"{") {
                return Err(ApiError::Json);
            }
            let value = serde_json::from_slice(&body).map_err(|_| ApiError::Json)?;
            Ok(JsonBody(value))
        })
    }
}

/// The bytes of a JSON body, within the same limits, for a call that parses them itself after it has checked the login.
pub(super) fn body(req: &HttpRequest, payload: Payload) -> impl Future<Output = Result<BytesMut, ApiError>> + use<> {
    let announced = check_head(req);
    async move {
        announced?;
        let limit = Duration::from_millis(REQUEST_MS_MAX);
        rt::time::timeout(limit, read(payload)).await.map_err(|_| ApiError::TooSlow)?
    }
}

fn check_head(req: &HttpRequest) -> Result<(), ApiError> {
    let text = |name| super::reply::header(req.headers(), name);
    // A form of another site's page can send text/plain without a CORS preflight, but not this type.
    let kind = text(CONTENT_TYPE).and_then(|kind| kind.split(';').next());
    if !kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        return Err(ApiError::MediaType);
    }
    // A compressed body is not read.
    let is_plain = |coding: &str| coding.trim().eq_ignore_ascii_case("identity");
    if req.headers().contains_key(CONTENT_ENCODING) && !text(CONTENT_ENCODING).is_some_and(is_plain) {
        return Err(ApiError::MediaType);
    }
    let length = text(CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    if length.is_some_and(|length| length > JSON_BYTES_MAX) {
        return Err(too_large());
    }
    Ok(())
}

async fn read(mut payload: Payload) -> Result<BytesMut, ApiError> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| ApiError::Json)?;
        if body.len() + chunk.len() > JSON_BYTES_MAX {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn too_large() -> ApiError {
    ApiError::TooLarge { limit_bytes: JSON_BYTES_MAX }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::ResponseError;
    use actix_web::error::PayloadError;
    use actix_web::test::TestRequest;
    use bytes::Bytes;
    use futures_util::{Stream, stream};

    type BoxedPayloadStream = Pin<Box<dyn Stream<Item = Result<Bytes, PayloadError>>>>;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Sum {
        a: u64,
    }

    async fn read_body(kind: Option<&str>, body: Vec<u8>) -> Result<Sum, u16> {
        let mut req = TestRequest::post().set_payload(body);
        if let Some(kind) = kind {
            req = req.insert_header((CONTENT_TYPE, kind));
        }
        let (req, mut payload) = req.to_http_parts();
        let read = JsonBody::<Sum>::from_request(&req, &mut payload).await;
        read.map(|JsonBody(value)| value).map_err(|error| error.status_code().as_u16())
    }

    #[actix_web::test]
    async fn body_must_be_valid_json_within_the_size_limit() {
        let json = Some("application/json; charset=utf-8");
        let padded = |len: usize| {
            let mut body = br#"{"a":1}"#.to_vec();
            body.resize(len, b' ');
            body
        };
        for (kind, body, expected) in [
            (json, br#" {"a":1}"#.to_vec(), Ok(Sum { a: 1 })),
            (json, b"[1]".to_vec(), Err(400)),
            (Some("Application/JSON"), br#"{"a":2,"b":3}"#.to_vec(), Ok(Sum { a: 2 })),
            (json, padded(JSON_BYTES_MAX), Ok(Sum { a: 1 })),
            (json, padded(JSON_BYTES_MAX + 1), Err(413)),
            (json, br#"{"a":"#.to_vec(), Err(400)),
            (json, br#"{"a":1} {"a":1}"#.to_vec(), Err(400)),
            (json, b"{}".to_vec(), Err(400)),
            (json, b"".to_vec(), Err(400)),
            (json, vec![0xff, 0xfe], Err(400)),
            (Some("text/plain"), br#"{"a":1}"#.to_vec(), Err(415)),
            (None, br#"{"a":1}"#.to_vec(), Err(415)),
        ] {
            let start: Vec<u8> = body.iter().take(8).copied().collect();
            assert_eq!(read_body(kind, body).await, expected, "{kind:?} {start:?}");
        }
    }

    #[actix_web::test]
    async fn a_compressed_body_and_two_content_types_are_rejected() {
        let json = (CONTENT_TYPE, "application/json");
        for (headers, expected) in [
            (&[json.clone(), (CONTENT_ENCODING, "identity")][..], Ok(Sum { a: 1 })),
            (&[json.clone(), (CONTENT_ENCODING, "gzip")], Err(415)),
            (&[json.clone(), (CONTENT_ENCODING, "identity"), (CONTENT_ENCODING, "gzip")], Err(415)),
            (&[json.clone(), (CONTENT_TYPE, "text/plain")], Err(415)),
        ] {
            let mut request = TestRequest::post().set_payload(r#"{"a":1}"#);
            for header in headers {
                request = request.append_header(header.clone());
            }
            let (req, mut payload) = request.to_http_parts();
            let read = JsonBody::<Sum>::from_request(&req, &mut payload).await;
            let status = |error: ApiError| error.status_code().as_u16();
            assert_eq!(read.map(|JsonBody(value)| value).map_err(status), expected, "{headers:?}");
        }
    }

    #[actix_web::test]
    async fn stalled_body_times_out() {
        tokio::time::pause();
        let begun = tokio::time::Instant::now();
        let request = TestRequest::post().insert_header((CONTENT_TYPE, "application/json"));
        let begins = stream::iter([Ok(Bytes::from_static(br#"{"a":"#))]);
        let stuck: BoxedPayloadStream = Box::pin(begins.chain(stream::pending()));
        let read = JsonBody::<Sum>::from_request(&request.to_http_request(), &mut Payload::from(stuck)).await;
        assert_eq!(read.map(|_| ()).map_err(|error| error.status_code().as_u16()), Err(408));
        // The timer has a resolution of 1 ms.
        assert!(begun.elapsed() <= Duration::from_millis(REQUEST_MS_MAX + 1));
    }
}
