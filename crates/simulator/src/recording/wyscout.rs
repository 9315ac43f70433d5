//! Reads the files of the data set into [`Recording`]s, by the derivation rules of `data/wyscout-soccer/README.md`.
//! Rejects a timeline that does not match its official score, because a replay must not end with a wrong result.

use super::events::{RawEvent, Reader};
use super::files::{RECORDS_FILE, RecordingError, RecordingFiles};
use super::period::Period;
use super::timeline::{Competition, Event, Official, PlayedPeriod, Recording, Team};
use kvota_domain::Text;
use kvota_domain::matches::Pair;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

/// `competitionId` of the World Cup; any other is treated as a league.
const WORLD_CUP: u64 = 28;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MatchRecord {
    wy_id: u64,
    competition_id: u64,
    #[serde(default)]
    group_name: String,
    teams_data: HashMap<String, TeamRecord>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TeamRecord {
    team_id: u64,
    side: String,
    score: i64,
    #[serde(rename = "scoreHT")]
    score_ht: i64,
    #[serde(rename = "scoreET")]
    score_et: i64,
    score_p: i64,
}

#[derive(Deserialize)]
struct MatchFile<'a> {
    #[serde(borrow)]
    events: Vec<RawEvent<'a>>,
    #[serde(borrow)]
    teams: HashMap<Cow<'a, str>, RawTeamBox>,
    #[serde(borrow)]
    players: HashMap<Cow<'a, str>, Vec<RawPlayerBox>>,
}

#[derive(Deserialize)]
struct RawTeamBox {
    team: RawTeam,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawTeam {
    wy_id: u64,
    name: String,
}

#[derive(Deserialize)]
struct RawPlayerBox {
    player: RawPlayer,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawPlayer {
    wy_id: u64,
    short_name: String,
}

/// The matches of a set of files that can be replayed, and the errors of the others.
#[derive(Debug, Default)]
pub struct Loaded {
    /// In the order of their ids.
    pub recordings: Vec<Recording>,
    /// The broken files; each error names its file.
    pub broken: Vec<RecordingError>,
}

/// The set that is part of the program, which never changes.
static EMBEDDED: OnceLock<Vec<Recording>> = OnceLock::new();

/// Reads a whole set; the embedded set is read only once. Fails only if the match records are unreadable, because
/// without them the home teams are unknown.
pub fn load(files: &RecordingFiles) -> Result<Loaded, RecordingError> {
    if *files != RecordingFiles::Embedded {
        return read(files);
    }
    if let Some(recordings) = EMBEDDED.get() {
        return Ok(Loaded { recordings: recordings.clone(), broken: Vec::new() });
    }
    let loaded = read(files)?;
    if loaded.broken.is_empty() {
        // Fails if another thread has set it first, to the same value.
        let _ = EMBEDDED.set(loaded.recordings.clone());
    }
    Ok(loaded)
}

fn read(files: &RecordingFiles) -> Result<Loaded, RecordingError> {
    let bytes = files.read(RECORDS_FILE)?;
    let file = || files.path_of(RECORDS_FILE);
    let records: Vec<serde_json::Value> =
        serde_json::from_slice(&bytes).map_err(|source| RecordingError::Json { file: file(), source })?;
    let mut loaded = Loaded::default();
    for record in records {
        let record = serde_json::from_value(record).map_err(|source| RecordingError::Json { file: file(), source });
        match record.and_then(|record| recording(files, &record)) {
            Ok(recording) => loaded.recordings.push(recording),
            Err(error) => loaded.broken.push(error),
        }
    }
    loaded.recordings.sort_by_key(|recording| recording.id);
    loaded.recordings.dedup_by_key(|recording| recording.id);
    Ok(loaded)
}

fn recording(files: &RecordingFiles, record: &MatchRecord) -> Result<Recording, RecordingError> {
    let name = format!("{}.json.gz", record.wy_id);
    let bytes = files.read(&name)?;
    let file = || files.path_of(&name);
    let wrong = |what: String| RecordingError::Wrong { file: file(), what };
    let raw: MatchFile =
        serde_json::from_slice(&bytes).map_err(|source| RecordingError::Json { file: file(), source })?;
    let home = side_record(record, "home").ok_or_else(|| wrong("no home side".to_owned()))?;
    let away = side_record(record, "away").ok_or_else(|| wrong("no away side".to_owned()))?;
    let reader = Reader { home: home.team_id, away: away.team_id, players: player_names(&raw) };
    let events = reader.events(&raw.events).map_err(wrong)?;
    let recording = Recording {
        id: record.wy_id,
        competition: competition(record),
        teams: [team(&raw, home.team_id), team(&raw, away.team_id)],
        periods: played_periods(&events),
        events,
        official: official(home, away),
    };
    check(&recording).map_err(wrong)?;
    Ok(recording)
}

fn side_record<'a>(record: &'a MatchRecord, side: &str) -> Option<&'a TeamRecord> {
    record.teams_data.values().find(|team| team.side == side)
}

fn competition(record: &MatchRecord) -> Competition {
    match (record.competition_id, record.group_name.is_empty()) {
        (WORLD_CUP, true) => Competition::WorldCupKnockOut,
        (WORLD_CUP, false) => Competition::WorldCupGroup,
        _ => Competition::PremierLeague,
    }
}

fn official(home: &TeamRecord, away: &TeamRecord) -> Official {
    let both = |of: fn(&TeamRecord) -> i64| -> Pair { [of(home), of(away)] };
    Official {
        half_time: both(|team| team.score_ht),
        regular: both(|team| team.score),
        // The record has 0 for extra time if none was played.
        total: both(|team| team.score.max(team.score_et)),
        shoot_out: both(|team| team.score_p),
    }
}

fn team(raw: &MatchFile, id: u64) -> Team {
    let found = raw.teams.values().find(|held| held.team.wy_id == id);
    let name = found.map_or_else(|| format!("Team {id}"), |held| unescaped(&held.team.name));
    Team { id, name: Text::from(name) }
}

fn player_names(raw: &MatchFile) -> HashMap<u64, Text> {
    let players = raw.players.values().flatten();
    players
        .map(|held| {
            let name = unescaped(&held.player.short_name);
            (held.player.wy_id, Text::from(name.trim()))
        })
        .collect()
}

/// Decodes the escapes that were left in some names: a literal backslash, `u` and four hexadecimal digits.
fn unescaped(name: &str) -> String {
    let mut decoded = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find("\\u") {
        let (before, escape) = rest.split_at(at);
        decoded.push_str(before);
        let digits = escape.get(2..6);
        let character = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32);
        let Some(character) = character else {
            decoded.push_str("\\u");
            rest = &escape[2..];
            continue;
        };
        decoded.push(character);
        rest = &escape[6..];
    }
    decoded.push_str(rest);
    decoded
}

fn played_periods(events: &[Event]) -> Vec<PlayedPeriod> {
    let mut periods: Vec<PlayedPeriod> = Vec::new();
    for event in events {
        match periods.last_mut() {
            Some(last) if last.period == event.period => last.length_ms = event.at_ms,
            _ => periods.push(PlayedPeriod { period: event.period, length_ms: event.at_ms }),
        }
    }
    periods
}

fn check(recording: &Recording) -> Result<(), String> {
    let in_order = |pair: &[Event]| (pair[0].period, pair[0].at_ms) <= (pair[1].period, pair[1].at_ms);
    if !recording.events.windows(2).all(in_order) {
        return Err("its events are not in order".to_owned());
    }
    let both_halves = [Period::FirstHalf, Period::SecondHalf];
    if !recording.periods.iter().map(|held| held.period).take(2).eq(both_halves) {
        return Err("it lacks a half".to_owned());
    }
    let derived = recording.totals().as_official();
    if derived != recording.official {
        let official = recording.official;
        return Err(format!("its events add up to {derived:?}, the record says {official:?}"));
    }
    Ok(())
}

#[cfg(test)]
#[path = "wyscout_tests.rs"]
mod tests;
