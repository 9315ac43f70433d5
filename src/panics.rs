//! What is logged and counted when an actor or a task of the server panics: one structured event with its type, its id,
//! its sport and the text of the panic. The text comes from a hook, because the panic is noticed elsewhere. Must not
//! restart anything.

use kvota_domain::ids::SportId;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt::Display;
use std::panic::PanicHookInfo;
use std::sync::{Mutex, Once, PoisonError};

/// Different panics that are remembered as logged. Beyond that, they are logged again.
const LOGGED_MAX: usize = 1_024;

thread_local! {
    /// The text of the last panic of this thread.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

static LOGGED: Mutex<Option<HashSet<String>>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// From now on, panics are logged as structured events, each place once, instead of as text on the standard error.
pub(crate) fn log_panics() {
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let text = remember(panic);
            if is_new(format!("at {:?}", panic.location())) {
                let backtrace = std::backtrace::Backtrace::capture();
                tracing::error!(panic = text, %backtrace, "a panic: {text}");
            }
        }));
    });
}

/// From now on, the texts of panics are remembered for the events of actors that die.
#[cfg(feature = "testkit")]
pub fn remember_panics() {
    HOOK.call_once(|| {
        let former = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            remember(panic);
            former(panic);
        }));
    });
}

fn remember(panic: &PanicHookInfo<'_>) -> String {
    let said = panic.payload_as_str().unwrap_or("a panic without a text");
    let text = match panic.location() {
        Some(place) => format!("{said} ({place})"),
        None => said.to_owned(),
    };
    // The thread may be ending.
    let _ = LAST.try_with(|last| *last.borrow_mut() = Some(text.clone()));
    text
}

/// An actor or a task panicked on this thread. Counts it, and logs the same panic of the same actor once: `then` says what
/// happens next.
pub(crate) fn died(actor: &'static str, id: impl Display, sport: Option<SportId>, then: &str) {
    metrics::counter!("kvota_actor_restarts_total", "actor" => actor).increment(1);
    let text = LAST.with(|last| last.borrow_mut().take()).unwrap_or_else(|| "its panic is not known".to_owned());
    let (id, sport) = (id.to_string(), sport.map(|sport| sport.get()));
    if is_new(format!("{actor} {id}: {text}")) {
        tracing::error!(actor, actor.id = id, sport.id = sport, panic = text, "{actor} {id} died: {text}; {then}");
    } else {
        tracing::debug!(actor, actor.id = id, sport.id = sport, panic = text, "{actor} {id} died again");
    }
}

fn is_new(panic: String) -> bool {
    let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    let logged = logged.get_or_insert_default();
    if logged.len() >= LOGGED_MAX {
        logged.clear();
    }
    logged.insert(panic)
}
