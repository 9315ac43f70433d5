//! A thread with a runtime for what a store runs by itself. Connections are bound to the runtime they were made on, and
//! requests come from many: each worker of the server has one, and each test. So the store has its own, which neither a
//! busy worker holds up nor a test's end takes away.
//!
//! An operation that was begun here is finished here, whether or not its caller still waits.

use super::StoreError;
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// The thread; it ends with this value.
pub(super) struct StoreRuntime {
    handle: Handle,
    stop: Mutex<Option<(oneshot::Sender<()>, JoinHandle<()>)>>,
}

impl StoreRuntime {
    /// Starts the thread.
    pub(super) fn start() -> std::io::Result<StoreRuntime> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new().name("kvota-store".to_owned()).spawn(move || {
            // Told to stop or forgotten by its owner: the same.
            let _ = runtime.block_on(stopped);
        })?;
        Ok(StoreRuntime { handle, stop: Mutex::new(Some((stop, thread))) })
    }

    /// Runs something on the thread, to its end.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        match self.handle.spawn(work).await {
            Ok(outcome) => outcome,
            Err(error) if error.is_panic() => Err(StoreError::corrupt("an operation of the store panicked")),
            Err(_) => Err(StoreError::unavailable("the store is closed")),
        }
    }

    /// The thread's runtime, for what lives as long as the store.
    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for StoreRuntime {
    fn drop(&mut self) {
        let stop = self.stop.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((stop, thread)) = stop {
            let _ = stop.send(());
            // The thread itself drops the store where an operation outlives all other owners; it cannot wait for itself.
            if std::thread::current().id() != thread.thread().id() {
                let _ = thread.join();
            }
        }
    }
}
