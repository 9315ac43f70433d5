//! The program is killed at random moments under load, twenty times (or `KVOTA_KILLS=500`) with one data folder. Every
//! bet answered with 200 exists exactly once, repeating a key without a response settles it, and the ledger sums to
//! zero.

use super::audit::Folder;
use super::bettors::{Bettor, odds, serve};
use super::{kvota, output_of};
use kvota::testkit::measured::{asked_for, count};
use kvota::testkit::seed::roll;
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::Duration;
use tokio::time::Instant;

const ROUNDS: u64 = 20;
const BETTORS: usize = 4;
/// A server is killed after fewer responses than this.
const ANSWERS_MAX: u64 = 90;
/// Upper bound of the time from the last response to the kill, in µs: about as long as a bet takes.
const MOMENT_US_MAX: u64 = 3_000;

#[test]
fn a_bet_survives_twenty_kills_exactly_once() {
    let folder = Folder::new("kills");
    let data = folder.file().parent().unwrap().to_owned();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut dice = roll(2026);
    let mut server = serve(&data, address, 0);
    let mut bettors: Vec<Bettor> = (0..BETTORS).map(|number| Bettor::register(number, address)).collect();
    let mut unanswered = 0;
    let rounds = asked_for("KVOTA_KILLS", ROUNDS);
    for _ in 0..rounds {
        let odds = odds(address);
        let (answered, answers) = mpsc::channel();
        let (lives, moment) = (dice.below(ANSWERS_MAX) as usize, Duration::from_micros(dice.below(MOMENT_US_MAX)));
        std::thread::scope(|scope| {
            for bettor in &mut bettors {
                let (odds, answered) = (&odds, answered.clone());
                scope.spawn(move || bettor.bet(address, odds, &answered));
            }
            drop(answered);
            // After `lives` responses the other bettors have bets in progress; the kill hits any moment of those.
            answers.iter().take(lives).count();
            let last = Instant::now();
            while last.elapsed() < moment {
                std::hint::spin_loop();
            }
            // SIGKILL: the program cannot clean up.
            server.0.kill().unwrap();
            server.0.wait().unwrap();
        });
        unanswered += bettors.iter().flat_map(|it| &it.latest).filter(|(.., answer)| answer.is_none()).count();
        server = serve(&data, address, 0);
        bettors.iter_mut().for_each(|bettor| bettor.repeat_bets(address));
    }
    let taken: usize = bettors.iter().map(|bettor| bettor.taken.len()).sum();
    assert!(taken > 100 && unanswered > 0, "{taken} bets, {unanswered} without an answer");
    for bettor in &bettors {
        let mut known = bettor.tickets(address);
        let mut answered: Vec<String> = bettor.taken.keys().cloned().collect();
        known.sort();
        answered.sort();
        assert_eq!(known, answered, "what was answered with 200, each once and nothing else");
    }
    drop(server);
    let audit = kvota(&["audit"]).env("KVOTA__STORE__DATA_DIR", &data).output().unwrap();
    let (code, out, err) = output_of(&audit);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("the ledger sums to zero"), "{out}");
    assert!(out.lines().any(|line| line.starts_with("bets") && line.ends_with(&format!(" {taken}"))), "{out}");
    count("R06", &format!("kills; {taken} bets, {unanswered} keys without an answer settled"), rounds);
}
