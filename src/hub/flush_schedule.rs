//! The flush schedule: when each room of a worker sends (CONTRACT 3.5). A quiet room sends almost at once. A busy room
//! sends at most once per gathering time (the flush interval), so that one frame carries several changes. Used by
//! `rooms.rs`. Must not read a clock or know what is sent.

use crate::hub::limits::SAME_MESSAGE_WAIT_MS_MAX;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::Instant;

/// The index of a room of this worker.
pub(super) type RoomId = usize;

/// The priority of what a room has to send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Priority {
    /// Prices: sent when the gathering time since the last frame has passed.
    Normal,
    /// Texts and checksums: sent after the whole gathering time. Sent earlier, they would delay the prices that follow
    /// them.
    Low,
}

/// The flush schedule of all rooms of a worker.
#[derive(Debug)]
pub(super) struct FlushSchedule {
    /// The gathering time: the least time between two frames of a room, except urgent ones.
    gather: Duration,
    /// Indexed by room.
    moments: Vec<Moments>,
    /// Rooms with something to send, ordered by due time.
    waiting: BTreeSet<(Instant, RoomId)>,
    /// Rooms that wait only for the rest of the same feed message.
    waiting_for_message_end: BTreeSet<RoomId>,
    /// Rooms of the current flush that have not sent yet.
    in_turn: BTreeSet<RoomId>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Moments {
    /// When the room sends; `None` if nothing is pending or the room is in the current flush.
    due: Option<Instant>,
    /// The time of the last frame that started a gathering time.
    last_frame: Option<Instant>,
}

impl FlushSchedule {
    /// An empty schedule with this gathering time.
    pub(super) fn new(gather: Duration) -> FlushSchedule {
        FlushSchedule {
            gather,
            moments: Vec::new(),
            waiting: BTreeSet::new(),
            waiting_for_message_end: BTreeSet::new(),
            in_turn: BTreeSet::new(),
        }
    }

    /// Adds a room that has sent nothing yet. Its index may be that of a closed room.
    pub(super) fn open(&mut self, id: RoomId) {
        self.close(id);
        if self.moments.len() <= id {
            self.moments.resize(id + 1, Moments::default());
        }
        self.moments[id] = Moments::default();
    }

    /// Removes a room.
    pub(super) fn close(&mut self, id: RoomId) {
        self.clear_due(id);
        self.waiting_for_message_end.remove(&id);
        self.in_turn.remove(&id);
    }

    /// A room has something to send. After a quiet time it waits only for the rest of the same feed message, at most
    /// `SAME_MESSAGE_WAIT_MS_MAX`; otherwise until the gathering time has passed.
    pub(super) fn request_flush(&mut self, id: RoomId, now: Instant, priority: Priority) {
        if self.in_turn.contains(&id) {
            return;
        }
        let gathered = self.gathered(id).unwrap_or(now);
        let is_quiet = priority == Priority::Normal && gathered <= now;
        let due = match priority {
            Priority::Low => now + self.gather,
            Priority::Normal if is_quiet => now + Duration::from_millis(SAME_MESSAGE_WAIT_MS_MAX).min(self.gather),
            Priority::Normal => gathered,
        };
        if self.moments[id].due.is_some_and(|earlier| earlier <= due) {
            return;
        }
        if is_quiet {
            self.waiting_for_message_end.insert(id);
        }
        self.put(id, due);
    }

    /// A feed message is complete: rooms that waited for its rest are due now.
    pub(super) fn message_is_over(&mut self, now: Instant) {
        for id in std::mem::take(&mut self.waiting_for_message_end) {
            let has_gathered = self.gathered(id).is_none_or(|gathered| gathered <= now);
            if has_gathered && self.moments[id].due.is_some_and(|due| due > now) {
                self.put(id, now);
            }
        }
    }

    /// When the next room is due; `None` if no room waits.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.waiting.first().map(|(due, _)| *due)
    }

    /// Starts a flush of all rooms that are due at `now`. A room that becomes due later waits for the next flush, so
    /// that a busy room cannot delay the others.
    pub(super) fn begin_turns(&mut self, now: Instant) {
        while let Some(next) = self.waiting.first().copied().filter(|(due, _)| *due <= now) {
            self.waiting.remove(&next);
            self.moments[next.1].due = None;
            self.in_turn.insert(next.1);
        }
    }

    /// Takes the next room of the flush.
    pub(super) fn next_room(&mut self) -> Option<RoomId> {
        self.in_turn.pop_first()
    }

    /// Whether rooms of the flush are left.
    pub(super) fn has_rooms_left(&self) -> bool {
        !self.in_turn.is_empty()
    }

    /// A room sends everything now: it has nothing pending any more.
    pub(super) fn clear_due(&mut self, id: RoomId) {
        if let Some(due) = self.moments.get_mut(id).and_then(|moments| moments.due.take()) {
            self.waiting.remove(&(due, id));
        }
    }

    /// A room has sent a frame at `now`, which starts a new gathering time.
    pub(super) fn mark_sent(&mut self, id: RoomId, now: Instant) {
        self.moments[id].last_frame = Some(now);
    }

    /// Forgets everything that is pending.
    pub(super) fn clear(&mut self) {
        self.moments.iter_mut().for_each(|moments| moments.due = None);
        self.waiting.clear();
        self.waiting_for_message_end.clear();
        self.in_turn.clear();
    }

    /// The end of a room's gathering time; `None` if the room has not sent a frame.
    fn gathered(&self, id: RoomId) -> Option<Instant> {
        self.moments[id].last_frame.map(|last| last + self.gather)
    }

    /// Sets the due time of a room.
    fn put(&mut self, id: RoomId, due: Instant) {
        if let Some(before) = self.moments[id].due.replace(due) {
            self.waiting.remove(&(before, id));
        }
        self.waiting.insert((due, id));
    }
}
