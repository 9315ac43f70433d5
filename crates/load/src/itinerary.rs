//! The steps of a session and their times, computed only from the seed, the session's number and the think time. Steps
//! never depend on the server's answers, so the same seed gives the same steps, and a slow server gets no fewer of
//! them. Read by `session.rs`; `script.rs` carries the steps out.

use super::personas::Persona;
use super::random::Random;
use std::time::Duration;

/// Shortest time between changes of the sport filter: people are slower, and the hub answers `resync null` once in 2 s.
const FILTER_APART: Duration = Duration::from_secs(3);
/// Separates the random numbers of the plan from those that a step uses when it runs.
const STEPS_STREAM: u64 = 1 << 40;

/// A kind of step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Action {
    /// Opens a match: watches it and fetches all its markets.
    Open,
    /// Closes the open match.
    Close,
    /// Changes the sport filter.
    Filter,
    /// Adds or removes a favourite.
    Favourite,
    /// Sends a ping, which changes nothing.
    Ping,
    /// Changes or places the ticket.
    Ticket,
}

impl Action {
    /// All kinds, in the order of the weights below.
    const ALL: [Action; 6] =
        [Action::Open, Action::Close, Action::Filter, Action::Favourite, Action::Ping, Action::Ticket];
}

/// The weights of a persona's actions, with no match open and with one. A bettor does not change the filter: his bets
/// are counted per step, and a filter change would delay him.
const fn weights(persona: Persona, is_open: bool) -> [u32; 6] {
    match (persona, is_open) {
        (Persona::Watcher, false) => [50, 0, 20, 15, 15, 0],
        (Persona::Watcher, true) => [20, 40, 15, 10, 15, 0],
        (Persona::Builder, false) => [15, 0, 5, 5, 0, 75],
        (Persona::Builder, true) => [5, 10, 5, 5, 0, 75],
        (Persona::Bettor, false) => [15, 0, 0, 5, 0, 80],
        (Persona::Bettor, true) => [5, 10, 0, 5, 0, 80],
    }
}

/// A step of the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// When it is due, from the start of the run.
    pub at: Duration,
    /// The action.
    pub action: Action,
    /// A random number that selects a match or a sport from those available then.
    pub choice: u64,
}

/// The endless sequence of a session's steps.
#[derive(Clone, Debug)]
pub struct Itinerary {
    random: Random,
    persona: Persona,
    think: Duration,
    is_open: bool,
    last_filter: Option<Duration>,
    next: Step,
}

impl Itinerary {
    /// The steps of a session that arrives at this moment of the run.
    pub fn new(seed: u64, session: u32, persona: Persona, think: Duration, comes: Duration) -> Itinerary {
        let random = Random::new(seed, STEPS_STREAM + u64::from(session));
        let next = Step { at: comes, action: Action::Ping, choice: 0 };
        let mut itinerary = Itinerary { random, persona, think, is_open: false, last_filter: None, next };
        itinerary.advance();
        itinerary
    }

    /// The next step.
    pub fn due(&self) -> Step {
        self.next
    }

    /// Moves to the following step.
    pub fn advance(&mut self) {
        let at = self.next.at + self.random.wait(self.think);
        let drawn = Action::ALL[self.random.weighted(&weights(self.persona, self.is_open))];
        let is_too_soon = |last: Duration| at < last + FILTER_APART;
        let action = match drawn {
            Action::Filter if self.last_filter.is_some_and(is_too_soon) => Action::Ping,
            action => action,
        };
        match action {
            Action::Open => self.is_open = true,
            Action::Close => self.is_open = false,
            Action::Filter => self.last_filter = Some(at),
            _ => {}
        }
        self.next = Step { at, action, choice: self.random.bits() };
    }

    /// Skips all steps before a moment: a session without a connection cannot do them.
    pub fn skip_to(&mut self, moment: Duration) {
        while self.next.at < moment {
            self.advance();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const THINK: Duration = Duration::from_secs(2);

    fn steps(seed: u64, session: u32, persona: Persona, count: usize) -> Vec<Step> {
        let mut itinerary = Itinerary::new(seed, session, persona, THINK, Duration::from_secs(5));
        let next = || {
            let step = itinerary.due();
            itinerary.advance();
            step
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    #[test]
    fn seed_and_session_determine_the_plan() {
        let plan = steps(7, 3, Persona::Watcher, 100);
        assert_eq!(plan, steps(7, 3, Persona::Watcher, 100));
        assert_ne!(plan, steps(7, 4, Persona::Watcher, 100));
        assert_ne!(plan, steps(8, 3, Persona::Watcher, 100));
        assert!(plan.is_sorted_by_key(|step| step.at) && plan[0].at > Duration::from_secs(5));
    }

    #[test]
    fn steps_are_a_think_time_apart_on_average() {
        let plan = steps(1, 1, Persona::Builder, 2_000);
        let mean = (plan[1_999].at - plan[0].at).as_secs_f64() / 1_999.0;
        assert!((1.8..2.2).contains(&mean), "{mean}");
    }

    #[test]
    fn each_persona_navigates_and_watchers_have_no_ticket() {
        let counted = |persona| {
            let mut counts = BTreeMap::new();
            for step in steps(1, 1, persona, 1_000) {
                *counts.entry(step.action).or_insert(0) += 1;
            }
            counts
        };
        let watcher = counted(Persona::Watcher);
        let navigation = [Action::Open, Action::Close, Action::Filter, Action::Favourite];
        assert!(navigation.iter().all(|action| watcher[action] > 50), "{watcher:?}");
        assert!(!watcher.contains_key(&Action::Ticket), "{watcher:?}");
        let (builder, bettor) = (counted(Persona::Builder), counted(Persona::Bettor));
        assert!(builder[&Action::Filter] > 10 && builder[&Action::Ticket] > 600, "{builder:?}");
        assert!(bettor[&Action::Open] > 50 && !bettor.contains_key(&Action::Filter), "{bettor:?}");
    }

    #[test]
    fn only_an_open_match_is_closed_and_filter_changes_are_spaced() {
        let mut is_open = false;
        let mut last_filter = None;
        for step in steps(3, 9, Persona::Watcher, 2_000) {
            assert!(step.action != Action::Close || is_open, "{step:?}");
            is_open = is_open && step.action != Action::Close || step.action == Action::Open;
            if step.action == Action::Filter {
                assert!(last_filter.is_none_or(|last| step.at >= last + FILTER_APART), "{step:?}");
                last_filter = Some(step.at);
            }
        }
    }

    #[test]
    fn steps_without_a_connection_are_skipped() {
        let plan = steps(1, 1, Persona::Watcher, 50);
        let mut itinerary = Itinerary::new(1, 1, Persona::Watcher, THINK, Duration::from_secs(5));
        itinerary.skip_to(plan[20].at);
        assert_eq!(itinerary.due(), plan[20]);
    }
}
