//! Messages between nodes through PostgreSQL: `pg_notify` on connections of their own, so that no transaction of a bet
//! takes the lock that NOTIFY holds until its commit. Changes are collected for a few milliseconds and sent together. A
//! node that commits a change and dies, or cannot send it, leaves the others outdated: they then read everything again.
//!
//! Needs a direct connection: a pooler that gives each transaction another connection (PgBouncer's transaction mode)
//! does not pass notifications on.

use super::{CONNECT, PostgresStore, Presence, shared_limits};
use crate::limits::NODE_CALL_MS_MAX;
use crate::nodes::{Change, NOTICES_WAITING_MAX, NodeBus, NodeLink, NodeSender, Notice, decode, encode};
use sqlx::postgres::{PgConnectOptions, PgListener, PgPool, PgPoolOptions};
use std::collections::HashSet;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{Mutex, mpsc};

/// One channel for each schema, since several installations may share a database.
const CHANNEL: &str = "SELECT 'kvota_nodes_' || current_schema()";
pub(super) const NOTIFY: &str = "SELECT pg_notify('kvota_nodes_' || current_schema(), $1)";
/// A payload may have 7,999 bytes.
const PAYLOAD_BYTES_MAX: usize = 7_900;
/// How long changes are collected after a message. The first one is sent at once. Each message wakes all nodes.
const COLLECT: Duration = Duration::from_millis(40);
const RECONNECT_AFTER: Duration = Duration::from_secs(1);
/// How often a node shows that it is alive.
const BEAT_EVERY: Duration = Duration::from_secs(1);
/// Beats between two empty messages, which show the listeners of all nodes that their connections work.
const GREET_EVERY: u32 = 3;
/// A listening connection without any message for this long has failed unnoticed.
const SILENCE_MAX: Duration = Duration::from_secs(12);
/// Says that messages of this node could not be sent.
const LOST: &str = "lost";
/// Beats between two deletions of old rows.
const CLEAN_UP_EVERY: u32 = 60;

impl NodeBus for PostgresStore {
    fn join(&self) -> Option<NodeLink> {
        let (sender, changes) = mpsc::channel(NOTICES_WAITING_MAX);
        let (queue, notices) = mpsc::channel(NOTICES_WAITING_MAX);
        let node = format!("{:016x}", self.node);
        let options = self.connections.current().0.connect_options();
        let others = Arc::downgrade(&self.others);
        let is_lost = Arc::new(AtomicBool::new(false));
        let runtime = self.runtime.handle();
        runtime.spawn(listen(Arc::clone(&options), node.clone(), queue.clone(), others.clone()));
        runtime.spawn(beat(Arc::clone(&options), self.node, others, Arc::clone(&self.presence), queue));
        runtime.spawn(send(options, node, changes, Arc::clone(&is_lost)));
        let sender = NodeSender::new(move |change| {
            if sender.try_send(change).is_err() {
                is_lost.store(true, Ordering::Release);
                metrics::counter!("kvota_node_messages_dropped_total").increment(1);
            }
        });
        Some(NodeLink { sender, notices })
    }
}

/// The other nodes, as this one saw them last.
#[derive(Debug)]
pub(super) struct OtherNodes {
    exist: AtomicBool,
    are_all_after: AtomicBool,
    /// Nodes that sent a message since the last look.
    heard: std::sync::Mutex<HashSet<i64>>,
}

impl Default for OtherNodes {
    fn default() -> OtherNodes {
        OtherNodes { exist: AtomicBool::new(false), are_all_after: AtomicBool::new(true), heard: Default::default() }
    }
}

impl OtherNodes {
    /// Whether there are any.
    pub(super) fn exist(&self) -> bool {
        self.exist.load(Ordering::Acquire)
    }

    /// Notes a message of a node.
    fn hear(&self, node: i64) {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).insert(node);
        self.exist.store(true, Ordering::Release);
    }

    fn take_heard(&self) -> HashSet<i64> {
        std::mem::take(&mut self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether this node has the lowest id.
    pub(super) fn are_all_after(&self) -> bool {
        self.are_all_after.load(Ordering::Acquire)
    }
}

/// A pool of one connection, without the time-outs of a bet.
fn connect(options: &PgConnectOptions) -> PgPool {
    PgPoolOptions::new().max_connections(1).acquire_timeout(CONNECT).connect_lazy_with(options.clone())
}

/// The result of a call, for `NODE_CALL_MS_MAX` at most. After a failure the caller opens another connection: one that
/// does not answer may never do so.
async fn in_time<T>(call: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, sqlx::Error> {
    let limit = Duration::from_millis(NODE_CALL_MS_MAX);
    tokio::time::timeout(limit, call).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

/// Shows that this node is alive, and notices others. If one of them ends, its last changes may not have been sent. Ends
/// with the store.
async fn beat(
    options: Arc<PgConnectOptions>,
    node: i64,
    others: Weak<OtherNodes>,
    presence: Arc<Mutex<Presence>>,
    queue: mpsc::Sender<Notice>,
) {
    let mut pool = connect(&options);
    let mut beats = 0_u32;
    let (mut living, mut is_missed) = (HashSet::new(), false);
    while let Some(seen) = others.upgrade() {
        let mut present = presence.lock().await;
        if *present == Presence::Left {
            return;
        }
        *present = Presence::Present;
        // Before the query, so that a node which ends at once after its first message is not overlooked.
        living.extend(seen.take_heard());
        match in_time(shared_limits::beat(&pool, node)).await {
            Ok(found) => {
                seen.exist.store(!found.is_empty(), Ordering::Release);
                seen.are_all_after.store(found.iter().all(|other| *other > node), Ordering::Release);
                is_missed |= !living.is_subset(&found);
                living = found;
            }
            Err(error) => {
                tracing::warn!("this node cannot show that it is alive: {error}");
                pool = connect(&options);
            }
        }
        drop(present);
        // If its queue is full, the receiver gets this with a later beat.
        is_missed = is_missed && queue.try_send(Notice::Missed).is_err();
        if beats.is_multiple_of(GREET_EVERY) {
            // The first one lets the others learn of this node at once, not with their next beat.
            let greeting = in_time(sqlx::query(NOTIFY).bind(format!("{node:016x}")).execute(&pool)).await;
            if let Err(error) = greeting {
                pool = connect(&options);
                tracing::warn!("other nodes cannot be notified: {error}");
            }
        }
        if beats.is_multiple_of(CLEAN_UP_EVERY)
            && let Err(error) = in_time(shared_limits::clean_up(&pool)).await
        {
            pool = connect(&options);
            tracing::warn!("old rows of the shared limits stay: {error}");
        }
        beats = beats.wrapping_add(1);
        drop(seen);
        tokio::time::sleep(BEAT_EVERY).await;
    }
}

/// Removes the row of a node that stops, so that the others do not wait until it counts as dead.
pub(super) async fn leave(pool: &PgPool, node: i64, presence: &Mutex<Presence>) -> Result<(), sqlx::Error> {
    let was = std::mem::replace(&mut *presence.lock().await, Presence::Left);
    if was == Presence::Present {
        sqlx::query("DELETE FROM nodes WHERE id = $1").bind(node).execute(pool).await?;
    }
    Ok(())
}

async fn send(
    options: Arc<PgConnectOptions>,
    node: String,
    mut changes: mpsc::Receiver<Change>,
    is_lost: Arc<AtomicBool>,
) {
    let mut pool = connect(&options);
    loop {
        let mut words = HashSet::new();
        match tokio::time::timeout(RECONNECT_AFTER, changes.recv()).await {
            Ok(None) => return,
            Ok(Some(first)) => drop(words.insert(encode(&first))),
            Err(_) if !is_lost.load(Ordering::Acquire) => continue,
            Err(_) => {}
        }
        while let Ok(change) = changes.try_recv() {
            words.insert(encode(&change));
        }
        if is_lost.swap(false, Ordering::AcqRel) {
            words.insert(LOST.to_owned());
        }
        for payload in payloads(&node, words) {
            let sent = in_time(sqlx::query(NOTIFY).bind(payload).execute(&pool)).await;
            match sent {
                Ok(_) => metrics::counter!("kvota_node_messages_sent_total").increment(1),
                Err(error) => {
                    is_lost.store(true, Ordering::Release);
                    metrics::counter!("kvota_node_messages_dropped_total").increment(1);
                    tracing::warn!("other nodes cannot be notified: {error}");
                    pool = connect(&options);
                }
            }
        }
        tokio::time::sleep(COLLECT).await;
    }
}

/// The id of the node that sent a message, by its first word.
fn node_of(word: &str) -> Option<i64> {
    u64::from_str_radix(word, 16).ok().map(u64::cast_signed)
}

/// Packs words into as few payloads as possible. Each payload begins with the sender.
fn payloads(node: &str, words: HashSet<String>) -> Vec<String> {
    let mut payloads: Vec<String> = Vec::new();
    for word in words {
        match payloads.last_mut().filter(|payload| payload.len() + 1 + word.len() <= PAYLOAD_BYTES_MAX) {
            Some(payload) => {
                payload.push(' ');
                payload.push_str(&word);
            }
            None => payloads.push(format!("{node} {word}")),
        }
    }
    payloads
}

/// Receives messages until the receiver is dropped.
async fn listen(options: Arc<PgConnectOptions>, node: String, queue: mpsc::Sender<Notice>, others: Weak<OtherNodes>) {
    loop {
        tokio::select! {
            () = queue.closed() => return,
            ended = listen_once(&options, &node, &queue, &others) => {
                let Err(error) = ended else { return };
                tracing::warn!("no notices of other nodes, connecting again: {error}");
            }
        }
        metrics::gauge!("kvota_node_notices_connected").set(0);
        tokio::time::sleep(RECONNECT_AFTER).await;
    }
}

async fn listen_once(
    options: &PgConnectOptions,
    node: &str,
    queue: &mpsc::Sender<Notice>,
    others: &Weak<OtherNodes>,
) -> Result<(), sqlx::Error> {
    // A pool for this connection alone: when the listener is dropped, it waits for an answer before it returns its place.
    let pool = connect(options);
    let channel: String = in_time(sqlx::query_scalar(CHANNEL).fetch_one(&pool)).await?;
    let mut listener = in_time(PgListener::connect_with(&pool)).await?;
    in_time(listener.listen(&channel)).await?;
    metrics::gauge!("kvota_node_notices_connected").set(1);
    let mut is_missed = true;
    loop {
        // Messages from before this connection was listening, or that did not fit into the queue, are lost.
        if is_missed && queue.send(Notice::Missed).await.is_err() {
            return Ok(());
        }
        is_missed = false;
        let Ok(message) = tokio::time::timeout(SILENCE_MAX, listener.try_recv()).await else {
            return Err(sqlx::Error::Io(std::io::Error::other("no message, not even of this node")));
        };
        let Some(notification) = message? else {
            return Err(sqlx::Error::Io(std::io::Error::other("the connection was lost")));
        };
        let mut words = notification.payload().split(' ');
        let sender = words.next();
        if sender == Some(node) {
            continue;
        }
        if let (Some(others), Some(sender)) = (others.upgrade(), sender.and_then(node_of)) {
            others.hear(sender);
        }
        for word in words {
            is_missed |= match decode(word) {
                Some(change) => queue.try_send(Notice::Changed(change)).is_err(),
                None => word == LOST,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_stay_below_the_limit_and_lose_no_word() {
        let words: HashSet<String> = (0..2_000).map(|number| format!("R{number}")).collect();
        let payloads = payloads("0123456789abcdef", words.clone());
        assert!(payloads.len() > 1 && payloads.iter().all(|payload| payload.len() <= PAYLOAD_BYTES_MAX));
        let sent: HashSet<String> =
            payloads.iter().flat_map(|payload| payload.split(' ').skip(1)).map(Into::into).collect();
        assert_eq!(sent, words);
    }
}
