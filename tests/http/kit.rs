//! Test support: a server for one test, an offer to put into it, and short access to its responses.

use actix_web::dev::ServerHandle;
use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode};
use kvota::http::{AppState, serve};
use kvota::hub::admission::{Admission, HubLimits};
use kvota::hub::websocket::live_hub;
use kvota::telemetry;
use kvota::testkit::builders::{MatchBuilder, live_match, market, result, soccer, total};
use kvota::testkit::openapi::{Answered, assert_described};
use kvota_domain::aggregate::MatchState;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::offer_event::FeedState;
use kvota_domain::sport::SportInfo;
use kvota_read_model::ReadModel;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

/// The fixed time of the server's clock, in ms since the epoch.
pub(crate) const NOW: i64 = 1_700_000_060_000;
/// The date of the feed, a minute earlier.
const DATE: i64 = 1_700_000_000_000;

/// A running server. Stops when it is dropped.
pub(crate) struct TestServer {
    pub(crate) model: Arc<ReadModel>,
    address: SocketAddr,
    handle: ServerHandle,
}

impl Drop for TestServer {
    fn drop(&mut self) {
        // The stop begins at once; the returned future only waits for its end.
        drop(self.handle.stop(false));
    }
}

/// A response.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The value of a header, or an empty text.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("a header is a text"))
    }

    /// The body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.text()))
    }

    /// The body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The status and the error message, which must be the same in both fields that carry it.
    #[track_caller]
    pub(crate) fn error(&self) -> (u16, String) {
        let json = self.json();
        assert_eq!(json["message"], json["modelState"]["error"][0], "{json}");
        assert!(self.header("content-type").starts_with("application/json"));
        (self.status.as_u16(), json["message"].as_str().expect("a message is a text").to_owned())
    }
}

impl TestServer {
    /// A server without an offer.
    pub(crate) fn start() -> TestServer {
        TestServer::with(|_| {})
    }

    /// A server with the offer of [`match_17`], active in every language.
    pub(crate) fn with_offer() -> TestServer {
        let server = TestServer::start();
        server.put(match_17());
        Lang::ALL.into_iter().for_each(|lang| server.model.set_feed(lang, FeedState::Active));
        server
    }

    /// A server whose state is changed by `set_up` before the start.
    #[expect(clippy::disallowed_methods, reason = "the kit ends the server with the test")]
    pub(crate) fn with(set_up: impl FnOnce(&mut AppState)) -> TestServer {
        let metrics = telemetry::metrics().expect("metrics are recorded by us alone");
        let model = Arc::new(ReadModel::new(Lang::Hr, 7));
        let mut state = AppState {
            read_model: Arc::clone(&model),
            now_ms: || NOW,
            render_metrics: Arc::new(move || metrics.render()),
            live_hub: live_hub(Admission::new(HubLimits::none())),
            ..AppState::default()
        };
        set_up(&mut state);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("a bound listener has an address");
        let server = serve(state, listener, Some(1), |_| {}).expect("the server starts");
        let handle = server.handle();
        actix_web::rt::spawn(server);
        TestServer { model, address, handle }
    }

    /// Inserts or replaces a soccer match.
    pub(crate) fn put(&self, live_match: MatchBuilder) {
        let mut sport = SportInfo::new(soccer().id);
        sport.apply_primary(&soccer());
        let preferred = soccer().preferred.expect("soccer has columns");
        let state = MatchState::inserted(&live_match.insert(), DATE, &preferred, PerLang::default(), 1);
        self.model.put_sport(Arc::new(sport));
        self.model.put_match(Arc::new(state));
    }

    /// `http://127.0.0.1:…`: also the origin of its pages.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address, for tests with a client of their own.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// GET with headers.
    pub(crate) async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(Method::GET, path, headers).await
    }

    /// Any request without a body.
    pub(crate) async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
        let url = format!("{}{path}", self.origin());
        let mut request = awc::Client::builder().disable_redirects().finish().request(method.clone(), url);
        for header in headers {
            request = request.append_header(*header);
        }
        let mut answer = request.send().await.expect("the server answers");
        let body = answer.body().limit(64 << 20).await.expect("the body arrives whole");
        let answer = Answer { status: answer.status(), headers: answer.headers().clone(), body: body.to_vec() };
        if answer.header("content-encoding").is_empty() && method != Method::HEAD {
            assert_described(Answered {
                method: method.as_str(),
                path,
                status: answer.status.as_u16(),
                content_type: answer.header("content-type"),
                body: &answer.body,
            });
        }
        answer
    }
}

/// A soccer match in the tenth minute: a result and a total in the row, and two markets that only the detail has.
pub(crate) fn match_17() -> MatchBuilder {
    live_match(17)
        .score(1, 0)
        .time(600)
        .market(result(10, ["1.85", "3.2", "4"]))
        .market(total(11, "2.5", ["1.9", "1.9"]).balanced())
        .market(total(12, "3.5", ["1.4", "2.9"]))
        .market(market(13, 29).odd("Da", "1.7").odd("Ne", "2.1"))
}
