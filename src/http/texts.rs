//! The texts of the product, from `config/translations/{lang}.json`. The client shows the same files, so that the
//! server's messages and the client's labels use the same terms. Must not contain a text itself.

use kvota_domain::lang::{Lang, PerLang};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A built-in translation file: a flat JSON object, key to text.
pub(super) const fn file(lang: Lang) -> &'static str {
    match lang {
        Lang::Hr => include_str!("../../config/translations/hr.json"),
        Lang::En => include_str!("../../config/translations/en.json"),
        Lang::Bs => include_str!("../../config/translations/bs.json"),
        Lang::Sr => include_str!("../../config/translations/sr.json"),
    }
}

static TEXTS: LazyLock<PerLang<HashMap<String, String>>> =
    LazyLock::new(|| PerLang::new(|lang| serde_json::from_str(file(lang)).unwrap_or_default()));

/// The text of a key, with its `{{placeholders}}` filled in. Returns the key if it has no text; tests check that every
/// key has one.
pub(crate) fn text(lang: Lang, key: &str, places: &[(&str, &str)]) -> String {
    let Some(text) = TEXTS[lang].get(key) else {
        return key.to_owned();
    };
    places.iter().fold(text.clone(), |text, (place, value)| text.replace(&format!("{{{{{place}}}}}"), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_is_a_flat_object_of_texts() {
        for lang in Lang::ALL {
            let texts: HashMap<String, String> = serde_json::from_str(file(lang)).unwrap();
            assert!(!texts.is_empty(), "{lang:?}");
        }
    }

    #[test]
    fn every_language_has_the_same_error_texts_and_placeholders() {
        let errors = |lang: Lang| -> BTreeSet<(String, Vec<String>)> {
            let errors = TEXTS[lang].iter().filter(|(key, _)| key.starts_with("error"));
            errors
                .map(|(key, text)| {
                    let mut places: Vec<String> =
                        text.split("{{").skip(1).filter_map(|rest| Some(rest.split_once("}}")?.0.to_owned())).collect();
                    places.sort();
                    (key.clone(), places)
                })
                .collect()
        };
        for lang in Lang::ALL {
            assert_eq!(errors(lang), errors(Lang::Hr), "{lang:?}");
        }
    }

    #[test]
    fn placeholders_are_filled() {
        assert_eq!(
            text(Lang::En, "errorParameter", &[("name", "view"), ("allowed", "rows")]),
            "\"view\" must be one of: rows."
        );
        assert_eq!(text(Lang::Sr, "noSuchKey", &[]), "noSuchKey");
    }
}
