//! Our ids of markets and odds, derived from the names of the feed: the same on every node and after every restart
//! (contract 10). Two lines with one id are detected, and neither is offered.

use crate::line_key::LineKey;
use crate::urn::Urn;
use kvota_domain::ids::{MarketId, OddId};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The id of a line.
pub fn market_id(event: &Urn, line: &LineKey) -> MarketId {
    named(MarketId::new, &[event.as_str(), &line.market.to_string(), line.specifiers.as_str()])
}

/// The id of an outcome of a line.
pub fn odd_id(event: &Urn, line: &LineKey, outcome: &str) -> OddId {
    named(OddId::new, &[event.as_str(), &line.market.to_string(), line.specifiers.as_str(), outcome])
}

/// 53 bits of a hash of the parts, which are separated by a byte that none of them contains.
fn named<T>(id: impl Fn(u64) -> Option<T>, parts: &[&str]) -> T {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let digest = hash.finalize();
    let eight = digest.iter().take(8).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    id(eight >> 11).expect("53 bits are an id")
}

/// Which name has which id, to find two names with one id.
#[derive(Clone, Debug)]
pub struct Register<T> {
    names: HashMap<u64, Held<T>>,
}

#[derive(Clone, Debug)]
enum Held<T> {
    One(T),
    Collision,
}

impl<T> Default for Register<T> {
    fn default() -> Register<T> {
        Register { names: HashMap::new() }
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
            Some(_) => {
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
        self.names.remove(&id);
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
