//! The messages between the nodes of a simulation. Each arrives after a random delay. If one is lost, the receiver learns
//! a second later that it may have missed some, as after a lost connection to PostgreSQL.

use super::Scenario;
use super::nodes::Life;
use crate::testkit::seed::Dice;
use kvota_store::nodes::{Change, NodeSender, Notice};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// Messages that wait for one node.
const WAITING_MAX: usize = 10_000;
/// How long a node does not know that its connection is lost.
const LOSS_NOTICED_AFTER: Duration = Duration::from_secs(1);
/// How long a node counts as alive after its death.
const DEATH_NOTICED_AFTER: Duration = Duration::from_secs(5);

/// The inboxes of all nodes, by number.
type Inboxes = Arc<Mutex<Vec<mpsc::Sender<Notice>>>>;

/// Connects the nodes with each other.
pub(super) struct Notices {
    inboxes: Inboxes,
    dice: Dice,
    lost: u64,
    late_ms: u64,
}

impl Notices {
    /// Without a node yet.
    pub(super) fn new(scenario: &Scenario, dice: Dice) -> Notices {
        let (lost, late_ms) = (scenario.plan.notice_lost, scenario.plan.notice_late_ms);
        Notices { inboxes: Arc::default(), dice, lost, late_ms }
    }

    /// How a node sends to the others while it lives, and what it receives. Replaces the previous node of this number.
    pub(super) fn connect(&self, number: usize, life: &Life) -> (NodeSender, mpsc::Receiver<Notice>) {
        let (inbox, notices) = mpsc::channel(WAITING_MAX);
        {
            let mut inboxes = lock(&self.inboxes);
            match inboxes.get_mut(number) {
                Some(place) => *place = inbox,
                None => inboxes.push(inbox),
            }
        }
        let dice = Mutex::new(self.dice.apart(number as u64));
        let (inboxes, lost, late_ms, life) = (Arc::clone(&self.inboxes), self.lost, self.late_ms, life.clone());
        let sender = NodeSender::new(move |change: Change| {
            if life.is_over() {
                return;
            }
            let others = lock(&inboxes).clone().into_iter().enumerate().filter(|(other, _)| *other != number);
            for (_, inbox) in others {
                let mut dice = lock(&dice);
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
        });
        (sender, notices)
    }

    /// The others read everything again once a node has died, because it may not have sent its last changes.
    pub(super) fn died(&self, number: usize) {
        let others = lock(&self.inboxes).clone().into_iter().enumerate().filter(|(other, _)| *other != number);
        for (_, inbox) in others {
            let arrive = async move {
                sleep(DEATH_NOTICED_AFTER).await;
                drop(inbox.try_send(Notice::Missed));
            };
            #[expect(clippy::disallowed_methods, reason = "ends within seconds, or with the process")]
            tokio::spawn(arrive);
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
