//! Why betting stopped, in words: the reasons that the documentation of the feed names.

use kvota_domain::Text;
use kvota_domain::lang::Lang;
use std::sync::LazyLock;

/// A reason's number, and its words in Croatian, English, Bosnian and Serbian.
type Reason = (i64, [&'static str; 4]);

const REASONS: [Reason; 9] = [
    (1, ["mogući gol", "possible goal", "mogući gol", "могући гол"]),
    (2, ["mogući crveni karton", "possible red card", "mogući crveni karton", "могући црвени картон"]),
    (
        3,
        [
            "nema izvještaja s terena",
            "no report from the ground",
            "nema izvještaja s terena",
            "нема извештаја с терена",
        ],
    ),
    (8, ["mogući kazneni udarac", "possible penalty", "mogući kazneni udarac", "могући казнени ударац"]),
    (12, ["kraj susreta", "the match has ended", "kraj susreta", "крај сусрета"]),
    (13, ["lopta za gem", "game point", "lopta za gem", "лопта за гем"]),
    (14, ["tie-break", "tie-break", "tie-break", "тај-брејк"]),
    (22, ["provjera gola", "goal under review", "provjera gola", "провера гола"]),
    (24, ["prekinuta veza", "connection lost", "prekinuta veza", "прекинута веза"]),
];

static TEXTS: LazyLock<Vec<(i64, [Text; 4])>> =
    LazyLock::new(|| REASONS.iter().map(|(number, words)| (*number, words.map(Text::from))).collect());

/// The words of a reason in a language; `None` if the reason says nothing to a bettor.
pub(crate) fn words(reason: i64, lang: Lang) -> Option<Text> {
    let (_, words) = TEXTS.iter().find(|(number, _)| *number == reason)?;
    words.get(lang.index()).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_reasons_have_words_in_every_language() {
        assert_eq!(words(22, Lang::Hr).as_deref(), Some("provjera gola"));
        assert_eq!(words(22, Lang::Sr).as_deref(), Some("провера гола"));
        assert_eq!((words(0, Lang::En), words(89, Lang::En)), (None, None));
        assert!(REASONS.iter().all(|(_, words)| words.iter().all(|text| !text.is_empty())));
    }
}
