//! The interface of generators: replays and simulations that play matches by themselves. [`super::producer`] drives
//! them and turns their changes into a feed. A generator must not know about messages or their sequence. It must never
//! read a clock or draw a random number without a seed: the same times give the same changes.

use crate::results::MatchDecisions;
use kvota_domain::feed::{Change, Time};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::matches::Match;
use kvota_domain::settlement::{MatchResults, RequestedMatch};
use kvota_domain::sport::SportPatch;
use std::fmt::Debug;
use std::sync::Arc;

/// Plays matches.
pub trait Generator: Send {
    /// The sports it plays, whole, in a language.
    fn sports(&self, lang: Lang) -> Vec<SportPatch>;

    /// A sport that it plays and that was not known at the start.
    fn sport(&self, _: SportId, _: Lang) -> Option<SportPatch> {
        None
    }

    /// Whether its matches can be offered at present.
    fn is_active(&self) -> bool {
        true
    }

    /// The results since the last call, if it makes them itself instead of decisions.
    fn take_results(&mut self) -> Vec<MatchResults> {
        Vec::new()
    }

    /// The current results of matches, if it keeps them itself; otherwise `None`.
    fn present_results(&mut self, _: &[RequestedMatch]) -> Option<Vec<MatchResults>> {
        None
    }

    /// Advances to `to_ms` (ms since the epoch; never backwards). Returns the changes since the last call, in the order
    /// in which they happened. A match that changed several times is returned once, in its newest state.
    fn advance(&mut self, to_ms: i64) -> Vec<GeneratedChange>;

    /// The markets that the latest [`Generator::advance`] decided, each once in its life. The changes of that call have
    /// taken them off the offer.
    fn take_decisions(&mut self) -> Vec<MatchDecisions> {
        Vec::new()
    }

    /// The time of the next change, in ms since the epoch; `None` if there are no more changes.
    fn next_due_ms(&self) -> Option<i64>;
}

/// Something that happened to a match.
#[derive(Clone, Debug)]
pub struct GeneratedChange {
    /// When, in ms since the epoch.
    pub at_ms: i64,
    /// How the match changed.
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

/// Ids are counted from this moment: 2026-01-01T00:00:00Z, in ms since the epoch.
const IDS_SINCE_MS: i64 = 1_767_225_600_000;
/// Two starts of a producer have different ids if they are at least 1/16 of a second apart.
const TICKS_A_SECOND: u64 = 16;
/// Blocks that a producer may take for each tick until the next start; of the rounds of match ids, one.
const BLOCKS_A_TICK: u64 = 256;
/// Odd ids have 53 bits (CONTRACT 0), so block numbers have 41. They repeat after 17 years.
const BLOCK_NUMBERS: u64 = (1 << 53) / BLOCK_ODDS;

/// The ids that one generator may give. Ids are unique over time (CONTRACT 0): no other generator, and no other start
/// of the producer, gives the same ones.
///
/// A match takes a block number; the ids of its markets and odds are in that block. Generator k of n takes every nth
/// block. Each start of a producer begins at numbers that follow from the time of the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdSpace {
    first_round: u64,
    next_block: u64,
    step: u64,
}

impl IdSpace {
    /// The ids of generator `index` (from 0) of `generators`, for a producer that started at `started_ms` (ms since the
    /// epoch). Any start before 2026 gives the smallest ids.
    pub fn new(index: u64, generators: u64, started_ms: i64) -> IdSpace {
        let since_ms = u64::try_from(started_ms.saturating_sub(IDS_SINCE_MS)).unwrap_or(0);
        let ticks = since_ms.saturating_mul(TICKS_A_SECOND) / 1000;
        let step = generators.max(1);
        let first_block = ticks.saturating_mul(BLOCKS_A_TICK) % BLOCK_NUMBERS;
        IdSpace { first_round: ticks, next_block: first_block / step * step + index, step }
    }

    /// A block that was never taken before.
    pub fn take_block(&mut self) -> u64 {
        let taken = self.next_block;
        self.next_block = (taken + self.step) % BLOCK_NUMBERS;
        taken
    }

    /// The first round of match ids; a round is one million ids.
    pub fn first_round(&self) -> u64 {
        self.first_round
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::ids::ID_MAX;
    use std::collections::HashSet;

    const TODAY_MS: i64 = IDS_SINCE_MS + 330 * 24 * 3_600_000;

    #[test]
    fn generators_never_take_the_same_block() {
        let mut taken = HashSet::new();
        for mut ids in [IdSpace::new(0, 2, 0), IdSpace::new(1, 2, 0)] {
            for _ in 0..100 {
                assert!(taken.insert(ids.take_block()));
            }
        }
        assert_eq!(taken.iter().max(), Some(&199), "no block is left out");
    }

    #[test]
    fn a_producer_that_restarts_takes_other_blocks_and_rounds() {
        let mut blocks = HashSet::new();
        let mut rounds = HashSet::new();
        for start in 0..10 {
            for index in 0..2 {
                let mut ids = IdSpace::new(index, 2, TODAY_MS + start * 500);
                assert!((0..1000).all(|_| blocks.insert(ids.take_block())));
                rounds.insert(ids.first_round());
            }
        }
        assert_eq!(rounds.len(), 10);
    }

    #[test]
    fn ids_stay_within_53_bits_for_seventeen_years() {
        let mut ids = IdSpace::new(1, 2, IDS_SINCE_MS + 17 * 365 * 24 * 3_600_000);
        let block = ids.take_block();
        assert!((block + 1) * BLOCK_ODDS - 1 <= ID_MAX);
        assert!(ids.first_round() * 1_000_000 <= ID_MAX);
    }
}
