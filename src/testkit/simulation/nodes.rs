//! The nodes of a simulation: starts them, and kills one while the others continue. A killed node still exists in memory,
//! but has no effect any more: its store never answers, its calls and connections end, and what it sends is dropped.

use super::disk::Disk;
use super::notices::Notices;
use super::results::ResultsLine;
use super::source::Wire;
use super::{Scenario, checks, clock};
use crate::actors::system::run_with_restarts;
use crate::betting::placement::Betting;
use crate::testkit::seed::Dice;
use crate::testkit::virtual_world::{Node, NodeParts};
use kvota_domain::ticket::Delays;
use kvota_store::nodes::{NodeBus, NodeLink, OrderSlot, SharedLimits};
use kvota_store::{AccountId, BetStore, IdempotencyKey, StoreFuture};
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The nodes of a simulation do not notify each other through their store.
impl NodeBus for Disk {}

impl SharedLimits for Disk {
    fn begin_order(
        &self,
        account: AccountId,
        key: IdempotencyKey,
        _: usize,
        _: Duration,
    ) -> StoreFuture<'_, OrderSlot> {
        Box::pin(async move { Ok(OrderSlot::on_only_node(self.find_key(account, key).await?)) })
    }
}

/// The life of one node.
#[derive(Clone)]
pub(super) struct Life {
    is_over: watch::Sender<bool>,
}

impl Default for Life {
    fn default() -> Life {
        Life { is_over: watch::Sender::new(false) }
    }
}

impl Life {
    /// Whether the node was killed.
    pub(super) fn is_over(&self) -> bool {
        *self.is_over.borrow()
    }

    /// Waits until the node is killed.
    pub(super) async fn ended(&self) {
        // It cannot fail, because this value holds a sender.
        drop(self.is_over.subscribe().wait_for(|is_over| *is_over).await);
    }

    /// Does something, unless the node is killed before it is done.
    pub(super) async fn during<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.ended() => None,
            done = work => Some(done),
        }
    }

    fn end(&self) {
        self.is_over.send_replace(true);
    }
}

/// A node and its life. After its death, it is still in its place until the next one has started.
#[derive(Clone)]
pub(super) struct LivingNode {
    /// The node.
    pub(super) node: Node,
    /// Its life.
    pub(super) life: Life,
}

impl LivingNode {
    /// The answer of a call to the node, unless it is dead or dies before it has answered.
    pub(super) async fn ask<T>(&self, call: impl AsyncFnOnce(&Node) -> T) -> Option<T> {
        self.life.during(call(&self.node)).await
    }
}

struct Slot {
    living: LivingNode,
    parts: Vec<JoinHandle<()>>,
}

/// All nodes of a process of the simulation, by number.
pub(super) struct Nodes {
    scenario: Rc<Scenario>,
    wires: Vec<Arc<Wire>>,
    lines: Vec<Arc<ResultsLine>>,
    notices: Notices,
    slots: RefCell<Vec<Slot>>,
}

impl Nodes {
    /// Starts a node for each link of the feed, on the same store and connected with each other.
    pub(super) async fn start(
        scenario: &Rc<Scenario>,
        dice: &Dice,
        wires: &[Arc<Wire>],
        lines: &[Arc<ResultsLine>],
    ) -> Rc<Nodes> {
        let nodes = Nodes {
            scenario: Rc::clone(scenario),
            notices: Notices::new(scenario, dice.apart(7)),
            wires: wires.to_vec(),
            lines: lines.to_vec(),
            slots: RefCell::default(),
        };
        for number in 0..wires.len() {
            let slot = nodes.start_node(number, 1 + number as u64).await;
            nodes.slots.borrow_mut().push(slot);
        }
        Rc::new(nodes)
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.slots.borrow().len()
    }

    /// A node by its number.
    pub(super) fn get(&self, number: usize) -> LivingNode {
        self.slots.borrow()[number].living.clone()
    }

    /// A random node.
    pub(super) fn any(&self, dice: &mut Dice) -> LivingNode {
        self.get(dice.below(self.len() as u64) as usize)
    }

    /// All nodes, in their order.
    pub(super) fn all(&self) -> Vec<LivingNode> {
        self.slots.borrow().iter().map(|slot| slot.living.clone()).collect()
    }

    /// Kills a random node. Some of its pending writes survive.
    pub(super) fn kill(&self, dice: &mut Dice) -> usize {
        let number = dice.below(self.len() as u64) as usize;
        self.scenario.trace.note(|| format!("node {number} dies"));
        self.scenario.trace.node_died();
        let mut slots = self.slots.borrow_mut();
        let slot = &mut slots[number];
        slot.living.life.end();
        slot.parts.drain(..).for_each(|part| part.abort());
        drop(slots);
        self.scenario.disk.kill(number);
        self.notices.died(number);
        checks::acknowledged_is_saved(&self.scenario);
        number
    }

    /// Starts a node to replace a dead one. Each run of a node has another nonce.
    pub(super) async fn restart(&self, number: usize, nonce: u64) {
        self.scenario.trace.note(|| format!("node {number} starts again"));
        let slot = self.start_node(number, nonce).await;
        self.slots.borrow_mut()[number] = slot;
    }

    async fn start_node(&self, number: usize, nonce: u64) -> Slot {
        let scenario = &self.scenario;
        let life = Life::default();
        let (sender, notices) = self.notices.connect(number, &life);
        let delays = Delays { default_seconds: scenario.plan.delay_seconds, ..Delays::default() };
        let betting = Betting { delays, ..Betting::default() };
        let stores = scenario.disk.stores(number, &life);
        let link = Some(NodeLink { sender, notices });
        let node = Node::start(NodeParts { stores, betting, now_ms: clock::now_ms, link, nonce }).await;
        scenario.disk.watch(number, Arc::clone(&node.offer.model));
        let (wire, line) = (Arc::clone(&self.wires[number]), Arc::clone(&self.lines[number]));
        let reading = run_with_restarts(node.offer.clone(), clock::steady_now_ms, move || wire.source());
        let mut parts: Vec<Pin<Box<dyn Future<Output = ()>>>> = vec![
            Box::pin(reading),
            Box::pin(node.settlements.clone().supervise(move || line.source())),
            Box::pin(checks::check_always(Rc::clone(scenario), node.clone())),
        ];
        parts.extend(node.services.tasks().into_iter().map(|task| Box::pin(task.supervise()) as _));
        #[expect(clippy::disallowed_methods, reason = "they end with the node, or with the process")]
        let parts = parts.into_iter().map(actix::spawn).collect();
        Slot { living: LivingNode { node, life }, parts }
    }
}
