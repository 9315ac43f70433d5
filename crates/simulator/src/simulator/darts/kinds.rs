//! The table of markets of darts. Numbers, order, lines and indexes must never change, because bets refer to them.

use crate::pricing::kind::{Answers, KindSpec, Line, Quad};
use crate::simulator::race::{SCORES, score_text};

/// A kind, by its index in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The winner.
    Winner,
    /// Legs in the match.
    Legs,
    /// Legs with a handicap, in matches without sets.
    LegHandicap,
    /// Sets in the match.
    Sets,
    /// Sets with a handicap.
    SetHandicap,
    /// The score at the end.
    Score,
    /// The winner of the current set.
    Set,
    /// The winner of the current leg.
    Leg,
    /// The winner of the next leg.
    NextLeg,
    /// A 180 in the leg being played.
    MaximumInLeg,
    /// The checkout of the leg being played.
    Checkout,
    /// 180s in the match.
    Maxima,
    /// The player with more 180s.
    MostMaxima,
    /// Legs in the match, odd or even.
    OddEven,
    /// The first side to reach a number of legs, in matches without sets.
    FirstTo,
    /// Whether the last possible leg or set is needed.
    Decider,
}

const ALL: [Kind; 16] = [
    Kind::Winner,
    Kind::Legs,
    Kind::LegHandicap,
    Kind::Sets,
    Kind::SetHandicap,
    Kind::Score,
    Kind::Set,
    Kind::Leg,
    Kind::NextLeg,
    Kind::MaximumInLeg,
    Kind::Checkout,
    Kind::Maxima,
    Kind::MostMaxima,
    Kind::OddEven,
    Kind::FirstTo,
    Kind::Decider,
];

/// The kind at an index of the table.
pub(super) fn kind(place: u16) -> Kind {
    ALL.get(usize::from(place)).copied().unwrap_or(Kind::Winner)
}

const MAIN: Quad = ["1.Glavno", "1.Main", "1.Glavno", "1.Главно"];
const LEG: Quad = ["2.Leg", "2.Leg", "2.Leg", "2.Лег"];
const LEGS: Quad = ["3.Legovi i setovi", "3.Legs and sets", "3.Legovi i setovi", "3.Легови и сетови"];
const MAXIMA: Quad = ["4.180", "4.180s", "4.180", "4.180"];

/// The table.
pub(super) static KINDS: [KindSpec; 16] = [
    KindSpec::one(
        2201,
        ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        ["Pobj.", "Win", "Pobj.", "Поб."],
        Answers::OneTwo,
        &[MAIN],
    ),
    KindSpec::one(
        2202,
        ["Ukupno legova", "Total legs", "Ukupno legova", "Укупно легова"],
        ["Legovi", "Legs", "Legovi", "Легови"],
        Answers::UnderOver,
        &[MAIN, LEGS],
    )
    .with_lines(Line::Half, 36),
    KindSpec::one(
        2203,
        ["Hendikep legova", "Leg handicap", "Hendikep legova", "Хендикеп легова"],
        ["Hend. leg.", "Leg hcp", "Hend. leg.", "Хенд. лег."],
        Answers::OneTwo,
        &[MAIN, LEGS],
    )
    .with_lines(Line::Handicap, 20),
    KindSpec::one(
        2204,
        ["Ukupno setova", "Total sets", "Ukupno setova", "Укупно сетова"],
        ["Setovi", "Sets", "Setovi", "Сетови"],
        Answers::UnderOver,
        &[LEGS],
    )
    .with_lines(Line::Half, 8),
    KindSpec::one(
        2205,
        ["Hendikep setova", "Set handicap", "Hendikep setova", "Хендикеп сетова"],
        ["Hend. set.", "Set hcp", "Hend. set.", "Хенд. сет."],
        Answers::OneTwo,
        &[MAIN, LEGS],
    )
    .with_lines(Line::Handicap, 8),
    KindSpec::one(
        2206,
        ["Točan rezultat", "Correct score", "Tačan rezultat", "Тачан резултат"],
        ["Rez.", "Score", "Rez.", "Рез."],
        Answers::Plain(SCORES, score_text),
        &[LEGS],
    )
    .with_margin(0.14),
    KindSpec::one(
        2207,
        ["Pobjednik seta", "Set winner", "Pobjednik seta", "Победник сета"],
        ["Set", "Set", "Set", "Сет"],
        Answers::OneTwo,
        &[MAIN],
    )
    .with_lines(Line::Ordinal, 7),
    KindSpec::one(
        2208,
        ["Pobjednik lega", "Leg winner", "Pobjednik lega", "Победник лега"],
        ["Leg", "Leg", "Leg", "Лег"],
        Answers::OneTwo,
        &[MAIN, LEG],
    )
    .with_lines(Line::Ordinal, 35),
    KindSpec::one(
        2209,
        ["Pobjednik sljedećeg lega", "Next leg winner", "Pobjednik narednog lega", "Победник следећег лега"],
        ["Sljed. leg", "Next leg", "Nar. leg", "След. лег"],
        Answers::OneTwo,
        &[LEG],
    )
    .with_lines(Line::Ordinal, 35),
    KindSpec::one(
        2210,
        ["180 u legu", "180 in leg", "180 u legu", "180 у легу"],
        ["180 leg", "180 leg", "180 leg", "180 лег"],
        Answers::YesNo,
        &[LEG, MAXIMA],
    )
    .with_lines(Line::Ordinal, 35),
    KindSpec::one(
        2211,
        ["Zatvaranje 40.5 u legu", "Checkout of 40.5 in leg", "Zatvaranje 40.5 u legu", "Затварање 40.5 у легу"],
        ["Zatv. 40.5", "Chk 40.5", "Zatv. 40.5", "Затв. 40.5"],
        Answers::UnderOver,
        &[LEG],
    )
    .with_lines(Line::Ordinal, 35),
    KindSpec::one(
        2212,
        ["Ukupno 180", "Total 180s", "Ukupno 180", "Укупно 180"],
        ["180", "180s", "180", "180"],
        Answers::UnderOver,
        &[MAXIMA],
    )
    .with_lines(Line::Half, 24),
    KindSpec::one(
        2213,
        ["Najviše 180", "Most 180s", "Najviše 180", "Највише 180"],
        ["Više 180", "Most 180", "Više 180", "Више 180"],
        Answers::OneXTwo,
        &[MAXIMA],
    ),
    KindSpec::one(
        2214,
        ["Broj legova nepar/par", "Legs odd/even", "Broj legova nepar/par", "Број легова непар/пар"],
        ["Nepar/par", "Odd/even", "Nepar/par", "Непар/пар"],
        Answers::OddEven,
        &[LEGS],
    ),
    KindSpec::one(
        2215,
        ["Legovi: prvi do", "Legs: first to", "Legovi: prvi do", "Легови: први до"],
        ["Prvi do", "First to", "Prvi do", "Први до"],
        Answers::OneTwo,
        &[LEGS],
    )
    .with_lines(Line::Ordinal, 9),
    KindSpec::one(
        2216,
        ["Odlučujući leg ili set", "Deciding leg or set", "Odlučujući leg ili set", "Одлучујући лег или сет"],
        ["Odluka", "Decider", "Odluka", "Одлука"],
        Answers::YesNo,
        &[LEGS],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_stands_at_its_place() {
        assert!(ALL.iter().enumerate().all(|(place, kind)| *kind as usize == place));
    }
}
