//! Replays recorded matches in an endless loop: first the ten simultaneous Premier League matches of 13 May 2018, then
//! those of the World Cup, then again from the start. The next matches enter the offer before the running ones leave
//! it, so that it is never empty. Must never read a clock.
//!
//! A match's id is that of its file plus a million for each round; the first round follows from the start of the
//! producer ([`IdSpace`]), so that an id never names another match. The id modulo a million is 57,974 to 58,017 or
//! 500,089 to 500,098; other generators do not use these.

use super::files::{RecordingError, RecordingFiles};
use super::play::{Moment, Play, Staged, soccer};
use super::script::{Script, Timing};
use super::teams::{PREMIER_LEAGUE, WORLD_CUP, team_name};
use super::timeline::{Competition, Recording};
use super::wyscout::load;
use crate::catalogue::SOCCER;
use crate::fixture::Fixture;
use crate::generator::{GeneratedChange, Generator, IdSpace};
use crate::pricing::catalogue::texts;
use crate::results::MatchDecisions;
use crate::simulator::soccer::strengths::rates;
use kvota_domain::ids::MatchId;
use kvota_domain::lang::Lang;
use kvota_domain::sport::SportPatch;
use std::sync::Arc;
use tracing::warn;

/// Added to every match id in each further round.
const ROUND_STEP: u64 = 1_000_000;
/// From the end of the last match of a group to the kick-off of the next group, in match time.
const BETWEEN_GROUPS_MS: i64 = 180_000;
/// Speeds beyond these make no sense: a goal every few milliseconds, or none for days.
const SPEED: std::ops::RangeInclusive<f64> = 0.01..=1000.0;

/// How the recordings are replayed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReplayOptions {
    /// Match time in a unit of wall time: 1 is real time. Kept within 0.01 and 1000.
    pub speed: f64,
    /// The moment of the first round at which the replay begins, in seconds of match time since its kick-off. Negative:
    /// before the kick-off.
    pub start_s: i64,
    /// Durations that the recordings do not contain.
    pub timing: Timing,
    /// The ids it may use.
    pub ids: IdSpace,
}

impl Default for ReplayOptions {
    fn default() -> ReplayOptions {
        ReplayOptions { speed: 1.0, start_s: 0, timing: Timing::default(), ids: IdSpace::new(0, 1, 0) }
    }
}

/// Matches that kick off together.
#[derive(Debug)]
struct Group {
    staged: Vec<Staged>,
    end_ms: i64,
    delete_ms: i64,
}

/// The replay.
#[derive(Debug)]
pub struct RecordingGenerator {
    options: ReplayOptions,
    groups: Vec<Group>,
    playing: Vec<Play>,
    /// How many groups have come up so far.
    groups_begun: u64,
    next_kick_off_ms: i64,
    /// The first moment ever: match time counts from it.
    first_wall_ms: Option<i64>,
    now: Option<Moment>,
    /// The results of the latest step.
    decisions: Vec<MatchDecisions>,
}

impl RecordingGenerator {
    /// Reads a set of files. Broken ones are named in the log and skipped; a set of which nothing is left is an error.
    pub fn open(files: &RecordingFiles, options: ReplayOptions) -> Result<RecordingGenerator, RecordingError> {
        let loaded = load(files)?;
        for error in &loaded.broken {
            let source = std::error::Error::source(error).map(ToString::to_string);
            warn!(cause = source, "{error}; it is skipped");
        }
        if loaded.recordings.is_empty() {
            return Err(RecordingError::Wrong {
                file: files.path_of(super::files::RECORDS_FILE),
                what: "none of its matches can be replayed".to_owned(),
            });
        }
        Ok(RecordingGenerator::new(loaded.recordings, options))
    }

    /// Replays these recordings.
    pub fn new(recordings: Vec<Recording>, options: ReplayOptions) -> RecordingGenerator {
        let is_league = |recording: &Recording| recording.competition == Competition::PremierLeague;
        let (league, cup): (Vec<_>, Vec<_>) = recordings.into_iter().partition(is_league);
        let groups = [league, cup].into_iter().filter(|group| !group.is_empty());
        RecordingGenerator {
            groups: groups.map(|group| Group::new(group, &options.timing)).collect(),
            options,
            playing: Vec::new(),
            groups_begun: 0,
            next_kick_off_ms: 0,
            first_wall_ms: None,
            now: None,
            decisions: Vec::new(),
        }
    }

    fn moment(&mut self, wall_ms: i64) -> Moment {
        let first = *self.first_wall_ms.get_or_insert(wall_ms);
        let latest = self.now.map_or(first, |now| now.wall_ms);
        let wall_ms = wall_ms.max(latest);
        let pace = self.options.speed.clamp(*SPEED.start(), *SPEED.end());
        let since_first = (wall_ms - first) as f64 * pace;
        Moment {
            played_ms: self.options.start_s.saturating_mul(1000).saturating_add(since_first as i64),
            wall_ms,
            pace,
        }
    }

    /// Starts the groups that are due.
    fn begin_groups(&mut self, now: &Moment) {
        let insert_before_ms = i64::from(self.options.timing.insert_before_s) * 1000;
        let number = self.groups.len() as u64;
        while number > 0 && self.next_kick_off_ms - insert_before_ms <= now.played_ms {
            let kick_off_ms = self.next_kick_off_ms;
            let round = self.groups_begun / number;
            let group = &self.groups[(self.groups_begun % number) as usize];
            self.groups_begun += 1;
            self.next_kick_off_ms = kick_off_ms + group.end_ms + BETWEEN_GROUPS_MS;
            // After a long pause whole groups are over before anybody heard of them.
            if kick_off_ms + group.delete_ms <= now.played_ms {
                continue;
            }
            for staged in &group.staged {
                let Some(id) = match_id(staged.recording.id, self.options.ids.first_round() + round) else {
                    continue;
                };
                let block = self.options.ids.take_block();
                let fixture = fixture(&staged.recording, id, block);
                let neutral = staged.recording.competition != Competition::PremierLeague;
                let teams = [0, 1].map(|side| staged.recording.teams[side].id);
                let rates = rates(teams, neutral);
                self.playing.push(Play::new(staged.clone(), Arc::new(fixture), rates, kick_off_ms));
            }
        }
    }
}

impl Generator for RecordingGenerator {
    fn sports(&self, lang: Lang) -> Vec<SportPatch> {
        vec![soccer().patch[lang].clone()]
    }

    fn advance(&mut self, to_ms: i64) -> Vec<GeneratedChange> {
        let now = self.moment(to_ms);
        self.begin_groups(&now);
        let changes = self.playing.iter_mut().filter_map(|play| play.advance(&now));
        let mut changes: Vec<GeneratedChange> = changes.collect();
        changes.sort_by_key(|change| change.at_ms);
        self.decisions = self.playing.iter_mut().filter_map(Play::take_decisions).collect();
        self.playing.retain(|play| play.delete_ms() > now.played_ms);
        self.now = Some(now);
        changes
    }

    fn take_decisions(&mut self) -> Vec<MatchDecisions> {
        std::mem::take(&mut self.decisions)
    }

    fn next_due_ms(&self) -> Option<i64> {
        if self.groups.is_empty() {
            return None;
        }
        let Some(now) = &self.now else {
            return Some(i64::MIN);
        };
        let insert_before_ms = i64::from(self.options.timing.insert_before_s) * 1000;
        let next_group = now.wall_of(self.next_kick_off_ms - insert_before_ms);
        let due = self.playing.iter().map(|play| play.next_due_ms(now));
        Some(due.fold(next_group, i64::min))
    }
}

impl Group {
    fn new(recordings: Vec<Recording>, timing: &Timing) -> Group {
        let staged = recordings.into_iter().map(|recording| Staged {
            script: Arc::new(Script::new(&recording, timing)),
            recording: Arc::new(recording),
        });
        let staged: Vec<Staged> = staged.collect();
        let latest = |of: fn(&Script) -> i64| staged.iter().map(|held| of(&held.script)).max();
        Group {
            end_ms: latest(|script| script.end_ms).unwrap_or_default(),
            delete_ms: latest(|script| script.delete_ms).unwrap_or_default(),
            staged,
        }
    }
}

fn match_id(file: u64, round: u64) -> Option<MatchId> {
    MatchId::new(file.checked_add(round.checked_mul(ROUND_STEP)?)?)
}

fn fixture(recording: &Recording, id: MatchId, block: u64) -> Fixture {
    let ((tournament, country), order) = match recording.competition {
        Competition::PremierLeague => (PREMIER_LEAGUE, 2),
        Competition::WorldCupGroup | Competition::WorldCupKnockOut => (WORLD_CUP, 1),
    };
    let [home, away] = [0, 1].map(|side| {
        let team = &recording.teams[side];
        team_name(team.id, &team.name)
    });
    Fixture {
        id,
        block,
        order,
        home,
        away,
        sport: texts(&SOCCER.profile.name),
        tournament: texts(&tournament),
        tournament_description: texts(&country),
    }
}
