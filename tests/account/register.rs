//! The register of excluded players (CONTRACT 9): who may be registered, bet and deposit.

use crate::kit::{Answer, Bettor, PASSWORD, offer};
use actix_web::http::Method;
use kvota::betting::exclusion_register::{PlayerRegister, RegisterClient, RegisterFailed, RegisterFuture, Unreachable};
use kvota::testkit::slip::{key, slip_body};
use kvota::testkit::world::{NOW_MS, World};
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A register: which players it blocks, and whether it answers.
#[derive(Default)]
struct Fake(Mutex<State>);

#[derive(Default)]
struct State {
    blocked: HashMap<String, bool>,
    is_away: bool,
    asked: Vec<String>,
}

impl Fake {
    fn block(&self, subject: &str) {
        self.0.lock().expect("no test panics with it").blocked.insert(subject.to_owned(), true);
    }

    fn go_away(&self) {
        self.0.lock().expect("no test panics with it").is_away = true;
    }

    fn asked(&self) -> Vec<String> {
        self.0.lock().expect("no test panics with it").asked.clone()
    }
}

impl RegisterClient for Fake {
    fn is_blocked(&self, subject_id: String) -> RegisterFuture {
        let mut state = self.0.lock().expect("no test panics with it");
        state.asked.push(subject_id.clone());
        let answer = match state.is_away {
            true => Err(RegisterFailed("away".to_owned())),
            false => Ok(state.blocked.get(&subject_id).copied().unwrap_or_default()),
        };
        Box::pin(std::future::ready(answer))
    }
}

async fn world() -> (World, Arc<Fake>) {
    let fake = Arc::new(Fake::default());
    let client = Arc::clone(&fake);
    let mut world = World::with_register(PlayerRegister::new(client, Unreachable::Refuse, || NOW_MS)).await;
    offer(&mut world, &["2"]).await;
    (world, fake)
}

async fn bet(bettor: &mut Bettor) -> Answer {
    bettor.place(&key(1), &slip_body(0, "10", &[(1, "2")])).await
}

async fn deposit(bettor: &mut Bettor) -> Answer {
    deposit_again(bettor, 2).await
}

/// A deposit with the key of this number.
async fn deposit_again(bettor: &mut Bettor, number: u64) -> Answer {
    let key = key(number);
    let headers = [("content-type", "application/json"), ("idempotency-key", key.as_str())];
    bettor.send(Method::POST, "account/deposit", &headers, &json!({"amount": "10"}).to_string()).await
}

#[actix_web::test]
async fn blocked_player_is_not_registered_by_the_external_id_or_the_name() {
    let (world, fake) = world().await;
    fake.block("HR-1");
    fake.block("iva");
    let mut bettor = Bettor::nobody(&world);
    let body = json!({"name": "ana", "password": PASSWORD, "externalId": "HR-1"});
    let text = "You cannot register. Please contact support.";
    assert_eq!(bettor.post("account/register", &body).await.error(), (400, text.to_owned()));
    assert_eq!(bettor.register("iva", PASSWORD).await.error(), (400, text.to_owned()));
    let body = json!({"name": "iva", "password": PASSWORD, "externalId": "HR-2"});
    assert_eq!(bettor.post("account/register", &body).await.status, 201, "the external id alone counts");
    for id in ["two\tlines", "- -", ""] {
        let body = json!({"name": "ena", "password": PASSWORD, "externalId": id});
        assert_eq!(bettor.post("account/register", &body).await.status, 400, "{id:?}");
    }
}

#[actix_web::test]
async fn external_id_belongs_to_one_account() {
    let (world, _) = world().await;
    let mut bettor = Bettor::nobody(&world);
    let mut register = async |name: &str, id: &str| {
        let body = json!({"name": name, "password": PASSWORD, "externalId": id});
        let answer = bettor.post("account/register", &body).await;
        (answer.status, if answer.status == 400 { answer.error().1 } else { String::new() })
    };
    assert_eq!(register("ana", "hr-123-45").await.0, 201);
    let taken = (400, "Another account has this external id.".to_owned());
    for (name, id) in [("iva", "hr-123-45"), ("iva", "HR12345"), ("iva", "Hr-1-2-3-4-5"), ("iva", "HR 123 45")] {
        assert_eq!(register(name, id).await, taken, "{id}");
    }
    assert_eq!(register("iva", "HR 123 46").await.0, 201);
}

#[actix_web::test]
async fn answer_at_the_registration_counts_for_the_first_bets() {
    let (world, fake) = world().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    assert_eq!((bet(&mut ana).await.status, deposit(&mut ana).await.status), (200, 200));
    assert_eq!(fake.asked(), ["ana"]);
}

#[actix_web::test]
async fn blocked_player_may_log_in_but_neither_bet_nor_deposit() {
    let (world, fake) = world().await;
    let mut ana = Bettor::nobody(&world);
    let body = json!({"name": "ana", "password": PASSWORD, "externalId": "HR-1"});
    assert_eq!(ana.post("account/register", &body).await.status, 201);
    fake.block("HR-1");
    assert_eq!(ana.login("ana", PASSWORD).await.status, 200);
    let text = (400, "You are in the register of excluded players.".to_owned());
    assert_eq!((bet(&mut ana).await.error(), deposit(&mut ana).await.error()), (text.clone(), text));
    assert_eq!(fake.asked(), ["HR-1", "HR-1"], "the answer at the login counts for the bets after it");
    let key = key(3);
    let headers = [("content-type", "application/json"), ("idempotency-key", key.as_str())];
    let paid = ana.send(Method::POST, "account/withdraw", &headers, &json!({"amount": "10"}).to_string()).await;
    assert_eq!(paid.status, 200);
}

#[actix_web::test]
async fn answer_of_a_deposit_is_repeated_to_a_player_who_was_blocked_since() {
    let (world, fake) = world().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let paid = deposit_again(&mut ana, 5).await;
    fake.block("ana");
    assert_eq!(ana.login("ana", PASSWORD).await.status, 200);
    let again = deposit_again(&mut ana, 5).await;
    assert_eq!((again.status, again.body), (200, paid.body));
    assert_eq!(deposit_again(&mut ana, 6).await.status, 400);
}

#[actix_web::test]
async fn nothing_is_accepted_while_the_register_does_not_answer() {
    let fake = Arc::new(Fake::default());
    let register = PlayerRegister::new(Arc::clone(&fake) as Arc<dyn RegisterClient>, Unreachable::Refuse, || NOW_MS);
    let used = register.clone();
    let mut world = World::with_register(used).await;
    offer(&mut world, &["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    fake.go_away();
    // Without this, the answer at the registration would count for a quarter of an hour.
    register.doubt_all();
    assert_eq!(Bettor::nobody(&world).register("iva", PASSWORD).await.status, 503);
    let text = (400, "The register of excluded players does not answer. Please try again later.".to_owned());
    assert_eq!((bet(&mut ana).await.error(), deposit(&mut ana).await.error()), (text.clone(), text));
    assert_eq!(ana.login("ana", PASSWORD).await.status, 200);
}
