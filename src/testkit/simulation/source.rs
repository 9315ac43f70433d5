//! The link of a simulated feed: a feed source whose messages come from the simulation. Each reader gets its own
//! source; the source of a new reader replaces the previous one.

use kvota_feed::{FeedInput, FeedSink, FeedSource, SnapshotRequest};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// What a reader sends to the feed.
#[derive(Debug)]
pub(super) enum FromReader {
    /// It has started, and has no link yet.
    Here,
    /// It requests the whole offer.
    Asks(SnapshotRequest),
}

/// The connection between the simulation and the current reader.
pub(super) struct Wire {
    is_linked: AtomicBool,
    to_reader: Mutex<Option<mpsc::UnboundedSender<FeedInput>>>,
    sent: mpsc::UnboundedSender<FromReader>,
}

impl Wire {
    /// A link without a reader, and the channel of what readers send.
    pub(super) fn new() -> (Arc<Wire>, mpsc::UnboundedReceiver<FromReader>) {
        let (sent, from_readers) = mpsc::unbounded_channel();
        (Arc::new(Wire { is_linked: AtomicBool::new(false), to_reader: Mutex::default(), sent }), from_readers)
    }

    /// A source for a new reader.
    pub(super) fn source(self: &Arc<Self>) -> Box<dyn FeedSource> {
        Box::new(Source(Arc::clone(self)))
    }

    /// Whether messages arrive.
    pub(super) fn is_linked(&self) -> bool {
        self.is_linked.load(Ordering::Relaxed)
    }

    /// Sets whether messages arrive; returns whether they did before.
    pub(super) fn set_linked(&self, is_linked: bool) -> bool {
        self.is_linked.swap(is_linked, Ordering::Relaxed)
    }

    /// Sends an input to the current reader, if there is one.
    pub(super) fn deliver(&self, input: FeedInput) {
        if let Some(to_reader) = self.to_reader.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            // A reader that has just died receives nothing.
            drop(to_reader.send(input));
        }
    }
}

struct Source(Arc<Wire>);

impl FeedSource for Source {
    fn run(
        self: Box<Self>,
        sink: FeedSink,
        mut requests: mpsc::Receiver<SnapshotRequest>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let wire = self.0;
        let (to_reader, mut inputs) = mpsc::unbounded_channel();
        *wire.to_reader.lock().unwrap_or_else(PoisonError::into_inner) = Some(to_reader);
        Box::pin(async move {
            drop(wire.sent.send(FromReader::Here));
            loop {
                tokio::select! {
                    biased;
                    () = sink.closed() => return,
                    Some(request) = requests.recv() => drop(wire.sent.send(FromReader::Asks(request))),
                    Some(input) = inputs.recv() => if sink.send(input).await.is_err() {
                        return;
                    },
                }
            }
        })
    }
}
