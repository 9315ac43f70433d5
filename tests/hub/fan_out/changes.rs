//! Properties 1, 2, 3 and 5 of the hub (CONTRACT 3): replicas converge, a change is encoded once, clients receive only
//! what they watch, and bet stops are sent first.

use super::stage::{Client, GATHER_INTERVAL, Stage, all_sports};
use kvota::hub::outbox::Outbox;
use kvota::hub::publishers::Publishers;
use kvota::testkit::builders::{MatchBuilder, live_match, market, match_id, price, result, sport_id, total};
use kvota::testkit::time::pause_clock;
use kvota_domain::aggregate::MatchState;
use kvota_domain::lang::Lang;
use kvota_wire::Encoding;
use kvota_wire::hub::command::{Sports, Watch};
use kvota_wire::hub::fragment::encoded_total;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use tokio::task::yield_now;
use tokio::time::Instant;

fn base(id: u64) -> MatchBuilder {
    live_match(id)
        .market(result(id * 10, ["1.85", "3.2", "4"]))
        .market(total(id * 10 + 1, "2.5", ["1.9", "1.9"]).balanced())
        .market(market(id * 10 + 2, 29).odd("Da", "1.7").odd("Ne", "2.1"))
}

fn with_row_price(id: u64, to: &str) -> MatchBuilder {
    base(id).with(|m| m.market_mut(0).odds[0].value = price(to))
}

fn with_detail_price(id: u64, to: &str) -> MatchBuilder {
    base(id).with(|m| m.market_mut(2).odds[0].value = price(to))
}

#[actix::test]
async fn update_is_encoded_once_for_all_connections_with_the_same_encoding() {
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert()]).await;
    let mut clients: Vec<Client> = (0..100).map(|_| stage.client(Encoding::Msgpack, all_sports())).collect();
    let english: Vec<Client> = (0..100).map(|_| stage.client_in(Lang::En, Encoding::Msgpack, all_sports())).collect();
    let before = encoded_total();
    for step in 0..10 {
        stage.feed(vec![with_row_price(1, &format!("1.{}", 10 + step)).update()]).await;
        stage.rooms.flush_all();
    }
    // Ten changes, which all languages share, and two dates a frame: one for each room.
    assert_eq!(encoded_total() - before, 10 + 20);
    assert!(english.iter().all(|client| client.outbox.queued_bytes() == clients[0].outbox.queued_bytes()));
    clients[0].take_all();
    assert_eq!(clients[0].frames, 10);
}

/// On a paused clock: one client that watches match 1 and has just received a change, and one that watches match 2.
async fn busy_and_idle_client() -> (Stage, Client, Client) {
    pause_clock();
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert(), base(2).insert()]).await;
    let watch = |id| Watch { sports: Sports::Of(vec![]), favourites: false, matches: vec![match_id(id)], bets: false };
    let mut busy = stage.client(Encoding::Msgpack, watch(1));
    let quiet = stage.client(Encoding::Msgpack, watch(2));
    stage.feed(vec![with_detail_price(1, "1.6").update()]).await;
    stage.rooms.flush_all();
    assert_eq!(Client::kinds(&busy.take_all()), [5]);
    (stage, busy, quiet)
}

#[actix::test]
async fn idle_room_does_not_wait_for_the_gather_interval_of_a_busy_room() {
    let (mut stage, mut busy, mut quiet) = busy_and_idle_client().await;
    let began = Instant::now();
    stage.feed(vec![with_detail_price(1, "1.65").update(), with_detail_price(2, "1.6").update()]).await;
    assert!(stage.rooms.next_due().is_some_and(|due| due < began + GATHER_INTERVAL), "the quiet one comes first");
    stage.rooms.begin_flush(began + GATHER_INTERVAL / 2);
    assert!(!stage.rooms.flush_some());
    assert_eq!(Client::kinds(&quiet.take_all()), [5]);
    assert_eq!(busy.take_all().len(), 0, "its frames are so far apart");
    assert_eq!(stage.rooms.next_due(), Some(began + GATHER_INTERVAL));
    stage.rooms.begin_flush(began + GATHER_INTERVAL);
    assert!(!stage.rooms.flush_some());
    assert_eq!(Client::kinds(&busy.take_all()), [5]);
}

#[actix::test]
async fn end_of_a_feed_message_flushes_idle_rooms_but_not_gathering_rooms() {
    let (mut stage, mut busy, mut quiet) = busy_and_idle_client().await;
    let began = Instant::now();
    stage.feed(vec![with_detail_price(1, "1.65").update()]).await;
    stage.feed(vec![with_detail_price(2, "1.6").update()]).await;
    assert!(stage.rooms.next_due().is_some_and(|due| due > Instant::now()), "more may come");
    stage.end_feed_message();
    stage.rooms.begin_flush(Instant::now());
    assert!(!stage.rooms.flush_some());
    assert_eq!(Client::kinds(&quiet.take_all()), [5]);
    assert_eq!(stage.rooms.next_due(), Some(began + GATHER_INTERVAL));
    assert_eq!(busy.take_all().len(), 0);
}

#[actix::test]
async fn prices_after_an_urgent_bet_stop_are_sent_without_waiting() {
    pause_clock();
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert(), base(2).insert()]).await;
    let mut reader = stage.client(Encoding::Msgpack, all_sports());
    stage.feed(vec![base(1).betting_stopped().update(), with_row_price(2, "1.9").update()]).await;
    assert_eq!(Client::kinds(&reader.take_all()), [4], "the stop is there at once");
    stage.end_feed_message();
    assert_eq!(stage.rooms.next_due(), Some(Instant::now()));
    stage.rooms.flush_all();
    assert_eq!(Client::kinds(&reader.take_all()), [4]);
}

#[actix::test]
async fn prices_do_not_wait_for_pending_texts_and_are_sent_with_them() {
    pause_clock();
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert()]).await;
    let mut reader = stage.client(Encoding::Msgpack, all_sports());
    let began = Instant::now();
    stage.words(Lang::En, vec![base(1).with(|m| m.home = Some("Zagreb FC".into())).update()]).await;
    assert_eq!(stage.rooms.next_due(), Some(began + GATHER_INTERVAL), "alone they wait for as long as may be");
    stage.feed(vec![with_row_price(1, "1.9").update()]).await;
    assert!(stage.rooms.next_due().is_some_and(|due| due < began + GATHER_INTERVAL / 2));
    stage.rooms.flush_all();
    assert_eq!(
        reader.take_all().iter().map(|frame| Client::kinds(std::slice::from_ref(frame))).collect::<Vec<_>>(),
        [[4, 4]]
    );
}

#[actix::test]
async fn connection_receives_only_what_it_is_subscribed_to() {
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert(), base(2).insert()]).await;
    let watch = |sports, matches: &[u64]| Watch {
        sports,
        favourites: false,
        matches: matches.iter().map(|id| match_id(*id)).collect(),
        bets: false,
    };
    let mut list = stage.client(Encoding::Msgpack, all_sports());
    let mut soccer = stage.client(Encoding::Json, watch(Sports::Of(vec![sport_id(1)]), &[]));
    let mut tennis = stage.client(Encoding::Msgpack, watch(Sports::Of(vec![sport_id(5)]), &[]));
    let mut first = stage.client(Encoding::Msgpack, watch(Sports::Of(vec![]), &[1]));
    let mut both = stage.client(Encoding::Msgpack, watch(Sports::All, &[1]));

    stage.feed(vec![with_detail_price(1, "1.6").update()]).await;
    stage.rooms.flush_all();
    assert_eq!(Client::kinds(&list.take_all()), [0_u64; 0], "the list does not pay for the detail");
    assert_eq!(Client::kinds(&soccer.take_all()), [0_u64; 0]);
    assert_eq!(Client::kinds(&first.take_all()), [5]);
    assert_eq!(Client::kinds(&both.take_all()), [5]);

    let rest_as_it_is = with_row_price(1, "1.9").with(|m| m.market_mut(2).odds[0].value = price("1.6"));
    stage.feed(vec![rest_as_it_is.update(), with_row_price(2, "1.9").update()]).await;
    stage.rooms.flush_all();
    assert_eq!(Client::kinds(&list.take_all()), [4, 4]);
    assert_eq!(Client::kinds(&soccer.take_all()), [4, 4]);
    assert_eq!(Client::kinds(&first.take_all()), [4], "nor the detail for the row");
    assert_eq!(Client::kinds(&both.take_all()), [4, 4], "a row is told once, whatever it is watched for");
    assert_eq!(tennis.take_all().len(), 0);
}

#[actix::test]
async fn bet_stop_is_sent_at_once_and_revisions_stay_in_order() {
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert(), base(2).insert()]).await;
    let mut client = stage.client(Encoding::Msgpack, all_sports());
    stage.feed(vec![with_row_price(1, "1.9").update()]).await;
    assert_eq!(client.take_all().len(), 0, "a price waits for its companions");
    stage.feed(vec![with_row_price(1, "1.9").suspended().update()]).await;
    let frames = client.take_all();
    assert_eq!(frames.len(), 1, "a stop leaves at once, with what waited before it");
    assert_eq!(Client::kinds(&frames), [4, 4]);
    assert_eq!(frames[0][2][2].as_u64(), frames[0][1][2].as_u64().map(|follows| follows + 1));

    stage.feed(vec![with_row_price(2, "1.9").update()]).await;
    stage.feed(vec![base(1).delete()]).await;
    assert_eq!(Client::kinds(&client.take_all()), [4, 6]);
}

#[actix::test]
async fn goal_is_announced_and_a_score_correction_is_not() {
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert()]).await;
    let mut client = stage.client(Encoding::Msgpack, all_sports());
    for (home, away) in [(1, 0), (1, 1), (0, 1)] {
        stage.feed(vec![base(1).score(home, away).update()]).await;
    }
    stage.rooms.flush_all();
    client.take_all();
    assert_eq!(client.replica.goals, [(1, 1), (1, 2)]);
}

#[actix::test]
async fn language_with_an_inactive_feed_receives_no_changes() {
    use kvota_domain::offer_event::FeedState;
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert()]).await;
    stage.offer.model.set_feed(Lang::En, FeedState::Inactive);
    let mut english = stage.client_in(Lang::En, Encoding::Msgpack, all_sports());
    let mut serbian = stage.client_in(Lang::Sr, Encoding::Msgpack, all_sports());
    stage.feed(vec![with_row_price(1, "1.9").update()]).await;
    stage.rooms.flush_all();
    assert_eq!(english.take_all().len(), 0);
    assert_eq!(serbian.take_all().len(), 1);
}

#[actix::test]
async fn checksum_reveals_that_the_last_change_was_lost() {
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert(), base(2).insert()]).await;
    let mut client = stage.client(Encoding::Msgpack, all_sports());
    for id in [1, 2] {
        let entry = stage.offer.model.entry(match_id(id)).expect("the match is there");
        client.outbox.send_match(entry.state.live_match.id, false);
    }
    client.take_all();
    stage.rooms.check();
    stage.rooms.flush_all();
    client.take_all();
    assert!(!client.replica.is_lost);

    stage.feed(vec![base(2).delete()]).await;
    client.outbox.poll_frame(std::task::Waker::noop()).is_ready().then_some(()).expect("a frame to lose");
    stage.rooms.check();
    stage.rooms.flush_all();
    client.take_all();
    assert!(client.replica.is_lost, "the deletion was lost");
}

#[actix::test]
async fn checks_say_nothing_of_changes_that_the_publisher_has_not_received() {
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert()]).await;
    let watch =
        Watch { sports: Sports::Of(vec![]), favourites: false, matches: vec![match_id(1), match_id(2)], bets: false };
    let mut client = stage.client(Encoding::Msgpack, watch);
    client.outbox.send_match(match_id(1), true);
    client.take_all();
    // The actor of the match has written the next revision, and its event is on the way.
    let written = stage.offer.model.entry(match_id(1)).expect("the match is there");
    let mut state = MatchState::clone(&written.state);
    (state.row_revision, state.detail_revision) = (state.row_revision + 1, state.detail_revision + 1);
    stage.offer.model.put_match(Arc::new(state));
    stage.rooms.check();
    stage.rooms.flush_all();
    assert_eq!(Client::kinds(&client.take_all()), [6], "only the match that nobody has is said to be gone");
    assert_eq!(client.replica.gaps, [0_u64; 0]);

    stage.offer.model.put_match(Arc::clone(&written.state));
    stage.feed(vec![with_detail_price(1, "1.6").update()]).await;
    stage.feed(vec![with_row_price(1, "1.9").update()]).await;
    stage.rooms.check();
    stage.rooms.flush_all();
    let kinds = Client::kinds(&client.take_all());
    assert!(kinds.contains(&12), "{kinds:?}");
    assert_eq!(client.replica.gaps, [0_u64; 0]);
}

#[actix::test]
async fn pending_changes_are_sent_before_the_subscription_changes() {
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert(), base(2).insert()]).await;
    let mut client = stage.client(Encoding::Msgpack, all_sports());
    stage.feed(vec![with_row_price(1, "1.9").update()]).await;
    let only_first = Watch { sports: Sports::Of(vec![]), favourites: false, matches: vec![match_id(1)], bets: false };
    stage.watch(&client, &only_first, &[]);
    assert_eq!(Client::kinds(&client.take_all()), [4], "the change of a match it goes on watching is not lost");
    stage.feed(vec![with_row_price(2, "1.9").update()]).await;
    stage.rooms.flush_all();
    assert_eq!(client.take_all().len(), 0);
    stage.leave(&client);
    assert_eq!(stage.rooms.occupancy(), kvota::hub::rooms::Occupancy::default());
}

#[actix::test]
async fn changed_subscription_flushes_pending_changes_to_that_connection_only() {
    let mut stage = Stage::new();
    let mut others: Vec<Client> = (0..3).map(|_| stage.client(Encoding::Msgpack, all_sports())).collect();
    let mut navigating = stage.client(Encoding::Msgpack, all_sports());
    stage.feed(vec![base(1).insert(), base(2).insert()]).await;
    stage.rooms.flush_all();
    others.iter_mut().chain([&mut navigating]).for_each(|client| drop(client.take_all()));
    let with_match = Watch { matches: vec![match_id(1)], ..all_sports() };
    for step in 0..20 {
        let watch = if step % 2 == 0 { &with_match } else { &all_sports() };
        stage.feed(vec![with_row_price(2, &format!("1.{}", 10 + step)).update()]).await;
        stage.watch(&navigating, watch, &[]);
        let kinds = Client::kinds(&navigating.take_all());
        assert!(kinds.contains(&4), "step {step}: the pending change reached the connection that left: {kinds:?}");
        assert!(navigating.replica.gaps.is_empty(), "step {step}");
    }
    let queued: Vec<usize> = others.iter().map(|other| other.outbox.queued_bytes()).collect();
    assert_eq!(queued, [0, 0, 0], "the other members wait for their own time");
    stage.rooms.flush_all();
    for other in &mut others {
        other.take_all();
        assert_eq!(other.frames, 2, "all changes arrive gathered in one frame");
        assert!(other.replica.gaps.is_empty());
    }
    navigating.take_all();
    assert!(navigating.replica.gaps.is_empty(), "changes received twice are ignored");
    assert_eq!(navigating.replica.rows, others[0].replica.rows);
}

#[actix::test]
async fn repeating_the_current_subscription_sends_nothing() {
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert()]).await;
    let mut client = stage.client(Encoding::Msgpack, all_sports());
    let other = stage.client(Encoding::Msgpack, all_sports());
    stage.feed(vec![with_row_price(1, "1.9").update()]).await;
    for _ in 0..50 {
        stage.watch(&client, &all_sports(), &[]);
    }
    assert_eq!((client.outbox.queued_bytes(), other.outbox.queued_bytes()), (0, 0));
    stage.rooms.flush_all();
    assert_eq!(client.take_all().len(), 1, "the change arrives at its time");
}

#[actix::test]
async fn favourites_subscription_sends_each_row_change_once_and_nothing_else() {
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert(), base(2).insert()]).await;
    let watch = |matches| Watch { sports: Sports::Of(vec![]), favourites: true, matches, bets: false };
    let mut client = stage.client(Encoding::Msgpack, watch(vec![]));
    let favourites = [match_id(1), match_id(3)];
    stage.watch(&client, &watch(vec![]), &favourites);
    let mut with_detail = stage.client(Encoding::Msgpack, watch(vec![]));
    stage.watch(&with_detail, &watch(vec![match_id(1)]), &favourites);
    stage.feed(vec![with_row_price(1, "1.9").update(), with_row_price(2, "1.9").update()]).await;
    stage.feed(vec![with_detail_price(1, "1.6").update()]).await;
    stage.rooms.flush_all();
    let rows = Client::kinds(&client.take_all());
    assert!(!rows.is_empty() && rows.iter().all(|kind| *kind == 4), "{rows:?}");
    let both = Client::kinds(&with_detail.take_all());
    assert_eq!(both.iter().filter(|kind| **kind == 4).count(), rows.len(), "each row's change once: {both:?}");
    assert!(both.contains(&5), "{both:?}");
    stage.rooms.check();
    stage.rooms.flush_all();
    assert_eq!(Client::kinds(&client.take_all()), [12, 6], "a favourite that is not in the offer is said to be gone");
    stage.leave(&client);
    stage.leave(&with_detail);
    stage.feed(vec![with_row_price(1, "2.9").update()]).await;
    stage.rooms.flush_all();
    assert_eq!(client.take_all().len(), 0);
}

#[actix::test]
async fn match_subscribed_before_its_insert_is_sent_with_its_detail() {
    let mut stage = Stage::new();
    let watch = Watch { sports: Sports::All, favourites: false, matches: vec![match_id(1)], bets: false };
    let mut client = stage.client(Encoding::Msgpack, watch);
    let mut list = stage.client(Encoding::Msgpack, all_sports());
    stage.feed(vec![base(1).insert()]).await;
    stage.feed(vec![with_detail_price(1, "1.6").update()]).await;
    stage.rooms.flush_all();
    assert_eq!(Client::kinds(&client.take_all()), [7, 3, 10, 5]);
    assert_eq!(client.replica.gaps, [0_u64; 0]);
    assert_eq!(Client::kinds(&list.take_all()), [7, 3]);
}

#[actix::test]
async fn other_tasks_run_while_thousands_of_connections_are_written_to() {
    const ROOMS: u64 = 8;
    const MEMBERS: usize = 300;
    let mut stage = Stage::new();
    stage.feed(vec![base(1).insert()]).await;
    let rooms = Publishers::gathering(GATHER_INTERVAL).start_here(&stage.offer);
    let mut all = Vec::new();
    for other in 0..ROOMS {
        let matches = vec![match_id(1), match_id(100 + other)];
        let watch = Watch { sports: Sports::Of(vec![]), favourites: false, matches, bets: false };
        for _ in 0..MEMBERS {
            let outbox = Rc::new(Outbox::new(Lang::Hr, Encoding::Msgpack, Arc::clone(&stage.offer.model)));
            let id = rooms.borrow_mut().enter(Rc::clone(&outbox));
            rooms.borrow_mut().watch(id, &watch, &[]);
            all.push(outbox);
        }
    }
    stage.feed(vec![with_detail_price(1, "1.6").update()]).await;
    let mut seen = BTreeSet::new();
    while !seen.contains(&all.len()) {
        yield_now().await;
        seen.insert(all.iter().filter(|outbox| outbox.queued_bytes() > 0).count());
    }
    assert!(seen.iter().any(|count| (1..all.len()).contains(count)), "another task never came in between: {seen:?}");
}

#[actix::test]
async fn connections_stay_in_their_rooms_when_others_move_and_leave_in_any_order() {
    const WATCHED: u64 = 3;
    let mut stage = Stage::new();
    stage.feed((1..=WATCHED).map(|id| base(id).insert()).collect()).await;
    let watch = |id| Watch { sports: Sports::Of(vec![]), favourites: false, matches: vec![match_id(id)], bets: false };
    let mut clients: Vec<(u64, Client)> = Vec::new();
    // A fixed pseudo-random order that mixes all three operations.
    let mut dice = 1_u64;
    let mut roll = |sides: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % sides
    };
    for step in 0..600_u64 {
        match roll(4) {
            0 if !clients.is_empty() => {
                let (_, gone) = clients.swap_remove(roll(clients.len()));
                stage.leave(&gone);
            }
            1 if !clients.is_empty() => {
                let moved = roll(clients.len());
                clients[moved].0 = 1 + roll(WATCHED as usize) as u64;
                stage.watch(&clients[moved].1, &watch(clients[moved].0), &[]);
            }
            _ => {
                let watched = 1 + roll(WATCHED as usize) as u64;
                clients.push((watched, stage.client(Encoding::Msgpack, watch(watched))));
            }
        }
        if step % 20 == 0 {
            clients.iter_mut().for_each(|(_, client)| drop(client.take_all()));
            let id = 1 + step / 20 % WATCHED;
            stage.feed(vec![with_detail_price(id, &format!("1.{}", 100 + step)).update()]).await;
            stage.rooms.flush_all();
            for (watched, client) in &mut clients {
                assert_eq!(client.take_all().len(), usize::from(*watched == id), "step {step}");
            }
        }
    }
    let distinct: BTreeSet<u64> = clients.iter().map(|(watched, _)| *watched).collect();
    let occupancy = stage.rooms.occupancy();
    assert_eq!((occupancy.connections, occupancy.rooms), (clients.len(), distinct.len()));
    clients.iter().for_each(|(_, client)| stage.leave(client));
    assert_eq!((stage.rooms.occupancy().connections, stage.rooms.occupancy().rooms), (0, 0));
}
