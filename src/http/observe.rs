//! Logs and measures every request, and gives it an id that the answer also carries. It is the outermost middleware, so
//! it sees the answer that the client receives.
//!
//! Must never log a client's whole address, only its network. Must never use text of the client as a metric label:
//! routes are labelled by pattern and methods by a fixed set, so that clients cannot create metrics without limit.

use super::AppState;
use super::proxies::shortened;
use super::request_id::{self, RequestId};
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::HeaderValue;
use actix_web::middleware::Next;
use actix_web::{HttpMessage, HttpRequest, web};
use std::sync::Once;
use tokio::time::Instant;
use tracing::{debug, info, warn};

/// The middleware. Gives the request an id, runs it, then counts, times and logs it.
pub(crate) async fn observe<B: MessageBody>(
    req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let started = Instant::now();
    let id = RequestId::new();
    req.extensions_mut().insert(id.clone());
    warn_of_an_unlisted_proxy(req.request());
    let mut answered = next.call(req).await?;
    if let Ok(value) = HeaderValue::from_str(id.as_str()) {
        answered.headers_mut().insert(request_id::HEADER, value);
    }
    let took = started.elapsed();
    let request = answered.request();
    let status = answered.status();
    let method = method_name(request.method());
    let pattern = request.match_pattern();
    let route = pattern.unwrap_or_else(|| "other".to_owned());

    let labels = [("method", method.to_owned()), ("route", route.clone()), ("status", status.as_str().to_owned())];
    metrics::counter!("kvota_http_requests_total", &labels).increment(1);
    metrics::histogram!("kvota_http_request_seconds", "route" => route.clone()).record(took);

    let path = request.path();
    let status = status.as_u16();
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    // Successful health checks and file requests are logged at debug level only; failures always at info level.
    let is_noise = status < 400 && !route.starts_with("/api/");
    if is_noise {
        debug!(request.id = id.as_str(), method, path, status, took_ms = ms, "{method} {path} {status}");
    } else {
        let state = request.app_data::<web::Data<AppState>>();
        let client = state.and_then(|state| state.seen(request).client);
        let client = client.map(|address| tracing::field::display(shortened(address)));
        info!(request.id = id.as_str(), method, path, status, took_ms = ms, client, "{method} {path} {status}");
    }
    Ok(answered)
}

/// Warns of a proxy that is not configured. Once per process, because only a change of the configuration helps.
fn warn_of_an_unlisted_proxy(req: &HttpRequest) {
    static WARNED: Once = Once::new();
    let Some(state) = req.app_data::<web::Data<AppState>>() else { return };
    if !WARNED.is_completed() && state.seen(req).is_unlisted_proxy {
        let peer = req.peer_addr().map(|peer| tracing::field::display(peer.ip()));
        WARNED.call_once(|| {
            warn!(
                peer,
                "a peer that is not listed in http.trusted_proxies sends X-Forwarded-For: if it is a proxy, list it; until \
                 then all of its clients share the limits of one address"
            );
        });
    }
}

/// The method as a metric label: one of a fixed set.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::PATCH => "PATCH",
        _ => "other",
    }
}
