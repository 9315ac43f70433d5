//! Every status and every rejection of a ticket, over HTTP, each with its own text.

use crate::kit::{Bettor, offer, world_with};
use actix_web::http::Method;
use kvota::testkit::builders::usual_match;
use kvota::testkit::slip::{body_with_amounts, home_win_body, key, slip_body};
use kvota::testkit::world::World;
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use serde_json::{Value, json};

async fn usual() -> (World, Bettor) {
    let mut world = world_with(&["1.75", "2.15"]).await;
    let stopped = usual_match(3, "2").betting_stopped().insert();
    let suspended = usual_match(4, "2").suspended().insert();
    world.feed.publish(vec![stopped, suspended]).await;
    world.settle().await;
    let bettor = Bettor::registered(&world, "ana").await;
    (world, bettor)
}

#[actix_web::test]
async fn ticket_is_accepted_with_the_example_numbers_of_the_contract() {
    let (world, mut ana) = usual().await;
    let answer = ana.place(&key(1), &slip_body(0, "10", &[(1, "1.75"), (2, "2.15")])).await;
    let body = answer.json();
    let ticket_id = body["ticketId"].as_str().expect("a ticket's id is a text");
    assert_eq!(
        (answer.status, &body),
        (
            200,
            &json!({
                "message": "Your bet has been accepted. Good luck!",
                "ticketId": ticket_id, "ticketNumber": body["ticketNumber"],
                "placedAt": 1_700_000_000_000_i64,
                "pairs": [
                    {"matchId": 1, "marketId": 1_000, "oddValue": 1.75},
                    {"matchId": 2, "marketId": 2_000, "oddValue": 2.15},
                ],
                "potentialWin": "35.74", "winTax": "2.62", "payout": "33.12", "balance": "990.00",
            })
        )
    );
    assert_eq!(ana.balance().await, "990.00");
    assert_eq!(world.stores.audit().await.unwrap().findings, Vec::<String>::new());
}

#[actix_web::test]
async fn system_ticket_with_a_fix_is_accepted() {
    let mut world = world_with(&["1.3", "2.2", "1.9", "1.5"]).await;
    offer(&mut world, &["1.3", "2.2", "1.9", "1.5"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let mut system = slip_body(2, "100", &[(1, "1.3"), (2, "2.2"), (3, "1.9"), (4, "1.5")]);
    system["pairs"][0]["isFix"] = json!(true);
    let answer = ana.place(&key(1), &body_with_amounts(system)).await;
    assert_eq!((answer.status, &answer.json()["balance"]), (200, &json!("900.00")), "{:?}", answer.json());
}

#[actix_web::test]
async fn every_rejection_has_its_own_message_and_uses_no_key() {
    let (_world, mut ana) = usual().await;
    let good = slip_body(0, "10", &[(1, "1.75")]);
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = good.clone();
        change(&mut changed);
        changed
    };
    let of_pair = |name: &'static str, value: Value| with(&|ticket| ticket["pairs"][0][name] = value.clone());
    let many = |count: u64| -> Vec<Value> { (1..=count).map(|id| home_win_body(id, "1.5")).collect() };
    let not_valid = "The betslip is not valid.";
    let not_right = "The amounts on the betslip are not correct. Refresh the betslip and try again.";
    let contradicts = "The chosen odds on the betslip do not match the offer: Home 1 – Away 1.";
    let range = "The stake must be between 1.00 EUR and 1000000.00 EUR.";
    for (body, text) in [
        (json!([]), not_valid),
        (json!({}), not_valid),
        (with(&|ticket| ticket["bruto"] = json!(10.505)), not_valid),
        (with(&|ticket| ticket["bruto"] = json!("-10")), not_valid),
        (with(&|ticket| ticket["pairs"] = json!([])), "There are no selections on the betslip."),
        (with(&|ticket| ticket["pairs"] = json!(many(31))), "A betslip may have at most 30 selections."),
        (
            with(&|ticket| ticket["pairs"] = json!([home_win_body(1, "1.75"), home_win_body(1, "1.75")])),
            "Home 1 – Away 1 is on the betslip twice.",
        ),
        (of_pair("isFix", json!(true)), "A standard betslip cannot have bankers."),
        (with(&|ticket| ticket["systemType"] = json!(1)), "The chosen combination does not exist."),
        (
            with(&|ticket| {
                ticket["systemType"] = json!(15);
                ticket["pairs"] = json!(many(30));
            }),
            "A betslip may have at most 20000 combinations.",
        ),
        (with(&|ticket| ticket["bruto"] = json!("0.99")), range),
        (with(&|ticket| ticket["bruto"] = json!("1000000.01")), range),
        (with(&|ticket| ticket["stake"] = json!("10.00")), not_right),
        (with(&|ticket| ticket["potentialWin"] = json!("16.64")), not_right),
        (with(&|ticket| ticket["winTax"] = json!("0.00")), not_right),
        (with(&|ticket| ticket["payout"] = json!("99999.00")), not_right),
        (slip_body(0, "10", &[(99, "1.75")]), "A match on the betslip is not in the offer."),
        (of_pair("marketId", json!(1_009)), "The chosen odds are not in the offer: Home 1 – Away 1."),
        (of_pair("marketId", json!(2_000)), "The chosen odds are not in the offer: Home 1 – Away 1."),
        (of_pair("marketType", json!(18)), contradicts),
        (of_pair("marketSubType", json!(3)), contradicts),
        (of_pair("sbv", json!("2.5")), contradicts),
        (of_pair("oddType", json!("X")), contradicts),
        (of_pair("oddType", json!(null)), contradicts),
        (slip_body(0, "10", &[(3, "2")]), "No more bets are accepted on this match: Home 3 – Away 3."),
        (slip_body(0, "10", &[(4, "2")]), "Betting on this match is suspended for the moment: Home 4 – Away 4."),
        (body_with_amounts(of_pair("oddValue", json!("0"))), "The chosen odds have been withdrawn: Home 1 – Away 1."),
        (
            with(&|ticket| {
                ticket["pairs"][0]["marketId"] = json!(1_002);
                ticket["pairs"][0]["oddType"] = json!("2");
            }),
            "The chosen odds have been withdrawn: Home 1 – Away 1.",
        ),
        (slip_body(0, "10", &[(1, "1.9")]), "The odds changed from 1.9 to 1.75: Home 1 – Away 1."),
        (slip_body(0, "1000.01", &[(1, "1.75")]), "Your balance of 1000.00 EUR is not enough for this bet."),
    ] {
        let answer = ana.place(&key(1), &body).await;
        assert_eq!(answer.error(), (400, text.to_owned()), "{body}");
    }
    assert_eq!(ana.balance().await, "1000.00");
    assert_eq!(ana.place(&key(1), &good).await.status, 200, "the key was not used up");
}

#[actix_web::test]
async fn no_bet_is_accepted_without_a_feed() {
    let (world, mut ana) = usual().await;
    let good = slip_body(0, "10", &[(1, "1.75")]);
    for (state, text) in [
        (FeedState::Recovering, "The offer is being restored. Please try again in a moment."),
        (FeedState::Inactive, "The offer is not available at the moment, so no bets are accepted."),
    ] {
        world.offer.model.set_feed(Lang::Hr, state);
        assert_eq!(ana.place(&key(1), &good).await.error(), (400, text.to_owned()));
    }
    world.offer.model.set_feed(Lang::Hr, FeedState::Active);
    world.offer.model.set_feed(Lang::En, FeedState::Inactive);
    assert_eq!(ana.place(&key(1), &good).await.status, 200, "another language is in trouble alone");
}

#[actix_web::test]
async fn pause_of_betting_is_explained_in_the_request_language() {
    let (world, mut ana) = usual().await;
    world.stores.betting_pause.pause(0).await.expect("the store answers");
    world.placements.read_pause().await;
    let body = slip_body(0, "10", &[(1, "1.75")]).to_string();
    let headers = [("content-type", "application/json"), ("idempotency-key", &key(1))];
    for (lang, text) in [
        ("hr", "Klađenje je trenutačno zaustavljeno. Pokušajte ponovno kasnije."),
        ("en", "Betting is paused at the moment. Please try again later."),
        ("bs", "Klađenje je trenutno zaustavljeno. Pokušajte ponovo kasnije."),
        ("sr", "Клађење је тренутно заустављено. Покушајте поново касније."),
    ] {
        let call = format!("live/send-ticket?lang={lang}");
        let answer = ana.send(Method::POST, &call, &headers, &body).await;
        assert_eq!(answer.error(), (400, text.to_owned()));
    }
}

#[actix_web::test]
async fn rejection_is_in_the_request_language() {
    let (_world, mut ana) = usual().await;
    let changed = slip_body(0, "10", &[(1, "1.9")]).to_string();
    let headers = [("content-type", "application/json"), ("idempotency-key", &key(1))];
    for (lang, text) in [
        ("hr", "Kvota se promijenila s 1.9 na 1.75: Home 1 – Away 1."),
        ("en", "The odds changed from 1.9 to 1.75: Home 1 – Away 1."),
    ] {
        let call = format!("live/send-ticket?lang={lang}");
        let answer = ana.send(Method::POST, &call, &headers, &changed).await;
        assert_eq!(answer.error(), (400, text.to_owned()));
    }
}

#[actix_web::test]
async fn odds_may_change_within_the_consent_of_the_bettor() {
    for (members, seen, status) in [
        (json!({}), "1.75", 200),
        (json!({}), "1.7", 400),
        (json!({"consentForChangedOdss": true}), "1.7", 200),
        (json!({"consentForChangedOdds": true}), "1.8", 200),
        (json!({"oddsPolicy": "higher"}), "1.7", 200),
        (json!({"oddsPolicy": "higher"}), "1.8", 400),
        (json!({"consentForChangedOdss": true, "oddsPolicy": "none"}), "1.8", 400),
        (json!({"oddsPolicy": "any"}), "1.8", 200),
    ] {
        let (_world, mut ana) = usual().await;
        let mut slip = slip_body(0, "10", &[(1, seen)]);
        let given = members.as_object().expect("members are an object").clone();
        let slip_members = slip.as_object_mut().expect("a ticket is an object");
        if !given.contains_key("consentForChangedOdss") {
            slip_members.remove("consentForChangedOdss");
        }
        slip_members.extend(given);
        let answer = ana.place(&key(1), &slip).await;
        assert_eq!(answer.status, status, "{members} {seen}");
        if status == 200 {
            assert_eq!(answer.json()["pairs"][0]["oddValue"], json!(1.75), "taken at the odd of now");
            assert_eq!(answer.json()["potentialWin"], json!("16.63"), "computed from the odd taken");
        }
    }
}

#[actix_web::test]
async fn request_errors_are_reported_before_ticket_errors() {
    let (world, mut ana) = usual().await;
    let good = slip_body(0, "10", &[(1, "1.75")]);
    let no_key = "The request has no Idempotency-Key (a UUID).".to_owned();
    assert_eq!(ana.post("live/send-ticket", &good).await.error(), (400, no_key.clone()));
    for wrong in ["", "1", "not-a-uuid", "0193f5c27d1e70008000000000000001"] {
        assert_eq!(ana.place(wrong, &good).await.error(), (400, no_key.clone()), "{wrong}");
    }
    for body in ["", "{", "[1,]", "{\"a\":1,\"a\":1}", "\u{feff}{}"] {
        assert_eq!(
            ana.place_text(&key(1), body).await.error(),
            (400, "The betslip is not valid.".to_owned()),
            "{body}"
        );
    }
    let large = format!("{}{}", good, " ".repeat(16 << 10));
    assert_eq!(ana.place_text(&key(1), &large).await.status, 413);
    let as_text = [("content-type", "text/plain"), ("idempotency-key", &key(1))];
    assert_eq!(ana.send(Method::POST, "live/send-ticket", &as_text, &good.to_string()).await.status, 415);
    assert_eq!(ana.send(Method::GET, "live/send-ticket", &[], "").await.status, 405);

    let mut nobody = Bettor::nobody(&world);
    assert_eq!(nobody.place(&key(1), &good).await.error(), (401, "Please log in.".to_owned()));
    assert_eq!(nobody.place_text("", "{").await.status, 401, "whatever it sends");
    nobody.cookie = "00112233445566778899aabbccddeeff".to_owned();
    assert_eq!(nobody.place(&key(1), &good).await.status, 401, "a session that nobody logged in");
    assert_eq!(ana.balance().await, "1000.00");
}

#[actix_web::test]
async fn amounts_may_be_strings_or_numbers() {
    let (_world, mut ana) = usual().await;
    let slip = slip_body(0, "10", &[(1, "1.75")]);
    let body = slip.to_string();
    let body =
        body.replace("\"bruto\":\"10\"", "\"bruto\":10.00").replace("\"oddValue\":\"1.75\"", "\"oddValue\":1.750");
    let body = body.replace("\"stake\":\"9.50\"", "\"stake\":9.5");
    assert!(body.contains("10.00") && body.contains("1.750") && body.contains("9.5"), "{body}");
    assert_eq!(ana.place_text(&key(1), &body).await.status, 200);
    for (from, to) in [("10.00", "1e1"), ("10.00", "10.000"), ("1.750", "1.7500"), ("1.750", "175e-2")] {
        assert_eq!(ana.place_text(&key(2), &body.replace(from, to)).await.status, 400, "{to}");
    }
}

#[actix_web::test]
async fn rejection_lists_all_pairs_that_changed_or_cannot_be_bet_on() {
    let mut world = world_with(&["1.75", "2.15", "3", "2.5"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let ticket = slip_body(0, "10", &[(1, "1.75"), (2, "2.15"), (3, "3"), (4, "2.5")]);
    let lower = usual_match(1, "1.5").update();
    let suspended = usual_match(2, "2.15").suspended().update();
    let locked = usual_match(4, "2.5").with(|m| m.market_mut(0).is_suspended = true).update();
    world.feed.publish(vec![lower, suspended, locked]).await;
    world.settle().await;
    let answer = ana.place(&key(1), &ticket).await;
    assert_eq!(answer.status, 400);
    assert_eq!(
        answer.json()["pairs"],
        json!([
            {"matchId": 1, "marketId": 1000, "oddValue": 1.75, "currentValue": 1.5, "reason": null},
            {"matchId": 2, "marketId": 2000, "oddValue": 2.15, "currentValue": 2.15, "reason": "match_suspended"},
            {"matchId": 4, "marketId": 4000, "oddValue": 2.5, "currentValue": null, "reason": "market_suspended"},
        ])
    );
    let too_much = ana.place(&key(2), &slip_body(0, "5000", &[(3, "3")])).await;
    assert_eq!((too_much.status, &too_much.json()["pairs"]), (400, &Value::Null));
}
