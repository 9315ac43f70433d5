//! Floor 2: where the offer comes from. A source speaks [`FeedInput`] into whoever owns the offer and answers
//! [`SnapshotRequest`]s; what that owner makes of it (sequence, liveness, recovery) is pure and stands beside it.
//!
//! Must never import read_model, actors, http or anything above: a source knows bytes and the domain, not its readers.

pub mod amqp;
pub mod embedded;
pub mod embedded_results;
pub mod file;
pub mod fold;
pub mod lag;
pub mod liveness;
pub mod results;
#[cfg(feature = "testkit")]
pub mod scripted;
mod sequence;

pub use crate::domain::feed::Position;
pub use kvota_simulator::{generator, pricing, producer, recording, simulator, soccer};

use crate::domain::feed::FeedUpdate;
use crate::domain::lang::Lang;
use std::future::Future;
use std::pin::Pin;
use tokio::sync::mpsc;

/// What a source tells, in the order in which it happened.
#[derive(Debug)]
pub enum FeedInput {
    /// The link to the feed stands: subscriptions are made, snapshots can be asked for.
    Connected,
    /// The link is lost. The source goes on trying; [`FeedInput::Connected`] follows.
    Lost {
        /// For the log and the operator, lower case, without a full stop.
        cause: String,
    },
    /// A live-event message that decoded.
    Event {
        /// The language of its topic.
        lang: Lang,
        /// Its place in the producer's sequence.
        position: Position,
        /// What it says.
        update: FeedUpdate,
    },
    /// A live-event that did not decode; where its place could be read, it counts as a gap.
    Undecodable {
        /// The language of its topic.
        lang: Lang,
        /// Its place, where the headers could be read.
        position: Option<Position>,
    },
    /// A feed-active message that decoded.
    Active {
        /// The language of its topic.
        lang: Lang,
        /// Whether the producer says that the feed is active.
        active: bool,
        /// The place of the last live-event, where it says so.
        position: Option<Position>,
        /// When it was made, ms since the epoch, where it says so.
        date_ms: Option<i64>,
    },
    /// The answer to a [`SnapshotRequest`].
    Snapshot {
        /// The language asked for.
        lang: Lang,
        /// The request's own number.
        correlation: u64,
        /// Live events up to here are inside.
        position: Position,
        /// The whole offer.
        update: FeedUpdate,
    },
}

/// Asks a source for the whole offer in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SnapshotRequest {
    /// Which language.
    pub lang: Lang,
    /// Never used before: answers to older requests are known by it.
    pub correlation: u64,
}

/// Where a source speaks. Sending waits while the owner of the offer is busy: a source never runs ahead of it.
pub type FeedSink = mpsc::Sender<FeedInput>;

/// A source of the offer. `run` ends only when the sink is closed: whatever happens to the link, it goes on trying.
pub trait FeedSource: Send + 'static {
    /// Speaks into `sink` and answers `requests` until the sink closes.
    fn run(
        self: Box<Self>,
        sink: FeedSink,
        requests: mpsc::Receiver<SnapshotRequest>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}
