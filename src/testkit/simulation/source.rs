//! The link of a simulated feed: a source of the offer whose every word comes from the story. One for each reader; where
//! a reader dies, the next one's source takes the place of the former.

use crate::feed::{FeedInput, FeedSink, FeedSource, SnapshotRequest};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// What a reader says to the feed.
#[derive(Debug)]
pub(super) enum Said {
    /// It is there, and has no link yet.
    Here,
    /// It asks for the whole offer.
    Asks(SnapshotRequest),
}

/// The wire between the story and whoever reads it now.
pub(super) struct Wire {
    to_reader: Mutex<Option<mpsc::UnboundedSender<FeedInput>>>,
    said: mpsc::UnboundedSender<Said>,
}

impl Wire {
    /// A wire that ends nowhere yet, and what readers say into it.
    pub(super) fn new() -> (Arc<Wire>, mpsc::UnboundedReceiver<Said>) {
        let (said, heard) = mpsc::unbounded_channel();
        (Arc::new(Wire { to_reader: Mutex::default(), said }), heard)
    }

    /// A source at its end.
    pub(super) fn source(self: &Arc<Self>) -> Box<dyn FeedSource> {
        Box::new(Source(Arc::clone(self)))
    }

    /// Says something to the reader of now, if there is one.
    pub(super) fn deliver(&self, input: FeedInput) {
        if let Some(to_reader) = self.to_reader.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            // A reader that just died hears nothing any more.
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
            drop(wire.said.send(Said::Here));
            loop {
                tokio::select! {
                    biased;
                    () = sink.closed() => return,
                    Some(request) = requests.recv() => drop(wire.said.send(Said::Asks(request))),
                    Some(input) = inputs.recv() => if sink.send(input).await.is_err() {
                        return;
                    },
                }
            }
        })
    }
}
