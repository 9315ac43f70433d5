//! The table of running orders on this node, by account and idempotency key. A second order with the same key waits
//! for the answer of the first. Used by the placement only. Must not await while the table is locked.

use kvota_store::{AccountId, Answer, IdempotencyKey};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The outcome of an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlacementAnswer {
    /// 200 or 400 with the bytes of the body.
    Answer(Answer),
    /// 409: the key was used with another body.
    Conflict,
    /// 404: the account has no such bet.
    NoTicket,
    /// 429: too many running orders of the account.
    TooMany,
    /// 503: the store is unavailable, the server shuts down, or no snapshot of the offer could be read. The bet may
    /// have been accepted; a retry with the same key shows the outcome.
    Unavailable,
    /// 500: a bug.
    Failed,
}

type OrderKey = (AccountId, IdempotencyKey);

/// The table of running orders. Clones share one table.
#[derive(Clone, Debug)]
pub(super) struct Running {
    orders: Arc<Mutex<BTreeMap<OrderKey, Waiting>>>,
    /// The number of running orders, for the shutdown.
    count: watch::Sender<usize>,
}

/// A running order, for others that wait for its outcome.
#[derive(Clone, Debug)]
struct Waiting {
    /// The digest of its body.
    digest: [u8; 32],
    answer: watch::Receiver<Option<PlacementAnswer>>,
}

/// The result of looking up a key in the table.
pub(super) enum Reservation {
    /// The key was free. It is reserved until `reservation` is dropped.
    Free {
        /// The reservation, for the task that runs the order.
        reservation: KeyReservation,
        /// Waits for the outcome.
        answer: AnswerReceiver,
    },
    /// Another order with this key is running.
    Taken {
        /// The digest of its body.
        digest: [u8; 32],
        /// Waits for its outcome.
        answer: AnswerReceiver,
    },
    /// The account has reached its limit of running orders.
    NoneLeft,
}

/// Waits for the outcome of an order.
pub(super) struct AnswerReceiver(watch::Receiver<Option<PlacementAnswer>>);

/// The reservation of a key by a running order. Dropping it, also in a panic, frees the key.
pub(super) struct KeyReservation {
    running: Running,
    key: OrderKey,
    answer: watch::Sender<Option<PlacementAnswer>>,
}

impl Default for Running {
    fn default() -> Running {
        Running { orders: Arc::default(), count: watch::Sender::new(0) }
    }
}

impl Running {
    /// Reserves a key, unless it is taken or the account has `account_max` running orders.
    pub(super) fn reserve(&self, key: OrderKey, digest: [u8; 32], account_max: usize) -> Reservation {
        let mut orders = self.lock();
        if let Some(waiting) = orders.get(&key) {
            return Reservation::Taken { digest: waiting.digest, answer: AnswerReceiver(waiting.answer.clone()) };
        }
        let (account, _) = key;
        let all = (account, IdempotencyKey([0; 16]))..=(account, IdempotencyKey([u8::MAX; 16]));
        if orders.range(all).count() >= account_max {
            return Reservation::NoneLeft;
        }
        let (sender, receiver) = watch::channel(None);
        orders.insert(key, Waiting { digest, answer: receiver.clone() });
        self.count.send_replace(orders.len());
        let reservation = KeyReservation { running: self.clone(), key, answer: sender };
        Reservation::Free { reservation, answer: AnswerReceiver(receiver) }
    }

    /// The number of running orders.
    pub(super) fn count(&self) -> usize {
        *self.count.borrow()
    }

    /// Waits until no order is running.
    pub(super) async fn until_none(&self) {
        // Fails only if the sender is gone; `self` holds it.
        let _ = self.count.subscribe().wait_for(|count| *count == 0).await;
    }

    /// Locks the table. No code panics while it holds the lock, so even the table of a poisoned lock is intact.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<OrderKey, Waiting>> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AnswerReceiver {
    /// Waits for the outcome. If the order panicked, it is unknown: [`PlacementAnswer::Unavailable`].
    pub(super) async fn wait(mut self) -> PlacementAnswer {
        match self.0.wait_for(Option::is_some).await {
            Ok(answer) => answer.clone().unwrap_or(PlacementAnswer::Unavailable),
            Err(_) => PlacementAnswer::Unavailable,
        }
    }
}

impl KeyReservation {
    /// Sends the outcome to all requests that wait for it, and frees the key.
    pub(super) fn answer(self, answer: PlacementAnswer) {
        self.answer.send_replace(Some(answer));
    }
}

impl Drop for KeyReservation {
    fn drop(&mut self) {
        let mut orders = self.running.lock();
        orders.remove(&self.key);
        self.running.count.send_replace(orders.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(account: i64, key: u8) -> OrderKey {
        (AccountId::bettor(account).unwrap(), IdempotencyKey([key; 16]))
    }

    #[tokio::test]
    async fn second_order_with_the_same_key_gets_the_answer_of_the_first() {
        let running = Running::default();
        let Reservation::Free { reservation, answer } = running.reserve(key(1, 1), [7; 32], 2) else {
            panic!("it is free")
        };
        let Reservation::Taken { digest, answer: second } = running.reserve(key(1, 1), [8; 32], 2) else {
            panic!("taken")
        };
        assert_eq!((digest, running.count()), ([7; 32], 1));
        reservation.answer(PlacementAnswer::Conflict);
        assert_eq!((answer.wait().await, second.wait().await), (PlacementAnswer::Conflict, PlacementAnswer::Conflict));
        assert!(matches!(running.reserve(key(1, 1), [8; 32], 2), Reservation::Free { .. }), "it is free again");
        running.until_none().await;
    }

    #[tokio::test]
    async fn panicked_order_answers_unavailable() {
        let running = Running::default();
        let Reservation::Free { reservation, answer } = running.reserve(key(1, 1), [7; 32], 1) else {
            panic!("it is free")
        };
        drop(reservation);
        assert_eq!(answer.wait().await, PlacementAnswer::Unavailable);
        assert_eq!(running.count(), 0);
    }

    #[test]
    fn running_orders_per_account_are_limited() {
        let running = Running::default();
        let first = running.reserve(key(1, 1), [0; 32], 2);
        let second = running.reserve(key(1, 2), [0; 32], 2);
        assert!(matches!(running.reserve(key(1, 3), [0; 32], 2), Reservation::NoneLeft));
        assert!(
            matches!(running.reserve(key(1, 2), [0; 32], 2), Reservation::Taken { .. }),
            "a waiting request takes no place"
        );
        assert!(
            matches!(running.reserve(key(2, 3), [0; 32], 2), Reservation::Free { .. }),
            "each account has its own limit"
        );
        drop((first, second));
    }
}
