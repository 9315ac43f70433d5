//! Receipts: the list of an account's bets, and single bets.

use crate::kit::{Bettor, world_with};
use kvota::testkit::slip::{key, slip_body};
use kvota_domain::feed::Position;
use kvota_store::{BetRules, TicketId};
use serde_json::json;

#[actix_web::test]
async fn receipt_shows_the_accepted_bet() {
    let world = world_with(&["1.75", "2.15"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let placed = ana.place(&key(1), &slip_body(0, "10", &[(1, "1.75"), (2, "2.15")])).await.json();
    let id = placed["ticketId"].as_str().expect("a ticket's id is a text").to_owned();
    let pair = |id: u64, odd: f64| {
        json!({
            "matchId": id, "marketId": id * 1_000, "marketType": 1, "sportId": 1, "home": format!("Home {id}"),
            "away": format!("Away {id}"), "tournament": "Test league", "marketName": "Market 1", "oddType": "1",
            "oddName": "1",
            "sbv": null, "oddValue": odd, "isFix": false, "result": "open",
            "settledAt": null, "factor": null, "reason": null,
        })
    };
    let receipt = json!({
        "ticketId": id, "ticketNumber": placed["ticketNumber"], "revision": 0,
        "possible": {"gross": "35.74", "winTax": "2.62", "paid": "33.12"}, "placedAt": 1_700_000_000_000_i64, "status": "open", "state": "open", "settlement": null,
        "systemType": 0,
        "stake": "9.50", "bruto": "10.00", "totalOdd": "3.7625", "potentialWin": "35.74", "winTax": "2.62",
        "payout": "33.12", "remaining": {"bruto": "10.00", "taxedStake": "9.50"}, "cashOuts": [], "cashOutRule": null,
        "pairs": [pair(1, 1.75), pair(2, 2.15)],
    });
    let number = placed["ticketNumber"].as_str().expect("a ticket's number is a text");
    for path in [id.as_str(), number, &number.to_lowercase()] {
        let one = ana.get(&format!("account/tickets/{path}")).await;
        let mut with_settlements = receipt.clone();
        with_settlements["settlements"] = json!([]);
        assert_eq!((one.status, one.json()), (200, with_settlements), "{path}");
    }
    let list = ana.get("account/tickets").await;
    assert_eq!((list.status, list.json()), (200, json!({"tickets": [receipt], "next": null})));
    assert_eq!(list.header("cache-control"), "no-store");
}

#[actix_web::test]
async fn bet_keeps_the_rules_and_the_positions_by_which_it_was_accepted() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let placed = ana.place(&key(1), &slip_body(0, "10", &[(1, "2")])).await.json();
    let id = TicketId::new(placed["ticketId"].as_str().expect("a text")).expect("an id");
    let account = world.stores.accounts.find("ana").await.expect("the store answers").expect("an account").id;
    let bet = world.stores.bets.ticket(account, &id).await.expect("the store answers").expect("the bet");
    let position = Position { epoch: world.feed.epoch, seq: world.feed.seq };
    let basis = bet.bet.basis;
    assert_eq!((basis.feed, basis.offer_version), (Some(position), Some(world.offer.model.version())));
    assert_eq!(basis.rules, Some(BetRules::default()));
}

#[actix_web::test]
async fn tickets_are_listed_newest_first_in_pages() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let mut placed = Vec::new();
    for number in 0..5 {
        let answer = ana.place(&key(number), &slip_body(0, "10", &[(1, "2")])).await;
        placed.insert(0, answer.json()["ticketId"].clone());
    }
    let mut seen = Vec::new();
    let mut call = "account/tickets?limit=2".to_owned();
    loop {
        let page = ana.get(&call).await.json();
        let tickets = page["tickets"].as_array().expect("tickets are a list");
        assert!(tickets.len() <= 2);
        seen.extend(tickets.iter().map(|ticket| ticket["ticketId"].clone()));
        let Some(cursor) = page["next"].as_str() else { break };
        call = format!("account/tickets?limit=2&cursor={cursor}");
    }
    assert_eq!(seen, placed);
}

#[actix_web::test]
async fn bet_of_another_account_is_not_found() {
    let world = world_with(&["2"]).await;
    let mut ana = Bettor::registered(&world, "ana").await;
    let id = ana.place(&key(1), &slip_body(0, "10", &[(1, "2")])).await.json()["ticketId"].clone();
    let id = id.as_str().expect("a ticket's id is a text");
    let mut ben = Bettor::registered(&world, "ben").await;
    assert_eq!(ben.get("account/tickets").await.json(), json!({"tickets": [], "next": null}));
    for (call, status) in [
        (format!("account/tickets/{id}"), 404),
        ("account/tickets/%20".to_owned(), 404),
        (format!("account/tickets?cursor={id}"), 400),
        ("account/tickets?cursor=%20".to_owned(), 400),
        ("account/tickets?state=won".to_owned(), 400),
        ("account/tickets?state=open".to_owned(), 200),
        ("account/tickets?limit=0".to_owned(), 400),
        ("account/tickets?limit=-1".to_owned(), 400),
        ("account/tickets?limit=x".to_owned(), 400),
        ("account/tickets?limit=100".to_owned(), 200),
        ("account/tickets?limit=1000".to_owned(), 200),
        ("account/tickets?cursor=&limit=".to_owned(), 200),
    ] {
        assert_eq!(ben.get(&call).await.status, status, "{call}");
        assert_eq!(Bettor::nobody(&world).get(&call).await.status, 401, "{call}");
    }
}
