//! GET /api/openapi.json: the calls as OpenAPI 3.1, written by hand in `docs/openapi.json`; a test compares it with the
//! route table. GET /api/docs: our own page that displays it.

use super::document::Document;
use super::error::ApiError;
use actix_web::{HttpRequest, HttpResponse, web};

static DOCUMENT: Document = Document::new(include_str!("../../docs/openapi.json"), "application/json; charset=utf-8");
static PAGE: Document = Document::new(include_str!("openapi/page.html"), "text/html; charset=utf-8");
static SCRIPT: Document = Document::new(include_str!("openapi/page.js"), "text/javascript; charset=utf-8");
static STYLE: Document = Document::new(include_str!("openapi/page.css"), "text/css; charset=utf-8");

/// The document.
pub(crate) async fn document(req: HttpRequest) -> HttpResponse {
    DOCUMENT.answer(&req, None)
}

/// The page.
pub(crate) async fn page(req: HttpRequest) -> HttpResponse {
    PAGE.answer(&req, None)
}

/// The page's script and style. They are separate files, because our content security policy forbids inline ones.
pub(crate) async fn page_part(req: HttpRequest, file: web::Path<String>) -> Result<HttpResponse, ApiError> {
    match file.as_str() {
        "page.js" => Ok(SCRIPT.answer(&req, None)),
        "page.css" => Ok(STYLE.answer(&req, None)),
        _ => Err(ApiError::NotFound),
    }
}

#[cfg(test)]
mod tests {
    use crate::http::{CALLS, Call, CallMethod};
    use serde_json::Value;
    use std::collections::BTreeSet;

    fn document() -> Value {
        serde_json::from_str(include_str!("../../docs/openapi.json")).unwrap()
    }

    #[test]
    fn document_describes_exactly_the_route_table() {
        let document = document();
        let paths = document["paths"].as_object().unwrap();
        let described: BTreeSet<&str> = paths.keys().map(String::as_str).collect();
        // Static files and links to the client are not calls of the API.
        let is_link = |path: &str| ["/match/", "/sport/", "/ticket/"].iter().any(|link| path.starts_with(link));
        let is_call = |call: &&Call| !call.path.contains("{file") && call.path != "/" && !is_link(call.path);
        let served: BTreeSet<&str> = CALLS.iter().filter(is_call).map(|call| call.path).collect();
        let mut served = served;
        served.insert("/api/v1/live/hub");
        assert_eq!(described, served);
        for call in CALLS.iter().filter(is_call) {
            let method = match call.verb {
                CallMethod::Get => "get",
                CallMethod::Post => "post",
                CallMethod::Put => "put",
                CallMethod::Delete => "delete",
            };
            let operation = &paths[call.path][method];
            assert!(operation["summary"].is_string(), "{} {method}", call.path);
            assert!(operation["responses"].is_object(), "{}", call.path);
        }
    }

    #[test]
    fn every_call_with_a_body_has_an_example_of_it() {
        let document = document();
        let lacks_example = |content: &Value| {
            content.as_object().is_some_and(|types| types.values().all(|body| body["example"].is_null()))
        };
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                assert!(!lacks_example(&operation["requestBody"]["content"]), "the request of {method} {path}");
                let answers = operation["responses"].as_object().unwrap();
                let (_, success) = answers.iter().find(|(status, _)| status.as_str() < "300").unwrap();
                assert!(!lacks_example(&success["content"]), "the answer of {method} {path}");
            }
        }
    }

    /// Classes by property are unknown to the regular expressions of Python and Go's clients, among others.
    #[test]
    fn no_pattern_names_a_unicode_property() {
        assert!(!include_str!("../../docs/openapi.json").contains(r"\\p{"));
    }

    #[test]
    fn every_reference_resolves() {
        fn check(root: &Value, value: &Value) {
            match value {
                Value::Object(members) => {
                    if let Some(target) = members.get("$ref").and_then(Value::as_str) {
                        let pointer = target.trim_start_matches('#');
                        assert!(root.pointer(pointer).is_some(), "{target}");
                    }
                    members.values().for_each(|member| check(root, member));
                }
                Value::Array(elements) => elements.iter().for_each(|element| check(root, element)),
                _ => {}
            }
        }
        let document = document();
        check(&document, &document);
    }
}
