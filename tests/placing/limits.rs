//! Limits of one bettor: open stakes, and the rate of requests.

use crate::kit::{Bettor, offer};
use kvota::betting::placement::Betting;
use kvota::http::limits::BETS_MAX;
use kvota::testkit::slip::{key, slip_body};
use kvota::testkit::world::World;
use kvota_domain::money::Money;
use kvota_domain::ticket::PlacingLimits;

#[actix_web::test]
async fn each_limit_of_a_bettor_has_its_own_message() {
    let max = |cents| Some(Money::from_cents(cents));
    for (limits, text) in [
        (
            PlacingLimits { user_stake_max: max(2_500), ..PlacingLimits::default() },
            "The stakes of all open bets may be at most 25.00 EUR.",
        ),
        (
            PlacingLimits { match_stake_max: max(2_500), ..PlacingLimits::default() },
            "The stakes on this match may be at most 25.00 EUR: Home 1 – Away 1.",
        ),
        (
            PlacingLimits { match_payout_max: max(4_000), ..PlacingLimits::default() },
            "The payouts on this match may be at most 40.00 EUR: Home 1 – Away 1.",
        ),
    ] {
        let mut world = World::with_betting(Betting { limits, ..Betting::default() }).await;
        offer(&mut world, &["2", "2"]).await;
        let mut ana = Bettor::registered(&world, "ana").await;
        for number in [1, 2] {
            assert_eq!(ana.place(&key(number), &slip_body(0, "10", &[(1, "2")])).await.status, 200);
        }
        let rejected = ana.place(&key(3), &slip_body(0, "10", &[(1, "2")])).await;
        assert_eq!(rejected.error(), (400, text.to_owned()));
        let on_another = ana.place(&key(4), &slip_body(0, "10", &[(2, "2")])).await;
        assert_eq!(on_another.status == 200, limits.user_stake_max.is_none());
        let mut ben = Bettor::registered(&world, "ben").await;
        assert_eq!(ben.place(&key(3), &slip_body(0, "10", &[(1, "2")])).await.status, 200);
    }
}

#[actix_web::test]
async fn parallel_bets_cannot_exceed_a_limit_together() {
    let limits = PlacingLimits { match_stake_max: Some(Money::from_cents(3_000)), ..PlacingLimits::default() };
    let mut world = World::with_betting(Betting { limits, ..Betting::default() }).await;
    offer(&mut world, &["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let asked = (1..=12).map(|number| {
        let mut ana = ana.clone();
        async move { ana.place(&key(number), &slip_body(0, "10", &[(1, "2")])).await.status }
    });
    let statuses = futures_util::future::join_all(asked).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 3, "{statuses:?}");
    assert_eq!(ana.balance().await, "970.00");
}

#[actix_web::test]
async fn too_many_requests_return_429_with_retry_after() {
    let world = World::start().await;
    let mut ana = Bettor::registered(&world, "ana").await;
    for _ in 0..BETS_MAX / 50 {
        // In parallel, so that all fall into one window of the rate limit.
        let asked = (0..50).map(|_| {
            let mut ana = ana.clone();
            async move { ana.place_text("", "").await.status }
        });
        assert_eq!(futures_util::future::join_all(asked).await, [400; 50]);
    }
    let answer = ana.place_text("", "").await;
    assert_eq!(answer.error(), (429, "Too many attempts. Please wait a little and try again.".to_owned()));
    assert!(answer.header("retry-after").parse::<u64>().is_ok_and(|seconds| (1..=10).contains(&seconds)));
    let mut ben = Bettor::registered(&world, "ben").await;
    assert_eq!(ben.place_text("", "").await.status, 400, "another's calls are his own");
}
