//! What is wrong with a configuration, for the operator: key, source, given value and allowed ones.

use std::fmt;

/// All mistakes in the configuration, in the order of the keys.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Mistakes(pub Vec<Mistake>);

/// One mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The key, or `None` if a whole source cannot be read.
    pub key: Option<String>,
    /// The source of the value: a file, a profile, a variable, an option.
    pub source: String,
    /// The given value and the allowed ones.
    pub text: String,
}

impl Mistake {
    pub(super) fn of_source(source: &str, text: String) -> Mistake {
        Mistake { key: None, source: source.to_owned(), text }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            Some(key) => write!(f, "{key} ({}): {}", self.source, self.text),
            None => write!(f, "{}: {}", self.source, self.text),
        }
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = if self.0.len() == 1 { "mistake" } else { "mistakes" };
        write!(f, "the configuration has {} {noun}:", self.0.len())?;
        self.0.iter().try_for_each(|mistake| write!(f, "\n  {mistake}"))
    }
}
