//! The two lowest floors as a crate of their own, with the tests that need no more than them: what `scripts/mutation.sh`
//! hands to cargo-mutants, for the whole crate takes a minute to compile and this one seconds. Put into `build/mutation`
//! beside copies of the files it names, without the feature `wire` for mutants of the domain; never part of the program, nor
//! compiled where it lies.

// Tests outside of the crate name it from outside.
extern crate self as kvota;

pub mod domain;
#[cfg(feature = "wire")]
pub mod read_model;
#[cfg(feature = "wire")]
pub mod wire;

/// What the tests of the hub's messages have of the floor above: the ticket as a tab is told it.
#[cfg(feature = "wire")]
pub mod actors {
    /// See the whole crate.
    pub mod session {
        mod telling;
        pub use telling::ticket_info;
    }
}

/// The pure parts of the test kit.
pub mod testkit {
    pub mod builders;
    #[allow(dead_code, reason = "probes call the rest of it")]
    mod history;
    pub mod measured;
    #[cfg(feature = "wire")]
    pub mod mutator;
    pub mod seed;
    pub mod slip;
    pub mod story;
    pub mod table;
    #[cfg(feature = "wire")]
    pub mod targets;
}

/// The table of the sports without its eighteen models: those which the tests' tables name.
pub mod feed {
    /// See the whole crate.
    pub mod simulator {
        /// See the whole crate.
        pub mod sports {
            use crate::domain::ids::SportId;
            use crate::domain::lang::PerLang;
            use crate::domain::sport::SportPatch;

            /// A sport of the table.
            #[derive(Debug)]
            pub struct Entry {
                /// What the feed says of it.
                pub patch: PerLang<SportPatch>,
            }

            /// The sport of a word.
            pub fn find(word: &str) -> Option<Entry> {
                let id = SportId::new(5).filter(|_| word == "tennis")?;
                let patch = SportPatch { id, ..crate::testkit::builders::soccer() };
                Some(Entry { patch: PerLang::new(|_| patch.clone()) })
            }

            /// The words.
            pub fn listed() -> String {
                "tennis".to_owned()
            }
        }
    }
}

/// A cookie that is nothing but the session's text: the signature is of a floor above.
#[cfg(feature = "wire")]
pub mod http {
    /// See the whole crate.
    pub mod session_cookie {
        use crate::domain::session::SessionId;

        /// See the whole crate.
        #[derive(Debug)]
        pub struct CookieKey;

        impl CookieKey {
            /// Of any bytes.
            pub fn new(_: &[u8; 32]) -> CookieKey {
                CookieKey
            }

            /// The text of a session.
            pub fn sign(&self, session: SessionId) -> String {
                session.to_text()
            }

            /// The session of a text.
            pub fn verify(&self, text: &str) -> Option<SessionId> {
                SessionId::from_text(text)
            }
        }
    }
}

// The tests that stand outside of the floors. Those of the ticket call their kit `crate::kit`; nothing of the wire is in
// them nor in those of the offer, so that its mutants are spared compiling them.
#[cfg(all(test, not(feature = "wire")))]
#[path = "../tests/ticket"]
mod of_the_ticket {
    pub(crate) mod kit;
    mod builder_codes;
    mod judged_again;
    mod pairs;
    mod placing;
    mod properties;
    mod reference;
    mod stake;
    mod totals;
}
#[cfg(all(test, not(feature = "wire")))]
use of_the_ticket::kit;
#[cfg(all(test, not(feature = "wire")))]
#[path = "../tests/domain/main.rs"]
mod of_the_offer;
#[cfg(all(test, feature = "wire"))]
#[path = "../tests/hub/golden.rs"]
mod of_the_hub;
#[cfg(all(test, feature = "wire"))]
#[path = "../tests/hub/bodies.rs"]
mod of_bodies;
#[cfg(all(test, feature = "wire"))]
#[path = "../tests/hub/commands.rs"]
mod of_commands;
#[cfg(all(test, feature = "wire"))]
#[path = "../tests/testkit/mutated.rs"]
mod of_damage;
#[cfg(test)]
#[path = "../tests/testkit/rules.rs"]
mod of_stories;
