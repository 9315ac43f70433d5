//! When a result decides many bets, bettors who look at theirs do not wait for all others (CONTRACT 7; row R43).

use crate::bets::{place, registered, report_by, won};
use crate::client::{Client, Received};
use futures_util::future::{join, join_all};
use kvota::betting::bet_events::{BetEvents, BetSubscriber};
use kvota::betting::settlement::Settlements;
use kvota::testkit::builders::usual_match;
use kvota::testkit::measured;
use kvota::testkit::world::{NOW_MS, World};
use kvota_domain::bet::{AccountMoney, BetEvent};
use kvota_domain::ids::MatchId;
use kvota_domain::money::Money;
use kvota_store::sqlite::SqliteStore;
use kvota_store::{AccountId, Bet, BetRules, Created, IdempotencyKey, NewAccount, PlaceBet, Stores, TicketId};
use serde_json::json;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

const BETTORS: u64 = 200;

/// Keeps the accounts of the events, in their order.
#[derive(Default)]
struct Order(Mutex<Vec<AccountId>>);

impl BetSubscriber for Order {
    fn money_changed(&self, _: AccountId, _: AccountMoney) {}

    fn protection_changed(&self, _: AccountId) {}

    fn bet_changed(&self, event: &BetEvent) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event.account);
    }

    fn results_changed(&self, _: MatchId) {}
}

fn engine(world: &World, events: BetEvents) -> Settlements {
    let (stores, model) = (world.stores.clone(), Arc::clone(&world.offer.model));
    Settlements::new(stores, model, BetRules::default(), events, || NOW_MS + 100_000)
        .with_watched_bets_first(world.sessions.cash_out_values(), world.results_elsewhere.clone())
}

async fn world_over(stores: Stores) -> World {
    let mut world = World::over(stores).await;
    world.feed.publish(vec![usual_match(1, "2").insert()]).await;
    world.settle().await;
    world
}

/// A tab that watches the bets of a bettor, after it has read them.
async fn tab(world: &World, cookie: &str) -> Client {
    let mut tab = Client::connect_with(world, "en", "kvota.v1.json", Some(cookie)).await;
    tab.send_command("watch", &[json!({"sports": [], "bets": true})]).await;
    // The values of cash-outs come once a second, and show that the server knows the watched bets.
    tab.until(|message| message[0] == 22).await;
    tab
}

/// Places copies of a bet for new bettors, without the server.
async fn place_copies(stores: &Stores, bet: &Bet, count: u64) {
    let mut bettors = Vec::new();
    for number in 0..BETTORS {
        let (name, opening) = (format!("copy {number}"), Money::from_cents(100_000_000));
        let account = NewAccount { name, password_hash: String::new(), opening, now_ms: NOW_MS, external_id: None };
        let Ok(Created::Account(id)) = stores.accounts.create(account).await else { panic!("no account {number}") };
        bettors.push(id);
    }
    // In parallel, so that a database writes many of them at once.
    let placing = (0..BETTORS).zip(bettors).map(async |(bettor, account)| {
        for number in (bettor..count).step_by(BETTORS as usize) {
            let order = PlaceBet {
                account,
                key: IdempotencyKey((u128::from(number) << 64 | 1).to_be_bytes()),
                digest: [7; 32],
                ticket_id: TicketId::new(&format!("0193f5c2-7d1e-7000-8000-{number:012}")).expect("a ticket's id"),
                bet: bet.clone(),
                limits: Default::default(),
                answer: Arc::new(|_| Vec::new()),
            };
            stores.bets.place(order).await.expect("the store answers");
        }
    });
    join_all(placing).await;
}

#[actix_web::test]
async fn watched_bet_is_settled_before_all_others() {
    let world = world_over(Stores::in_memory()).await;
    let ana = registered(&world, "ana").await;
    place(&world, &ana, 1, &[(1, "2")]).await;
    let account = world.stores.accounts.find("ana").await.expect("the store answers").expect("an account").id;
    let bet = world.stores.bets.tickets(account, Default::default(), None, 1).await.expect("the store answers");
    let bet = bet.expect("a page").tickets.remove(0).bet;
    place_copies(&world.stores, &bet, 300).await;
    let bob = registered(&world, "bob").await;
    place(&world, &bob, 2, &[(1, "2")]).await;
    let watcher = world.stores.accounts.find("bob").await.expect("the store answers").expect("an account").id;
    let _tab = tab(&world, &bob).await;

    let order = Arc::new(Order::default());
    report_by(&engine(&world, BetEvents::new([Arc::clone(&order) as Arc<dyn BetSubscriber>])), 1).await;

    let order = order.0.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!((order.len(), order[0]), (302, watcher), "it was placed last");
}

#[actix_web::test]
async fn bet_watched_on_another_node_is_settled_by_that_node() {
    let stores = Stores::in_memory();
    let (near, far) = (world_over(stores.clone()).await, world_over(stores).await);
    let ana = registered(&near, "ana").await;
    place(&near, &ana, 1, &[(1, "2")]).await;
    let mut tab = tab(&far, &ana).await;
    let of_far = engine(&far, far.bet_events.clone());
    // The node that has the result stores it, and dies before it settles anything.
    let results = won(1);
    near.stores.settlements.store_results(results, NOW_MS).await.expect("the store answers");
    near.bet_events.publish_results(kvota::testkit::builders::match_id(1));
    let is_won = |message: &serde_json::Value| message[0] == 20 && message[2]["state"] == "won";
    tokio::select! {
        () = of_far.follow_other_nodes() => panic!("it follows forever"),
        _ = tab.until(is_won) => {}
    }
}

#[actix_web::test]
async fn open_tabs_get_their_payouts_while_many_bets_are_settled() {
    let bets = measured::asked_for("KVOTA_OPEN_BETS", 1_000);
    let watchers = measured::asked_for("KVOTA_WATCHING_BETTORS", 20);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("payouts-{}", std::process::id()));
    let mut world = world_over(Stores::over(SqliteStore::open(&folder.join("kvota.db")).await.expect("a file"))).await;
    let mut tabs = Vec::new();
    for number in 0..watchers {
        // Otherwise the feed is Down before many bettors have placed their bets.
        world.feed.active(true).await;
        let cookie = registered(&world, &format!("bettor {number}")).await;
        place(&world, &cookie, number + 1, &[(1, "2")]).await;
        tabs.push(cookie);
    }
    let first = world.stores.accounts.find("bettor 0").await.expect("the store answers").expect("an account").id;
    let bet = world.stores.bets.tickets(first, Default::default(), None, 1).await.expect("the store answers");
    let bet = bet.expect("a page").tickets.remove(0).bet;
    place_copies(&world.stores, &bet, bets).await;
    let mut watching = join_all(tabs.iter().map(|cookie| tab(&world, cookie))).await;

    let begun = Instant::now();
    let engine = engine(&world, world.bet_events.clone());
    let settled = async {
        report_by(&engine, 1).await;
        begun.elapsed()
    };
    let pushed = join_all(watching.iter_mut().map(async |tab| {
        loop {
            let Received::Frame(frame) = tab.receive().await else { panic!("closed before its payout") };
            if frame.as_array().into_iter().flatten().any(|message| message[0] == 20) {
                return begun.elapsed();
            }
        }
    }));
    let (all, mut pushed) = join(settled, pushed).await;
    pushed.sort();
    let ms = |time: Duration| format!("{:.0}", time.as_secs_f64() * 1e3);
    measured::most("R43", "ms from the result to a tab, p50", ms(pushed[pushed.len() / 2]), 200);
    measured::most("R43", "ms to a tab, p99", ms(pushed[(pushed.len() - 1) * 99 / 100]), 2_000);
    measured::most("R43", "ms to the last tab", ms(pushed[pushed.len() - 1]), 2_000);
    measured::count("R43", &format!("bets of the match, settled in {} ms", ms(all)), bets + watchers);
    world.stores.close().await.expect("closed");
    std::fs::remove_dir_all(&folder).expect("the folder is gone");
}
