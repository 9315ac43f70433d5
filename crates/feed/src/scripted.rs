//! A feed that stands still until a test changes it, for the browser tests (feature `testkit`, `feed.source =
//! "scripted"`). It starts with the built-in matches and applies one JSON command per line from standard input
//! (`web/e2e/feed.ts` writes them). Only match clocks and the date of the offer advance without a command: a page would
//! otherwise report old data after three seconds. Made by `src/server/sources.rs`; a build without the feature must never
//! contain it.

use kvota_domain::feed::{Change, Time};
use kvota_domain::ids::{MarketId, MatchId, OddId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::market::Market;
use kvota_domain::matches::{Ball, Match};
use kvota_domain::price::Price;
use kvota_domain::sport::SportPatch;
use kvota_simulator::generator::{GeneratedChange, Generator, RenderMatch};
use kvota_simulator::results::verdict::Verdict;
use kvota_simulator::results::{DecidedMarket, MarketDecision, MatchDecisions};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

/// The interval in which the date of the offer advances, in ms.
const BEAT_MS: i64 = 1000;

/// What a test can do to the feed.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Command {
    /// Sets the price of an odd, in thousandths; 0 withdraws it.
    Price {
        /// The odd.
        odd: u64,
        /// 2.15 is 2150.
        thousandths: u32,
    },
    /// Suspends a match, or ends its suspension.
    Suspended {
        /// The match.
        r#match: u64,
        /// Whether it accepts no bets.
        suspended: bool,
    },
    /// Sets the score of a match. One more than before is a goal.
    Score {
        /// The match.
        r#match: u64,
        /// Home and away.
        score: [i64; 2],
    },
    /// Moves the ball of a match; the numbers are those of [`Ball`].
    Ball {
        /// The match.
        r#match: u64,
        /// Per cent of the pitch's length.
        x: u8,
        /// Per cent of the pitch's width.
        y: u8,
        /// The side that has the ball.
        side: u8,
        /// The action.
        action: u8,
    },
    /// Settles the market of an odd: this odd has won, the others have lost. The market leaves the offer.
    Result {
        /// The odd.
        odd: u64,
    },
    /// Resets every match to its state at the start.
    Reset {},
}

/// Starts a thread that reads commands from `input`, one per line, until the input ends.
pub fn commands_of(input: impl BufRead + Send + 'static) -> Receiver<Command> {
    let (sender, commands) = channel();
    let read = move || {
        for line in input.lines().map_while(Result::ok) {
            match serde_json::from_str(&line) {
                Ok(command) => {
                    if sender.send(command).is_err() {
                        return;
                    }
                }
                Err(error) => tracing::error!("feed script: {line} is no command: {error}"),
            }
        }
    };
    // A blocked read of standard input cannot be joined: the thread ends with the process.
    if let Err(error) = std::thread::Builder::new().name("feed-script".to_owned()).spawn(read) {
        tracing::error!("feed script: cannot start its reader: {error}");
    }
    commands
}

/// A generator that takes the matches of other generators at the first moment. Only commands change them.
pub struct Scripted {
    generators: Vec<Box<dyn Generator>>,
    commands: Receiver<Command>,
    /// The matches; empty before the first moment.
    matches: BTreeMap<MatchId, Scene>,
    last_beat_ms: i64,
    /// The results of the latest commands.
    decisions: Vec<MatchDecisions>,
}

impl Scripted {
    /// Takes the matches of `generators` at the first moment, and applies `commands`.
    pub fn new(generators: Vec<Box<dyn Generator>>, commands: Receiver<Command>) -> Scripted {
        Scripted { generators, commands, matches: BTreeMap::new(), last_beat_ms: 0, decisions: Vec::new() }
    }

    /// Takes every match as it is when the feed starts.
    fn begin(&mut self, at_ms: i64) -> Vec<GeneratedChange> {
        self.last_beat_ms = at_ms;
        let changes: Vec<GeneratedChange> =
            self.generators.iter_mut().flat_map(|generator| generator.advance(at_ms)).collect();
        for change in &changes {
            self.matches.insert(change.state.id(), Scene::new(change.state.clone()));
        }
        changes
    }

    /// Changes one match of each sport in a field that no page shows, so that the offer has a new date.
    fn beat(&mut self, now_ms: i64) -> Vec<Scene> {
        if now_ms - self.last_beat_ms < BEAT_MS {
            return Vec::new();
        }
        self.last_beat_ms = now_ms;
        let mut sports = BTreeSet::new();
        let first_of_sports = self.matches.values_mut().filter(|scene| sports.insert(scene.sport_id()));
        first_of_sports
            .map(|scene| {
                scene.is_odd_beat = !scene.is_odd_beat;
                scene.clone()
            })
            .collect()
    }

    /// The matches that a command changes.
    fn apply(&mut self, command: &Command) -> Vec<Scene> {
        match *command {
            Command::Price { odd, thousandths } => {
                let known = self.matches.values_mut().find(|scene| scene.has_odd(odd));
                let (Some(scene), Some(id), Some(price)) =
                    (known, OddId::new(odd), Price::from_thousandths(thousandths))
                else {
                    return Vec::new();
                };
                scene.prices.insert(id, price);
                vec![scene.clone()]
            }
            Command::Suspended { r#match, suspended } => self.edit(r#match, |scene| scene.suspended = Some(suspended)),
            Command::Score { r#match, score } => self.edit(r#match, |scene| scene.score = Some(score)),
            Command::Ball { r#match, x, y, side, action } => {
                self.edit(r#match, |scene| scene.ball = Some(Ball { x, y, side, action }))
            }
            Command::Result { odd } => {
                let Some(scene) = self.matches.values_mut().find(|scene| scene.has_odd(odd)) else { return Vec::new() };
                let (live_match, _) = scene.base.render(Lang::Hr, 0);
                let holds = |market: &&Arc<Market>| market.odds.iter().any(|held| held.id.get() == odd);
                let Some(market) = live_match.markets.iter().find(holds) else { return Vec::new() };
                let verdict = |id: OddId| if id.get() == odd { Verdict::Won } else { Verdict::Lost };
                let odds = market.odds.iter().map(|held| (held.id, verdict(held.id))).collect();
                let decided = DecidedMarket { market: market.id, outcome: MarketDecision::Settled(odds) };
                self.decisions.push(MatchDecisions { match_id: live_match.id, markets: vec![decided] });
                scene.settled.insert(market.id);
                vec![scene.clone()]
            }
            Command::Reset {} => {
                let edited = self.matches.values_mut().filter(|scene| scene.is_edited());
                edited
                    .map(|scene| {
                        *scene = Scene::new(scene.base.clone());
                        scene.clone()
                    })
                    .collect()
            }
        }
    }

    fn edit(&mut self, id: u64, change: impl FnOnce(&mut Scene)) -> Vec<Scene> {
        let scene = MatchId::new(id).and_then(|id| self.matches.get_mut(&id));
        let edited = scene.map(|scene| {
            change(scene);
            scene.clone()
        });
        edited.into_iter().collect()
    }
}

impl Generator for Scripted {
    fn sports(&self, lang: Lang) -> Vec<SportPatch> {
        self.generators.iter().flat_map(|generator| generator.sports(lang)).collect()
    }

    fn advance(&mut self, to_ms: i64) -> Vec<GeneratedChange> {
        if self.matches.is_empty() {
            return self.begin(to_ms);
        }
        let commands: Vec<Command> = self.commands.try_iter().collect();
        let mut changed = self.beat(to_ms);
        for command in commands {
            let scenes = self.apply(&command);
            if scenes.is_empty() && command != (Command::Reset {}) {
                tracing::error!("feed script: {command:?} names nothing that is offered");
            }
            changed.extend(scenes);
        }
        let updates = changed.into_iter();
        updates.map(|scene| GeneratedChange { at_ms: to_ms, change: Change::Update, state: Arc::new(scene) }).collect()
    }

    fn take_decisions(&mut self) -> Vec<MatchDecisions> {
        std::mem::take(&mut self.decisions)
    }

    /// As soon as possible: a command may be waiting.
    fn next_due_ms(&self) -> Option<i64> {
        Some(i64::MIN)
    }
}

/// A match at the start, and after the commands.
#[derive(Clone, Debug)]
struct Scene {
    base: Arc<dyn RenderMatch>,
    prices: BTreeMap<OddId, Price>,
    suspended: Option<bool>,
    score: Option<[i64; 2]>,
    ball: Option<Ball>,
    /// Markets that were settled and left the offer.
    settled: BTreeSet<MarketId>,
    is_odd_beat: bool,
}

impl Scene {
    fn new(base: Arc<dyn RenderMatch>) -> Scene {
        Scene {
            base,
            prices: BTreeMap::new(),
            suspended: None,
            score: None,
            ball: None,
            settled: BTreeSet::new(),
            is_odd_beat: false,
        }
    }

    fn is_edited(&self) -> bool {
        !self.prices.is_empty()
            || self.suspended.is_some()
            || self.score.is_some()
            || self.ball.is_some()
            || !self.settled.is_empty()
    }

    fn has_odd(&self, odd: u64) -> bool {
        let (live_match, _) = self.base.render(Lang::Hr, 0);
        live_match.markets.iter().flat_map(|market| &market.odds).any(|held| held.id.get() == odd)
    }
}

impl RenderMatch for Scene {
    fn id(&self) -> MatchId {
        self.base.id()
    }

    fn sport_id(&self) -> SportId {
        self.base.sport_id()
    }

    fn entities(&self) -> usize {
        self.base.entities()
    }

    fn render(&self, lang: Lang, date_ms: i64) -> (Match, Time) {
        let (mut live_match, time) = self.base.render(lang, date_ms);
        live_match.markets.retain(|market| !self.settled.contains(&market.id));
        for odd in live_match.markets.iter_mut().flat_map(|market| &mut Arc::make_mut(market).odds) {
            if let Some(price) = self.prices.get(&odd.id) {
                odd.value = *price;
                // The server derives these from the new price and the former one.
                (odd.values, odd.changed) = (None, None);
            }
        }
        live_match.suspended = self.suspended.or(live_match.suspended);
        live_match.score = self.score.or(live_match.score);
        live_match.ball = self.ball.or(live_match.ball);
        if self.is_odd_beat {
            live_match.perform_event_id = Some(live_match.perform_event_id.map_or(1, |id| id + 1));
        }
        (live_match, time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_simulator::recording::files::RecordingFiles;
    use kvota_simulator::recording::generator::{RecordingGenerator, ReplayOptions};
    use std::sync::mpsc::Sender;

    const START_MS: i64 = 1_767_225_600_000;
    const LATER_MS: i64 = START_MS + 60_000;
    /// A moment before the date of the offer advances.
    const SOON_MS: i64 = START_MS + 200;

    /// The recorded matches in their twentieth minute, and the matches of the first moment.
    fn started() -> (Scripted, Sender<Command>, Vec<GeneratedChange>) {
        let options = ReplayOptions { start_s: 1200, ..ReplayOptions::default() };
        let recorded = RecordingGenerator::open(&RecordingFiles::Embedded, options).unwrap();
        let (sender, commands) = channel();
        let mut scripted = Scripted::new(vec![Box::new(recorded)], commands);
        let inserted = scripted.advance(START_MS);
        (scripted, sender, inserted)
    }

    fn rendered(changes: &[GeneratedChange], lang: Lang) -> Vec<Match> {
        changes.iter().map(|change| change.state.render(lang, LATER_MS).0).collect()
    }

    #[test]
    fn without_a_command_nothing_that_a_page_shows_changes() {
        let (mut scripted, _sender, inserted) = started();
        assert_eq!(inserted.len(), 10);
        assert!(scripted.advance(START_MS + BEAT_MS - 1).is_empty());
        let mut beat = rendered(&scripted.advance(LATER_MS), Lang::Hr);
        let first = rendered(&inserted, Lang::Hr).into_iter().min_by_key(|live_match| live_match.id).unwrap();
        assert_ne!(beat[0].perform_event_id, first.perform_event_id);
        beat[0].perform_event_id = first.perform_event_id;
        assert_eq!(beat, [first]);
    }

    #[test]
    fn a_price_command_changes_one_odd_in_every_language() {
        let (mut scripted, sender, inserted) = started();
        let odd = rendered(&inserted, Lang::Hr)[3].markets[0].odds[0].id;
        sender.send(Command::Price { odd: odd.get(), thousandths: 2150 }).unwrap();
        let changes = scripted.advance(SOON_MS);
        for lang in Lang::ALL {
            let mut expected = rendered(&inserted, lang).swap_remove(3);
            let changed = &mut Arc::make_mut(&mut expected.markets[0]).odds[0];
            changed.value = Price::from_thousandths(2150).unwrap();
            (changed.values, changed.changed) = (None, None);
            assert_eq!(rendered(&changes, lang), [expected]);
        }
    }

    #[test]
    fn a_result_settles_the_market_and_takes_it_off_the_offer() {
        let (mut scripted, sender, inserted) = started();
        let market = rendered(&inserted, Lang::Hr)[3].markets[0].clone();
        let odd = market.odds[1].id;
        sender.send(Command::Result { odd: odd.get() }).unwrap();
        let changed = rendered(&scripted.advance(SOON_MS), Lang::Hr).pop().unwrap();
        assert!(changed.markets.iter().all(|held| held.id != market.id));
        let decisions = scripted.take_decisions();
        assert_eq!((decisions.len(), decisions[0].markets[0].market), (1, market.id));
        let MarketDecision::Settled(odds) = &decisions[0].markets[0].outcome else { panic!("{decisions:?}") };
        let won: Vec<OddId> = odds.iter().filter(|(_, verdict)| *verdict == Verdict::Won).map(|(id, _)| *id).collect();
        assert_eq!(won, [odd]);
        assert!(scripted.take_decisions().is_empty());
    }

    #[test]
    fn a_reset_restores_the_first_moment() {
        let (mut scripted, sender, inserted) = started();
        let first = rendered(&inserted, Lang::Hr).swap_remove(0);
        let id = first.id.get();
        sender.send(Command::Score { r#match: id, score: [7, 0] }).unwrap();
        sender.send(Command::Suspended { r#match: id, suspended: true }).unwrap();
        sender.send(Command::Ball { r#match: id, x: 10, y: 20, side: 1, action: 2 }).unwrap();
        let changed = rendered(&scripted.advance(SOON_MS), Lang::Hr).pop().unwrap();
        assert_eq!((changed.score, changed.suspended), (Some([7, 0]), Some(true)));
        assert_eq!(changed.ball, Some(Ball { x: 10, y: 20, side: 1, action: 2 }));
        sender.send(Command::Reset {}).unwrap();
        assert_eq!(rendered(&scripted.advance(SOON_MS), Lang::Hr), [first]);
    }

    #[test]
    fn commands_are_read_line_by_line_and_malformed_ones_are_skipped() {
        let input = "{\"price\":{\"odd\":17,\"thousandths\":2150}}\nnonsense\n{\"reset\":{}}\n";
        let commands: Vec<Command> = commands_of(input.as_bytes()).iter().collect();
        assert_eq!(commands, [Command::Price { odd: 17, thousandths: 2150 }, Command::Reset {}]);
    }
}
