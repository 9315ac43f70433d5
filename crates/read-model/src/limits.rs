//! Limits of the bodies of the offer and of snapshots, each with its reason; the unit comes last in the name.

/// The shortest time between two builds of a `live/offer` body of one language, encoding and view. Requests that arrive
/// sooner share the next build, so a page loads at most this much later.
pub const OFFER_BODY_AGE_MS_MIN: u64 = 250;
/// Offer bodies assembled or compressed at the same time: a client that requests many in a loop can occupy only one
/// core.
pub const OFFER_BODIES_AT_ONCE_MAX: usize = 1;

/// Attempts to read the matches of a bet at one revision before the task yields. A change of the offer takes
/// microseconds, so the second attempt usually succeeds.
pub const SNAPSHOT_ATTEMPTS_PER_TURN: usize = 1_000;
/// How long the task waits after it yielded.
pub const SNAPSHOT_PAUSE_BETWEEN_TURNS_MS: u64 = 1;
/// How long the attempts go on before the bet is answered with 503. A busy machine may interrupt a writer in the middle
/// of a change for tens of milliseconds; after a second the change will not finish.
pub const SNAPSHOT_MS_MAX: u64 = 1_000;
