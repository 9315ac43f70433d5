//! The texts of the soccer offer in the four languages, for translators: Croatian, English, Bosnian (Latin) and Serbian
//! (Cyrillic), always in this order. Must contain only texts; [`super::kinds`] builds the table.

use super::kinds::Kind;
use crate::pricing::kind::Quad;

/// The sport's name.
pub const SOCCER: Quad = ["Nogomet", "Soccer", "Fudbal", "Фудбал"];

/// An answer: the first half.
pub const FIRST_HALF: Quad = ["1. pol.", "1st half", "1. pol.", "1. пол."];
/// As many in each half.
pub const EQUAL: Quad = ["Jednako", "Equal", "Jednako", "Једнако"];
/// The second half.
pub const SECOND_HALF: Quad = ["2. pol.", "2nd half", "2. pol.", "2. пол."];

/// The text of a group. The part after the dot is shown.
pub const MAIN: Quad = ["1.Glavno", "1.Main", "1.Glavno", "1.Главно"];
/// A group.
pub const GOALS: Quad = ["2.Golovi", "2.Goals", "2.Golovi", "2.Голови"];
/// A group.
pub const HALVES: Quad = ["3.Poluvrijeme", "3.Halves", "3.Poluvrijeme", "3.Полувреме"];
/// A group.
pub const HANDICAP: Quad = ["4.Hendikep", "4.Handicap", "4.Hendikep", "4.Хендикеп"];
/// A group.
pub const CORNERS: Quad = ["5.Korneri", "5.Corners", "5.Korneri", "5.Корнери"];
/// A group.
pub const CARDS: Quad = ["6.Kartoni", "6.Cards", "6.Kartoni", "6.Картони"];
/// A group.
pub const COMBINED: Quad = ["7.Kombinacije", "7.Combined", "7.Kombinacije", "7.Комбинације"];
/// A group.
pub const WINNER: Quad = ["8.Prolaz", "8.To qualify", "8.Prolaz", "8.Пролаз"];

/// A kind's name and short name.
pub const fn name(kind: Kind) -> (Quad, Quad) {
    match kind {
        Kind::FullTime => {
            (["Konačni ishod", "Full-time result", "Konačan ishod", "Коначан исход"], ["1X2", "1X2", "1X2", "1X2"])
        }
        Kind::DoubleChance => {
            (["Dvostruka šansa", "Double chance", "Dvostruka šansa", "Двострука шанса"], ["DŠ", "DC", "DŠ", "ДШ"])
        }
        Kind::DrawNoBet => (
            [
                "Pobjednik (neriješeno: povrat uloga)",
                "Draw no bet",
                "Pobjednik (neriješeno: povrat uloga)",
                "Победник (нерешено: повраћај улога)",
            ],
            ["Bez X", "DNB", "Bez X", "Без X"],
        ),
        Kind::FirstHalfResult => (
            ["Ishod prvog poluvremena", "First-half result", "Ishod prvog poluvremena", "Исход првог полувремена"],
            ["1. pol.", "1st half", "1. pol.", "1. пол."],
        ),
        Kind::SecondHalfResult => (
            ["Ishod drugog poluvremena", "Second-half result", "Ishod drugog poluvremena", "Исход другог полувремена"],
            ["2. pol.", "2nd half", "2. pol.", "2. пол."],
        ),
        Kind::HalfFull => (
            ["Poluvrijeme/kraj", "Half-time/full-time", "Poluvrijeme/kraj", "Полувреме/крај"],
            ["Pol./kraj", "HT/FT", "Pol./kraj", "Пол./крај"],
        ),
        Kind::NextGoal => (
            ["Sljedeći gol", "Next goal", "Sljedeći gol", "Следећи гол"],
            ["Slj. gol", "Next goal", "Slj. gol", "Сл. гол"],
        ),
        Kind::EuropeanHandicap => (
            ["Europski hendikep", "European handicap", "Evropski hendikep", "Европски хендикеп"],
            ["EH", "EH", "EH", "ЕХ"],
        ),
        Kind::AsianHandicap => {
            (["Azijski hendikep", "Asian handicap", "Azijski hendikep", "Азијски хендикеп"], ["AH", "AH", "AH", "АХ"])
        }
        Kind::BothScore => (
            ["Obje momčadi daju gol", "Both teams to score", "Obje ekipe daju gol", "Обе екипе дају гол"],
            ["Obje", "BTTS", "Obje", "Обе"],
        ),
        Kind::CorrectScore => (
            ["Točan rezultat", "Correct score", "Tačan rezultat", "Тачан резултат"],
            ["Rezultat", "Score", "Rezultat", "Резултат"],
        ),
        Kind::OddEven => (
            ["Golovi par/nepar", "Goals odd/even", "Golovi par/nepar", "Голови пар/непар"],
            ["Par/nepar", "Odd/even", "Par/nepar", "Пар/непар"],
        ),
        Kind::ExactGoals => (
            ["Točan broj golova", "Exact goals", "Tačan broj golova", "Тачан број голова"],
            ["Br. golova", "Exact", "Br. golova", "Бр. голова"],
        ),
        Kind::FirstToScore => (
            ["Tko daje prvi gol", "First team to score", "Ko daje prvi gol", "Ко даје први гол"],
            ["Prvi gol", "First", "Prvi gol", "Први гол"],
        ),
        Kind::LastToScore => (
            ["Tko daje posljednji gol", "Last team to score", "Ko daje posljednji gol", "Ко даје последњи гол"],
            ["Posljednji gol", "Last", "Posljednji gol", "Последњи гол"],
        ),
        Kind::CleanSheetHome => (
            [
                "Domaćin bez primljenog gola",
                "Home clean sheet",
                "Domaćin bez primljenog gola",
                "Домаћин без примљеног гола",
            ],
            ["Dom. 0", "Home CS", "Dom. 0", "Дом. 0"],
        ),
        Kind::CleanSheetAway => (
            ["Gost bez primljenog gola", "Away clean sheet", "Gost bez primljenog gola", "Гост без примљеног гола"],
            ["Gost 0", "Away CS", "Gost 0", "Гост 0"],
        ),
        Kind::Total => (
            ["Ukupno golova", "Total goals", "Ukupno golova", "Укупно голова"],
            ["Golovi", "Goals", "Golovi", "Голови"],
        ),
        Kind::HomeTotal => (
            ["Golovi domaćina", "Home total goals", "Golovi domaćina", "Голови домаћина"],
            ["Gol. dom.", "Home goals", "Gol. dom.", "Гол. дом."],
        ),
        Kind::AwayTotal => (
            ["Golovi gosta", "Away total goals", "Golovi gosta", "Голови госта"],
            ["Gol. gost", "Away goals", "Gol. gost", "Гол. гост"],
        ),
        Kind::FirstHalfTotal => (
            [
                "Golovi u prvom poluvremenu",
                "First-half goals",
                "Golovi u prvom poluvremenu",
                "Голови у првом полувремену",
            ],
            ["Gol. 1. pol.", "1H goals", "Gol. 1. pol.", "Гол. 1. пол."],
        ),
        Kind::SecondHalfTotal => (
            [
                "Golovi u drugom poluvremenu",
                "Second-half goals",
                "Golovi u drugom poluvremenu",
                "Голови у другом полувремену",
            ],
            ["Gol. 2. pol.", "2H goals", "Gol. 2. pol.", "Гол. 2. пол."],
        ),
        Kind::FirstHalfBothScore => (
            [
                "Obje momčadi daju gol u prvom poluvremenu",
                "Both teams to score in the first half",
                "Obje ekipe daju gol u prvom poluvremenu",
                "Обе екипе дају гол у првом полувремену",
            ],
            ["Obje 1. pol.", "1H BTTS", "Obje 1. pol.", "Обе 1. пол."],
        ),
        Kind::SecondHalfBothScore => (
            [
                "Obje momčadi daju gol u drugom poluvremenu",
                "Both teams to score in the second half",
                "Obje ekipe daju gol u drugom poluvremenu",
                "Обе екипе дају гол у другом полувремену",
            ],
            ["Obje 2. pol.", "2H BTTS", "Obje 2. pol.", "Обе 2. пол."],
        ),
        Kind::WinToNilHome => (
            [
                "Domaćin pobjeđuje bez primljenog gola",
                "Home win to nil",
                "Domaćin pobjeđuje bez primljenog gola",
                "Домаћин побеђује без примљеног гола",
            ],
            ["1 i 0", "Home nil", "1 i 0", "1 и 0"],
        ),
        Kind::WinToNilAway => (
            [
                "Gost pobjeđuje bez primljenog gola",
                "Away win to nil",
                "Gost pobjeđuje bez primljenog gola",
                "Гост побеђује без примљеног гола",
            ],
            ["2 i 0", "Away nil", "2 i 0", "2 и 0"],
        ),
        Kind::ResultAndBothScore => (
            [
                "Ishod i obje momčadi daju gol",
                "Result and both teams to score",
                "Ishod i obje ekipe daju gol",
                "Исход и обе екипе дају гол",
            ],
            ["1X2 i obje", "1X2 & BTTS", "1X2 i obje", "1X2 и обе"],
        ),
        Kind::ResultAndTotal => (
            ["Ishod i ukupno golova", "Result and total goals", "Ishod i ukupno golova", "Исход и укупно голова"],
            ["1X2 i golovi", "1X2 & goals", "1X2 i golovi", "1X2 и голови"],
        ),
        Kind::GoalInInterval => (
            ["Gol u razdoblju (minute)", "Goal in minutes", "Gol u periodu (minute)", "Гол у периоду (минути)"],
            ["Gol u min.", "Goal in min.", "Gol u min.", "Гол у мин."],
        ),
        Kind::BothHalvesHome => (
            [
                "Domaćin daje gol u oba poluvremena",
                "Home to score in both halves",
                "Domaćin daje gol u oba poluvremena",
                "Домаћин даје гол у оба полувремена",
            ],
            ["Dom. oba pol.", "Home both", "Dom. oba pol.", "Дом. оба пол."],
        ),
        Kind::BothHalvesAway => (
            [
                "Gost daje gol u oba poluvremena",
                "Away to score in both halves",
                "Gost daje gol u oba poluvremena",
                "Гост даје гол у оба полувремена",
            ],
            ["Gost oba pol.", "Away both", "Gost oba pol.", "Гост оба пол."],
        ),
        Kind::MoreGoalsHalf => (
            [
                "Poluvrijeme s više golova",
                "Half with more goals",
                "Poluvrijeme s više golova",
                "Полувреме са више голова",
            ],
            ["Više golova", "More goals", "Više golova", "Више голова"],
        ),
        Kind::GoalRange => {
            (["Raspon golova", "Goal range", "Raspon golova", "Распон голова"], ["Raspon", "Range", "Raspon", "Распон"])
        }
        Kind::FirstHalfDoubleChance => (
            [
                "Dvostruka šansa u prvom poluvremenu",
                "First-half double chance",
                "Dvostruka šansa u prvom poluvremenu",
                "Двострука шанса у првом полувремену",
            ],
            ["DŠ 1. pol.", "1H DC", "DŠ 1. pol.", "ДШ 1. пол."],
        ),
        Kind::FirstHalfScore => (
            [
                "Točan rezultat prvog poluvremena",
                "First-half correct score",
                "Tačan rezultat prvog poluvremena",
                "Тачан резултат првог полувремена",
            ],
            ["Rez. 1. pol.", "1H score", "Rez. 1. pol.", "Рез. 1. пол."],
        ),
        Kind::FirstHalfOddEven => (
            [
                "Golovi prvog poluvremena par/nepar",
                "First-half goals odd/even",
                "Golovi prvog poluvremena par/nepar",
                "Голови првог полувремена пар/непар",
            ],
            ["P/N 1. pol.", "1H O/E", "P/N 1. pol.", "П/Н 1. пол."],
        ),
        Kind::Corners => (
            ["Ukupno kornera", "Total corners", "Ukupno kornera", "Укупно корнера"],
            ["Korneri", "Corners", "Korneri", "Корнери"],
        ),
        Kind::MostCorners => (
            ["Više kornera", "Most corners", "Više kornera", "Више корнера"],
            ["Kor. 1X2", "Cor. 1X2", "Kor. 1X2", "Кор. 1X2"],
        ),
        Kind::NextCorner => (
            ["Sljedeći korner", "Next corner", "Sljedeći korner", "Следећи корнер"],
            ["Slj. kor.", "Next cor.", "Slj. kor.", "Сл. кор."],
        ),
        Kind::CornersOddEven => (
            ["Korneri par/nepar", "Corners odd/even", "Korneri par/nepar", "Корнери пар/непар"],
            ["Kor. P/N", "Cor. O/E", "Kor. P/N", "Кор. П/Н"],
        ),
        Kind::HomeCorners => (
            ["Korneri domaćina", "Home corners", "Korneri domaćina", "Корнери домаћина"],
            ["Kor. dom.", "Home cor.", "Kor. dom.", "Кор. дом."],
        ),
        Kind::AwayCorners => (
            ["Korneri gosta", "Away corners", "Korneri gosta", "Корнери госта"],
            ["Kor. gost", "Away cor.", "Kor. gost", "Кор. гост"],
        ),
        Kind::FirstHalfCorners => (
            [
                "Korneri u prvom poluvremenu",
                "First-half corners",
                "Korneri u prvom poluvremenu",
                "Корнери у првом полувремену",
            ],
            ["Kor. 1. pol.", "1H cor.", "Kor. 1. pol.", "Кор. 1. пол."],
        ),
        Kind::Cards => (
            ["Ukupno kartona", "Total cards", "Ukupno kartona", "Укупно картона"],
            ["Kartoni", "Cards", "Kartoni", "Картони"],
        ),
        Kind::MostCards => (
            ["Više kartona", "Most cards", "Više kartona", "Више картона"],
            ["Kart. 1X2", "Cards 1X2", "Kart. 1X2", "Карт. 1X2"],
        ),
        Kind::HomeCards => (
            ["Kartoni domaćina", "Home cards", "Kartoni domaćina", "Картони домаћина"],
            ["Kart. dom.", "Home cards", "Kart. dom.", "Карт. дом."],
        ),
        Kind::AwayCards => (
            ["Kartoni gosta", "Away cards", "Kartoni gosta", "Картони госта"],
            ["Kart. gost", "Away cards", "Kart. gost", "Карт. гост"],
        ),
        Kind::RedCard => (
            [
                "Crveni karton na utakmici",
                "Red card in the match",
                "Crveni karton na utakmici",
                "Црвени картон на утакмици",
            ],
            ["Crveni", "Red card", "Crveni", "Црвени"],
        ),
        Kind::Winner => (
            [
                "Pobjednik nakon produžetaka i jedanaesteraca",
                "Winner including extra time and penalties",
                "Pobjednik nakon produžetaka i penala",
                "Победник након продужетака и пенала",
            ],
            ["Prolaz", "To qualify", "Prolaz", "Пролаз"],
        ),
        Kind::ExtraTime => (
            ["Igraju se produžeci", "Extra time played", "Igraju se produžeci", "Играју се продужеци"],
            ["Produžeci", "Extra time", "Produžeci", "Продужеци"],
        ),
        Kind::ShootOut => (
            ["Odlučuju jedanaesterci", "Penalty shoot-out", "Odlučuju penali", "Одлучују пенали"],
            ["11 m", "Penalties", "Penali", "Пенали"],
        ),
        Kind::ExtraTimeResult => (
            ["Ishod produžetaka", "Extra-time result", "Ishod produžetaka", "Исход продужетака"],
            ["1X2 prod.", "ET 1X2", "1X2 prod.", "1X2 прод."],
        ),
        Kind::ExtraTimeTotal => (
            ["Golovi u produžecima", "Extra-time goals", "Golovi u produžecima", "Голови у продужецима"],
            ["Gol. prod.", "ET goals", "Gol. prod.", "Гол. прод."],
        ),
        Kind::ExtraTimeNextGoal => (
            [
                "Sljedeći gol u produžecima",
                "Next goal of extra time",
                "Sljedeći gol u produžecima",
                "Следећи гол у продужецима",
            ],
            ["Slj. gol prod.", "ET next goal", "Slj. gol prod.", "Сл. гол прод."],
        ),
    }
}
