//! The state of the feed as every part of the program and every client sees it.

/// The state of the feed in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FeedState {
    /// No offer and no bets.
    #[default]
    Inactive,
    /// The offer stays readable; every match counts as suspended.
    Recovering,
    /// The feed is live.
    Active,
}

impl FeedState {
    /// 0 inactive, 1 recovering, 2 active.
    pub const fn number(self) -> u8 {
        self as u8
    }
}
