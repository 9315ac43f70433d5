//! The results of markets of a goal sport, given the play so far. Markets of regular time must not look at overtime.

use super::play::{GoalPlay, Stage};
use crate::catalogue::questions::{GoalQuestion as Question, Scope};
use crate::results::part::{Part, whose, yes_no};
use crate::simulator::sport::{Ask, Verdict};

/// The verdict on an answer.
pub(super) fn verdict(play: &GoalPlay, ask: Ask) -> Verdict {
    let Some(question) = play.sport.data.question(ask.kind) else { return Verdict::Void };
    let spec = play.sport.data.spec(ask.kind);
    let (line, answer) = (u32::from(spec.whole(ask.line)), ask.answer);
    let regular = Part::new(play.regular(), play.is_regular_over());
    let part = |scope: Scope| match scope {
        Scope::Match => regular,
        Scope::Part(part) => period(play, part.from),
    };
    let given = || spec.given(ask.line);
    match question {
        Question::Result(scope) => part(scope).result(answer),
        Question::DoubleChance(scope) => part(scope).double_chance(answer),
        Question::DrawNoBet(scope) => part(scope).draw_no_bet(answer),
        Question::Total(scope) => part(scope).total(line, answer),
        Question::TotalOf(side) => regular.total_of(side, line, answer),
        Question::Handicap(scope) => part(scope).handicap(given(), answer),
        Question::ThreeWayHandicap => regular.three_way_handicap(given(), answer),
        Question::OddEven(scope) => part(scope).odd_even(answer),
        Question::BothScore(scope) => part(scope).both_score(answer),
        Question::CorrectScore(listed) => regular.correct_score((10, listed.into()), answer),
        Question::NextGoal => whose(regular_goals(play).nth(ask.line.into()), regular.is_over, answer),
        Question::LastGoal if !regular.is_over => Verdict::Void,
        Question::LastGoal => whose(regular_goals(play).last(), true, answer),
        Question::RaceTo(races) => match races.get(usize::from(ask.line)) {
            Some(to) => whose(first_to(play, *to), regular.is_over, answer),
            None => Verdict::Void,
        },
        Question::ResultAndTotal => {
            regular.at_the_end(answer == 2 * regular.place() + u16::from(regular.both() > line))
        }
        Question::PeriodAndMatch => regular.at_the_end(answer == 3 * period(play, 0).place() + regular.place()),
        Question::MostGoals => regular.at_the_end(answer == most_goals(play)),
        Question::Winner => winner(play, answer),
        Question::Overtime => yes_no(regular.is_over.then(|| play.went_to_overtime()), answer),
        Question::ShootOut => {
            let is_on = play.taken != [0, 0] || play.stage == Stage::ShootOut;
            let is_known = is_on || play.stage == Stage::Ended;
            yes_no(is_known.then_some(is_on), answer)
        }
        Question::OvertimeResult => overtime(play).result(answer),
        Question::OvertimeTotal => overtime(play).total(line, answer),
    }
}

fn period(play: &GoalPlay, leg: usize) -> Part {
    Part::new(play.score(|of| of == leg), play.is_over(leg))
}

fn overtime(play: &GoalPlay) -> Part {
    let rules = &play.sport.rules;
    Part::new(play.score(|leg| !rules.is_regular(leg)), play.is_over(rules.legs() - 1))
}

/// The sides of the goals of regular time, in order.
fn regular_goals(play: &GoalPlay) -> impl Iterator<Item = usize> {
    play.goals.iter().filter(|goal| play.sport.rules.is_regular(goal.leg)).map(|goal| goal.side)
}

fn first_to(play: &GoalPlay, number: u8) -> Option<usize> {
    let mut score = [0; 2];
    regular_goals(play).find(|side| {
        score[*side] += 1;
        score[*side] == number
    })
}

/// The period with the most goals. If several have the same number, the index after the last period.
fn most_goals(play: &GoalPlay) -> u16 {
    let periods = u16::from(play.sport.rules.periods);
    let goals = |leg: u16| period(play, leg.into()).both();
    let most = (0..periods).map(goals).max().unwrap_or(0);
    let mut best = (0..periods).filter(|leg| goals(*leg) == most);
    match (best.next(), best.next()) {
        (Some(leg), None) => leg,
        _ => periods,
    }
}

/// The winner of the match. In a match without overtime a draw is void, but there this market is not offered.
fn winner(play: &GoalPlay, answer: u16) -> Verdict {
    let is_over = play.stage == Stage::Ended;
    let in_play = Part::new(play.score(|_| true), is_over);
    let decisive = if in_play.place() == 1 { Part::new(play.scored, is_over) } else { in_play };
    decisive.draw_no_bet(answer)
}
