//! The port of generated offers: a replay or a simulation that plays matches by itself. [`super::producer`] drives
//! generators and gives their changes the form of a feed; a generator knows of no sequence, message or language but
//! the words it renders. It must never read a clock or draw a random number without a seed: the same moments give the
//! same changes.

use crate::results::MatchDecisions;
use kvota_domain::feed::{Change, Time};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::matches::Match;
use kvota_domain::sport::SportPatch;
use std::fmt::Debug;
use std::sync::Arc;

/// Plays matches.
pub trait Generator: Send {
    /// The sports it plays, whole, in a language.
    fn sports(&self, lang: Lang) -> Vec<SportPatch>;

    /// Goes on to `to_ms` (ms since the epoch; never backwards) and tells what changed since the last call, in the
    /// order in which it happened. A match that changed several times in between is told once, as it is now.
    fn advance(&mut self, to_ms: i64) -> Vec<GeneratedChange>;

    /// The markets that the latest [`Generator::advance`] decided, each once in its life. The changes of that call have
    /// taken them off the offer.
    fn take_decisions(&mut self) -> Vec<MatchDecisions> {
        Vec::new()
    }

    /// When something happens next, in ms since the epoch; nothing where never again.
    fn next_due_ms(&self) -> Option<i64>;
}

/// Something that happened to a match.
#[derive(Clone, Debug)]
pub struct GeneratedChange {
    /// When, in ms since the epoch.
    pub at_ms: i64,
    /// What became of the match.
    pub change: Change,
    /// The match after it.
    pub state: Arc<dyn RenderMatch>,
}

/// A match at one moment, language-neutral, which can be written down in any language. Immutable and shared: the
/// producer keeps the latest one of each match for snapshots.
pub trait RenderMatch: Debug + Send + Sync {
    /// Which match.
    fn id(&self) -> MatchId;

    /// Of which sport.
    fn sport_id(&self) -> SportId;

    /// How many markets and odds it has: what it weighs in a message.
    fn entities(&self) -> usize;

    /// The match in a language, its clock carried on to `date_ms`.
    fn render(&self, lang: Lang, date_ms: i64) -> (Match, Time);
}

/// Markets a match may have over its life: the size of its block of market ids.
pub const BLOCK_MARKETS: u64 = 1024;
/// Odds a match may have over its life: the size of its block of odd ids.
pub const BLOCK_ODDS: u64 = 4096;

/// Numbers that several generators share without meeting: generator k of n takes k, k + n, k + 2n … A match takes a
/// block number, and the ids of its markets and odds lie in that block, so that they stay small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blocks {
    next: u64,
    step: u64,
}

impl Blocks {
    /// The blocks of generator `index` (from 0) of `generators`.
    pub fn of(index: u64, generators: u64) -> Blocks {
        Blocks { next: index, step: generators.max(1) }
    }

    /// A block that was never taken before.
    pub fn take(&mut self) -> u64 {
        let taken = self.next;
        self.next = self.next.saturating_add(self.step);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_never_take_the_same_block() {
        let mut taken = std::collections::HashSet::new();
        for mut blocks in [Blocks::of(0, 2), Blocks::of(1, 2)] {
            for _ in 0..100 {
                assert!(taken.insert(blocks.take()));
            }
        }
        assert_eq!(taken.iter().max(), Some(&199), "nothing is left out");
    }
}
