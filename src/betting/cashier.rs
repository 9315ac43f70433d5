//! Deposits and withdrawals at kvota's own cashier (CONTRACT 9). The demo cashier pays at once: no money leaves or enters
//! the installation. Must not pay anything if the cashier is off.

use crate::betting::bet_events::BetEvents;
use kvota_store::{CashierStore, Paid, Payment, PaymentKind, StoreError};
use std::fmt;
use std::sync::Arc;

/// The configured cashier (`wallet.cashier`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CashierKind {
    /// No payments.
    #[default]
    None,
    /// Pays at once.
    Demo,
}

impl CashierKind {
    /// Its name in the configuration and in `live/user-status`.
    pub const fn code(self) -> &'static str {
        match self {
            CashierKind::None => "none",
            CashierKind::Demo => "demo",
        }
    }
}

/// Pays money in and out. Clones share everything.
#[derive(Clone)]
pub struct Cashier {
    kind: CashierKind,
    store: Arc<dyn CashierStore>,
    events: BetEvents,
}

impl Cashier {
    /// Payments are published to `events`.
    pub fn new(kind: CashierKind, store: Arc<dyn CashierStore>, events: BetEvents) -> Cashier {
        Cashier { kind, store, events }
    }

    /// The configured kind.
    pub fn kind(&self) -> CashierKind {
        self.kind
    }

    /// Books a payment and publishes the new balance; `None` if the cashier is off.
    ///
    /// # Errors
    /// The store failed.
    pub async fn pay(&self, payment: Payment) -> Result<Option<Paid>, StoreError> {
        if self.kind == CashierKind::None {
            return Ok(None);
        }
        let (account, amount) = (payment.account, payment.amount);
        let kind = match payment.kind {
            PaymentKind::Deposit => "deposit",
            PaymentKind::Withdrawal => "withdrawal",
        };
        let paid = self.store.pay(payment).await?;
        if let Paid::Paid { money, .. } = &paid {
            self.events.publish_money(account, *money);
            metrics::counter!("kvota_payments_total", "kind" => kind).increment(1);
            tracing::info!(account.id = %account, "{kind} of {amount} booked");
        }
        Ok(Some(paid))
    }
}

impl fmt::Debug for Cashier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cashier").field("kind", &self.kind).finish_non_exhaustive()
    }
}
