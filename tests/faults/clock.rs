//! R15: the wall clock jumps an hour forward, an hour back, a day back, and stands still for a minute. Bets are
//! validated by the offer and never by the clock, logins stay valid, ticket numbers stay unique and in the order of
//! placing. The last part of R29: a key still returns its bet a day later.

use crate::seen::{bet_on, match_at};
use kvota::testkit::measured::count;
use kvota::testkit::slip::key;
use kvota::testkit::time::advance;
use kvota::testkit::virtual_world::{NodeParts, VirtualWorld};
use kvota::testkit::world::NOW_MS;
use kvota_domain::money::Money;
use kvota_domain::session::SessionId;
use kvota_store::Login;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Duration;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

thread_local! {
    /// The wall clock of this test. It changes only when the test sets it.
    static WALL_MS: Cell<i64> = const { Cell::new(NOW_MS) };
}

fn wall() -> i64 {
    WALL_MS.get()
}

/// A system on that clock, with match 1 at the price 2.
async fn world() -> VirtualWorld {
    let mut world = VirtualWorld::over(NodeParts { now_ms: wall, ..NodeParts::default() }).await;
    world.feed.publish(vec![match_at(1, "2", 0).insert()]).await;
    world.settle().await;
    world
}

fn session(number: u8) -> SessionId {
    SessionId::from_bytes([number; 16])
}

/// Creates an account and logs it in for 30 days, as a login call does.
async fn logged_in(world: &VirtualWorld, number: u8) {
    let account = world.node.account(&format!("bettor{number}"), session(number), Money::from_cents(100_000)).await;
    let login = Login::until(account, wall() + 30 * DAY_MS);
    world.node.stores.accounts.log_in(session(number), login.into()).await.expect("the store keeps it");
}

#[actix::test]
async fn wall_clock_jumps_change_no_bet_validation_and_end_no_session() {
    const BETTORS: u8 = 20;
    let mut world = world().await;
    for number in 1..=BETTORS {
        logged_in(&world, number).await;
    }
    let mut placed: Vec<String> = Vec::new();
    let (mut keys, mut ended, mut misjudged, mut judged) = (0, 0, 0, 0);
    let mut now = "2".to_owned();
    for (round, jump_ms) in [0, HOUR_MS, -HOUR_MS, -DAY_MS, 0, HOUR_MS, DAY_MS].into_iter().enumerate() {
        WALL_MS.set(wall() + jump_ms);
        for number in 1..=BETTORS {
            let status = world.node.get_as(session(number), "live/user-status").await.status;
            ended += u32::from(status != 200);
        }
        // A bet at the current price is accepted, one at the previous price is rejected, whatever the date.
        let seen = std::mem::replace(&mut now, format!("2.{:02}", round + 10));
        for (is_changed, expected) in [(false, 200), (true, 400)] {
            if is_changed {
                world.feed.publish(vec![match_at(1, &now, 0).update()]).await;
                world.settle().await;
            }
            keys += 1;
            let answer = world.node.place(session(1), &key(keys), &bet_on(1, &seen)).await;
            judged += 1;
            misjudged += u32::from(answer.status != expected);
            if let Some(id) = answer.json()["ticketId"].as_str().filter(|_| answer.status == 200) {
                placed.push(id.to_owned());
            }
        }
        // The wall clock stands still for a minute while the monotonic clock runs: the feed must stay active.
        for _ in 0..60 {
            advance(Duration::from_secs(1)).await;
            world.feed.active(true).await;
            world.settle().await;
        }
        keys += 1;
        let answer = world.node.place(session(2), &key(keys), &bet_on(1, &now)).await;
        judged += 1;
        misjudged += u32::from(answer.status != 200);
    }
    assert_eq!((ended, misjudged), (0, 0), "sessions ended, bets judged otherwise");
    let apart: BTreeSet<&String> = placed.iter().collect();
    assert_eq!(apart.len(), placed.len(), "each ticket has a number of its own");
    let list = world.node.get_as(session(1), "account/tickets?limit=100").await.json();
    let listed: Vec<String> = list["tickets"].as_array().into_iter().flatten().rev().map(id_of).collect();
    assert_eq!(listed, placed, "the order is that of placing");
    count("R15", "bets checked under seven clocks", judged);
    world.end().await;
}

fn id_of(ticket: &serde_json::Value) -> String {
    ticket["ticketId"].as_str().unwrap_or_default().to_owned()
}

/// How often the answer of a bet is asked for a day later.
const RETRIES: u32 = 5;

#[actix::test]
async fn idempotency_key_still_returns_its_bet_a_day_later() {
    let mut world = world().await;
    logged_in(&world, 1).await;
    let slip = bet_on(1, "2");
    let first = world.node.place(session(1), &key(1), &slip).await;
    assert_eq!(first.status, 200);
    WALL_MS.set(wall() + DAY_MS + HOUR_MS);
    // The match is no longer in the offer; the key still returns the answer of the bet.
    world.feed.publish(vec![match_at(1, "2", 0).delete()]).await;
    world.settle().await;
    for _ in 0..RETRIES {
        assert_eq!(world.node.place(session(1), &key(1), &slip).await, first);
    }
    assert_eq!(world.node.stores.audit().await.expect("the store answers").bets, 1);
    count("R29", "equal answers a day later", RETRIES);
    world.end().await;
}
