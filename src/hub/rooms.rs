//! Rooms: the connections of one worker thread, grouped by what they watch. Connections with the same language,
//! encoding and watch set share a room, and one frame is built per room.
//!
//! Used by the publisher, which delivers events, and by the connections of the thread. Must not be shared with another
//! thread.

use super::checksums::Checksums;
use super::encode::{HubUpdate, Scope, UpdateBatch};
use super::flush_schedule::{FlushSchedule, Priority, RoomId};
use super::outbox::Outbox;
use bytes::Bytes;
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::offer_event::{FeedState, OfferEvent};
use kvota_read_model::ReadModel;
use kvota_wire::Encoding;
use kvota_wire::hub::command::{Sports, Watch};
use kvota_wire::hub::fragment::Fragment;
use kvota_wire::hub::frame::compose;
use kvota_wire::hub::message::Message;
use slab::Slab;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Socket writes after which [`Rooms::flush_some`] returns to let other tasks run. One write takes a few microseconds.
const WRITES_PER_TURN_MAX: usize = 500;

/// The number of connections for which memory is prefetched before any of them is written to.
const PREFETCH_BATCH: usize = 16;

/// Identifies a connection of this worker until it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectionId(usize);

/// All rooms of a worker. A connection stores its room and its index in the room, and a member stores its connection.
/// So joining, changing and leaving a room take constant time.
#[derive(Debug)]
pub struct Rooms {
    model: Arc<ReadModel>,
    rooms: Slab<Room>,
    by_key: HashMap<RoomKey, RoomId>,
    by_sport: HashMap<SportId, HashSet<RoomId>>,
    by_match: HashMap<MatchId, HashSet<RoomId>>,
    /// Rooms that watch only the row of a match, as a favourite.
    by_row: HashMap<MatchId, HashSet<RoomId>>,
    all_sports: HashSet<RoomId>,
    schedule: FlushSchedule,
    /// All connections. One that watches nothing yet has no room, but is pinged and closed like the others.
    connections: Slab<RoomMember>,
    checksums: Checksums,
}

/// Everything that determines which bytes a connection receives. Connections with the same key share a room.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct RoomKey {
    lang: Lang,
    encoding: Encoding,
    sports: Sports,
    /// Matches of which only the row is sent: favourites.
    rows: Vec<MatchId>,
    /// Matches of which the row and the detail are sent.
    matches: Vec<MatchId>,
}

/// A connection of this worker.
#[derive(Debug)]
struct RoomMember {
    outbox: Rc<Outbox>,
    slot: Option<RoomSlot>,
}

/// The slot of a connection: its room and its index among the members.
#[derive(Clone, Copy, Debug)]
struct RoomSlot {
    room: RoomId,
    index: usize,
}

/// A connection in its room. Has its own pointer to the outbox, because the frames of a room are written in one pass.
#[derive(Debug)]
struct Member {
    outbox: Rc<Outbox>,
    connection: usize,
}

/// A room: the connections with the same key.
#[derive(Debug)]
struct Room {
    key: RoomKey,
    members: Vec<Member>,
    /// Events for the next frame, in order.
    pending: Vec<UpdateRef>,
    /// Whether the next frame also carries checksums.
    is_check_due: bool,
}

/// One message of a batch. The batch is shared with the other rooms.
#[derive(Clone, Debug)]
struct UpdateRef {
    batch: UpdateBatch,
    index: usize,
}

impl UpdateRef {
    fn update(&self) -> &HubUpdate {
        &self.batch.updates()[self.index]
    }
}

/// Counters for metrics and tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    /// Connections of this worker.
    pub connections: usize,
    /// Rooms with at least one connection.
    pub rooms: usize,
    /// Bytes queued in all outboxes.
    pub queued_bytes: usize,
}

impl Rooms {
    /// No rooms yet. `gather` is how long a room may gather changes before it sends.
    pub fn new(model: Arc<ReadModel>, gather: Duration) -> Rooms {
        let mut checksums = Checksums::default();
        checksums.read(&model);
        Rooms {
            model,
            rooms: Slab::new(),
            by_key: HashMap::new(),
            by_sport: HashMap::new(),
            by_match: HashMap::new(),
            by_row: HashMap::new(),
            all_sports: HashSet::new(),
            schedule: FlushSchedule::new(gather),
            connections: Slab::new(),
            checksums,
        }
    }

    /// Adds a connection. It watches nothing yet.
    pub fn enter(&mut self, outbox: Rc<Outbox>) -> ConnectionId {
        ConnectionId(self.connections.insert(RoomMember { outbox, slot: None }))
    }

    /// Removes a connection.
    pub fn leave(&mut self, ConnectionId(id): ConnectionId) {
        if let Some(slot) = self.connections.try_remove(id).and_then(|connection| connection.slot) {
            self.leave_room(slot);
        }
    }

    /// Sets what a connection watches. `favourites` are those of its session, used if `watch` includes favourites.
    ///
    /// Pending changes of its former room are sent to this connection first, because it may still watch the same match.
    /// The other members receive them later, when the room is due.
    pub fn watch(&mut self, ConnectionId(id): ConnectionId, watch: &Watch, favourites: &[MatchId]) {
        let Some(connection) = self.connections.get(id) else { return };
        let (outbox, former) = (Rc::clone(&connection.outbox), connection.slot);
        let key = RoomKey {
            lang: outbox.lang(),
            encoding: outbox.encoding(),
            sports: watch.sports.clone(),
            rows: if watch.favourites { favourites.to_vec() } else { Vec::new() },
            matches: watch.matches.clone(),
        };
        let room = self.by_key.get(&key).copied();
        if former.is_some_and(|slot| Some(slot.room) == room) {
            return;
        }
        if let Some(slot) = former {
            self.send_pending_to(slot.room, &outbox);
            self.leave_room(slot);
        }
        let room = room.unwrap_or_else(|| self.open(key));
        let members = &mut self.rooms[room].members;
        let slot = RoomSlot { room, index: members.len() };
        members.push(Member { outbox, connection: id });
        self.connections[id].slot = Some(slot);
    }

    /// Adds events to the rooms that watch them. A room with an urgent event sends all its pending events at once, in
    /// order.
    pub fn deliver(&mut self, batch: &UpdateBatch) {
        let now = Instant::now();
        for event in batch.events() {
            if matches!(event, OfferEvent::FeedMessageApplied) {
                self.schedule.message_is_over(now);
            }
            self.checksums.note(event, &self.model);
        }
        let mut urgent = BTreeSet::new();
        let has_offer = PerLang::new(|lang| self.model.feed_state(lang) != FeedState::Inactive);
        for (index, update) in batch.updates().iter().enumerate() {
            for id in self.concerned(update.scope) {
                let Some(room) = self.rooms.get_mut(id) else { continue };
                let lang = room.key.lang;
                let is_for = update.lang.is_none_or(|only| only == lang);
                // A language without an offer receives only the state of the feed.
                if !is_for || !(has_offer[lang] || update.scope == Scope::Everyone) {
                    continue;
                }
                room.pending.push(UpdateRef { batch: batch.clone(), index });
                let priority = if update.texts_date_ms.is_some() { Priority::Low } else { Priority::Normal };
                self.schedule.request_flush(id, now, priority);
                if update.urgent {
                    urgent.insert(id);
                }
            }
            if update.scope == Scope::Everyone {
                self.send_to_connections_without_room(update);
            }
        }
        for id in urgent {
            self.send(id);
        }
    }

    /// When the next room is due; `None` if no room waits.
    pub fn next_due(&self) -> Option<Instant> {
        self.schedule.next_due()
    }

    /// Starts a flush of all rooms that are due at `now`.
    pub fn begin_flush(&mut self, now: Instant) {
        self.schedule.begin_turns(now);
    }

    /// Sends everything that is pending.
    pub fn flush_all(&mut self) {
        while let Some(due) = self.next_due() {
            self.begin_flush(due);
            while self.flush_some() {}
        }
    }

    /// Sends to some rooms of the flush and returns whether more are left. The caller yields in between, so that a bet
    /// stop need not wait until thousands of sockets are written.
    pub fn flush_some(&mut self) -> bool {
        let mut written = 0;
        while written < WRITES_PER_TURN_MAX
            && let Some(id) = self.schedule.next_room()
        {
            written += self.rooms.get(id).map_or(0, |room| room.members.len());
            if self.send(id) {
                self.schedule.mark_sent(id, Instant::now());
            }
        }
        self.schedule.has_rooms_left()
    }

    /// Makes every client fetch the offer again, because events were lost.
    pub fn reload_all(&mut self) {
        self.checksums.read(&self.model);
        for (_, room) in &mut self.rooms {
            room.pending.clear();
        }
        self.schedule.clear();
        for outbox in self.outboxes() {
            outbox.reply(&[Message::Feed(self.model.feed_state(outbox.lang())), Message::Reload]);
        }
    }

    /// Adds checksums to the next frame of each room. With them clients notice a lost update.
    pub fn check(&mut self) {
        let now = Instant::now();
        for (id, room) in &mut self.rooms {
            room.is_check_due = true;
            self.schedule.request_flush(id, now, Priority::Low);
        }
    }

    /// The checksums of what a room watches, after all events that it has received before them.
    fn checks(&self, key: &RoomKey) -> Vec<Bytes> {
        if self.model.feed_state(key.lang) == FeedState::Inactive {
            return Vec::new();
        }
        let of_sport = |sport| self.checksums.sport_check(sport, &self.model);
        let sports: Vec<Message> = match &key.sports {
            Sports::All => self.checksums.sports().filter_map(of_sport).collect(),
            Sports::Of(list) => list.iter().copied().filter_map(of_sport).collect(),
        };
        let matches = key.rows.iter().chain(&key.matches);
        let matches = matches.filter_map(|id| self.checksums.match_check(*id, &self.model));
        let bytes = |message| Fragment::new(message).bytes(key.lang, key.encoding).clone();
        sports.into_iter().chain(matches).map(bytes).collect()
    }

    /// Closes stuck and silent connections, and pings the others.
    pub fn ping_or_close(&self, now: Instant) {
        self.outboxes().for_each(|outbox| outbox.ping_or_close(now));
    }

    /// Closes connections with `code` until at most `left` are open; returns how many were open before.
    pub fn close_down_to(&self, left: usize, code: u16) -> usize {
        let open = self.outboxes().filter(|outbox| !outbox.is_ending()).count();
        let surplus = self.outboxes().filter(|outbox| !outbox.is_ending()).take(open.saturating_sub(left));
        surplus.for_each(|outbox| outbox.close(code));
        open
    }

    /// Closes all connections with `code`.
    pub fn close_all(&self, code: u16) {
        self.outboxes().for_each(|outbox| outbox.close(code));
    }

    /// All sports that were ever in the offer. A client may still show a sport that was removed.
    pub fn all_known_sports(&self) -> Vec<SportId> {
        self.checksums.sports().collect()
    }

    /// Counters for metrics and tests.
    pub fn occupancy(&self) -> Occupancy {
        Occupancy {
            connections: self.connections.len(),
            rooms: self.by_key.len(),
            queued_bytes: self.outboxes().map(|outbox| outbox.queued_bytes()).sum(),
        }
    }

    fn outboxes(&self) -> impl Iterator<Item = &Rc<Outbox>> {
        self.connections.iter().map(|(_, connection)| &connection.outbox)
    }

    /// The rooms that watch something in this scope, each once.
    fn concerned(&self, scope: Scope) -> Vec<RoomId> {
        let of_sport = |sport: &SportId| self.by_sport.get(sport).into_iter().flatten();
        let of_match = |id: &MatchId| self.by_match.get(id).into_iter().flatten();
        match scope {
            Scope::Everyone => self.by_key.values().copied().collect(),
            Scope::Sport(sport) => self.all_sports.iter().chain(of_sport(&sport)).copied().collect(),
            Scope::Detail(id) => of_match(&id).copied().collect(),
            Scope::Row(sport, id) => {
                let is_in = |rooms: Option<&HashSet<RoomId>>, room: RoomId| rooms.is_some_and(|of| of.contains(&room));
                let unseen =
                    |room: &&RoomId| !self.all_sports.contains(room) && !is_in(self.by_sport.get(&sport), **room);
                let of_row = self.by_row.get(&id).into_iter().flatten();
                let of_row = of_row.filter(|room| !is_in(self.by_match.get(&id), **room));
                let by_sport = self.all_sports.iter().chain(of_sport(&sport));
                by_sport.chain(of_match(&id).chain(of_row).filter(unseen)).copied().collect()
            }
        }
    }

    /// Sends an event for every connection to those that watch nothing yet.
    fn send_to_connections_without_room(&self, update: &HubUpdate) {
        let without_room = self.connections.iter().filter(|(_, connection)| connection.slot.is_none());
        for outbox in without_room.map(|(_, connection)| &connection.outbox) {
            if update.lang.is_none_or(|lang| lang == outbox.lang()) {
                outbox.reply(std::slice::from_ref(update.fragment.message()));
            }
        }
    }

    /// Builds the frame of a room and queues it for all members. Returns whether there was anything to send. Does not
    /// restart the room's flush interval, so that an urgent event does not delay the prices of the same feed message.
    fn send(&mut self, id: RoomId) -> bool {
        let Some(room) = self.rooms.get_mut(id) else { return false };
        self.schedule.clear_due(id);
        let pending = std::mem::take(&mut room.pending);
        let is_check_due = std::mem::take(&mut room.is_check_due);
        let room = &self.rooms[id];
        let checks = if is_check_due { self.checks(&room.key) } else { Vec::new() };
        if pending.is_empty() && checks.is_empty() {
            return false;
        }
        let frame = self.frame(&room.key, &pending, &checks);
        for together in room.members.chunks(PREFETCH_BATCH) {
            together.iter().for_each(|member| member.outbox.prefetch());
            for member in together {
                member.outbox.push(&frame, pending.iter().map(UpdateRef::update));
            }
        }
        metrics::counter!("kvota_frames_built_total").increment(1);
        metrics::counter!("kvota_frames_queued_total").increment(room.members.len() as u64);
        true
    }

    /// Sends the pending changes of a room to a connection that leaves it. They stay pending for the others.
    fn send_pending_to(&self, id: RoomId, outbox: &Outbox) {
        let Some(room) = self.rooms.get(id).filter(|room| !room.pending.is_empty()) else { return };
        outbox.push(&self.frame(&room.key, &room.pending, &[]), room.pending.iter().map(UpdateRef::update));
        metrics::counter!("kvota_frames_built_total").increment(1);
        metrics::counter!("kvota_frames_queued_total").increment(1);
    }

    /// The frame of these changes and checks, in the language and the encoding of a room.
    fn frame(&self, key: &RoomKey, pending: &[UpdateRef], checks: &[Bytes]) -> Bytes {
        let (lang, encoding) = (key.lang, key.encoding);
        let dates = pending.iter().filter_map(|one| one.update().texts_date_ms);
        let date_ms = dates.fold(self.model.feed_date_ms(), i64::max);
        let date = Fragment::new(Message::Date(date_ms));
        let mut parts: Vec<&[u8]> = Vec::with_capacity(pending.len() + checks.len() + 1);
        if !pending.is_empty() {
            parts.push(date.bytes(lang, encoding));
        }
        parts.extend(pending.iter().map(|one| &one.update().fragment.bytes(lang, encoding)[..]));
        parts.extend(checks.iter().map(|check| &check[..]));
        compose(encoding, parts.iter().copied())
    }

    /// Opens a room without members.
    fn open(&mut self, key: RoomKey) -> RoomId {
        let room = Room { key: key.clone(), members: Vec::new(), pending: Vec::new(), is_check_due: false };
        let id = self.rooms.insert(room);
        match &key.sports {
            Sports::All => {
                self.all_sports.insert(id);
            }
            Sports::Of(sports) => sports.iter().for_each(|sport| {
                self.by_sport.entry(*sport).or_default().insert(id);
            }),
        }
        for live_match in &key.matches {
            self.by_match.entry(*live_match).or_default().insert(id);
        }
        for live_match in &key.rows {
            self.by_row.entry(*live_match).or_default().insert(id);
        }
        self.by_key.insert(key, id);
        self.schedule.open(id);
        id
    }

    /// Removes a connection from its room. The last member moves to its index.
    fn leave_room(&mut self, RoomSlot { room: id, index }: RoomSlot) {
        let Some(room) = self.rooms.get_mut(id) else { return };
        room.members.swap_remove(index);
        if let Some(moved) = room.members.get(index) {
            self.connections[moved.connection].slot = Some(RoomSlot { room: id, index });
        }
        if room.members.is_empty() {
            self.close(id);
        }
    }

    /// Closes a room without members.
    fn close(&mut self, id: RoomId) {
        let Some(room) = self.rooms.try_remove(id) else { return };
        self.schedule.close(id);
        self.by_key.remove(&room.key);
        self.all_sports.remove(&id);
        if let Sports::Of(sports) = &room.key.sports {
            sports.iter().for_each(|sport| forget(&mut self.by_sport, sport, id));
        }
        room.key.matches.iter().for_each(|live_match| forget(&mut self.by_match, live_match, id));
        room.key.rows.iter().for_each(|live_match| forget(&mut self.by_row, live_match, id));
    }
}

/// Removes a room from an index.
fn forget<K: Eq + std::hash::Hash>(index: &mut HashMap<K, HashSet<RoomId>>, key: &K, id: RoomId) {
    if let Some(rooms) = index.get_mut(key) {
        rooms.remove(&id);
        if rooms.is_empty() {
            index.remove(key);
        }
    }
}
