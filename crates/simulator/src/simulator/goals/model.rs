//! The probabilities of the rest of a match: goals of a part of it, and the markets that follow. They equal those of
//! [`super::play`]: a binomial number of goals in the rest of each period, each scored by home with the same
//! probability.

use super::play::{GoalPlay, Stage};
use crate::catalogue::questions::{GoalQuestion as Question, Scope};
use crate::pricing::book::{Book, DECIDED, Spread};
use crate::pricing::dist::{Difference, binomial, even, sum};
use crate::pricing::maths::pow;
use std::collections::BTreeMap;

/// Distributions omit values with a probability below this.
const NEVER: f64 = 1e-13;
const WIDE: Spread = Spread::both(2);
const NARROW: Spread = Spread::both(1);

/// A part of a match: its goals so far, and the distribution of further goals.
struct Part {
    score: [u32; 2],
    /// Goals of both sides.
    both: Vec<f64>,
    /// Goals of each.
    each: [Vec<f64>; 2],
    /// Home less away.
    apart: Difference,
    /// The chance that a goal is the home side's.
    home: f64,
}

/// Calls `take` with home goals, away goals and their probability, for all possible numbers of further goals. Given the
/// total, home's goals are binomial.
fn share_out(both: &[f64], home: f64, mut take: impl FnMut(usize, usize, f64)) {
    let mut shares = vec![0.0; both.len()];
    for (number, chance) in both.iter().enumerate() {
        if number == 0 {
            shares[0] = 1.0;
        } else {
            for of_home in (1..=number).rev() {
                shares[of_home] = shares[of_home] * (1.0 - home) + shares[of_home - 1] * home;
            }
            shares[0] *= 1.0 - home;
        }
        if *chance > 0.0 {
            shares.iter().take(number + 1).enumerate().for_each(|(of_home, share)| {
                take(of_home, number - of_home, chance * share);
            });
        }
    }
}

impl Part {
    fn new(score: [u32; 2], both: Vec<f64>, home: f64) -> Part {
        let goals = both.len();
        let [mut of_home, mut of_away] = [vec![0.0; goals], vec![0.0; goals]];
        let mut apart = vec![0.0; 2 * goals - 1];
        share_out(&both, home, |home, away, chance| {
            of_home[home] += chance;
            of_away[away] += chance;
            apart[goals - 1 + home - away] += chance;
        });
        Part { score, both, each: [of_home, of_away], apart: Difference::from_lowest(1 - goals as i64, apart), home }
    }

    fn ahead(&self) -> i64 {
        i64::from(self.score[0]) - i64::from(self.score[1])
    }

    fn goals(&self) -> usize {
        (self.score[0] + self.score[1]) as usize
    }

    fn result(&self) -> [f64; 3] {
        self.apart.three_way(self.ahead())
    }

    /// Calls `take` with the scores at the end and their chance.
    fn finals(&self, mut take: impl FnMut(usize, usize, f64)) {
        let [home, away] = self.score.map(|goals| goals as usize);
        share_out(&self.both, self.home, |more, others, chance| take(home + more, away + others, chance));
    }

    fn scores(&self, side: usize) -> f64 {
        if self.score[side] > 0 { 1.0 } else { 1.0 - self.each[side][0] }
    }
}

/// The probabilities of the rest of a match.
pub(super) struct Outlook<'a> {
    play: &'a GoalPlay,
    regular: Part,
    periods: BTreeMap<usize, Part>,
    overtime: Option<Part>,
}

impl<'a> Outlook<'a> {
    pub(super) fn new(play: &'a GoalPlay) -> Outlook<'a> {
        let rules = &play.sport.rules;
        let home = play.rates.home;
        let left = |leg: usize| goals_left(play.left(leg), play.rates.tick(rules, leg));
        let mut periods = BTreeMap::new();
        let mut all = vec![1.0];
        for leg in (0..usize::from(rules.periods)).filter(|leg| !play.is_over(*leg)) {
            let both = left(leg);
            all = trimmed(sum(&all, &both));
            periods.insert(leg, Part::new(play.score(|of| of == leg), both, home));
        }
        let is_level = play.regular()[0] == play.regular()[1];
        let may_be_played = play.has_overtime && (is_level || !play.is_regular_over()) && play.stage != Stage::ShootOut;
        let overtime = may_be_played.then(|| {
            let legs = usize::from(rules.periods)..rules.legs();
            let both = legs.fold(vec![1.0], |so_far, leg| trimmed(sum(&so_far, &left(leg))));
            Part::new(play.score(|leg| !rules.is_regular(leg)), both, home)
        });
        Outlook { play, regular: Part::new(play.regular(), all, home), periods, overtime }
    }

    /// Adds all markets of the sport's table.
    pub(super) fn fill(&self, book: &mut Book) {
        let is_regular_over = self.play.is_regular_over();
        for (kind, question) in self.play.sport.data.questions.iter().copied().enumerate() {
            let kind = kind as u16;
            match question {
                Question::Winner | Question::Overtime | Question::ShootOut => self.after_all(book, kind, question),
                Question::OvertimeResult | Question::OvertimeTotal if is_regular_over => {
                    self.of_overtime(book, kind, question);
                }
                Question::OvertimeResult | Question::OvertimeTotal => {}
                _ if is_regular_over => {}
                Question::Result(scope) | Question::DoubleChance(scope) | Question::DrawNoBet(scope) => {
                    if let Some(part) = self.part(scope) {
                        results(book, kind, question, part.result());
                    }
                }
                Question::Total(scope) => {
                    if let Some(part) = self.part(scope) {
                        let spread = if scope == Scope::Match { WIDE } else { NARROW };
                        book.totals(kind, part.goals(), &part.both, spread);
                    }
                }
                Question::TotalOf(side) => {
                    let (counted, left) = (self.regular.score[side] as usize, &self.regular.each[side]);
                    book.totals(kind, counted, left, NARROW);
                }
                Question::Handicap(scope) => {
                    if let Some(part) = self.part(scope) {
                        let spread = if scope == Scope::Match { WIDE } else { NARROW };
                        book.handicaps(kind, &part.apart, part.ahead(), spread);
                    }
                }
                Question::ThreeWayHandicap => {
                    book.three_way_handicaps(kind, &self.regular.apart, self.regular.ahead(), NARROW);
                }
                Question::OddEven(scope) => {
                    if let Some(part) = self.part(scope) {
                        let stays = even(&part.both);
                        let ends_even = if part.goals().is_multiple_of(2) { stays } else { 1.0 - stays };
                        book.single(kind, &[1.0 - ends_even, ends_even]);
                    }
                }
                Question::BothScore(scope) => {
                    if let Some(part) = self.part(scope) {
                        book.two_way(kind, both_score(part));
                    }
                }
                Question::CorrectScore(listed) => correct_score(book, kind, &self.regular, listed.into()),
                Question::NextGoal => self.next_goal(book, kind),
                Question::LastGoal => self.last_goal(book, kind),
                Question::RaceTo(races) => self.races(book, kind, &races),
                Question::ResultAndTotal => self.result_and_total(book, kind),
                Question::PeriodAndMatch => self.period_and_match(book, kind),
                Question::MostGoals => self.most_goals(book, kind),
            }
        }
    }

    fn part(&self, scope: Scope) -> Option<&Part> {
        match scope {
            Scope::Match => Some(&self.regular),
            Scope::Part(part) => self.periods.get(&part.from),
        }
    }

    /// The probabilities that home, neither or away scores next.
    fn next(&self, part: &Part) -> [f64; 3] {
        let (none, home) = (part.both[0], self.play.rates.home);
        [(1.0 - none) * home, none, (1.0 - none) * (1.0 - home)]
    }

    fn next_goal(&self, book: &mut Book, kind: u16) {
        book.only_line(kind, self.regular.goals(), &self.next(&self.regular));
    }

    fn last_goal(&self, book: &mut Book, kind: u16) {
        let mut last = self.next(&self.regular);
        if let Some(goal) = self.play.goals.last() {
            last[2 * goal.side] += last[1];
            last[1] = 0.0;
        }
        book.single(kind, &last);
    }

    fn races(&self, book: &mut Book, kind: u16, races: &[u8]) {
        let [home, away] = self.regular.score;
        let mut is_first = true;
        for (line, to) in races.iter().enumerate() {
            let to = u32::from(*to);
            if home >= to || away >= to {
                continue;
            }
            let needed = [(to - home) as usize, (to - away) as usize];
            let share = self.play.rates.home;
            let [home, away] = [
                race(&self.regular.both, needed, share),
                race(&self.regular.both, [needed[1], needed[0]], 1.0 - share),
            ];
            let chances = [home, f64::max(1.0 - home - away, 0.0), away];
            if chances.iter().all(|chance| *chance < DECIDED) {
                book.line(kind, line, is_first, &chances);
                is_first = false;
            }
        }
    }

    fn result_and_total(&self, book: &mut Book, kind: u16) {
        let part = &self.regular;
        let mut under = 0.0;
        let even = part.both.iter().position(|chance| {
            under += chance;
            under >= 0.5
        });
        let line = part.goals() + even.unwrap_or(0);
        let mut chances = [0.0; 6];
        part.finals(|home, away, chance| {
            chances[2 * place(home, away) + usize::from(home + away > line)] += chance;
        });
        let first = usize::from(self.play.sport.data.spec(kind).whole(0));
        if let Some(line) = line.checked_sub(first) {
            book.line(kind, line, true, &chances);
        }
    }

    /// The result of the first period and of the match.
    fn period_and_match(&self, book: &mut Book, kind: u16) {
        let Some(first) = self.periods.get(&0) else { return };
        let rest: Vec<&Part> = self.periods.values().skip(1).collect();
        let both = || rest.iter().fold(vec![1.0], |so_far, part| trimmed(sum(&so_far, &part.both)));
        let apart = match rest[..] {
            [only] => &only.apart,
            _ => &Part::new([0, 0], both(), self.play.rates.home).apart,
        };
        let mut chances = [0.0; 9];
        for (more, chance) in first.apart.iter().filter(|(_, chance)| *chance > NEVER) {
            let ahead = first.ahead() + more;
            let half = (1 - ahead.signum()) as usize;
            for (full, then) in apart.three_way(ahead).into_iter().enumerate() {
                chances[3 * half + full] += chance * then;
            }
        }
        book.single(kind, &chances);
    }

    /// Which period has the most goals; the last answer is that several have.
    fn most_goals(&self, book: &mut Book, kind: u16) {
        let periods = usize::from(self.play.sport.rules.periods);
        let totals: Vec<Vec<f64>> = (0..periods)
            .map(|leg| {
                let (scored, part) = (self.play.score(|of| of == leg), self.periods.get(&leg));
                let mut total = vec![0.0; (scored[0] + scored[1]) as usize];
                total.extend_from_slice(part.map_or(&[1.0], |part| &part.both));
                total
            })
            .collect();
        let at = |leg: usize, goals: usize| totals[leg].get(goals).copied().unwrap_or(0.0);
        let mut chances = vec![0.0; periods + 1];
        for leg in 0..periods {
            let mut below = vec![0.0; periods];
            for goals in 0..totals[leg].len() {
                let others: f64 = (0..periods).filter(|other| *other != leg).map(|other| below[other]).product();
                chances[leg] += at(leg, goals) * others;
                (0..periods).for_each(|other| below[other] += at(other, goals));
            }
        }
        chances[periods] = f64::max(1.0 - chances.iter().sum::<f64>(), 0.0);
        book.single(kind, &chances);
    }

    fn after_all(&self, book: &mut Book, kind: u16, question: Question) {
        if !self.play.has_overtime {
            return;
        }
        let rules = &self.play.sport.rules;
        let kicks = rules.kicks.home_wins(self.play.taken, self.play.scored);
        let [home, draw, _] = self.regular.result();
        // The home side's chance in overtime, and that of a shoot-out.
        let [wins, level] = match &self.overtime {
            None => [0.0, 1.0],
            Some(part) if rules.overtime.sudden_death => {
                let [home, none, _] = self.next(part);
                [home, none]
            }
            Some(part) => {
                let [home, level, _] = part.result();
                [home, level]
            }
        };
        match question {
            Question::Winner => book.two_way(kind, home + draw * (wins + level * kicks)),
            Question::Overtime => book.two_way(kind, draw),
            _ => book.two_way(kind, draw * level),
        }
    }

    fn of_overtime(&self, book: &mut Book, kind: u16, question: Question) {
        if let Some(part) = &self.overtime {
            match question {
                Question::OvertimeResult => book.single(kind, &part.result()),
                _ => book.totals(kind, part.goals(), &part.both, NARROW),
            }
        }
    }
}

fn goals_left(ticks: u32, chance: f64) -> Vec<f64> {
    let mean = f64::from(ticks) * chance;
    let places = (mean + 9.0 * mean.sqrt() + 9.0) as usize;
    trimmed(binomial(ticks as usize, chance, places.min(ticks as usize + 1)))
}

/// Without what hardly ever happens.
fn trimmed(mut chances: Vec<f64>) -> Vec<f64> {
    while chances.len() > 1 && chances.last().is_some_and(|chance| *chance < NEVER) {
        chances.pop();
    }
    chances
}

fn place(home: usize, away: usize) -> usize {
    match home.cmp(&away) {
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 2,
    }
}

fn results(book: &mut Book, kind: u16, question: Question, [home, draw, away]: [f64; 3]) {
    match question {
        Question::DoubleChance(_) => book.single(kind, &[home + draw, home + away, draw + away]),
        Question::DrawNoBet(_) if home + away > 1e-6 => book.two_way(kind, home / (home + away)),
        Question::DrawNoBet(_) => {}
        _ => book.single(kind, &[home, draw, away]),
    }
}

fn both_score(part: &Part) -> f64 {
    if part.score.iter().all(|goals| *goals > 0) {
        return 1.0;
    }
    // That neither scores is counted in both chances of one not scoring.
    match part.score {
        [0, 0] => 1.0 - part.each[0][0] - part.each[1][0] + part.both[0],
        _ => part.scores(0).min(part.scores(1)),
    }
}

/// Scores of up to `listed` goals of each side; any other is one answer.
fn correct_score(book: &mut Book, kind: u16, part: &Part, listed: usize) {
    let mut chances: BTreeMap<u16, f64> = BTreeMap::new();
    part.finals(|home, away, chance| {
        let is_listed = home <= listed && away <= listed;
        let place = if is_listed { 10 * home + away } else { 100 };
        *chances.entry(place as u16).or_default() += chance;
    });
    book.push_some(kind, 0, None, chances.into_iter());
}

/// The chance of one side to get to its number of goals before the other gets to its own, `[own, other's]`, each
/// goal being the side's own with a chance of `share`.
fn race(both: &[f64], [own, others]: [usize; 2], share: f64) -> f64 {
    let mut at_least: f64 = both.iter().skip(own).sum();
    // The last of the needed goals is scored after a number of goals of the other side.
    let mut exactly = pow(share, own as f64);
    let mut chance = 0.0;
    for lost in 0..others {
        chance += exactly * at_least;
        at_least -= both.get(own + lost).copied().unwrap_or(0.0);
        exactly *= (1.0 - share) * (own + lost) as f64 / (lost as f64 + 1.0);
    }
    chance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_race_of_even_sides_is_even_and_may_end_without_a_winner() {
        // Always enough goals, so that one side wins.
        let plenty: Vec<f64> = (0..=20).map(|goals| if goals == 20 { 1.0 } else { 0.0 }).collect();
        assert!((race(&plenty, [3, 3], 0.5) - 0.5).abs() < 1e-12);
        assert!((race(&plenty, [1, 2], 0.5) - 0.75).abs() < 1e-12);
        assert!((race(&plenty, [2, 3], 0.6) + race(&plenty, [3, 2], 0.4) - 1.0).abs() < 1e-12);
        // Two goals at most: three is too far.
        assert_eq!(race(&[0.2, 0.3, 0.5], [3, 3], 0.5), 0.0);
        assert!((race(&[0.0, 0.0, 1.0], [2, 2], 0.5) - 0.25).abs() < 1e-12);
    }

    #[test]
    fn a_part_shares_its_goals_out() {
        let part = Part::new([1, 0], vec![0.5, 0.25, 0.25], 0.6);
        assert!((part.each[0].iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // A draw: one goal, the away side's.
        assert!((part.result()[1] - 0.25 * 0.4).abs() < 1e-12);
        let mut sum = 0.0;
        part.finals(|home, _, chance| {
            assert!(home >= 1);
            sum += chance;
        });
        assert!((sum - 1.0).abs() < 1e-12);
    }
}
