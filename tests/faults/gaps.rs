//! R23: one message in a hundred is lost. The gap shows at the next message, or at the next feed-active. From then on
//! no bet is accepted until the offer is complete again. `KVOTA_GAPS=1000` sets the number of gaps.

use crate::seen::{ExpectedOffer, bet_on, match_at, offer_of};
use kvota::testkit::builders::{message, soccer};
use kvota::testkit::measured::{asked_for, count, most, ms};
use kvota::testkit::seed::{Dice, roll};
use kvota::testkit::slip::key;
use kvota::testkit::time::{advance, run_until_idle};
use kvota::testkit::virtual_world::VirtualWorld;
use kvota::testkit::world::NOW_MS;
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::session::SessionId;
use std::time::Duration;
use tokio::time::Instant;

const USUAL: u64 = 40;
const EVENTS_PER_GAP: u64 = 100;
const MATCHES: u64 = 10;
/// A gap must be healed within this time.
const HEALED_WITHIN: Duration = Duration::from_secs(2);

fn state(world: &VirtualWorld) -> FeedState {
    world.node.offer.model.feed_state(Lang::Hr)
}

fn price(dice: &mut Dice) -> String {
    format!("{}.{:02}", dice.between(1, 9), dice.between(10, 99))
}

#[actix::test]
async fn no_bet_is_accepted_between_a_gap_and_its_recovery() {
    let gaps = asked_for("KVOTA_GAPS", USUAL);
    let mut dice = roll(23);
    let mut world = VirtualWorld::start().await;
    let ana = SessionId::from_bytes([1; 16]);
    world.node.account("ana", ana, Money::from_cents(1_000_000_000)).await;
    let mut truth = ExpectedOffer::default();
    let mut prices = Vec::new();
    for id in 1..=MATCHES {
        prices.push(price(&mut dice));
        let there = match_at(id, &prices[prices.len() - 1], 0).insert();
        truth.note(&there);
        world.feed.publish(vec![there]).await;
    }
    world.settle().await;
    let (mut keys, mut bets_inside, mut taken, mut slowest) = (0, 0, 0, Duration::ZERO);
    for gap in 0..gaps {
        let lost_at = dice.below(EVENTS_PER_GAP - 1);
        for event in 0..EVENTS_PER_GAP {
            let id = dice.between(1, MATCHES);
            let now = price(&mut dice);
            let change = match_at(id, &now, dice.below(4) as i64).update();
            truth.note(&change);
            prices[(id - 1) as usize] = now;
            let inputs = world.feed.next_event(message(soccer(), NOW_MS, vec![change]));
            if event != lost_at {
                for input in inputs {
                    world.feed.input(input).await;
                }
                world.settle().await;
                continue;
            }
            // The message is lost. Only the next message or feed-active can show it.
            world.feed.answers = false;
            run_until_idle().await;
            assert_eq!(state(&world), FeedState::Active, "gap {gap}: nothing has told of it");
            if dice.chance(500) {
                let other = match_at(id % MATCHES + 1, &prices[(id % MATCHES) as usize], 0).update();
                truth.note(&other);
                for input in world.feed.next_event(message(soccer(), NOW_MS, vec![other])) {
                    world.feed.input(input).await;
                }
            } else {
                world.feed.active(true).await;
            }
            run_until_idle().await;
            assert_eq!(state(&world), FeedState::Recovering, "gap {gap}: seen at once");
            let seen_at = Instant::now();
            for id in [id, id % MATCHES + 1] {
                keys += 1;
                let slip = bet_on(id, &prices[(id - 1) as usize]);
                let answer = world.node.place(ana, &key(keys), &slip).await;
                bets_inside += u64::from(answer.status == 200);
            }
            world.feed.answers = true;
            // A snapshot request that got no answer is repeated.
            while state(&world) != FeedState::Active {
                assert!(seen_at.elapsed() < HEALED_WITHIN * 5, "gap {gap}: it does not heal");
                world.settle().await;
                advance(Duration::from_millis(20)).await;
            }
            slowest = slowest.max(seen_at.elapsed());
            keys += 1;
            let healed = world.node.place(ana, &key(keys), &bet_on(id, &prices[(id - 1) as usize])).await;
            assert_eq!(healed.status, 200, "gap {gap}: {:?}", healed.json());
            taken += 1;
            // Time passes because the bets of one account are rate limited.
            advance(Duration::from_millis(200)).await;
            world.feed.active(true).await;
        }
        assert_eq!(offer_of(&world.node).await, truth.0, "gap {gap}");
    }
    assert_eq!((bets_inside, taken), (0, gaps));
    count("R23", "gaps, each detected and repaired, without a bet meanwhile", gaps);
    most("R23", "ms of the paused clock until repaired, the slowest", ms(slowest), HEALED_WITHIN.as_millis());
    world.end().await;
}
