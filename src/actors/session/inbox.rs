//! The session inbox of one connection: what its session has sent and the connection has not read yet. A newer ticket
//! replaces the waiting one, and so do favourites. So a client that reads nothing costs one ticket, and no actor
//! mailbox fills up.
//!
//! Written by the session actor on its thread. Read by the connection on its own thread, when the socket has room.

use kvota_domain::bet::{AccountMoney, BetChange, BetEvent, CashOutOffer, StoredBet, TicketId};
use kvota_domain::ids::MatchId;
use kvota_domain::lang::Lang;
use kvota_domain::protection::{RealityCheck, SessionEnd};
use kvota_domain::session::SessionId;
use kvota_domain::ticket::TicketError;
use kvota_wire::hub::ticket::TicketInfo;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use tokio::sync::Notify;

/// Changes of bets that wait for one connection.
const BET_CHANGES_WAITING_MAX: usize = 256;

/// The session inbox of one connection.
#[derive(Debug)]
pub struct SessionInbox {
    session: SessionId,
    lang: Lang,
    has_session: AtomicBool,
    watches_bets: AtomicBool,
    /// Whether a task follows the login of the connection.
    follows_login: AtomicBool,
    /// Whether that task must read the login again.
    login_changed: AtomicBool,
    /// Wakes that task.
    login_news: Notify,
    slot: Mutex<InboxSlot>,
}

#[derive(Debug, Default)]
struct InboxSlot {
    output: SessionOutput,
    waker: Option<Waker>,
    is_gone: bool,
    /// Whether the last reality check that was sent waits for an answer.
    has_check: bool,
}

/// The content of an inbox. The connection sends the fields in this order.
#[derive(Debug, Default)]
pub struct SessionOutput {
    /// The newest ticket.
    pub ticket: Option<Arc<TicketInfo>>,
    /// The newest favourites.
    pub favourites: Option<Arc<[MatchId]>>,
    /// News of the account's bets, if the connection watches them.
    pub bets: BetNews,
    /// The newest reality check; `Some(None)` if it is answered.
    pub reality_check: Option<Option<RealityCheck>>,
    /// The login ends by its limit, soon or now.
    pub session_end: Option<SessionEnd>,
    /// The limits, the exclusion or the logins of the account changed.
    pub is_account_changed: bool,
    /// Answers to the requests of the connection, in their order. Bounded by the command rate: a client that reads
    /// nothing is closed after 30 s.
    pub answers: Vec<Answer>,
    /// The connection must be closed: its cookie belongs to another session now, or the session panicked.
    pub is_over: bool,
}

/// Bets of the account that the connection has not sent yet.
#[derive(Debug, Default)]
pub struct BetNews {
    /// All open bets.
    pub all: Option<Arc<[StoredBet]>>,
    /// What changed, oldest first. Of several about one bet the one with the highest revision counts.
    pub changes: Vec<BetChange>,
    /// The newest money of the account.
    pub money: Option<AccountMoney>,
    /// The newest cash-out values of open bets, after the bets themselves.
    pub values: BTreeMap<TicketId, CashOutOffer>,
    /// Changes were dropped, so all open bets must be read again.
    pub is_incomplete: bool,
}

impl BetNews {
    fn is_empty(&self) -> bool {
        self.all.is_none()
            && self.changes.is_empty()
            && self.money.is_none()
            && self.values.is_empty()
            && !self.is_incomplete
    }

    fn add_money(&mut self, money: AccountMoney) {
        if self.money.is_none_or(|held| held.revision <= money.revision) {
            self.money = Some(money);
        }
    }
}

/// The answer to one request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The result of a command.
    Command {
        /// The sequence number of the command.
        n: u64,
        /// Done and saved, or the reason why not.
        outcome: Result<(), TicketError>,
    },
    /// All earlier requests are applied, and their results are in this inbox before this answer.
    Mark,
}

impl SessionOutput {
    fn is_empty(&self) -> bool {
        self.ticket.is_none()
            && self.favourites.is_none()
            && self.bets.is_empty()
            && self.reality_check.is_none()
            && self.session_end.is_none()
            && !self.is_account_changed
            && self.answers.is_empty()
            && !self.is_over
    }
}

impl SessionInbox {
    /// The empty inbox of a connection with this session cookie and language.
    pub fn new(session: SessionId, lang: Lang) -> SessionInbox {
        SessionInbox {
            session,
            lang,
            has_session: AtomicBool::new(false),
            watches_bets: AtomicBool::new(false),
            follows_login: AtomicBool::new(false),
            login_changed: AtomicBool::new(false),
            login_news: Notify::new(),
            slot: Mutex::default(),
        }
    }

    /// The session id of the cookie. After a login the owner of the ticket is the account, not this session.
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// The connection's language.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// Whether the inbox belongs to a live session.
    pub fn has_session(&self) -> bool {
        self.has_session.load(Ordering::Acquire)
    }

    /// Marks the inbox as used by a session. Returns whether it was unused before.
    pub(super) fn join(&self) -> bool {
        !self.has_session.swap(true, Ordering::AcqRel)
    }

    /// Takes the content. `None` if it is empty; then `waker` is woken when something arrives.
    pub fn take(&self, waker: &Waker) -> Option<SessionOutput> {
        let mut slot = self.lock();
        if !slot.output.is_empty() {
            return Some(std::mem::take(&mut slot.output));
        }
        if !slot.waker.as_ref().is_some_and(|held| held.will_wake(waker)) {
            slot.waker = Some(waker.clone());
        }
        None
    }

    /// The connection is closed: drops the content and ignores all that arrives later.
    pub fn hang_up(&self) {
        *self.lock() = InboxSlot { is_gone: true, ..InboxSlot::default() };
        self.login_news.notify_one();
    }

    /// Whether the connection is closed.
    pub fn is_gone(&self) -> bool {
        self.lock().is_gone
    }

    /// Sends a ticket. Replaces one that waits.
    pub fn send_ticket(&self, ticket: Arc<TicketInfo>) {
        self.put(|output| output.ticket = Some(ticket));
    }

    /// Sends the favourites. Replaces those that wait.
    pub fn send_favourites(&self, favourites: Arc<[MatchId]>) {
        self.put(|output| output.favourites = Some(favourites));
    }

    /// Whether changes of bets are sent from now on. Returns whether they were before.
    pub fn watch_bets(&self, watches: bool) -> bool {
        self.watches_bets.swap(watches, Ordering::AcqRel)
    }

    /// Sends all open bets and the money of the account. Replaces those that wait; changes that wait are kept, because
    /// they may be newer.
    pub fn send_bets(&self, all: Arc<[StoredBet]>, money: AccountMoney) {
        self.put(|output| {
            output.bets.all = Some(all);
            output.bets.add_money(money);
        });
    }

    /// The login of this connection, or its limits, may have changed. Returns whether the caller must start a task that
    /// follows it; otherwise the task that does is woken.
    pub(super) fn note_login_change(&self) -> bool {
        self.login_changed.store(true, Ordering::Release);
        self.login_news.notify_one();
        !self.follows_login.swap(true, Ordering::AcqRel)
    }

    /// Whether the login changed since the last call.
    pub(super) fn take_login_change(&self) -> bool {
        self.login_changed.swap(false, Ordering::AcqRel)
    }

    /// Waits until the login changes or the connection is closed.
    pub(super) async fn login_news(&self) {
        self.login_news.notified().await;
    }

    /// The task that follows the login ends. Returns whether it must go on, because the login changed meanwhile.
    pub(super) fn stop_following_login(&self) -> bool {
        self.follows_login.store(false, Ordering::Release);
        self.login_changed.load(Ordering::Acquire)
            && !self.is_gone()
            && !self.follows_login.swap(true, Ordering::AcqRel)
    }

    /// Sends a reality check, or that none waits any more.
    pub(super) fn send_reality_check(&self, check: Option<RealityCheck>) {
        let has_check = check.is_some();
        if std::mem::replace(&mut self.lock().has_check, has_check) || has_check {
            self.put(|output| output.reality_check = Some(check));
        }
    }

    /// Whether a reality check that was sent waits for an answer.
    pub fn has_check(&self) -> bool {
        self.lock().has_check
    }

    /// Sends that the login ends by its limit. Replaces one that waits.
    pub(super) fn send_session_end(&self, end: SessionEnd) {
        self.put(|output| output.session_end = Some(end));
    }

    /// Sends that the limits, the exclusion or the logins of the account changed.
    pub(super) fn send_account_changed(&self) {
        self.put(|output| output.is_account_changed = true);
    }

    /// Sends the money of the account, if the connection watches bets.
    pub fn send_money(&self, money: AccountMoney) {
        if self.watches_bets() {
            self.put(|output| output.bets.add_money(money));
        }
    }

    /// Sends what happened to a bet, if the connection watches bets. A client that reads nothing costs at most
    /// `BET_CHANGES_WAITING_MAX` changes; beyond that all open bets are read again.
    pub fn send_bet(&self, event: &BetEvent) {
        if !self.watches_bets() {
            return;
        }
        self.put(|output| {
            output.bets.add_money(event.money);
            if output.bets.changes.len() >= BET_CHANGES_WAITING_MAX {
                output.bets.changes.clear();
                output.bets.is_incomplete = true;
            }
            if !output.bets.is_incomplete {
                output.bets.changes.push(event.change.clone());
            }
        });
    }

    /// Sends cash-out values of open bets. Replaces waiting ones of the same bets, so a client that reads nothing costs one
    /// value for each open bet.
    pub(super) fn send_cash_out_values(&self, values: impl Iterator<Item = (TicketId, CashOutOffer)>) {
        let mut values = values.peekable();
        if values.peek().is_some() {
            self.put(|output| output.bets.values.extend(values));
        }
    }

    /// Bets may have changed without an event: all open bets are read again, if the connection watches bets.
    pub(super) fn read_bets_again(&self) {
        if self.watches_bets() {
            self.put(|output| output.bets.is_incomplete = true);
        }
    }

    /// Whether the connection watches the bets of its account.
    pub fn watches_bets(&self) -> bool {
        self.watches_bets.load(Ordering::Acquire)
    }

    /// Sends the answer to a request.
    pub fn answer(&self, answer: Answer) {
        self.put(|output| output.answers.push(answer));
    }

    /// Makes the connection close after it has sent the waiting content.
    pub fn end(&self) {
        self.put(|output| output.is_over = true);
    }

    fn put(&self, put: impl FnOnce(&mut SessionOutput)) {
        let waker = {
            let mut slot = self.lock();
            if slot.is_gone {
                return;
            }
            put(&mut slot.output);
            slot.waker.take()
        };
        // Outside the lock, because the woken task locks it.
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// No code panics while it holds the lock, so the content of a poisoned lock is intact.
    fn lock(&self) -> MutexGuard<'_, InboxSlot> {
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

    fn inbox() -> SessionInbox {
        SessionInbox::new(SessionId::from_bytes([1; 16]), Lang::Hr)
    }

    fn ids(number: u64) -> Arc<[MatchId]> {
        [MatchId::new(number).unwrap()].into()
    }

    #[test]
    fn newer_output_replaces_waiting_output_and_answers_keep_their_order() {
        let inbox = inbox();
        let done = |n| Answer::Command { n, outcome: Ok(()) };
        inbox.send_favourites(ids(1));
        inbox.answer(done(1));
        inbox.send_favourites(ids(2));
        inbox.answer(done(2));
        let output = inbox.take(Waker::noop()).unwrap();
        assert_eq!(output.favourites, Some(ids(2)));
        assert_eq!(output.answers, [done(1), done(2)]);
        assert!(inbox.take(Waker::noop()).is_none());
    }

    #[test]
    fn reader_of_an_empty_inbox_is_woken_once() {
        let (inbox, count) = (inbox(), Arc::new(Count(AtomicUsize::new(0))));
        let waker = Waker::from(Arc::clone(&count));
        assert!(inbox.take(&waker).is_none());
        inbox.send_favourites(ids(1));
        inbox.send_favourites(ids(2));
        assert_eq!(count.0.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn closed_inbox_stores_nothing() {
        let inbox = inbox();
        inbox.send_favourites(ids(1));
        inbox.hang_up();
        inbox.end();
        assert!(inbox.is_gone() && inbox.take(Waker::noop()).is_none());
    }
}
