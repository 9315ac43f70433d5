//! The periods of a recorded soccer match, and its two sides by index.

use kvota_domain::matches::Side;

/// The index of a side in every `[home, away]` pair.
pub const fn place(side: Side) -> usize {
    match side {
        Side::Home => 0,
        Side::Away => 1,
    }
}

/// The opposing side.
pub const fn other(side: Side) -> Side {
    match side {
        Side::Home => Side::Away,
        Side::Away => Side::Home,
    }
}

/// A period of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Period {
    /// Minutes 1 to 45.
    FirstHalf,
    /// Minutes 46 to 90.
    SecondHalf,
    /// Minutes 91 to 105.
    ExtraFirst,
    /// Minutes 106 to 120.
    ExtraSecond,
    /// Kicks from the penalty mark.
    ShootOut,
}

impl Period {
    /// The match clock at its start, in seconds.
    pub const fn base_s(self) -> i64 {
        match self {
            Period::FirstHalf => 0,
            Period::SecondHalf => 45 * 60,
            Period::ExtraFirst => 90 * 60,
            Period::ExtraSecond => 105 * 60,
            Period::ShootOut => 120 * 60,
        }
    }

    /// The match clock after it, in seconds. Stoppage time is not included.
    pub const fn end_s(self) -> i64 {
        match self {
            Period::FirstHalf => 45 * 60,
            Period::SecondHalf => 90 * 60,
            Period::ExtraFirst => 105 * 60,
            Period::ExtraSecond | Period::ShootOut => 120 * 60,
        }
    }

    /// The offer's `status` while it is played.
    pub const fn status(self) -> &'static str {
        match self {
            Period::FirstHalf => "first_half",
            Period::SecondHalf => "second_half",
            Period::ExtraFirst => "first_extra",
            Period::ExtraSecond => "second_extra",
            Period::ShootOut => "penalties",
        }
    }
}
