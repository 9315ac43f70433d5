//! Changes during the in-play delay of a bet, on a paused clock.

use crate::stage::{Failing, NOW_MS, Stage, account, answered, order, pass};
use futures_util::future::{join, join_all};
use kvota::betting::placement::{Betting, PlacementAnswer, Placements};
use kvota::testkit::builders::{match_id, money, price, usual_match};
use kvota::testkit::slip::{home_win, slip};
use kvota_domain::ids::SportId;
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use kvota_domain::protection::LimitKind;
use kvota_domain::ticket::{Consent, Delays};
use kvota_store::{IdempotencyKey, NewLogin, ProtectionChange, Stores};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// A change of match 1 in the middle of the delay.
#[derive(Clone, Copy, Debug)]
enum News {
    Nothing,
    Price(&'static str),
    PriceAndBack(&'static str),
    Suspended,
    SuspendedAndBack,
    Goal,
    Stopped,
    Deleted,
    DeletedAndBack,
    MarketClosed,
    Withdrawn,
    Renamed,
    OutcomeSwapped,
    LineMoved,
    LineMovedAndBack,
    Recovering,
    RecoveringAndBack,
    Inactive,
    Another,
}

fn happen(stage: &Stage, news: News) {
    let usual = || usual_match(1, "1.85");
    let moved = || usual().with(|live_match| live_match.market_mut(0).sbv = Some("3.5".into()));
    match news {
        News::Nothing => {}
        News::Price(price) => stage.put(usual_match(1, price)),
        News::PriceAndBack(price) => {
            stage.put(usual_match(1, price));
            stage.put(usual());
        }
        News::Suspended => stage.put(usual().suspended()),
        News::SuspendedAndBack => {
            stage.put(usual().suspended());
            stage.put(usual());
        }
        News::Goal => stage.put(usual_match(1, "1.2").score(1, 0).suspended()),
        News::Stopped => stage.put(usual().betting_stopped()),
        News::Deleted => stage.model.remove_match(match_id(1)),
        News::DeletedAndBack => {
            stage.model.remove_match(match_id(1));
            stage.put(usual());
        }
        News::MarketClosed => stage.put(usual().with(|live_match| {
            live_match.markets.remove(0);
        })),
        News::Withdrawn => stage.put(usual_match(1, "0")),
        News::Renamed => stage.put(usual().with(|live_match| live_match.market_mut(0).name = Some("Renamed".into()))),
        News::OutcomeSwapped => {
            stage.put(usual().with(|live_match| live_match.market_mut(0).odds[0].kind = Some("2".into())));
        }
        News::LineMoved => stage.put(moved()),
        News::LineMovedAndBack => {
            stage.put(moved());
            stage.put(usual());
        }
        News::Recovering => stage.model.set_feed(Lang::Hr, FeedState::Recovering),
        News::RecoveringAndBack => {
            stage.model.set_feed(Lang::Hr, FeedState::Recovering);
            stage.model.set_feed(Lang::Hr, FeedState::Active);
        }
        News::Inactive => stage.model.clear(),
        News::Another => {
            stage.put(usual_match(3, "2").suspended());
            stage.model.remove_match(match_id(3));
        }
    }
}

#[actix_web::test]
async fn bad_change_during_the_delay_rejects_the_bet_even_if_it_is_undone() {
    tokio::time::pause();
    for (news, none, higher, any) in [
        (News::Nothing, "1.85 2", "1.85 2", "1.85 2"),
        (News::Another, "1.85 2", "1.85 2", "1.85 2"),
        (News::PriceAndBack("1.85"), "1.85 2", "1.85 2", "1.85 2"),
        (News::PriceAndBack("1.9"), "refusedOddChanged", "1.85 2", "1.85 2"),
        (News::PriceAndBack("1.5"), "refusedOddChanged", "refusedOddChanged", "1.85 2"),
        (News::PriceAndBack("0"), "refusedOddWithdrawn", "refusedOddWithdrawn", "refusedOddWithdrawn"),
        (News::SuspendedAndBack, "refusedMatchSuspended", "refusedMatchSuspended", "refusedMatchSuspended"),
        (News::DeletedAndBack, "refusedMatchGone", "refusedMatchGone", "refusedMatchGone"),
        (News::RecoveringAndBack, "refusedFeedRecovering", "refusedFeedRecovering", "refusedFeedRecovering"),
        (News::Renamed, "1.85 2", "1.85 2", "1.85 2"),
        (News::OutcomeSwapped, "refusedOutcomeChanged", "refusedOutcomeChanged", "refusedOutcomeChanged"),
        (News::LineMoved, "refusedOutcomeChanged", "refusedOutcomeChanged", "refusedOutcomeChanged"),
        (News::LineMovedAndBack, "refusedOutcomeChanged", "refusedOutcomeChanged", "refusedOutcomeChanged"),
        (News::Price("1.9"), "refusedOddChanged", "1.9 2", "1.9 2"),
        (News::Price("1.8"), "refusedOddChanged", "refusedOddChanged", "1.8 2"),
        (News::Suspended, "refusedMatchSuspended", "refusedMatchSuspended", "refusedMatchSuspended"),
        (News::Goal, "refusedMatchSuspended", "refusedMatchSuspended", "refusedMatchSuspended"),
        (News::Stopped, "refusedBettingStopped", "refusedBettingStopped", "refusedBettingStopped"),
        (News::Deleted, "refusedMatchGone", "refusedMatchGone", "refusedMatchGone"),
        (News::MarketClosed, "refusedMarketClosed", "refusedMarketClosed", "refusedMarketClosed"),
        (News::Withdrawn, "refusedOddWithdrawn", "refusedOddWithdrawn", "refusedOddWithdrawn"),
        (News::Recovering, "refusedFeedRecovering", "refusedFeedRecovering", "refusedFeedRecovering"),
        (News::Inactive, "refusedFeedInactive", "refusedFeedInactive", "refusedFeedInactive"),
    ] {
        for (consent, expected) in [(Consent::None, none), (Consent::Higher, higher), (Consent::Any, any)] {
            let stage = Stage::with(5, &["1.85", "2"]).await;
            let placing = stage.placements.place(stage.order(1, consent, &[(1, "1.85"), (2, "2")]));
            let (answer, ()) = join(placing, async {
                pass(Duration::from_millis(4_900)).await;
                happen(&stage, news);
            })
            .await;
            let (status, text) = answered(&answer);
            if let Some((_, odds)) = text.split_once(": ") {
                assert_eq!((status, odds), (200, expected), "{news:?} {consent:?}");
                assert_eq!(stage.balance().await, "990.00");
            } else {
                assert_eq!((status, text), (400, format!("{expected} Home 1 – Away 1")), "{news:?} {consent:?}");
                assert_eq!(stage.balance().await, "1000.00");
            }
        }
    }
}

#[actix_web::test]
async fn rejection_after_the_delay_uses_up_the_key_and_one_before_it_does_not() {
    tokio::time::pause();
    let stage = Stage::with(5, &["1.85"]).await;
    let order = || stage.order(1, Consent::None, &[(1, "1.85")]);
    stage.put(usual_match(1, "1.85").suspended());
    assert_eq!(answered(&stage.placements.place(order()).await).0, 400);
    stage.put(usual_match(1, "1.85"));
    let (answer, ()) = join(stage.placements.place(order()), async {
        pass(Duration::from_secs(4)).await;
        stage.put(usual_match(1, "1.5"));
    })
    .await;
    let rejected = (400, "refusedOddChanged Home 1 – Away 1".to_owned());
    assert_eq!(answered(&answer), rejected);
    stage.put(usual_match(1, "1.85"));
    assert_eq!(answered(&stage.placements.place(order()).await), rejected, "although it could be taken now");
    let other = kvota::betting::placement::Order { digest: [9; 32], ..order() };
    assert_eq!(stage.placements.place(other).await, PlacementAnswer::Conflict);
    let with_another_key = stage.order(2, Consent::None, &[(1, "1.85")]);
    assert_eq!(answered(&stage.placements.place(with_another_key).await).0, 200);
}

#[actix_web::test]
async fn reality_check_that_falls_due_during_the_delay_stops_the_bet() {
    static CLOCK_MS: AtomicI64 = AtomicI64::new(NOW_MS);
    tokio::time::pause();
    let stage = Stage::with(5, &["2"]).await;
    let limit = ProtectionChange::Limits { changes: vec![(LimitKind::RealityCheck, Some(15))], raise_after_ms: 0 };
    stage.stores.protection.protect(stage.account, limit, NOW_MS).await.expect("the store answers");
    let betting = stage.placements.betting().clone();
    let events = kvota::betting::bet_events::BetEvents::default();
    let clock = || CLOCK_MS.load(Ordering::SeqCst);
    let (model, stores) = (Arc::clone(&stage.model), stage.stores.clone());
    let placements = Placements::new(model, stores, betting, clock, None, events);
    let order = |key| kvota::betting::placement::Order {
        check_due_at_ms: Some(NOW_MS + 2_000),
        ..stage.order(key, Consent::None, &[(1, "2")])
    };
    let (answer, ()) = join(placements.place(order(1)), async {
        pass(Duration::from_secs(3)).await;
        CLOCK_MS.store(NOW_MS + 3_000, Ordering::SeqCst);
    })
    .await;
    assert_eq!(answered(&answer), (400, "refusedRealityCheck ".to_owned()));
    // It was answered since the call began.
    let session = order(2).session;
    let login =
        NewLogin { account: stage.account, expires_at_ms: i64::MAX, created_at_ms: Some(NOW_MS), agent: String::new() };
    stage.stores.accounts.log_in(session, login).await.expect("the store answers");
    assert_eq!(answered(&placements.place(order(2)).await).0, 200);
}

#[actix_web::test]
async fn bet_waits_for_the_longest_delay_of_its_sports() {
    tokio::time::pause();
    let sport = |id| SportId::new(id).expect("a sport's id is small");
    let delays = Delays { default_seconds: 5, by_sport: [(sport(1), 8), (sport(2), 0)].into() };
    let betting = Betting { delays, ..Betting::default() };
    let stage = Stage::of(betting, &["2", "2", "2"], Stores::in_memory()).await;
    stage.put(usual_match(2, "2").sport(2));
    stage.put(usual_match(3, "2").sport(3));
    for (key, matches, seconds) in [(1, &[1][..], 8), (2, &[2], 0), (3, &[3], 5), (4, &[2, 3], 5), (5, &[1, 2, 3], 8)] {
        let pairs: Vec<(u64, &str)> = matches.iter().map(|id| (*id, "2")).collect();
        let begun = Instant::now();
        let answer = stage.placements.place(stage.order(key, Consent::None, &pairs)).await;
        assert_eq!(answered(&answer).0, 200);
        assert_eq!(begun.elapsed().as_secs(), seconds, "{matches:?}");
    }
}

#[actix_web::test]
async fn repeated_request_during_the_delay_gets_the_same_answer() {
    tokio::time::pause();
    let stage = Stage::with(5, &["2"]).await;
    let begun = Instant::now();
    let asked = (0..50).map(|number| {
        let order = stage.order(1, Consent::None, &[(1, "2")]);
        let placements = stage.placements.clone();
        async move {
            pass(Duration::from_millis(number * 99)).await;
            placements.place(order).await
        }
    });
    let answers = join_all(asked).await;
    assert!(answers.iter().all(|other| *other == answers[0]));
    assert_eq!(begun.elapsed().as_secs(), 5, "nobody waited a delay of his own");
    assert_eq!(stage.balance().await, "990.00");
}

#[actix_web::test]
async fn disconnected_client_neither_cancels_nor_duplicates_its_bet() {
    tokio::time::pause();
    let stage = Stage::with(5, &["2"]).await;
    let order = || stage.order(1, Consent::None, &[(1, "2")]);
    let hung_up = tokio::time::timeout(Duration::from_secs(1), stage.placements.place(order())).await;
    assert!(hung_up.is_err());
    assert_eq!(stage.placements.running(), 1);
    let begun = Instant::now();
    assert_eq!(answered(&stage.placements.place(order()).await).0, 200);
    assert_eq!(begun.elapsed().as_secs(), 4, "the bet went on without him");
    assert_eq!(stage.balance().await, "990.00");
}

#[actix_web::test]
async fn parallel_bets_cannot_spend_the_same_money_during_the_delay() {
    tokio::time::pause();
    let stage = Stage::with(5, &["2"]).await;
    let bets = (1..=15_u8).map(|key| {
        let ticket = slip(money("300"), Consent::None, [home_win(1, price("2"))]);
        stage.placements.place(order(stage.account, IdempotencyKey([key; 16]), ticket))
    });
    let answers = join_all(bets).await;
    let accepted = answers.iter().filter(|answer| answered(answer).0 == 200).count();
    assert_eq!(accepted, 3, "of 1000.00 three times 300.00");
    assert!(
        answers
            .iter()
            .all(|answer| answered(answer).0 == 200 || answered(answer).1.starts_with("refusedNotEnoughBalance"))
    );
    assert_eq!(stage.balance().await, "100.00");
    assert_eq!(stage.stores.audit().await.expect("the store answers").findings, Vec::<String>::new());
}

#[actix_web::test]
async fn number_of_pending_bets_of_an_account_is_limited() {
    tokio::time::pause();
    let stage = Stage::with(5, &["2"]).await;
    let ben = account(&stage.stores, "ben", 10_000).await;
    let of_ana = (1..=20_u8).map(|key| stage.placements.place(stage.order(key, Consent::None, &[(1, "2")])));
    let ticket = slip(money("10"), Consent::None, [home_win(1, price("2"))]);
    let of_ben = stage.placements.place(order(ben, IdempotencyKey([1; 16]), ticket));
    let (answers, of_ben) = join(join_all(of_ana), of_ben).await;
    assert_eq!(answers.iter().filter(|answer| **answer == PlacementAnswer::TooMany).count(), 4);
    assert_eq!(answered(&of_ben).0, 200, "another's bets are his own");

    // A stored answer needs no place.
    let more = (21..=36_u8).map(|key| stage.placements.place(stage.order(key, Consent::None, &[(1, "2")])));
    let first = async {
        pass(Duration::from_secs(1)).await;
        stage.placements.place(stage.order(1, Consent::None, &[(1, "2")])).await
    };
    let (_, first) = join(join_all(more), first).await;
    assert_eq!(first, answers[0]);
}

#[actix_web::test]
async fn rejection_that_could_not_be_stored_is_validated_again() {
    tokio::time::pause();
    let mut stores = Stores::in_memory();
    let failing = Arc::new(Failing::over(stores.bets.clone()));
    stores.bets = failing.clone();
    let delays = Delays { default_seconds: 5, ..Delays::default() };
    let stage = Stage::of(Betting { delays, ..Betting::default() }, &["2"], stores).await;
    failing.fail("keep_refusal");
    let order = || stage.order(1, Consent::None, &[(1, "2")]);
    let (answer, ()) = join(stage.placements.place(order()), async {
        pass(Duration::from_secs(4)).await;
        stage.put(usual_match(1, "1.5"));
    })
    .await;
    assert_eq!(answer, PlacementAnswer::Unavailable);
    failing.fail("");
    stage.put(usual_match(1, "2"));
    assert_eq!(answered(&stage.placements.place(order()).await).0, 200, "nobody was told of the refusal");
}
