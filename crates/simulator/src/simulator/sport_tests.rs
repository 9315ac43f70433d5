//! Tests that apply to every sport of the table. A new sport in the table is tested automatically.

use super::calibration::measure;
use super::random::Random;
use super::sport::{Ask, Pairing, Play, Step};
use super::sports::{Entry, table};
use crate::pricing::book::Book;
use crate::pricing::kind::{KindSpec, Line};
use crate::results::verdict::Verdict;
use kvota_domain::facts::Topic;
use kvota_domain::lang::Lang;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};

fn begin(entry: &'static Entry, seed: u64) -> (Box<dyn Play>, Random) {
    let mut random = Random::new(seed, 77);
    let strengths = [random.normal().clamp(-2.5, 2.5), random.normal().clamp(-2.5, 2.5)];
    let play = entry.sport.begin(Pairing { strengths, tournament: random.bits() }, &mut random);
    (play, random)
}

fn book(entry: &'static Entry, play: &dyn Play) -> Book {
    let mut book = Book::new(entry.profile.kinds);
    play.price(&mut book);
    book.in_order()
}

/// Calls `look` before every step and after the last one; whether the match came to an end.
fn play_out(entry: &'static Entry, seed: u64, mut look: impl FnMut(&dyn Play, usize)) -> Box<dyn Play> {
    let (mut play, mut random) = begin(entry, seed);
    for step in 0..50_000 {
        look(play.as_ref(), step);
        if play.step(&mut random) == Step::Over {
            look(play.as_ref(), step + 1);
            return play;
        }
    }
    panic!("{}: the match of seed {seed} never ends", entry.profile.key);
}

#[test]
fn titles_read_with_their_line_after_them() {
    for entry in table() {
        for spec in entry.profile.kinds {
            for name in spec.name {
                let has_placeholder = name.split([' ', '-']).any(|word| word == "N" || word == "Nth");
                let has_bare_side = name.starts_with("1 ") || name.starts_with("2 ");
                let is_decimal_comma = |at: &[u8]| at[0].is_ascii_digit() && at[1] == b',' && at[2].is_ascii_digit();
                let has_decimal_comma = name.as_bytes().windows(3).any(is_decimal_comma);
                assert!(!has_placeholder && !has_bare_side && !has_decimal_comma, "{}: {name}", entry.profile.key);
            }
        }
    }
}

#[test]
fn tables_are_whole() {
    let mut ids = HashSet::new();
    for entry in table() {
        let profile = entry.profile;
        assert!(ids.insert(profile.id) && ids.len() <= 18, "{}", profile.key);
        assert!(profile.kinds.len() >= 8, "{} has but {} kinds", profile.key, profile.kinds.len());
        let numbers: HashSet<i64> = profile.kinds.iter().map(|spec| spec.number).collect();
        assert_eq!(numbers.len(), profile.kinds.len(), "{}: a number twice", profile.key);
        assert!(!profile.columns.is_empty() && !profile.entrants.is_empty());
        let cyrillic = |text: &str| text.chars().any(|c| ('\u{400}'..='\u{4ff}').contains(&c));
        for lang in Lang::ALL {
            let mut names: Vec<&str> = profile.kinds.iter().map(|spec| spec.name[lang.index()]).collect();
            assert!(names.iter().all(|name| cyrillic(name) == (lang == Lang::Sr)), "{}: {names:?}", profile.key);
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), profile.kinds.len(), "{}: a name twice in {lang:?}", profile.key);
            for spec in profile.kinds {
                assert!(!spec.tags.is_empty() && spec.tags.iter().all(|tag| tag[lang.index()].contains('.')));
            }
            for column in profile.columns {
                for (kind, _) in column.markets {
                    let answers = &entry.catalogue.words(lang, *kind).answers;
                    for field in column.fields {
                        let named = |held: &crate::pricing::catalogue::AnswerWords| *held.kind == *field[lang.index()];
                        assert!(answers.iter().any(named), "{}: {field:?} of kind {kind}", profile.key);
                    }
                }
            }
        }
    }
}

/// The chances of each market sum to its winners. A kind without lines has one market, and no balanced one.
fn sums_to_the_winners(entry: &'static Entry, book: &Book) {
    let mut seen = BTreeSet::new();
    for (market, odds) in book.markets() {
        let spec = &entry.profile.kinds[usize::from(market.kind)];
        assert!(seen.insert((market.kind, market.line)), "{}: {} twice", entry.profile.key, spec.name[1]);
        let sum: f64 = odds.iter().map(|odd| odd.probability).sum();
        let winners = spec.answers.winners() as f64;
        assert!((sum - winners).abs() < 1e-6, "{}: {} sums to {sum}", entry.profile.key, spec.name[1]);
        assert!(odds.iter().all(|odd| odd.answer < spec.answers.places()));
    }
    for (market, _) in book.markets() {
        let spec = &entry.profile.kinds[usize::from(market.kind)];
        let has_lines = !matches!(spec.line, Line::None);
        assert_eq!(market.balanced.is_some(), has_lines, "{} of {}", market.kind, entry.profile.key);
        assert!(has_lines || market.line == 0, "{} of {}", market.kind, entry.profile.key);
    }
}

/// Every market that was ever offered must have the right number of winning answers.
fn has_a_result(entry: &'static Entry, play: &dyn Play, offered: BTreeSet<(u16, u16)>) {
    assert!(play.board().over, "{}", entry.profile.key);
    assert_eq!(book(entry, play).markets().len(), 0, "{}: nothing is open at the end", entry.profile.key);
    for (kind, line) in offered {
        let spec = &entry.profile.kinds[usize::from(kind)];
        let verdicts = (0..spec.answers.places()).map(|answer| entry.verdict(play, Ask { kind, line, answer }));
        let verdicts: Vec<Verdict> = verdicts.collect();
        let won = verdicts.iter().filter(|verdict| **verdict == Verdict::Won).count();
        let void = verdicts.iter().all(|verdict| *verdict == Verdict::Void);
        let name = spec.name[1];
        assert!(won == spec.answers.winners() || void, "{}: {name} {line}: {verdicts:?}", entry.profile.key);
    }
}

/// Checks the markets that were still open shortly before the end: the last probability of an answer that then won must
/// not be 0.
fn was_possible(entry: &'static Entry, play: &dyn Play, looks: Vec<(Ask, f64)>) {
    for (ask, chance) in looks {
        if entry.verdict(play, ask) == Verdict::Won {
            assert!(chance > 0.0, "{}: {ask:?} came true and was priced as impossible", entry.profile.key);
        }
        if entry.verdict(play, ask) == Verdict::Lost {
            assert!(chance < 1.0, "{}: {ask:?} was certain and did not come true", entry.profile.key);
        }
    }
}

/// The kinds that were not offered, by name. The sets of a match have the same ones.
fn missing(entry: &'static Entry, offered: &BTreeSet<u16>) -> Vec<&'static str> {
    let without_number = |kind: &KindSpec| kind.name[1].replace(|letter: char| letter.is_ascii_digit(), "");
    let names: BTreeSet<String> =
        offered.iter().map(|kind| without_number(&entry.profile.kinds[usize::from(*kind)])).collect();
    entry.profile.kinds.iter().filter(|kind| !names.contains(&without_number(kind))).map(|kind| kind.name[1]).collect()
}

/// A file's market with a question that nothing answers would never be offered.
#[test]
fn every_market_is_offered_in_some_match() {
    for entry in table() {
        let mut offered = BTreeSet::new();
        let mut seeds = 100..200;
        while let Some(seed) = seeds.next().filter(|_| !missing(entry, &offered).is_empty()) {
            play_out(entry, seed, |play, step| {
                if step % 10 == 0 {
                    offered.extend(book(entry, play).markets().map(|(market, _)| market.kind));
                }
            });
        }
        assert_eq!(missing(entry, &offered), [""; 0], "{}", entry.profile.key);
    }
}

/// Three things of each book, for making the books is what costs.
#[test]
fn what_is_offered_sums_up_is_possible_and_has_a_result() {
    for entry in table() {
        for seed in 10..16 {
            let (mut offered, mut looks) = (BTreeSet::new(), Vec::new());
            let play = play_out(entry, seed, |play, step| {
                if step % 5 != 0 {
                    return;
                }
                let book = book(entry, play);
                sums_to_the_winners(entry, &book);
                for (market, odds) in book.markets() {
                    offered.insert((market.kind, market.line));
                    let ask = |answer| Ask { kind: market.kind, line: market.line, answer };
                    looks.extend(odds.iter().map(|odd| (ask(odd.answer), odd.probability)));
                }
            });
            has_a_result(entry, play.as_ref(), offered);
            was_possible(entry, play.as_ref(), looks);
        }
    }
}

#[test]
fn every_status_is_translated() {
    let words = include_str!("../../../../config/translations/en.json");
    for entry in table() {
        let mut seen = BTreeSet::new();
        for seed in 40..44 {
            play_out(entry, seed, |play, _| {
                seen.insert(play.board().status);
            });
        }
        for status in seen {
            assert!(words.contains(&format!("\"{status}\":")), "{}: {status}", entry.profile.key);
        }
    }
}

#[test]
fn a_match_ends_in_a_believable_time() {
    for entry in table() {
        let (mut total_ms, number) = (0.0, 12);
        for seed in 0..number {
            let (mut play, mut random) = begin(entry, seed);
            while let Step::Next { after_ms } = play.step(&mut random) {
                total_ms += f64::from(after_ms);
            }
        }
        let minutes = total_ms / f64::from(number as u32) / 60_000.0;
        let said = f64::from(entry.profile.minutes);
        assert!((0.6..1.5).contains(&(minutes / said)), "{}: {minutes} minutes, not {said}", entry.profile.key);
    }
}

#[test]
fn whoever_gives_up_ends_the_match() {
    for entry in table().iter().filter(|entry| entry.profile.retired > 0.0) {
        let (mut play, mut random) = begin(entry, 5);
        for _ in 0..20 {
            play.step(&mut random);
        }
        let mut open = book(entry, play.as_ref());
        open.nudge(0, 0.0);
        play.retire(1);
        assert!(play.board().over, "{}", entry.profile.key);
        for (market, _) in open.markets() {
            let places = usize::from(entry.profile.kinds[usize::from(market.kind)].answers.places());
            let right = play.right(market.kind, market.line);
            assert!(right.is_none_or(|right| right < places), "{}: {market:?} {right:?}", entry.profile.key);
        }
    }
}

#[test]
fn what_is_priced_at_p_happens_with_frequency_p() {
    for entry in table() {
        let reliability = measure(entry, 2026, 40);
        let noted: u64 = reliability.bins.iter().map(|bin| bin.number).sum();
        assert!(noted > 1_000, "{}: {noted} chances", entry.profile.key);
        for (bin, tally) in reliability.bins.iter().enumerate() {
            let off = tally.deviations();
            assert!(off.abs() < 4.5, "{}: bin {bin} is off by {off} errors: {tally:?}", entry.profile.key);
        }
        for ((kind, answer), tally) in &reliability.kinds {
            let (off, name) = (tally.deviations(), entry.profile.kinds[usize::from(*kind)].name[1]);
            assert!(off.abs() < 5.0, "{}: {name}/{answer} is off by {off} errors: {tally:?}", entry.profile.key);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// Compares pairs of moments of random matches that differ only in time: the later one must be better for a leader
    /// that is not the favourite.
    #[test]
    fn the_leader_gains_as_time_runs_out(seed in 0..u64::MAX) {
        for entry in table().iter().filter(|entry| entry.profile.leader_kind.is_some()) {
            let kind = entry.profile.leader_kind.unwrap_or_default();
            let mut before: Option<(super::sport::Board, f64)> = None;
            let mut favourite = None;
            play_out(entry, seed, |play, step| {
                if step % 4 != 0 {
                    return;
                }
                let board = play.board();
                let book = book(entry, play);
                let odds = book.markets().find(|(market, _)| market.kind == kind).map(|(_, odds)| odds.to_vec());
                let Some([home, away]) = board.score else { return };
                let chances = odds.map(|odds| [odds[0], odds[odds.len() - 1]].map(|odd| odd.probability));
                if step == 0 {
                    favourite = chances.map(|[home, away]| usize::from(home < away));
                }
                let ahead = usize::from(home < away);
                let is_short = play.facts().iter().any(|fact| fact.topic == Topic::Short);
                let is_even = !is_short && board.red_cards.is_none_or(|[home, away]| home == away);
                let (Some(chances), true) = (chances, home != away && favourite != Some(ahead) && is_even) else {
                    before = None;
                    return;
                };
                let now = chances[ahead];
                if let Some((earlier, chance)) = &before
                    && earlier.score == board.score
                    && earlier.red_cards == board.red_cards
                    && earlier.status == board.status
                {
                    assert!(now >= chance - 1e-6, "{}: from {chance} to {now}: {board:?}", entry.profile.key);
                }
                before = Some((board, now));
            });
        }
    }
}
