//! Names of teams, tournaments and countries in the four languages. Clubs keep their names in Latin script; Serbian
//! writes them in Cyrillic as they are pronounced. Unlisted teams keep the name of the data set.

use crate::pricing::catalogue::texts;
use crate::pricing::kind::Quad;
use kvota_domain::Text;
use kvota_domain::lang::PerLang;

/// Clubs: one name in Latin script, one in Cyrillic.
const CLUBS: [(u64, &str, &str); 20] = [
    (1625, "Manchester City", "Манчестер сити"),
    (1611, "Manchester United", "Манчестер јунајтед"),
    (1624, "Tottenham Hotspur", "Тотенхем хотспер"),
    (1612, "Liverpool", "Ливерпул"),
    (1610, "Chelsea", "Челси"),
    (1609, "Arsenal", "Арсенал"),
    (1646, "Burnley", "Барнли"),
    (1623, "Everton", "Евертон"),
    (1631, "Leicester City", "Лестер сити"),
    (1613, "Newcastle United", "Њукасл јунајтед"),
    (1628, "Crystal Palace", "Кристал палас"),
    (1659, "Bournemouth", "Борнмут"),
    (1633, "West Ham United", "Вест Хем јунајтед"),
    (1644, "Watford", "Вотфорд"),
    (1651, "Brighton & Hove Albion", "Брајтон енд Хоув Албион"),
    (1673, "Huddersfield Town", "Хадерсфилд таун"),
    (1619, "Southampton", "Саутемптон"),
    (10531, "Swansea City", "Свонзи сити"),
    (1639, "Stoke City", "Стоук сити"),
    (1627, "West Bromwich Albion", "Вест Бромич албион"),
];

/// National teams.
const NATIONS: [(u64, Quad); 7] = [
    (12274, ["Argentina", "Argentina", "Argentina", "Аргентина"]),
    (9598, ["Hrvatska", "Croatia", "Hrvatska", "Хрватска"]),
    (12430, ["Kolumbija", "Colombia", "Kolumbija", "Колумбија"]),
    (12913, ["Japan", "Japan", "Japan", "Јапан"]),
    (7712, ["Danska", "Denmark", "Danska", "Данска"]),
    (2413, ["Engleska", "England", "Engleska", "Енглеска"]),
    (4418, ["Francuska", "France", "Francuska", "Француска"]),
];

/// The league and its country.
pub(super) const PREMIER_LEAGUE: (Quad, Quad) = (
    ["Premier League", "Premier League", "Premier League", "Премијер лига"],
    ["Engleska", "England", "Engleska", "Енглеска"],
);

/// The World Cup and its host.
pub(super) const WORLD_CUP: (Quad, Quad) = (
    ["Svjetsko prvenstvo 2018.", "World Cup 2018", "Svjetsko prvenstvo 2018.", "Светско првенство 2018."],
    ["Rusija", "Russia", "Rusija", "Русија"],
);

/// A team's name in every language.
pub(super) fn team_name(team: u64, otherwise: &Text) -> PerLang<Text> {
    if let Some((_, latin, cyrillic)) = CLUBS.iter().find(|(club, _, _)| *club == team) {
        return texts(&[*latin, *latin, *latin, *cyrillic]);
    }
    let nation = NATIONS.iter().find(|(nation, _)| *nation == team);
    nation.map_or_else(|| PerLang::new(|_| otherwise.clone()), |(_, names)| texts(names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulator::soccer::strengths::TABLE;
    use kvota_domain::lang::Lang;

    #[test]
    fn every_club_of_the_table_has_its_names() {
        let unknown = Text::from("?");
        for row in TABLE {
            let names = team_name(row.team, &unknown);
            assert_ne!(&*names[Lang::Hr], "?", "{}", row.team);
            assert!(names[Lang::Sr].chars().all(|c| !c.is_ascii_alphabetic()), "{names:?}");
        }
    }

    #[test]
    fn nations_are_translated_and_strangers_keep_their_name() {
        let names = team_name(2413, &Text::from("?"));
        assert_eq!(&*names[Lang::En], "England");
        assert_eq!(&*names[Lang::Hr], "Engleska");
        assert_eq!(&*team_name(1, &Text::from("Team 1"))[Lang::Sr], "Team 1");
    }
}
