//! The strengths of teams: the model's expectations of a pairing over 90 minutes. Fitted from the final table of the
//! Premier League 2017/18 (a fact); the ratings of the World Cup teams are our own. Knows nothing of a running match.

use crate::pricing::maths::{exp, pow};

/// Expected counts of the 90 minutes with stoppage time, eleven against eleven, `[home, away]`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    /// Goals, 0.2 to 5.
    pub goals: [f64; 2],
    /// Corners, 2 to 9.
    pub corners: [f64; 2],
    /// Cards, yellow and red, 1 to 3.
    pub cards: [f64; 2],
}

/// A line of the final table of the Premier League 2017/18.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableRow {
    /// The data set's team id.
    pub team: u64,
    /// Won, drawn, lost.
    pub games: [u32; 3],
    /// Goals for and against.
    pub goals: [u32; 2],
    /// Points.
    pub points: u32,
}

const fn row(team: u64, games: [u32; 3], goals: [u32; 2], points: u32) -> TableRow {
    TableRow { team, games, goals, points }
}

/// The final table of the Premier League 2017/18.
pub const TABLE: [TableRow; 20] = [
    row(1625, [32, 4, 2], [106, 27], 100), // Manchester City
    row(1611, [25, 6, 7], [68, 28], 81),   // Manchester United
    row(1624, [23, 8, 7], [74, 36], 77),   // Tottenham Hotspur
    row(1612, [21, 12, 5], [84, 38], 75),  // Liverpool
    row(1610, [21, 7, 10], [62, 38], 70),  // Chelsea
    row(1609, [19, 6, 13], [74, 51], 63),  // Arsenal
    row(1646, [14, 12, 12], [36, 39], 54), // Burnley
    row(1623, [13, 10, 15], [44, 58], 49), // Everton
    row(1631, [12, 11, 15], [56, 60], 47), // Leicester City
    row(1613, [12, 8, 18], [39, 47], 44),  // Newcastle United
    row(1628, [11, 11, 16], [45, 55], 44), // Crystal Palace
    row(1659, [11, 11, 16], [45, 61], 44), // Bournemouth
    row(1633, [10, 12, 16], [48, 68], 42), // West Ham United
    row(1644, [11, 8, 19], [44, 64], 41),  // Watford
    row(1651, [9, 13, 16], [34, 54], 40),  // Brighton & Hove Albion
    row(1673, [9, 10, 19], [28, 58], 37),  // Huddersfield Town
    row(1619, [7, 15, 16], [37, 56], 36),  // Southampton
    row(10531, [8, 9, 21], [28, 56], 33),  // Swansea City
    row(1639, [7, 12, 19], [35, 68], 33),  // Stoke City
    row(1627, [6, 13, 19], [31, 56], 31),  // West Bromwich Albion
];

/// Goals a match of the home and the away sides in that season: 582 and 436 in 380 matches.
const LEAGUE_GOALS: [f64; 2] = [582.0 / 380.0, 436.0 / 380.0];
/// Goals a side in 90 minutes on neutral ground.
const NEUTRAL_GOALS: [f64; 2] = [1.27, 1.27];
/// Corners a match: 10.4 in the league, the home side has more of them.
const LEAGUE_CORNERS: [f64; 2] = [5.7, 4.7];
const NEUTRAL_CORNERS: [f64; 2] = [4.8, 4.8];
/// Cards a match: about 3.2 in the league, the away side sees more of them.
const LEAGUE_CARDS: [f64; 2] = [1.45, 1.75];
const NEUTRAL_CARDS: [f64; 2] = [1.7, 1.7];
/// How much of a team's distance from the average is skill rather than luck of 38 matches.
const SKILL: f64 = 0.88;

/// A team against an average one: 1 is average.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Strength {
    /// Goals it scores.
    attack: f64,
    /// Goals it concedes: less is better.
    defence: f64,
}

const AVERAGE: Strength = Strength { attack: 1.0, defence: 1.0 };

/// Ratings of the World Cup teams, ours: goals scored and conceded against an average participant.
const NATIONS: [(u64, Strength); 7] = [
    (12274, nation(1.30, 0.95)), // Argentina
    (9598, nation(1.25, 0.85)),  // Croatia
    (12430, nation(1.20, 0.85)), // Colombia
    (12913, nation(0.95, 1.10)), // Japan
    (7712, nation(0.95, 0.85)),  // Denmark
    (2413, nation(1.25, 0.85)),  // England
    (4418, nation(1.40, 0.75)),  // France
];

const fn nation(attack: f64, defence: f64) -> Strength {
    Strength { attack, defence }
}

/// The expectations for a pairing `[home, away]`; unknown teams are average.
pub fn rates(teams: [u64; 2], neutral_ground: bool) -> Rates {
    rates_of(teams.map(strength), neutral_ground)
}

/// The expectations for two sides with one strength each: 0 is average, 1 clearly better, -2.5 to 2.5.
pub fn rates_of_skills(skills: [f64; 2], neutral_ground: bool) -> Rates {
    let strength = |skill: f64| Strength { attack: exp(0.20 * skill), defence: exp(-0.16 * skill) };
    rates_of(skills.map(strength), neutral_ground)
}

fn rates_of(strengths: [Strength; 2], neutral_ground: bool) -> Rates {
    let (goals, corners, cards) = if neutral_ground {
        (NEUTRAL_GOALS, NEUTRAL_CORNERS, NEUTRAL_CARDS)
    } else {
        (LEAGUE_GOALS, LEAGUE_CORNERS, LEAGUE_CARDS)
    };
    let edges = [0, 1].map(|own| strengths[own].attack * strengths[1 - own].defence);
    Rates {
        goals: [0, 1].map(|side| (goals[side] * edges[side]).clamp(0.2, 5.0)),
        // A better side has more of the ball, and so more corners, but by less than by goals.
        corners: [0, 1].map(|side| (corners[side] * pow(edges[side], 0.4)).clamp(2.0, 9.0)),
        // The side that runs after the ball fouls more.
        cards: [0, 1].map(|side| (cards[side] * pow(edges[side], -0.15)).clamp(1.0, 3.0)),
    }
}

fn strength(team: u64) -> Strength {
    if let Some(row) = TABLE.iter().find(|row| row.team == team) {
        let average = average_goals();
        let against_average = |goals: u32| 1.0 + SKILL * (f64::from(goals) / average - 1.0);
        return Strength { attack: against_average(row.goals[0]), defence: against_average(row.goals[1]) };
    }
    let nation = NATIONS.iter().find(|(nation, _)| *nation == team);
    nation.map_or(AVERAGE, |(_, strength)| *strength)
}

fn average_goals() -> f64 {
    let goals: u32 = TABLE.iter().map(|row| row.goals[0]).sum();
    f64::from(goals) / TABLE.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_adds_up() {
        let sum = |of: fn(&TableRow) -> u32| TABLE.iter().map(of).sum::<u32>();
        assert_eq!(sum(|row| row.goals[0]), sum(|row| row.goals[1]));
        assert_eq!(sum(|row| row.games[0]), sum(|row| row.games[2]), "won = lost");
        for row in TABLE {
            assert_eq!(row.games.iter().sum::<u32>(), 38, "{row:?}");
            assert_eq!(row.points, row.games[0] * 3 + row.games[1], "{row:?}");
        }
        assert!(TABLE.is_sorted_by_key(|row| std::cmp::Reverse(row.points)));
    }

    #[test]
    fn stronger_sides_are_expected_to_score_more() {
        let city_away = rates([1619, 1625], false);
        assert!(city_away.goals[1] > 2.0 && city_away.goals[0] < 0.9, "{city_away:?}");
        let average = rates([0, 0], false);
        assert!(average.goals[0] > average.goals[1], "home advantage");
        let neutral = rates([0, 0], true);
        assert_eq!(neutral.goals[0], neutral.goals[1]);
    }
}
