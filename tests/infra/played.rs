//! Test support: a generator that plays the scores that the test sets, and a publisher that runs it.

use kvota_domain::feed::{Change, FeedUpdate, Time};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::matches::Match;
use kvota_domain::sport::SportPatch;
use kvota_feed::amqp::{AmqpConfig, AmqpPublisher};
use kvota_feed::embedded::{FeedSwitch, WallClock};
use kvota_simulator::generator::{GeneratedChange, Generator, RenderMatch};
use kvota_simulator::producer::Producer;
use kvota_wire::inflate::Compression;
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// The date of all messages. Clocks are stopped, so that messages can be compared.
pub(crate) const NOW_MS: i64 = 1_526_220_000_000;

#[derive(Debug)]
struct Played {
    id: MatchId,
    score: i64,
}

impl RenderMatch for Played {
    fn id(&self) -> MatchId {
        self.id
    }

    fn sport_id(&self) -> SportId {
        soccer()
    }

    fn entities(&self) -> usize {
        0
    }

    fn render(&self, lang: Lang, _date_ms: i64) -> (Match, Time) {
        let live_match = Match {
            home: Some(name(self.score, lang).into()),
            score: Some([self.score, 0]),
            sport_name: Some(sport_name(lang)),
            ..Match::empty(self.id, soccer())
        };
        (live_match, Time::Seconds(60))
    }
}

fn soccer() -> SportId {
    SportId::new(1).expect("a small id")
}

fn sport_name(lang: Lang) -> Arc<str> {
    format!("Nogomet ({})", lang.code()).into()
}

/// The generator. The test sets scores through a clone.
#[derive(Clone, Default)]
pub(crate) struct Script(Arc<Mutex<Vec<GeneratedChange>>>);

impl Script {
    /// Sets the score of a match.
    pub(crate) fn play(&self, id: u64, score: i64) {
        let state = Arc::new(Played { id: MatchId::new(id).expect("a small id"), score });
        let change = GeneratedChange { at_ms: NOW_MS, change: Change::Update, state };
        self.0.lock().expect("no panic").push(change);
    }
}

impl Generator for Script {
    fn sports(&self, lang: Lang) -> Vec<SportPatch> {
        let name = Some(sport_name(lang));
        vec![SportPatch { name, order: Some(1), ..SportPatch::empty(soccer()) }]
    }

    fn advance(&mut self, _to_ms: i64) -> Vec<GeneratedChange> {
        std::mem::take(&mut *self.0.lock().expect("no panic"))
    }

    fn next_due_ms(&self) -> Option<i64> {
        Some(NOW_MS)
    }
}

/// A name that contains the score, because only texts are read in the languages other than Croatian.
fn name(score: i64, lang: Lang) -> String {
    format!("Rijeka {score} ({})", lang.code())
}

/// The scores by match id. Checks that the names are in this language.
pub(crate) fn scores(update: &FeedUpdate, lang: Lang) -> Vec<(u64, i64)> {
    let mut scores = Vec::new();
    for played in update.sports.iter().flat_map(|sport| &sport.matches) {
        let texts = played.texts();
        let found = texts.home().expect("a name");
        let score = found.split(' ').nth(1).and_then(|score| score.parse().ok()).expect("a score");
        assert_eq!(**found, name(score, lang));
        let number = (lang == Lang::Hr).then_some([score, 0]);
        assert_eq!(played.live_match.score, number);
        scores.push((played.id().get(), score));
    }
    scores.sort_unstable();
    scores
}

/// A running publisher.
pub(crate) struct Station {
    pub(crate) switch: FeedSwitch,
    stop: oneshot::Sender<()>,
    task: JoinSet<()>,
}

impl Station {
    pub(crate) fn start(config: &AmqpConfig, epoch: i64, script: Script, encoding: Compression) -> Station {
        let producer = Producer::new(epoch, Lang::Hr, vec![Box::new(script)]);
        let clock: WallClock = Arc::new(|| NOW_MS);
        let (publisher, switch) = AmqpPublisher::new(config, producer, clock, encoding).expect("a configuration");
        let (stop, stopped) = oneshot::channel();
        let mut task = JoinSet::new();
        task.spawn(publisher.run(async {
            let _ = stopped.await;
        }));
        Station { switch, stop, task }
    }

    /// Stops it orderly.
    pub(crate) async fn stop(mut self) {
        let _ = self.stop.send(());
        self.task.join_next().await.expect("a task").expect("no panic");
    }

    /// Stops it like a crash.
    pub(crate) async fn kill(mut self) {
        self.task.shutdown().await;
    }
}
