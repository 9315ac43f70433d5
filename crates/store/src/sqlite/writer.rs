//! The only writer of the file. Operations wait in a bounded queue. The writer runs all waiting operations in one
//! transaction (a group), commits it, and must not reply before the commit. So there is one disk sync per group, not
//! per bet.
//!
//! A failed operation must not affect the others: the group is rolled back, and each operation runs again in its own
//! transaction. If the file itself fails (a full disk), all operations of the group fail and nothing is written. The
//! next group is tried as usual.

use crate::runtime::StoreRuntime;
use crate::{OpenError, StoreError, fail_point};
use futures_util::FutureExt;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use std::collections::VecDeque;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tracing::{error, warn};

/// Operations that may wait: some seconds of work on a slow disk. Further ones fail, because the store is too busy.
const QUEUE_MAX: usize = 4096;

/// Operations in one transaction: enough to share a disk sync, and few enough that no caller waits long for the others.
const GROUP_MAX: usize = 256;

/// An operation in a transaction of the writer. If its outcome means that nothing changed, it must not have written
/// anything. It may run again after a rollback.
pub(super) trait Operation: Send + Sync + 'static {
    /// The outcome that the caller receives after the commit.
    type Output: Send + 'static;

    /// Whether it places a bet. If so, the fail points count it.
    const IS_BET: bool = false;

    /// Whether it is slow. A slow operation has a transaction of its own, so that others never wait for several of them.
    const IS_LARGE: bool = false;

    /// Runs the operation. An error rolls it back.
    fn run(&self, connection: &mut SqliteConnection) -> impl Future<Output = Result<Self::Output, StoreError>> + Send;
}

/// An operation and its caller.
trait Waiting: Send {
    fn is_bet(&self) -> bool;
    fn is_large(&self) -> bool;
    fn run<'c>(
        &'c mut self,
        connection: &'c mut SqliteConnection,
    ) -> Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'c>>;
    /// Sends the outcome to the caller, or the failure of the group instead.
    fn reply(self: Box<Self>, failure: Option<StoreError>);
}

struct Pending<O: Operation> {
    operation: O,
    outcome: Option<O::Output>,
    caller: oneshot::Sender<Result<O::Output, StoreError>>,
}

impl<O: Operation> Waiting for Pending<O> {
    fn is_bet(&self) -> bool {
        O::IS_BET
    }

    fn is_large(&self) -> bool {
        O::IS_LARGE
    }

    fn run<'c>(
        &'c mut self,
        connection: &'c mut SqliteConnection,
    ) -> Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'c>> {
        Box::pin(async move {
            // A panic, for example in an `AnswerMaker`, must not end the writer.
            let done = AssertUnwindSafe(self.operation.run(connection)).catch_unwind().await;
            let outcome = done.map_err(|_| StoreError::corrupt("an operation of the store panicked"))?;
            self.outcome = Some(outcome?);
            Ok(())
        })
    }

    fn reply(self: Box<Self>, failure: Option<StoreError>) {
        let outcome = match (failure, self.outcome) {
            (None, Some(outcome)) => Ok(outcome),
            (Some(failure), _) => Err(failure),
            (None, None) => Err(StoreError::corrupt("an operation was committed before it was done")),
        };
        // If the caller no longer waits, it can retry with the key of its bet.
        let _ = self.caller.send(outcome);
    }
}

type Group = Vec<Box<dyn Waiting>>;

/// The handle of the writer. Closing it runs all waiting operations first. Dropping it ends the writer at once, because
/// then no caller waits.
pub(super) struct Writer {
    queue: Mutex<Option<mpsc::Sender<Box<dyn Waiting>>>>,
    task: Mutex<Option<JoinHandle<()>>>,
    _runtime: StoreRuntime,
}

impl Writer {
    /// Starts the writer on its own thread. `options` are for reconnecting.
    pub(super) fn start(options: SqliteConnectOptions, connection: SqliteConnection) -> Result<Writer, OpenError> {
        let runtime = StoreRuntime::start().map_err(OpenError::Thread)?;
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        let task = runtime.handle().spawn(Writing { options, connection: Some(connection) }.serve(waiting));
        Ok(Writer { queue: Mutex::new(Some(queue)), task: Mutex::new(Some(task)), _runtime: runtime })
    }

    /// Runs an operation, and waits until it is committed.
    pub(super) async fn run<O: Operation>(&self, operation: O) -> Result<O::Output, StoreError> {
        let (caller, outcome) = oneshot::channel();
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let queue = queue.ok_or_else(|| StoreError::unavailable("the store is closed"))?;
        queue.try_send(Box::new(Pending { operation, outcome: None, caller })).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StoreError::unavailable("too many writes wait"),
            mpsc::error::TrySendError::Closed(_) => StoreError::unavailable("the writer has ended"),
        })?;
        // Drop the sender before waiting: the writer ends when there is no sender left.
        drop(queue);
        outcome.await.unwrap_or_else(|_| Err(StoreError::unavailable("the writer has ended")))
    }

    /// Accepts no more operations, and waits until the waiting ones are done.
    pub(super) async fn close(&self) {
        drop(self.queue.lock().unwrap_or_else(PoisonError::into_inner).take());
        let task = self.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task
            && let Err(failure) = task.await
        {
            error!(%failure, "the writer of the store did not end well: {failure}");
        }
    }
}

struct Writing {
    options: SqliteConnectOptions,
    /// `None` after a failed rollback: the next group opens another connection.
    connection: Option<SqliteConnection>,
}

impl Writing {
    async fn serve(mut self, mut waiting: mpsc::Receiver<Box<dyn Waiting>>) {
        let mut large: VecDeque<Box<dyn Waiting>> = VecDeque::new();
        loop {
            // Alternately: all small operations that wait, and one large one alone. So a small one waits for at most one
            // large one.
            let mut group = Group::new();
            if large.is_empty() {
                match waiting.recv().await {
                    Some(first) if first.is_large() => large.push_back(first),
                    Some(first) => group.push(first),
                    None => break,
                }
            }
            while group.len() < GROUP_MAX
                && let Ok(next) = waiting.try_recv()
            {
                if next.is_large() {
                    large.push_back(next);
                } else {
                    group.push(next);
                }
            }
            if !group.is_empty() {
                self.finish(group).await;
            }
            if let Some(next) = large.pop_front() {
                self.finish(vec![next]).await;
            }
        }
        if let Some(connection) = self.connection.take()
            && let Err(failure) = connection.close().await
        {
            warn!(%failure, "closing the store's file failed: {failure}");
        }
    }

    /// Runs a group and replies to all its callers.
    async fn finish(&mut self, mut group: Group) {
        match self.commit(&mut group).await {
            Ok(()) => reply(group, None),
            Err(StoreError::Unavailable { cause }) => {
                warn!(operations = group.len(), cause, "{} writes of the store are undone: {cause}", group.len());
                reply(group, Some(&cause));
            }
            Err(_) => {
                for alone in group {
                    let mut alone = vec![alone];
                    let failure = self.commit(&mut alone).await.err();
                    if let Some(failure) = &failure {
                        error!(%failure, "a write of the store failed: {failure}");
                    }
                    alone.into_iter().for_each(|one| one.reply(failure.as_ref().map(copy)));
                }
            }
        }
    }

    /// Runs a group in one transaction. If this fails, nothing is written.
    async fn commit(&mut self, group: &mut Group) -> Result<(), StoreError> {
        let has_bet = group.iter().any(|one| one.is_bet());
        let pass = |name| {
            if has_bet {
                fail_point::pass(name)
            }
        };
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => SqliteConnection::connect_with(&self.options).await?,
        };
        pass("before-begin");
        let done = async {
            sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await?;
            for one in group.iter_mut() {
                one.run(&mut connection).await?;
            }
            pass("before-commit");
            sqlx::query("COMMIT").execute(&mut connection).await?;
            pass("after-commit");
            Ok(())
        };
        let outcome = done.await;
        // Some failures (a full disk) end the transaction by themselves, and then a rollback fails. The only test for
        // an open transaction is to begin another one. If that fails, the connection is dropped.
        if outcome.is_err() && !is_ready(&mut connection).await {
            return outcome;
        }
        self.connection = Some(connection);
        outcome
    }
}

/// Whether no transaction is open.
async fn is_ready(connection: &mut SqliteConnection) -> bool {
    let _ = sqlx::query("ROLLBACK").execute(&mut *connection).await;
    let begun = sqlx::query("BEGIN DEFERRED").execute(&mut *connection).await;
    begun.is_ok() && sqlx::query("ROLLBACK").execute(connection).await.is_ok()
}

fn reply(group: Group, unavailable: Option<&String>) {
    group.into_iter().for_each(|one| one.reply(unavailable.map(StoreError::unavailable)));
}

fn copy(failure: &StoreError) -> StoreError {
    match failure {
        StoreError::Unavailable { cause } => StoreError::unavailable(cause),
        StoreError::Corrupt { cause } => StoreError::corrupt(cause),
    }
}

/// Limits the size of the file, for tests of a full disk: [`super::SqliteStore::hold_to_pages`].
#[cfg(any(test, feature = "testkit"))]
pub(super) struct HoldToPages(pub(super) u32);

#[cfg(any(test, feature = "testkit"))]
impl Operation for HoldToPages {
    type Output = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let pragma = sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {}", self.0));
        let held: i64 = sqlx::query_scalar(pragma).fetch_one(connection).await?;
        // The limit cannot be below the size of the file.
        (held >= i64::from(self.0)).then_some(()).ok_or_else(|| StoreError::corrupt("the file is not held"))
    }
}
