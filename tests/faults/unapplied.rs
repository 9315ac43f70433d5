//! A match or an offer whose update could not be applied takes no bets until the feed has sent it again.

use crate::panics::hide_expected_panics;
use crate::seen::{ExpectedOffer, bet_on, match_at, offer_of};
use kvota::actors::fail_point::{Moment, Point};
use kvota::testkit::builders::{match_id, message, soccer, sport_id};
use kvota::testkit::slip::key;
use kvota::testkit::time::{advance, run_until_idle};
use kvota::testkit::virtual_world::VirtualWorld;
use kvota::testkit::world::NOW_MS;
use kvota_domain::feed::{FeedUpdate, MatchUpdate};
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::session::SessionId;
use kvota_feed::{FeedInput, Position};
use std::time::Duration;

pub(crate) struct Betting {
    pub(crate) world: VirtualWorld,
    pub(crate) truth: ExpectedOffer,
    ana: SessionId,
    keys: u64,
}

impl Betting {
    /// Two matches at 2.00, and a registered bettor.
    pub(crate) async fn start() -> Betting {
        hide_expected_panics();
        let world = VirtualWorld::start().await;
        let ana = SessionId::from_bytes([1; 16]);
        world.node.account("ana", ana, Money::from_cents(1_000_000)).await;
        let mut betting = Betting { world, truth: ExpectedOffer::default(), ana, keys: 0 };
        betting.publish((1..=2).map(|id| match_at(id, "2", 0).insert()).collect()).await;
        betting.world.settle().await;
        betting
    }

    pub(crate) async fn publish(&mut self, matches: Vec<MatchUpdate>) {
        matches.iter().for_each(|update| self.truth.note(update));
        self.world.feed.publish(matches).await;
        run_until_idle().await;
    }

    pub(crate) async fn place(&mut self, id: u64, price: &str) -> u16 {
        self.keys += 1;
        self.world.node.place(self.ana, &key(self.keys), &bet_on(id, price)).await.status
    }

    /// Sends these inputs to the reader of the feed.
    pub(crate) async fn send(&mut self, inputs: Vec<FeedInput>) {
        for input in inputs {
            self.world.feed.input(input).await;
        }
        run_until_idle().await;
    }

    fn state(&self) -> FeedState {
        self.world.node.offer.model.feed_state(Lang::Hr)
    }

    pub(crate) async fn heals(&mut self) {
        self.world.feed.answers = true;
        for _ in 0..100 {
            advance(Duration::from_millis(100)).await;
            self.world.settle().await;
            if self.state() == FeedState::Active {
                break;
            }
        }
        assert_eq!(self.state(), FeedState::Active);
        assert_eq!(offer_of(&self.world.node).await, self.truth.0);
    }
}

#[actix::test]
async fn match_whose_update_panics_twice_takes_no_bets_until_its_next_update() {
    let mut betting = Betting::start().await;
    assert_eq!(betting.place(1, "2").await, 200);
    // Two panics in each language.
    betting.world.node.offer.fail_points.arm_times(Point::Match(match_id(1)), Moment::Before, 8);
    let before = betting.world.get("live/match/1").await.json();
    betting.world.feed.publish(vec![match_at(1, "3", 0).update()]).await;
    run_until_idle().await;
    assert_eq!(betting.place(1, "2").await, 400, "the old price is not the feed's any more");
    assert_eq!(betting.place(2, "2").await, 200, "its neighbour is as it was");
    assert_eq!(betting.world.get("live/match/1").await.json()["suspended"], true);
    // The same content again: applying it successfully is what opens the match.
    betting.publish(vec![match_at(1, "2", 0).update()]).await;
    assert_eq!(betting.world.get("live/match/1").await.json()["suspended"], before["suspended"]);
    assert_eq!(betting.place(1, "2").await, 200);
    betting.world.end().await;
}

#[actix::test]
async fn sport_that_panics_twice_on_a_message_is_recovered_by_a_snapshot() {
    // Two panics in each language.
    let mut betting = Betting::start().await;
    betting.world.feed.answers = false;
    betting.world.node.offer.fail_points.arm_times(Point::Sport(sport_id(1)), Moment::Written, 8);
    betting.publish(vec![match_at(1, "3", 0).update(), match_at(2, "3", 0).update()]).await;
    assert_eq!(betting.state(), FeedState::Recovering);
    assert_eq!(betting.place(2, "2").await, 400);
    betting.heals().await;
    assert_eq!(betting.place(2, "3").await, 200);
    betting.world.end().await;
}

/// A live event of no readable match, in all languages.
fn empty_event(betting: &mut Betting, change: impl Fn(&mut FeedUpdate)) -> Vec<FeedInput> {
    let mut update = message(soccer(), NOW_MS, vec![]);
    change(&mut update);
    betting.world.feed.next_event(update)
}

#[actix::test]
async fn unreadable_match_takes_no_bets_until_a_readable_update() {
    let mut betting = Betting::start().await;
    let before = betting.world.get("live/match/1").await.json();
    let unreadable = empty_event(&mut betting, |update| update.unreadable = vec![match_id(1)]);
    betting.send(unreadable).await;
    assert_eq!(betting.state(), FeedState::Active);
    assert_eq!(betting.place(1, "2").await, 400);
    assert_eq!(betting.place(2, "2").await, 200);
    assert_eq!(betting.world.get("live/match/1").await.json()["suspended"], true);
    assert_eq!(offer_of(&betting.world.node).await, betting.truth.0, "nothing already held is lost");

    // A message in another language does not open the match.
    let seq = betting.world.feed.seq;
    let position = Position { epoch: betting.world.feed.epoch, seq: seq + 1 };
    let update = message(soccer(), NOW_MS, vec![match_at(1, "2", 0).update()]);
    betting.world.feed.input(FeedInput::Event { lang: Lang::En, position, update }).await;
    run_until_idle().await;
    assert_eq!(betting.place(1, "2").await, 400);
    betting.publish(vec![match_at(1, "2", 0).update()]).await;
    assert_eq!(betting.place(1, "2").await, 200);
    assert_eq!(betting.world.get("live/match/1").await.json()["suspended"], before["suspended"]);
    betting.world.end().await;
}

#[actix::test]
async fn unreadable_match_is_recovered_by_a_snapshot() {
    let mut betting = Betting::start().await;
    let unreadable = empty_event(&mut betting, |update| update.unreadable = vec![match_id(1)]);
    betting.send(unreadable).await;
    assert_eq!(betting.place(1, "2").await, 400);
    drop(empty_event(&mut betting, |_| {}));
    betting.world.feed.active(true).await;
    betting.heals().await;
    assert_eq!(betting.place(1, "2").await, 200);
    betting.world.end().await;
}

#[actix::test]
async fn match_without_a_readable_id_counts_as_a_gap_of_its_language() {
    let mut betting = Betting::start().await;
    betting.world.feed.answers = false;
    let mut incomplete = empty_event(&mut betting, |update| update.is_incomplete = true);
    let of_primary = incomplete.pop().expect("the primary language comes last");
    betting.send(incomplete).await;
    assert_ne!(betting.world.node.offer.model.readiness().feed[Lang::En], FeedState::Active);
    assert_eq!(betting.state(), FeedState::Active, "the primary language has no gap");
    assert_eq!(betting.place(1, "2").await, 200);
    betting.send(vec![of_primary]).await;
    assert_eq!(betting.state(), FeedState::Recovering);
    assert_eq!(betting.place(1, "2").await, 400);
    betting.heals().await;
    assert_eq!(betting.place(1, "2").await, 200);
    betting.world.end().await;
}

#[actix::test]
async fn match_that_is_unreadable_in_a_snapshot_stays_and_takes_no_bets() {
    let mut betting = Betting::start().await;
    betting.world.feed.answers = false;
    let answered = betting.world.feed.asked.clone();
    drop(empty_event(&mut betting, |_| {}));
    betting.world.feed.active(true).await;
    while Lang::ALL.iter().any(|lang| betting.world.feed.asked[*lang] == answered[*lang]) {
        advance(Duration::from_millis(100)).await;
        betting.world.settle().await;
    }
    assert_eq!(betting.state(), FeedState::Recovering, "an event was lost");
    let position = Position { epoch: betting.world.feed.epoch, seq: betting.world.feed.seq };
    for lang in Lang::ALL {
        let correlation = betting.world.feed.asked[lang].expect("a request for a snapshot");
        let mut update = message(soccer(), NOW_MS, vec![match_at(2, "2", 0).insert()]);
        update.unreadable = vec![match_id(1)];
        betting.world.feed.input(FeedInput::Snapshot { lang, correlation, position, update }).await;
    }
    run_until_idle().await;
    assert_eq!(betting.state(), FeedState::Active);
    assert_eq!(offer_of(&betting.world.node).await, betting.truth.0, "nothing already held is lost");
    assert_eq!(betting.world.get("live/match/1").await.json()["suspended"], true);
    assert_eq!(betting.place(1, "2").await, 400);
    assert_eq!(betting.place(2, "2").await, 200);
    betting.publish(vec![match_at(1, "2", 0).update()]).await;
    assert_eq!(betting.place(1, "2").await, 200);
    betting.world.end().await;
}
