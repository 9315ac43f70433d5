//! Simulates many matches concurrently. There is one place per requested match, and in each place one match follows
//! another. Everything depends only on the seed and the number of the place, never on how often the generator is
//! called. A match's id modulo a million is 100,000 to 499,999; recorded matches have other ids.

use super::course::Course;
use super::names::{Entrants, Tournament, country, entrant, entrant_of, tournament};
use super::options::{SimulatorError, SimulatorOptions};
use super::random::Random;
use super::sport::Pairing;
use super::sports::Entry;
use crate::fixture::Fixture;
use crate::generator::{GeneratedChange, Generator, IdSpace};
use crate::results::MatchDecisions;
use kvota_domain::feed::Change;
use kvota_domain::ids::MatchId;
use kvota_domain::lang::Lang;
use kvota_domain::sport::SportPatch;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

/// The first match's id modulo [`ROUND`].
const FIRST_ID: u64 = 100_000;
/// How many ids there are in a round.
const IDS: u64 = 400_000;
/// Added to an id in each further round.
const ROUND: u64 = 1_000_000;
/// Places of a sport that share a tournament.
const PLACES_A_TOURNAMENT: u64 = 4;
/// The number of entrants of one place.
const ENTRANTS_A_PLACE: u64 = 6;
/// From the announcement of a match to its start, in seconds. It is announced when the one before it leaves, so that
/// there are always as many as were asked for.
const LEAD_S: std::ops::Range<f64> = 60.0..420.0;

/// The simulation.
#[derive(Debug)]
pub struct Simulator {
    options: SimulatorOptions,
    places: Vec<Place>,
    /// The time of the next event of each place, in ms of simulated time.
    due: BinaryHeap<Reverse<(i64, usize)>>,
    /// The time of the next price change without an event, and its place.
    next_nudge: (i64, usize),
    nudges: Random,
    first_wall_ms: Option<i64>,
    now_ms: i64,
    wall_ms: i64,
    /// The results of the latest step.
    decisions: Vec<MatchDecisions>,
}

/// One after the other.
#[derive(Debug)]
struct Place {
    entry: &'static Entry,
    /// Its number among those of its sport.
    index: u64,
    /// How many matches it has had.
    begun: u64,
    course: Course,
}

impl Simulator {
    /// A simulation.
    ///
    /// # Errors
    /// The options are invalid; the error names the allowed range.
    pub fn new(options: SimulatorOptions) -> Result<Simulator, SimulatorError> {
        let sports = options.checked()?;
        let mut ids = options.ids;
        let mut ages = Random::new(options.seed, u64::MAX);
        let mut places: Vec<Place> = Vec::new();
        for (entry, number) in shared_out(&sports, options.matches) {
            for index in 0..u64::from(number) {
                let place = places.len() as u64;
                // All sorts of stages: just announced, in the middle, nearly over.
                let age_s = ages.between(-240.0, f64::from(entry.profile.minutes) * 60.0);
                let drawn = Drawn { options: &options, places: u64::from(options.matches), place, index, begun: 0 };
                let start_ms = (-age_s * 1000.0) as i64;
                let announced_ms = start_ms - (LEAD_S.end * 1000.0) as i64;
                let course = drawn.course(entry, (announced_ms, start_ms), &mut ids);
                places.push(Place { entry, index, begun: 1, course });
            }
        }
        let due = places.iter().enumerate().map(|(place, held)| Reverse((held.course.due_ms(), place)));
        let mut simulator = Simulator {
            due: due.collect(),
            places,
            next_nudge: (i64::MAX, 0),
            nudges: Random::new(options.seed, u64::MAX - 1),
            first_wall_ms: None,
            now_ms: 0,
            wall_ms: 0,
            decisions: Vec::new(),
            options: SimulatorOptions { ids, ..options },
        };
        simulator.draw_nudge();
        Ok(simulator)
    }

    fn draw_nudge(&mut self) {
        let rate = self.options.rate * self.places.len() as f64;
        if rate > 0.0 {
            // The rate is one of wall time.
            let after_ms = self.nudges.wait(1000.0 / rate) * self.options.speed;
            let place = self.nudges.below(self.places.len() as u64) as usize;
            self.next_nudge = (self.now_ms.max(self.nudged_ms()) + after_ms.max(1.0) as i64, place);
        }
    }

    fn nudged_ms(&self) -> i64 {
        if self.next_nudge.0 == i64::MAX { 0 } else { self.next_nudge.0 }
    }

    fn nudge_up_to(&mut self, now_ms: i64, touched: &mut BTreeSet<usize>) {
        while self.next_nudge.0 <= now_ms {
            let place = self.next_nudge.1;
            let (which, by) = (self.nudges.below(1 << 20) as usize, self.nudges.between(-0.025, 0.025));
            if let Some(held) = self.places.get_mut(place).filter(|held| held.course.takes_nudges()) {
                held.course.nudge(which, by);
                touched.insert(place);
            }
            self.draw_nudge();
        }
    }

    fn simulated_ms(&mut self, wall_ms: i64) -> i64 {
        let first = *self.first_wall_ms.get_or_insert(wall_ms);
        self.wall_ms = wall_ms.max(self.wall_ms);
        ((self.wall_ms - first) as f64 * self.options.speed) as i64
    }

    fn wall_of(&self, simulated_ms: i64) -> i64 {
        let first = self.first_wall_ms.unwrap_or(self.wall_ms);
        first.saturating_add((simulated_ms as f64 / self.options.speed).ceil() as i64)
    }

    fn tell(&mut self, place: usize, change: Change, now_ms: i64, at_ms: i64) -> Option<GeneratedChange> {
        let (wall_ms, pace) = (self.wall_ms, self.options.speed);
        let held = self.places.get_mut(place)?;
        let state = held.course.frame(now_ms, wall_ms, pace);
        self.decisions.extend(held.course.take_decisions());
        Some(GeneratedChange { at_ms, change, state })
    }

    /// Starts the next match of a place, after the former one has left the offer.
    fn replace(&mut self, place: usize, now_ms: i64) {
        let mut ids = self.options.ids;
        if let Some(held) = self.places.get_mut(place) {
            let drawn = Drawn {
                options: &self.options,
                places: u64::from(self.options.matches),
                place: place as u64,
                index: held.index,
                begun: held.begun,
            };
            let mut pause = Random::new(self.options.seed ^ 0x5EED, drawn.number());
            let start_ms = now_ms + (pause.between(LEAD_S.start, LEAD_S.end) * 1000.0) as i64;
            held.course = drawn.course(held.entry, (now_ms, start_ms), &mut ids);
            held.begun += 1;
        }
        self.options.ids = ids;
    }
}

impl Generator for Simulator {
    fn sports(&self, lang: Lang) -> Vec<SportPatch> {
        let mut told = BTreeSet::new();
        let entries = self.places.iter().map(|place| place.entry);
        entries.filter(|entry| told.insert(entry.profile.id)).map(|entry| entry.patch[lang].clone()).collect()
    }

    fn advance(&mut self, to_ms: i64) -> Vec<GeneratedChange> {
        let now_ms = self.simulated_ms(to_ms);
        self.decisions.clear();
        let mut changes = Vec::new();
        let mut touched: BTreeSet<usize> = BTreeSet::new();
        while let Some(Reverse((due_ms, place))) = self.due.peek().copied() {
            if due_ms > now_ms {
                break;
            }
            self.due.pop();
            let Some(held) = self.places.get_mut(place) else { continue };
            held.course.happen();
            if held.course.is_gone() {
                if held.course.is_told() {
                    let at_ms = self.wall_of(due_ms).min(self.wall_ms);
                    changes.extend(self.tell(place, Change::Delete, now_ms, at_ms));
                }
                touched.remove(&place);
                self.replace(place, due_ms);
            } else {
                touched.insert(place);
            }
            if let Some(held) = self.places.get(place) {
                self.due.push(Reverse((held.course.due_ms(), place)));
            }
        }
        self.nudge_up_to(now_ms, &mut touched);
        self.now_ms = now_ms;
        let at_ms = self.wall_ms;
        for place in touched {
            let is_told = self.places.get(place).is_some_and(|held| held.course.is_told());
            let change = if is_told { Change::Update } else { Change::Insert };
            changes.extend(self.tell(place, change, now_ms, at_ms));
        }
        changes.sort_by_key(|change| change.at_ms);
        changes
    }

    fn take_decisions(&mut self) -> Vec<MatchDecisions> {
        std::mem::take(&mut self.decisions)
    }

    fn next_due_ms(&self) -> Option<i64> {
        if self.first_wall_ms.is_none() {
            return Some(i64::MIN);
        }
        let next = self.due.peek().map_or(i64::MAX, |Reverse((due_ms, _))| *due_ms).min(self.next_nudge.0);
        Some(self.wall_of(next))
    }
}

/// The number of places of each sport, by its share. Every sport gets at least one if there are enough places. Of
/// sports with equal shares, the earlier one comes first.
fn shared_out(sports: &[&'static Entry], places: u32) -> Vec<(&'static Entry, u32)> {
    let share = |entry: &Entry| u64::from(entry.profile.share.max(1));
    let mut counts: Vec<u32> = vec![0; sports.len()];
    for _ in 0..places {
        // The sport that is furthest below its share: D'Hondt's way of dividing seats, which starts with those that
        // have none.
        let next = (0..sports.len()).max_by(|a, b| {
            let claim = |at: usize| (counts[at] == 0, share(sports[at]) * 1_000_000 / (u64::from(counts[at]) + 1));
            claim(*a).cmp(&claim(*b)).then(b.cmp(a))
        });
        if let Some(next) = next {
            counts[next] += 1;
        }
    }
    sports.iter().copied().zip(counts).filter(|(_, count)| *count > 0).collect()
}

/// The drawn parameters of a match.
struct Drawn<'a> {
    options: &'a SimulatorOptions,
    places: u64,
    place: u64,
    index: u64,
    begun: u64,
}

impl Drawn<'_> {
    /// The match's number in the simulation.
    fn number(&self) -> u64 {
        self.begun * self.places + self.place
    }

    fn course(&self, entry: &'static Entry, when: (i64, i64), ids: &mut IdSpace) -> Course {
        let (seed, number, sport) = (self.options.seed, self.number(), entry.profile.id);
        let tournament_number = self.index / PLACES_A_TOURNAMENT;
        let tournament_seed = Random::new(seed, sport << 32 | tournament_number).bits();
        let mut random = Random::new(tournament_seed, number);
        // Every place has its own entrants, so that no entrant plays two matches at a time.
        let first = random.below(ENTRANTS_A_PLACE);
        let second = (first + 1 + random.below(ENTRANTS_A_PLACE - 1)) % ENTRANTS_A_PLACE;
        let sorts = entry.profile.entrants;
        let sort = sorts.get(tournament_seed as usize % sorts.len().max(1)).copied().unwrap_or(Entrants::Clubs);
        let league = country(sport, tournament_seed);
        let side = |who: u64| {
            let mut own = Random::new(tournament_seed, 1 << 40 | self.index << 8 | who);
            let name = match sort {
                Entrants::Clubs | Entrants::NationalClubs => entrant_of(league, sort, own.bits()),
                // Players come from everywhere.
                _ => entrant(sort, own.bits()),
            };
            (name, own.normal().clamp(-2.5, 2.5))
        };
        let ((home, home_strength), mut other) = (side(first), side(second));
        // Namesakes do not meet.
        for stranger in ENTRANTS_A_PLACE.. {
            if other.0[Lang::Hr] != home[Lang::Hr] {
                break;
            }
            other = side(stranger);
        }
        let (away, away_strength) = other;
        let Tournament { name, description } = tournament(sport, tournament_seed);
        let fixture = Fixture {
            id: match_id(number, ids.first_round()),
            block: ids.take_block(),
            order: tournament_number as i64 + 10,
            home,
            away,
            sport: entry.name.clone(),
            tournament: name,
            tournament_description: description,
        };
        let pairing = Pairing { strengths: [home_strength, away_strength], tournament: tournament_seed };
        Course::new(entry, Arc::new(fixture), pairing, when, (seed, number), self.options.abandoned)
    }
}

/// The id of the match with this number.
fn match_id(number: u64, first_round: u64) -> MatchId {
    let round = first_round.saturating_add(number / IDS);
    MatchId::new((FIRST_ID + number % IDS).saturating_add(round.saturating_mul(ROUND))).unwrap_or(MatchId::MIN)
}
