//! What the tracker of a sport shows beyond score and incidents (docs/protocol.md, FACT). It extends the contract, and
//! every topic is optional. Must not be read by anything that decides about bets.

use crate::limits::FACT_NUMBERS_MAX;

/// What a fact is about. The numbers of each topic are described in docs/protocol.md.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Topic {
    /// The side that attacks now.
    Attack = 1,
    /// Scores with their time and way.
    Scores = 2,
    /// Sides that are a player short.
    Short = 3,
    /// Time-outs taken.
    Timeouts = 4,
    /// The winners of points.
    Rallies = 5,
    /// The winners of games.
    Games = 6,
    /// Bases and outs.
    Bases = 7,
    /// How batters fared.
    Batters = 8,
    /// The snooker table.
    Table = 9,
    /// Breaks.
    Breaks = 10,
    /// Visits to the dartboard.
    Visits = 11,
    /// Overs.
    Overs = 12,
    /// The balls of this over.
    Balls = 13,
    /// The side in control.
    Control = 14,
    /// Penalties or suspensions so far, and goals with more players.
    Penalties = 15,
    /// Shots at the goal.
    Shots = 16,
    /// The end of the period being played.
    PeriodEnd = 17,
}

impl Topic {
    /// All of them, in the order of their numbers.
    pub const ALL: [Topic; 17] = [
        Topic::Attack,
        Topic::Scores,
        Topic::Short,
        Topic::Timeouts,
        Topic::Rallies,
        Topic::Games,
        Topic::Bases,
        Topic::Batters,
        Topic::Table,
        Topic::Breaks,
        Topic::Visits,
        Topic::Overs,
        Topic::Balls,
        Topic::Control,
        Topic::Penalties,
        Topic::Shots,
        Topic::PeriodEnd,
    ];

    /// Its number, 1 to 17.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The topic with this number.
    pub fn of(number: i64) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| i64::from(topic.number()) == number)
    }
}

/// What is known about a topic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The topic.
    pub topic: Topic,
    /// At most [`FACT_NUMBERS_MAX`].
    pub numbers: Vec<i32>,
}

impl Fact {
    /// A fact of records of `size` numbers each, the oldest first; the newest that fit are kept. `None` without records.
    pub fn of_records<const SIZE: usize>(topic: Topic, records: impl Iterator<Item = [i32; SIZE]>) -> Option<Fact> {
        let all: Vec<[i32; SIZE]> = records.collect();
        let newest = &all[all.len().saturating_sub(FACT_NUMBERS_MAX / SIZE)..];
        (!newest.is_empty()).then(|| Fact { topic, numbers: newest.concat() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_records_are_kept_whole() {
        let records = (0..100).map(|at| [at, 2, 3, 4, 5, 6, 7]);
        let fact = Fact::of_records(Topic::Scores, records).expect("some records");
        assert_eq!((fact.numbers.len(), fact.numbers[0]), (68 * 7, 32));
        assert_eq!(Fact::of_records(Topic::Scores, std::iter::empty::<[i32; 2]>()), None);
    }

    #[test]
    fn topics_are_known_by_their_numbers() {
        for (at, topic) in Topic::ALL.into_iter().enumerate() {
            assert_eq!((topic.number(), Topic::of(at as i64 + 1)), (at as u8 + 1, Some(topic)));
        }
        assert_eq!((Topic::of(0), Topic::of(18)), (None, None));
    }
}
