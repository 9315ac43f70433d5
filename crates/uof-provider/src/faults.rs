//! What goes wrong on purpose, each for a time: the faults that the documentation of the feed warns of.

use std::collections::BTreeMap;

/// The longest fault, in seconds.
pub const SECONDS_MAX: u32 = 3_600;

/// A fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// Nothing is sent, and what happens meanwhile is lost.
    Silence,
    /// There are no signs of life; everything else is sent.
    NoAlive,
    /// The signs of life say that nothing is sent to this reader, and nothing else is sent.
    Unsubscribed,
    /// Recoveries do not end.
    NoSnapshot,
    /// Before its end a recovery of another request ends.
    WrongSnapshot,
    /// Calls for a recovery are refused.
    Refused,
    /// All other calls are refused.
    NoDocuments,
    /// Messages that cannot be read are sent between the others.
    Malformed,
    /// Every message comes twice.
    Twice,
    /// The messages of different matches change their order.
    Shuffled,
}

impl Fault {
    /// All of them, with their names.
    pub const ALL: [(Fault, &'static str); 10] = [
        (Fault::Silence, "silence"),
        (Fault::NoAlive, "no-alive"),
        (Fault::Unsubscribed, "unsubscribed"),
        (Fault::NoSnapshot, "no-snapshot"),
        (Fault::WrongSnapshot, "wrong-snapshot"),
        (Fault::Refused, "refused"),
        (Fault::NoDocuments, "no-documents"),
        (Fault::Malformed, "malformed"),
        (Fault::Twice, "twice"),
        (Fault::Shuffled, "shuffled"),
    ];

    /// The fault with this name.
    pub fn named(name: &str) -> Option<Fault> {
        Fault::ALL.into_iter().find(|(_, held)| *held == name).map(|(fault, _)| fault)
    }
}

/// The faults at present.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Faults {
    until_ms: BTreeMap<Fault, i64>,
}

impl Faults {
    /// Makes a fault until a time, in ms since the epoch.
    pub fn begin(&mut self, fault: Fault, until_ms: i64) {
        self.until_ms.insert(fault, until_ms);
    }

    /// Whether there is this fault.
    pub fn has(&self, fault: Fault, now_ms: i64) -> bool {
        self.until_ms.get(&fault).is_some_and(|until_ms| now_ms < *until_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_lasts_for_its_time() {
        let mut faults = Faults::default();
        faults.begin(Fault::Twice, 10);
        assert!(faults.has(Fault::Twice, 9) && !faults.has(Fault::Twice, 10) && !faults.has(Fault::Silence, 9));
        assert_eq!(Fault::named("no-alive"), Some(Fault::NoAlive));
        assert_eq!(Fault::named("none"), None);
    }
}
