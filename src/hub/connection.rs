//! The state of one client connection: what it watches in the rooms of its thread, and the messages that its session
//! sends to it. Called by the hub's actor and by the socket loop. It must not wait, and must not know how bytes become
//! WebSocket frames.

use crate::actors::session::CashOutValues;
use crate::actors::session::SessionHandle;
use crate::actors::session::inbox::{Answer, BetNews, SessionInbox, SessionOutput};
use crate::actors::session::session_actor::RequestKind;
use crate::betting::protection::Protections;
use crate::http::texts;
use crate::hub::admission::Permit;
use crate::hub::limits::{CONNECTION_BETS_EVERY_MS, OPEN_BETS_RETRY_MS, OPEN_BETS_RETRY_MS_MAX};
use crate::hub::open_bets::OpenBetsReads;
use crate::hub::outbox::{CLOSE_RESTART, Outbox};
use crate::hub::publisher_actor::LocalRooms;
use crate::hub::resync::{ResyncLimit, Turn};
use crate::hub::rooms::ConnectionId;
use bytes::Bytes;
use kvota_domain::bet::AccountId;
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::offer_event::FeedState;
use kvota_domain::session_state::SessionCommand;
use kvota_domain::ticket::TicketError;
use kvota_read_model::ReadModel;
use kvota_store::Stores;
use kvota_store::nodes::SharedLimits;
use kvota_wire::hub::command::{Sports, Watch};
use kvota_wire::hub::frame::frame_of;
use kvota_wire::hub::message::Message;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

/// At most this many matches are sent in answer to `resync null`; above it the client is asked to reload `GET
/// live/offer`.
const RESYNC_MATCHES_MAX: usize = 400;

/// The state of one connection.
pub(super) struct Connection {
    outbox: Rc<Outbox>,
    rooms: LocalRooms,
    model: Arc<ReadModel>,
    inbox: Arc<SessionInbox>,
    handle: SessionHandle,
    /// `None` once the connection has closed.
    permit: Option<Permit>,
    /// `None` until the connection has entered the rooms, and after it has closed.
    in_rooms: Option<ConnectionId>,
    watch: Watch,
    favourites: Arc<[MatchId]>,
    /// Watch commands, with their numbers, that wait until the session has handled the favourite commands sent before
    /// them.
    asked: VecDeque<(u64, Watch)>,
    /// New favourites. Their full state is sent after the frame that announces them.
    fresh: Vec<MatchId>,
    resyncs: ResyncLimit,
    shared_limits: Arc<dyn SharedLimits>,
    /// In a box, because most connections have no account.
    reader: Option<Box<StoreReader>>,
}

/// The reading of the open bets for one connection: one task at a time.
#[derive(Debug, Default)]
pub(super) struct BetsReading {
    is_running: Cell<bool>,
    /// The bets must be read again: the connection asked while they were being read.
    again: Cell<bool>,
    last: Cell<Option<Instant>>,
}

/// What the connection of an account reads from the store, and the reading that goes on.
#[derive(Clone)]
pub(super) struct StoreReader {
    pub(super) account: AccountId,
    pub(super) stores: Stores,
    pub(super) open_bets: OpenBetsReads,
    pub(super) protections: Protections,
    pub(super) values: CashOutValues,
    pub(super) reading: Rc<BetsReading>,
    /// Numbers of the commands that wait until the store knows the answer to the reality check. The command rate bounds
    /// their count.
    pub(super) continued: Rc<RefCell<Vec<u64>>>,
}

impl StoreReader {
    /// Sends the open bets and the money to `inbox`, again as long as that is wanted. Ends with the connection, and when it
    /// stops watching bets.
    async fn read_into(self: Box<Self>, inbox: Arc<SessionInbox>) {
        let (mut failures, reading) = (0, &self.reading);
        while reading.again.take() && !inbox.is_gone() && inbox.watches_bets() {
            if let Some(last) = reading.last.get() {
                sleep_until(last + Duration::from_millis(CONNECTION_BETS_EVERY_MS)).await;
            }
            reading.last.set(Some(Instant::now()));
            match self.open_bets.read(&self.stores, self.account).await {
                Ok(Some((bets, money))) => {
                    failures = 0;
                    inbox.send_bets(Arc::clone(&bets), money);
                    self.values.watch(self.account, &bets, &inbox);
                }
                // The account is unknown, so there is nothing to send.
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(account.id = %self.account, "cannot read the open bets for a connection: {error}");
                    let wait = (OPEN_BETS_RETRY_MS << failures.min(8)).min(OPEN_BETS_RETRY_MS_MAX);
                    failures += 1;
                    sleep(Duration::from_millis(wait)).await;
                    reading.again.set(true);
                }
            }
        }
        reading.is_running.set(false);
    }
}

impl Connection {
    pub(super) fn new(
        outbox: Rc<Outbox>,
        rooms: LocalRooms,
        inbox: Arc<SessionInbox>,
        handle: SessionHandle,
        permit: Permit,
        shared_limits: Arc<dyn SharedLimits>,
        reader: Option<StoreReader>,
    ) -> Connection {
        let watch = Watch { sports: Sports::Of(Vec::new()), favourites: false, matches: Vec::new(), bets: false };
        let favourites = Arc::default();
        Connection {
            model: outbox.model(),
            outbox,
            rooms,
            inbox,
            handle,
            permit: Some(permit),
            in_rooms: None,
            watch,
            favourites,
            asked: VecDeque::new(),
            fresh: Vec::new(),
            resyncs: ResyncLimit::default(),
            shared_limits,
            reader: reader.map(Box::new),
        }
    }

    /// Enters the rooms of this thread.
    pub(super) fn enter(&mut self) {
        self.in_rooms = Some(self.rooms.borrow_mut().enter(Rc::clone(&self.outbox)));
    }

    /// Leaves the rooms and the session, and releases the permit.
    pub(super) fn leave(&mut self) {
        if let Some(connection) = self.in_rooms.take() {
            self.rooms.borrow_mut().leave(connection);
        }
        self.handle.hang_up();
        self.permit = None;
    }

    /// Changes what the connection watches, and acknowledges it. If favourites are watched, earlier favourite commands
    /// may still be on their way to the session, so the change waits until the session has handled them.
    pub(super) fn watch(&mut self, n: u64, watch: Watch) {
        if !watch.favourites && self.asked.is_empty() {
            return self.apply_watch(n, watch);
        }
        self.asked.push_back((n, watch));
        self.send(RequestKind::Mark);
    }

    /// Whether the address of this connection may name so many sports and matches now.
    pub(super) fn may_watch(&self, watch: &Watch) -> bool {
        let sports = match &watch.sports {
            Sports::All => 0,
            Sports::Of(sports) => sports.len(),
        };
        let named = sports + watch.matches.len();
        self.permit.as_ref().is_none_or(|permit| permit.may_watch(named, Instant::now()))
    }

    /// Sends a command to the session, which answers it.
    pub(super) fn command(&self, n: u64, command: SessionCommand) {
        self.send(RequestKind::Command { n, command });
    }

    /// The bettor has seen the reality check. Acknowledged when the store knows it. Without a check that waits on this
    /// connection there is nothing to store.
    #[expect(clippy::disallowed_methods, reason = "ends when the store has answered")]
    pub(super) fn continue_after_check(&self, n: u64) {
        let Some(reader) = &self.reader else {
            return refuse_continuing(&self.outbox, n, "login_required", "errorLoginRequired");
        };
        if !self.inbox.has_check() {
            return self.outbox.reply(&[Message::Ack { n }]);
        }
        reader.continued.borrow_mut().push(n);
        if reader.continued.borrow().len() > 1 {
            return;
        }
        let (protections, session) = (reader.protections.clone(), self.inbox.session());
        let (outbox, continued) = (Rc::clone(&self.outbox), Rc::clone(&reader.continued));
        actix::spawn(async move {
            let answered = protections.answer_check(session).await;
            for n in continued.take() {
                match &answered {
                    Ok(true) => outbox.reply(&[Message::Ack { n }]),
                    Ok(false) => refuse_continuing(&outbox, n, "login_required", "errorLoginRequired"),
                    Err(_) => refuse_continuing(&outbox, n, "unavailable", "errorUnavailable"),
                }
            }
            if let Err(error) = answered {
                tracing::warn!("the answer to a reality check could not be stored: {error}");
            }
        });
    }

    fn send(&self, kind: RequestKind) {
        if self.handle.send(kind).is_err() {
            self.outbox.close(CLOSE_RESTART);
        }
    }

    fn apply_watch(&mut self, n: u64, watch: Watch) {
        self.watch = watch;
        self.update_rooms();
        self.outbox.reply(&[Message::Ack { n }]);
        let watched_before = self.inbox.watch_bets(self.watch.bets && self.reader.is_some());
        if self.watch.bets && !watched_before {
            self.read_bets();
        }
    }

    /// Reads the open bets in the background. The inbox collects changes already, so none is lost meanwhile.
    #[expect(clippy::disallowed_methods, reason = "ends when the store has answered or the connection is closed")]
    fn read_bets(&self) {
        let Some(reader) = &self.reader else { return };
        reader.reading.again.set(true);
        if !reader.reading.is_running.replace(true) {
            actix::spawn(reader.clone().read_into(Arc::clone(&self.inbox)));
        }
    }

    fn update_rooms(&mut self) {
        if let Some(connection) = self.in_rooms {
            self.rooms.borrow_mut().watch(connection, &self.watch, &self.favourites);
        }
    }

    /// The next frame from the session. `None` if there is nothing to send; `waker` is then woken when there is. In a
    /// frame, answers follow the state they refer to.
    pub(super) fn poll(&mut self, waker: &Waker) -> Option<Bytes> {
        for id in std::mem::take(&mut self.fresh) {
            self.resync(id);
        }
        // Nothing may follow the close frame.
        while !self.outbox.is_ending() {
            let output = self.inbox.take(waker)?;
            let SessionOutput { ticket, favourites, bets, answers, is_over, .. } = output;
            let mut messages: Vec<Message> = ticket.into_iter().map(Message::Ticket).collect();
            if let Some(favourites) = favourites {
                messages.push(Message::Favourites(Arc::clone(&favourites)));
                self.follow(favourites);
            }
            messages.extend(self.news_of(bets));
            messages.extend(output.reality_check.map(Message::RealityCheck));
            messages.extend(output.is_account_changed.then_some(Message::AccountChanged));
            messages.extend(output.session_end.map(Message::SessionEnd));
            messages.extend(answers.into_iter().filter_map(|answer| self.answer(answer)));
            if is_over {
                self.outbox.close(CLOSE_RESTART);
            }
            if !messages.is_empty() {
                return Some(frame_of(&messages, self.outbox.lang(), self.outbox.encoding()));
            }
        }
        None
    }

    /// The messages about bets. A client that stopped watching them gets none.
    fn news_of(&self, BetNews { all, changes, money, values, is_incomplete }: BetNews) -> Vec<Message> {
        if !self.watch.bets {
            return Vec::new();
        }
        if is_incomplete {
            self.read_bets();
        }
        let all = all.into_iter().map(Message::Bets);
        let values = (!values.is_empty()).then(|| Message::CashOutValues(values.into_iter().collect()));
        all.chain(changes.into_iter().map(Message::Bet)).chain(money.map(Message::Money)).chain(values).collect()
    }

    /// Stores the new favourites. If favourites are watched, the full state of those just added is sent later.
    fn follow(&mut self, favourites: Arc<[MatchId]>) {
        let before = std::mem::replace(&mut self.favourites, favourites);
        if !self.watch.favourites {
            return;
        }
        self.update_rooms();
        let fresh = self.favourites.iter().filter(|id| before.binary_search(id).is_err());
        self.fresh.extend(fresh);
    }

    fn answer(&mut self, answer: Answer) -> Option<Message> {
        match answer {
            Answer::Command { n, outcome: Ok(()) } => Some(Message::Ack { n }),
            Answer::Command { n, outcome: Err(error) } => {
                let code = error.code();
                metrics::counter!("kvota_commands_refused_total", "code" => code).increment(1);
                let text = texts::text(self.outbox.lang(), key_of(error), &[]).into();
                Some(Message::Refused { n: Some(n), code, text })
            }
            Answer::Mark => {
                let (n, watch) = self.asked.pop_front()?;
                self.apply_watch(n, watch);
                None
            }
        }
    }

    /// Sends the full state of a match.
    pub(super) fn resync(&self, id: MatchId) {
        self.outbox.send_match(id, self.watch.matches.contains(&id));
    }

    /// Handles `resync null`. Returns a delay if the answer must wait; the caller then calls [`Connection::resync_all`]
    /// after it.
    pub(super) fn request_resync_all(&mut self, n: u64) -> Option<Duration> {
        match self.resyncs.ask(n, Instant::now()) {
            Turn::Now => {
                self.resync_all();
                None
            }
            Turn::After(wait) => Some(wait),
            Turn::Together => None,
        }
    }

    /// Answers all waiting `resync null` commands at once.
    pub(super) fn resync_all(&mut self) {
        self.send_all_watched();
        let acks: Vec<Message> =
            self.resyncs.answered(Instant::now()).into_iter().map(|n| Message::Ack { n }).collect();
        self.outbox.reply(&acks);
    }

    /// Sends the full state of everything that is watched, in one frame. If there are too many matches, asks the client
    /// to reload over HTTP, which is cheaper.
    fn send_all_watched(&self) {
        let feed = self.model.feed_state(self.outbox.lang());
        let mut head = vec![Message::Feed(feed)];
        if feed == FeedState::Inactive {
            return self.outbox.reply(&head);
        }
        let is_watched = |id: SportId| match &self.watch.sports {
            Sports::All => true,
            Sports::Of(watched) => watched.binary_search(&id).is_ok(),
        };
        let favourites = if self.watch.favourites { &self.favourites[..] } else { &[] };
        let mut by_sport: BTreeMap<SportId, Vec<MatchId>> = BTreeMap::new();
        for entry in self.model.entries() {
            let live_match = &entry.state.live_match;
            if is_watched(live_match.sport_id) {
                by_sport.entry(live_match.sport_id).or_default().push(live_match.id);
            }
        }
        let count = by_sport.values().map(Vec::len).sum::<usize>() + favourites.len();
        // With several nodes, the next GET may come from another one, which has no base for the changes of this one.
        let is_cheaper_by_http = count > RESYNC_MATCHES_MAX && !self.shared_limits.has_other_nodes();
        if is_cheaper_by_http || self.outbox.is_catching_up() {
            head.push(Message::Reload);
            return self.outbox.reply(&head);
        }
        let known = self.rooms.borrow().all_known_sports();
        let removed = known.into_iter().filter(|id| is_watched(*id) && self.model.sport(*id).is_none());
        head.extend(removed.map(Message::SportRemoved));
        let mut sports = self.model.sports();
        sports.retain(|sport| is_watched(sport.primary().id));
        // A fixed order, so that the same state gives the same bytes.
        sports.sort_unstable_by_key(|sport| (sport.primary().order, sport.primary().id));
        let mut rows = Vec::with_capacity(count);
        for sport in sports {
            let mut matches = by_sport.remove(&sport.primary().id).unwrap_or_default();
            matches.sort_unstable();
            rows.extend_from_slice(&matches);
            head.push(Message::WholeSport(sport, matches));
        }
        rows.extend_from_slice(favourites);
        self.outbox.send_matches(&head, &rows, &self.watch.matches);
    }
}

/// Also runs for a connection that never completed its handshake.
impl Drop for Connection {
    fn drop(&mut self) {
        self.inbox.hang_up();
    }
}

fn refuse_continuing(outbox: &Outbox, n: u64, code: &'static str, key: &'static str) {
    let text = texts::text(outbox.lang(), key, &[]).into();
    outbox.reply(&[Message::Refused { n: Some(n), code, text }]);
}

/// The translation key for a rejected command.
fn key_of(error: TicketError) -> &'static str {
    match error {
        TicketError::UnknownMatch => "commandUnknownMatch",
        TicketError::UnknownMarket => "commandUnknownMarket",
        TicketError::UnknownOdd => "commandUnknownOdd",
        TicketError::NotOffered => "commandNotOffered",
        TicketError::TooManyPairs => "commandTooManyPairs",
        TicketError::NotOnTicket => "commandNotOnTicket",
        TicketError::NoSuchCombination => "commandNoSuchCombination",
        TicketError::TooManyFavourites => "commandTooManyFavourites",
        TicketError::WrongArguments => "commandWrongArguments",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::lang::Lang;

    #[test]
    fn every_rejected_command_has_a_text_in_every_language() {
        for error in TicketError::ALL {
            for lang in Lang::ALL {
                assert_ne!(texts::text(lang, key_of(error), &[]), key_of(error), "{lang:?}");
            }
        }
    }
}
