//! The security headers of every answer: pages may do only what they need, and data must not act as a page. The content
//! security policy has no `unsafe-inline`, so our pages must not contain inline scripts or styles.

use super::AppState;
use super::origin::Origin;
use super::proxies::Scheme;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, web};

const PAGE_HEADERS: [(HeaderName, &str); 6] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "same-origin"),
    (X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// For data: if a browser opens it as a page, it can do nothing and cannot be framed.
const DATA_HEADERS: [(HeaderName, &str); 4] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
];

/// The middleware. Keeps headers that a call has set itself: only the scoreboard's page may be framed.
pub(crate) async fn headers<B: MessageBody>(
    req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let state = req.app_data::<web::Data<AppState>>();
    let scheme = state.map_or(Scheme::Http, |state| state.seen(req.request()).scheme);
    if is_data(req.path()) {
        let mut answered = next.call(req).await?;
        let headers = answered.headers_mut();
        for (name, value) in DATA_HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        add_hsts(headers, scheme);
        return Ok(answered);
    }
    let host = req.headers().get(HOST).and_then(|host| host.to_str().ok());
    let pictures = state.and_then(|state| origin_of(state.stream_url.as_deref()?));
    let scoreboards = state.and_then(|state| origin_of(state.scoreboard_url.as_deref()?));
    let policy = policy(scheme, host, &ExternalOrigins { pictures, scoreboards });
    let mut answered = next.call(req).await?;
    let headers = answered.headers_mut();
    for (name, value) in PAGE_HEADERS {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    if let (false, Ok(policy)) = (headers.contains_key(CONTENT_SECURITY_POLICY), HeaderValue::try_from(policy)) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    add_hsts(headers, scheme);
    Ok(answered)
}

/// All answers of the API except the page that documents it.
fn is_data(path: &str) -> bool {
    path.starts_with("/api/") && !path.starts_with("/api/docs")
}

fn add_hsts(headers: &mut HeaderMap, scheme: Scheme) {
    if scheme == Scheme::Https {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(STRICT_TRANSPORT_SECURITY, year);
    }
}

/// Other origins whose content our pages may show.
#[derive(Debug, Default)]
struct ExternalOrigins {
    pictures: Option<Origin>,
    scoreboards: Option<Origin>,
}

/// Older browsers do not accept a socket of the same host as `'self'`, so it is named. The host comes from the request,
/// so an invalid one is left out. Video comes from the configured address; its player builds it from pieces (`blob:`),
/// and so does the demo video's.
fn policy(scheme: Scheme, host: Option<&str>, guests: &ExternalOrigins) -> String {
    let socket = socket(scheme, host);
    let named = |origin: &Option<Origin>| origin.as_ref().map_or_else(String::new, |it| format!(" {}", it.as_str()));
    let pictures = named(&guests.pictures);
    let scoreboards = named(&guests.scoreboards);
    format!(
        "default-src 'self'; connect-src 'self'{socket}{pictures}; img-src 'self' data:; \
         media-src 'self' blob:{pictures}; frame-src 'self'{scoreboards}; object-src 'none'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

/// The policy of the one page that our own pages may frame.
pub(crate) fn policy_of_framed(state: &AppState, req: &HttpRequest) -> String {
    let host = req.headers().get(HOST).and_then(|host| host.to_str().ok());
    let socket = socket(state.seen(req).scheme, host);
    format!(
        "default-src 'self'; connect-src 'self'{socket}; object-src 'none'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'self'"
    )
}

fn socket(scheme: Scheme, host: Option<&str>) -> String {
    let own = host.and_then(|host| Origin::of(scheme, host));
    own.map_or_else(String::new, |own| format!(" {}", own.as_str().replacen("http", "ws", 1)))
}

/// The origin of an address template, which is not yet a valid address.
fn origin_of(template: &str) -> Option<Origin> {
    let (scheme, rest) = template.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    Origin::parse(&format!("{scheme}://{host}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policy_allows_only_the_own_hub_socket() {
        for (scheme, host, socket) in [
            (Scheme::Http, Some("127.0.0.1:8080"), " ws://127.0.0.1:8080"),
            (Scheme::Https, Some("bets.example"), " wss://bets.example"),
            (Scheme::Https, Some("a; script-src *"), ""),
            (Scheme::Http, None, ""),
        ] {
            let policy = policy(scheme, host, &ExternalOrigins::default());
            assert!(policy.contains(&format!("connect-src 'self'{socket}; img-src")), "{policy}");
            assert!(policy.contains("media-src 'self' blob:; frame-src 'self'; object-src"), "{policy}");
            assert!(!policy.contains("unsafe"), "{policy}");
        }
    }

    #[test]
    fn policy_allows_the_configured_video_origin() {
        let template = "https://streams.example:8443/{performEventId}/index.m3u8?a=b";
        let scoreboards = origin_of("https://tracker.example/{matchId}");
        let guests = ExternalOrigins { pictures: origin_of(template), scoreboards };
        let policy = policy(Scheme::Https, Some("bets.example"), &guests);
        assert!(policy.contains("frame-src 'self' https://tracker.example;"), "{policy}");
        assert!(policy.contains("connect-src 'self' wss://bets.example https://streams.example:8443;"), "{policy}");
        assert!(policy.contains("media-src 'self' blob: https://streams.example:8443;"), "{policy}");
        assert_eq!(
            origin_of("https://{performEventId}.example/a"),
            None,
            "an origin of its own for each match is none"
        );
    }
}
