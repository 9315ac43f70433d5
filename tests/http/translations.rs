//! GET live/translations.

use crate::kit::TestServer;

const TRANSLATIONS: &str = "/api/v1/live/translations";

#[actix_web::test]
async fn each_language_has_its_texts_in_one_flat_object() {
    let server = TestServer::start();
    for (lang, locale, word) in [
        ("hr", "hr-HR", "Na ovoj adresi nema ničega."),
        ("en", "en-US", "There is nothing at this address."),
        ("bs", "bs-Latn-BA", "Na ovoj adresi nema ničega."),
        ("sr", "sr-Cyrl-RS", "На овој адреси нема ничега."),
    ] {
        let answer = server.get(&format!("{TRANSLATIONS}?lang={lang}"), &[]).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), "application/json; charset=utf-8");
        assert_eq!(answer.header("content-language"), locale);
        assert_eq!(answer.header("vary"), "Accept-Encoding");
        let words = answer.json();
        assert_eq!(words["errorNotFound"], word);
        assert!(words.as_object().unwrap().values().all(serde_json::Value::is_string), "{lang} is not flat");
    }
}

#[actix_web::test]
async fn unknown_language_falls_back_to_croatian() {
    let server = TestServer::start();
    let answer = server.get("/api/v1/live/translations?lang=klingon", &[]).await;
    assert_eq!(answer.header("content-language"), "hr-HR");
    assert_eq!(answer.header("vary"), "Accept-Encoding, Cookie");
}

#[actix_web::test]
async fn unchanged_texts_return_304() {
    let server = TestServer::start();
    let first = server.get("/api/v1/live/translations?lang=en", &[("accept-encoding", "br")]).await;
    assert_eq!(first.header("content-encoding"), "br");
    let tag = first.header("etag");
    let ask = |lang: &str| format!("{TRANSLATIONS}?lang={lang}");
    let same = server.get(&ask("en"), &[("accept-encoding", "br"), ("if-none-match", tag)]).await;
    assert_eq!((same.status.as_u16(), same.body.len()), (304, 0));
    let other = server.get(&ask("sr"), &[("accept-encoding", "br"), ("if-none-match", tag)]).await;
    assert_eq!(other.status, 200);
}
