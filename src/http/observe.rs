//! What is known of every request afterwards: a log line, a count, a duration. Wraps every call, outermost, so that it
//! sees what the client gets. Routes are named by their pattern and methods by a fixed set, so that no client can make
//! metrics without end.

use super::AppState;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::web;
use tokio::time::Instant;
use tracing::{debug, info};

/// The middleware.
pub(crate) async fn observe<B: MessageBody>(
    req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let started = Instant::now();
    let answered = next.call(req).await?;
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
    // Probes and files say nothing by their coming; what went wrong does.
    let is_noise = status < 400 && !route.starts_with("/api/");
    if is_noise {
        debug!(method, path, status, took_ms = ms, "{method} {path} {status}");
    } else {
        let state = request.app_data::<web::Data<AppState>>();
        let client = state.and_then(|state| state.seen(request).client);
        let client = client.map(tracing::field::display);
        info!(method, path, status, took_ms = ms, client, "{method} {path} {status}");
    }
    Ok(answered)
}

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
