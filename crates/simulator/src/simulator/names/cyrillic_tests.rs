//! Tests of the transliteration: words with a known Serbian spelling, and properties of any text.

use super::*;
use proptest::prelude::*;

fn assert_table(rows: &[(&str, &str)]) {
    for (latin, expected) in rows {
        assert_eq!(cyrillic(latin), *expected, "{latin}");
    }
}

#[test]
fn every_letter_of_gajs_alphabet_has_its_own() {
    let gaj = "a b c č ć d dž đ e f g h i j k l lj m n nj o p r s š t u v z ž";
    let vuk = "а б ц ч ћ д џ ђ е ф г х и ј к л љ м н њ о п р с ш т у в з ж";
    assert_eq!(gaj.split(' ').count(), 30);
    assert_eq!(cyrillic(gaj), vuk);
    let twice = |text: &str| text.split(' ').map(|letter| letter.repeat(2)).collect::<Vec<_>>().join(" ");
    assert_eq!(cyrillic(&twice(gaj).to_uppercase()), twice(vuk).to_uppercase().replace("ИИ", "II"));
    assert_eq!(cyrillic("ǆǉǌ ǅep Ǉiljan Ǌ"), "џљњ Џеп Љиљан Њ");
}

#[test]
fn digraphs_are_one_letter_in_every_case() {
    assert_table(&[
        ("Ljubljana", "Љубљана"),
        ("LJUBLJANA", "ЉУБЉАНА"),
        ("Njegoš", "Његош"),
        ("NJEGOŠ", "ЊЕГОШ"),
        ("Džep", "Џеп"),
        ("DŽEP", "ЏЕП"),
        ("džemper", "џемпер"),
        ("konj", "коњ"),
        ("konjanik", "коњаник"),
        ("kanjon", "кањон"),
        ("tanjur", "тањур"),
        ("vanjski", "вањски"),
        ("Lj. Marić", "Љ. Марић"),
        ("hodža", "хоџа"),
        ("budžet", "буџет"),
        ("Đurđevdan", "Ђурђевдан"),
        ("lJ nJ dŽ", "лЈ нЈ дЖ"),
    ]);
}

#[test]
fn digraphs_are_two_letters_at_a_seam() {
    assert_table(&[
        ("injekcija", "инјекција"),
        ("Injektor", "Инјектор"),
        ("INJEKCIJA", "ИНЈЕКЦИЈА"),
        ("konjugacija", "конјугација"),
        ("konjunktura", "конјунктура"),
        ("nekonjunkturni", "неконјунктурни"),
        ("konjektura", "конјектура"),
        ("Tanjug", "Танјуг"),
        ("vanjezički", "ванјезички"),
        ("izvanjezični", "изванјезични"),
        ("anjon", "анјон"),
        ("nadživeti", "надживети"),
        ("nadživjeti", "надживјети"),
        ("nadžnjeti", "наджњети"),
        ("odžaliti", "оджалити"),
        ("odžuljati", "оджуљати"),
        ("podžanr", "поджанр"),
        ("PODŽANR", "ПОДЖАНР"),
        ("podžupan", "поджупан"),
        ("predživot", "предживот"),
        ("odžak", "оџак"),
        ("Odžaci", "Оџаци"),
        ("odžačar", "оџачар"),
        ("nadžak", "наџак"),
        ("Al-Jazira", "Ал-Јазира"),
        ("Sil\u{200c}je", "Силје"),
    ]);
}

#[test]
fn numerals_stay_and_abbreviations_are_written_out() {
    assert_table(&[
        ("Sloga II", "Слога II"),
        ("Pavle VI, Luj XIV", "Павле VI, Луј XIV"),
        ("I. liga", "I. лига"),
        ("II. liga", "II. лига"),
        ("I. Horvat", "И. Хорват"),
        ("V.Kovač", "В.Ковач"),
        ("1X2", "1X2"),
        ("IIII VX", "ИИИИ ВКС"),
        ("FK Zora", "ФК Зора"),
        ("KK, NK, RK", "КК, НК, РК"),
        ("FC", "ФЦ"),
        ("MMA", "ММА"),
        ("HAŠK", "ХАШК"),
        ("WBC", "ВБЦ"),
        ("XL", "КСЛ"),
        ("Mladost U21", "Младост У21"),
        ("T20", "Т20"),
    ]);
}

#[test]
fn foreign_names_go_by_ear() {
    assert_table(&[
        ("Xavier", "Ксавијер"),
        ("Quentin", "Квентин"),
        ("Lindqvist", "Линдквист"),
        ("Schwarz", "Шварз"),
        ("Yannick", "Јаник"),
        ("Henry", "Хенри"),
        ("Mayer", "Мајер"),
        ("Whitby", "Витби"),
        ("Müller", "Милер"),
        ("Sørensen", "Серенсен"),
        ("Håkon", "Хокон"),
        ("Dvořák", "Дворжак"),
        ("Muñoz", "Муњоз"),
        ("García", "Гарција"),
        ("Łódź", "Лодж"),
        ("shvatiti", "схватити"),
        ("prethodni", "претходни"),
        ("kocka", "коцка"),
    ]);
}

#[test]
fn marks_of_their_own_join_their_letter() {
    assert_table(&[("c\u{30c}as\u{30c}a", "чаша"), ("Kovac\u{301}", "Ковач".replace('ч', "ћ").as_str())]);
    assert_eq!(cyrillic("a\u{301}"), "а");
    assert_eq!(cyrillic("а\u{301}"), "а\u{301}", "marks of Cyrillic letters stay");
}

#[test]
fn every_letter_up_to_latin_extended_a_is_known() {
    for c in ('A'..='z').chain('\u{c0}'..='\u{17f}').filter(|c| c.is_alphabetic()) {
        let written = cyrillic(&format!("а{c}"));
        assert!(!written.chars().any(is_latin) && written.chars().count() > 1, "{c}: {written}");
    }
}

#[test]
fn a_joiner_that_parts_no_letters_stays() {
    assert_eq!(cyrillic("I\u{200c}\u{301}"), "I\u{200c}\u{301}");
    assert_eq!(cyrillic("ad\u{200c}"), "ад\u{200c}");
}

proptest! {
    #[test]
    fn no_latin_letter_is_left(text in "[a-zčćđšž]{1,12}( [A-ZČĆĐŠŽ][a-zčćđšžáéöüø]{1,8}){0,3}") {
        let written = cyrillic(&text);
        prop_assert!(!written.chars().any(is_latin), "{text}: {written}");
        prop_assert_eq!(written.split(' ').count(), text.split(' ').count());
    }

    #[test]
    fn case_changes_nothing_else_in_a_word_of_the_language(text in "[a-pr-vzčćđšž]{2,12}") {
        prop_assume!(!is_roman(&text.to_uppercase().chars().collect::<Vec<_>>()));
        prop_assert_eq!(cyrillic(&text.to_uppercase()), cyrillic(&text).to_uppercase());
    }

    #[test]
    fn twice_is_once(text in "([A-Za-zčćđšžČĆĐŠŽ]{1,6}|[IVXivx]{1,4}|[а-шА-Шјљњћџ]{1,4}|[ .0-9\u{200c}\u{301}-]){0,8}") {
        let once = cyrillic(&text);
        prop_assert_eq!(cyrillic(&once), once);
    }

    #[test]
    fn any_text_can_be_handed_in(text in any::<String>()) {
        let once = cyrillic(&text);
        prop_assert_eq!(cyrillic(&once), once);
    }
}
