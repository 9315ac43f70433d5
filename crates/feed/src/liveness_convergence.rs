//! Simulates a producer, and a connection that loses, duplicates, delays and reorders messages, with restarts, silences
//! and lost answers. When the faults end, the language must become Active with exactly the producer's state. A failure
//! is reproduced by its seed.

use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BinaryHeap};

/// The content of a message. An event has keys with their new values (`None`: deleted); a snapshot has all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Content(Vec<(u8, Option<u32>)>);

impl Weight for Content {
    fn weight(&self) -> usize {
        1
    }
}

type State = BTreeMap<u8, u32>;

fn fold(state: &mut State, content: &Content) {
    for (key, value) in &content.0 {
        match value {
            Some(value) => state.insert(*key, *value),
            None => state.remove(key),
        };
    }
}

#[derive(Clone, Copy, Debug)]
struct Weather {
    /// Per cent of messages that are lost, duplicated or late.
    lost: u64,
    doubled: u64,
    late: u64,
    /// The delay in ms.
    late_ms: u64,
    /// Per thousand of steps in which this happens.
    restarts: u64,
    cuts: u64,
    rests: u64,
    undecodable: u64,
    /// Events with a wrong, much too high seq.
    misnumbered: u64,
}

const FAIR: Weather = Weather {
    lost: 0,
    doubled: 0,
    late: 0,
    late_ms: 0,
    restarts: 0,
    cuts: 0,
    rests: 0,
    undecodable: 0,
    misnumbered: 0,
};

struct Arriving {
    at_ms: u64,
    number: u64,
    input: LivenessInput<Content>,
}

impl PartialEq for Arriving {
    fn eq(&self, other: &Arriving) -> bool {
        self.number == other.number
    }
}
impl Eq for Arriving {}
impl PartialOrd for Arriving {
    fn partial_cmp(&self, other: &Arriving) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Arriving {
    fn cmp(&self, other: &Arriving) -> std::cmp::Ordering {
        (other.at_ms, other.number).cmp(&(self.at_ms, self.number))
    }
}

struct World {
    random: u64,
    now_ms: u64,
    weather: Weather,
    sent: u64,
    link: BinaryHeap<Arriving>,
    // The producer.
    position: Position,
    truth: State,
    active: bool,
    // The reader.
    liveness: Liveness<Content>,
    held: State,
}

impl World {
    fn new(seed: u64, weather: Weather) -> World {
        let mut world = World {
            random: seed | 1,
            now_ms: 0,
            weather,
            sent: 0,
            link: BinaryHeap::new(),
            position: Position { epoch: 1, seq: 0 },
            truth: State::new(),
            active: true,
            liveness: Liveness::new(Lang::En),
            held: State::new(),
        };
        world.tell(LivenessInput::Connected);
        world
    }

    fn random(&mut self, bound: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 16) % bound
    }

    fn chance(&mut self, of: u64, in_all: u64) -> bool {
        self.random(in_all) < of
    }

    fn send(&mut self, input: impl Fn() -> LivenessInput<Content>) {
        let weather = self.weather;
        if self.chance(weather.lost, 100) {
            return;
        }
        let copies = 1 + u64::from(self.chance(weather.doubled, 100));
        for _ in 0..copies {
            let delay = if self.chance(weather.late, 100) { self.random(weather.late_ms + 1) } else { 0 };
            self.sent += 1;
            self.link.push(Arriving { at_ms: self.now_ms + 5 + delay, number: self.sent, input: input() });
        }
    }

    /// The producer's part of a step: it sends an event, restarts, pauses, or sends feed-active.
    fn produce(&mut self, busy: bool) {
        if self.chance(self.weather.restarts, 1_000) {
            // Epochs need not increase, but never repeat.
            let epoch = self.position.epoch;
            self.position = Position { epoch: if epoch > 0 { -epoch } else { 1 - epoch }, seq: 0 };
        }
        if self.chance(self.weather.rests, 1_000) {
            self.active = !self.active;
        }
        if busy && self.active && self.chance(1, 2) {
            let change = (0..=self.random(2))
                .map(|_| (self.random(12) as u8, Some(self.random(1_000) as u32)))
                .map(|(key, value)| (key, value.filter(|value| value % 3 != 0)))
                .collect();
            let content = Content(change);
            fold(&mut self.truth, &content);
            self.position.seq += 1;
            let mut position = self.position;
            if self.chance(self.weather.misnumbered, 1_000) {
                position.seq += 1_000_000;
            }
            if self.chance(self.weather.undecodable, 1_000) {
                self.send(|| LivenessInput::Undecodable(Some(position)));
            } else {
                self.send(|| LivenessInput::Event(position, content.clone()));
            }
        }
        if self.now_ms.is_multiple_of(2_000) {
            let (active, position) = (self.active, self.position);
            self.send(|| LivenessInput::Active(active, Some(position)));
        }
    }

    fn tell(&mut self, input: LivenessInput<Content>) {
        for decision in self.liveness.handle(input, self.now_ms) {
            match decision {
                Decision::Apply(event) => fold(&mut self.held, &event),
                Decision::TakeSnapshot { snapshot, replay } => {
                    self.held.clear();
                    fold(&mut self.held, &snapshot);
                    replay.iter().for_each(|event| fold(&mut self.held, event));
                }
                Decision::RequestSnapshot { correlation } => {
                    // The request may be lost like any other message. The answer contains the state at the moment of
                    // the request.
                    if !self.chance(self.weather.lost, 100) {
                        let all = self.truth.iter().map(|(key, value)| (*key, Some(*value))).collect();
                        let (position, content) = (self.position, Content(all));
                        self.send(|| LivenessInput::Snapshot(correlation, position, content.clone()));
                    }
                }
                Decision::StateChanged(LivenessState::Down(_)) => self.held.clear(),
                Decision::StateChanged(_) | Decision::Ignore(_) => {}
            }
        }
    }

    fn step(&mut self, busy: bool) {
        self.now_ms += 50;
        self.produce(busy);
        if self.chance(self.weather.cuts, 1_000) {
            self.tell(LivenessInput::Lost);
            self.link.clear();
            self.tell(LivenessInput::Connected);
        }
        while self.link.peek().is_some_and(|next| next.at_ms <= self.now_ms) {
            if let Some(next) = self.link.pop() {
                self.tell(next.input);
            }
        }
        if self.liveness.next_deadline_ms().is_some_and(|due_ms| due_ms <= self.now_ms) {
            self.tell(LivenessInput::Tick);
        }
    }

    fn run(&mut self, seconds: u64, busy: bool) {
        for _ in 0..seconds * 20 {
            self.step(busy);
            assert!(!self.liveness.state().is_down() || self.held.is_empty(), "no offer while Down");
        }
    }
}

fn weather() -> impl Strategy<Value = Weather> {
    let messages = (0u64..60, 0u64..40, 0u64..60, 0u64..8_000);
    let events = (0u64..30, 0u64..20, 0u64..20, 0u64..200, 0u64..30);
    (messages, events).prop_map(
        |((lost, doubled, late, late_ms), (restarts, cuts, rests, undecodable, misnumbered))| Weather {
            lost,
            doubled,
            late,
            late_ms,
            restarts,
            cuts,
            rests,
            undecodable,
            misnumbered,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn trouble_that_ends_leaves_nothing_behind(seed: u64, weather in weather(), quiet: bool) {
        let mut world = World::new(seed, weather);
        world.run(40, true);
        world.weather = FAIR;
        world.active = true;
        // First the late messages arrive. Then a request with the longest backoff is repeated, and then the requests
        // that a wrong seq needs.
        world.run(60, !quiet);
        prop_assert_eq!(world.liveness.state(), LivenessState::Active);
        world.run(5, false);
        prop_assert_eq!(world.liveness.state(), LivenessState::Active);
        prop_assert_eq!(&world.held, &world.truth);
        prop_assert_eq!(world.liveness.position(), Some(world.position));
    }

    #[test]
    fn while_nothing_is_late_the_offer_is_never_wrong(seed: u64, lost in 0u64..30, restarts in 0u64..10) {
        let mut world = World::new(seed, Weather { lost, restarts, ..FAIR });
        for _ in 0..2_000 {
            world.step(true);
            // If the language is Active at the producer's position, it must have the producer's state.
            if world.liveness.state() == LivenessState::Active && world.liveness.position() == Some(world.position) {
                prop_assert_eq!(&world.held, &world.truth);
            }
        }
    }
}
