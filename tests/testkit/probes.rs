//! Probes: they check which messages arrive, which do not, and when; and what a failed check prints.

use crate::failing::failure_of;
use kvota::testkit::probe::Probe;
use kvota::testkit::{seed, time};
use std::time::Duration;
use tokio::time::Instant;

#[derive(actix::Message, Clone, PartialEq, Debug)]
#[rtype(result = "()")]
struct Goal {
    match_id: u64,
    side: u8,
}

#[derive(actix::Message, Clone, PartialEq, Debug)]
#[rtype(result = "u32")]
struct GetPrice(u64);

fn goal(match_id: u64, side: u8) -> Goal {
    Goal { match_id, side }
}

async fn probe_with(goals: &[Goal]) -> Probe<Goal> {
    time::pause_clock();
    let probe = Probe::<Goal>::start();
    for goal in goals {
        probe.recipient().send(goal.clone()).await.expect("the probe lives");
    }
    probe
}

#[actix::test]
async fn messages_are_received_in_order() {
    let mut probe = probe_with(&[goal(1, 1), goal(2, 1), goal(3, 2), goal(4, 2), goal(5, 1)]).await;
    assert_eq!(probe.waiting(), 5);
    assert_eq!(probe.expect().await, goal(1, 1));
    probe.expect_eq(goal(2, 1)).await;
    assert_eq!(probe.expect_where("a goal of the away side", |goal| goal.side == 2).await.match_id, 3);
    assert_eq!(probe.expect_eventually("a goal of match 5", |goal| goal.match_id == 5).await, goal(5, 1));
    probe.expect_none().await;
}

#[actix::test]
async fn given_number_of_messages_is_received_at_once() {
    let mut probe = probe_with(&[goal(1, 1), goal(2, 1)]).await;
    assert_eq!(probe.expect_n(2).await, [goal(1, 1), goal(2, 1)]);
    let failure = failure_of(async {
        probe.expect_n(1).await;
    });
    assert!(failure.await.contains("1 messages were expected, and 0 came"));
}

#[actix::test]
async fn test_answers_a_message_by_hand() {
    time::pause_clock();
    let mut probe = Probe::<GetPrice>::start_manual();
    let asking = probe.recipient().send(GetPrice(7));
    let story = async {
        assert_eq!(probe.expect().await, GetPrice(7));
        probe.reply(1850);
        let failure = failure_of(async { probe.reply(1) });
        assert!(failure.await.starts_with("nobody waits for an answer of this probe"));
    };
    let (answer, ()) = futures_util::future::join(asking, story).await;
    assert_eq!(answer, Ok(1850));
}

#[actix::test]
async fn probe_can_answer_automatically() {
    let mut probe = Probe::answering(|GetPrice(id)| *id as u32 * 100);
    assert_eq!(probe.recipient().send(GetPrice(3)).await, Ok(300));
    assert_eq!(probe.expect().await, GetPrice(3));
}

#[actix::test]
async fn failure_shows_the_mailbox_and_the_nearest_message() {
    let mut probe = probe_with(&[goal(17, 1), goal(18, 2)]).await;
    let failure = failure_of(async {
        probe.expect_eq(goal(17, 2)).await;
    });
    let failure = failure.await;
    assert!(failure.contains("another message came than the one expected"), "{failure}");
    assert!(failure.contains("the last 2 of 2 messages that Probe<Goal> received:"), "{failure}");
    assert!(failure.contains("0.000 s  Goal { match_id: 17, side: 1 }"), "{failure}");
    assert!(failure.contains("expected: Goal { match_id: 17, side: 2 }"), "{failure}");
    assert!(failure.contains("nearest:  Goal { match_id: 18, side: 2 }"), "{failure}");
    assert!(failure.contains("tests/testkit/probes.rs:"), "the place in the test is told: {failure}");
}

#[actix::test]
async fn failure_under_a_seed_prints_how_to_repeat_it() {
    let mut probe = probe_with(&[]).await;
    seed::roll(4711);
    let failure = failure_of(async {
        probe.expect().await;
    });
    let failure = failure.await;
    let again = "again: KVOTA_SEED=4711 cargo nextest run --features testkit -E \
                 'test(=probes::failure_under_a_seed_prints_how_to_repeat_it)'";
    assert!(failure.contains("seed 4711") && failure.contains(again), "{failure}");
}

#[actix::test]
async fn probe_timeout_uses_the_paused_clock() {
    let mut probe = probe_with(&[]).await;
    let before = Instant::now();
    failure_of(async {
        probe.expect().await;
    })
    .await;
    let least_step = Duration::from_millis(2);
    assert!((time::patience()..time::patience() + least_step).contains(&before.elapsed()));
    let before = Instant::now();
    let story = async |probe: &mut Probe<Goal>| {
        failure_of(async {
            let _ = probe.expect().await;
        })
        .await
    };
    probe.within(Duration::from_millis(20), story).await;
    let limit = time::stretched(Duration::from_millis(20));
    assert!((limit..limit + least_step).contains(&before.elapsed()));
    probe.expect_none_for(Duration::from_secs(3600)).await;
}
