//! Bets that are in progress when the server shuts down.

use crate::stage::{Stage, answered, pass};
use futures_util::future::join;
use kvota::betting::placement::{Betting, PlacementAnswer};
use kvota_domain::ticket::Consent;
use kvota_store::nodes::{OrderSlot, SharedLimits};
use kvota_store::{AccountId, IdempotencyKey, StoreFuture, Stores};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

#[actix_web::test]
async fn shutdown_finishes_a_short_delay_and_rejects_new_bets() {
    tokio::time::pause();
    let stage = Stage::with(5, &["2"]).await;
    let first = stage.placements.place(stage.order(1, Consent::None, &[(1, "2")]));
    let (answer, (late, waited)) = join(first, async {
        pass(Duration::from_secs(1)).await;
        let begun = Instant::now();
        let late = async {
            pass(Duration::from_secs(1)).await;
            stage.placements.place(stage.order(2, Consent::None, &[(1, "2")])).await
        };
        let ((), late) = join(stage.placements.drain(), late).await;
        (late, begun.elapsed().as_secs())
    })
    .await;
    assert_eq!(answered(&answer).0, 200);
    assert_eq!((late, waited), (PlacementAnswer::Unavailable, 4));
    assert_eq!(stage.balance().await, "990.00");
}

#[actix_web::test]
async fn shutdown_finishes_a_long_delay() {
    tokio::time::pause();
    let stage = Stage::with(60, &["2"]).await;
    let (answer, waited) = join(stage.placements.place(stage.order(1, Consent::None, &[(1, "2")])), async {
        pass(Duration::from_secs(1)).await;
        let begun = Instant::now();
        stage.placements.drain().await;
        begun.elapsed().as_secs()
    })
    .await;
    assert_eq!((answered(&answer).0, waited), (200, 59));
}

/// The same order runs on another node and does not end.
struct RunsElsewhere;

impl SharedLimits for RunsElsewhere {
    fn begin_order(&self, _: AccountId, _: IdempotencyKey, _: usize, _: Duration) -> StoreFuture<'_, OrderSlot> {
        Box::pin(std::future::ready(Ok(OrderSlot::RunsElsewhere)))
    }
}

#[actix_web::test]
async fn shutdown_abandons_an_order_that_does_not_end_and_leaves_its_key_unused() {
    tokio::time::pause();
    let mut stores = Stores::in_memory();
    stores.shared_limits = Arc::new(RunsElsewhere);
    let stage = Stage::of(Betting::default(), &["2"], stores).await;
    let order = stage.order(1, Consent::None, &[(1, "2")]);
    let (answer, waited) = join(stage.placements.place(order.clone()), async {
        pass(Duration::from_secs(1)).await;
        let begun = Instant::now();
        stage.placements.drain().await;
        begun.elapsed()
    })
    .await;
    assert_eq!(answer, PlacementAnswer::Unavailable);
    assert!(waited < Duration::from_secs(10), "{waited:?}");
    assert_eq!(stage.placements.running(), 0);
    let kept = stage.stores.bets.find_key(order.account, order.key).await.expect("the store answers");
    assert_eq!(kept, None);
    assert_eq!(stage.balance().await, "1000.00");
}

#[actix_web::test]
async fn shutdown_without_pending_bets_is_immediate() {
    tokio::time::pause();
    let stage = Stage::with(5, &["2"]).await;
    let begun = Instant::now();
    stage.placements.drain().await;
    assert_eq!(begun.elapsed(), Duration::ZERO);
}

/// A change of the offer that never ends is a bug. Bets are then rejected in a way that lets the client try again.
#[actix_web::test]
async fn a_bet_without_a_snapshot_of_the_offer_is_retryable_and_leaves_its_key_unused() {
    tokio::time::pause();
    let stage = Stage::with(5, &["2"]).await;
    let order = || stage.order(1, Consent::None, &[(1, "2")]);
    stage.model.begin_endless_change();
    assert_eq!(stage.placements.place(order()).await, PlacementAnswer::Unavailable, "before the delay");
    stage.model.end_endless_change();
    let (answer, ()) = join(stage.placements.place(order()), async {
        pass(Duration::from_secs(4)).await;
        stage.model.begin_endless_change();
    })
    .await;
    assert_eq!(answer, PlacementAnswer::Unavailable, "after the delay");
    stage.model.end_endless_change();
    assert_eq!(stage.balance().await, "1000.00");
    assert_eq!(answered(&stage.placements.place(order()).await).0, 200, "the key is not used up");
}

/// Between attempts the thread runs other tasks, one of which may end the change.
#[actix_web::test]
async fn attempts_to_read_the_offer_let_other_tasks_run() {
    let stage = Stage::with(0, &["2"]).await;
    stage.model.begin_endless_change();
    let (answer, ()) = join(stage.placements.place(stage.order(1, Consent::None, &[(1, "2")])), async {
        // One turn starts the task of the order, one more runs its first attempts.
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        stage.model.end_endless_change();
    })
    .await;
    assert_eq!(answered(&answer).0, 200);
}
