//! The sequence of one language's live events (CONTRACT 1, headers `epoch` and `seq`): which event is new, which was
//! seen before, which is missing, and which snapshot closes a gap. Used by `liveness`, which decides when to request
//! snapshots.
//!
//! The invariant: `kept` contains every event after `needed` up to the last one seen, without a gap. So any snapshot of
//! this epoch that was taken at `needed` or later is the whole offer, once the kept events after it are applied.
//!
//! If the producer sends a seq that is much too high by mistake, all later events would be stale and every snapshot too
//! old. [`Doubt`] detects that.
//!
//! Must never keep more events than its limit. Dropping an event is safe: it only raises `needed`.

use super::Position;
use crate::domain::feed::FeedUpdate;
use crate::domain::limits::{ANSWERS_BEFORE_GAP_MAX, RECOVERY_EVENTS_MAX, SNAPSHOT_ENTITIES_MAX};
use std::collections::VecDeque;
use std::sync::Arc;

/// Former epochs that are remembered, to recognise their late messages.
const RETIRED_MAX: usize = 8;

/// The size of a kept event.
pub trait Weight {
    /// The number of its sports, matches, markets and odds. Their total is limited as in a snapshot: 20,000 events of
    /// the largest size would fill the memory.
    fn weight(&self) -> usize;
}

impl Weight for FeedUpdate {
    fn weight(&self) -> usize {
        let matches = self.sports.iter().flat_map(|sport| &sport.matches);
        let of_match = |held: &crate::domain::matches::Match| 1 + held.markets.len() + held.number_of_odds();
        self.sports.len() + matches.map(|update| of_match(&update.live_match)).sum::<usize>()
    }
}

/// How the position of a message relates to the sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arrival {
    /// The next position, or one that contains nothing new about the sequence.
    InOrder,
    /// Seen already, contained in a snapshot, or from a former producer.
    Stale,
    /// Events are missing before it, or it is itself incomplete.
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

/// Evidence that the highest seq of an epoch was a mistake of the producer: its snapshots stay below it, and so do the
/// messages that arrive meanwhile. A message that continues from the newest position ends the doubt.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    epoch: i64,
    /// The number of snapshots in a row that seem too old.
    answers: u32,
    /// The seq of the first of them …
    first: u64,
    /// … and of the last.
    last: u64,
    /// The highest seq of a message since then, if it is not below the first snapshot's.
    heard: Option<u64>,
}

/// The sequence of one language.
#[derive(Debug)]
pub(super) struct Sequence<T> {
    /// The newest epoch, with the last event seen of it.
    newest: Option<Position>,
    retired: VecDeque<Position>,
    /// An epoch that only one snapshot has named so far. It is accepted when the next snapshot names it too.
    rumoured: Option<i64>,
    doubt: Option<Doubt>,
    /// Whether the offer is complete up to the last event seen.
    whole: bool,
    /// A snapshot must contain all events up to here.
    needed: u64,
    kept: VecDeque<(u64, Arc<T>)>,
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

    /// The offer is dropped: the next snapshot must contain all events seen so far.
    pub(super) fn give_up(&mut self) {
        self.whole = false;
        self.require(self.newest.map_or(0, |newest| newest.seq));
    }

    /// A live event. It is kept, unless the offer is complete and the event can be applied at once.
    pub(super) fn event(&mut self, position: Position, event: &Arc<T>) -> Arrival {
        let arrival = self.arrive(position, position.seq.saturating_sub(1));
        if arrival != Arrival::Stale && !self.whole {
            self.keep(position.seq, event);
        }
        arrival
    }

    /// A live event of which only the position could be read.
    pub(super) fn unreadable(&mut self, position: Position) -> Arrival {
        match self.arrive(position, position.seq) {
            // The position is seen, but the content is missing.
            Arrival::InOrder => {
                self.miss(position.seq);
                Arrival::Gap
            }
            other => other,
        }
    }

    /// A feed-active message with the position of the last live event.
    pub(super) fn told(&mut self, position: Position) -> Arrival {
        let behind = match self.newest {
            Some(newest) if newest.epoch == position.epoch => {
                if position.seq == newest.seq {
                    self.doubt = None;
                }
                position.seq > newest.seq
            }
            // For a former epoch it may repeat the last event seen of it: that producer is active again.
            Some(_) => self.last_of(position.epoch).is_none_or(|last| position.seq >= last),
            None => true,
        };
        if !behind {
            self.hear(position);
            return Arrival::Stale;
        }
        let restarted = self.newest.is_some_and(|newest| newest.epoch != position.epoch);
        self.begin(position, position.seq);
        if restarted { Arrival::NewEpoch } else { Arrival::Gap }
    }

    /// A snapshot taken at `position`. Returns the kept events to apply to it, or why it cannot be used.
    pub(super) fn snapshot(&mut self, position: Position) -> Result<Vec<Arc<T>>, Unfit> {
        match self.newest {
            Some(newest) if newest.epoch != position.epoch => {
                // One snapshot does not replace an epoch that events have shown: it may come from a producer that is
                // stopping. If the next snapshot names the same unknown epoch, the producer has restarted and has sent
                // no event yet.
                let confirmed = self.rumoured.replace(position.epoch) == Some(position.epoch);
                if self.last_of(position.epoch).is_some() {
                    return self.doubted(position, Unfit::OtherEpoch);
                }
                self.doubt = None;
                if !confirmed {
                    return Err(Unfit::OtherEpoch);
                }
                self.begin(position, position.seq);
            }
            Some(_) if position.seq < self.needed => return self.doubted(position, Unfit::BeforeGap),
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

    /// Classifies the position of a live event. If it is not the next one, a snapshot must contain everything up to
    /// `missing`.
    fn arrive(&mut self, position: Position, missing: u64) -> Arrival {
        match self.newest {
            Some(newest) if newest.epoch == position.epoch => {
                if position.seq <= newest.seq {
                    if position.seq < newest.seq {
                        self.hear(position);
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
                self.hear(position);
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

    /// A message has a position that was seen already.
    fn hear(&mut self, position: Position) {
        if let Some(doubt) = self.doubt.as_mut().filter(|doubt| doubt.epoch == position.epoch)
            && position.seq >= doubt.first
        {
            doubt.heard = doubt.heard.max(Some(position.seq));
        }
    }

    /// A snapshot that seems too old. After enough of them in a row, if messages agree with them, the sequence
    /// continues at their position.
    fn doubted(&mut self, position: Position, unfit: Unfit) -> Result<Vec<Arc<T>>, Unfit> {
        let Position { epoch, seq } = position;
        let goes_on = |doubt: &Doubt| doubt.epoch == epoch && doubt.last <= seq;
        let first = Doubt { epoch, answers: 0, first: seq, last: seq, heard: None };
        let before = self.doubt.take().filter(goes_on).unwrap_or(first);
        let doubt = Doubt { answers: before.answers + 1, last: seq, ..before };
        let Some(heard) = doubt.heard.filter(|_| doubt.answers >= ANSWERS_BEFORE_GAP_MAX) else {
            self.doubt = Some(doubt);
            return Err(unfit);
        };
        let at = Position { epoch, seq: seq.max(heard) };
        self.begin(at, at.seq);
        self.snapshot(position)
    }

    fn last_of(&self, epoch: i64) -> Option<u64> {
        self.retired.iter().find(|retired| retired.epoch == epoch).map(|retired| retired.seq)
    }

    fn miss(&mut self, needed: u64) {
        self.whole = false;
        self.require(needed);
    }

    fn require(&mut self, needed: u64) {
        self.needed = needed;
        self.kept.clear();
        self.weight = 0;
    }

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
            assert_eq!(sequence.told(position), expected, "{name}");
            assert_eq!(sequence.is_whole(), expected == Arrival::Stale, "{name}");
        }
    }

    #[test]
    fn late_messages_of_a_former_epoch_change_nothing() {
        let mut sequence = whole(1, 10);
        assert_eq!(see(&mut sequence, 2, 1), Arrival::NewEpoch);
        assert_eq!(see(&mut sequence, 1, 10), Arrival::Stale);
        assert_eq!(sequence.told(at(1, 9)), Arrival::Stale);
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
            ("feed-active names it", |sequence| assert_eq!(sequence.told(at(1, 9_000)), Arrival::Stale)),
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
