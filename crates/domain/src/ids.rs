//! The ids of the offer (CONTRACT 0): unsigned, unique within their kind over the whole offer, at most 2^53 - 1 so
//! that a browser's numbers hold them exactly. Types of their own, so that an odd's id never lands where a market's
//! belongs (the bet's `marketId`, of all fields, is an odd's id).

use std::collections::HashMap;
use std::fmt;

/// The largest id, 2^53 - 1 (CONTRACT 0, *Types*).
pub const ID_MAX: u64 = (1 << 53) - 1;

/// What is looked up by an id. The ids are the feed's, so that a quick hash, always the same, is enough.
pub type IdMap<Id, Value> = HashMap<Id, Value, foldhash::fast::FixedState>;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u64);

        impl $name {
            /// The lowest id.
            pub const MIN: $name = $name(0);

            /// The id, or nothing above 2^53 - 1.
            pub const fn new(id: u64) -> Option<$name> {
                if id <= ID_MAX { Some($name(id)) } else { None }
            }

            /// The number itself.
            pub const fn get(self) -> u64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// A sport (1 soccer, 2 basketball …).
    SportId
);
id!(
    /// A match.
    MatchId
);
id!(
    /// One market of one match.
    MarketId
);
id!(
    /// One odd (outcome) of one market of one match.
    OddId
);

/// Soccer: the sport whose score changes are goals.
pub const SOCCER: SportId = SportId(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_fits_a_browsers_number() {
        assert_eq!(MatchId::new(ID_MAX).map(MatchId::get), Some(9_007_199_254_740_991));
        assert_eq!(MatchId::new(ID_MAX + 1), None);
    }
}
