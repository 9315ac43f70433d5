//! Limits of the offer and of sessions, each with its reason; the unit comes last in the name.

/// Price changes kept per odd: some minutes of a lively odd, and as many steps as a small chart can show.
pub const HISTORY_CHANGES_MAX: usize = 64;
/// Odds per match whose changes are kept: twice as many as a match of the richest sport has. With
/// [`HISTORY_CHANGES_MAX`] it bounds a match at 300 KiB; see [`crate::price_history`] for the usual size.
pub const HISTORY_ODDS_MAX: usize = 512;
/// Incidents kept per match: three times the goals, cards and corners of a lively match with extra time.
pub const HISTORY_INCIDENTS_MAX: usize = 120;
/// Minutes per match for which the pressure is kept: two halves and extra time.
pub const HISTORY_MINUTES_MAX: usize = 120;
/// Numbers of a fact of a tracker: all scores of a basketball match, with four numbers each.
pub const FACT_NUMBERS_MAX: usize = 480;

/// Favourites of one session: more than a day's offer of one sport, and few enough to be saved and sent as a whole at
/// each change.
pub const FAVOURITES_MAX: usize = 1_000;

/// Matches in one request for results (CONTRACT 7, *Requests for results*).
pub const RESULT_MATCHES_ASKED_MAX: usize = 1_000;
