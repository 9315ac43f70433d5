//! R40: ten thousand guessed passwords for one account and from one address, and what the text and the time of a
//! response reveal about a name. The clock is paused, so the minutes of the guesses pass at once. The costs of real
//! hashes are measured and printed only. `KVOTA_GUESSES=1000` sets the number of guesses.

use crate::kit::{Bettor, PASSWORD};
use actix_web::http::header::CONTENT_TYPE;
use actix_web::test::TestRequest;
use kvota::http::account::{PasswordCost, Passwords};
use kvota::http::proxies::Network;
use kvota::testkit::measured::{asked_for, count, most};
use kvota::testkit::time::advance;
use kvota::testkit::virtual_world::{Answer, Node, VirtualWorld};
use kvota::testkit::world::World;
use serde_json::json;
use std::net::SocketAddr;
use std::time::Duration;

/// Guesses a minute: more than any limit.
const A_MINUTE: u64 = 1_000;
const ACCOUNT_MAX: u64 = 5;
const ADDRESS_MAX: u64 = 20;

async fn post(node: &Node, call: &str, name: &str, password: &str) -> Answer {
    let body = json!({"name": name, "password": password}).to_string();
    let request = TestRequest::post().insert_header((CONTENT_TYPE, "application/json")).set_payload(body);
    node.ask(request, call, None).await
}

/// The most guesses that were let through in any minute. All others must be rejected with 429.
async fn guess(node: &Node, guesses: u64, name: impl Fn(u64) -> String) -> u64 {
    let (mut most, mut let_through) = (0, 0);
    let mut words: Option<Vec<u8>> = None;
    for number in 0..guesses {
        if number % A_MINUTE == 0 {
            let_through = 0;
            advance(Duration::from_secs(60)).await;
        }
        let answer = post(node, "account/login", &name(number), &format!("guess {number}")).await;
        match answer.status {
            401 => {
                let_through += 1;
                let words = words.get_or_insert_with(|| answer.body.clone());
                assert_eq!(answer.body, *words, "the same words every time");
            }
            status => assert_eq!(status, 429, "guess {number}"),
        }
        most = most.max(let_through);
    }
    most
}

#[actix_web::test]
async fn password_guesses_are_limited_per_minute() {
    let guesses = asked_for("KVOTA_GUESSES", 10_000);
    let world = VirtualWorld::start().await;
    let node = &world.node;
    assert_eq!(post(node, "account/register", "ana", PASSWORD).await.status, 201);
    let of_account = guess(node, guesses / 2, |_| "ana".to_owned()).await;
    assert_eq!(of_account, ACCOUNT_MAX);
    assert_eq!(post(node, "account/login", "ana", PASSWORD).await.status, 429, "the right one waits too");
    advance(Duration::from_secs(60)).await;
    assert_eq!(post(node, "account/login", "ana", PASSWORD).await.status, 200, "and no longer than a minute");
    advance(Duration::from_secs(60)).await;
    let of_address = guess(node, guesses / 2, |number| format!("name{number}")).await;
    assert_eq!(of_address, ADDRESS_MAX);
    let what = format!("guesses; let through in a minute: {of_account} of an account, {of_address} of an address");
    count("R40", &what, guesses);
    world.end().await;
}

/// A server that trusts the local proxy, so that a test can choose the addresses of its clients.
async fn behind_a_listed_proxy() -> World {
    World::with_state(|state| state.trusted_proxies = [Network::parse("127.0.0.0/8").expect("a network")].into()).await
}

/// One wrong password for a name from each of these addresses; returns the statuses.
async fn wrong_passwords(world: &World, name: &str, addresses: impl Iterator<Item = String>) -> Vec<u16> {
    let mut statuses = Vec::new();
    for address in addresses {
        statuses.push(Bettor::at(world, &address).login(name, "wrong horse").await.status);
    }
    statuses
}

#[actix_web::test]
async fn wrong_passwords_from_one_address_do_not_lock_the_name_for_others() {
    let world = behind_a_listed_proxy().await;
    Bettor::registered(&world, "ana").await;
    let guesses = wrong_passwords(&world, "ana", (0..7).map(|_| "9.9.9.9".to_owned())).await;
    assert_eq!(guesses, [401, 401, 401, 401, 401, 429, 429], "one address has five wrong tries of a name");
    assert_eq!(Bettor::at(&world, "9.9.9.8").login("ana", PASSWORD).await.status, 200, "the owner is elsewhere");
}

#[actix_web::test]
async fn a_known_browser_logs_in_while_the_name_is_locked() {
    let world = behind_a_listed_proxy().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    ana.logout().await;
    let guesses = wrong_passwords(&world, "ana", (1..=30).map(|number| format!("9.9.9.{number}"))).await;
    assert!(guesses[..20].iter().all(|status| *status == 401), "{guesses:?}");
    assert!(guesses[20..].iter().all(|status| *status == 429), "all addresses together have twenty: {guesses:?}");
    assert_eq!(Bettor::at(&world, "9.9.8.1").login("ana", PASSWORD).await.status, 429, "a new browser waits");

    let mut other = Bettor::at(&world, "9.9.8.2");
    assert_eq!(other.register("ben", PASSWORD).await.status, 201);
    other.logout().await;
    assert_eq!(other.login("ana", PASSWORD).await.status, 429, "the cookie is for the other account");
    other.known_browser = format!("{}.{}", "0".repeat(32), "0".repeat(64));
    assert_eq!(other.login("ana", PASSWORD).await.status, 429, "a cookie without a good signature does not count");

    ana.address = Some("9.9.9.1".to_owned());
    assert_eq!(ana.login("ana", PASSWORD).await.status, 200, "the owner's browser is known");
    ana.logout().await;
    for _ in 0..5 {
        assert_eq!(ana.login("Ana", "wrong horse").await.status, 401);
    }
    assert_eq!(ana.login("ana", PASSWORD).await.status, 429, "a known browser has five wrong tries, too");
}

#[actix_web::test]
async fn a_known_browser_logs_in_while_its_address_is_locked() {
    let world = behind_a_listed_proxy().await;
    let mut ana = Bettor::at(&world, "9.9.9.9");
    assert_eq!(ana.register("ana", PASSWORD).await.status, 201);
    ana.logout().await;
    for number in 0..20 {
        assert_eq!(Bettor::at(&world, "9.9.9.9").login(&format!("name{number}"), PASSWORD).await.status, 401);
    }
    assert_eq!(Bettor::at(&world, "9.9.9.9").login("ana", PASSWORD).await.status, 429);
    assert_eq!(ana.login("ana", PASSWORD).await.status, 200);
}

#[actix_web::test]
async fn wrong_passwords_through_an_unlisted_proxy_do_not_lock_out_everybody() {
    let world = World::start().await;
    Bettor::registered(&world, "ana").await;
    for number in 0..21 {
        let mut guesser = Bettor::at(&world, "9.9.9.9");
        assert_eq!(guesser.login(&format!("name{number}"), PASSWORD).await.status, 401);
    }
    assert_eq!(Bettor::at(&world, "9.9.9.8").login("ana", PASSWORD).await.status, 200, "the proxy stands for many");
    let mut statuses = Vec::new();
    for number in 21..210 {
        statuses.push(Bettor::at(&world, "9.9.9.9").login(&format!("name{number}"), PASSWORD).await.status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 200 - 21, "a forged header buys no more");
}

#[actix_web::test]
async fn client_address_with_a_port_is_accepted() {
    let world = behind_a_listed_proxy().await;
    for number in 0..20 {
        let mut guesser = Bettor::at(&world, &format!("9.9.9.9:{}", 40_000 + number));
        assert_eq!(guesser.login(&format!("name{number}"), PASSWORD).await.status, 401);
    }
    assert_eq!(Bettor::at(&world, "9.9.9.9:1").login("another", PASSWORD).await.status, 429);
    assert_eq!(Bettor::at(&world, "9.9.9.8:1").login("another", PASSWORD).await.status, 401);
    assert_eq!(Bettor::at(&world, "[2001:db8::1]:1").login("another", PASSWORD).await.status, 401);
}

#[actix_web::test]
async fn registrations_are_limited_to_twenty_a_minute_from_one_address() {
    let world = behind_a_listed_proxy().await;
    let mut statuses = Vec::new();
    for number in 0..25 {
        statuses.push(Bettor::at(&world, "9.9.9.9").register(&format!("name{number}"), PASSWORD).await.status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 20, "{statuses:?}");
    assert!(statuses[20..].iter().all(|status| *status == 429), "{statuses:?}");
    assert_eq!(Bettor::at(&world, "9.9.9.8").register("another", PASSWORD).await.status, 201);
}

#[actix_web::test]
async fn unknown_name_takes_as_long_as_a_wrong_password() {
    const NAMES: usize = 4;
    let world = World::with_state(|state| {
        state.accounts.passwords = Passwords::new(PasswordCost::SERVER);
        state.trusted_proxies = [Network::parse("127.0.0.0/8").expect("a network")].into();
    })
    .await;
    for name in 0..NAMES {
        Bettor::registered(&world, &format!("known{name}")).await;
    }
    let client = awc::Client::default();
    let login = async |name: String, from: SocketAddr| {
        let request = client.post(format!("{}/api/v1/account/login?lang=en", world.origin()));
        let request = request.insert_header(("x-forwarded-for", from.ip().to_string()));
        let mut answer = request.send_json(&json!({"name": name, "password": "wrong horse"})).await.expect("an answer");
        let body = answer.body().await.expect("the body arrives whole");
        (answer.status().as_u16(), body)
    };
    // Interleaved, so that other work on the machine affects both alike. Processor time is compared, because a hash
    // costs the same processor time on a busy machine.
    let (mut of_known, mut of_unknown) = (0, 0);
    for round in 0..ACCOUNT_MAX - 1 {
        for name in 0..NAMES {
            let from = |kind: u8| SocketAddr::from(([9, kind, round as u8, name as u8], 1));
            let before = processor_us();
            let known = login(format!("known{name}"), from(1)).await;
            let between = processor_us();
            let unknown = login(format!("nobody{name}"), from(2)).await;
            assert_eq!((known.0, &known.1), (401, &unknown.1), "the same words");
            of_known += between.saturating_sub(before);
            of_unknown += processor_us().saturating_sub(between);
        }
    }
    let logins = u64::try_from(NAMES).expect("few") * (ACCOUNT_MAX - 1);
    assert!(of_unknown > 0, "what was asked for has cost something");
    let apart = of_known.abs_diff(of_unknown) as f64 / logins as f64 / 1_000.0;
    let a_try = of_unknown / logins / 1_000;
    let what = format!("ms of the processor between an unknown name ({a_try} a try) and a wrong password");
    most("R40", &what, format!("{apart:.2}"), 5);
}

/// The processor time of the current threads of this process, in µs; 0 if the kernel does not report it. The time of
/// a thread that has ended is lost, which spoils one measurement.
fn processor_us() -> u64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let stats = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("schedstat")).ok());
    let ns: u64 = stats.filter_map(|stat| stat.split_whitespace().next()?.parse::<u64>().ok()).sum();
    ns / 1_000
}
