//! Test support: a bettor with a browser, who keeps cookies, and short access to responses.

use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use kvota::testkit::builders::usual_match;
use kvota::testkit::openapi::{Answered, assert_described};
use kvota::testkit::world::World;
use serde_json::{Value, json};

/// A valid password.
pub(crate) const PASSWORD: &str = "correct horse";

/// A response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    headers: Vec<(String, String)>,
}

impl Answer {
    /// The value of a header, or an empty text.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {text:?}"))
    }

    /// The status and the error message, which must be the same in both fields that carry it.
    #[track_caller]
    pub(crate) fn error(&self) -> (u16, String) {
        let json = self.json();
        assert_eq!(json["message"], json["modelState"]["error"][0], "{json}");
        (self.status, json["message"].as_str().expect("a message is a text").to_owned())
    }
}

/// A bettor with a browser, in English.
#[derive(Clone, Debug)]
pub(crate) struct Bettor {
    origin: String,
    /// The value of the session's cookie; empty before there was one.
    pub(crate) cookie: String,
    /// The value of the cookie that marks a browser in which this account has logged in before; empty if there is none.
    pub(crate) known_browser: String,
    /// The address that a proxy reports; `None` if there is no proxy.
    pub(crate) address: Option<String>,
}

impl Bettor {
    /// A browser without cookies.
    pub(crate) fn nobody(world: &World) -> Bettor {
        Bettor { origin: world.origin(), cookie: String::new(), known_browser: String::new(), address: None }
    }

    /// A browser without cookies, behind a proxy that reports this address.
    pub(crate) fn at(world: &World, address: &str) -> Bettor {
        Bettor { address: Some(address.to_owned()), ..Bettor::nobody(world) }
    }

    /// A new account, logged in.
    pub(crate) async fn registered(world: &World, name: &str) -> Bettor {
        let mut bettor = Bettor::nobody(world);
        let answer = bettor.register(name, PASSWORD).await;
        assert_eq!(answer.status, 201, "{:?}", String::from_utf8_lossy(&answer.body));
        bettor
    }

    pub(crate) async fn register(&mut self, name: &str, password: &str) -> Answer {
        self.post("account/register", &json!({"name": name, "password": password})).await
    }

    pub(crate) async fn login(&mut self, name: &str, password: &str) -> Answer {
        self.post("account/login", &json!({"name": name, "password": password})).await
    }

    pub(crate) async fn logout(&mut self) -> Answer {
        self.send(Method::POST, "account/logout", &[], "").await
    }

    pub(crate) async fn status(&mut self) -> Answer {
        self.get("live/user-status").await
    }

    /// The balance of the account, from its status call.
    #[track_caller]
    pub(crate) fn balance(&mut self) -> impl Future<Output = String> {
        let caller = std::panic::Location::caller();
        async move {
            let status = self.status().await;
            assert_eq!(status.status, 200, "{caller}");
            status.json()["balance"].as_str().expect("a balance is a text").to_owned()
        }
    }

    pub(crate) async fn get(&mut self, call: &str) -> Answer {
        self.send(Method::GET, call, &[], "").await
    }

    pub(crate) async fn post(&mut self, call: &str, body: &Value) -> Answer {
        self.send(Method::POST, call, &[("content-type", "application/json")], &body.to_string()).await
    }

    pub(crate) async fn put(&mut self, call: &str, body: &Value) -> Answer {
        self.send(Method::PUT, call, &[("content-type", "application/json")], &body.to_string()).await
    }

    pub(crate) async fn delete(&mut self, call: &str) -> Answer {
        self.send(Method::DELETE, call, &[], "").await
    }

    /// Places a ticket under a key.
    pub(crate) async fn place(&mut self, key: &str, ticket: &Value) -> Answer {
        self.place_text(key, &ticket.to_string()).await
    }

    /// Places a ticket with exactly this body.
    pub(crate) async fn place_text(&mut self, key: &str, body: &str) -> Answer {
        let headers = [("content-type", "application/json"), ("idempotency-key", key)];
        self.send(Method::POST, "live/send-ticket", &headers, body).await
    }

    /// Any call, as a page of this server sends it.
    pub(crate) async fn send(&mut self, method: Method, call: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let separator = if call.contains('?') { '&' } else { '?' };
        let url = format!("{}/api/v1/{call}{separator}lang=en", self.origin);
        let mut request = awc::Client::builder().disable_redirects().finish().request(method.clone(), url);
        if !headers.iter().any(|(name, _)| *name == "origin") {
            request = request.insert_header(("origin", self.origin.as_str()));
        }
        // An empty origin means no Origin header: a request of a program, not of a page.
        for (name, value) in headers.iter().filter(|header| **header != ("origin", "")) {
            request = request.append_header((*name, *value));
        }
        if let Some(address) = &self.address {
            request = request.insert_header(("x-forwarded-for", address.as_str()));
        }
        let cookies = [("kvota-session", &self.cookie), ("kvota-browser", &self.known_browser)];
        let held = cookies.iter().filter(|(_, value)| !value.is_empty());
        let held: Vec<String> = held.map(|(name, value)| format!("{name}={value}")).collect();
        if !held.is_empty() {
            request = request.insert_header(("cookie", held.join("; ")));
        }
        let mut answer = request.send_body(body.to_owned()).await.expect("the server answers");
        let body = answer.body().limit(1 << 20).await.expect("the body arrives whole").to_vec();
        let headers = texts(answer.headers());
        let answer = Answer { status: answer.status().as_u16(), body, headers };
        for (_, cookie) in answer.headers.iter().filter(|(name, _)| name == "set-cookie") {
            let pair = cookie.split(';').next().unwrap_or_default();
            match pair.split_once('=') {
                Some(("kvota-session", value)) => self.cookie = value.to_owned(),
                Some(("kvota-browser", value)) => self.known_browser = value.to_owned(),
                _ => {}
            }
        }
        let path = format!("/api/v1/{call}");
        assert_described(Answered {
            method: method.as_str(),
            path: &path,
            status: answer.status,
            content_type: answer.header("content-type"),
            body: &answer.body,
        });
        answer
    }
}

fn texts(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &actix_web::http::header::HeaderValue| value.to_str().expect("a header is a text").to_owned();
    headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

/// A running system with the matches 1, 2 … at these prices of the home win.
pub(crate) async fn world_with(prices: &[&str]) -> World {
    let mut world = World::start().await;
    offer(&mut world, prices).await;
    world
}

/// Inserts the matches 1, 2 … at these prices.
pub(crate) async fn offer(world: &mut World, prices: &[&str]) {
    let matches = (1..).zip(prices).map(|(id, price)| usual_match(id, price).insert()).collect();
    world.feed.publish(matches).await;
    world.settle().await;
}
