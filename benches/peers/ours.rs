//! kvota itself: its read model, actors, rooms and hub, with a feed that says what the work asks for: a match for each
//! topic, and one for all, each of whose changes is a text of the size that the others' payloads have.

use crate::publish::Schedule;
use crate::work::{Due, Pace, Work};
use kvota::domain::feed::{FeedUpdate, SportUpdate};
use kvota::domain::lang::Lang;
use kvota::feed::{FeedInput, Position};
use kvota::testkit::builders::{live_match, soccer};
use kvota::testkit::world::World;
use std::time::Duration;
use tokio::time::Instant;

/// The match of the common topic; those of the others begin with 1.
const COMMON: u64 = 50_000;
/// The first of those that never speak.
const SILENT: u64 = 60_000;
/// What is left of 256 bytes beside the rest of the frame.
const TEXT: usize = 234;
/// A feed that has nothing to say says so this often, or it would count as lost.
const SIGN_OF_LIFE: Duration = Duration::from_secs(3);

/// The match of a topic.
pub(crate) fn match_of(topic: Option<u32>) -> u64 {
    topic.map_or(COMMON, |topic| u64::from(topic) + 1)
}

/// The match of a topic that never speaks.
pub(crate) fn silent(topic: u32) -> u64 {
    SILENT + u64::from(topic)
}

/// Serves on a free port, which it prints, until it is killed.
pub(crate) fn serve() {
    actix::System::new().block_on(async {
        let work = Work::told();
        let mut world = World::gathering(Duration::from_millis(work.gather_ms.into())).await;
        let speaking = (0..work.topics).map(Some).chain([None]).map(match_of);
        let silent = (0..work.topics).filter(|_| work.is_bystanding).map(silent);
        world.feed.say(speaking.chain(silent).map(|id| live_match(id).insert()).collect()).await;
        world.settle().await;
        println!("{}", world.address().port());
        // On the feed's own thread, as a source of the program is, and Bun's own timers are on Bun's.
        let (pace, mut schedule) = (Pace::of_input(), Schedule::new(work.topics));
        let mut said = Instant::now();
        while let Some(next) = schedule.next(&pace) {
            match next {
                Ok(due) => say(&mut world, due).await,
                Err(wait) => {
                    tokio::time::sleep(wait).await;
                    if said.elapsed() < SIGN_OF_LIFE {
                        continue;
                    }
                    world.feed.active(true).await;
                }
            }
            said = Instant::now();
        }
    });
}

/// An event of the feed in all languages. The scripted feed's own book is left as it was: that it would be written anew for
/// each event is no part of kvota.
async fn say(world: &mut World, due: Due) {
    let said = live_match(match_of(due.topic)).status(&due.payload(TEXT));
    let said = if due.is_stop { said.betting_stopped() } else { said };
    let sports = vec![SportUpdate { sport: soccer(), matches: vec![said.update()] }];
    let update =
        FeedUpdate { sports, number_of_matches: None, date_ms: Some(due.at_us / 1000), ..FeedUpdate::default() };
    world.feed.seq += 1;
    let position = Position { epoch: world.feed.epoch, seq: world.feed.seq };
    for lang in [Lang::En, Lang::Bs, Lang::Sr, Lang::Hr] {
        world.feed.input(FeedInput::Event { lang, position, update: update.clone() }).await;
    }
}
