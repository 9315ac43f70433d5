//! Which questions are open at the provider, and when one may be asked again. Must not make calls.

use super::Answer;
use crate::question::Question;
use crate::urn::Urn;
use std::collections::{HashMap, VecDeque};

/// Questions that are remembered, so that they are not asked again and again.
const ASKED_MAX: usize = 200_000;
/// When a question without an answer is asked again, in ms: at first, and at the latest.
const RETRY_MS: [i64; 2] = [2_000, 300_000];
/// When a question with an answer may be asked again because a name is missing, in ms.
const AGAIN_MS: i64 = 600_000;

/// A question that was asked.
#[derive(Debug)]
struct Waiting {
    /// When it may be asked again, in our time.
    again_ms: i64,
    pause_ms: i64,
    is_open: bool,
    /// The events that want the answer.
    events: Vec<Urn>,
}

/// The questions of an adapter.
#[derive(Debug, Default)]
pub(super) struct Asking {
    asked: HashMap<Question, Waiting>,
    questions: VecDeque<Question>,
}

impl Asking {
    /// Asks a question, unless it was asked lately. `event` is the one that wants the answer.
    pub(super) fn ask(&mut self, question: Question, event: Option<&Urn>, now_ms: i64) {
        if let Some(waiting) = self.asked.get_mut(&question) {
            waiting.events.extend(event.filter(|urn| !waiting.events.contains(urn)).cloned());
            if waiting.is_open || now_ms < waiting.again_ms {
                return;
            }
            (waiting.is_open, waiting.again_ms) = (true, i64::MAX);
        } else {
            if self.asked.len() >= ASKED_MAX {
                return;
            }
            let events = event.cloned().into_iter().collect();
            let waiting = Waiting { again_ms: i64::MAX, pause_ms: RETRY_MS[0], is_open: true, events };
            self.asked.insert(question.clone(), waiting);
        }
        self.questions.push_back(question);
    }

    /// The same, however lately it was asked: what was answered has changed.
    pub(super) fn ask_anew(&mut self, question: Question, event: &Urn, now_ms: i64) {
        self.asked.remove(&question);
        self.ask(question, Some(event), now_ms);
    }

    /// Passes an order on, which is not repeated here.
    pub(super) fn order(&mut self, question: Question) {
        self.questions.push_back(question);
    }

    /// The questions that must be asked now.
    pub(super) fn take(&mut self) -> Vec<Question> {
        self.questions.drain(..).collect()
    }

    /// Repeats the questions that are due.
    pub(super) fn tick(&mut self, now_ms: i64) {
        let again = self.asked.iter_mut().filter(|(_, waiting)| waiting.is_open && waiting.again_ms <= now_ms);
        for (question, waiting) in again {
            waiting.pause_ms = waiting.pause_ms.saturating_mul(2).min(RETRY_MS[1]);
            waiting.again_ms = i64::MAX;
            self.questions.push_back(question.clone());
        }
    }

    /// Notes an answer. Returns the events that want it; `None` if it was not asked.
    pub(super) fn note(&mut self, question: &Question, answer: &Answer, now_ms: i64) -> Option<Vec<Urn>> {
        let waiting = self.asked.get_mut(question)?;
        // The interface may know an event later than the feed.
        let is_early = *answer == Answer::Absent && matches!(question, Question::Fixture(..));
        if *answer == Answer::Failed || is_early {
            waiting.again_ms = now_ms.saturating_add(waiting.pause_ms);
            return Some(waiting.events.clone());
        }
        (waiting.is_open, waiting.again_ms) = (false, now_ms.saturating_add(AGAIN_MS));
        Some(std::mem::take(&mut waiting.events))
    }

    /// Asks again later, because the answer cannot be read.
    pub(super) fn fail(&mut self, question: &Question, events: Vec<Urn>, now_ms: i64) {
        if let Some(waiting) = self.asked.get_mut(question) {
            (waiting.is_open, waiting.events) = (true, events);
            waiting.again_ms = now_ms.saturating_add(waiting.pause_ms);
        }
    }

    /// Forgets what may be asked again anyway, and what `is_known` no longer knows.
    pub(super) fn purge(&mut self, is_known: impl Fn(&Urn) -> bool, now_ms: i64) {
        self.asked.retain(|question, waiting| match question {
            Question::Fixture(_, urn) => is_known(urn),
            Question::Player(..) | Question::Competitor(..) | Question::Variant(..) => {
                waiting.is_open || now_ms < waiting.again_ms
            }
            _ => true,
        });
    }
}
