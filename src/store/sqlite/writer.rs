//! The one writer of the file. Operations wait in a bounded queue; the writer takes all that wait into one transaction,
//! commits, and only then replies to each: the disk is waited for once a group, not once a bet.
//!
//! What stops an operation must not stop its neighbours: where one fails, the whole group is undone and each is done
//! again alone. Where the file itself fails (a full disk), all of the group are told so, nothing is kept, and the next
//! group is tried as if nothing had been.

use crate::store::runtime::StoreRuntime;
use crate::store::{OpenError, StoreError, fail_point};
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

/// Operations that may wait; more are told that the store is too busy. Some seconds of work on a slow disk.
const QUEUE_MAX: usize = 4096;

/// Operations of one transaction: enough to share the wait for the disk, few enough that nobody waits long for others.
const GROUP_MAX: usize = 256;

/// Something to be done in a transaction of the writer. Whoever gives an outcome by which nothing is changed must have
/// written nothing. It may be run again, after a rollback.
pub(super) trait Operation: Send + Sync + 'static {
    /// What its caller is told after the commit.
    type Outcome: Send + 'static;

    /// Whether it places a bet: then the fail points count it.
    const IS_BET: bool = false;

    /// Whether it takes so long that a transaction has at most one of its kind. Others do not wait for the rest of them.
    const IS_LARGE: bool = false;

    /// Does it; an error undoes all of it.
    fn run(&self, connection: &mut SqliteConnection) -> impl Future<Output = Result<Self::Outcome, StoreError>> + Send;
}

/// An operation with the one who waits for it.
trait Waiting: Send {
    fn is_bet(&self) -> bool;
    fn is_large(&self) -> bool;
    fn run<'c>(
        &'c mut self,
        connection: &'c mut SqliteConnection,
    ) -> Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'c>>;
    /// The outcome is told, or the failure of the group in its place.
    fn reply(self: Box<Self>, failure: Option<StoreError>);
}

struct Pending<O: Operation> {
    operation: O,
    outcome: Option<O::Outcome>,
    caller: oneshot::Sender<Result<O::Outcome, StoreError>>,
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
            // A panic (in the maker of an answer, say) must not take the writer along.
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
        // Who waits no longer asks again, by the key of his bet.
        let _ = self.caller.send(outcome);
    }
}

type Group = Vec<Box<dyn Waiting>>;

/// The way to the writer. Closing it does all that waits; dropping it ends at once, for then nobody waits any more.
pub(super) struct Writer {
    queue: Mutex<Option<mpsc::Sender<Box<dyn Waiting>>>>,
    task: Mutex<Option<JoinHandle<()>>>,
    _runtime: StoreRuntime,
}

impl Writer {
    /// Starts the writer on a thread of its own. `options` are for connecting again.
    pub(super) fn start(options: SqliteConnectOptions, connection: SqliteConnection) -> Result<Writer, OpenError> {
        let runtime = StoreRuntime::start().map_err(OpenError::Thread)?;
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        let task = runtime.handle().spawn(Writing { options, connection: Some(connection) }.serve(waiting));
        Ok(Writer { queue: Mutex::new(Some(queue)), task: Mutex::new(Some(task)), _runtime: runtime })
    }

    /// Has something done, and waits until it is committed.
    pub(super) async fn run<O: Operation>(&self, operation: O) -> Result<O::Outcome, StoreError> {
        let (caller, outcome) = oneshot::channel();
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let queue = queue.ok_or_else(|| StoreError::unavailable("the store is closed"))?;
        queue.try_send(Box::new(Pending { operation, outcome: None, caller })).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => StoreError::unavailable("too many writes wait"),
            mpsc::error::TrySendError::Closed(_) => StoreError::unavailable("the writer has ended"),
        })?;
        // Not to be held while waiting: the writer ends when nobody holds the queue any more.
        drop(queue);
        outcome.await.unwrap_or_else(|_| Err(StoreError::unavailable("the writer has ended")))
    }

    /// Takes nothing more, and waits until what waits is done.
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
    /// Nothing after a connection that could not be rolled back: the next group makes another.
    connection: Option<SqliteConnection>,
}

impl Writing {
    async fn serve(mut self, mut waiting: mpsc::Receiver<Box<dyn Waiting>>) {
        let mut large: VecDeque<Box<dyn Waiting>> = VecDeque::new();
        loop {
            let mut group: Group = large.pop_front().into_iter().collect();
            if group.is_empty() {
                match waiting.recv().await {
                    Some(first) => group.push(first),
                    None => break,
                }
            }
            let mut has_large = group.iter().any(|one| one.is_large());
            while group.len() < GROUP_MAX
                && let Ok(next) = waiting.try_recv()
            {
                if next.is_large() && has_large {
                    large.push_back(next);
                } else {
                    has_large |= next.is_large();
                    group.push(next);
                }
            }
            self.finish(group).await;
        }
        if let Some(connection) = self.connection.take()
            && let Err(failure) = connection.close().await
        {
            warn!(%failure, "closing the store's file failed: {failure}");
        }
    }

    /// Does a group and replies to all of it.
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

    /// All of a group in one transaction, or nothing.
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
        // Some failures (a full disk) end the transaction by themselves, and then there is nothing to undo; whether it
        // is still open only the attempt to begin another tells. A connection that cannot do that is given up.
        if outcome.is_err() && !is_ready(&mut connection).await {
            return outcome;
        }
        self.connection = Some(connection);
        outcome
    }
}

/// Whether no transaction is open any more.
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

/// How a test fills a disk: [`super::SqliteStore::hold_to_pages`].
#[cfg(any(test, feature = "testkit"))]
pub(super) struct HoldToPages(pub(super) u32);

#[cfg(any(test, feature = "testkit"))]
impl Operation for HoldToPages {
    type Outcome = ();

    async fn run(&self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let pragma = sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {}", self.0));
        let held: i64 = sqlx::query_scalar(pragma).fetch_one(connection).await?;
        // It is never fewer than the file has.
        (held >= i64::from(self.0)).then_some(()).ok_or_else(|| StoreError::corrupt("the file is not held"))
    }
}
