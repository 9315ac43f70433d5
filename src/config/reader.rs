//! Typed reading of the merged configuration. Notes every mistake with its key and source, and continues. Numbers and
//! flags may also be given as text, because variables and options hold only text.
//!
//! Must not contain a default: a key without a value is a mistake.

use super::layers::{BUILT_IN, DEFAULT_FILE};
use super::mistake::Mistake;
use figment::value::{Dict, Value};
use figment::{Figment, Profile, Provider};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Reads keys and remembers which ones exist.
pub(super) struct Reader<'a> {
    merged: &'a Figment,
    known: BTreeSet<String>,
    mistakes: Vec<Mistake>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(merged: &'a Figment) -> Reader<'a> {
        Reader { merged, known: BTreeSet::new(), mistakes: Vec::new() }
    }

    /// A text that `parse` accepts.
    pub(super) fn parsed<T>(&mut self, key: &str, allowed: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        self.value_of(key, allowed, |value| value.as_str().and_then(parse))
    }

    /// A decimal number, given as a number or as text; `parse` receives its digits.
    pub(super) fn decimal<T>(&mut self, key: &str, allowed: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        self.value_of(key, allowed, |value| decimal_text(value).as_deref().and_then(parse))
    }

    /// A value of any type that `read` accepts.
    pub(super) fn value_of<T>(
        &mut self,
        key: &str,
        allowed: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.value(key, allowed)?;
        let parsed = read(&value);
        self.or_mistake(key, parsed, &shown(&value), allowed)
    }

    /// The names of a section's members; empty if it is not a section.
    pub(super) fn members(&self, section: &str) -> Vec<String> {
        match self.merged.find_value(section) {
            Ok(Value::Dict(_, members)) => members.into_keys().collect(),
            _ => Vec::new(),
        }
    }

    /// Notes a mistake that depends on other values.
    pub(super) fn note(&mut self, key: &str, text: String) {
        let source = self.source(key);
        self.mistakes.push(Mistake { key: Some(key.to_owned()), source, text });
    }

    /// True or false, also as text, because variables hold only text.
    pub(super) fn boolean(&mut self, key: &str) -> Option<bool> {
        self.value_of(key, "true or false", |value| value.to_bool().or_else(|| value.as_str()?.parse().ok()))
    }

    /// A text that is never shown, not even in a mistake.
    pub(super) fn secret(
        &mut self,
        key: &str,
        allowed: &str,
        is_valid: impl FnOnce(&str) -> bool,
    ) -> Option<super::Secret> {
        let value = self.value(key, allowed)?;
        let valid = value.as_str().filter(|text| is_valid(text));
        let secret = valid.map(|text| super::Secret::new(text.to_owned()));
        self.or_mistake(key, secret, "the value (not shown)", allowed)
    }

    /// A list of texts, or one text with commas; never shown.
    pub(super) fn secrets(
        &mut self,
        key: &str,
        allowed: &str,
        is_valid: impl Fn(&str) -> bool,
    ) -> Option<Vec<super::Secret>> {
        let value = self.value(key, allowed)?;
        let secrets = elements(&value).into_iter().map(|text| is_valid(&text).then(|| super::Secret::new(text)));
        let secrets = secrets.collect();
        self.or_mistake(key, secrets, "the value (not shown)", allowed)
    }

    /// True or false.
    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        let allowed = "true or false";
        let value = self.value(key, allowed)?;
        let flag = match &value {
            Value::Bool(_, flag) => Some(*flag),
            Value::String(_, text) => text.trim().parse().ok(),
            _ => None,
        };
        self.or_mistake(key, flag, &shown(&value), allowed)
    }

    /// A whole number within a range.
    pub(super) fn integer(&mut self, key: &str, range: RangeInclusive<i64>) -> Option<i64> {
        let allowed = format!("a whole number from {} to {}", range.start(), range.end());
        let value = self.value(key, &allowed)?;
        let number = match &value {
            Value::String(_, text) => text.trim().parse().ok(),
            Value::Num(_, number) => number.to_i128().and_then(|wide| i64::try_from(wide).ok()),
            _ => None,
        };
        let number = number.filter(|number| range.contains(number));
        self.or_mistake(key, number, &shown(&value), &allowed)
    }

    /// A number, with or without decimals. `fits` is called only with finite numbers.
    pub(super) fn number(&mut self, key: &str, allowed: &str, fits: impl FnOnce(f64) -> bool) -> Option<f64> {
        let value = self.value(key, allowed)?;
        let number = match &value {
            Value::String(_, text) => text.trim().parse().ok(),
            // The library does not convert a whole number to a float, so parse its digits.
            Value::Num(_, number) => number.to_f64().or_else(|| number.to_i128()?.to_string().parse().ok()),
            _ => None,
        };
        let number = number.filter(|number: &f64| number.is_finite() && fits(*number));
        self.or_mistake(key, number, &shown(&value), allowed)
    }

    /// A list, or one text with commas; `parse` must accept every element.
    pub(super) fn list<T>(&mut self, key: &str, allowed: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
        let value = self.value(key, allowed)?;
        let elements = elements(&value);
        let wrong = elements.iter().find(|element| parse(element).is_none());
        let given = wrong.map_or_else(String::new, |element| format!("{element:?}"));
        let parsed = elements.iter().map(|element| parse(element)).collect();
        self.or_mistake(key, parsed, &given, allowed)
    }

    /// All mistakes, including the keys that nothing reads.
    pub(super) fn finish(mut self) -> Vec<Mistake> {
        // Not `extract`, which would lose the source of each value.
        let mut profiles = self.merged.data().unwrap_or_default();
        let tree: Dict = profiles.remove(&Profile::Default).unwrap_or_default();
        let mut unknown = Vec::new();
        for (name, value) in &tree {
            self.find_unknown(name.clone(), value, &mut unknown);
        }
        self.mistakes.extend(unknown);
        self.mistakes
    }

    fn value(&mut self, key: &str, allowed: &str) -> Option<Value> {
        self.known.insert(key.to_owned());
        match self.merged.find_value(key) {
            Ok(value) => Some(value),
            Err(_) => {
                // The defaults contain every key, so a missing one is hidden by a plain value instead of its section.
                let section = key.split('.').next().unwrap_or(key);
                let source = self.source(section);
                self.mistakes.push(Mistake {
                    key: Some(key.to_owned()),
                    source,
                    text: format!("is missing: {section} must be a section; allowed is {allowed}"),
                });
                None
            }
        }
    }

    fn or_mistake<T>(&mut self, key: &str, value: Option<T>, given: &str, allowed: &str) -> Option<T> {
        if value.is_none() {
            let source = self.source(key);
            self.mistakes.push(Mistake {
                key: Some(key.to_owned()),
                source,
                text: format!("{given} is not allowed; allowed is {allowed}"),
            });
        }
        value
    }

    /// Whether a value comes from the built-in defaults or from a `default.toml`.
    pub(super) fn is_default(&self, key: &str) -> bool {
        let source = self.source(key);
        source == BUILT_IN || source.ends_with(&format!("/{DEFAULT_FILE}")) || source == format!("file {DEFAULT_FILE}")
    }

    fn source(&self, key: &str) -> String {
        self.merged.find_metadata(key).map_or_else(|| "no source".to_owned(), |found| found.name.to_string())
    }

    fn find_unknown(&self, path: String, value: &Value, unknown: &mut Vec<Mistake>) {
        if self.known.contains(&path) {
            return;
        }
        let within = format!("{path}.");
        let is_section = self.known.iter().any(|key| key.starts_with(&within));
        match value {
            Value::Dict(_, members) if is_section || !members.is_empty() => {
                for (name, member) in members {
                    self.find_unknown(format!("{path}.{name}"), member, unknown);
                }
            }
            // Already reported, once for each key it hides.
            _ if is_section => {}
            _ => {
                let source = self
                    .merged
                    .get_metadata(value.tag())
                    .map_or_else(|| "no source".to_owned(), |found| found.name.to_string());
                unknown.push(Mistake {
                    text: format!("there is no such key; {}", self.neighbours(&path)),
                    key: Some(path),
                    source,
                });
            }
        }
    }

    /// The existing keys of the section in which an unknown one was given.
    fn neighbours(&self, path: &str) -> String {
        let section = path.split('.').next().unwrap_or(path);
        let within = format!("{section}.");
        let keys: Vec<&str> = self.known.iter().filter_map(|key| key.strip_prefix(&within)).collect();
        if !keys.is_empty() {
            return format!("those of {section} are {}", keys.join(", "));
        }
        let sections: BTreeSet<&str> = self.known.iter().filter_map(|key| key.split('.').next()).collect();
        let sections: Vec<&str> = sections.into_iter().collect();
        format!("the sections are {}", sections.join(", "))
    }
}

/// The elements of a list, or of a text with commas.
fn elements(value: &Value) -> Vec<String> {
    match value {
        Value::Array(_, elements) => elements.iter().map(plain).collect(),
        Value::String(_, text) => split(text),
        other => vec![plain(other)],
    }
}

fn split(text: &str) -> Vec<String> {
    // Also accepts the form of the files, ["a", "b"].
    let inner = text.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    inner
        .split(',')
        .map(|element| element.trim().trim_matches('"').to_owned())
        .filter(|element| !element.is_empty())
        .collect()
}

/// A number as digits. A text is used as written. A number gets its shortest decimal form, which equals what was
/// written if that had at most 15 digits.
pub(super) fn decimal_text(value: &Value) -> Option<String> {
    match value {
        Value::String(_, text) => Some(text.trim().to_owned()),
        Value::Num(_, number) => match number.to_i128() {
            Some(whole) => Some(whole.to_string()),
            None => number.to_f64().map(|decimal| decimal.to_string()),
        },
        _ => None,
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(_, text) => text.clone(),
        other => shown(other),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(_, text) => format!("{text:?}"),
        Value::Char(_, c) => format!("{c:?}"),
        Value::Bool(_, flag) => flag.to_string(),
        Value::Num(_, number) => match number.to_i128() {
            Some(whole) => whole.to_string(),
            None => number.to_f64().map_or_else(String::new, |n| n.to_string()),
        },
        Value::Empty(..) => "nothing".to_owned(),
        Value::Dict(..) => "a section".to_owned(),
        Value::Array(..) => "a list".to_owned(),
    }
}
