//! The program settles bets by itself: its matches report results, and every bet is settled.

use super::audit::Folder;
use super::bettors::{Bettor, body_of, odds, start, ticket};
use super::{kvota, output_of};
use kvota_domain::money::Money;
use std::net::TcpListener;
use std::time::Duration;
use tokio::time::Instant;

/// The replay starts at the 30th minute at 300 times real speed, so its matches end within seconds.
const PATIENCE: Duration = Duration::from_secs(170);

#[test]
fn bets_on_recorded_matches_are_settled_and_the_statement_explains_the_balance() {
    let folder = Folder::new("payouts");
    let data = folder.file().parent().unwrap().to_owned();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = kvota(&["serve", "--listen", &address.to_string()]);
    command.env("KVOTA__FEED__SPEED", "300").env("KVOTA__FEED__START_MINUTE", "30");
    let server = start(command, &data, address, 0);
    let bettor = Bettor::register(0, address);
    let deadline = Instant::now() + PATIENCE;
    let mut placed = 0;
    // An odd may be withdrawn during the delay of its bet; there are enough others.
    while placed < 3 {
        assert!(Instant::now() < deadline, "no bet is accepted");
        for (number, odd) in odds(address).iter().enumerate().take(6) {
            let key = format!("0193f5c2-7d1e-7000-8000-{placed:06x}{number:06x}");
            let answer = bettor.place(address, &key, &ticket(odd));
            placed += usize::from(answer.is_some_and(|(status, ..)| status == 200));
        }
    }
    loop {
        let open = body_of(&bettor, address, "account/tickets?state=open");
        if open["tickets"].as_array().unwrap().is_empty() {
            break;
        }
        assert!(Instant::now() < deadline, "not settled: {open}");
        std::thread::yield_now();
    }
    let settled = body_of(&bettor, address, "account/tickets?state=settled&limit=100");
    let settled = settled["tickets"].as_array().unwrap();
    assert_eq!(settled.len(), placed);
    assert!(settled.iter().all(|ticket| ticket["settlement"]["number"] == 1 && ticket["pairs"][0]["result"] != "open"));

    let statement = body_of(&bettor, address, "account/statement?limit=1000");
    let amounts = statement["entries"].as_array().unwrap().iter().map(|entry| {
        let text = entry["amount"].as_str().unwrap();
        let amount = Money::parse(text.trim_start_matches('-')).unwrap();
        if text.starts_with('-') { amount.negated() } else { amount }
    });
    let balance = body_of(&bettor, address, "live/user-status")["balance"].as_str().unwrap().to_owned();
    assert_eq!(amounts.sum::<Money>().to_string(), balance);

    drop(server);
    let audit = kvota(&["audit"]).env("KVOTA__STORE__DATA_DIR", &data).output().unwrap();
    let (code, out, err) = output_of(&audit);
    assert_eq!(code, Some(0), "{out}{err}");
}
