//! What one connection has not been told of its session yet: one slot a kind, in which the newest takes the place of
//! what waited. So a client that reads nothing costs one ticket, and nothing of a session ever waits in a mailbox of a
//! connection. Filled by the session's actor on its thread, emptied by the connection on its own when its socket has
//! room.

use crate::domain::ids::MatchId;
use crate::domain::lang::Lang;
use crate::domain::session::SessionId;
use crate::domain::ticket::TicketError;
use crate::wire::hub::ticket::TicketInfo;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

/// The end of a connection's line to its session.
#[derive(Debug)]
pub struct Tap {
    session: SessionId,
    lang: Lang,
    is_joined: AtomicBool,
    slot: Mutex<Slot>,
}

#[derive(Debug, Default)]
struct Slot {
    told: Told,
    waker: Option<Waker>,
    is_gone: bool,
}

/// What a connection has to be told, in this order.
#[derive(Debug, Default)]
pub struct Told {
    /// The ticket as it is.
    pub ticket: Option<Arc<TicketInfo>>,
    /// The favourites as they are.
    pub favourites: Option<Arc<[MatchId]>>,
    /// What came of the connection's commands. As many as a client sends while it reads nothing: it is closed after
    /// 30 s of that.
    pub answers: Vec<Answer>,
    /// The connection is to be ended: its session is another one now, or died.
    pub is_over: bool,
}

/// What came of something a connection asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A command: done, or why not.
    Command {
        /// The command's number.
        n: u64,
        /// What came of it.
        outcome: Result<(), TicketError>,
    },
    /// All that was asked for before is done, and told above.
    Mark,
}

impl Told {
    fn is_empty(&self) -> bool {
        self.ticket.is_none() && self.favourites.is_none() && self.answers.is_empty() && !self.is_over
    }
}

impl Tap {
    /// The line of a connection that came with a session's cookie, in a language.
    pub fn new(session: SessionId, lang: Lang) -> Tap {
        Tap { session, lang, is_joined: AtomicBool::new(false), slot: Mutex::default() }
    }

    /// The session of the connection's cookie, which is not whose ticket it is once somebody has logged in.
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// The connection's language.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// Whether a session notifies the connection.
    pub fn is_joined(&self) -> bool {
        self.is_joined.load(Ordering::Acquire)
    }

    /// A session notifies the connection from now on. Returns whether none did before.
    pub(super) fn join(&self) -> bool {
        !self.is_joined.swap(true, Ordering::AcqRel)
    }

    /// Takes what waits; nothing: `waker` is woken when there is something.
    pub fn take(&self, waker: &Waker) -> Option<Told> {
        let mut slot = self.lock();
        if !slot.told.is_empty() {
            return Some(std::mem::take(&mut slot.told));
        }
        if !slot.waker.as_ref().is_some_and(|held| held.will_wake(waker)) {
            slot.waker = Some(waker.clone());
        }
        None
    }

    /// The connection is gone: nothing is kept for it any more.
    pub fn hang_up(&self) {
        *self.lock() = Slot { is_gone: true, ..Slot::default() };
    }

    /// Whether the connection is gone.
    pub fn is_gone(&self) -> bool {
        self.lock().is_gone
    }

    /// Puts the ticket in, in the place of one that waits.
    pub fn tell_ticket(&self, ticket: Arc<TicketInfo>) {
        self.tell(|told| told.ticket = Some(ticket));
    }

    /// Puts the favourites in, in the place of those that wait.
    pub fn tell_favourites(&self, favourites: Arc<[MatchId]>) {
        self.tell(|told| told.favourites = Some(favourites));
    }

    /// Answers something the connection asked for.
    pub fn answer(&self, answer: Answer) {
        self.tell(|told| told.answers.push(answer));
    }

    /// Has the connection ended, after what waits.
    pub fn end(&self) {
        self.tell(|told| told.is_over = true);
    }

    fn tell(&self, put: impl FnOnce(&mut Told)) {
        let waker = {
            let mut slot = self.lock();
            if slot.is_gone {
                return;
            }
            put(&mut slot.told);
            slot.waker.take()
        };
        // Outside the lock: whoever is woken comes for it.
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Nothing panics while it is held, so a poisoned lock holds nothing broken.
    fn lock(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::task::Wake;

    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn tap() -> Tap {
        Tap::new(SessionId::from_bytes([1; 16]), Lang::Hr)
    }

    fn ids(number: u64) -> Arc<[MatchId]> {
        [MatchId::new(number).unwrap()].into()
    }

    #[test]
    fn the_newest_takes_the_place_of_what_waits_and_answers_keep_their_order() {
        let tap = tap();
        let done = |n| Answer::Command { n, outcome: Ok(()) };
        tap.tell_favourites(ids(1));
        tap.answer(done(1));
        tap.tell_favourites(ids(2));
        tap.answer(done(2));
        let told = tap.take(Waker::noop()).unwrap();
        assert_eq!(told.favourites, Some(ids(2)));
        assert_eq!(told.answers, [done(1), done(2)]);
        assert!(tap.take(Waker::noop()).is_none());
    }

    #[test]
    fn whoever_found_nothing_is_woken_once() {
        let (tap, count) = (tap(), Arc::new(Count(AtomicUsize::new(0))));
        let waker = Waker::from(Arc::clone(&count));
        assert!(tap.take(&waker).is_none());
        tap.tell_favourites(ids(1));
        tap.tell_favourites(ids(2));
        assert_eq!(count.0.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn nothing_is_kept_for_a_connection_that_is_gone() {
        let tap = tap();
        tap.tell_favourites(ids(1));
        tap.hang_up();
        tap.end();
        assert!(tap.is_gone() && tap.take(Waker::noop()).is_none());
    }
}
