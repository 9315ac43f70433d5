//! The ids of the offer (CONTRACT 0): unsigned, unique within their kind over the whole offer, at most 2^53 - 1 so that
//! JavaScript numbers hold them exactly. Each kind has its own type, so that the compiler rejects an odd's id for a
//! market's (the bet's `marketId` is an odd's id).

use std::collections::HashMap;
use std::fmt;

/// The largest id, 2^53 - 1 (CONTRACT 0, *Types*).
pub const ID_MAX: u64 = (1 << 53) - 1;

/// A map by id. The ids come from the feed, which is trusted, so a fast hash with a fixed seed is enough.
pub type IdMap<Id, Value> = HashMap<Id, Value, foldhash::fast::FixedState>;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u64);

        impl $name {
            /// The lowest id.
            pub const MIN: $name = $name(0);

            /// The id; `None` above 2^53 - 1.
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
