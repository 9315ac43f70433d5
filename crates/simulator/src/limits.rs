//! Limits of the results that a producer keeps, each with its reason; the unit comes last in the name.

/// How long a producer keeps the results of a match that has left the offer, in ms of its own clock: a node that was
/// away for a day still gets them (CONTRACT 7, *Requests for results*).
pub const RESULTS_KEPT_MS: i64 = 24 * 3_600_000;
/// Markets and odds kept with those results, some 20 bytes each: 80 MB. Beyond this the results of the match that left
/// first are dropped early.
pub const RESULTS_KEPT_ENTITIES_MAX: usize = 4_000_000;
