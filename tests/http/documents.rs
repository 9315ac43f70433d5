//! GET /api/openapi.json and the page that shows it.

use crate::kit::TestServer;

#[actix_web::test]
async fn the_document_is_openapi_and_kept_by_its_tag() {
    let server = TestServer::start();
    let document = server.get("/api/openapi.json", &[]).await;
    assert_eq!(document.header("content-type"), "application/json; charset=utf-8");
    assert_eq!(document.json()["openapi"], "3.1.0");
    assert!(document.json()["paths"]["/api/v1/live/offer"]["get"].is_object());
    let again = server.get("/api/openapi.json", &[("if-none-match", document.header("etag"))]).await;
    assert_eq!(again.status, 304);
}

#[actix_web::test]
async fn the_page_brings_its_script_and_style_as_files() {
    let server = TestServer::start();
    let page = server.get("/api/docs", &[]).await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let text = page.text();
    assert!(!text.contains("<style") && !text.contains("style=") && !text.contains("onclick"), "{text}");
    for (part, kind) in [("page.js", "text/javascript; charset=utf-8"), ("page.css", "text/css; charset=utf-8")] {
        let path = format!("/api/docs/{part}");
        assert!(text.contains(&format!("\"{path}\"")), "the page does not ask for {path}");
        let answer = server.get(&path, &[]).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, kind));
    }
    assert_eq!(server.get("/api/docs/page.html", &[]).await.error().0, 404);
}
