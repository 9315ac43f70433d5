//! An operator pauses betting: a node that knows of the pause rejects orders at once, another node at the end of their
//! delay. Everything else continues.

use crate::stage::{NOW_MS, Stage, answered, pass};
use kvota::betting::placement::PlacementAnswer;
use kvota_domain::lang::Lang;
use kvota_domain::ticket::Consent;
use std::time::Duration;

const HOME_WIN: &[(u64, &str)] = &[(1, "1.75")];

async fn paused(stage: &Stage) {
    stage.stores.betting_pause.pause(NOW_MS).await.expect("the store answers");
}

async fn resumed(stage: &Stage) {
    stage.stores.betting_pause.resume().await.expect("the store answers");
}

#[tokio::test(start_paused = true)]
async fn node_that_knows_the_pause_rejects_before_the_delay_and_leaves_the_key_unused() {
    let stage = Stage::with(5, &["1.75"]).await;
    paused(&stage).await;
    stage.placements.read_pause().await;
    let begin = tokio::time::Instant::now();
    let answer = stage.placements.place(stage.order(1, Consent::None, HOME_WIN)).await;
    assert_eq!(answered(&answer), (400, "refusedBettingPaused ".to_owned()));
    assert_eq!(begin.elapsed(), Duration::ZERO, "the paused clock: the bettor did not wait");
    resumed(&stage).await;
    stage.placements.read_pause().await;
    let answer = stage.placements.place(stage.order(1, Consent::None, HOME_WIN)).await;
    assert_eq!(answered(&answer).0, 200);
}

#[tokio::test(start_paused = true)]
async fn pause_during_the_delay_rejects_the_bet_and_uses_its_key() {
    let stage = Stage::with(5, &["1.75"]).await;
    let placing = stage.placements.place(stage.order(1, Consent::None, HOME_WIN));
    let pausing = async {
        pass(Duration::from_secs(2)).await;
        // This node has not read the pause; the transaction of the bet does.
        paused(&stage).await;
    };
    let (answer, ()) = futures_util::future::join(placing, pausing).await;
    assert_eq!(answered(&answer), (400, "refusedBettingPaused ".to_owned()));
    assert_eq!(stage.balance().await, "1000.00");
    resumed(&stage).await;
    let answer = stage.placements.place(stage.order(1, Consent::None, HOME_WIN)).await;
    assert_eq!(answered(&answer), (400, "refusedBettingPaused ".to_owned()), "a 400 after the delay is kept");
    let answer = stage.placements.place(stage.order(2, Consent::None, HOME_WIN)).await;
    assert_eq!(answered(&answer).0, 200);
}

#[tokio::test(start_paused = true)]
async fn accepted_bet_is_answered_again_while_betting_is_paused() {
    let stage = Stage::with(0, &["1.75"]).await;
    let first = stage.placements.place(stage.order(1, Consent::None, HOME_WIN)).await;
    paused(&stage).await;
    stage.placements.read_pause().await;
    let again = stage.placements.place(stage.order(1, Consent::None, HOME_WIN)).await;
    let (PlacementAnswer::Answer(first), PlacementAnswer::Answer(again)) = (&first, &again) else {
        panic!("{first:?}, {again:?}")
    };
    assert_eq!((first.status, first), (200, again));
}

#[tokio::test(start_paused = true)]
async fn pause_does_not_affect_the_offer_and_its_readers() {
    let stage = Stage::with(0, &["1.75"]).await;
    let before = (stage.model.version(), stage.model.feed_state(Lang::Hr));
    paused(&stage).await;
    stage.placements.read_pause().await;
    assert_eq!((stage.model.version(), stage.model.feed_state(Lang::Hr)), before);
}
