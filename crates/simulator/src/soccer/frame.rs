//! A soccer match at one moment, which can be rendered in any language: the model's book, the facts and the clock.
//! Created by the play of a match; frames share an unchanged book.

use super::kinds::catalogue;
use super::state::{Count, Period, Phase, Situation};
use crate::fixture::{Fixture, FrameClock};
use crate::generator::RenderMatch;
use crate::pricing::book::Book;
use crate::pricing::render::markets;
use kvota_domain::Text;
use kvota_domain::feed::Time;
use kvota_domain::ids::{MatchId, SOCCER, SportId};
use kvota_domain::incidents::History;
use kvota_domain::lang::Lang;
use kvota_domain::matches::{Ball, DEMO_PICTURES, Match, Pair};
use std::sync::Arc;

/// A match at one moment.
#[derive(Clone, Debug)]
pub struct Frame {
    /// What stays the same.
    pub fixture: Arc<Fixture>,
    /// The facts.
    pub situation: Situation,
    /// The clock.
    pub clock: FrameClock,
    /// Whether bets are taken at all.
    pub betting: bool,
    /// Whether betting is suspended for the moment.
    pub suspended: bool,
    /// Where the ball is.
    pub ball: Option<Ball>,
    /// The event under which there are pictures of it: the loop that is built in.
    pub pictures: Option<u64>,
    /// The history of the match so far.
    pub history: Arc<History>,
    /// The markets.
    pub book: Arc<Book>,
}

impl RenderMatch for Frame {
    fn id(&self) -> MatchId {
        self.fixture.id
    }

    fn sport_id(&self) -> SportId {
        SOCCER
    }

    fn entities(&self) -> usize {
        self.book.entities()
    }

    fn render(&self, lang: Lang, date_ms: i64) -> (Match, Time) {
        let fixture = &self.fixture;
        let situation = &self.situation;
        let (time, stopped) = self.clock.reading(date_ms);
        let live_match = Match {
            status: Some(Text::from(situation.phase.status())),
            home: Some(fixture.home[lang].clone()),
            away: Some(fixture.away[lang].clone()),
            betting: self.betting,
            markets: markets(catalogue(), &self.book, fixture.block, lang),
            order: fixture.order,
            score: Some(pair(situation.score())),
            scores: scores(situation),
            sport_name: Some(fixture.sport[lang].clone()),
            tournament: Some(fixture.tournament[lang].clone()),
            tournament_description: Some(fixture.tournament_description[lang].clone()),
            result: (situation.phase == Phase::Ended).then(|| result(situation)),
            red_cards: Some(pair(situation.red)),
            yellow_cards: Some(pair(situation.yellow)),
            corners: Some(pair(situation.corners)),
            clock_stopped: stopped,
            suspended: Some(self.suspended),
            perform_event_id: self.pictures,
            perform_event_type: self.pictures.map(|_| Text::from(DEMO_PICTURES)),
            ball: self.ball,
            history: (!self.history.is_empty()).then(|| Arc::clone(&self.history)),
            ..Match::empty(fixture.id, SOCCER)
        };
        (live_match, time)
    }
}

fn pair(count: Count) -> Pair {
    count.map(i64::from)
}

/// The scores of the periods so far. Extra time is one period, and the shoot-out is last.
pub(crate) fn scores(situation: &Situation) -> Vec<Pair> {
    let reached = |period: Period| situation.phase.period().is_some_and(|now| now >= period);
    let over = situation.phase == Phase::Ended;
    let extra = reached(Period::ExtraFirst) || (over && situation.went_to_extra_time());
    let shoot_out = reached(Period::ShootOut) || (over && situation.shoot_out.taken != [0, 0]);
    let periods = [
        (reached(Period::FirstHalf) || over, situation.first),
        (reached(Period::SecondHalf) || over, situation.second),
        (extra, situation.extra),
        (shoot_out, situation.shoot_out.scored),
    ];
    let periods = periods.into_iter().filter(|(played, _)| *played);
    periods.map(|(_, count)| pair(count)).collect()
}

/// The result: the score, with the shoot-out's in brackets.
fn result(situation: &Situation) -> Text {
    let [home, away] = situation.score();
    let [kicks_home, kicks_away] = situation.shoot_out.scored;
    if situation.shoot_out.taken == [0, 0] {
        Text::from(format!("{home}:{away}"))
    } else {
        Text::from(format!("{home}:{away} ({kicks_home}:{kicks_away})"))
    }
}
