//! The state of a soccer match for the model: the phase, the clock and the counts so far. Kept by the play of a match,
//! read by the market builders. Must not contain anything of the future.

use kvota_domain::matches::Side;

/// `[home, away]` counts.
pub type Count = [u8; 2];

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

    /// The match clock in the break after it, in seconds. Stoppage time is not included.
    pub const fn end_s(self) -> i64 {
        match self {
            Period::FirstHalf => 45 * 60,
            Period::SecondHalf => 90 * 60,
            Period::ExtraFirst => 105 * 60,
            Period::ExtraSecond | Period::ShootOut => 120 * 60,
        }
    }
}

/// The phase of a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Before the kick-off.
    NotStarted,
    /// A period is played.
    Playing(Period),
    /// The break after a period.
    After(Period),
    /// Over.
    Ended,
}

impl Phase {
    /// The offer's `status` (CONTRACT 0): lower snake case.
    pub const fn status(self) -> &'static str {
        match self {
            Phase::NotStarted => "not_started",
            Phase::Playing(Period::FirstHalf) => "first_half",
            Phase::After(Period::FirstHalf) => "half_time",
            Phase::Playing(Period::SecondHalf) => "second_half",
            Phase::After(Period::SecondHalf) => "awaiting_extra_time",
            Phase::Playing(Period::ExtraFirst) => "first_extra",
            Phase::After(Period::ExtraFirst) => "extra_half_time",
            Phase::Playing(Period::ExtraSecond) => "second_extra",
            Phase::After(Period::ExtraSecond) => "awaiting_penalties",
            Phase::Playing(Period::ShootOut) => "penalties",
            Phase::After(Period::ShootOut) | Phase::Ended => "ended",
        }
    }

    /// The period being played, or the last one that was; none before the kick-off and after the end.
    pub const fn period(self) -> Option<Period> {
        match self {
            Phase::Playing(period) | Phase::After(period) => Some(period),
            Phase::NotStarted | Phase::Ended => None,
        }
    }

    /// Whether the 90 minutes are not over yet.
    pub fn is_regular(self) -> bool {
        matches!(
            self,
            Phase::NotStarted
                | Phase::Playing(Period::FirstHalf | Period::SecondHalf)
                | Phase::After(Period::FirstHalf)
        )
    }

    /// Whether the first half is not over yet.
    pub fn is_before_half_time(self) -> bool {
        matches!(self, Phase::NotStarted | Phase::Playing(Period::FirstHalf))
    }
}

/// A goal, as far as the markets ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LastGoal {
    /// The side it counted for.
    pub side: Side,
    /// In which period it fell.
    pub period: Period,
    /// Seconds since that period's start.
    pub second: u32,
}

/// The kicks from the penalty mark so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ShootOut {
    /// Kicks taken.
    pub taken: Count,
    /// Kicks that went in.
    pub scored: Count,
}

/// Everything that the model knows of a running match.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Situation {
    /// The current phase.
    pub phase: Phase,
    /// Seconds since the start of the period that is played; 0 in breaks.
    pub elapsed_s: u32,
    /// Whether a draw is played on.
    pub knock_out: bool,
    /// Goals of the first half.
    pub first: Count,
    /// Goals of the second half.
    pub second: Count,
    /// Goals of extra time.
    pub extra: Count,
    /// The latest goal of the 90 minutes.
    pub last_goal: Option<LastGoal>,
    /// Corners of the first half.
    pub corners_first: Count,
    /// All corners, extra time included.
    pub corners: Count,
    /// Yellow cards.
    pub yellow: Count,
    /// Red cards.
    pub red: Count,
    /// The shoot-out.
    pub shoot_out: ShootOut,
}

impl Situation {
    /// A match that has not begun.
    pub fn before(knock_out: bool) -> Situation {
        Situation {
            phase: Phase::NotStarted,
            elapsed_s: 0,
            knock_out,
            first: [0; 2],
            second: [0; 2],
            extra: [0; 2],
            last_goal: None,
            corners_first: [0; 2],
            corners: [0; 2],
            yellow: [0; 2],
            red: [0; 2],
            shoot_out: ShootOut::default(),
        }
    }

    /// Goals of the 90 minutes.
    pub fn regular(&self) -> Count {
        [0, 1].map(|side| self.first[side].saturating_add(self.second[side]))
    }

    /// All goals in play, extra time included.
    pub fn score(&self) -> Count {
        let regular = self.regular();
        [0, 1].map(|side| regular[side].saturating_add(self.extra[side]))
    }

    /// Whether a match that is over was played on after 90 minutes.
    pub fn went_to_extra_time(&self) -> bool {
        let [home, away] = self.regular();
        self.knock_out && home == away
    }

    /// All cards, a red one counting as one.
    pub fn cards(&self) -> Count {
        [0, 1].map(|side| self.yellow[side].saturating_add(self.red[side]))
    }

    /// Counts a goal in play.
    pub fn add_goal(&mut self, side: Side, period: Period, second: u32) {
        let goals = match period {
            Period::FirstHalf => &mut self.first,
            Period::SecondHalf => &mut self.second,
            Period::ExtraFirst | Period::ExtraSecond => &mut self.extra,
            Period::ShootOut => return,
        };
        goals[place(side)] = goals[place(side)].saturating_add(1);
        self.last_goal = Some(LastGoal { side, period, second });
    }

    /// Counts a yellow card.
    pub fn add_yellow(&mut self, side: Side) {
        let cards = &mut self.yellow[place(side)];
        *cards = cards.saturating_add(1);
    }

    /// Counts a red card.
    pub fn add_red(&mut self, side: Side) {
        let cards = &mut self.red[place(side)];
        *cards = cards.saturating_add(1);
    }

    /// Counts a corner.
    pub fn add_corner(&mut self, side: Side, period: Period) {
        let corners = &mut self.corners[place(side)];
        *corners = corners.saturating_add(1);
        if period == Period::FirstHalf {
            let corners = &mut self.corners_first[place(side)];
            *corners = corners.saturating_add(1);
        }
    }

    /// Counts a kick of the shoot-out.
    pub fn add_kick(&mut self, side: Side, scored: bool) {
        let place = place(side);
        self.shoot_out.taken[place] = self.shoot_out.taken[place].saturating_add(1);
        if scored {
            self.shoot_out.scored[place] = self.shoot_out.scored[place].saturating_add(1);
        }
    }
}
