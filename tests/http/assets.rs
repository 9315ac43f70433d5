//! The files of the client, or of the page that replaces it when no client is built in.

use crate::kit::TestServer;
use actix_web::http::Method;

#[actix_web::test]
async fn page_is_revalidated_and_not_sent_again_if_unchanged() {
    let server = TestServer::start();
    let page = server.get("/", &[]).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(page.header("cache-control"), "no-cache");
    assert!(page.text().starts_with("<!doctype html>"), "{}", page.text());
    let again = server.get("/", &[("if-none-match", page.header("etag"))]).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    let head = server.send(Method::HEAD, "/", &[]).await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    assert_eq!(head.header("etag"), page.header("etag"));
    assert_eq!(server.get("/index.html", &[]).await.body, page.body);
}

#[actix_web::test]
async fn unknown_path_returns_the_page_to_browsers_and_an_error_to_programs() {
    let server = TestServer::start();
    let browser = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    let page = server.get("/mistyped", &[browser]).await;
    assert_eq!(page.status, 404);
    assert_eq!(page.body, server.get("/", &[]).await.body);
    for path in ["/mistyped", "/assets/nothing.js", "/assets/../index.html", "/assets/%2e%2e/index.html"] {
        let answer = server.get(path, &[("accept", "application/json")]).await;
        assert_eq!(answer.error().0, 404, "{path}");
    }
    assert_eq!(server.get("/api/v1/mistyped", &[browser]).await.error().0, 404);
}
