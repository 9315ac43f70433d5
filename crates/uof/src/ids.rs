//! Our ids of markets and odds, derived from the names of the feed: the same on every node and after every restart
//! (contract 10). Two lines with one id are detected, and neither is offered.

use crate::line_key::LineKey;
use crate::urn::Urn;
use kvota_domain::Text;
use kvota_domain::ids::{MarketId, OddId};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The id of a line.
pub fn market_id(event: &Urn, line: &LineKey) -> MarketId {
    named(MarketId::new, &[event.as_str(), &line.market.to_string(), line.specifiers.as_str()]).0
}

/// The id of an outcome of a line.
pub fn odd_id(event: &Urn, line: &LineKey, outcome: &str) -> OddId {
    named(OddId::new, &[event.as_str(), &line.market.to_string(), line.specifiers.as_str(), outcome]).0
}

/// More bits of the same hash: what has another name has another fingerprint.
type Fingerprint = u128;

/// 53 bits of a hash of the parts, which are separated by a byte that none of them contains.
fn named<T>(id: impl Fn(u64) -> Option<T>, parts: &[&str]) -> (T, Fingerprint) {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let digest = hash.finalize();
    let number = |from: usize, len: usize| {
        digest.iter().skip(from).take(len).fold(0_u128, |number, byte| (number << 8) | u128::from(*byte))
    };
    let eight = number(0, 8) as u64;
    (id(eight >> 11).expect("53 bits are an id"), number(8, 16))
}

/// The ids of a line and of its outcomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineIds {
    /// The id of the line.
    pub market: MarketId,
    /// The ids of its outcomes, by their names.
    pub odds: Vec<(Text, OddId)>,
    /// Whether they are this line's alone. If not, it is not offered.
    pub are_own: bool,
}

impl LineIds {
    /// The id of an outcome.
    pub fn odd(&self, outcome: &str) -> Option<OddId> {
        self.place(0, outcome).map(|(_, id)| id)
    }

    /// The place of an outcome and its id; `near` is where it is looked for first.
    pub fn place(&self, near: usize, outcome: &str) -> Option<(usize, OddId)> {
        let is_here = |(_, (name, _)): &(usize, &(Text, OddId))| &**name == outcome;
        let first = self.odds.get(near).map(|held| (near, held)).filter(is_here);
        first.or_else(|| self.odds.iter().enumerate().find(is_here)).map(|(place, (_, id))| (place, *id))
    }
}

/// The ids of all lines, to find two names with one id.
#[derive(Clone, Debug, Default)]
pub struct LineRegister {
    markets: Register<Fingerprint>,
    odds: Register<Fingerprint>,
}

impl LineRegister {
    /// Registers a line with these outcomes, beside those that it had before.
    pub fn register<'a>(
        &mut self,
        event: &Urn,
        line: &LineKey,
        outcomes: impl Iterator<Item = &'a Text>,
        before: Option<LineIds>,
    ) -> LineIds {
        let market = line.market.to_string();
        let parts = [event.as_str(), &market, line.specifiers.as_str()];
        let mut ids = before.unwrap_or_else(|| {
            let (market, fingerprint) = named(MarketId::new, &parts);
            let are_own = self.markets.is_own(market.get(), fingerprint);
            LineIds { market, odds: Vec::new(), are_own }
        });
        for outcome in outcomes {
            if ids.odd(outcome).is_none() {
                let [event, market, specifiers] = parts;
                let (odd, fingerprint) = named(OddId::new, &[event, market, specifiers, outcome]);
                ids.are_own &= self.odds.is_own(odd.get(), fingerprint);
                ids.odds.push((Text::clone(outcome), odd));
            }
        }
        ids
    }

    /// Whether the ids of a line are still its own: another line may have come with one of them.
    pub fn are_own(&self, ids: &LineIds) -> bool {
        ids.are_own
            && !self.markets.is_collision(ids.market.get())
            && !ids.odds.iter().any(|(_, odd)| self.odds.is_collision(odd.get()))
    }

    /// Whether any two names have one id, which is rarer than any other fault.
    pub fn has_collisions(&self) -> bool {
        self.markets.collisions > 0 || self.odds.collisions > 0
    }

    /// Forgets the ids of a line that has left.
    pub fn forget(&mut self, ids: &LineIds) {
        self.markets.forget(ids.market.get());
        ids.odds.iter().for_each(|(_, odd)| self.odds.forget(odd.get()));
    }
}

/// Which name has which id, to find two names with one id.
#[derive(Clone, Debug)]
pub struct Register<T> {
    names: HashMap<u64, Held<T>>,
    collisions: usize,
}

#[derive(Clone, Debug)]
enum Held<T> {
    One(T),
    Collision,
}

impl<T> Default for Register<T> {
    fn default() -> Register<T> {
        Register { names: HashMap::new(), collisions: 0 }
    }
}

impl<T: PartialEq> Register<T> {
    /// Registers a name with its id; whether the id is this name's alone. A collision lasts until both are forgotten.
    pub fn is_own(&mut self, id: u64, name: T) -> bool {
        match self.names.get(&id) {
            None => {
                self.names.insert(id, Held::One(name));
                true
            }
            Some(Held::One(held)) if *held == name => true,
            Some(held) => {
                self.collisions = self.collisions.saturating_add(usize::from(matches!(held, Held::One(_))));
                self.names.insert(id, Held::Collision);
                false
            }
        }
    }

    /// Whether two names have this id.
    pub fn is_collision(&self, id: u64) -> bool {
        matches!(self.names.get(&id), Some(Held::Collision))
    }

    /// Forgets an id, with the match that it belonged to.
    pub fn forget(&mut self, id: u64) {
        if let Some(Held::Collision) = self.names.remove(&id) {
            self.collisions = self.collisions.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line_key::Specifiers;

    fn line(market: i64, specifiers: &str) -> LineKey {
        LineKey { market, specifiers: Specifiers::parse(specifiers).unwrap() }
    }

    #[test]
    fn ids_follow_from_names_alone() {
        let event = Urn::parse("sr:match:1234").unwrap();
        let total = line(18, "total=2.5");
        // Bets refer to these numbers, so that they must never change.
        assert_eq!(market_id(&event, &total).get(), MARKET);
        assert_eq!(odd_id(&event, &total, "12").get(), ODD);
        let others = [
            market_id(&Urn::parse("sr:match:1235").unwrap(), &total).get(),
            market_id(&event, &line(18, "total=3.5")).get(),
            market_id(&event, &line(182, "total=.5")).get(),
            odd_id(&event, &total, "13").get(),
        ];
        assert!(others.iter().all(|other| ![MARKET, ODD].contains(other)));
    }

    #[test]
    fn a_line_is_registered_once_with_all_its_outcomes() {
        let event = Urn::parse("sr:match:1234").unwrap();
        let total = line(18, "total=2.5");
        let outcomes = ["12", "13"].map(Text::from);
        let mut register = LineRegister::default();
        let ids = register.register(&event, &total, outcomes[..1].iter(), None);
        let ids = register.register(&event, &total, outcomes.iter(), Some(ids));
        assert_eq!((ids.market.get(), ids.odd("12").map(OddId::get), ids.odds.len()), (MARKET, Some(ODD), 2));
        assert_eq!(ids.odd("13"), Some(odd_id(&event, &total, "13")));
        assert!(register.are_own(&ids) && !register.has_collisions());

        // Another line with the id of an outcome: neither is offered, until both are gone.
        assert!(!register.odds.is_own(ODD, 7));
        assert!(!register.are_own(&ids) && register.has_collisions());
        register.forget(&ids);
        assert!(!register.has_collisions());
    }

    const MARKET: u64 = 3_495_434_678_593_512;
    const ODD: u64 = 5_536_124_679_660_330;

    #[test]
    fn of_two_names_with_one_id_neither_is_offered() {
        let mut register = Register::default();
        assert!(register.is_own(7, "a") && register.is_own(7, "a") && !register.is_collision(7));
        assert!(!register.is_own(7, "b"));
        assert!(!register.is_own(7, "a") && register.is_collision(7));
        register.forget(7);
        assert!(register.is_own(7, "b"));
    }
}
