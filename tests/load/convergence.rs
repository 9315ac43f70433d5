//! The sampled sessions of `kvota load` detect a server whose frames do not lead to its offer (CONTRACT 3.1).

use crate::proxy::{FrameEdit, before};
use crate::stage::{live_world, load};
use kvota_load::results::Results;
use std::sync::atomic::{AtomicU32, Ordering};

async fn behind(harm: FrameEdit) -> (Option<i32>, Results) {
    let mut world = live_world().await;
    let proxy = before(world.address(), harm);
    let arguments =
        ["--stage", "6s:3", "--persona", "watcher=1", "--think", "30s", "--sample", "3", "--check-every", "250ms"];
    let ended = load(&mut world, proxy.address, &arguments).await;
    (ended.code, ended.results())
}

/// Whether a frame comes from a room: its first message is the date of the changes.
fn is_of_the_feed(body: &[u8]) -> bool {
    body.len() > 3 && body[1..3] == [0x92, 13]
}

#[actix::test]
async fn unmodified_server_converges() {
    let (code, results) = behind(|body| Some(body.to_vec())).await;
    assert_eq!((code, results.convergence.failures()), (Some(0), 0), "{:?}", results.convergence);
    assert!(results.convergence.compared > 30, "{:?}", results.convergence);
}

#[actix::test]
async fn lost_frame_is_detected() {
    static SEEN: AtomicU32 = AtomicU32::new(0);
    let (code, results) = behind(|body| {
        let is_unlucky = is_of_the_feed(body) && SEEN.fetch_add(1, Ordering::Relaxed) % 50 == 49;
        (!is_unlucky).then(|| body.to_vec())
    })
    .await;
    assert_eq!(code, Some(99));
    assert!(results.convergence.gaps > 0 && !results.passed, "{:?}", results.convergence);
    assert!(!results.convergence.examples.is_empty());
}

#[actix::test]
async fn wrong_price_is_detected() {
    let (code, results) = behind(|body| {
        // The price of an odd in thousandths is a 16 bit number.
        let mut body = body.to_vec();
        if is_of_the_feed(&body)
            && let Some(at) = body.windows(3).position(|price| price[0] == 0xcd && (0x07..0x14).contains(&price[1]))
        {
            body[at + 2] ^= 1;
        }
        Some(body)
    })
    .await;
    assert_eq!(code, Some(99));
    assert!(results.convergence.mismatches > 0, "{:?}", results.convergence);
}
