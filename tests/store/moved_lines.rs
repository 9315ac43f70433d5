//! A producer that gives a market another line under the same id, which CONTRACT 0 forbids: the result of the new line
//! must not decide bets on the earlier one.

use crate::engine::handed;
use crate::settlement::{Report, bet, report};
use crate::world::{Kind, NOW, World, match_id, order, pair};
use kvota::betting::bet_events::BetEvents;
use kvota::betting::settlement::Settlements;
use kvota::testkit::builders::{live_match, total};
use kvota_domain::aggregate::MatchState;
use kvota_domain::bet::AccountId;
use kvota_domain::lang::{Lang, PerLang};
use kvota_read_model::ReadModel;
use kvota_store::{BetRules, BetState, OfferedLine, UnsettledCause};
use std::sync::Arc;

/// The only market of a match in these tests now has this line.
fn line(match_of: u64, sbv: &str) -> OfferedLine {
    OfferedLine { match_id: match_id(match_of), market_id: pair(match_of).market_id, sbv: sbv.to_owned() }
}

/// Places a bet on matches. That on match 1 is on the line 2.5; the others have none.
async fn place(world: &World, account: AccountId, number: u32, matches: &[u64]) {
    let mut placed = order(account, number);
    placed.bet.pairs = matches.iter().map(|id| pair(*id)).collect();
    world.stores.bets.place(placed).await.expect("the store answers");
}

async fn park(world: &World, lines: &[OfferedLine]) -> u64 {
    world.stores.settlements.park_moved_lines(lines.to_vec()).await.expect("the store answers")
}

pub(crate) async fn a_bet_on_a_line_that_moved_waits_for_an_operator(world: &World) {
    let store = &world.stores.settlements;
    let ana = world.account("ana", 3000).await;
    place(world, ana, 1, &[1]).await;
    place(world, ana, 2, &[3]).await;
    assert_eq!(park(world, &[line(1, "2.5"), line(3, "")]).await, 0, "no line has moved");
    assert_eq!(park(world, &[line(1, "3.5"), line(3, "")]).await, 1);
    assert_eq!(park(world, &[line(1, "3.5")]).await, 0, "a pair is parked once");

    report(world, 1, 1, Report::Won).await;
    report(world, 3, 1, Report::Won).await;
    assert_eq!(bet(world, ana, 1).await.state, BetState::Open);
    assert_eq!(bet(world, ana, 2).await.state, BetState::Won);
    let unsettled = store.unsettled_bets(NOW).await.expect("the store answers");
    assert_eq!(unsettled.iter().map(|bet| bet.cause).collect::<Vec<_>>(), [UnsettledCause::Parked]);

    // The operator has found that the result is that of the bet's line.
    assert!(store.reset_result_version(match_id(1), pair(1).market_id).await.expect("the store answers"));
    report(world, 3, 2, Report::Won).await;
    assert_eq!(bet(world, ana, 1).await.state, BetState::Won);
}

pub(crate) async fn a_cancellation_voids_a_bet_on_a_line_that_moved(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1, &[1]).await;
    park(world, &[line(1, "3.5")]).await;
    report(world, 1, 1, Report::Cancelled { from_ms: None, until_ms: None }).await;
    assert_eq!(bet(world, ana, 1).await.state, BetState::Void);
}

pub(crate) async fn a_pair_that_was_decided_before_the_line_moved_stays_decided(world: &World) {
    let ana = world.account("ana", 1000).await;
    place(world, ana, 1, &[1, 3]).await;
    report(world, 1, 1, Report::Won).await;
    assert_eq!(park(world, &[line(1, "3.5")]).await, 0);
    report(world, 3, 1, Report::Won).await;
    assert_eq!(bet(world, ana, 1).await.state, BetState::Won);
}

/// With the line 3.5 in the offer, a result must not decide the bet on the line 2.5.
async fn engine_parks(while_running: bool) {
    let world = World::new(Kind::Memory).await;
    let ana = world.account("ana", 1000).await;
    place(&world, ana, 1, &[1]).await;
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    let offer = |sbv| {
        let offered = live_match(1).market(total(20, sbv, ["2", "1.8"])).with(|offered| {
            offered.market_mut(0).id = pair(1).market_id;
        });
        model.put_match(Arc::new(MatchState::inserted(&offered.insert(), NOW, &[], PerLang::default(), 1)));
    };
    offer(if while_running { "2.5" } else { "3.5" });
    let engine =
        Settlements::new(world.stores.clone(), Arc::clone(&model), BetRules::default(), BetEvents::default(), || NOW);
    let (source, _sink, _requests) = handed();
    #[expect(clippy::disallowed_methods, reason = "aborted below")]
    let running = tokio::spawn(engine.run(source));
    if while_running {
        offer("3.5");
        model.note_moved_line(match_id(1));
    }

    // The first result that finds the pair parked leaves the bet open; each one before is taken back.
    let mut version = 0;
    loop {
        version += 1;
        report(&world, 1, version, Report::Won).await;
        if bet(&world, ana, 1).await.state == BetState::Open {
            break;
        }
        version += 1;
        report(&world, 1, version, Report::OpenAgain).await;
        tokio::task::yield_now().await;
    }
    running.abort();
    let _ = running.await;
    world.end().await;
}

#[tokio::test]
async fn the_engine_parks_bets_when_a_line_moves() {
    engine_parks(true).await;
}

#[tokio::test]
async fn the_engine_finds_open_bets_of_which_the_line_moved_before_it_ran() {
    engine_parks(false).await;
}
