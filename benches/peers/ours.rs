//! kvota itself: its read model, actors, rooms and hub, with a feed that says what the work asks for: a match for each
//! topic, and one for all, each of whose changes is a text of the size that the others' payloads have.

use crate::publish;
use crate::work::{TOPICS, payload};
use kvota::domain::feed::{FeedUpdate, SportUpdate};
use kvota::testkit::builders::{live_match, soccer};
use kvota::testkit::world::World;
use tokio::sync::mpsc;

/// The match of the common topic; those of the others begin with 1.
pub(crate) const COMMON: u64 = 1_000;
/// What is left of 256 bytes beside the rest of the frame.
const TEXT: usize = 234;

/// The match of a topic.
pub(crate) fn match_of(topic: Option<u32>) -> u64 {
    topic.map_or(COMMON, |topic| u64::from(topic) + 1)
}

/// Serves on a free port, which it prints, until it is killed.
pub(crate) fn serve() {
    actix::System::new().block_on(async {
        let mut world = World::start().await;
        let topics = (0..TOPICS).map(Some).chain([None]);
        world.feed.say(topics.map(|topic| live_match(match_of(topic)).insert()).collect()).await;
        world.settle().await;
        println!("{}", world.address().port());
        let (tell, mut told) = mpsc::unbounded_channel();
        std::thread::Builder::new()
            .spawn(move || publish::for_ever(|due, due_us| tell.send((due, due_us)).is_ok()))
            .expect("a thread");
        while let Some((due, due_us)) = told.recv().await {
            let update = live_match(match_of(due.topic)).status(&payload(due_us, TEXT)).update();
            let sports = vec![SportUpdate { sport: soccer(), matches: vec![update] }];
            let event = FeedUpdate { sports, number_of_matches: None, date_ms: Some(due_us / 1000) };
            for input in world.feed.next_event(event) {
                world.feed.input(input).await;
            }
        }
    });
}
