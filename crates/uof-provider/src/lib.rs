//! A provider of the Unified Odds Feed, to try the adapter with: it plays recorded and simulated matches, publishes them
//! to a broker as a provider does, answers the calls of its REST interface, and makes the faults that the feed is known
//! for.
//!
//! | file | subject |
//! |---|---|
//! | [`provider`] | the feed: matches in, messages and documents out |
//! | [`faults`] | what goes wrong on purpose |
//! | `markets` | which of our markets is which of the provider's |
//! | `messages`, `documents` | the XML of messages and of REST answers |
//! | [`serving`] | the broker and the REST interface |
//!
//! Must not know the adapter: the two are written from the documentation of the feed alone.

mod documents;
pub mod faults;
mod markets;
mod messages;
pub mod provider;
pub mod serving;
