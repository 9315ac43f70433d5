//! Checks of the translations: every language has every text, in the plural forms of its grammar, with the same
//! placeholders. A missing text would show its key; a missing form would do so for some numbers only.

use crate::problem::Problem;
use std::collections::{BTreeMap, BTreeSet};

/// The languages with their plural forms (as in `Intl.PluralRules`). The others are compared with the first.
pub(crate) const LANGUAGES: &[(&str, &[&str])] = &[
    ("hr", &["one", "few", "other"]),
    ("en", &["one", "other"]),
    ("bs", &["one", "few", "other"]),
    ("sr", &["one", "few", "other"]),
];

/// The plural suffixes that i18next knows.
const ALL_FORMS: &[&str] = &["zero", "one", "two", "few", "many", "other"];

/// One language's file.
pub(crate) struct Translation {
    pub(crate) lang: &'static str,
    pub(crate) forms: &'static [&'static str],
    pub(crate) path: String,
    pub(crate) raw: String,
}

/// A text with its plural form, and its key without that form.
struct Entry {
    base: String,
    form: Option<&'static str>,
    text: String,
    line: usize,
}

/// All problems of a set of translations. The others are compared with the first.
pub(crate) fn check(translations: &[Translation]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut read = Vec::new();
    for translation in translations {
        match entries(translation) {
            Ok(entries) => {
                problems.extend(check_alone(translation, &entries));
                read.push((translation, entries));
            }
            Err(problem) => problems.push(problem),
        }
    }
    if let Some(((model, model_entries), others)) = read.split_first() {
        for (other, other_entries) in others {
            problems.extend(compare(model, model_entries, other, other_entries));
        }
    }
    problems
}

fn entries(translation: &Translation) -> Result<Vec<Entry>, Problem> {
    let json: serde_json::Value = serde_json::from_str(&translation.raw)
        .map_err(|error| Problem::new(&translation.path, error.line(), format!("not JSON: {error}")))?;
    let mut found = Vec::new();
    flatten(&json, &mut Vec::new(), translation, &mut found)?;
    Ok(found)
}

fn flatten(
    value: &serde_json::Value,
    keys: &mut Vec<String>,
    translation: &Translation,
    found: &mut Vec<Entry>,
) -> Result<(), Problem> {
    match value {
        serde_json::Value::Object(members) => {
            for (key, member) in members {
                keys.push(key.clone());
                flatten(member, keys, translation, found)?;
                keys.pop();
            }
            Ok(())
        }
        serde_json::Value::String(text) => {
            let line = line_of(&translation.raw, keys);
            let key = keys.join(".");
            let form = ALL_FORMS.iter().copied().find(|form| key.ends_with(&format!("_{form}")));
            let base = form.map_or(key.as_str(), |form| &key[..key.len() - form.len() - 1]).to_owned();
            found.push(Entry { base, form, text: text.clone(), line });
            Ok(())
        }
        _ => {
            let what = format!("`{}` is neither a text nor a group of texts", keys.join("."));
            Err(Problem::new(&translation.path, line_of(&translation.raw, keys), what))
        }
    }
}

/// The line of a key, found by looking for its parts one after the other.
fn line_of(raw: &str, keys: &[String]) -> usize {
    let mut at = 0;
    for key in keys {
        let quoted = format!("\"{key}\"");
        at += raw[at..].find(&quoted).map_or(0, |found| found + quoted.len());
    }
    raw[..at].matches('\n').count() + 1
}

/// The names within `{{…}}`, without the formats that may follow a comma.
fn placeholders(text: &str) -> BTreeSet<&str> {
    let inner = text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}"));
    inner.map(|(inside, _)| inside.split(',').next().unwrap_or(inside).trim()).collect()
}

fn forms_by_base(entries: &[Entry]) -> BTreeMap<&str, Vec<&Entry>> {
    let mut found: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        found.entry(entry.base.as_str()).or_default().push(entry);
    }
    found
}

/// The rules for one language alone: no empty text, and its own plural forms.
fn check_alone(translation: &Translation, entries: &[Entry]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for entry in entries.iter().filter(|entry| entry.text.trim().is_empty()) {
        problems.push(Problem::new(&translation.path, entry.line, format!("`{}` is empty", entry.base)));
    }
    for (base, entries) in forms_by_base(entries) {
        let has: BTreeSet<&str> = entries.iter().filter_map(|entry| entry.form).collect();
        let needs: BTreeSet<&str> = translation.forms.iter().copied().collect();
        let is_mixed = !has.is_empty() && entries.iter().any(|entry| entry.form.is_none());
        if is_mixed || (!has.is_empty() && has != needs) {
            let what = format!(
                "`{base}` has the plural forms {has:?}, but {} has {needs:?} (a key that is no plural must not end like one)",
                translation.lang
            );
            problems.push(Problem::new(&translation.path, entries[0].line, what));
        }
    }
    problems
}

fn compare(model: &Translation, model_entries: &[Entry], other: &Translation, other_entries: &[Entry]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let model_keys = forms_by_base(model_entries);
    let other_keys = forms_by_base(other_entries);
    for (base, entries) in &model_keys {
        let Some(others) = other_keys.get(base) else {
            let what = format!("`{base}` is missing; {}:{} has it", model.path, entries[0].line);
            problems.push(Problem::new(&other.path, 1, what));
            continue;
        };
        if entries[0].form.is_some() != others[0].form.is_some() {
            let what = format!("`{base}` is a plural here or in {}, but not in both", model.path);
            problems.push(Problem::new(&other.path, others[0].line, what));
        }
        // Only a form for a single number ("one" in English) may leave out the count.
        let wanted: BTreeSet<&str> = entries.iter().flat_map(|entry| placeholders(&entry.text)).collect();
        for entry in others {
            let mut has = placeholders(&entry.text);
            if entry.form == Some("one") && wanted.contains("count") {
                has.insert("count");
            }
            if has != wanted {
                let what = format!("`{base}` has the placeholders {has:?}, but {} has {wanted:?}", model.path);
                problems.push(Problem::new(&other.path, entry.line, what));
            }
        }
    }
    for (base, entries) in other_keys.iter().filter(|(base, _)| !model_keys.contains_key(*base)) {
        let what = format!("`{base}` is unknown to {}", model.path);
        problems.push(Problem::new(&other.path, entries[0].line, what));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translation(index: usize, raw: &str) -> Translation {
        let (lang, forms) = LANGUAGES[index];
        Translation { lang, forms, path: format!("{lang}.json"), raw: raw.to_owned() }
    }

    fn problems_of(croatian: &str, english: &str) -> Vec<String> {
        check(&[translation(0, croatian), translation(1, english)]).iter().map(Problem::to_string).collect()
    }

    #[test]
    fn equal_translations_pass() {
        let croatian =
            r#"{"a": {"b": "B {{x}}"}, "c_one": "{{count}} c", "c_few": "{{count}} d", "c_other": "{{count}} e"}"#;
        let english = r#"{"a": {"b": "{{ x, number }} b"}, "c_one": "one c", "c_other": "{{count}} c"}"#;
        assert_eq!(problems_of(croatian, english), Vec::<String>::new());
    }

    #[test]
    fn missing_and_superfluous_keys_are_reported() {
        let problems = problems_of("{\n\"a\": {\n\"b\": \"B\"}}", "{\n\"a\": {\n\"c\": \"C\"}}");
        assert_eq!(
            problems,
            ["en.json:1: `a.b` is missing; hr.json:3 has it", "en.json:3: `a.c` is unknown to hr.json"]
        );
    }

    #[test]
    fn empty_text_is_reported() {
        assert_eq!(problems_of(r#"{"a": "A"}"#, r#"{"a": " "}"#), ["en.json:1: `a` is empty"]);
    }

    #[test]
    fn each_language_has_its_own_plural_forms() {
        let croatian = r#"{"a_one": "{{count}}", "a_other": "{{count}}"}"#;
        let english = r#"{"a_one": "{{count}}", "a_few": "{{count}}", "a_other": "{{count}}"}"#;
        let problems = problems_of(croatian, english);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("hr.json:1: `a` has the plural forms"), "{problems:?}");
        assert!(problems[1].starts_with("en.json:1: `a` has the plural forms"), "{problems:?}");
    }

    #[test]
    fn plural_key_must_be_plural_in_all_languages() {
        let problems = problems_of(r#"{"a": "A"}"#, r#"{"a_one": "A", "a_other": "As"}"#);
        assert_eq!(problems, ["en.json:1: `a` is a plural here or in hr.json, but not in both"]);
    }

    #[test]
    fn different_placeholders_are_reported() {
        let problems = problems_of(r#"{"a": "{{x}} {{y}}"}"#, r#"{"a": "{{x}} {{z}}"}"#);
        assert_eq!(problems, [r#"en.json:1: `a` has the placeholders {"x", "z"}, but hr.json has {"x", "y"}"#]);
    }

    #[test]
    fn invalid_translation_file_is_reported() {
        assert!(problems_of("{\n\"a\": }", r#"{"a": "A"}"#)[0].starts_with("hr.json:2: not JSON"));
        assert_eq!(problems_of(r#"{"a": 1}"#, r#"{}"#), ["hr.json:1: `a` is neither a text nor a group of texts"]);
    }
}
