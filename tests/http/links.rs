//! GET of shared links.

use crate::kit::TestServer;

#[actix_web::test]
async fn shared_link_redirects_to_the_page_that_shows_it() {
    let server = TestServer::start();
    for (link, leads) in [
        ("/match/17", "/?match=17"),
        ("/match/9007199254740991", "/?match=9007199254740991"),
        ("/sport/5", "/?sport=5"),
        ("/sport/1,5,117", "/?sport=1,5,117"),
        ("/ticket/17.170.1701", "/?ticket=17.170.1701"),
        ("/ticket/17.170.1701-18.180.1801", "/?ticket=17.170.1701-18.180.1801"),
        ("/ticket/1-17.170.1701-18.180.1801.1", "/?ticket=1-17.170.1701-18.180.1801.1"),
    ] {
        let answer = server.get(link, &[]).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (302, leads), "{link}");
    }
}

#[actix_web::test]
async fn invalid_link_is_not_found() {
    let server = TestServer::start();
    let long = format!("/ticket/{}", "1".repeat(1594));
    let links = ["/match/", "/match/x", "/match/-1", "/match/17%26view=bets", "/match/17%0d%0aset-cookie:a=b"];
    for link in links.into_iter().chain(["/sport/a", "/sport/1;2", "/ticket/1.2.3&match=4", "/match/1/2", &long]) {
        assert_eq!(server.get(link, &[]).await.status, 404, "{link}");
    }
}
