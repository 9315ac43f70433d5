//! GET /metrics: the metrics in the text format of Prometheus. docs/operations.md lists them.

use super::AppState;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpResponse, web};

/// 200.
pub(crate) async fn get(state: web::Data<AppState>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body((state.render_metrics)())
}
