//! The messages between the nodes of a simulation. Each arrives after a random delay. If one is lost, the receiver learns
//! a second later that it may have missed some, as after a lost connection to PostgreSQL.

use super::Scenario;
use crate::testkit::seed::Dice;
use kvota_store::nodes::{Change, NodeSender, Notice};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// Messages that wait for one node.
const WAITING_MAX: usize = 10_000;
/// How long a node does not know that its connection is lost.
const LOSS_NOTICED_AFTER: Duration = Duration::from_secs(1);

/// For each node of the plan, how it sends to the others and what it receives.
pub(super) fn connect(scenario: &Rc<Scenario>, dice: Dice) -> (Vec<NodeSender>, Vec<mpsc::Receiver<Notice>>) {
    let (inboxes, notices): (Vec<_>, Vec<_>) =
        (0..scenario.plan.nodes).map(|_| mpsc::channel::<Notice>(WAITING_MAX)).unzip();
    let (lost, late_ms) = (scenario.plan.notice_lost, scenario.plan.notice_late_ms);
    let sender = |number: usize| {
        let others = inboxes.iter().enumerate().filter(|(other, _)| *other != number);
        let others: Vec<_> = others.map(|(_, inbox)| inbox.clone()).collect();
        let dice = Arc::new(Mutex::new(dice.apart(number as u64)));
        NodeSender::new(move |change: Change| {
            for inbox in others.clone() {
                let mut dice = dice.lock().unwrap_or_else(PoisonError::into_inner);
                let late = Duration::from_millis(dice.between(1, late_ms));
                let (wait, notice) = match dice.chance(lost) {
                    true => (late + LOSS_NOTICED_AFTER, Notice::Missed),
                    false => (late, Notice::Changed(change.clone())),
                };
                let arrive = async move {
                    sleep(wait).await;
                    // A node that is gone receives nothing.
                    drop(inbox.try_send(notice));
                };
                #[expect(clippy::disallowed_methods, reason = "ends within seconds, or with the process")]
                tokio::spawn(arrive);
            }
        })
    };
    ((0..scenario.plan.nodes).map(sender).collect(), notices)
}
