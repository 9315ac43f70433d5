//! Cash-outs (CONTRACT 8): their value, the two validations with the in-play delay in between, and the calls over HTTP.

use crate::kit::{Bettor, world_with};
use crate::stage::{NOW_MS, Stage, answered, pass};
use actix_web::http::Method;
use futures_util::future::join;
use kvota::betting::auto_cash_out::{AutoCashOut, AutoCashOutQueue};
use kvota::betting::cash_out_availability::Pass;
use kvota::betting::placement::{CashOutBodies, CashOutCall, PlacementAnswer};
use kvota::testkit::builders::{match_id, money, odd_id, usual_match};
use kvota::testkit::slip::{key, slip_body};
use kvota_domain::bet::{BetState, CashOutReason, CashOutRule, StoredBet};
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use kvota_domain::settlement::{
    CashOutShare, DeadHeat, MarketResult, MarketState, MatchResults, RawOddResult, VoidFactor,
};
use kvota_domain::ticket::Consent;
use kvota_store::{CashOutReceipt, IdempotencyKey, SettleScope, TicketFilter, TicketId};
use kvota_wire::cash_out::CashOutRequest;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Short answers: the code of a reason, or what was paid and the state.
struct Short;

impl CashOutBodies for Short {
    fn rejected(&self, reason: CashOutReason) -> Vec<u8> {
        reason.of_call().code().into()
    }

    fn done(&self, _: &TicketId, _: CashOutShare, receipt: &CashOutReceipt) -> Vec<u8> {
        let paid = receipt.cash_out.map(|cash_out| cash_out.paid.to_string());
        format!("{} {}", paid.unwrap_or_else(|| "nothing".to_owned()), receipt.state.as_str()).into_bytes()
    }
}

impl Stage {
    /// A bet of 10.00 on match 1 at 3.00, which is 1.80 now: 15.04 less 0.55 of tax, 14.49.
    async fn single(delay_seconds: u32) -> (Stage, StoredBet) {
        let stage = Stage::with(0, &["3.00"]).await;
        let placed = stage.placements.place(stage.order(1, Consent::None, &[(1, "3.00")])).await;
        assert_eq!(answered(&placed).0, 200);
        stage.put(usual_match(1, "1.80"));
        let stage = stage.with_delay(delay_seconds);
        let bet = stage.only_bet().await;
        (stage, bet)
    }

    async fn only_bet(&self) -> StoredBet {
        let page = self.stores.bets.tickets(self.account, TicketFilter::All, None, 5).await.expect("the store answers");
        page.expect("a page").tickets.pop().expect("a bet")
    }

    fn call(&self, bet: &StoredBet, key: u8, share: &str, net: &str) -> CashOutCall {
        let share = CashOutShare::parse(share).expect("a share");
        CashOutCall {
            account: self.account,
            key: IdempotencyKey([key; 16]),
            digest: [key; 32],
            ticket_id: bet.ticket_id.clone(),
            request: Some(CashOutRequest { share, net: money(net), accepts_lower: false }),
            bodies: Arc::new(Short),
            request_id: "0193f5c2-7d1e-4000-8000-0123456789ab".into(),
        }
    }

    /// Reports a result of match 1, and settles its bets.
    async fn decide(&self, result: i64) {
        self.report(result).await;
        self.settle().await;
    }

    /// Reports a result of match 1: it is stored and seen by the offer, and its bets are not settled yet.
    async fn report(&self, result: i64) {
        let bet = self.only_bet().await;
        let odd = RawOddResult {
            odd: odd_id(1_000),
            result: Some(result),
            void_factor: Some(VoidFactor::Zero),
            dead_heat: Some(DeadHeat::NONE),
        };
        let market = MarketResult {
            market: bet.bet.pairs[0].market_id,
            version: 1,
            state: MarketState::from_code(1),
            odds: vec![odd],
            void_windows: Vec::new(),
            reason: None,
        };
        let results = MatchResults { match_id: match_id(1), markets: vec![market], date_ms: None };
        self.stores.settlements.store_results(results.clone(), NOW_MS).await.expect("the store answers");
        self.model.note_results(&results);
    }

    async fn settle(&self) {
        let settlements = &self.stores.settlements;
        for work in settlements.waiting_work(i64::MAX, 9).await.expect("the store answers") {
            let scope = SettleScope::Next { bets_max: 9 };
            settlements.settle(work, scope, NOW_MS).await.expect("the store answers");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_bet_is_cashed_out_after_the_delay_at_the_value_of_that_time() {
    let (stage, bet) = Stage::single(5).await;
    let begin = tokio::time::Instant::now();
    let cashing_out = stage.placements.cash_out(stage.call(&bet, 2, "1", "14.49"));
    let rising = async {
        pass(Duration::from_secs(2)).await;
        stage.put(usual_match(1, "1.50"));
    };
    let (answer, ()) = join(cashing_out, rising).await;
    // 9.50 * 2 * 0.95 = 18.05; the tax is 10 % of 8.55.
    assert_eq!(answered(&answer), (200, "17.19 cashed_out".to_owned()));
    assert_eq!(begin.elapsed(), Duration::from_secs(5));
    assert_eq!(stage.balance().await, "1007.19");
    let again = stage.placements.cash_out(stage.call(&bet, 2, "1", "14.49")).await;
    assert_eq!(again, answer, "the same key gives the same answer");
    let other = stage.placements.cash_out(stage.call(&bet, 3, "1", "14.49")).await;
    assert_eq!(answered(&other), (400, "not_open".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_change_during_the_delay_rejects_the_cash_out_and_uses_its_key() {
    for (news, expected) in [
        ("lower value", "value_changed"),
        ("suspended and back", "not_bettable"),
        ("deleted", "not_bettable"),
        ("recovering", "feed_recovering"),
        ("below the minimum", "below_minimum"),
    ] {
        let (stage, bet) = Stage::single(5).await;
        let cashing_out = stage.placements.cash_out(stage.call(&bet, 2, "1", "14.49"));
        let happening = async {
            pass(Duration::from_secs(2)).await;
            match news {
                "lower value" => stage.put(usual_match(1, "1.81")),
                "suspended and back" => {
                    stage.put(usual_match(1, "1.80").suspended());
                    stage.put(usual_match(1, "1.80"));
                }
                "deleted" => stage.model.remove_match(match_id(1)),
                "recovering" => stage.model.set_feed(Lang::Hr, FeedState::Recovering),
                _ => stage.put(usual_match(1, "900")),
            }
        };
        let (answer, ()) = join(cashing_out, happening).await;
        assert_eq!(answered(&answer), (400, expected.to_owned()), "{news}");
        stage.model.set_feed(Lang::Hr, FeedState::Active);
        stage.put(usual_match(1, "1.80"));
        let again = stage.placements.cash_out(stage.call(&bet, 2, "1", "14.49")).await;
        assert_eq!(again, answer, "{news}: a 400 after the delay is kept");
        assert_eq!((stage.balance().await, stage.only_bet().await.state), ("990.00".to_owned(), BetState::Open));
    }
}

#[tokio::test(start_paused = true)]
async fn a_rejection_before_the_delay_leaves_the_key_unused() {
    let (stage, bet) = Stage::single(5).await;
    let begin = tokio::time::Instant::now();
    let answer = stage.placements.cash_out(stage.call(&bet, 2, "1", "14.50")).await;
    assert_eq!(answered(&answer), (400, "value_changed".to_owned()));
    let answer = stage.placements.cash_out(stage.call(&bet, 2, "0.91", "14.49")).await;
    assert_eq!(answered(&answer), (400, "below_minimum".to_owned()));
    stage.put(usual_match(1, "1.80").suspended());
    let answer = stage.placements.cash_out(stage.call(&bet, 2, "1", "14.49")).await;
    assert_eq!(answered(&answer), (400, "not_bettable".to_owned()));
    assert_eq!(begin.elapsed(), Duration::ZERO);
    stage.put(usual_match(1, "1.80"));
    let answer = stage.placements.cash_out(stage.call(&bet, 2, "0.5", "14.49")).await;
    assert_eq!(answered(&answer), (200, "7.24 open".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_result_during_the_delay_settles_the_bet_instead() {
    let (stage, bet) = Stage::single(5).await;
    let cashing_out = stage.placements.cash_out(stage.call(&bet, 2, "1", "14.49"));
    let deciding = async {
        pass(Duration::from_secs(2)).await;
        stage.decide(1).await;
    };
    let (answer, ()) = join(cashing_out, deciding).await;
    assert_eq!(answered(&answer), (200, "nothing won".to_owned()));
    let later = stage.placements.cash_out(stage.call(&bet, 3, "1", "14.49")).await;
    assert_eq!(answered(&later), (200, "nothing won".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_result_just_before_a_cash_out_settles_the_bet_instead() {
    let (stage, bet) = Stage::single(0).await;
    stage.report(1).await;
    let cashing_out = stage.placements.cash_out(stage.call(&bet, 2, "1", "14.49"));
    let settling = async {
        pass(Duration::from_millis(1_900)).await;
        stage.settle().await;
    };
    let (answer, ()) = join(cashing_out, settling).await;
    assert_eq!(answered(&answer), (200, "nothing won".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_result_that_is_not_settled_within_two_seconds_rejects_the_cash_out() {
    let (stage, bet) = Stage::single(0).await;
    stage.report(1).await;
    let answer = stage.placements.cash_out(stage.call(&bet, 2, "1", "14.49")).await;
    assert_eq!(answered(&answer), (400, "not_bettable".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_rule_pays_only_if_the_value_is_still_high_enough_after_the_delay() {
    let (stage, bet) = Stage::single(5).await;
    let rule = CashOutRule { at_least: money("14.00") };
    stage.placements.set_cash_out_rule(stage.account, &bet.ticket_id, Some(rule)).await.expect("the store answers");
    let falling = async {
        pass(Duration::from_secs(2)).await;
        stage.put(usual_match(1, "2.50"));
    };
    let (is_paid, ()) = join(stage.placements.cash_out_by_rule(bet.clone(), &Semaphore::new(1)), falling).await;
    assert_eq!(is_paid.ok(), Some(false));
    let waiting = stage.only_bet().await;
    assert_eq!((waiting.state, waiting.cash_out_rule), (BetState::Open, Some(rule)), "the rule stays");

    stage.put(usual_match(1, "1.80"));
    assert_eq!(stage.placements.cash_out_by_rule(bet.clone(), &Semaphore::new(1)).await.ok(), Some(true));
    let paid = stage.only_bet().await;
    assert_eq!(
        (paid.state, paid.cash_out_rule, stage.balance().await),
        (BetState::CashedOut, None, "1004.49".to_owned())
    );
    assert_eq!(stage.placements.cash_out_by_rule(bet, &Semaphore::new(1)).await.ok(), Some(false));
}

#[tokio::test(start_paused = true)]
async fn a_rule_that_is_raised_during_the_delay_counts_as_it_is_now() {
    let (stage, bet) = Stage::single(5).await;
    let set = async |at_least: &str| {
        let rule = CashOutRule { at_least: money(at_least) };
        let set = stage.placements.set_cash_out_rule(stage.account, &bet.ticket_id, Some(rule)).await;
        set.expect("the store answers");
    };
    set("14.00").await;
    let raising = async {
        pass(Duration::from_secs(2)).await;
        set("25.00").await;
    };
    let (is_paid, ()) = join(stage.placements.cash_out_by_rule(bet.clone(), &Semaphore::new(1)), raising).await;
    assert_eq!((is_paid.ok(), stage.only_bet().await.state), (Some(false), BetState::Open));
}

#[tokio::test(start_paused = true)]
async fn a_rule_reached_while_the_feed_recovers_pays_as_soon_as_it_is_active() {
    let (stage, bet) = Stage::single(0).await;
    let rule = CashOutRule { at_least: money("17.19") };
    stage.placements.set_cash_out_rule(stage.account, &bet.ticket_id, Some(rule)).await.expect("the store answers");
    let queue = AutoCashOutQueue::default();
    let rules = AutoCashOut::new(queue, stage.placements.clone(), stage.stores.clone(), Arc::clone(&stage.model));
    let recovering = async {
        pass(Duration::from_secs(1)).await;
        stage.model.set_feed(Lang::Hr, FeedState::Recovering);
        stage.put(usual_match(1, "1.50"));
        pass(Duration::from_secs(1)).await;
        assert_eq!(stage.only_bet().await.state, BetState::Open);
        stage.model.set_feed(Lang::Hr, FeedState::Active);
        pass(Duration::from_secs(1)).await;
        assert_eq!(stage.only_bet().await.state, BetState::CashedOut);
    };
    tokio::select! {
        () = rules.run() => panic!("rules never end"),
        () = recovering => {}
    }
}

#[tokio::test(start_paused = true)]
async fn a_paused_operator_pays_no_cash_out() {
    let (stage, bet) = Stage::single(0).await;
    stage.stores.betting_pause.pause(NOW_MS).await.expect("the store answers");
    stage.placements.read_pause().await;
    let answer = stage.placements.cash_out(stage.call(&bet, 2, "1", "14.49")).await;
    assert_eq!(answered(&answer), (400, "not_bettable".to_owned()));
    assert_eq!(stage.placements.cash_out_offer(&bet).reasons, [CashOutReason::NotBettable]);
}

#[tokio::test(start_paused = true)]
async fn availability_is_the_share_of_open_bets_that_could_be_cashed_out() {
    let stage = Stage::with(0, &["3.00", "2.00"]).await;
    for (number, id) in [(1, 1), (2, 1), (3, 2)] {
        let seen = if id == 1 { "3.00" } else { "2.00" };
        stage.placements.place(stage.order(number, Consent::None, &[(id, seen)])).await;
    }
    let ratio = async || {
        let mut pass = Pass::begin();
        while pass.after.is_some() {
            pass.measure(&stage.stores, &stage.placements).await.expect("the store answers");
        }
        pass.ratio()
    };
    assert_eq!(ratio().await, Some(1.0));
    stage.put(usual_match(1, "3.00").suspended());
    assert_eq!(ratio().await, Some(1.0 / 3.0));
    assert_eq!(Pass::begin().ratio(), None);
}

#[tokio::test(start_paused = true)]
async fn one_key_used_at_once_is_one_cash_out() {
    let (stage, bet) = Stage::single(5).await;
    let calls = (0..20).map(|_| stage.placements.cash_out(stage.call(&bet, 2, "0.5", "14.49")));
    let answers: Vec<PlacementAnswer> = futures_util::future::join_all(calls).await;
    assert!(answers.iter().all(|one| answered(one) == (200, "7.24 open".to_owned())), "{answers:?}");
    assert_eq!((stage.balance().await, stage.only_bet().await.cash_outs.len()), ("997.24".to_owned(), 1));
}

/// Ana has bet 10.00 on match 1 at 3.00, which is 1.80 now.
async fn ana_with_a_bet() -> (kvota::testkit::world::World, Bettor, String) {
    let mut world = world_with(&["3.00"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let placed = ana.place(&key(1), &slip_body(0, "10", &[(1, "3.00")])).await.json();
    let id = placed["ticketId"].as_str().expect("a ticket's id is a text").to_owned();
    world.feed.publish(vec![usual_match(1, "1.80").update()]).await;
    world.settle().await;
    (world, ana, id)
}

impl Bettor {
    async fn cash_out(&mut self, id: &str, number: u64, body: &Value) -> crate::kit::Answer {
        let key = key(number);
        let headers = [("content-type", "application/json"), ("idempotency-key", key.as_str())];
        self.send(Method::POST, &format!("account/tickets/{id}/cash-out"), &headers, &body.to_string()).await
    }

    async fn set_rule(&mut self, id: &str, body: &Value) -> crate::kit::Answer {
        let headers = [("content-type", "application/json")];
        self.send(Method::PUT, &format!("account/tickets/{id}/cash-out-rule"), &headers, &body.to_string()).await
    }
}

#[actix_web::test]
async fn value_is_shown_and_a_part_is_paid_and_the_rest_again() {
    let (_world, mut ana, id) = ana_with_a_bet().await;
    let value = ana.get(&format!("account/tickets/{id}/cash-out")).await;
    let expected = json!({"value": "15.04", "winTax": "0.55", "net": "14.49", "reasons": []});
    assert_eq!((value.status, value.json()), (200, expected));

    let answer = ana.cash_out(&id, 2, &json!({"share": "0.5", "net": "14.49"})).await;
    let expected = json!({
        "message": "7.24 EUR has been paid out.", "ticketId": id, "share": "0.5", "paid": "7.24", "winTax": "0.28",
        "remaining": {"bruto": "5.00", "taxedStake": "4.75"}, "balance": "997.24", "state": "open",
    });
    assert_eq!((answer.status, answer.json()), (200, expected.clone()));
    let again = ana.cash_out(&id, 2, &json!({"net": "14.49", "share": "0.5"})).await;
    assert_eq!((again.status, again.json()), (200, expected), "the order of the members does not matter");
    let conflict = ana.cash_out(&id, 2, &json!({"share": "0.6", "net": "14.49"})).await;
    assert_eq!(conflict.status, 409);

    let bet = ana.get(&format!("account/tickets/{id}")).await.json();
    assert_eq!(
        (&bet["state"], &bet["remaining"]["bruto"], &bet["possible"]["gross"]),
        (&json!("open"), &json!("5.00"), &json!("14.25"))
    );
    let paid = &bet["cashOuts"][0];
    assert_eq!((&paid["share"], &paid["paid"], paid["at"].is_i64()), (&json!("0.5"), &json!("7.24"), true));

    let value = ana.get(&format!("account/tickets/{id}/cash-out")).await.json();
    let answer = ana.cash_out(&id, 3, &json!({"share": "1", "net": value["net"], "accept": "any"})).await.json();
    assert_eq!(
        (&answer["paid"], &answer["remaining"], &answer["state"]),
        (&value["net"], &Value::Null, &json!("cashed_out"))
    );
    let value = ana.get(&format!("account/tickets/{id}/cash-out")).await.json();
    assert_eq!(value, json!({"value": null, "winTax": null, "net": null, "reasons": ["not_open"]}));
    let closed = ana.cash_out(&id, 4, &json!({"share": "1", "net": "1.00"})).await;
    assert_eq!((closed.error().0, &closed.json()["reason"]), (400, &json!("not_open")));
    let entries = ana.get("account/statement").await.json();
    let kinds: Vec<&Value> =
        entries["entries"].as_array().expect("a list").iter().map(|entry| &entry["kind"]).collect();
    assert_eq!(kinds, ["cash_out", "cash_out", "stake", "opening"]);
}

#[actix_web::test]
async fn malformed_and_foreign_calls_are_rejected() {
    let (world, mut ana, id) = ana_with_a_bet().await;
    let body = json!({"share": "1", "net": "14.49"});
    for wrong in [
        json!({"share": 1, "net": "14.49"}),
        json!({"share": "0.04", "net": "14.49"}),
        json!({"share": "1.00", "net": "14.49"}),
        json!({"share": "1"}),
        json!({"share": "1", "net": "14.49", "accept": "lower"}),
        json!([]),
    ] {
        let answer = ana.cash_out(&id, 9, &wrong).await;
        assert_eq!((answer.error().0, &answer.json()["reason"]), (400, &json!("malformed")), "{wrong}");
    }
    let call = format!("account/tickets/{id}/cash-out");
    let no_key = ana.send(Method::POST, &call, &[("content-type", "application/json")], &body.to_string()).await;
    assert_eq!((no_key.status, &no_key.json()["reason"]), (400, &json!("malformed")));
    let mut ben = Bettor::registered(&world, "ben").await;
    let foreign =
        [ben.get(&call).await, ben.cash_out(&id, 2, &body).await, ben.set_rule(&id, &json!({"atLeast": 1})).await];
    assert_eq!(foreign.map(|answer| answer.status), [404; 3]);
    let mut nobody = Bettor::nobody(&world);
    let anonymous = [nobody.get(&call).await, nobody.cash_out(&id, 2, &body).await];
    assert_eq!(anonymous.map(|answer| answer.status), [401; 2]);
    let elsewhere = ana.send(Method::POST, &call, &[("origin", "https://evil.example")], &body.to_string()).await;
    assert_eq!(elsewhere.status, 403);
    assert_eq!(ana.balance().await, "990.00");
}

#[actix_web::test]
async fn a_rule_is_set_shown_and_removed() {
    let (_world, mut ana, id) = ana_with_a_bet().await;
    let set = ana.set_rule(&id, &json!({"atLeast": "20"})).await;
    assert_eq!((set.status, set.json()), (200, json!({"atLeast": "20.00"})));
    assert_eq!(
        ana.get("account/tickets?state=open").await.json()["tickets"][0]["cashOutRule"],
        json!({"atLeast": "20.00"})
    );
    for wrong in [json!({"atLeast": "0"}), json!({"atLeast": "x"}), json!({})] {
        let answer = ana.set_rule(&id, &wrong).await;
        assert_eq!((answer.error().0, &answer.json()["reason"]), (400, &json!("malformed")), "{wrong}");
    }
    let call = format!("account/tickets/{id}/cash-out-rule");
    assert_eq!(ana.send(Method::DELETE, &call, &[], "").await.status, 204);
    assert_eq!(ana.send(Method::DELETE, &call, &[], "").await.status, 204);
    assert_eq!(ana.get(&format!("account/tickets/{id}")).await.json()["cashOutRule"], Value::Null);

    ana.set_rule(&id, &json!({"atLeast": "20"})).await;
    ana.cash_out(&id, 2, &json!({"share": "0.5", "net": "14.49"})).await;
    let bet = ana.get(&format!("account/tickets/{id}")).await.json();
    assert_eq!(bet["cashOutRule"], Value::Null, "a cash-out by hand removes the rule");
    ana.cash_out(&id, 3, &json!({"share": "1", "net": "1"})).await;
    let closed = ana.set_rule(&id, &json!({"atLeast": "20"})).await;
    assert_eq!((closed.error().0, &closed.json()["reason"]), (400, &json!("not_open")));
}

/// Waits until a bet is cashed out, for at most 60 s.
async fn until_cashed_out(bettor: &mut Bettor, id: &str) {
    let mut looks = tokio::time::interval(Duration::from_millis(10));
    for _ in 0..6_000 {
        looks.tick().await;
        if bettor.get(&format!("account/tickets/{id}")).await.json()["state"] == json!("cashed_out") {
            return;
        }
    }
    panic!("the rule does not pay");
}

#[actix_web::test]
async fn a_rule_cashes_the_bet_out_once_it_is_worth_enough() {
    let (mut world, mut ana, id) = ana_with_a_bet().await;
    ana.set_rule(&id, &json!({"atLeast": "17.19"})).await;
    world.feed.publish(vec![usual_match(1, "1.60").update()]).await;
    world.settle().await;
    assert_eq!(ana.get(&format!("account/tickets/{id}")).await.json()["state"], json!("open"));
    // 18.05 less 0.86 of tax.
    world.feed.publish(vec![usual_match(1, "1.50").update()]).await;
    until_cashed_out(&mut ana, &id).await;
    assert_eq!(ana.balance().await, "1007.19");
}

#[actix_web::test]
async fn a_rule_that_is_due_already_pays_at_once() {
    let (_world, mut ana, id) = ana_with_a_bet().await;
    ana.set_rule(&id, &json!({"atLeast": "14.00"})).await;
    until_cashed_out(&mut ana, &id).await;
    assert_eq!(ana.balance().await, "1004.49");
}
