//! Several tabs of one bettor: commands, their order, and what each tab receives.

use crate::stage::{Tab, anonymous, base, cookie, favourite, other_verbs, pick, pick_odd, publish, stake, world_over};
use kvota_domain::lang::Lang;
use kvota_domain::ticket::{TicketError, TicketKind};
use kvota_store::Stores;

#[actix::test]
async fn tabs_receive_a_change_before_its_acknowledgement() {
    let world = world_over(Stores::in_memory()).await;
    let mut one = Tab::open(&world.sessions, &anonymous(1)).await;
    let mut two = Tab::open(&world.sessions, &anonymous(1)).await;
    assert_eq!(one.command(pick(1)).await, Ok(()));
    assert_eq!(one.pairs(), [1], "told before it was acknowledged");
    two.until_pairs(&[1]).await;
    assert_eq!(two.command(pick(2)).await, Ok(()));
    assert_eq!(two.command(favourite(3, true)).await, Ok(()));
    one.until_pairs(&[1, 2]).await;
    one.until(|tab| tab.favourites == Some(vec![3])).await;
    assert!(two.answers.len() == 2 && one.answers.len() == 1, "each hears of its own commands");
}

#[actix::test]
async fn every_verb_has_its_effect() {
    let world = world_over(Stores::in_memory()).await;
    let mut tab = Tab::open(&world.sessions, &anonymous(1)).await;
    for id in 1..=3 {
        assert_eq!(tab.command(pick(id)).await, Ok(()));
    }
    for command in other_verbs() {
        assert_eq!(tab.command(command).await, Ok(()));
    }
    assert_eq!(tab.command(stake("12,5")).await, Ok(()));
    let info = tab.ticket.clone().expect("told");
    assert_eq!(info.ticket.kind, TicketKind::System);
    assert_eq!(info.ticket.combination, Some(1), "of two free pairs there is one");
    assert!(info.ticket.pairs[1].is_fix);
    assert_eq!(info.ticket.stake.to_string(), "12.50");
    assert_eq!(info.totals.number_of_odds, 2);
    assert_eq!(info.totals.taxed_stake.to_string(), "12.50", "nobody who is not logged in pays a tax");
    tab.command(pick_odd(1, 1001)).await.expect("another odd of the match");
    assert_eq!(tab.pairs(), [1, 2, 3]);
    tab.command(pick_odd(1, 1001)).await.expect("the same again");
    assert_eq!(tab.pairs(), [2, 3]);
}

#[actix::test]
async fn invalid_command_is_rejected_and_changes_nothing() {
    let mut world = world_over(Stores::in_memory()).await;
    publish(&mut world, vec![crate::stage::with_price(3, "0").update()]).await;
    let mut tab = Tab::open(&world.sessions, &anonymous(1)).await;
    tab.command(pick(1)).await.expect("picked");
    tab.command(pick(1)).await.expect("and dropped again");
    let tickets = tab.tickets;
    for (command, error) in [
        (pick(9), TicketError::UnknownMatch),
        (pick_odd(1, 2000), TicketError::UnknownOdd),
        (pick(3), TicketError::NotOffered),
        (favourite(9, true), TicketError::UnknownMatch),
        (other_verbs().remove(1), TicketError::NoSuchCombination),
        (other_verbs().remove(3), TicketError::NotOnTicket),
    ] {
        assert_eq!(tab.command(command.clone()).await, Err(error), "{command:?}");
    }
    assert_eq!((tab.pairs(), tab.favourites, tab.tickets), (vec![], Some(vec![]), tickets));
}

#[actix::test]
async fn commands_of_a_tab_are_applied_in_order() {
    let world = world_over(Stores::in_memory()).await;
    let mut tab = Tab::open(&world.sessions, &anonymous(1)).await;
    for _ in 0..20 {
        tab.send(pick(1));
        tab.send(pick(2));
    }
    tab.send(pick(3));
    tab.command(stake("7")).await.expect("a stake");
    assert_eq!(tab.pairs(), [3]);
    let numbers: Vec<u64> = tab
        .answers
        .iter()
        .filter_map(|answer| match answer {
            kvota::actors::session::inbox::Answer::Command { n, .. } => Some(*n),
            kvota::actors::session::inbox::Answer::Mark => None,
        })
        .collect();
    assert_eq!(numbers, (1..=42).collect::<Vec<u64>>());
}

#[actix::test]
async fn tab_in_another_language_receives_texts_of_that_language() {
    let mut world = world_over(Stores::in_memory()).await;
    let words = |id: u64, home: &str| {
        base(id).with(|m| {
            m.home = Some(home.into());
            m.market_mut(0).name = Some("Full time".into());
            m.market_mut(0).odds[0].kind = Some("Home".into());
        })
    };
    let mut croatian = Tab::open(&world.sessions, &anonymous(1)).await;
    let mut english = Tab::open_as(&world.sessions, &anonymous(1), cookie(1), Lang::En, false).await;
    croatian.command(pick(1)).await.expect("picked");
    english.until_pairs(&[1]).await;
    let tickets = croatian.tickets;
    reword(&mut world, Lang::En, words(1, "Dinamo of Zagreb").update()).await;
    english.until(|tab| tab.pair(1).is_some_and(|pair| pair.home.as_deref() == Some("Dinamo of Zagreb"))).await;
    let pair = english.pair(1).expect("on the ticket");
    assert_eq!((pair.market_name.as_deref(), pair.odd_name.as_deref()), (Some("Full time"), Some("Home")));
    croatian.settle().await;
    assert_eq!(croatian.tickets, tickets, "nothing of it was news in Croatian");
    assert_eq!(croatian.pair(1).expect("on the ticket").home.as_deref(), Some("Home 1"));
}

/// Sends new texts of a match in one language; the other languages send an empty message.
async fn reword(world: &mut kvota::testkit::world::World, lang: Lang, update: kvota_domain::feed::MatchUpdate) {
    use kvota::testkit::builders::{message, soccer};
    use kvota::testkit::world::NOW_MS;
    use kvota_feed::FeedInput;
    let events = world.feed.next_event(message(soccer(), NOW_MS, vec![]));
    for event in events {
        let event = match event {
            FeedInput::Event { lang: of, position, .. } if of == lang => {
                FeedInput::Event { lang, position, update: message(soccer(), NOW_MS, vec![update.clone()]) }
            }
            other => other,
        };
        world.feed.input(event).await;
    }
    world.settle().await;
}
