//! Gathers reads by key: while `QUERIES_MAX` queries run, further keys wait and are then read together. So thousands of
//! bettors that come from a lost node cost a few queries and a few connections. A key that comes alone is read at once.
//! Must not answer from a query that began before its key was asked for.

use super::connections::Connections;
use super::sql::StoreRow;
use crate::limits::STORE_CALL_MS_MAX;
use crate::{SavedSession, StoreError, StoreFuture};
use sqlx::PgPool;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc, oneshot};

/// Keys that wait. Beyond that, callers wait for a place.
const WAITING_MAX: usize = 1_024;
/// Queries of one kind that run at the same time: one that hangs does not stop the others.
const QUERIES_MAX: usize = 2;
/// Keys of one query. A saved session has some kilobytes.
const KEYS_MAX: usize = 256;
const QUERY_MAX: Duration = Duration::from_millis(STORE_CALL_MS_MAX);

/// Found values; a value that cannot be decoded fails its own key only.
pub(super) type Found<K, V> = Vec<(K, Result<V, StoreError>)>;
type Asked<K, V> = (K, oneshot::Sender<Result<Option<V>, StoreError>>);

/// Reads values by their keys.
pub(super) struct Gathered<K, V>(mpsc::Sender<Asked<K, V>>);

impl<K, V> Gathered<K, V>
where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + 'static,
{
    /// Reads with `read`, on this runtime, until dropped. A key without a value is missing in what it returns.
    pub(super) fn new(
        runtime: &Handle,
        connections: Connections,
        read: fn(PgPool, Vec<K>) -> StoreFuture<'static, Found<K, V>>,
    ) -> Gathered<K, V> {
        let (asked, waiting) = mpsc::channel(WAITING_MAX);
        let read = move |keys| -> StoreFuture<'static, Found<K, V>> {
            let connections = connections.clone();
            Box::pin(async move {
                let (pool, generation) = connections.current();
                let found = tokio::time::timeout(QUERY_MAX, read(pool, keys)).await;
                found.unwrap_or_else(|_| {
                    connections.replace(generation);
                    Err(StoreError::unavailable("the database did not answer in time"))
                })
            })
        };
        runtime.spawn(gather(runtime.clone(), waiting, read));
        Gathered(asked)
    }

    /// The value of a key. Waits for a place and for the answer as long as for a query at most.
    pub(super) async fn get(&self, key: K) -> Result<Option<V>, StoreError> {
        let closed = || StoreError::unavailable("the store is closed");
        let asked = async {
            let (answer, answered) = oneshot::channel();
            self.0.send((key, answer)).await.map_err(|_| closed())?;
            answered.await.map_err(|_| closed())?
        };
        let late = |_| StoreError::unavailable("the database did not answer in time");
        tokio::time::timeout(QUERY_MAX, asked).await.map_err(late)?
    }
}

async fn gather<K, V>(
    runtime: Handle,
    mut waiting: mpsc::Receiver<Asked<K, V>>,
    read: impl Fn(Vec<K>) -> StoreFuture<'static, Found<K, V>>,
) where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + 'static,
{
    let free = Arc::new(Semaphore::new(QUERIES_MAX));
    while let Some((key, answer)) = waiting.recv().await {
        let Ok(place) = Arc::clone(&free).acquire_owned().await else { return };
        let mut asked = HashMap::from([(key, vec![answer])]);
        while asked.len() < KEYS_MAX
            && let Ok((key, answer)) = waiting.try_recv()
        {
            asked.entry(key).or_insert_with(Vec::new).push(answer);
        }
        let query = read(asked.keys().cloned().collect());
        runtime.spawn(async move {
            let found = query.await;
            // A send fails only if its caller no longer waits.
            match found {
                Ok(found) => {
                    for (key, value) in found {
                        for answer in asked.remove(&key).unwrap_or_default() {
                            drop(answer.send(value.as_ref().map(|value| Some(value.clone())).map_err(copy)));
                        }
                    }
                    asked.into_values().flatten().for_each(|answer| drop(answer.send(Ok(None))));
                }
                Err(error) => asked.into_values().flatten().for_each(|answer| drop(answer.send(Err(copy(&error))))),
            }
            drop(place);
        });
    }
}

/// The same error for several callers.
fn copy(error: &StoreError) -> StoreError {
    match error {
        StoreError::Unavailable { cause } => StoreError::unavailable(cause),
        StoreError::Corrupt { cause } => StoreError::corrupt(cause),
    }
}

/// The saved sessions of the owners with these keys.
pub(super) fn saved_sessions(pool: PgPool, owners: Vec<Vec<u8>>) -> StoreFuture<'static, Found<Vec<u8>, SavedSession>> {
    Box::pin(async move {
        let question =
            sqlx::query("SELECT version, bytes, owner FROM saved_sessions WHERE owner = ANY($1)").bind(owners);
        let rows = question.fetch_all(&pool).await?;
        rows.iter().map(|row| Ok((row.bytes("owner")?, row.session()))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::future::join_all;
    use std::sync::Mutex;
    use tokio::sync::watch;
    use tokio::task::JoinHandle;

    /// Reads that record their keys and end when they may.
    struct Reads {
        gathered: Arc<Gathered<u8, u8>>,
        queries: Arc<Mutex<Vec<Vec<u8>>>>,
        may_end: watch::Sender<bool>,
    }

    impl Reads {
        fn start() -> Reads {
            let (asked, waiting) = mpsc::channel(WAITING_MAX);
            let (queries, may_end) = (Arc::new(Mutex::new(Vec::new())), watch::Sender::new(false));
            let (noted, ends) = (Arc::clone(&queries), may_end.clone());
            let read = move |mut keys: Vec<u8>| -> StoreFuture<'static, Found<u8, u8>> {
                keys.sort_unstable();
                noted.lock().unwrap().push(keys.clone());
                let mut ends = ends.subscribe();
                Box::pin(async move {
                    ends.wait_for(|may| *may).await.unwrap();
                    if keys.contains(&99) {
                        return Err(StoreError::unavailable("it is away"));
                    }
                    let value = |key: u8| if key == 66 { Err(StoreError::corrupt("it is odd")) } else { Ok(key * 2) };
                    Ok(keys.into_iter().filter(|key| key.is_multiple_of(2)).map(|key| (key, value(key))).collect())
                })
            };
            let runtime = Handle::current();
            runtime.spawn(gather(runtime.clone(), waiting, read));
            Reads { gathered: Arc::new(Gathered(asked)), queries, may_end }
        }

        /// Asks for a key, and waits until it is read.
        async fn ask(&self, key: u8) -> JoinHandle<Result<Option<u8>, StoreError>> {
            let (gathered, before) = (Arc::clone(&self.gathered), self.count());
            let asked = Handle::current().spawn(async move { gathered.get(key).await });
            while self.count() == before {
                tokio::task::yield_now().await;
            }
            asked
        }

        fn count(&self) -> usize {
            self.queries.lock().unwrap().len()
        }
    }

    #[tokio::test]
    async fn keys_that_wait_are_read_together_and_each_gets_its_own_answer() {
        let reads = Reads::start();
        let (two, four) = (reads.ask(2).await, reads.ask(4).await);
        let rest = join_all([6, 7, 6, 66].map(|key| reads.gathered.get(key)));
        let (rest, _) = tokio::join!(rest, async { reads.may_end.send_replace(true) });
        assert_eq!((two.await.unwrap().unwrap(), four.await.unwrap().unwrap()), (Some(4), Some(8)));
        let [six, seven, again, odd] = rest.try_into().unwrap();
        assert_eq!([six, seven, again].map(Result::unwrap), [Some(12), None, Some(12)]);
        assert!(matches!(odd, Err(StoreError::Corrupt { .. })));
        assert_eq!(*reads.queries.lock().unwrap(), [vec![2], vec![4], vec![6, 7, 66]]);
    }

    #[tokio::test]
    async fn failed_query_fails_all_its_keys_and_the_next_one_runs() {
        let reads = Reads::start();
        reads.may_end.send_replace(true);
        assert!(matches!(reads.gathered.get(99).await, Err(StoreError::Unavailable { .. })));
        assert_eq!(reads.gathered.get(8).await.unwrap(), Some(16));
    }
}
