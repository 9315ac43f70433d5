//! Follows the headers `epoch` and `seq` of one language's live events (CONTRACT 1): whether an event is the next one,
//! stale or after a gap, and which snapshot closes a gap. Used by `liveness`, which decides when to request snapshots.
//!
//! Must never keep more events than its limits. Dropping an event is safe: it only raises `needed`.

use super::Position;
use crate::limits::{ANSWERS_BEFORE_GAP_MAX, RECOVERY_EVENTS_MAX};
use kvota_domain::feed::{FeedUpdate, MatchUpdate};
use kvota_wire::limits::SNAPSHOT_ENTITIES_MAX;
use std::collections::VecDeque;
use std::sync::Arc;

/// The number of former epochs that are remembered, so that their late messages are recognised as stale.
const RETIRED_MAX: usize = 8;

/// The size of a kept event.
pub trait Weight {
    /// The number of its sports, matches, markets and odds. The total of all kept events is limited to
    /// [`SNAPSHOT_ENTITIES_MAX`], because [`RECOVERY_EVENTS_MAX`] events of the largest size would fill the memory.
    fn weight(&self) -> usize;
}

impl Weight for FeedUpdate {
    fn weight(&self) -> usize {
        let matches = self.sports.iter().flat_map(|sport| &sport.matches);
        let of_match = |update: &MatchUpdate| match &update.texts {
            Some(texts) => 1 + texts.markets_and_odds(),
            None => 1 + update.live_match.markets.len() + update.live_match.number_of_odds(),
        };
        self.sports.len() + matches.map(of_match).sum::<usize>()
    }
}

/// How the position of a message relates to the sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// The next position, or the first one ever seen.
    InOrder,
    /// Seen already, contained in a snapshot, or from a former epoch.
    Stale,
    /// Events are missing before it, or its own content is incomplete.
    Gap,
    /// The producer restarted.
    NewEpoch,
}

/// Why a snapshot cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// It was taken before an event that is missing here.
    BeforeGap,
    /// It is from another epoch than the newest one seen.
    OtherEpoch,
}

/// Evidence that the producer once sent a seq that is much too high. Without this check all later events would be stale
/// and every snapshot too old. The evidence is that snapshots and other messages keep arriving with a lower seq. A
/// feed-active message with the newest seq, or any message with a higher one, ends the doubt.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    epoch: i64,
    /// How many snapshots in a row seemed too old.
    answers: u32,
    /// The seq of the first of them.
    first: u64,
    /// The seq of the last of them.
    last: u64,
    /// The highest seq of other messages since the first of them. A seq below `first` does not count.
    confirmed_by: Option<u64>,
}

/// The sequence of one language.
///
/// Invariant while the offer has a gap: `kept` contains every event after `needed` up to the last one seen. So a
/// snapshot of this epoch taken at `needed` or later gives the whole offer, once the kept events after it are applied.
#[derive(Debug)]
pub(super) struct Sequence<T> {
    /// The newest epoch, and the last seq seen of it.
    newest: Option<Position>,
    /// Former epochs, the oldest first, each with the last seq seen of it.
    retired: VecDeque<Position>,
    /// Another epoch, seen in one snapshot only. It is accepted if the next snapshot has it too.
    rumoured: Option<i64>,
    doubt: Option<Doubt>,
    /// Whether the offer is complete up to the last event seen.
    whole: bool,
    /// The lowest seq of a snapshot that closes the gap.
    needed: u64,
    /// Events to apply to that snapshot, with their seq.
    kept: VecDeque<(u64, Arc<T>)>,
    /// The total weight of `kept`.
    weight: usize,
}

impl<T: Weight> Sequence<T> {
    /// A sequence without events.
    pub(super) fn new() -> Sequence<T> {
        Sequence {
            newest: None,
            retired: VecDeque::new(),
            rumoured: None,
            doubt: None,
            whole: false,
            needed: 0,
            kept: VecDeque::new(),
            weight: 0,
        }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    pub(super) fn newest(&self) -> Option<Position> {
        self.newest
    }

    /// For when the offer is dropped: the next snapshot must contain all events seen so far.
    pub(super) fn give_up(&mut self) {
        self.whole = false;
        self.require(self.newest.map_or(0, |newest| newest.seq));
    }

    /// Classifies a live event. While the offer has a gap, the event is also kept for the next snapshot.
    pub(super) fn event(&mut self, position: Position, event: &Arc<T>) -> Arrival {
        let arrival = self.arrive(position, position.seq.saturating_sub(1));
        if arrival != Arrival::Stale && !self.whole {
            self.keep(position.seq, event);
        }
        arrival
    }

    /// Classifies a live event of which all or part of the content is unreadable.
    pub(super) fn unreadable(&mut self, position: Position) -> Arrival {
        match self.arrive(position, position.seq) {
            // The position is the next one, but content is missing.
            Arrival::InOrder => {
                self.miss(position.seq);
                Arrival::Gap
            }
            other => other,
        }
    }

    /// Classifies the position in a feed-active message: that of the producer's last live event.
    pub(super) fn announced(&mut self, position: Position) -> Arrival {
        let behind = match self.newest {
            Some(newest) if newest.epoch == position.epoch => {
                if position.seq == newest.seq {
                    self.doubt = None;
                }
                position.seq > newest.seq
            }
            // A former epoch may report the last seq seen of it: then its producer is active again.
            Some(_) => self.last_of(position.epoch).is_none_or(|last| position.seq >= last),
            None => true,
        };
        if !behind {
            self.note_position(position);
            return Arrival::Stale;
        }
        let restarted = self.newest.is_some_and(|newest| newest.epoch != position.epoch);
        self.begin(position, position.seq);
        if restarted { Arrival::NewEpoch } else { Arrival::Gap }
    }

    /// Handles a snapshot taken at `position`. Returns the kept events to apply to it, or why it cannot be used.
    pub(super) fn snapshot(&mut self, position: Position) -> Result<Vec<Arc<T>>, Unfit> {
        match self.newest {
            Some(newest) if newest.epoch != position.epoch => {
                // One snapshot of another epoch is not enough to switch to it: it may come from a producer that is
                // shutting down. Two in a row mean that the producer has restarted and has sent no event yet.
                let confirmed = self.rumoured.replace(position.epoch) == Some(position.epoch);
                if self.last_of(position.epoch).is_some() {
                    return self.handle_old_snapshot(position, Unfit::OtherEpoch);
                }
                self.doubt = None;
                if !confirmed {
                    return Err(Unfit::OtherEpoch);
                }
                self.begin(position, position.seq);
            }
            Some(_) if position.seq < self.needed => return self.handle_old_snapshot(position, Unfit::BeforeGap),
            Some(newest) => self.newest = Some(Position { seq: newest.seq.max(position.seq), ..newest }),
            None => self.newest = Some(position),
        }
        self.rumoured = None;
        self.doubt = None;
        self.whole = true;
        self.weight = 0;
        let kept = std::mem::take(&mut self.kept).into_iter();
        Ok(kept.filter(|(seq, _)| *seq > position.seq).map(|(_, event)| event).collect())
    }

    /// Classifies the position of a live event. If it is not the next one, everything up to `missing` is needed from a
    /// snapshot.
    fn arrive(&mut self, position: Position, missing: u64) -> Arrival {
        match self.newest {
            Some(newest) if newest.epoch == position.epoch => {
                if position.seq <= newest.seq {
                    if position.seq < newest.seq {
                        self.note_position(position);
                    }
                    return Arrival::Stale;
                }
                self.doubt = None;
                self.newest = Some(position);
                if position.seq == newest.seq + 1 {
                    return Arrival::InOrder;
                }
                self.miss(missing);
                Arrival::Gap
            }
            Some(_) if self.last_of(position.epoch).is_some_and(|last| position.seq <= last) => {
                self.note_position(position);
                Arrival::Stale
            }
            Some(_) => {
                self.begin(position, missing);
                Arrival::NewEpoch
            }
            None => {
                self.begin(position, missing);
                Arrival::InOrder
            }
        }
    }

    /// Switches to another epoch, or to a later position. Everything up to `needed` is missing.
    fn begin(&mut self, position: Position, needed: u64) {
        if let Some(former) = self.newest.filter(|newest| newest.epoch != position.epoch) {
            self.retired.retain(|retired| retired.epoch != position.epoch);
            self.retired.push_back(former);
            if self.retired.len() > RETIRED_MAX {
                self.retired.pop_front();
            }
        }
        self.newest = Some(position);
        self.rumoured = None;
        self.doubt = None;
        self.miss(needed);
    }

    /// Notes the position of a message that is not new: it may confirm a [`Doubt`].
    fn note_position(&mut self, position: Position) {
        if let Some(doubt) = self.doubt.as_mut().filter(|doubt| doubt.epoch == position.epoch)
            && position.seq >= doubt.first
        {
            doubt.confirmed_by = doubt.confirmed_by.max(Some(position.seq));
        }
    }

    /// Handles a snapshot that seems too old. After [`ANSWERS_BEFORE_GAP_MAX`] of them in a row, and if other messages
    /// have a lower seq too, the sequence goes back to their position.
    fn handle_old_snapshot(&mut self, position: Position, unfit: Unfit) -> Result<Vec<Arc<T>>, Unfit> {
        let Position { epoch, seq } = position;
        let goes_on = |doubt: &Doubt| doubt.epoch == epoch && doubt.last <= seq;
        let first = Doubt { epoch, answers: 0, first: seq, last: seq, confirmed_by: None };
        let before = self.doubt.take().filter(goes_on).unwrap_or(first);
        let doubt = Doubt { answers: before.answers + 1, last: seq, ..before };
        let Some(confirmed_by) = doubt.confirmed_by.filter(|_| doubt.answers >= ANSWERS_BEFORE_GAP_MAX) else {
            self.doubt = Some(doubt);
            return Err(unfit);
        };
        let at = Position { epoch, seq: seq.max(confirmed_by) };
        self.begin(at, at.seq);
        self.snapshot(position)
    }

    /// The last seq seen of a former epoch.
    fn last_of(&self, epoch: i64) -> Option<u64> {
        self.retired.iter().find(|retired| retired.epoch == epoch).map(|retired| retired.seq)
    }

    /// Starts a gap: everything up to `needed` is missing.
    fn miss(&mut self, needed: u64) {
        self.whole = false;
        self.require(needed);
    }

    /// Sets the lowest seq of a usable snapshot. Drops the kept events, which such a snapshot contains.
    fn require(&mut self, needed: u64) {
        self.needed = needed;
        self.kept.clear();
        self.weight = 0;
    }

    /// Keeps an event for the next snapshot. Above a limit, drops the oldest events, so the snapshot must contain them.
    fn keep(&mut self, seq: u64, event: &Arc<T>) {
        self.weight += event.weight();
        self.kept.push_back((seq, event.clone()));
        while self.kept.len() > RECOVERY_EVENTS_MAX || self.weight > SNAPSHOT_ENTITIES_MAX {
            let Some((seq, event)) = self.kept.pop_front() else {
                break;
            };
            self.weight -= event.weight();
            self.needed = seq;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Weight for u64 {
        fn weight(&self) -> usize {
            1
        }
    }

    fn at(epoch: i64, seq: u64) -> Position {
        Position { epoch, seq }
    }

    /// The number of an event is its content.
    fn see(sequence: &mut Sequence<u64>, epoch: i64, seq: u64) -> Arrival {
        sequence.event(at(epoch, seq), &Arc::new(seq))
    }

    fn take(sequence: &mut Sequence<u64>, epoch: i64, seq: u64) -> Result<Vec<u64>, Unfit> {
        let replay = sequence.snapshot(at(epoch, seq))?;
        Ok(replay.iter().map(|event| **event).collect())
    }

    fn whole(epoch: i64, seq: u64) -> Sequence<u64> {
        let mut sequence = Sequence::new();
        take(&mut sequence, epoch, seq).unwrap();
        sequence
    }

    #[test]
    fn places_are_judged_against_the_last_one_seen() {
        for (name, position, expected) in [
            ("the next", at(1, 11), Arrival::InOrder),
            ("the same again", at(1, 10), Arrival::Stale),
            ("an older one", at(1, 3), Arrival::Stale),
            ("one left out", at(1, 12), Arrival::Gap),
            ("the end of numbers", at(1, u64::MAX), Arrival::Gap),
            ("a restart", at(2, 1), Arrival::NewEpoch),
            ("a restart with a lower epoch", at(0, 5), Arrival::NewEpoch),
        ] {
            assert_eq!(see(&mut whole(1, 10), position.epoch, position.seq), expected, "{name}");
        }
    }

    #[test]
    fn events_before_the_first_snapshot_are_kept_and_follow_it() {
        let mut sequence = Sequence::new();
        for seq in 5..=8 {
            assert_eq!(see(&mut sequence, 1, seq), Arrival::InOrder);
        }
        assert_eq!(take(&mut sequence, 1, 3), Err(Unfit::BeforeGap), "4 would be missing");
        assert_eq!(take(&mut sequence, 1, 6), Ok(vec![7, 8]));
        assert!(sequence.is_whole());
        assert_eq!(see(&mut sequence, 1, 9), Arrival::InOrder);
    }

    #[test]
    fn a_snapshot_ahead_of_the_events_makes_them_stale() {
        let mut sequence = whole(1, 10);
        assert_eq!(see(&mut sequence, 1, 12), Arrival::Gap);
        assert_eq!(take(&mut sequence, 1, 20), Ok(vec![]));
        assert_eq!(see(&mut sequence, 1, 13), Arrival::Stale);
        assert_eq!(see(&mut sequence, 1, 21), Arrival::InOrder);
    }

    #[test]
    fn a_snapshot_must_contain_the_newest_gap() {
        let mut sequence = whole(1, 10);
        see(&mut sequence, 1, 12);
        see(&mut sequence, 1, 13);
        see(&mut sequence, 1, 20);
        see(&mut sequence, 1, 21);
        assert_eq!(take(&mut sequence, 1, 18), Err(Unfit::BeforeGap));
        assert_eq!(take(&mut sequence, 1, 19), Ok(vec![20, 21]));
    }

    #[test]
    fn an_unreadable_event_takes_its_place_and_must_be_inside_the_snapshot() {
        let mut sequence = whole(1, 10);
        assert_eq!(sequence.unreadable(at(1, 10)), Arrival::Stale);
        assert_eq!(sequence.unreadable(at(1, 11)), Arrival::Gap);
        assert_eq!(see(&mut sequence, 1, 12), Arrival::InOrder);
        assert_eq!(take(&mut sequence, 1, 10), Err(Unfit::BeforeGap));
        assert_eq!(take(&mut sequence, 1, 11), Ok(vec![12]));
        assert_eq!(sequence.unreadable(at(2, 4)), Arrival::NewEpoch);
        assert_eq!(take(&mut sequence, 2, 3), Err(Unfit::BeforeGap));
        assert_eq!(take(&mut sequence, 2, 4), Ok(vec![]));
    }

    #[test]
    fn what_feed_active_tells_shows_who_is_behind() {
        for (name, position, expected) in [
            ("the last one seen", at(1, 10), Arrival::Stale),
            ("one of the past", at(1, 9), Arrival::Stale),
            ("one not seen", at(1, 11), Arrival::Gap),
            ("a restart that has sent nothing", at(2, 0), Arrival::NewEpoch),
        ] {
            let mut sequence = whole(1, 10);
            assert_eq!(sequence.announced(position), expected, "{name}");
            assert_eq!(sequence.is_whole(), expected == Arrival::Stale, "{name}");
        }
    }

    #[test]
    fn late_messages_of_a_former_epoch_change_nothing() {
        let mut sequence = whole(1, 10);
        assert_eq!(see(&mut sequence, 2, 1), Arrival::NewEpoch);
        assert_eq!(see(&mut sequence, 1, 10), Arrival::Stale);
        assert_eq!(sequence.announced(at(1, 9)), Arrival::Stale);
        assert_eq!(take(&mut sequence, 1, 10), Err(Unfit::OtherEpoch));
        assert_eq!(take(&mut sequence, 1, 10), Err(Unfit::OtherEpoch), "however often");
        assert_eq!(take(&mut sequence, 2, 1), Ok(vec![]));
        assert_eq!(see(&mut sequence, 1, 11), Arrival::NewEpoch, "the former producer is back");
    }

    #[test]
    fn an_epoch_known_from_answers_alone_is_believed_the_second_time() {
        let mut sequence = whole(1, 10);
        see(&mut sequence, 1, 12);
        assert_eq!(take(&mut sequence, 2, 0), Err(Unfit::OtherEpoch));
        assert_eq!(take(&mut sequence, 2, 0), Ok(vec![]));
        assert_eq!(see(&mut sequence, 2, 1), Arrival::InOrder);

        let mut sequence = whole(1, 10);
        see(&mut sequence, 1, 12);
        assert_eq!(take(&mut sequence, 2, 0), Err(Unfit::OtherEpoch));
        assert_eq!(take(&mut sequence, 1, 12), Ok(vec![]), "the newest seen stays in force");
    }

    #[test]
    fn what_does_not_fit_is_asked_for_with_the_snapshot() {
        let mut sequence = whole(1, 10);
        see(&mut sequence, 1, 12);
        for seq in 13..13 + RECOVERY_EVENTS_MAX as u64 {
            see(&mut sequence, 1, seq);
        }
        assert_eq!(take(&mut sequence, 1, 11), Err(Unfit::BeforeGap), "12 was pushed out");
        assert_eq!(take(&mut sequence, 1, 12).unwrap().len(), RECOVERY_EVENTS_MAX);
    }

    #[test]
    fn a_few_heavy_events_are_as_much_as_many_light_ones() {
        struct Heavy;
        impl Weight for Heavy {
            fn weight(&self) -> usize {
                SNAPSHOT_ENTITIES_MAX / 2
            }
        }
        let mut sequence = Sequence::new();
        for seq in 5..=8 {
            sequence.event(at(1, seq), &Arc::new(Heavy));
        }
        assert_eq!(sequence.snapshot(at(1, 5)).err(), Some(Unfit::BeforeGap), "6 was pushed out");
        assert_eq!(sequence.snapshot(at(1, 6)).unwrap().len(), 2);
    }

    #[test]
    fn an_offer_given_up_is_had_back_from_where_it_was() {
        let mut sequence = whole(1, 10);
        sequence.give_up();
        assert_eq!(see(&mut sequence, 1, 11), Arrival::InOrder);
        assert_eq!(take(&mut sequence, 1, 9), Err(Unfit::BeforeGap));
        assert_eq!(take(&mut sequence, 1, 10), Ok(vec![11]));
    }

    /// At seq 10, then one event with a wrong seq, and `answers` snapshots taken at 10, 11 …
    fn misled(answers: u64) -> Sequence<u64> {
        let mut sequence = whole(1, 10);
        see(&mut sequence, 1, 9_000);
        for answer in 0..answers {
            assert_eq!(take(&mut sequence, 1, 10 + answer), Err(Unfit::BeforeGap));
        }
        sequence
    }

    #[test]
    fn a_producer_is_believed_that_three_times_and_in_its_events_is_below_the_gap() {
        let mut sequence = misled(1);
        assert_eq!(see(&mut sequence, 1, 11), Arrival::Stale);
        assert_eq!(take(&mut sequence, 1, 11), Err(Unfit::BeforeGap));
        assert_eq!(take(&mut sequence, 1, 11), Ok(vec![]));
        assert_eq!(see(&mut sequence, 1, 12), Arrival::InOrder);
    }

    #[test]
    fn events_that_were_ignored_must_be_inside_the_answer_that_is_believed() {
        let mut sequence = misled(2);
        assert_eq!(see(&mut sequence, 1, 13), Arrival::Stale);
        assert_eq!(take(&mut sequence, 1, 12), Err(Unfit::BeforeGap), "believed, but 13 was ignored");
        assert_eq!(see(&mut sequence, 1, 14), Arrival::InOrder);
        assert_eq!(take(&mut sequence, 1, 13), Ok(vec![14]));
    }

    #[test]
    fn a_wrong_seq_of_an_epoch_that_was_left_and_comes_back_is_found_out_too() {
        let mut sequence = whole(2, 10);
        assert_eq!(see(&mut sequence, 1, 30), Arrival::NewEpoch);
        assert_eq!(see(&mut sequence, 2, 9_000), Arrival::NewEpoch);
        assert_eq!(see(&mut sequence, 1, 31), Arrival::NewEpoch, "late");
        assert_eq!(take(&mut sequence, 2, 11), Err(Unfit::OtherEpoch));
        assert_eq!(take(&mut sequence, 2, 11), Err(Unfit::OtherEpoch));
        assert_eq!(see(&mut sequence, 2, 12), Arrival::Stale);
        assert_eq!(take(&mut sequence, 2, 12), Ok(vec![]));
        assert_eq!(see(&mut sequence, 2, 13), Arrival::InOrder);
    }

    #[test]
    fn what_goes_on_from_the_newest_seq_ends_the_doubt() {
        type Step = fn(&mut Sequence<u64>);
        let steps: [(&str, Step); 4] = [
            ("the next event", |sequence| assert_eq!(see(sequence, 1, 9_001), Arrival::InOrder)),
            ("feed-active names it", |sequence| assert_eq!(sequence.announced(at(1, 9_000)), Arrival::Stale)),
            ("an answer of another epoch", |sequence| assert_eq!(take(sequence, 2, 1), Err(Unfit::OtherEpoch))),
            ("answers go back", |sequence| assert_eq!(take(sequence, 1, 9), Err(Unfit::BeforeGap))),
        ];
        for (name, step) in steps {
            let mut sequence = misled(2);
            see(&mut sequence, 1, 11);
            step(&mut sequence);
            see(&mut sequence, 1, 12);
            assert_eq!(take(&mut sequence, 1, 12), Err(Unfit::BeforeGap), "{name}");
        }
        let mut sequence = misled(5);
        see(&mut sequence, 1, 9);
        assert_eq!(take(&mut sequence, 1, 15), Err(Unfit::BeforeGap), "late events from before prove nothing");
    }
}
