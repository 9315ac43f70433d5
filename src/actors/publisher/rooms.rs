//! Who watches what, on one worker thread: a room for each distinct watch set, and one frame a room however many sit in
//! it (DESIGN 2.3). Used by the publisher, which brings events, and by the connections of the same thread, which come,
//! change what they watch, and go. Must never be shared with another thread.

use super::super::messages::events::{OfferEvent, Scope, Told};
use super::outbox::Outbox;
use super::tally::Tally;
use super::timetable::{Haste, RoomId, Timetable};
use crate::domain::ids::{MatchId, SportId};
use crate::domain::lang::{Lang, PerLang};
use crate::read_model::ReadModel;
use crate::wire::Spelling;
use crate::wire::hub::command::{Sports, Watch};
use crate::wire::hub::fragment::Fragment;
use crate::wire::hub::frame::compose;
use crate::wire::hub::message::{FeedState, Message};
use bytes::Bytes;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Writes to sockets, a few microseconds each, after which others have their turn.
const WRITES_AT_ONCE: usize = 500;

/// Connections whose memory is asked for together before they are written to.
const LOOKED_AT_ONCE: usize = 16;

/// All rooms of a worker.
#[derive(Debug)]
pub struct Rooms {
    model: Arc<ReadModel>,
    rooms: Vec<Option<Room>>,
    by_key: HashMap<RoomKey, RoomId>,
    by_sport: HashMap<SportId, HashSet<RoomId>>,
    by_match: HashMap<MatchId, HashSet<RoomId>>,
    /// Rooms that watch the row of a match alone: its session's favourites.
    by_row: HashMap<MatchId, HashSet<RoomId>>,
    all_sports: HashSet<RoomId>,
    times: Timetable,
    /// Connections that watch nothing yet are in no room, but are looked after too.
    connections: Vec<Rc<Outbox>>,
    tally: Tally,
}

/// Everything that decides which bytes a connection gets.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct RoomKey {
    lang: Lang,
    spelling: Spelling,
    sports: Sports,
    /// Rows alone.
    rows: Vec<MatchId>,
    matches: Vec<MatchId>,
}

#[derive(Debug)]
struct Room {
    key: RoomKey,
    members: Vec<Rc<Outbox>>,
    pending: Vec<EventRef>,
    is_check_due: bool,
}

/// One event of a batch, shared with all other rooms that wait for it.
#[derive(Clone, Debug)]
struct EventRef {
    batch: Told,
    place: usize,
}

impl EventRef {
    fn event(&self) -> &OfferEvent {
        &self.batch.0[self.place]
    }
}

/// How many of what, for metrics and tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    /// Connections of this worker.
    pub connections: usize,
    /// Distinct watch sets.
    pub rooms: usize,
    /// Bytes queued for all of them.
    pub queued_bytes: usize,
}

impl Rooms {
    /// No rooms yet. Those that come gather changes for so long.
    pub fn new(model: Arc<ReadModel>, gather: Duration) -> Rooms {
        let mut tally = Tally::default();
        tally.read(&model);
        Rooms {
            model,
            rooms: Vec::new(),
            by_key: HashMap::new(),
            by_sport: HashMap::new(),
            by_match: HashMap::new(),
            by_row: HashMap::new(),
            all_sports: HashSet::new(),
            times: Timetable::new(gather),
            connections: Vec::new(),
            tally,
        }
    }

    /// A connection came in; it watches nothing.
    pub fn enter(&mut self, outbox: Rc<Outbox>) {
        self.connections.push(outbox);
    }

    /// A connection is gone.
    pub fn leave(&mut self, outbox: &Rc<Outbox>, seat: Option<RoomId>) {
        self.connections.retain(|other| !Rc::ptr_eq(other, outbox));
        self.stand_up(outbox, seat);
    }

    /// A connection watches this from now on, with the favourites of its session, which count where it watches them.
    /// What its former room still holds for it is sent first: it may be about a match that it goes on watching.
    pub fn watch(
        &mut self,
        outbox: &Rc<Outbox>,
        seat: Option<RoomId>,
        watch: &Watch,
        favourites: &[MatchId],
    ) -> RoomId {
        if let Some(id) = seat {
            self.send(id);
        }
        self.stand_up(outbox, seat);
        let key = RoomKey {
            lang: outbox.lang(),
            spelling: outbox.spelling(),
            sports: watch.sports.clone(),
            rows: if watch.favourites { favourites.to_vec() } else { Vec::new() },
            matches: watch.matches.clone(),
        };
        let id = match self.by_key.get(&key) {
            Some(id) => *id,
            None => self.open(key),
        };
        if let Some(room) = &mut self.rooms[id] {
            room.members.push(Rc::clone(outbox));
        }
        id
    }

    /// Takes events in: urgent ones are sent at once, with all that waits before them in the same rooms.
    pub fn deliver(&mut self, told: &Told) {
        let now = Instant::now();
        if told.0.is_empty() {
            return self.times.message_is_over(now);
        }
        let mut urgent = BTreeSet::new();
        let has_offer = PerLang::new(|lang| self.model.feed_state(lang) != FeedState::Inactive);
        for (place, event) in told.0.iter().enumerate() {
            self.follow(event);
            for id in self.concerned(event.scope) {
                let Some(room) = &mut self.rooms[id] else { continue };
                let lang = room.key.lang;
                let is_for = event.lang.is_none_or(|only| only == lang);
                // A language without its offer is told of the feed alone.
                if !is_for || !(has_offer[lang] || event.scope == Scope::Everyone) {
                    continue;
                }
                room.pending.push(EventRef { batch: told.clone(), place });
                let haste = if event.words_date_ms.is_some() { Haste::Patient } else { Haste::Usual };
                self.times.wants(id, now, haste);
                if event.urgent {
                    urgent.insert(id);
                }
            }
            if event.scope == Scope::Everyone {
                self.tell_the_seatless(event);
            }
        }
        for id in urgent {
            self.send(id);
        }
    }

    /// When the next room wants to send; nothing where none waits.
    pub fn next_due(&self) -> Option<Instant> {
        self.times.next_due()
    }

    /// It is the turn of every room that wants to send by now.
    pub fn begin_flush(&mut self, now: Instant) {
        self.times.begin_turns(now);
    }

    /// Sends everything that waits.
    pub fn flush_all(&mut self) {
        while let Some(due) = self.next_due() {
            self.begin_flush(due);
            while self.flush_some() {}
        }
    }

    /// Sends to some of those whose turn it is, and says whether there are more: others of the thread, a stop among
    /// them, need not wait until thousands of sockets were written to.
    pub fn flush_some(&mut self) -> bool {
        let mut written = 0;
        while written < WRITES_AT_ONCE
            && let Some(id) = self.times.next_in_turn()
        {
            written += self.rooms.get(id).and_then(Option::as_ref).map_or(0, |room| room.members.len());
            if self.send(id) {
                self.times.has_sent(id, Instant::now());
            }
        }
        self.times.has_turns()
    }

    /// Events were dropped on the way: every client gets the offer anew.
    pub fn start_over(&mut self) {
        self.tally.read(&self.model);
        for room in self.rooms.iter_mut().flatten() {
            room.pending.clear();
        }
        self.times.clear();
        for outbox in &self.connections {
            outbox.reply(&[Message::Feed(self.model.feed_state(outbox.lang())), Message::Reload]);
        }
    }

    /// Sums by which clients notice a loss go with the next frame of each room, which [`Rooms::flush_some`] sends.
    pub fn check(&mut self) {
        let now = Instant::now();
        for id in 0..self.rooms.len() {
            if let Some(room) = &mut self.rooms[id] {
                room.is_check_due = true;
                self.times.wants(id, now, Haste::Patient);
            }
        }
    }

    /// The sums of what a room must have, as of what is told to it before them.
    fn checks(&self, key: &RoomKey) -> Vec<Bytes> {
        if self.model.feed_state(key.lang) == FeedState::Inactive {
            return Vec::new();
        }
        let of_sport = |sport| self.tally.sport_check(sport);
        let of_match = |id| match self.model.entry(id) {
            Some(entry) => {
                let (row, detail) = (entry.state.row_revision, entry.state.detail_revision);
                Message::MatchCheck { id, row, detail }
            }
            None => Message::Deleted(id),
        };
        let sports: Vec<Message> = match &key.sports {
            Sports::All => self.tally.sports().map(of_sport).collect(),
            Sports::Of(list) => list.iter().copied().map(of_sport).collect(),
        };
        let matches = key.rows.iter().chain(&key.matches).copied().map(of_match);
        let bytes = |message| Fragment::new(message).bytes(key.lang, key.spelling).clone();
        sports.into_iter().chain(matches).map(bytes).collect()
    }

    /// Closes who is stuck or silent, pings the others.
    pub fn look_after(&self, now: Instant) {
        self.connections.iter().for_each(|outbox| outbox.look_after(now));
    }

    /// Ends all connections.
    pub fn close_all(&self, code: u16) {
        self.connections.iter().for_each(|outbox| outbox.close(code));
    }

    /// Sports that were ever in the offer: a client may hold one that is not there any more.
    pub fn sports_ever_seen(&self) -> Vec<SportId> {
        self.tally.sports().collect()
    }

    /// How many of what.
    pub fn occupancy(&self) -> Occupancy {
        Occupancy {
            connections: self.connections.len(),
            rooms: self.by_key.len(),
            queued_bytes: self.connections.iter().map(|outbox| outbox.queued_bytes()).sum(),
        }
    }

    fn follow(&mut self, event: &OfferEvent) {
        match event.fragment.message() {
            Message::Feed(FeedState::Inactive) if event.lang.is_none_or(|lang| lang == self.model.primary()) => {
                self.tally.clear();
            }
            // A whole offer was loaded, of whose matches nobody was told singly.
            Message::Feed(FeedState::Active) => self.tally.read(&self.model),
            _ => self.tally.note(event),
        }
    }

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

    fn tell_the_seatless(&self, event: &OfferEvent) {
        let seated: HashSet<*const Outbox> =
            self.rooms.iter().flatten().flat_map(|room| &room.members).map(Rc::as_ptr).collect();
        for outbox in self.connections.iter().filter(|outbox| !seated.contains(&Rc::as_ptr(outbox))) {
            if event.lang.is_none_or(|lang| lang == outbox.lang()) {
                outbox.reply(std::slice::from_ref(event.fragment.message()));
            }
        }
    }

    /// Builds the frame of a room and queues it for everybody in it, if it has anything to tell. By itself it is no frame that
    /// others keep their distance from: what is urgent, a stop, does not make the prices of its message wait.
    fn send(&mut self, id: RoomId) -> bool {
        let Some(room) = self.rooms.get_mut(id).and_then(Option::as_mut) else { return false };
        self.times.sends_now(id);
        let pending = std::mem::take(&mut room.pending);
        let is_check_due = std::mem::take(&mut room.is_check_due);
        let Some(room) = self.rooms[id].as_ref() else { return false };
        let checks = if is_check_due { self.checks(&room.key) } else { Vec::new() };
        if pending.is_empty() && checks.is_empty() {
            return false;
        }
        let (lang, spelling) = (room.key.lang, room.key.spelling);
        let dates = pending.iter().filter_map(|event| event.event().words_date_ms);
        let date_ms = dates.fold(self.model.feed_date_ms(), i64::max);
        let date = Fragment::new(Message::Date(date_ms));
        let mut parts: Vec<&[u8]> = Vec::with_capacity(pending.len() + checks.len() + 1);
        if !pending.is_empty() {
            parts.push(date.bytes(lang, spelling));
        }
        parts.extend(pending.iter().map(|event| &event.event().fragment.bytes(lang, spelling)[..]));
        parts.extend(checks.iter().map(|check| &check[..]));
        let frame = compose(spelling, parts.iter().copied());
        for together in room.members.chunks(LOOKED_AT_ONCE) {
            together.iter().for_each(|member| member.look_at());
            for member in together {
                member.push(&frame, pending.iter().map(EventRef::event));
            }
        }
        metrics::counter!("kvota_frames_built_total").increment(1);
        metrics::counter!("kvota_frames_queued_total").increment(room.members.len() as u64);
        true
    }

    fn open(&mut self, key: RoomKey) -> RoomId {
        let id = self.rooms.iter().position(Option::is_none).unwrap_or(self.rooms.len());
        if id == self.rooms.len() {
            self.rooms.push(None);
        }
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
        self.by_key.insert(key.clone(), id);
        self.times.open(id);
        self.rooms[id] = Some(Room { key, members: Vec::new(), pending: Vec::new(), is_check_due: false });
        id
    }

    fn stand_up(&mut self, outbox: &Rc<Outbox>, seat: Option<RoomId>) {
        let Some(id) = seat else { return };
        let Some(room) = self.rooms.get_mut(id).and_then(Option::as_mut) else { return };
        room.members.retain(|member| !Rc::ptr_eq(member, outbox));
        if room.members.is_empty() {
            self.close(id);
        }
    }

    fn close(&mut self, id: RoomId) {
        let Some(room) = self.rooms[id].take() else { return };
        self.times.close(id);
        self.by_key.remove(&room.key);
        self.all_sports.remove(&id);
        if let Sports::Of(sports) = &room.key.sports {
            sports.iter().for_each(|sport| forget(&mut self.by_sport, sport, id));
        }
        room.key.matches.iter().for_each(|live_match| forget(&mut self.by_match, live_match, id));
        room.key.rows.iter().for_each(|live_match| forget(&mut self.by_row, live_match, id));
    }
}

fn forget<K: Eq + std::hash::Hash>(index: &mut HashMap<K, HashSet<RoomId>>, key: &K, id: RoomId) {
    if let Some(rooms) = index.get_mut(key) {
        rooms.remove(&id);
        if rooms.is_empty() {
            index.remove(key);
        }
    }
}
