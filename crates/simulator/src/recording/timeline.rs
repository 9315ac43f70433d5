//! A recorded match as the replay needs it: teams, events, and the official record. Made by [`super::wyscout`], read by
//! [`super::script`]. Knows nothing of odds, wall clocks or languages.

use super::period::{Period, place};
use kvota_domain::Text;
use kvota_domain::matches::{Ball, Pair, Side};

/// One recorded match.
#[derive(Clone, PartialEq, Debug)]
pub struct Recording {
    /// The id of its file, and of the match in the first round of the replay.
    pub id: u64,
    /// Where it was played.
    pub competition: Competition,
    /// `[home, away]`.
    pub teams: [Team; 2],
    /// The periods that were played, each with its length.
    pub periods: Vec<PlayedPeriod>,
    /// Everything that happened, in order.
    pub events: Vec<Event>,
    /// The official match record.
    pub official: Official,
}

/// A team of a recorded match.
#[derive(Clone, PartialEq, Debug)]
pub struct Team {
    /// The data set's id of the team.
    pub id: u64,
    /// Its name in the data set (English).
    pub name: Text,
}

/// The competition of a recorded match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Competition {
    /// Premier League 2017/18.
    PremierLeague,
    /// World Cup 2018, group stage: 90 minutes.
    WorldCupGroup,
    /// World Cup 2018, knock-out: extra time and a shoot-out if need be.
    WorldCupKnockOut,
}

/// A period that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedPeriod {
    /// Which.
    pub period: Period,
    /// From its start to its last event, in milliseconds.
    pub length_ms: u32,
}

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// In which period.
    pub period: Period,
    /// Milliseconds since the start of that period.
    pub at_ms: u32,
    /// The position of the ball, and the action. `None` for events without a ball, such as a whistle.
    pub ball: Option<Ball>,
    /// What it means for the match, beyond the ball.
    pub fact: Option<Fact>,
}

/// The effect of an event on the match.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact {
    /// A goal in play.
    Goal {
        /// The side it counts for.
        side: Side,
        /// Whether the other side scored it itself.
        own: bool,
        /// The scorer, if the recording has one.
        scorer: Option<Text>,
    },
    /// A yellow card, not the player's second.
    Yellow(Side),
    /// A red card; a player's second yellow card counts as one.
    Red(Side),
    /// A corner kick taken.
    Corner(Side),
    /// A penalty taken in play; one that goes in is a goal.
    Penalty {
        /// The side that takes it.
        side: Side,
        /// Whether it went in.
        scored: bool,
        /// Milliseconds from the foul to the kick.
        since_foul_ms: u32,
        /// The player who took it, if the recording has one.
        taker: Option<Text>,
    },
    /// A kick of the shoot-out.
    ShootOutKick {
        /// The side that takes it.
        side: Side,
        /// Whether it went in.
        scored: bool,
    },
}

/// The official record, against which a timeline is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Official {
    /// Goals at half-time.
    pub half_time: Pair,
    /// Goals after 90 minutes.
    pub regular: Pair,
    /// Goals at the end, extra time included.
    pub total: Pair,
    /// Goals of the shoot-out.
    pub shoot_out: Pair,
}

/// The totals of a timeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Goals at half-time.
    pub half_time: Pair,
    /// Goals after 90 minutes.
    pub regular: Pair,
    /// Goals at the end, extra time included.
    pub total: Pair,
    /// Goals of the shoot-out.
    pub shoot_out: Pair,
    /// Yellow cards.
    pub yellow: Pair,
    /// Red cards.
    pub red: Pair,
    /// Corners.
    pub corners: Pair,
}

impl Competition {
    /// Whether a draw after 90 minutes is played on.
    pub fn is_knock_out(self) -> bool {
        self == Competition::WorldCupKnockOut
    }
}

impl Recording {
    /// Adds up what happened.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for event in &self.events {
            match &event.fact {
                Some(Fact::Goal { side, .. }) => totals.add_goal(*side, event.period),
                Some(Fact::Penalty { side, scored: true, .. }) => totals.add_goal(*side, event.period),
                Some(Fact::ShootOutKick { side, scored: true }) => {
                    totals.shoot_out[place(*side)] += 1;
                }
                Some(Fact::Yellow(side)) => totals.yellow[place(*side)] += 1,
                Some(Fact::Red(side)) => totals.red[place(*side)] += 1,
                Some(Fact::Corner(side)) => totals.corners[place(*side)] += 1,
                Some(Fact::Penalty { .. } | Fact::ShootOutKick { .. }) | None => {}
            }
        }
        totals
    }
}

impl Totals {
    fn add_goal(&mut self, side: Side, period: Period) {
        let place = place(side);
        self.total[place] += 1;
        if matches!(period, Period::FirstHalf | Period::SecondHalf) {
            self.regular[place] += 1;
        }
        if period == Period::FirstHalf {
            self.half_time[place] += 1;
        }
    }

    /// The part that the official record speaks of.
    pub fn as_official(&self) -> Official {
        Official { half_time: self.half_time, regular: self.regular, total: self.total, shoot_out: self.shoot_out }
    }
}
