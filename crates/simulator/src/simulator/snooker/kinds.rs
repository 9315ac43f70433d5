//! The table of markets of snooker. Numbers, order, lines and indexes must never change, because bets refer to them.

use crate::pricing::kind::{Answers, KindSpec, Line, Quad};
use crate::simulator::race::{SCORES, score_text};

/// A kind, by its index in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The winner of the match.
    Winner,
    /// Frames in the match.
    Frames,
    /// Frames with a handicap.
    Handicap,
    /// The score at the end.
    Score,
    /// The winner of the current frame.
    Frame,
    /// The winner of the next frame.
    NextFrame,
    /// A break of fifty in the frame being played.
    Fifty,
    /// A break of a hundred in it.
    Hundred,
    /// The first player to make a break of fifty in the frame.
    FirstFifty,
    /// A break of a hundred in the match.
    MatchHundred,
    /// Frames in the match, odd or even.
    OddEven,
    /// The first player to reach a number of frames.
    FirstTo,
    /// Whether the last possible frame is needed.
    Decider,
    /// The side that leads after four frames.
    AfterFour,
    /// Frames that home wins.
    HomeFrames,
    /// Frames that away wins.
    AwayFrames,
}

const ALL: [Kind; 16] = [
    Kind::Winner,
    Kind::Frames,
    Kind::Handicap,
    Kind::Score,
    Kind::Frame,
    Kind::NextFrame,
    Kind::Fifty,
    Kind::Hundred,
    Kind::FirstFifty,
    Kind::MatchHundred,
    Kind::OddEven,
    Kind::FirstTo,
    Kind::Decider,
    Kind::AfterFour,
    Kind::HomeFrames,
    Kind::AwayFrames,
];

/// The kind at an index of the table.
pub(super) fn kind(place: u16) -> Kind {
    ALL.get(usize::from(place)).copied().unwrap_or(Kind::Winner)
}

/// Lines of the handicap.
pub(super) const HANDICAPS: u16 = 20;

const MAIN: Quad = ["1.Glavno", "1.Main", "1.Glavno", "1.Главно"];
const FRAME: Quad = ["2.Frejm", "2.Frame", "2.Frejm", "2.Фрејм"];
const FRAMES: Quad = ["3.Frejmovi", "3.Frames", "3.Frejmovi", "3.Фрејмови"];
const BREAKS: Quad = ["4.Brejkovi", "4.Breaks", "4.Brejkovi", "4.Брејкови"];

/// The table.
pub(super) static KINDS: [KindSpec; 16] = [
    KindSpec::one(
        1901,
        ["Pobjednik", "Winner", "Pobjednik", "Победник"],
        ["Pobj.", "Win", "Pobj.", "Поб."],
        Answers::OneTwo,
        &[MAIN],
    ),
    KindSpec::one(
        1902,
        ["Ukupno frejmova", "Total frames", "Ukupno frejmova", "Укупно фрејмова"],
        ["Frejmovi", "Frames", "Frejmovi", "Фрејмови"],
        Answers::UnderOver,
        &[MAIN, FRAMES],
    )
    .with_lines(Line::Half, 20),
    KindSpec::one(
        1903,
        ["Hendikep frejmova", "Frame handicap", "Hendikep frejmova", "Хендикеп фрејмова"],
        ["Hendikep", "Handicap", "Hendikep", "Хендикеп"],
        Answers::OneTwo,
        &[MAIN, FRAMES],
    )
    .with_lines(Line::Handicap, HANDICAPS),
    KindSpec::one(
        1904,
        ["Točan rezultat", "Correct score", "Tačan rezultat", "Тачан резултат"],
        ["Rez.", "Score", "Rez.", "Рез."],
        Answers::Plain(SCORES, score_text),
        &[FRAMES],
    )
    .with_margin(0.14),
    KindSpec::one(
        1905,
        ["Pobjednik frejma", "Frame winner", "Pobjednik frejma", "Победник фрејма"],
        ["Frejm", "Frame", "Frejm", "Фрејм"],
        Answers::OneTwo,
        &[MAIN, FRAME],
    )
    .with_lines(Line::Ordinal, 19),
    KindSpec::one(
        1906,
        ["Pobjednik sljedećeg frejma", "Next frame winner", "Pobjednik narednog frejma", "Победник следећег фрејма"],
        ["Sljed. frejm", "Next frame", "Nar. frejm", "След. фрејм"],
        Answers::OneTwo,
        &[FRAME],
    )
    .with_lines(Line::Ordinal, 19),
    KindSpec::one(
        1907,
        ["Brejk 50+ u frejmu", "Break of 50+ in frame", "Brejk 50+ u frejmu", "Брејк 50+ у фрејму"],
        ["50+", "50+", "50+", "50+"],
        Answers::YesNo,
        &[FRAME, BREAKS],
    )
    .with_lines(Line::Ordinal, 19),
    KindSpec::one(
        1908,
        ["Brejk 100+ u frejmu", "Break of 100+ in frame", "Brejk 100+ u frejmu", "Брејк 100+ у фрејму"],
        ["100+", "100+", "100+", "100+"],
        Answers::YesNo,
        &[FRAME, BREAKS],
    )
    .with_lines(Line::Ordinal, 19),
    KindSpec::one(
        1909,
        [
            "Prvi brejk 50+ u frejmu",
            "First break of 50+ in frame",
            "Prvi brejk 50+ u frejmu",
            "Први брејк 50+ у фрејму",
        ],
        ["Prvi 50+", "First 50+", "Prvi 50+", "Први 50+"],
        Answers::OneNoneTwo,
        &[FRAME, BREAKS],
    )
    .with_lines(Line::Ordinal, 19),
    KindSpec::one(
        1910,
        ["Brejk 100+ u meču", "Break of 100+ in the match", "Brejk 100+ u meču", "Брејк 100+ у мечу"],
        ["100+ meč", "100+ match", "100+ meč", "100+ меч"],
        Answers::YesNo,
        &[BREAKS],
    ),
    KindSpec::one(
        1911,
        ["Broj frejmova nepar/par", "Frames odd/even", "Broj frejmova nepar/par", "Број фрејмова непар/пар"],
        ["Nepar/par", "Odd/even", "Nepar/par", "Непар/пар"],
        Answers::OddEven,
        &[FRAMES],
    ),
    KindSpec::one(
        1912,
        ["Frejmovi: prvi do", "Frames: first to", "Frejmovi: prvi do", "Фрејмови: први до"],
        ["Prvi do", "First to", "Prvi do", "Први до"],
        Answers::OneTwo,
        &[FRAMES],
    )
    .with_lines(Line::Ordinal, 9),
    KindSpec::one(
        1913,
        ["Odlučujući frejm", "Deciding frame", "Odlučujući frejm", "Одлучујући фрејм"],
        ["Odluka", "Decider", "Odluka", "Одлука"],
        Answers::YesNo,
        &[FRAMES],
    ),
    KindSpec::one(
        1914,
        ["Vodstvo nakon 4 frejma", "Lead after 4 frames", "Vodstvo nakon 4 frejma", "Вођство после 4 фрејма"],
        ["Nakon 4", "After 4", "Nakon 4", "После 4"],
        Answers::OneXTwo,
        &[FRAMES],
    ),
    KindSpec::one(
        1915,
        ["Frejmovi 1. igrača", "Player 1 frames", "Frejmovi 1. igrača", "Фрејмови 1. играча"],
        ["Frejm. 1", "Frames 1", "Frejm. 1", "Фрејм. 1"],
        Answers::UnderOver,
        &[FRAMES],
    )
    .with_lines(Line::Half, 10),
    KindSpec::one(
        1916,
        ["Frejmovi 2. igrača", "Player 2 frames", "Frejmovi 2. igrača", "Фрејмови 2. играча"],
        ["Frejm. 2", "Frames 2", "Frejm. 2", "Фрејм. 2"],
        Answers::UnderOver,
        &[FRAMES],
    )
    .with_lines(Line::Half, 10),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_stands_at_its_place() {
        assert!(ALL.iter().enumerate().all(|(place, kind)| *kind as usize == place));
    }
}
