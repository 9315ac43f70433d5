//! The last messages of a mailbox with their times, and the one nearest to the expected message, for the text of a
//! failure. Kept by probes and fakes; must not decide a test.

use crate::seed::replay_hint;
use std::collections::VecDeque;
use std::fmt::Write;
use tokio::time::Instant;

/// The number of messages in a failure's text.
const SHOWN_MAX: usize = 20;

/// The messages of one mailbox, as text.
#[derive(Debug)]
pub struct History {
    name: String,
    started: Instant,
    last: VecDeque<(Instant, String)>,
    total: usize,
}

impl History {
    /// An empty history of the actor or fake with this name.
    pub fn new(name: String) -> History {
        History { name, started: Instant::now(), last: VecDeque::new(), total: 0 }
    }

    /// Adds a message in its debug form.
    pub fn note(&mut self, message: String) {
        if self.last.len() == SHOWN_MAX {
            self.last.pop_front();
        }
        self.last.push_back((Instant::now(), message));
        self.total += 1;
    }

    /// The text of a failure: the expected message, the received ones, and the nearest one.
    pub fn failure(&self, what: &str, expected: Option<&str>) -> String {
        let mut text = what.to_owned();
        let (shown, total) = (self.last.len(), self.total);
        match total {
            0 => {
                let _ = write!(text, "\n  {} received nothing", self.name);
            }
            _ => {
                let _ = write!(text, "\n  the last {shown} of {total} messages that {} received:", self.name);
            }
        }
        for (at, message) in &self.last {
            let since = at.duration_since(self.started);
            let _ = write!(text, "\n    {:>9.3} s  {message}", since.as_secs_f64());
        }
        if let Some(expected) = expected
            && let Some(nearest) = nearest(expected, self.last.iter().map(|(_, message)| message.as_str()))
        {
            let _ = write!(text, "\n  expected: {expected}\n  nearest:  {nearest}");
        }
        text + &replay_hint()
    }
}

/// The text that shares most words with `expected`, the latest if several do; `None` if none shares a word.
pub fn nearest<'a>(expected: &str, texts: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = words(expected);
    let likeness = |text: &str| {
        let held = words(text);
        let shared = held.iter().filter(|word| wanted.contains(word)).count();
        // If two share the same number of words, the one with fewer other words is nearer.
        (shared, usize::MAX - held.len())
    };
    texts.map(|text| (likeness(text), text)).filter(|((shared, _), _)| *shared > 0).max().map(|(_, text)| text)
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_shares_most_words() {
        let texts = ["Picked { id: 1, odd: 2 }", "Dropped { id: 17 }", "Picked { id: 17, odd: 3 }"];
        assert_eq!(nearest("Picked { id: 17, odd: 4 }", texts.into_iter()), Some(texts[2]));
        assert_eq!(nearest("Cleared", texts.into_iter()), None);
    }
}
