//! Score, clock and statistics of an event, as a message carries them (contract 10). Values that cannot be read are
//! absent.

use crate::read::{decimal, number};
use crate::xml::{Document, Element, XmlError};
use kvota_domain::matches::Pair;

/// Periods of an event; more are not read.
const PERIODS_MAX: usize = 64;

/// The status of an event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventStatus {
    /// 0 not started, 1 live, 2 suspended, 3 ended, 4 closed, 5 cancelled, 6 delayed, 7 interrupted, 8 postponed, 9
    /// abandoned.
    pub status: Option<i64>,
    /// The period's code.
    pub match_status: Option<i64>,
    /// The score.
    pub score: Option<Pair>,
    /// The points of the running game.
    pub game: Option<Pair>,
    /// 1 home, 2 away.
    pub server: Option<i64>,
    /// Whether a tie-break is played.
    pub tiebreak: Option<bool>,
    /// Whether a side is suspended (`home_suspend`, `away_suspend`), if the message says so.
    pub is_suspended: Option<bool>,
    /// The clock.
    pub clock: Option<EventClock>,
    /// The scores of the periods, by their numbers.
    pub periods: Vec<Period>,
    /// The latest result.
    pub result: Option<Pair>,
    /// Yellow cards.
    pub yellow_cards: Option<Pair>,
    /// Red cards.
    pub red_cards: Option<Pair>,
    /// Second yellow cards, which send a player off.
    pub yellow_red_cards: Option<Pair>,
    /// Corners.
    pub corners: Option<Pair>,
}

/// The score of a period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// Its number, from 1.
    pub number: i64,
    /// Its score.
    pub score: Pair,
}

/// The clock of an event, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EventClock {
    /// Played so far.
    pub match_s: Option<i64>,
    /// Left in the period.
    pub left_in_period_s: Option<i64>,
    /// Whether it stands.
    pub is_stopped: Option<bool>,
}

impl EventClock {
    fn of(element: &Element<'_>) -> Result<EventClock, XmlError> {
        let mut clock = EventClock::default();
        element.attributes(|name, value| match name {
            "match_time" => clock.match_s = seconds(&value),
            "remaining_time_in_period" => clock.left_in_period_s = seconds(&value),
            "stopped" => clock.is_stopped = flag(&value),
            _ => {}
        })?;
        Ok(clock)
    }
}

impl EventStatus {
    /// Reads the element `sport_event_status` and its children.
    pub(crate) fn read(element: &Element<'_>, document: &mut Document<'_>) -> Result<EventStatus, XmlError> {
        let mut status = EventStatus::default();
        let mut score = [None, None];
        let mut game = [None, None];
        element.attributes(|name, value| match name {
            "status" => status.status = number(&value),
            "match_status" => status.match_status = number(&value),
            "home_score" => score[0] = whole(&value),
            "away_score" => score[1] = whole(&value),
            "home_gamescore" => game[0] = whole(&value),
            "away_gamescore" => game[1] = whole(&value),
            "home_suspend" | "away_suspend" => {
                let is_side = whole(&value).map(|number| number > 0);
                status.is_suspended = status.is_suspended.max(is_side);
            }
            "current_server" => status.server = number(&value).filter(|side| matches!(side, 1 | 2)),
            "tiebreak" => status.tiebreak = flag(&value),
            _ => {}
        })?;
        status.score = both(score);
        status.game = both(game);
        while let Some(child) = document.child()? {
            match child.name() {
                "clock" => {
                    status.clock = Some(EventClock::of(&child)?);
                    document.skip()?;
                }
                "period_scores" => status.read_periods(document)?,
                "results" => {
                    while let Some(result) = document.child()? {
                        status.result = pair_of(&result, ["home_score", "away_score"])?.or(status.result);
                        document.skip()?;
                    }
                }
                "statistics" => status.read_statistics(document)?,
                _ => document.skip()?,
            }
        }
        Ok(status)
    }

    fn read_periods(&mut self, document: &mut Document<'_>) -> Result<(), XmlError> {
        while let Some(period) = document.child()? {
            let mut place = None;
            period.attributes(|name, value| {
                if name == "number" {
                    place = number(&value);
                }
            })?;
            let score = pair_of(&period, ["home_score", "away_score"])?;
            if let (Some(number), Some(score)) = (place, score)
                && self.periods.len() < PERIODS_MAX
            {
                self.periods.push(Period { number, score });
            }
            document.skip()?;
        }
        self.periods.sort_by_key(|period| period.number);
        Ok(())
    }

    fn read_statistics(&mut self, document: &mut Document<'_>) -> Result<(), XmlError> {
        while let Some(child) = document.child()? {
            let held = match child.name() {
                "yellow_cards" => Some(&mut self.yellow_cards),
                "red_cards" => Some(&mut self.red_cards),
                "yellow_red_cards" => Some(&mut self.yellow_red_cards),
                "corners" => Some(&mut self.corners),
                _ => None,
            };
            if let Some(held) = held {
                *held = pair_of(&child, ["home", "away"])?;
            }
            document.skip()?;
        }
        Ok(())
    }
}

fn pair_of(element: &Element<'_>, names: [&str; 2]) -> Result<Option<Pair>, XmlError> {
    let mut pair = [None, None];
    element.attributes(|name, value| {
        if name == names[0] {
            pair[0] = whole(&value);
        } else if name == names[1] {
            pair[1] = whole(&value);
        }
    })?;
    Ok(both(pair))
}

fn both([home, away]: [Option<i64>; 2]) -> Option<Pair> {
    Some([home?, away?])
}

/// A score, which the feed sends as a decimal number.
fn whole(text: &str) -> Option<i64> {
    decimal(text).map(|thousandths| thousandths.wrapping_div(1_000))
}

fn flag(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// `75:02`, `112:09`, or a number of seconds.
fn seconds(text: &str) -> Option<i64> {
    match text.split_once(':') {
        Some((minutes, seconds)) => {
            let seconds = number(seconds).filter(|seconds| (0..60).contains(seconds))?;
            let minutes = number(minutes).filter(|minutes| (0..100_000).contains(minutes))?;
            minutes.checked_mul(60)?.checked_add(seconds)
        }
        None => number(text).filter(|seconds| (0..6_000_000).contains(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_and_seconds_or_seconds() {
        for (text, expected) in [
            ("75:02", Some(4_502)),
            ("112:09", Some(6_729)),
            ("0:00", Some(0)),
            ("45", Some(45)),
            ("45:60", None),
            ("-1:00", None),
            ("x", None),
            ("9999999999999999999:00", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }

    #[test]
    fn scores_are_decimals() {
        assert_eq!([whole("2"), whole("2.0"), whole("-1"), whole("a")], [Some(2), Some(2), Some(-1), None]);
    }
}
