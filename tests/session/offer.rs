//! How changes of the offer change tickets: reasons, prices, deleted matches; and which sessions they do not wake.

use crate::stage::{Tab, anonymous, base, favourite, pick, publish, with_price, world_over};
use kvota::testkit::builders::{live_match, match_id, message, price, result, soccer, sport_id};
use kvota::testkit::world::{NOW_MS, World};
use kvota_domain::feed::FeedUpdate;
use kvota_domain::offer_event::FeedState;
use kvota_domain::sport::SportPatch;
use kvota_domain::ticket::{BuilderCode, CannotBet};
use kvota_store::Stores;

async fn picked() -> (World, Tab) {
    let world = world_over(Stores::in_memory()).await;
    let mut tab = Tab::open(&world.sessions, &anonymous(1)).await;
    tab.command(pick(1)).await.expect("picked");
    (world, tab)
}

async fn until_reason(tab: &mut Tab, reason: Option<CannotBet>) {
    tab.until(|tab| tab.pair(1).is_some_and(|pair| pair.reason == reason)).await;
}

#[actix::test]
async fn pair_has_a_reason_while_it_cannot_be_bet_on() {
    let (mut world, mut tab) = picked().await;
    for (update, reason) in [
        (base(1).suspended(), CannotBet::MatchSuspended),
        (base(1).betting_stopped(), CannotBet::BettingStopped),
        (live_match(1), CannotBet::MarketClosed),
        (live_match(1).market(result(10, ["0", "4.00", "6.00"])), CannotBet::OddWithdrawn),
    ] {
        publish(&mut world, vec![update.update()]).await;
        until_reason(&mut tab, Some(reason)).await;
        let code = tab.ticket.as_ref().and_then(|ticket| ticket.builder_code);
        assert_eq!(code, Some(BuilderCode::PairCannotBeBetOn), "{reason:?}");
        publish(&mut world, vec![base(1).update()]).await;
        until_reason(&mut tab, None).await;
    }
}

#[actix::test]
async fn pair_keeps_the_picked_odd_beside_the_current_odd() {
    let (mut world, mut tab) = picked().await;
    publish(&mut world, vec![with_price(1, "1.75").update()]).await;
    tab.until(|tab| tab.pair(1).is_some_and(|pair| pair.price == price("1.75"))).await;
    let info = tab.ticket.expect("told");
    assert_eq!(info.ticket.pairs[0].picked, price("1.50"));
    assert_eq!(info.totals.total_odd.to_string(), "1.75");
}

#[actix::test]
async fn pairs_stay_and_show_the_feed_state_while_the_feed_is_down() {
    let (mut world, mut tab) = picked().await;
    world.feed.answers = false;
    world.feed.seq += 1;
    world.feed.publish(vec![]).await;
    until_reason(&mut tab, Some(CannotBet::FeedRecovering)).await;
    world.feed.lose_link().await;
    until_reason(&mut tab, Some(CannotBet::FeedInactive)).await;
    assert_eq!(tab.pair(1).and_then(|pair| pair.home.as_deref()), Some("Home 1"), "with the words it was picked with");
    assert_eq!(tab.command(pick(2)).await, Err(kvota_domain::ticket::TicketError::UnknownMatch));
    world.feed.answers = true;
    world.feed.connect().await;
    world.until("the feed is active", |world| world.is_active()).await;
    until_reason(&mut tab, None).await;
    assert_eq!(tab.pairs(), [1]);
}

#[actix::test]
async fn pair_of_an_unreadable_match_cannot_be_bet_on_until_its_next_update() {
    let (mut world, mut tab) = picked().await;
    let unreadable = FeedUpdate { unreadable: vec![match_id(1)], ..message(soccer(), NOW_MS, vec![]) };
    for event in world.feed.next_event(unreadable) {
        world.feed.input(event).await;
    }
    until_reason(&mut tab, Some(CannotBet::MatchSuspended)).await;
    // The same content as before: only the reason differs.
    publish(&mut world, vec![base(1).update()]).await;
    until_reason(&mut tab, None).await;
}

#[actix::test]
async fn deleted_match_is_removed_from_ticket_and_favourites_permanently() {
    let stores = Stores::in_memory();
    let mut world = world_over(stores.clone()).await;
    let mut tab = Tab::open(&world.sessions, &anonymous(1)).await;
    for command in [pick(1), pick(2), favourite(1, true), favourite(3, true)] {
        tab.command(command).await.expect("done");
    }
    publish(&mut world, vec![base(1).delete()]).await;
    tab.until(|tab| tab.pairs() == [2] && tab.favourites == Some(vec![3])).await;
    publish(&mut world, vec![base(1).insert(), base(3).delete()]).await;
    tab.until(|tab| tab.favourites == Some(vec![])).await;
    tab.command(favourite(2, true)).await.expect("with which all of it is saved");
    let restarted = world_over(stores).await;
    let mut again = Tab::open(&restarted.sessions, &anonymous(1)).await;
    again.until(|tab| tab.pairs() == [2] && tab.favourites == Some(vec![2])).await;
}

#[actix::test]
async fn match_deleted_during_an_outage_is_removed_after_recovery() {
    let stores = Stores::in_memory();
    let mut world = world_over(stores.clone()).await;
    let mut tab = Tab::open(&world.sessions, &anonymous(1)).await;
    for command in [pick(1), pick(2), favourite(1, true)] {
        tab.command(command).await.expect("done");
    }
    world.feed.lose_link().await;
    until_reason(&mut tab, Some(CannotBet::FeedInactive)).await;
    let update = kvota::testkit::builders::message(
        kvota::testkit::builders::soccer(),
        kvota::testkit::world::NOW_MS,
        vec![base(1).delete()],
    );
    let _said_to_nobody = world.feed.next_event(update);
    world.feed.connect().await;
    world.until("the feed is active", |world| world.is_active()).await;
    tab.until(|tab| tab.pairs() == [2] && tab.favourites == Some(vec![])).await;

    let mut restarted = World::over(stores).await;
    publish(&mut restarted, vec![base(3).insert()]).await;
    let mut again = Tab::open(&restarted.sessions, &anonymous(1)).await;
    again.until_pairs(&[]).await;
}

#[actix::test]
async fn match_that_moves_to_another_sport_stays_on_the_ticket() {
    let (mut world, mut tab) = picked().await;
    tab.command(favourite(1, true)).await.expect("marked");
    let futsal = SportPatch { name: Some("Futsal".into()), ..SportPatch::empty(sport_id(29)) };
    world.feed.publish_sport(futsal, vec![base(1).sport(29).update()]).await;
    world.settle().await;
    let moved = world.offer.model.entry(match_id(1)).map(|entry| entry.state.live_match.sport_id);
    assert_eq!(moved, Some(sport_id(29)));
    // The deletion of another match proves that the time to wait for match 1 is over.
    tab.command(pick(2)).await.expect("picked");
    publish(&mut world, vec![base(2).delete()]).await;
    tab.until_pairs(&[1]).await;
    assert_eq!(tab.favourites, Some(vec![1]));
    assert_eq!(tab.pair(1).map(|pair| pair.reason), Some(None));
}

#[actix::test]
async fn price_change_wakes_only_sessions_with_the_match_on_their_ticket() {
    let mut world = world_over(Stores::in_memory()).await;
    let mut holder = Tab::open(&world.sessions, &anonymous(1)).await;
    holder.command(pick(1)).await.expect("picked");
    let mut others = Vec::new();
    for number in 2..=6 {
        let mut tab = Tab::open(&world.sessions, &anonymous(number)).await;
        tab.command(pick(2)).await.expect("picked");
        tab.command(favourite(1, true)).await.expect("marked");
        others.push(tab);
    }
    let before = world.sessions.observe().await;
    assert_eq!((before.live, before.with_matches), (6, 6));
    let tickets: Vec<usize> = others.iter().map(|tab| tab.tickets).collect();
    for price in ["1.51", "1.52", "1.53", "1.54", "1.55"] {
        publish(&mut world, vec![with_price(1, price).update(), with_price(3, price).update()]).await;
    }
    holder.until(|tab| tab.pair(1).is_some_and(|pair| pair.price == price("1.55"))).await;
    assert_eq!(world.sessions.observe().await.wakes - before.wakes, 5, "once a change, and only for the holder");
    for tab in &mut others {
        tab.settle().await;
    }
    assert_eq!(others.iter().map(|tab| tab.tickets).collect::<Vec<_>>(), tickets);
}

#[actix::test]
async fn slow_tab_has_at_most_one_pending_ticket() {
    let (mut world, mut tab) = picked().await;
    let mut slow = Tab::open(&world.sessions, &anonymous(1)).await;
    for thousandths in 1_600..1_620_u32 {
        let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
        publish(&mut world, vec![with_price(1, &text).update()]).await;
        let expected = price(&text);
        tab.until(|tab| tab.pair(1).is_some_and(|pair| pair.price == expected)).await;
    }
    // The session sends to one tab after the other. When this tab has received the answer, the slow one was sent to
    // too.
    tab.settle().await;
    slow.take_what_waits();
    assert_eq!(slow.tickets, 1, "the newest alone");
    assert_eq!(slow.pair(1).map(|pair| pair.price), Some(price("1.619")));
    assert_eq!(world.offer.model.feed_state(kvota_domain::lang::Lang::Hr), FeedState::Active);
}
