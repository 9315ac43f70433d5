//! GET live/offer.

use crate::kit::{Answer, NOW, TestServer, match_17};
use actix_web::http::Method;
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use std::io::Read;

const OFFER: &str = "/api/v1/live/offer";
const MSGPACK: (&str, &str) = ("accept", "application/msgpack");

fn unpacked(answer: &Answer) -> Vec<u8> {
    let mut plain = Vec::new();
    match answer.header("content-encoding") {
        "" => plain.clone_from(&answer.body),
        "gzip" => {
            flate2::read::GzDecoder::new(answer.body.as_slice()).read_to_end(&mut plain).expect("it is gzip");
        }
        "br" => {
            brotli::BrotliDecompress(&mut answer.body.as_slice(), &mut plain).expect("it is brotli");
        }
        other => panic!("nobody accepted {other}"),
    }
    plain
}

#[actix_web::test]
async fn missing_offer_returns_204() {
    let server = TestServer::start();
    for path in [OFFER, "/api/v1/live/offer?view=rows&lang=en"] {
        let answer = server.get(path, &[]).await;
        assert_eq!((answer.status.as_u16(), answer.body.len()), (204, 0));
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}

#[actix_web::test]
async fn offer_uses_the_field_names_of_the_contract() {
    let server = TestServer::with_offer();
    let answer = server.get(OFFER, &[]).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/json; charset=utf-8");
    let offer = answer.json();
    assert_eq!(offer["numberOfMatches"], 1);
    assert_eq!(offer["date"], NOW);
    assert!(offer["version"].is_u64());
    let sport = &offer["sports"][0];
    assert_eq!((&sport["id"], &sport["name"]), (&1.into(), &"Nogomet".into()));
    assert_eq!(sport["preferred"][1]["markets"][0]["marketId"], 18);
    let live_match = &sport["matches"][0];
    assert_eq!(live_match["id"], 17);
    assert_eq!(live_match["score"], serde_json::json!([1, 0]));
    assert_eq!(live_match["time"], 660, "the clock went on since the feed's date");
    assert_eq!(live_match["markets"].as_array().unwrap().len(), 4);
    assert_eq!(live_match["markets"][0]["odds"][1]["value"], 3.2);
}

#[actix_web::test]
async fn rows_view_omits_markets_outside_the_columns_but_counts_their_odds() {
    let server = TestServer::with_offer();
    let offer = server.get("/api/v1/live/offer?view=rows", &[]).await.json();
    let live_match = &offer["sports"][0]["matches"][0];
    let ids: Vec<_> = live_match["markets"].as_array().unwrap().iter().map(|market| market["id"].as_u64()).collect();
    assert_eq!(ids, [Some(10), Some(11)]);
    assert_eq!(live_match["numberOfOdds"], 9);
}

#[actix_web::test]
async fn unknown_view_is_rejected_with_a_message() {
    let server = TestServer::with_offer();
    for (path, text) in [
        ("/api/v1/live/offer?view=all&lang=en", "\"view\" must be one of: rows."),
        ("/api/v1/live/offer?view=", "\"view\" mora biti jedno od: rows."),
    ] {
        assert_eq!(server.get(path, &[]).await.error(), (400, text.to_owned()));
    }
}

#[actix_web::test]
async fn msgpack_offer_has_the_arrays_of_the_feed_and_the_version() {
    let server = TestServer::with_offer();
    let answer = server.get(OFFER, &[MSGPACK]).await;
    assert_eq!(answer.header("content-type"), "application/msgpack");
    type Offer = (Vec<serde_json::Value>, u64, i64, u64);
    let (sports, number_of_matches, date, version): Offer = rmp_serde::from_slice(&answer.body).unwrap();
    assert_eq!((number_of_matches, date), (1, NOW));
    assert_eq!(sports[0][0], 1);
    assert_eq!(sports[0][3][0][0], 17);
    assert_eq!(server.get(OFFER, &[]).await.json()["version"], version);
}

#[actix_web::test]
async fn body_is_compressed_as_the_client_accepts() {
    let server = TestServer::with_offer();
    for spelling in [("accept", "application/json"), MSGPACK] {
        let plain = server.get(OFFER, &[spelling]).await;
        assert_eq!(plain.header("content-encoding"), "");
        assert_eq!(plain.header("vary"), "Accept, Accept-Encoding, Cookie");
        for (accepted, coding) in
            [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0.2, gzip;q=0.8", "gzip"), ("zstd", "")]
        {
            let packed = server.get(OFFER, &[spelling, ("accept-encoding", accepted)]).await;
            assert_eq!(packed.header("content-encoding"), coding, "{accepted}");
            assert_eq!(unpacked(&packed), plain.body, "{accepted}");
        }
    }
}

#[actix_web::test]
async fn matching_etag_returns_304_until_the_offer_changes() {
    let server = TestServer::with_offer();
    let first = server.get(OFFER, &[]).await;
    let etag = first.header("etag").to_owned();
    assert!(etag.starts_with('"') && etag.ends_with('"'), "{etag}");
    for tag in [etag.clone(), format!("W/{etag}"), format!("\"other\", {etag}"), "*".to_owned()] {
        let again = server.get(OFFER, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{tag}");
        assert_eq!(again.header("etag"), etag);
        assert_eq!(again.header("cache-control"), "no-cache");
        assert_eq!(again.header("vary"), first.header("vary"));
    }
    server.put(match_17().score(2, 0));
    let changed = server.get(OFFER, &[("if-none-match", &etag)]).await;
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), etag);
}

#[actix_web::test]
async fn each_representation_has_its_own_etag() {
    let server = TestServer::with_offer();
    let mut tags = std::collections::BTreeSet::new();
    for path in ["?lang=hr", "?lang=en", "?lang=hr&view=rows"] {
        for spelling in ["application/json", "application/msgpack"] {
            for coding in ["identity", "gzip", "br"] {
                let headers = [("accept", spelling), ("accept-encoding", coding)];
                let answer = server.get(&format!("{OFFER}{path}"), &headers).await;
                tags.insert(answer.header("etag").to_owned());
            }
        }
    }
    assert_eq!(tags.len(), 18);
}

#[actix_web::test]
async fn language_comes_from_the_url_then_the_cookie_then_defaults_to_croatian() {
    let server = TestServer::with_offer();
    for (query, cookie, locale, vary) in [
        ("", "", "hr-HR", "Accept, Accept-Encoding, Cookie"),
        ("?lang=en", "kvota-lang=sr", "en-US", "Accept, Accept-Encoding"),
        ("", "a=b; kvota-lang=sr", "sr-Cyrl-RS", "Accept, Accept-Encoding, Cookie"),
        ("?lang=xx", "kvota-lang=bs", "bs-Latn-BA", "Accept, Accept-Encoding, Cookie"),
        ("?lang=xx", "", "hr-HR", "Accept, Accept-Encoding, Cookie"),
    ] {
        let answer = server.get(&format!("{OFFER}{query}"), &[("cookie", cookie)]).await;
        assert_eq!(answer.header("content-language"), locale, "{query} {cookie}");
        assert_eq!(answer.header("vary"), vary, "{query} {cookie}");
    }
}

#[actix_web::test]
async fn failed_feed_of_another_language_affects_that_language_only() {
    let server = TestServer::with_offer();
    server.model.set_feed(Lang::En, FeedState::Inactive);
    assert_eq!(server.get("/api/v1/live/offer?lang=en", &[]).await.status, 204);
    assert_eq!(server.get("/api/v1/live/offer?lang=sr", &[]).await.status, 200);
    server.model.set_feed(Lang::Hr, FeedState::Recovering);
    assert_eq!(server.get("/api/v1/live/offer?lang=sr", &[]).await.status, 200, "it stays readable");
    server.model.set_feed(Lang::Hr, FeedState::Inactive);
    assert_eq!(server.get("/api/v1/live/offer?lang=sr", &[]).await.status, 204);
}

#[actix_web::test]
async fn head_returns_the_headers_of_get_without_a_body() {
    let server = TestServer::with_offer();
    let get = server.get(OFFER, &[]).await;
    let head = server.send(Method::HEAD, OFFER, &[]).await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    for name in ["etag", "content-type", "content-language", "vary", "cache-control"] {
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
}
