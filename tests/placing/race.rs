//! 100,000 bets against a changing offer: a thousand changes a second, with goals, suspensions, deletions and a feed
//! that breaks. A bet may only be accepted at an odd that was current or consented to at the revision of its
//! validation, and only if nothing stopped it during its delay. Each seed gives the same run every time.

use crate::stage::{NOW_MS, account, answered, order, pass, put};
use kvota::betting::placement::{Betting, PlacementAnswer, Placements};
use kvota::testkit::builders::{live_match, match_id, odd_id, result, usual_match};
use kvota::testkit::measured;
use kvota::testkit::seed::Dice;
use kvota::testkit::slip::{home_win, slip};
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::price::Price;
use kvota_domain::ticket::{Consent, Delays, OfferView};
use kvota_read_model::ReadModel;
use kvota_store::{IdempotencyKey, Stores};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const SEEDS: u64 = 100;
const BETS_PER_SEED: usize = 1_000;
const MATCHES: u64 = 20;
const ACCOUNTS: usize = 100;
/// Bets arrive over this many ms. The offer changes once in each ms, and also while the last bets wait.
const BETS_MS: u64 = 1_000;
const DELAY_SECONDS: u32 = 1;

fn price_of(dice: &mut Dice) -> u32 {
    1_100 + u32::try_from(dice.below(8)).expect("a die is small") * 50
}

/// The price of a match and whether it is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stood {
    thousandths: u32,
    is_open: bool,
}

/// The offer at each revision.
struct History {
    model: Arc<ReadModel>,
    matches: BTreeMap<u64, Vec<(u64, Option<Stood>)>>,
    feed: Vec<(u64, bool)>,
}

impl History {
    fn note(&mut self, id: u64, stood: Option<Stood>) {
        self.matches.entry(id).or_default().push((self.model.version(), stood));
    }

    fn now(&self, id: u64) -> Option<Stood> {
        self.matches.get(&id)?.last()?.1
    }

    fn at(&self, id: u64, version: u64) -> Option<Stood> {
        let noted = self.matches.get(&id)?;
        noted[..noted.partition_point(|(since, _)| *since <= version)].last()?.1
    }

    /// The states of a match at all revisions after the first of these, up to the last.
    fn between(&self, id: u64, versions: &Range<u64>) -> impl Iterator<Item = Option<Stood>> {
        let noted = self.matches.get(&id).into_iter().flatten();
        let (after, last) = (versions.start, versions.end);
        noted.filter(move |(since, _)| *since > after && *since <= last).map(|(_, stood)| *stood)
    }

    fn was_always_active(&self, versions: &Range<u64>) -> bool {
        let within = |since: u64| since > versions.start && since <= versions.end;
        self.was_active(versions.end) && self.feed.iter().all(|(since, active)| *active || !within(*since))
    }

    fn was_active(&self, version: u64) -> bool {
        self.feed[..self.feed.partition_point(|(since, _)| *since <= version)].last().is_some_and(|(_, active)| *active)
    }

    fn set(&mut self, id: u64, stood: Option<Stood>) {
        match stood {
            None => self.model.remove_match(match_id(id)),
            Some(Stood { thousandths, is_open }) => {
                let price = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
                let open = usual_match(id, &price);
                put(&self.model, if is_open { open } else { open.suspended() });
            }
        }
        self.note(id, stood);
    }

    fn set_feed(&mut self, active: bool) {
        let state = if active { FeedState::Active } else { FeedState::Recovering };
        self.model.set_feed(Lang::Hr, state);
        self.feed.push((self.model.version(), active));
    }

    /// Makes one random change.
    fn change(&mut self, dice: &mut Dice) {
        let id = 1 + dice.below(MATCHES);
        let price = Stood { thousandths: price_of(dice), is_open: true };
        let before = self.now(id);
        match (dice.below(10_000), before) {
            (0..2, _) => self.set_feed(false),
            (2..2_000, _) if !self.was_active(u64::MAX) => self.set_feed(true),
            (2_000..2_020, Some(_)) => self.set(id, None),
            (2_020..2_070, Some(stood)) => self.set(id, Some(Stood { is_open: false, ..stood })),
            // A goal: the match is suspended and its price changes.
            (2_070..2_090, Some(_)) => self.set(id, Some(Stood { is_open: false, ..price })),
            (2_090..2_500, Some(stood)) => self.set(id, Some(Stood { thousandths: price.thousandths, ..stood })),
            // Most changes repeat the known price and open the match.
            (_, stood) => self.set(id, Some(Stood { is_open: true, ..stood.unwrap_or(price) })),
        }
    }
}

struct Sent {
    consent: Consent,
    pairs: Vec<(u64, u32)>,
    /// The first validation has seen at least this revision.
    version: u64,
}

/// Counts of the bets of a seed: accepted, accepted at a changed odd, rejected after the delay.
#[derive(Default)]
struct Outcome {
    taken: usize,
    taken_changed: usize,
    refused: usize,
}

async fn play(seed: u64) -> Outcome {
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    let stores = Stores::in_memory();
    let delays = Delays { default_seconds: DELAY_SECONDS, ..Delays::default() };
    let betting = Betting { delays, ..Betting::default() };
    let placements = Placements::new(
        Arc::clone(&model),
        stores.clone(),
        betting,
        || NOW_MS,
        None,
        kvota::betting::bet_events::BetEvents::default(),
    );
    let mut accounts = Vec::new();
    for number in 0..ACCOUNTS {
        accounts.push(account(&stores, &format!("bettor{number}"), 1_000_000).await);
    }
    let mut dice = Dice::new(seed);
    let mut history = History { model, matches: BTreeMap::new(), feed: Vec::new() };
    history.set_feed(true);
    for id in 1..=MATCHES {
        let thousandths = price_of(&mut dice);
        history.set(id, Some(Stood { thousandths, is_open: true }));
    }
    let history = RefCell::new(history);

    let changes = async {
        let mut dice = Dice::new(seed ^ 0xfeed);
        for _ in 0..BETS_MS + u64::from(DELAY_SECONDS) * 1_000 {
            history.borrow_mut().change(&mut dice);
            pass(Duration::from_millis(1)).await;
        }
    };
    let bets = (0..BETS_PER_SEED).map(|number| {
        let mut dice = Dice::new(seed << 32 | number as u64);
        let account = accounts[number % ACCOUNTS];
        let (placements, history) = (&placements, &history);
        async move {
            pass(Duration::from_millis(dice.below(BETS_MS))).await;
            let consent = *dice.one_of(&[Consent::None, Consent::Higher, Consent::Any]);
            let first = 1 + dice.below(MATCHES);
            let count = 1 + dice.below(3);
            let pairs: Vec<(u64, u32)> = (0..count)
                .map(|place| (first + place * 7 - 1) % MATCHES + 1)
                .map(|id| (id, history.borrow().now(id).map_or(1_500, |stood| stood.thousandths)))
                .collect();
            let seen =
                |(id, seen): &(u64, u32)| home_win(*id, Price::from_thousandths(*seen).expect("a price is small"));
            let ticket = slip(Money::from_cents(100), consent, pairs.iter().map(seen));
            let mut key = [0; 16];
            key[..8].copy_from_slice(&(number as u64).to_be_bytes());
            let version = history.borrow().model.version();
            let answer = placements.place(order(account, IdempotencyKey(key), ticket)).await;
            (Sent { consent, pairs, version }, answer)
        }
    });
    let (answers, ()) = futures_util::future::join(futures_util::future::join_all(bets), changes).await;

    let history = history.into_inner();
    let mut outcome = Outcome::default();
    for (sent, answer) in answers {
        judge(seed, &history, &sent, &answer, &mut outcome);
    }
    let audit = stores.audit().await.expect("the store answers");
    assert_eq!((audit.findings, audit.bets), (Vec::new(), outcome.taken as u64), "seed {seed}");
    outcome
}

/// Compares an accepted bet with the offer at its revision.
fn judge(seed: u64, history: &History, sent: &Sent, answer: &PlacementAnswer, outcome: &mut Outcome) {
    let (status, text) = answered(answer);
    if status != 200 {
        outcome.refused += 1;
        return;
    }
    let (version, odds) = text.strip_prefix("taken ").and_then(|rest| rest.split_once(": ")).expect("a bet is told");
    let version: u64 = version.parse().expect("a revision is a number");
    // At most one change lies between sending and the first validation, which are in the same ms.
    let waited = sent.version + 1..version;
    assert!(history.was_always_active(&waited), "seed {seed}: taken at {version} while the feed was recovering");
    let mut has_changed = false;
    for ((id, seen), taken) in sent.pairs.iter().zip(odds.split(' ')) {
        let (seen, taken) =
            (kvota_domain::price::Price::from_thousandths(*seen), kvota_domain::price::Price::parse(taken));
        let (seen, taken) = (seen.expect("a price is small"), taken.expect("a price is told"));
        let stood = history.at(*id, version);
        for stood in history.between(*id, &waited) {
            let agreed =
                stood.filter(|stood| stood.is_open).and_then(|stood| Price::from_thousandths(stood.thousandths));
            let agreed = agreed.is_some_and(|now| sent.consent.allows(seen, now));
            assert!(agreed, "seed {seed}: match {id} was {stood:?} while the bet taken at {version} waited");
        }
        let current = Some(Stood { thousandths: taken.thousandths(), is_open: true });
        assert_eq!(stood, current, "seed {seed}: match {id} at {version}");
        assert!(
            sent.consent.allows(seen, taken),
            "seed {seed}: match {id} from {seen} to {taken} with {:?}",
            sent.consent
        );
        has_changed |= seen != taken;
    }
    outcome.taken += 1;
    outcome.taken_changed += usize::from(has_changed);
}

/// Runs some of the seeds. No bet may be accepted at an odd that was not current or consented to.
async fn race(seeds: Range<u64>) {
    tokio::time::pause();
    let mut all = Outcome::default();
    let count = usize::try_from(seeds.end - seeds.start).expect("seeds are few");
    for seed in seeds {
        let outcome = play(seed).await;
        all.taken += outcome.taken;
        all.taken_changed += outcome.taken_changed;
        all.refused += outcome.refused;
    }
    let Outcome { taken, taken_changed, refused } = all;
    assert_eq!(taken + refused, count * BETS_PER_SEED);
    let what = format!("bets raced with changes, {taken} accepted, {taken_changed} of them at a changed odd as agreed");
    measured::count("R31", &what, taken + refused);
    // The test is only valid if all outcomes occurred often.
    assert!(taken > 1_000 && taken_changed > 500 && refused > 1_000, "{taken} {taken_changed} {refused}");
}

// Four tests, so that they run in parallel.

#[actix_web::test]
async fn bets_race_the_offer_in_the_first_quarter_of_the_seeds() {
    race(0..SEEDS / 4).await;
}

#[actix_web::test]
async fn bets_race_the_offer_in_the_second_quarter_of_the_seeds() {
    race(SEEDS / 4..SEEDS / 2).await;
}

#[actix_web::test]
async fn bets_race_the_offer_in_the_third_quarter_of_the_seeds() {
    race(SEEDS / 2..SEEDS / 4 * 3).await;
}

#[actix_web::test]
async fn bets_race_the_offer_in_the_last_quarter_of_the_seeds() {
    race(SEEDS / 4 * 3..SEEDS).await;
}

/// Sets a match to the price of a step.
fn set(model: &ReadModel, id: u64, step: u32) {
    let price = format!("{}.{:03}", 1 + step / 1_000, step % 1_000);
    put(model, live_match(id).market(result(id * 10, [&price, "3", "4"])));
}

/// Match 1 always changes first and match 2 follows. A snapshot with more than one step between them, or with match 2
/// ahead, mixes two moments.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a real thread races the snapshots, and is joined")]
async fn offer_snapshot_is_consistent_while_another_thread_writes() {
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    let step_of = |snapshot: &kvota_read_model::OfferSnapshot, id: u64| {
        let quote = snapshot.quote(match_id(id), odd_id(id * 1_000))?;
        Some(quote.odd?.price.thousandths() - 1_000)
    };
    set(&model, 1, 0);
    set(&model, 2, 0);
    let is_done = Arc::new(AtomicBool::new(false));
    let writer = {
        let (model, is_done) = (Arc::clone(&model), Arc::clone(&is_done));
        std::thread::spawn(move || {
            let mut step = 0;
            while !is_done.load(Ordering::Relaxed) {
                step = (step + 1) % 50_000_000;
                set(&model, 1, step);
                set(&model, 2, step);
            }
            step
        })
    };
    let mut steps = Vec::new();
    let mut versions = 0;
    for _ in 0..20_000 {
        // Match 2 first: this order shows a torn read best.
        let snapshot = model.snapshot(&[match_id(2), match_id(1)]).await.expect("a snapshot of the offer");
        let (first, second) =
            (step_of(&snapshot, 1).expect("it is there"), step_of(&snapshot, 2).expect("it is there"));
        assert!(first == second || first == second + 1, "{first} {second}");
        // Two changes a step, after the first two.
        assert_eq!(snapshot.version, 3 + u64::from(first) + u64::from(second), "the revision is that of what was seen");
        versions += usize::from(steps.last() != Some(&first));
        steps.push(first);
    }
    is_done.store(true, Ordering::Relaxed);
    let written = writer.join().expect("the writer ends well");
    assert!(written > 0 && versions > 1, "{written} steps, {versions} seen");
}
