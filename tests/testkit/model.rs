//! Compares the ticket and the wallet with a simple model of the contract after every random step: 1,000 seeded runs of
//! 100 steps. The model must not call the code that it checks; it shares only types and ids with it.

use futures_util::FutureExt;
use kvota::testkit::builders::{match_id, price, sport_id};
use kvota::testkit::measured::count;
use kvota::testkit::scenario::TableOffer;
use kvota::testkit::seed::{Dice, roll, seeds};
use kvota_domain::ids::{MarketId, OddId};
use kvota_domain::money::Money;
use kvota_domain::session_state::{SessionCommand, SessionState};
use kvota_domain::ticket::{Consent, Rules, TicketCommand, TicketError, TicketKind};
use kvota_store::memory::MemoryStore;
use kvota_store::{
    AccountId, AccountStore, Answer, Bet, BetBasis, BetPair, BetStore, Created, IdempotencyKey, KeepRefusal, Kept,
    KeyPurpose, NewAccount, PairTexts, PlaceBet, Placed, StoreCare, TicketId,
};
use std::collections::BTreeMap;
use std::sync::Arc;

const RUNS: u64 = 1_000;
const STEPS: u32 = 100;
/// The limit of pairs on a ticket. Low, so that runs reach it.
const PAIRS_MAX: usize = 4;

/// The offer of every run.
const TABLE: &str = "MATCH 1 soccer\n result 1.5 3 0\n market 29 Da=1.7 Ne=2.1
                     MATCH 2 soccer\n result 2 3 4
                     MATCH 3 tennis\n market 1 1=1.2 2=4
                     MATCH 4 tennis\n market 1 1=1.9 2=1.9
                     MATCH 5 soccer\n result 9 5 1.1
                     MATCH 6 soccer\n result 1.01 8 0";

/// The model of a session by the contract: its ticket and its favourites, as plain lists and numbers.
#[derive(Clone, PartialEq, Debug)]
struct Plain {
    /// Match id, odd id, and whether the pair is a fix.
    pairs: Vec<(u64, u64, bool)>,
    favourites: Vec<u64>,
    is_system: bool,
    combination: Option<u8>,
    cents: i64,
    consent: &'static str,
}

impl Plain {
    fn new() -> Plain {
        Plain { pairs: vec![], favourites: vec![], is_system: false, combination: None, cents: 100, consent: "higher" }
    }

    /// Contract: "it is unselected when m changes so that it no longer exists".
    fn unselect(&mut self) {
        let free = self.pairs.iter().filter(|pair| !pair.2).count();
        if self.combination.is_some_and(|k| k == 0 || usize::from(k) + 1 > free) {
            self.combination = None;
        }
    }

    /// Adds a pair, replaces the odd of its match, or removes the pair if it has this odd already.
    fn pick(&mut self, offer: &TableOffer, id: u64, market: u64, odd: u64) -> Result<(), TicketError> {
        let held = self.pairs.iter().position(|pair| pair.0 == id);
        if let Some(place) = held.filter(|place| self.pairs[*place].1 == odd) {
            self.pairs.remove(place);
            return Ok(());
        }
        let live_match = offer.matches.get(&match_id(id)).ok_or(TicketError::UnknownMatch)?;
        let markets = live_match.markets.iter().find(|it| it.id.get() == market).ok_or(TicketError::UnknownMarket)?;
        let chosen = markets.odds.iter().find(|it| it.id.get() == odd).ok_or(TicketError::UnknownOdd)?;
        if chosen.value.thousandths() == 0 {
            return Err(TicketError::NotOffered);
        }
        match held {
            Some(place) => self.pairs[place].1 = odd,
            None if self.pairs.len() >= PAIRS_MAX => return Err(TicketError::TooManyPairs),
            None => self.pairs.push((id, odd, false)),
        }
        Ok(())
    }

    /// Contract: "Only digits, `.` and `,`; one separator; cut to 2 decimals; below 1 or not a number: the last valid
    /// stake; above 1,000,000: 1,000,000".
    fn stake(&mut self, text: &str) {
        let parts: Vec<&str> = text.split(['.', ',']).collect();
        let is_number = text.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',');
        if !is_number || parts.len() > 2 || parts.iter().all(|part| part.is_empty()) {
            return;
        }
        let decimals: String = parts.get(1).copied().unwrap_or_default().chars().chain("00".chars()).take(2).collect();
        let cents: i64 = format!("0{}{decimals}", parts[0]).parse().expect("few digits");
        if cents >= 100 {
            self.cents = cents.min(100_000_000);
        }
    }

    /// The same values of the session under test.
    fn of(state: &SessionState) -> Plain {
        let ticket = &state.ticket;
        Plain {
            pairs: ticket.pairs.iter().map(|it| (it.match_id.get(), it.odd_id.get(), it.is_fix)).collect(),
            favourites: state.favourites.iter().map(|id| id.get()).collect(),
            is_system: ticket.kind == TicketKind::System,
            combination: ticket.combination,
            cents: ticket.stake.cents(),
            consent: ticket.consent.code(),
        }
    }
}

/// Applies a random command to the model. Returns the command and its expected outcome.
fn step(dice: &mut Dice, plain: &mut Plain, offer: &TableOffer) -> (SessionCommand, Result<(), TicketError>) {
    let id = dice.between(1, 7);
    let ticket = SessionCommand::Ticket;
    let (command, outcome) = match dice.below(14) {
        0..=5 => {
            let market = id * 10 + dice.below(2);
            let odd = market * 100 + dice.below(4);
            let (market_id, odd_id) = (MarketId::new(market).expect("an id"), OddId::new(odd).expect("an id"));
            let command = TicketCommand::Pick { match_id: match_id(id), market_id, odd_id };
            (ticket(command), plain.pick(offer, id, market, odd))
        }
        6 => {
            plain.pairs.retain(|pair| pair.0 != id);
            (ticket(TicketCommand::Drop(match_id(id))), Ok(()))
        }
        7 | 8 => {
            let on = dice.chance(600);
            let pair = plain.pairs.iter_mut().find(|pair| pair.0 == id);
            let outcome = pair.map(|pair| pair.2 = on).ok_or(TicketError::NotOnTicket);
            (ticket(TicketCommand::Fix { match_id: match_id(id), on }), outcome)
        }
        9 => {
            plain.is_system = dice.chance(500);
            let kind = if plain.is_system { TicketKind::System } else { TicketKind::Standard };
            (ticket(TicketCommand::Type(kind)), Ok(()))
        }
        10 => {
            let k = dice.chance(800).then(|| dice.below(5) as u8);
            let before = std::mem::replace(&mut plain.combination, k);
            plain.unselect();
            let outcome = if plain.combination == k { Ok(()) } else { Err(TicketError::NoSuchCombination) };
            if outcome.is_err() {
                plain.combination = before;
            }
            (ticket(TicketCommand::Combination(k)), outcome)
        }
        11 => {
            let texts = ["10", "0.99", "1,5", "2.999", "x", "", "1.2.3", "99999999", ".5", "7.", "1.", "000000012.3"];
            let text = *dice.one_of(&texts);
            plain.stake(text);
            (ticket(TicketCommand::Stake(text.to_owned())), Ok(()))
        }
        12 if dice.chance(300) => {
            plain.pairs.clear();
            (ticket(TicketCommand::Clear), Ok(()))
        }
        12 => {
            plain.consent = dice.one_of::<&str>(&["none", "higher", "any"]);
            let consent = Consent::from_code(plain.consent).expect("a consent");
            (ticket(TicketCommand::Consent(consent)), Ok(()))
        }
        _ => {
            let on = dice.chance(700);
            let is_new = on && !plain.favourites.contains(&id);
            let outcome = if is_new && !offer.matches.contains_key(&match_id(id)) {
                Err(TicketError::UnknownMatch)
            } else {
                plain.favourites.retain(|held| *held != id);
                plain.favourites.extend(on.then_some(id));
                plain.favourites.sort_unstable();
                Ok(())
            };
            (SessionCommand::Favourite { match_id: match_id(id), on }, outcome)
        }
    };
    plain.unselect();
    (command, outcome)
}

#[test]
fn ticket_behaves_like_a_simple_model_of_the_contract() {
    let whole = TableOffer::of(TABLE);
    let mut rules = Rules::default();
    rules.limits.max_pairs = PAIRS_MAX;
    for seed in seeds(RUNS) {
        let mut dice = roll(seed);
        let (mut state, mut plain, mut offer) = (SessionState::empty(&rules), Plain::new(), whole.clone());
        for at in 0..STEPS {
            if dice.chance(80) {
                // A match leaves the offer or comes back.
                let id = match_id(dice.between(1, 6));
                if offer.matches.remove(&id).is_some() {
                    state.match_left(id).iter().for_each(|event| state.apply(event));
                    plain.pairs.retain(|pair| pair.0 != id.get());
                    plain.favourites.retain(|held| *held != id.get());
                    plain.unselect();
                } else {
                    offer.matches.insert(id, whole.matches[&id].clone());
                }
            }
            let (command, expected) = step(&mut dice, &mut plain, &offer);
            let is_known = |id| offer.matches.contains_key(&id);
            let outcome = state.decide(&command, &offer, &rules, is_known);
            for event in outcome.iter().flatten() {
                state.apply(event);
                // Applying an event twice has the same effect as applying it once.
                state.apply(event);
            }
            assert_eq!(outcome.map(|_| ()), expected, "seed {seed}, step {at}: {command:?}");
            assert_eq!(Plain::of(&state), plain, "seed {seed}, step {at}: after {command:?}");
        }
    }
    count("R36", "runs of the ticket's model, 100 steps each", seeds(RUNS).count());
}

fn bet(cents: i64) -> Bet {
    let pair = BetPair {
        match_id: match_id(1),
        market_id: MarketId::new(10).expect("an id"),
        odd_id: OddId::new(1_000).expect("an id"),
        sport_id: sport_id(1),
        market_type: 1,
        market_subtype: None,
        sbv: None,
        odd_type: None,
        odds_submitted: price("2"),
        odds_taken: price("2"),
        is_fix: false,
        texts: PairTexts::default(),
    };
    let amount = Money::from_cents(cents);
    Bet {
        basis: BetBasis::default(),
        placed_at_ms: 0,
        bruto: amount,
        stake: amount,
        total_odd: "2".to_owned(),
        system_type: 0,
        potential_win: amount,
        win_tax: Money::ZERO,
        payout: amount,
        consent: Consent::None,
        pairs: vec![pair],
    }
}

/// The result of a store call, without a runtime: the memory store never waits.
#[track_caller]
fn now<T>(asked: kvota_store::StoreFuture<'_, T>) -> T {
    asked.now_or_never().expect("the store in memory never waits").expect("it can be reached")
}

/// The model of the stored answers: digest, status and body text of each idempotency key.
type KeptUnder = BTreeMap<u8, (u8, u16, String)>;

#[test]
fn wallet_is_debited_once_per_key_and_never_below_zero() {
    for seed in seeds(RUNS) {
        let mut dice = roll(seed);
        let store = MemoryStore::new();
        let opening = dice.between(0, 5_000) as i64;
        let (name, opening_money) = ("ana".to_owned(), Money::from_cents(opening));
        let new =
            NewAccount { name, password_hash: String::new(), opening: opening_money, now_ms: 0, external_id: None };
        let Created::Account(account) = now(store.create(new)) else { panic!("she is the first") };
        let (mut left, mut kept) = (opening, KeptUnder::new());
        for at in 0..STEPS {
            let (key, digest, cents) = (dice.below(40) as u8, dice.below(2) as u8, dice.between(1, 900) as i64);
            let expected = match kept.get(&key) {
                Some((held, status, body)) if *held == digest => format!("again {status} {body}"),
                Some(_) => "conflict".to_owned(),
                None => "new".to_owned(),
            };
            let seen = if dice.chance(800) {
                place(&store, account, (key, digest), cents, u64::from(at))
            } else {
                refuse(&store, account, (key, digest))
            };
            match (expected.as_str(), seen.as_str()) {
                ("new", "refused") => {
                    kept.insert(key, (digest, 400, "no".to_owned()));
                }
                ("new", "taken") => {
                    left -= cents;
                    kept.insert(key, (digest, 200, format!("left {left}")));
                }
                ("new", "too little") => assert!(cents > left, "seed {seed}, step {at}: {cents} of {left}"),
                _ => assert_eq!(seen, expected, "seed {seed}, step {at}"),
            }
            let balance = now(store.balance(account)).expect("she is there").cents();
            assert_eq!(balance, left, "seed {seed}, step {at}");
        }
        let bets = kept.values().filter(|(_, status, _)| *status == 200).count() as u64;
        let report = now(store.audit());
        assert_eq!((report.bets, report.answers, report.findings), (bets, kept.len() as u64, vec![]), "seed {seed}");
    }
    count("R36", "runs of the wallet's model, 100 steps each", seeds(RUNS).count());
}

fn place(store: &MemoryStore, account: AccountId, (key, digest): (u8, u8), cents: i64, number: u64) -> String {
    let order = PlaceBet {
        account,
        key: IdempotencyKey([key; 16]),
        digest: [digest; 32],
        ticket_id: TicketId::new(&format!("T{number}")).expect("a plain word"),
        bet: bet(cents),
        limits: Default::default(),
        answer: Arc::new(|receipt| format!("left {}", receipt.balance.cents()).into_bytes()),
    };
    match now(store.place(order)) {
        Placed::Placed { .. } => "taken".to_owned(),
        Placed::Replayed(answer) => again(&answer),
        Placed::KeyConflict => "conflict".to_owned(),
        Placed::NotEnough { .. } => "too little".to_owned(),
        other => format!("{other:?}"),
    }
}

fn refuse(store: &MemoryStore, account: AccountId, (key, digest): (u8, u8)) -> String {
    let answer = Answer { status: 400, body: b"no".to_vec() };
    let (key, digest) = (IdempotencyKey([key; 16]), [digest; 32]);
    match now(store.keep_refusal(KeepRefusal { account, key, digest, answer, purpose: KeyPurpose::Bet, now_ms: 0 })) {
        Kept::Kept => "refused".to_owned(),
        Kept::Replayed(answer) => again(&answer),
        Kept::KeyConflict => "conflict".to_owned(),
    }
}

fn again(answer: &Answer) -> String {
    format!("again {} {}", answer.status, String::from_utf8_lossy(&answer.body))
}
