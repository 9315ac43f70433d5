//! Bets in any store: each is placed once and completely, and never for more than the balance.

use crate::world::{NOW, World, count_placed, key, match_id, order, pair, place_all, ticket_id};
use futures_util::future::join_all;
use kvota::testkit::measured::most;
use kvota_domain::bet::BetChange;
use kvota_domain::money::Money;
use kvota_domain::settlement::StakePart;
use kvota_domain::ticket::{AccountFacts, MatchFacts, PAIRS_MAX, PlacingLimits};
use kvota_store::{
    AccountId, Answer, BetState, KeepRefusal, Kept, KeyPurpose, PlaceBet, Placed, StoreError, StoredBet, StoredResult,
    TicketFilter,
};

pub(crate) async fn bet_is_stored_unchanged(world: &World) {
    let account = world.account("ana", 2550).await;
    let order = order(account, 1);
    let answer = Answer { status: 200, body: b"balance 15.50".to_vec() };
    let balance = Money::from_cents(1550);

    let placed = world.stores.bets.place(order.clone()).await.expect("the store answers");

    let Placed::Placed { balance: left, answer: answered, event } = placed else { panic!("{placed:?}") };
    assert_eq!((left, &answered), (balance, &answer));
    let BetChange::Placed(published) = &event.change else { panic!("{event:?}") };
    assert_eq!((event.account, event.money.balance, published.results.len()), (account, balance, 2));
    assert_eq!(world.balance(account).await, 1550);
    let expected = StoredBet {
        ticket_id: order.ticket_id.clone(),
        account,
        number: published.number,
        revision: 0,
        state: BetState::Open,
        balance_after: balance,
        settlement: None,
        results: vec![StoredResult::default(); 2],
        rest: StakePart { bruto: order.bet.bruto, taxed_stake: order.bet.stake },
        cash_outs: Vec::new(),
        cash_out_rule: None,
        bet: order.bet.clone(),
    };
    assert_eq!(**published, expected);
    let stored = world.stores.bets.ticket(account, &order.ticket_id).await.expect("the store answers");
    assert_eq!(stored, Some(expected.clone()));
    let by_number = world.stores.bets.numbered_ticket(account, expected.ticket_number()).await;
    assert_eq!(by_number.expect("the store answers"), Some(expected));
    let record =
        world.stores.bets.find_key(account, order.key).await.expect("the store answers").expect("a kept answer");
    assert_eq!((record.digest, record.answer), (order.digest, answer));
}

pub(crate) async fn bet_with_any_text_of_a_feed_is_stored(world: &World) {
    let account = world.account("ana", 1000).await;
    let mut order = order(account, 1);
    let pair = &mut order.bet.pairs[0];
    let named = [&mut pair.texts.home, &mut pair.texts.away, &mut pair.texts.market, &mut pair.texts.odd];
    named.into_iter().chain([&mut pair.texts.tournament]).for_each(|text| text.push_str("a\0b"));
    (pair.sbv, pair.odd_type) = (Some("2\0.5".to_owned()), Some("\0".to_owned()));

    let placed = world.stores.bets.place(order.clone()).await.expect("the store answers");

    assert!(matches!(placed, Placed::Placed { .. }), "{placed:?}");
    let ticket = world.stores.bets.ticket(account, &order.ticket_id).await.expect("the store answers");
    let kept = &ticket.expect("it is kept").bet.pairs[0];
    // A database may drop NUL characters.
    let held = |text: &str| text.replace('\0', "");
    assert_eq!(held(&kept.texts.home), "Šibenik \"94\"ab");
    assert_eq!(
        (kept.sbv.as_deref().map(held), kept.odd_type.as_deref().map(held)),
        (Some("2.5".into()), Some("".into()))
    );
}

pub(crate) async fn bet_with_the_maximum_number_of_pairs_is_stored(world: &World) {
    let account = world.account("ana", 1000).await;
    let mut order = order(account, 1);
    order.bet.pairs = (1..=PAIRS_MAX as u64).map(pair).collect();
    let placed = world.stores.bets.place(order.clone()).await.expect("the store answers");
    assert!(matches!(placed, Placed::Placed { .. }), "{placed:?}");
    let kept = world.stores.bets.ticket(account, &order.ticket_id).await.expect("the store answers");
    assert_eq!(kept.map(|ticket| ticket.bet.pairs), Some(order.bet.pairs));
}

pub(crate) async fn thousand_bets_with_money_for_ten_place_ten(world: &World) {
    let account = world.account("ana", 10_999).await;

    let outcomes = place_all(&world.stores, (0..1000).map(|number| order(account, number))).await;

    assert_eq!(count_placed(&outcomes), 10);
    most("R34", "bets taken of 1,000 at once with money for ten", count_placed(&outcomes), 10);
    let rejected = outcomes.iter().filter(|placed| matches!(placed, Placed::NotEnough { .. })).count();
    assert_eq!(rejected, 990);
    assert_eq!(world.balance(account).await, 999);
    let page = world
        .stores
        .bets
        .tickets(account, TicketFilter::All, None, 100)
        .await
        .expect("the store answers")
        .expect("a page");
    assert_eq!(page.tickets.len(), 10);
    let left: Vec<i64> = page.tickets.iter().map(|stored| stored.balance_after.cents()).collect();
    assert_eq!(left, (0..10).map(|bets| 999 + bets * 1000).collect::<Vec<_>>());
}

pub(crate) async fn parallel_bets_of_many_accounts_are_all_placed(world: &World) {
    let mut orders = Vec::new();
    for bettor in 0..8 {
        let account = world.account(&format!("bettor {bettor}"), 20_000).await;
        orders.extend((0..20).map(|number| order(account, number)));
    }

    let outcomes = place_all(&world.stores, orders.iter().cloned()).await;

    assert_eq!(count_placed(&outcomes), 160);
    for order in orders {
        assert_eq!(world.balance(order.account).await, 0);
        let kept = world.stores.bets.ticket(order.account, &order.ticket_id).await.expect("the store answers");
        assert_eq!(kept.map(|stored| stored.bet), Some(order.bet));
    }
}

pub(crate) async fn one_key_used_a_hundred_times_makes_one_bet(world: &World) {
    let account = world.account("ana", 100_000).await;
    // Each request has a different ticket id: only the key shows that they are one bet.
    let orders = (0..100).map(|number| PlaceBet { ticket_id: ticket_id(&format!("t{number}")), ..order(account, 1) });

    let outcomes = place_all(&world.stores, orders).await;

    assert_eq!(count_placed(&outcomes), 1);
    let answers = outcomes.into_iter().map(|placed| match placed {
        Placed::Placed { answer, .. } | Placed::Replayed(answer) => answer,
        other => panic!("not an answer: {other:?}"),
    });
    let expected = Answer { status: 200, body: b"balance 990.00".to_vec() };
    assert!(answers.into_iter().all(|answer| answer == expected));
    assert_eq!(world.balance(account).await, 99_000);
}

pub(crate) async fn key_with_another_body_is_a_conflict(world: &World) {
    let account = world.account("ana", 100_000).await;
    world.stores.bets.place(order(account, 1)).await.expect("the store answers");

    let other = PlaceBet { digest: [8; 32], ticket_id: ticket_id("other"), ..order(account, 1) };

    assert_eq!(world.stores.bets.place(other).await.expect("the store answers"), Placed::KeyConflict);
    assert_eq!(world.balance(account).await, 99_000);
}

pub(crate) async fn a_key_belongs_to_its_account(world: &World) {
    let ana = world.account("ana", 100_000).await;
    let iva = world.account("iva", 100_000).await;
    let orders = [order(ana, 1), PlaceBet { digest: [8; 32], ..order(iva, 1) }];

    let outcomes = place_all(&world.stores, orders.clone()).await;

    assert_eq!(count_placed(&outcomes), 2);
    let ticket = &orders[0].ticket_id;
    assert!(world.stores.bets.ticket(ana, ticket).await.expect("the store answers").is_some());
    assert_eq!(world.stores.bets.ticket(iva, ticket).await.expect("the store answers"), None);
}

pub(crate) async fn stored_answer_is_returned_before_the_balance_is_checked(world: &World) {
    let account = world.account("ana", 1000).await;
    world.stores.bets.place(order(account, 1)).await.expect("the store answers");

    let again = world.stores.bets.place(order(account, 1)).await.expect("the store answers");
    let other = world.stores.bets.place(order(account, 2)).await.expect("the store answers");

    assert_eq!(again, Placed::Replayed(Answer { status: 200, body: b"balance 0.00".to_vec() }));
    assert_eq!(other, Placed::NotEnough { balance: Money::ZERO });
    assert_eq!(world.stores.bets.find_key(account, key(2)).await.expect("the store answers"), None);
}

pub(crate) async fn bet_that_cannot_be_stored_leaves_no_trace(world: &World) {
    let account = world.account("ana", 100_000).await;
    world.stores.bets.place(order(account, 1)).await.expect("the store answers");
    let mut twice_a_match = order(account, 2);
    twice_a_match.bet.pairs = vec![pair(1), pair(2), pair(1)];
    let ticket_taken = PlaceBet { ticket_id: order(account, 1).ticket_id, ..order(account, 3) };

    for (impossible, number) in [(twice_a_match, 2), (ticket_taken, 3)] {
        let outcome = world.stores.bets.place(impossible).await;
        assert!(matches!(outcome, Err(StoreError::Corrupt { .. })), "{outcome:?}");
        assert_eq!(world.balance(account).await, 99_000);
        assert_eq!(world.stores.bets.find_key(account, key(number)).await.expect("the store answers"), None);
        let report = world.stores.audit().await.expect("the store answers");
        assert_eq!((report.bets, report.answers, report.postings), (1, 1, 2));
    }
    // The keys were not used up.
    assert_eq!(count_placed(&place_all(&world.stores, [order(account, 2), order(account, 3)]).await), 2);
}

pub(crate) async fn other_bets_of_a_batch_are_placed_when_one_fails(world: &World) {
    let account = world.account("ana", 100_000).await;
    let orders = (0..20).map(|number| {
        let mut order = order(account, number);
        if number == 10 {
            order.bet.pairs = vec![pair(1), pair(1)];
        }
        world.stores.bets.place(order)
    });

    let outcomes = join_all(orders).await;

    let failed: Vec<usize> = (0..20).filter(|number| outcomes[*number].is_err()).collect();
    assert_eq!(failed, [10]);
    assert_eq!(world.balance(account).await, 81_000);
}

pub(crate) async fn rejection_is_stored_once(world: &World) {
    let account = world.account("ana", 100_000).await;
    let answer = Answer { status: 400, body: b"the odds have changed".to_vec() };
    let refusal = KeepRefusal {
        account,
        key: key(1),
        digest: [7; 32],
        answer: answer.clone(),
        purpose: KeyPurpose::Bet,
        now_ms: NOW,
    };

    assert_eq!(world.stores.bets.keep_refusal(refusal.clone()).await.expect("the store answers"), Kept::Kept);

    let again = KeepRefusal { answer: Answer { status: 400, body: b"another".to_vec() }, ..refusal.clone() };
    assert_eq!(world.stores.bets.keep_refusal(again).await.expect("the store answers"), Kept::Replayed(answer.clone()));
    let conflict = KeepRefusal { digest: [8; 32], ..refusal };
    assert_eq!(world.stores.bets.keep_refusal(conflict).await.expect("the store answers"), Kept::KeyConflict);
    assert_eq!(world.stores.bets.place(order(account, 1)).await.expect("the store answers"), Placed::Replayed(answer));
    assert_eq!(world.balance(account).await, 100_000);
}

pub(crate) async fn open_stakes_are_reported(world: &World) {
    let ana = world.account("ana", 100_000).await;
    let iva = world.account("iva", 100_000).await;
    let mut on_two_and_three = order(ana, 2);
    on_two_and_three.bet.pairs = vec![pair(2), pair(3)];
    place_all(&world.stores, [order(ana, 1), on_two_and_three, order(iva, 1)]).await;

    let matches = [1, 2, 3, 4].map(match_id);
    let cents = Money::from_cents;
    let max = Some(cents(1));
    let all = PlacingLimits { user_stake_max: max, match_stake_max: max, match_payout_max: max };
    let facts_of = |account, limits| world.stores.bets.facts(account, &matches, limits, 0);
    let mut facts = facts_of(ana, all).await.expect("the store answers").expect("an account");
    facts.matches.sort_by_key(|facts| facts.match_id);
    let on_match =
        |id, stake, payout| MatchFacts { match_id: match_id(id), stake: cents(stake), payout: cents(payout) };
    let expected = AccountFacts {
        balance: cents(98_000),
        user_stake: cents(2000),
        matches: vec![on_match(1, 1000, 3312), on_match(2, 2000, 6624), on_match(3, 1000, 3312)],
        ..AccountFacts::default()
    };
    assert_eq!(facts, expected);
    // A sum is computed only if a limit needs it.
    let none = PlacingLimits::default();
    for (limits, user_stake, matches) in [
        (none, 0, 0),
        (PlacingLimits { user_stake_max: max, ..none }, 2000, 0),
        (PlacingLimits { match_stake_max: max, ..none }, 0, 3),
        (PlacingLimits { match_payout_max: max, ..none }, 0, 3),
    ] {
        let facts = facts_of(ana, limits).await.expect("the store answers").expect("an account");
        let seen = (facts.balance, facts.user_stake, facts.matches.len());
        assert_eq!(seen, (cents(98_000), cents(user_stake), matches), "{limits:?}");
    }
    let nobody = AccountId::bettor(4711).expect("a bettor's id");
    assert_eq!(facts_of(nobody, all).await.expect("the store answers"), None);
}

pub(crate) async fn limit_holds_for_parallel_bets(world: &World) {
    let cents = |cents| Some(Money::from_cents(cents));
    let none = PlacingLimits::default();
    for (number, limits, room) in [
        (1, none, 10),
        (2, PlacingLimits { user_stake_max: cents(3999), ..none }, 3),
        (3, PlacingLimits { match_stake_max: cents(2000), ..none }, 2),
        (4, PlacingLimits { match_payout_max: cents(3312 * 4), ..none }, 4),
        (5, PlacingLimits { match_payout_max: cents(3311), ..none }, 0),
        (6, PlacingLimits { match_stake_max: cents(999), ..none }, 0),
    ] {
        let account = world.account(&format!("bettor {number}"), 100_000).await;
        let orders = (0..10).map(|number| PlaceBet { limits, ..order(account, number) });
        let outcomes = place_all(&world.stores, orders).await;
        assert_eq!(count_placed(&outcomes), room, "{limits:?}");
        assert_eq!(world.balance(account).await, 100_000 - 1000 * room as i64);
        let mut keys = 0;
        for number in 0..10 {
            keys += usize::from(
                world.stores.bets.find_key(account, key(number)).await.expect("the store answers").is_some(),
            );
        }
        assert_eq!(keys, room, "a key that is refused by a limit is not used up");
        let stakes = outcomes.into_iter().filter_map(|placed| match placed {
            Placed::OverLimit(facts) => Some(facts.user_stake.cents()),
            _ => None,
        });
        // A sum is computed only if a limit needs it.
        let expected = if limits.user_stake_max.is_some() { 1000 * room as i64 } else { 0 };
        assert!(stakes.into_iter().all(|staked| staked == expected), "{limits:?}");
    }
}

pub(crate) async fn tickets_are_listed_newest_first_in_pages(world: &World) {
    let ana = world.account("ana", 100_000).await;
    let iva = world.account("iva", 100_000).await;
    for number in 0..5 {
        world.stores.bets.place(order(ana, number)).await.expect("the store answers");
        world.stores.bets.place(order(iva, number)).await.expect("the store answers");
    }

    let mut bets = Vec::new();
    let mut after = None;
    loop {
        let page = world
            .stores
            .bets
            .tickets(ana, TicketFilter::All, after.as_ref(), 2)
            .await
            .expect("the store answers")
            .expect("a page");
        assert!(page.tickets.len() <= 2);
        bets.extend(page.tickets.into_iter().map(|stored| stored.bet));
        // New bets do not move the pages.
        world.stores.bets.place(order(ana, 100 + bets.len() as u32)).await.expect("the store answers");
        after = page.next;
        if after.is_none() {
            break;
        }
    }

    assert_eq!(bets, (0..5).rev().map(|number| order(ana, number).bet).collect::<Vec<_>>());
    let others = order(iva, 1).ticket_id;
    assert_eq!(
        world.stores.bets.tickets(ana, TicketFilter::All, Some(&others), 2).await.expect("the store answers"),
        None
    );
}
