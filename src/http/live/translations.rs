//! GET live/translations: all texts of the client in one language, as a flat JSON object (CONTRACT 2).

use crate::http::document::Document;
use crate::http::{language, texts};
use actix_web::{HttpRequest, HttpResponse};
use kvota_domain::lang::{Lang, PerLang};
use std::sync::LazyLock;

static FILES: LazyLock<PerLang<Document>> = LazyLock::new(|| {
    let document = |lang: Lang| Document::new(texts::file(lang), "application/json; charset=utf-8");
    PerLang::new(document)
});

/// 200 or 304.
pub(crate) async fn get(req: HttpRequest) -> HttpResponse {
    let spoken = language::of(&req);
    FILES[spoken.lang].answer(&req, Some(spoken))
}
