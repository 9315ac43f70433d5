//! GET live/offer: the whole offer (CONTRACT 2), encoded by the read model. The tag is known before the body, so
//! nothing is encoded for a client that already has this version.

use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::language;
use crate::http::negotiation;
use crate::http::query::parameter;
use crate::http::reply::{self, Head};
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, VARY};
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_read_model::{Base, OfferQuery};
use kvota_wire::Encoding;
use kvota_wire::matches::View;

/// 200; 204 if there is no offer; 304 if the client has this version.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let spoken = language::of(&req);
    let accepted = reply::header_list(req.headers(), ACCEPT);
    let codings = reply::header_list(req.headers(), ACCEPT_ENCODING);
    let query = OfferQuery {
        lang: spoken.lang,
        encoding: negotiation::encoding(accepted.as_deref()),
        view: view(req.query_string())?,
        coding: negotiation::coding(codings.as_deref()),
        base: base(&state, req.query_string()),
    };
    let head = |etag| Head {
        etag,
        content_type: content_type(query.encoding),
        coding: query.coding,
        cache: "no-cache",
        vary: "Accept, Accept-Encoding",
        spoken: Some(spoken),
    };
    if let Some(etag) = state.read_model.offer_etag(query)
        && reply::has_already(&req, &etag)
    {
        return Ok(reply::not_modified(head(&etag)));
    }
    let made = state.read_model.offer(query, state.now_ms).await;
    let Some(body) = made.map_err(|failed| ApiError::Internal(failed.into()))? else {
        return Ok(no_offer());
    };
    // While the offer was being encoded, it may have become the version that the client has.
    if reply::has_already(&req, &body.etag) {
        return Ok(reply::not_modified(head(&body.etag)));
    }
    Ok(reply::whole(StatusCode::OK, head(&body.etag), body.bytes))
}

fn no_offer() -> HttpResponse {
    HttpResponse::NoContent()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((VARY, "Accept, Accept-Encoding, Cookie"))
        .finish()
}

/// The media type of an encoding.
pub(crate) const fn content_type(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Json => "application/json; charset=utf-8",
        Encoding::Msgpack => "application/msgpack",
    }
}

/// The base of a body for a client that names the run of its connection. While other nodes are alive, revisions are sent
/// only to a client with a connection to this node; they would mean something else on another node.
pub(super) fn base(state: &AppState, query: &str) -> Base {
    // A node that was just started may not know of the others yet, so a run that it does not know is enough.
    let is_own = match parameter(query, "run") {
        Some(run) => run == state.read_model.run(),
        None => !state.stores.shared_limits.has_other_nodes(),
    };
    if is_own { Base::Own } else { Base::Foreign }
}

fn view(query: &str) -> Result<View, ApiError> {
    match parameter(query, "view").as_deref() {
        None => Ok(View::Full),
        Some("rows") => Ok(View::Rows),
        Some(_) => Err(ApiError::Parameter { name: "view", allowed: "rows" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn view_parameter_is_absent_or_rows() {
        for (query, expected) in [
            ("", Some(View::Full)),
            ("lang=hr", Some(View::Full)),
            ("view=rows", Some(View::Rows)),
            ("lang=hr&view=rows", Some(View::Rows)),
            ("view=", None),
            ("view=full", None),
            ("view=ROWS", None),
            ("view=%72ows", Some(View::Rows)),
            ("review=rows", Some(View::Full)),
        ] {
            assert_eq!(view(query).ok(), expected, "{query}");
        }
    }
}
