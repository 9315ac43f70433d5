//! The thread of the hostile clients. It is separate from the sessions, so that the attacks do not delay their
//! measurements. Started and joined by `engine.rs`.

#![expect(
    clippy::disallowed_methods,
    reason = "what this thread starts ends with its runtime, which the engine waits for"
)]

use super::Hostile;
use super::client::{Client, Shared};
use super::tally::HostileTally;
use crate::process;
use crate::work::Share;
use crate::worker::SCRATCH_BYTES;
use std::cell::RefCell;
use std::rc::Rc;
use tokio::task::{LocalSet, spawn_local};
use tokio::time::sleep_until;

/// Runs all hostile clients to the end of the run and returns their counts.
pub(crate) fn attack(share: Share, hostile: &Hostile) -> HostileTally {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return HostileTally::default();
    };
    let mut stop = share.stop.clone();
    let end = share.clock.begin + share.length;
    let shared = Rc::new(Shared {
        target: share.target,
        begin: share.clock.begin,
        seed: share.settings.seed,
        answer_limit: share.settings.answer_limit,
        spans: hostile.windows(share.length).spans(),
        rate: hostile.rate,
        clients: hostile.clients,
        catalogue: share.catalogue,
        scratch: RefCell::new(vec![0; SCRATCH_BYTES]),
        tally: RefCell::default(),
    });
    let local = LocalSet::new();
    local.block_on(&runtime, async {
        for number in 0..hostile.clients {
            spawn_local(Client::new(Rc::clone(&shared), number, hostile.kind_of(number)).run());
        }
        tokio::select! {
            () = sleep_until(end) => {}
            // An error means that the engine is gone, which also ends this.
            _ = stop.wait_for(|stop| *stop) => {}
        }
    });
    // Closes the connections: the tasks are dropped with their runtime.
    drop(local);
    drop(runtime);
    let mut tally = shared.tally.take();
    tally.busy = process::thread_times().unwrap_or_default().0;
    tally
}
