//! kvota itself: its read model, actors, rooms and hub with a scripted feed. There is one match for each topic and one
//! for the common topic. Each change carries a text, so that it has the size of the other servers' payloads.

use crate::work::{Due, Work};
use kvota::testkit::builders::{live_match, soccer};
use kvota::testkit::world::World;
use kvota_domain::feed::{FeedUpdate, SportUpdate};
use kvota_domain::lang::Lang;
use kvota_feed::{FeedInput, Position};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpListener;

/// The match of the common topic. The ids of the other topics' matches begin with 1.
const COMMON: u64 = 50_000;
/// The first match id of silent topics.
const SILENT: u64 = 60_000;
/// Length of the text; with the rest of the frame it is 256 bytes.
const TEXT: usize = 234;
/// Interval of the heartbeat. A silent feed would count as lost.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(3);

/// The match of a topic.
pub(crate) fn match_of(topic: Option<u32>) -> u64 {
    topic.map_or(COMMON, |topic| u64::from(topic) + 1)
}

/// The match of a silent topic.
pub(crate) fn silent(topic: u32) -> u64 {
    SILENT + u64::from(topic)
}

/// Serves on a free port, until its input ends. Prints this port, and that of its input.
pub(crate) fn serve() {
    actix::System::new().block_on(async {
        let work = Work::from_environment();
        let mut world = World::gathering(Duration::from_millis(work.gather_ms.into())).await;
        let speaking = (0..work.topics).map(Some).chain([None]).map(match_of);
        let silent = (0..work.topics).filter(|_| work.is_bystanding).map(silent);
        world.feed.publish(speaking.chain(silent).map(|id| live_match(id).insert()).collect()).await;
        world.settle().await;
        let input = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        println!("{} {}", world.address().port(), input.local_addr().expect("an address").port());
        // Updates are read on the thread of the feed, like a source in the program.
        let (updates, _) = input.accept().await.expect("a publisher");
        let mut lines = BufReader::new(updates).lines();
        loop {
            match tokio::time::timeout(HEARTBEAT_INTERVAL, lines.next_line()).await {
                Ok(Ok(Some(line))) => {
                    if let Some(due) = Due::parse(&line) {
                        say(&mut world, due).await;
                    }
                }
                Ok(_) => return,
                Err(_) => world.feed.active(true).await,
            }
        }
    });
}

/// Sends a feed event in all languages. It bypasses the scripted feed's own copy of the offer, because rewriting that
/// copy for each event is not part of what is measured.
async fn say(world: &mut World, due: Due) {
    let sent = live_match(match_of(due.topic)).status(&due.payload(TEXT));
    let sent = if due.is_stop { sent.betting_stopped() } else { sent };
    let sports = vec![SportUpdate { sport: soccer(), matches: vec![sent.update()] }];
    let update =
        FeedUpdate { sports, number_of_matches: None, date_ms: Some(due.at_us / 1000), ..FeedUpdate::default() };
    world.feed.seq += 1;
    let position = Position { epoch: world.feed.epoch, seq: world.feed.seq };
    for lang in [Lang::En, Lang::Bs, Lang::Sr, Lang::Hr] {
        world.feed.input(FeedInput::Event { lang, position, update: update.clone() }).await;
    }
}
