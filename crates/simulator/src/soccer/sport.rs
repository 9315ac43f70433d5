//! Soccer as a sport of the offer, for the replay of recorded matches.

use crate::catalogue::SOCCER;
use crate::pricing::columns::sport_patch;
use kvota_domain::ids::SOCCER as ID;
use kvota_domain::lang::Lang;
use kvota_domain::sport::SportPatch;

/// Soccer, whole, in a language.
pub fn soccer(lang: Lang) -> SportPatch {
    let profile = &SOCCER.profile;
    sport_patch(ID, (&profile.name, profile.order), (profile.kinds, profile.columns), lang)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soccer::kinds::catalogue;

    #[test]
    fn every_heading_names_an_outcome_of_its_market() {
        for lang in Lang::ALL {
            for column in SOCCER.profile.columns {
                for (kind, _) in column.markets {
                    let answers = &catalogue().words(lang, *kind).answers;
                    for field in column.fields.iter().map(|field| field[lang.index()]) {
                        assert!(answers.iter().any(|held| &*held.kind == field), "{field} of {kind}");
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_are_the_same_in_every_language() {
        let numbers = |lang| {
            let patch = soccer(lang);
            let columns = patch.preferred.expect("columns").into_iter();
            let columns: Vec<_> = columns.map(|held| (held.order, held.hidden, held.markets)).collect();
            (patch.id, patch.order, patch.selected_preferred, columns)
        };
        for lang in Lang::ALL {
            assert_eq!(numbers(lang), numbers(Lang::Hr));
        }
    }
}
