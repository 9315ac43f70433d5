//! The sources of the offer. A source sends [`FeedInput`] to the FeedActor and answers its [`SnapshotRequest`]s.
//! The rules by which the FeedActor handles them (sequence, liveness, recovery) are pure functions, also in this folder.
//!
//! Must never import read_model, actors, http or anything above: a source knows bytes and the domain, not its
//! receivers.

pub mod amqp;
mod asking;
pub mod embedded;
pub mod embedded_results;
pub mod file;
pub mod fold;
pub mod lag;
pub mod limits;
pub mod liveness;
pub mod results;
#[cfg(feature = "testkit")]
pub mod scripted;
mod sequence;
pub mod uof;

pub use kvota_domain::feed::Position;

use kvota_domain::feed::FeedUpdate;
use kvota_domain::lang::Lang;
use std::future::Future;
use std::pin::Pin;
use tokio::sync::mpsc;

/// An input from a source, sent in the order in which it happened.
#[derive(Debug)]
pub enum FeedInput {
    /// The connection to the feed is ready: the subscriptions exist, and snapshots can be requested.
    Connected,
    /// The connection is lost. The source reconnects; [`FeedInput::Connected`] follows.
    Lost {
        /// The cause, for the log: in lower case, without a full stop.
        cause: String,
    },
    /// A live-event message that decoded.
    Event {
        /// The language of its topic.
        lang: Lang,
        /// Its position in the producer's sequence.
        position: Position,
        /// Its content.
        update: FeedUpdate,
    },
    /// A live-event that did not decode. If its position could be read, it counts as a gap.
    Undecodable {
        /// The language of its topic.
        lang: Lang,
        /// Its position, if the headers could be read.
        position: Option<Position>,
    },
    /// A feed-active message that decoded.
    Active {
        /// The language of its topic.
        lang: Lang,
        /// Whether the producer reports that the feed is active.
        active: bool,
        /// The position of the last live-event, if it is given.
        position: Option<Position>,
        /// The date of the message, in ms since the epoch, if it is given.
        date_ms: Option<i64>,
    },
    /// The answer to a [`SnapshotRequest`].
    Snapshot {
        /// The requested language.
        lang: Lang,
        /// The number of the request.
        correlation: u64,
        /// The snapshot contains all live events up to this position.
        position: Position,
        /// The whole offer.
        update: FeedUpdate,
    },
}

/// Requests the whole offer in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SnapshotRequest {
    /// The language.
    pub lang: Lang,
    /// The number of the request. It is never used twice, so that answers to older requests can be recognised.
    pub correlation: u64,
}

/// The channel of a source. Sending waits while the FeedActor is busy, so a source never runs ahead of it.
pub type FeedSink = mpsc::Sender<FeedInput>;

/// A source of the offer. `run` ends only when the sink is closed; it reconnects after any failure.
pub trait FeedSource: Send + 'static {
    /// Sends into `sink` and answers `requests` until the sink closes.
    fn run(
        self: Box<Self>,
        sink: FeedSink,
        requests: mpsc::Receiver<SnapshotRequest>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}
