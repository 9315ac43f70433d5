//! A match with events from outside, for the replay of recorded matches. The same state as that of a simulated one,
//! so that markets, prices and results are the same. Must not draw anything.

use super::game::{Event, Game, Phase};
use super::offer;
use super::outlook::Outlook;
use crate::pricing::book::Book;
use crate::simulator::sport::Step;

impl Game {
    /// The next period, or the shoot-out, begins.
    pub fn report_start(&mut self) {
        if self.is_after_overtime() {
            self.record.kicks = Some([[0; 2]; 2]);
            self.phase = Phase::Kick;
        } else {
            self.open_period();
            self.phase = Phase::Running(0, Event::Nothing);
        }
    }

    /// The period, or the shoot-out, is over; `is_end` if the match is.
    pub fn report_whistle(&mut self, is_end: bool) {
        if is_end {
            let _over: Step = self.end();
        } else {
            self.close_period();
        }
    }

    /// So much of the period has been played, in ms.
    pub fn report_time(&mut self, played_ms: i64) {
        if matches!(self.phase, Phase::Running(..)) {
            self.played_ms = played_ms;
            self.record.second = (played_ms / 1000) as u32;
        }
    }

    /// A goal.
    pub fn report_goal(&mut self, side: usize) {
        self.score_of(side, 0);
    }

    /// A corner.
    pub fn report_corner(&mut self, side: usize) {
        self.corner(side);
    }

    /// A card.
    pub fn report_card(&mut self, side: usize, is_red: bool) {
        self.card(side, is_red);
    }

    /// A kick of the shoot-out.
    pub fn report_kick(&mut self, side: usize, is_scored: bool) {
        self.count_kick(side, is_scored);
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Whether it is played: not before it, in a break or after it.
    pub fn is_in_play(&self) -> bool {
        matches!(self.phase, Phase::Running(..) | Phase::Kick | Phase::Kicked)
    }

    /// The book at this moment.
    pub fn book(&self) -> Book {
        let mut book = Book::new(self.rules.data.profile.kinds);
        if self.phase != Phase::Over {
            offer::offer(self, &Outlook::new(self), &mut book);
        }
        book.in_order()
    }
}
