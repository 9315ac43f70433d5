//! All stores of one installation in one hand, and how they are come by. Called by the composition and by tests.

use super::{AccountStore, BetStore, SessionStore, StoreCare, StoreError};
use std::sync::Arc;

/// The stores of an installation; a clone shares them.
#[derive(Clone)]
pub struct Stores {
    /// Accounts, their money, and who is logged in.
    pub accounts: Arc<dyn AccountStore>,
    /// Bets and their keys.
    pub bets: Arc<dyn BetStore>,
    /// Saved tickets and favourites.
    pub sessions: Arc<dyn SessionStore>,
    care: Arc<dyn StoreCare>,
}

impl Stores {
    /// One database behind all ports.
    pub fn over<S: AccountStore + BetStore + SessionStore + StoreCare>(store: S) -> Stores {
        let store = Arc::new(store);
        Stores { accounts: store.clone(), bets: store.clone(), sessions: store.clone(), care: store }
    }

    /// Whether the store can be reached and written to.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.care.ping().await
    }

    /// Ends what runs for the store; what was accepted before is done.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.care.close().await
    }
}
