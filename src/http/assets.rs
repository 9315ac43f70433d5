//! Serves the web client, which Vite builds into `web/dist` and which is embedded, so that the program ships as one
//! file. Compressed siblings (`.br`, `.gz`) are made at build time; nothing is compressed per request.
//!
//! Names under `assets/` contain a hash of their content and are cached forever; all other files are revalidated each
//! time.

use super::error::ApiError;
use super::negotiation;
use super::reply::{self, Head};
use actix_web::http::header::{ACCEPT, ACCEPT_ENCODING};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use kvota_read_model::Coding;
use std::borrow::Cow;

#[derive(rust_embed::Embed)]
#[folder = "web/dist"]
struct Client;

/// A file and the hash of its content.
struct File {
    bytes: Bytes,
    hash: [u8; 32],
}

/// Looks up a file; tests use their own.
type Lookup = fn(&str) -> Option<File>;

fn embedded(path: &str) -> Option<File> {
    let file = Client::get(path)?;
    let bytes = match file.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    };
    Some(File { bytes, hash: file.metadata.sha256_hash() })
}

/// Answers every address that is not in the route table: a file of the client, or 404. Under `/api` always 404.
pub(crate) async fn get(req: HttpRequest) -> Result<HttpResponse, ApiError> {
    answer(&req, embedded)
}

/// A file of the client, by its name.
///
/// # Errors
/// [`ApiError::NotFound`] if there is no such file.
pub(crate) fn file(req: &HttpRequest, name: &str) -> Result<HttpResponse, ApiError> {
    send(req, embedded, name, StatusCode::OK).ok_or(ApiError::NotFound)
}

fn answer(req: &HttpRequest, lookup: Lookup) -> Result<HttpResponse, ApiError> {
    let path = req.path();
    if path == "/api" || path.starts_with("/api/") {
        return Err(ApiError::NotFound);
    }
    let name = match path.strip_prefix('/').unwrap_or(path) {
        "" => "index.html",
        other => other,
    };
    let is_sibling = name.ends_with(".br") || name.ends_with(".gz");
    let exists = !is_sibling && lookup(name).is_some();
    let is_read = matches!(*req.method(), Method::GET | Method::HEAD);
    if exists && !is_read {
        let allow = "GET, HEAD".to_owned();
        return Err(ApiError::Method { allow });
    }
    if exists {
        return send(req, lookup, name, StatusCode::OK).ok_or(ApiError::NotFound);
    }
    // A person who mistyped an address gets the client's page instead of JSON, but still with status 404.
    let accept = reply::header_list(req.headers(), ACCEPT);
    let wants_page = is_read && negotiation::wants_page(accept.as_deref());
    let page = wants_page.then(|| send(req, lookup, "index.html", StatusCode::NOT_FOUND));
    page.flatten().ok_or(ApiError::NotFound)
}

fn send(req: &HttpRequest, lookup: Lookup, name: &str, status: StatusCode) -> Option<HttpResponse> {
    let accepted = reply::header_list(req.headers(), ACCEPT_ENCODING);
    let wanted = negotiation::coding(accepted.as_deref());
    let packed = match wanted {
        Coding::Brotli => lookup(&format!("{name}.br")),
        Coding::Gzip => lookup(&format!("{name}.gz")),
        Coding::Identity => None,
    };
    let (file, coding) = match packed {
        Some(file) => (file, wanted),
        None => (lookup(name)?, Coding::Identity),
    };
    // The hash covers the bytes as sent, so each coding has its own tag.
    let hash = kvota_domain::hex::hex(&file.hash[..12]);
    let etag = format!("\"{hash}\"");
    let head = Head {
        etag: &etag,
        content_type: content_type(name),
        coding,
        cache: if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" },
        vary: "Accept-Encoding",
        spoken: None,
    };
    if status == StatusCode::OK && reply::has_already(req, &etag) {
        return Some(reply::not_modified(head));
    }
    Some(reply::whole(status, head, file.bytes))
}

fn content_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::body::to_bytes;
    use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
    use actix_web::test::TestRequest;

    fn fake(path: &str) -> Option<File> {
        let bytes = match path {
            "index.html" => "page",
            "index.html.br" => "page as brotli",
            "assets/main-1a2b3c.js" => "script",
            "assets/main-1a2b3c.js.br" => "script as brotli",
            "assets/main-1a2b3c.js.gz" => "script as gzip",
            "favicon.svg" => "picture",
            _ => return None,
        };
        let mut hash = [0; 32];
        hash.iter_mut().zip(bytes.bytes()).for_each(|(h, b)| *h = b);
        Some(File { bytes: Bytes::from_static(bytes.as_bytes()), hash })
    }

    async fn body(path: &str, encoding: &str) -> (HttpResponse, String) {
        let req = TestRequest::with_uri(path).insert_header((ACCEPT_ENCODING, encoding));
        let answer = answer(&req.to_http_request(), fake).unwrap();
        let (answer, body) = answer.into_parts();
        let bytes = to_bytes(body).await.unwrap();
        (answer.set_body(actix_web::body::BoxBody::new(())), String::from_utf8(bytes.to_vec()).unwrap())
    }

    #[actix_web::test]
    async fn file_is_sent_in_the_preferred_coding() {
        for (path, encoding, expected, coding) in [
            ("/", "", "page", None),
            ("/", "br", "page as brotli", Some("br")),
            ("/index.html", "gzip", "page", None),
            ("/assets/main-1a2b3c.js", "gzip, br", "script as brotli", Some("br")),
            ("/assets/main-1a2b3c.js", "gzip, br;q=0.1", "script as gzip", Some("gzip")),
            ("/favicon.svg", "gzip, br", "picture", None),
        ] {
            let (answer, body) = body(path, encoding).await;
            let sent = answer.headers().get(CONTENT_ENCODING);
            assert_eq!(body, expected, "{path} {encoding}");
            assert_eq!(sent.map(|v| v.to_str().unwrap()), coding, "{path}");
            assert_eq!(answer.headers().get(VARY).unwrap(), "Accept-Encoding");
        }
    }

    #[actix_web::test]
    async fn hashed_assets_are_immutable_and_the_page_is_revalidated() {
        let (script, _) = body("/assets/main-1a2b3c.js", "").await;
        let cache = script.headers().get(CACHE_CONTROL).unwrap();
        assert_eq!(cache, "public, max-age=31536000, immutable");
        let kind = script.headers().get(CONTENT_TYPE).unwrap();
        assert_eq!(kind, "text/javascript; charset=utf-8");
        let (page, _) = body("/", "").await;
        assert_eq!(page.headers().get(CACHE_CONTROL).unwrap(), "no-cache");
    }

    #[actix_web::test]
    async fn matching_etag_gives_304() {
        let (first, _) = body("/", "br").await;
        let etag = first.headers().get(ETAG).unwrap().clone();
        let ask = |encoding: &'static str| {
            let req = TestRequest::with_uri("/")
                .insert_header((ACCEPT_ENCODING, encoding))
                .insert_header((IF_NONE_MATCH, etag.clone()));
            answer(&req.to_http_request(), fake).unwrap().status()
        };
        assert_eq!(ask("br"), StatusCode::NOT_MODIFIED);
        assert_eq!(ask("gzip"), StatusCode::OK, "another coding, another tag");
    }

    #[test]
    fn unknown_path_is_404_as_page_for_browsers_and_json_for_programs() {
        let ask = |method: Method, path: &str, accept: &'static str| {
            let req = TestRequest::with_uri(path).method(method).insert_header((ACCEPT, accept));
            match answer(&req.to_http_request(), fake) {
                Ok(answer) => Ok(answer.status().as_u16()),
                Err(error) => Err(actix_web::ResponseError::status_code(&error).as_u16()),
            }
        };
        let browser = "text/html,*/*;q=0.8";
        for (method, path, accept, expected) in [
            (Method::GET, "/nothing", browser, Ok(404)),
            (Method::GET, "/nothing", "*/*", Err(404)),
            (Method::GET, "/nothing", "application/json", Err(404)),
            (Method::POST, "/nothing", browser, Err(404)),
            (Method::POST, "/", browser, Err(405)),
            (Method::GET, "/api/v1/nothing", browser, Err(404)),
            (Method::GET, "/api", browser, Err(404)),
            (Method::GET, "//", "*/*", Err(404)),
            (Method::GET, "//index.html", "*/*", Err(404)),
            (Method::GET, "/index.html.br", "*/*", Err(404)),
            (Method::GET, "/../Cargo.toml", "*/*", Err(404)),
            (Method::GET, "/assets/../index.html", "*/*", Err(404)),
        ] {
            assert_eq!(ask(method, path, accept), expected, "{path} {accept}");
        }
    }
}
