//! Several nodes of one process that share the store in memory, for tests. Must not count orders or attempts: each node
//! counts its own.

use super::MemoryStore;
use crate::nodes::{NOTICES_WAITING_MAX, NodeBus, NodeLink, NodeSender, Notice, OrderSlot, SharedLimits};
use crate::{AccountId, BetStore, IdempotencyKey, StoreFuture};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;

impl NodeBus for MemoryStore {
    fn join(&self) -> Option<NodeLink> {
        let (queue, notices) = mpsc::channel(NOTICES_WAITING_MAX);
        let nodes = Arc::clone(&self.nodes);
        nodes.lock().unwrap_or_else(PoisonError::into_inner).push(queue.clone());
        let sender = NodeSender::new(move |change| {
            for node in nodes.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                if !node.same_channel(&queue) {
                    // Fails if the node has ended, or its queue is full.
                    let _ = node.try_send(Notice::Changed(change.clone()));
                }
            }
        });
        Some(NodeLink { sender, notices })
    }
}

impl SharedLimits for MemoryStore {
    fn begin_order(
        &self,
        account: AccountId,
        key: IdempotencyKey,
        _: usize,
        _: Duration,
    ) -> StoreFuture<'_, OrderSlot> {
        Box::pin(async move { Ok(OrderSlot::on_only_node(self.find_key(account, key).await?)) })
    }

    fn has_other_nodes(&self) -> bool {
        let mut nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        nodes.retain(|node| !node.is_closed());
        nodes.len() > 1
    }
}
