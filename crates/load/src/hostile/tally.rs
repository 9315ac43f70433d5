//! Counts of hostile clients by kind. Filled by `client.rs`, added to the results by `collect.rs`.

use super::Kind;
use crate::fault::Fault;
use crate::tally::Pair;
use std::collections::BTreeMap;
use std::time::Duration;

/// Codes of a rejection: too many requests of one client, server overloaded, abuse of the hub.
pub const REJECTIONS: [&str; 3] = ["429", "503", "1008"];

/// The counts of one kind.
#[derive(Clone, Debug, Default)]
pub struct KindTally {
    /// Actions that were due and carried out.
    pub actions: u64,
    /// The number of these that were answered.
    pub answered: u64,
    /// Opened connections to the hub.
    pub connections: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Time to the answer, from the intended and from the actual moment.
    pub times: Pair,
    /// Rejections by code, see [`REJECTIONS`].
    pub rejections: BTreeMap<&'static str, u64>,
    /// All other failures.
    pub errors: BTreeMap<String, u64>,
}

impl KindTally {
    /// Counts an answer.
    pub fn answer(&mut self, felt: Duration, served: Duration) {
        self.answered += 1;
        self.times.felt.record(felt);
        self.times.served.record(served);
    }

    /// Counts a failure instead of an answer.
    pub fn fault(&mut self, what: &str, fault: &Fault) {
        let code = match fault {
            Fault::Status(429) => Some(REJECTIONS[0]),
            Fault::Status(503) => Some(REJECTIONS[1]),
            Fault::Closed(Some(1008)) => Some(REJECTIONS[2]),
            _ => None,
        };
        match code {
            Some(code) => *self.rejections.entry(code).or_default() += 1,
            None => *self.errors.entry(format!("{what}: {fault}")).or_default() += 1,
        }
    }
}

/// The counts of all hostile clients.
#[derive(Clone, Debug, Default)]
pub struct HostileTally {
    /// Counts by kind.
    pub kinds: BTreeMap<Kind, KindTally>,
    /// CPU time of their thread.
    pub busy: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejections_are_counted_by_their_code_and_other_faults_by_their_name() {
        let mut tally = KindTally::default();
        for fault in [Fault::Status(429), Fault::Status(503), Fault::Closed(Some(1008)), Fault::Status(429)] {
            tally.fault("handshake", &fault);
        }
        tally.fault("handshake", &Fault::Closed(None));
        assert_eq!(tally.rejections, BTreeMap::from([("429", 2), ("503", 1), ("1008", 1)]));
        assert_eq!(tally.errors, BTreeMap::from([("handshake: closed".to_owned(), 1)]));
    }
}
