//! When each room of a worker sends (CONTRACT 3.5): at once where it was quiet, at most so often where it is busy. Used by
//! the rooms, which say what came and when; must never read a clock or know what is sent.

use crate::domain::limits::COMPANIONS_MS_MAX;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::Instant;

/// Which room of its worker.
pub(super) type RoomId = usize;

/// How soon a room is to send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Haste {
    /// Prices: as soon as its last frame is long enough ago.
    Usual,
    /// Words and checks, which nobody waits for, and which would keep the prices that come right behind them waiting: for
    /// as long as may be gathered.
    Patient,
}

/// The moments of all rooms of a worker.
#[derive(Debug)]
pub(super) struct Timetable {
    /// For how long a room gathers: so far apart are its frames at least, but for what is urgent.
    gather: Duration,
    /// By room.
    moments: Vec<Moments>,
    /// Rooms with something to send, each with the moment for it.
    waiting: BTreeSet<(Instant, RoomId)>,
    /// Those of them that wait for the rest of a message of the feed alone.
    for_companions: BTreeSet<RoomId>,
    /// Those whose turn it is.
    in_turn: BTreeSet<RoomId>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Moments {
    /// When it sends what waits; nothing where nothing does, or where it is its turn.
    due: Option<Instant>,
    /// Its last frame that others keep their distance from.
    last_frame: Option<Instant>,
}

impl Timetable {
    /// Nobody waits. Rooms gather for so long.
    pub(super) fn new(gather: Duration) -> Timetable {
        Timetable {
            gather,
            moments: Vec::new(),
            waiting: BTreeSet::new(),
            for_companions: BTreeSet::new(),
            in_turn: BTreeSet::new(),
        }
    }

    /// A room is opened, or another one in the place of one that was closed: it has sent nothing yet.
    pub(super) fn open(&mut self, id: RoomId) {
        self.close(id);
        if self.moments.len() <= id {
            self.moments.resize(id + 1, Moments::default());
        }
        self.moments[id] = Moments::default();
    }

    /// A room is gone.
    pub(super) fn close(&mut self, id: RoomId) {
        self.sends_now(id);
        self.for_companions.remove(&id);
        self.in_turn.remove(&id);
    }

    /// A room has something to send. What comes after a quiet time waits for its companions of the same message alone,
    /// in a busy time a frame leaves whenever the time of gathering is over.
    pub(super) fn wants(&mut self, id: RoomId, now: Instant, haste: Haste) {
        if self.in_turn.contains(&id) {
            return;
        }
        let gathered = self.gathered(id).unwrap_or(now);
        let is_quiet = haste == Haste::Usual && gathered <= now;
        let due = match haste {
            Haste::Patient => now + self.gather,
            Haste::Usual if is_quiet => now + Duration::from_millis(COMPANIONS_MS_MAX).min(self.gather),
            Haste::Usual => gathered,
        };
        if self.moments[id].due.is_some_and(|earlier| earlier <= due) {
            return;
        }
        if is_quiet {
            self.for_companions.insert(id);
        }
        self.put(id, due);
    }

    /// A message of the feed is over: the companions are all there.
    pub(super) fn message_is_over(&mut self, now: Instant) {
        for id in std::mem::take(&mut self.for_companions) {
            let has_gathered = self.gathered(id).is_none_or(|gathered| gathered <= now);
            if has_gathered && self.moments[id].due.is_some_and(|due| due > now) {
                self.put(id, now);
            }
        }
    }

    /// When the next room wants to send; nothing where none waits.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.waiting.first().map(|(due, _)| *due)
    }

    /// It is the turn of every room that wants to send by now. One that comes later has its turn in a later flush, so
    /// that no room is passed over for another that always has something.
    pub(super) fn begin_turns(&mut self, now: Instant) {
        while let Some(next) = self.waiting.first().copied().filter(|(due, _)| *due <= now) {
            self.waiting.remove(&next);
            self.moments[next.1].due = None;
            self.in_turn.insert(next.1);
        }
    }

    /// Whose turn it is, who has it with this.
    pub(super) fn next_in_turn(&mut self) -> Option<RoomId> {
        self.in_turn.pop_first()
    }

    /// Whether somebody else has a turn.
    pub(super) fn has_turns(&self) -> bool {
        !self.in_turn.is_empty()
    }

    /// A room sends all that it has, in its turn or before it: nothing of it waits any more.
    pub(super) fn sends_now(&mut self, id: RoomId) {
        if let Some(due) = self.moments.get_mut(id).and_then(|moments| moments.due.take()) {
            self.waiting.remove(&(due, id));
        }
    }

    /// A room had its turn, and has sent a frame in it that the next ones keep their distance from.
    pub(super) fn has_sent(&mut self, id: RoomId, now: Instant) {
        self.moments[id].last_frame = Some(now);
    }

    /// Nothing waits any more.
    pub(super) fn clear(&mut self) {
        self.moments.iter_mut().for_each(|moments| moments.due = None);
        self.waiting.clear();
        self.for_companions.clear();
        self.in_turn.clear();
    }

    /// When a room may send its next frame; nothing where it has sent none.
    fn gathered(&self, id: RoomId) -> Option<Instant> {
        self.moments[id].last_frame.map(|last| last + self.gather)
    }

    /// A room with something to send does so then, whenever it was to before.
    fn put(&mut self, id: RoomId, due: Instant) {
        if let Some(before) = self.moments[id].due.replace(due) {
            self.waiting.remove(&(before, id));
        }
        self.waiting.insert((due, id));
    }
}
