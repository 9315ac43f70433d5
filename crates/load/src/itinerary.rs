//! What a session does and when: a list of steps that follows from the seed, the session's number and the think time
//! alone. It is drawn before the first step is due and never depends on an answer of the server, so the same seed plays
//! the same steps, and a server that falls behind is not spared any. Read by `session.rs`; `script.rs` carries it out.

use super::personas::Persona;
use super::random::Random;
use std::time::Duration;

/// A person does not change the sport filter more often than this, and the hub answers `resync null` once in 2 s.
const FILTER_APART: Duration = Duration::from_secs(3);
/// The steps of a session have random numbers of their own: what a step draws when it runs does not change the plan.
const STEPS_STREAM: u64 = 1 << 40;

/// One kind of step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Action {
    /// Opens a match: watches it and gets all its markets.
    Open,
    /// Closes the open match.
    Close,
    /// Changes the sport filter.
    Filter,
    /// Makes a match a favourite, or no favourite any more.
    Favourite,
    /// Does nothing that changes anything.
    Ping,
    /// Changes or places the ticket.
    Ticket,
}

impl Action {
    /// All of them, in the order of the weights below.
    const ALL: [Action; 6] =
        [Action::Open, Action::Close, Action::Filter, Action::Favourite, Action::Ping, Action::Ticket];
}

/// How often a persona does what, with no match open and with one. A bettor does not change the filter: bets are
/// counted for each of his steps, and a filter makes him wait.
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
    /// When it is due, since the beginning of the run.
    pub at: Duration,
    /// What is done.
    pub action: Action,
    /// Which of the matches or sports there are then it is about.
    pub choice: u64,
}

/// The steps of one session, in their order and without an end.
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
    /// The steps of a session that comes at a moment of the run.
    pub fn new(seed: u64, session: u32, persona: Persona, think: Duration, comes: Duration) -> Itinerary {
        let random = Random::new(seed, STEPS_STREAM + u64::from(session));
        let next = Step { at: comes, action: Action::Ping, choice: 0 };
        let mut itinerary = Itinerary { random, persona, think, is_open: false, last_filter: None, next };
        itinerary.advance();
        itinerary
    }

    /// The step that is due next.
    pub fn due(&self) -> Step {
        self.next
    }

    /// Goes on to the step behind it.
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

    /// Leaves out all steps before a moment: a session without a connection cannot do them.
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
    fn a_seed_and_a_session_are_a_whole_plan() {
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
    fn a_match_is_closed_only_while_one_is_open_and_the_filter_rests() {
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
    fn steps_of_a_time_without_a_connection_are_left_out() {
        let plan = steps(1, 1, Persona::Watcher, 50);
        let mut itinerary = Itinerary::new(1, 1, Persona::Watcher, THINK, Duration::from_secs(5));
        itinerary.skip_to(plan[20].at);
        assert_eq!(itinerary.due(), plan[20]);
    }
}
