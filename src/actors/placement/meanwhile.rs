//! What happens to a ticket while it waits: noted as it happens, for what stops and goes on again refuses the bet like
//! what stops for good (CONTRACT 4, *In-play delay*). Made by the placement, told by the read model; must never wait.

use crate::domain::ids::MatchId;
use crate::domain::ticket::{Checked, Refusal, judge_meanwhile};
use crate::read_model::{Look, Witness};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Looks on for one bet.
pub(super) struct Meanwhile {
    checked: Checked,
    refusal: Mutex<Option<Refusal>>,
}

impl Meanwhile {
    /// Nothing has happened yet.
    pub(super) fn of(checked: Checked) -> Meanwhile {
        Meanwhile { checked, refusal: Mutex::default() }
    }

    /// The first thing that refuses the bet, if anything did.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Refusal>> {
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Witness for Meanwhile {
    fn saw(&self, what: Option<MatchId>, look: &Look) {
        // The first refusal counts: whatever comes after it need not be judged.
        if self.refusal().is_some() {
            return;
        }
        if let Err(refusal) = judge_meanwhile(&self.checked, what, look) {
            self.lock().get_or_insert(refusal);
        }
    }
}
