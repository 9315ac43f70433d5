//! The thread and runtime of a store. A database connection is bound to the runtime that created it, but calls come
//! from many runtimes: each worker of the server has one, and each test. So the store has its own. A busy worker does
//! not delay it, and the end of a test does not stop it.
//!
//! Must finish every operation that has started, even if its caller no longer waits.

use super::StoreError;
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// Runs a long computation on another thread.
pub(super) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(StoreError::corrupt("a computation of the store panicked")))
}

/// The thread. It ends when this value is dropped.
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
            // Both a stop message and a dropped sender end the thread.
            let _ = runtime.block_on(stopped);
        })?;
        Ok(StoreRuntime { handle, stop: Mutex::new(Some((stop, thread))) })
    }

    /// Runs an operation on the thread until it is finished.
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

    /// The thread's runtime, for tasks that live as long as the store.
    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for StoreRuntime {
    fn drop(&mut self) {
        let stop = self.stop.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((stop, thread)) = stop {
            let _ = stop.send(());
            // The last owner may be an operation on this thread. The thread cannot wait for itself.
            if std::thread::current().id() != thread.thread().id() {
                let _ = thread.join();
            }
        }
    }
}
