//! Reads the files of the data set into [`Recording`]s, by the derivation rules of `data/wyscout-soccer/README.md`. A
//! timeline that does not add up to its official score is refused: a replay must never end with a wrong result.

use super::files::{RECORDS_FILE, RecordingError, RecordingFiles};
use super::timeline::{Competition, Event, Fact, Official, PlayedPeriod, Recording, Team};
use crate::domain::Text;
use crate::domain::matches::{Ball, Pair, Side};
use crate::feed::soccer::state::{Period, other};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;

/// Tags of an event (`tags[].id`).
mod tag {
    pub(super) const GOAL: u32 = 101;
    pub(super) const OWN_GOAL: u32 = 102;
    pub(super) const RED: u32 = 1701;
    pub(super) const YELLOW: u32 = 1702;
    pub(super) const SECOND_YELLOW: u32 = 1703;
}

/// `competitionId` of the World Cup; any other is treated as a league.
const WORLD_CUP: u64 = 28;
/// A foul this long before a penalty is the one it was given for: the video referee took four minutes once.
const PENALTY_DECISION_MS_MAX: u32 = 300_000;

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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawEvent<'a> {
    #[serde(borrow)]
    event_name: Cow<'a, str>,
    #[serde(borrow)]
    sub_event_name: Cow<'a, str>,
    tags: Vec<RawTag>,
    team_id: u64,
    player_id: u64,
    positions: Vec<RawPosition>,
    #[serde(borrow)]
    match_period: Cow<'a, str>,
    event_sec: f64,
}

#[derive(Deserialize)]
struct RawTag {
    id: u32,
}

#[derive(Deserialize)]
struct RawPosition {
    x: i64,
    y: i64,
}

/// What a set of files holds: the matches that can be replayed, and what was wrong with the others.
#[derive(Debug, Default)]
pub struct Loaded {
    /// In the order of their ids.
    pub recordings: Vec<Recording>,
    /// Each names its file.
    pub broken: Vec<RecordingError>,
}

/// Reads a whole set. Only a set without readable match records is an error: without them nobody knows who is home.
pub fn load(files: &RecordingFiles) -> Result<Loaded, RecordingError> {
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
        // The record gives 0 for extra time where none was played.
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

/// Reads events of one match.
struct Reader {
    home: u64,
    away: u64,
    players: HashMap<u64, Text>,
}

impl Reader {
    fn side(&self, team: u64) -> Option<Side> {
        if team == self.home {
            Some(Side::Home)
        } else if team == self.away {
            Some(Side::Away)
        } else {
            None
        }
    }

    fn events(&self, raw: &[RawEvent]) -> Result<Vec<Event>, String> {
        let mut last_foul: Option<(Period, u32, Side)> = None;
        let mut events = Vec::with_capacity(raw.len());
        for raw in raw {
            let period = period(&raw.match_period).ok_or_else(|| format!("unknown period {:?}", raw.match_period))?;
            let side = self.side(raw.team_id).ok_or_else(|| format!("unknown team {}", raw.team_id))?;
            let at_ms = milliseconds(raw.event_sec).ok_or_else(|| format!("an event at second {}", raw.event_sec))?;
            let since_foul_ms = match last_foul {
                Some((when, foul_ms, by)) if when == period && by == other(side) => at_ms.saturating_sub(foul_ms),
                _ => 0,
            };
            let fact = self.fact(raw, period, side, since_foul_ms);
            if raw.event_name == "Foul" {
                last_foul = Some((period, at_ms, side));
            }
            let ball = ball(raw, side, fact.as_ref());
            if fact.is_some() || ball.is_some() {
                events.push(Event { period, at_ms, ball, fact });
            }
        }
        Ok(events)
    }

    fn fact(&self, raw: &RawEvent, period: Period, side: Side, since_foul_ms: u32) -> Option<Fact> {
        let tagged = |tag: u32| raw.tags.iter().any(|held| held.id == tag);
        let is_kick = raw.event_name == "Shot" || raw.event_name == "Free Kick";
        let scored = is_kick && tagged(tag::GOAL);
        let player = || self.players.get(&raw.player_id).cloned();
        let is_penalty = raw.sub_event_name == "Penalty";
        if period == Period::ShootOut {
            return is_penalty.then_some(Fact::ShootOutKick { side, scored });
        }
        if is_penalty {
            let known = since_foul_ms <= PENALTY_DECISION_MS_MAX;
            return Some(Fact::Penalty {
                side,
                scored,
                since_foul_ms: if known { since_foul_ms } else { 0 },
                taker: player(),
            });
        }
        if scored || tagged(tag::OWN_GOAL) {
            return Some(Fact::Goal { side: if scored { side } else { other(side) }, own: !scored, scorer: player() });
        }
        if tagged(tag::RED) || tagged(tag::SECOND_YELLOW) {
            return Some(Fact::Red(side));
        }
        if tagged(tag::YELLOW) {
            return Some(Fact::Yellow(side));
        }
        (raw.sub_event_name == "Corner").then_some(Fact::Corner(side))
    }
}

fn period(name: &str) -> Option<Period> {
    match name {
        "1H" => Some(Period::FirstHalf),
        "2H" => Some(Period::SecondHalf),
        "E1" => Some(Period::ExtraFirst),
        "E2" => Some(Period::ExtraSecond),
        "P" => Some(Period::ShootOut),
        _ => None,
    }
}

/// A moment of a period; no period lasts three hours.
fn milliseconds(seconds: f64) -> Option<u32> {
    let fits = (0.0..10_800.0).contains(&seconds);
    fits.then(|| (seconds * 1000.0).round() as u32)
}

/// Where the ball was. Both sides of a duel are recorded: the defender's half would show the ball on the wrong foot.
fn ball(raw: &RawEvent, side: Side, fact: Option<&Fact>) -> Option<Ball> {
    if raw.sub_event_name == "Ground defending duel" {
        return None;
    }
    let position = raw.positions.first()?;
    let percent = |value: i64| value.clamp(0, 100) as u8;
    let (own_x, own_y) = (percent(position.x), percent(position.y));
    // Each side sees the pitch attacking towards 100: the away side's view is turned round.
    let (x, y) = match side {
        Side::Home => (own_x, own_y),
        Side::Away => (100 - own_x, 100 - own_y),
    };
    let nobody = raw.event_name == "Interruption";
    let holder = match side {
        _ if nobody => 0,
        Side::Home => 1,
        Side::Away => 2,
    };
    let action = action(raw, own_x, fact);
    Some(Ball { x, y, side: holder, action })
}

/// The action's number ([`Ball::action`]).
fn action(raw: &RawEvent, own_x: u8, fact: Option<&Fact>) -> u8 {
    match fact {
        Some(Fact::Goal { .. } | Fact::Penalty { scored: true, .. }) => return 10,
        Some(Fact::Penalty { .. } | Fact::ShootOutKick { .. }) => return 11,
        _ => {}
    }
    match (&*raw.event_name, &*raw.sub_event_name) {
        ("Shot", _) | (_, "Free kick shot") => 3,
        (_, "Corner") => 4,
        (_, "Goal kick") => 6,
        (_, "Throw in") => 7,
        ("Free Kick", _) => 5,
        ("Save attempt", _) => 8,
        ("Foul", _) => 9,
        ("Offside", _) => 12,
        ("Interruption", _) => 0,
        _ if own_x >= 80 => 2,
        _ if own_x >= 60 => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::recording::timeline::Totals;
    use serde_json::Value;

    fn embedded() -> Loaded {
        load(&RecordingFiles::Embedded).expect("the embedded set is whole")
    }

    #[test]
    fn names_escaped_twice_are_decoded_once_more() {
        for (name, decoded) in [
            ("Br\\u00f8ndby", "Brøndby"),
            ("\\u0160ime", "Šime"),
            ("M. Brozovi\\u0107", "M. Brozović"),
            ("Kane", "Kane"),
            ("\\u12", "\\u12"),
            ("\\uzzzz", "\\uzzzz"),
        ] {
            assert_eq!(unescaped(name), decoded);
        }
    }

    #[test]
    fn every_recorded_match_ends_as_its_official_record_says() {
        let loaded = embedded();
        assert_eq!(loaded.broken.len(), 0, "{:?}", loaded.broken);
        let bytes = RecordingFiles::Embedded.read(RECORDS_FILE).expect("records");
        let records: Vec<Value> = serde_json::from_slice(&bytes).expect("json");
        assert_eq!(records.len(), 15);
        for record in &records {
            let id = record["wyId"].as_u64().expect("id");
            let held = loaded.recordings.iter().find(|held| held.id == id);
            let totals = held.expect("every record has its recording").totals();
            for team in record["teamsData"].as_object().expect("teams").values() {
                let place = usize::from(team["side"] == "away");
                let number = |name: &str| team[name].as_i64().expect(name);
                let end = number("score").max(number("scoreET"));
                assert_eq!(totals.total[place], end, "score of {id}");
                assert_eq!(totals.regular[place], number("score"), "90 minutes of {id}");
                assert_eq!(totals.half_time[place], number("scoreHT"), "half-time of {id}");
                assert_eq!(totals.shoot_out[place], number("scoreP"), "shoot-out of {id}");
                assert_eq!(totals.yellow[place], booked(team, "yellowCards"), "yellow of {id}");
                assert_eq!(totals.red[place], booked(team, "redCards"), "red of {id}");
            }
        }
    }

    /// Players of the official line-up with a minute beside that card.
    fn booked(team: &Value, card: &str) -> i64 {
        let formation = &team["formation"];
        let listed = ["lineup", "bench"].map(|list| formation[list].as_array().expect(list));
        let players = listed.into_iter().flatten();
        players.filter(|player| player[card].as_str().is_some_and(|minute| minute != "0")).count() as i64
    }

    #[test]
    fn corners_and_cards_are_those_counted_when_the_data_was_chosen() {
        // id, corners, yellow, red
        let counted = [
            (2_057_974, [5, 2], [3, 4], [0, 0]),
            (2_057_997, [3, 6], [2, 1], [1, 0]),
            (2_058_005, [5, 4], [0, 1], [0, 0]),
            (2_058_015, [8, 4], [2, 1], [0, 0]),
            (2_058_017, [2, 6], [2, 1], [0, 0]),
            (2_500_089, [7, 8], [0, 0], [0, 0]),
            (2_500_090, [4, 2], [2, 3], [0, 0]),
            (2_500_091, [7, 4], [1, 0], [0, 0]),
            (2_500_092, [7, 3], [0, 0], [0, 0]),
            (2_500_093, [6, 5], [4, 0], [0, 0]),
            (2_500_094, [4, 2], [0, 1], [0, 0]),
            (2_500_095, [1, 12], [3, 2], [0, 0]),
            (2_500_096, [6, 0], [1, 2], [0, 0]),
            (2_500_097, [4, 4], [1, 2], [0, 0]),
            (2_500_098, [6, 6], [0, 1], [0, 0]),
        ];
        let recordings = embedded().recordings;
        assert_eq!(recordings.len(), counted.len());
        for (held, (id, corners, yellow, red)) in recordings.iter().zip(counted) {
            let Totals { corners: c, yellow: y, red: r, .. } = held.totals();
            assert_eq!((held.id, c, y, r), (id, corners, yellow, red));
        }
    }

    #[test]
    fn a_broken_file_is_named_and_the_others_are_read() {
        let folder = std::env::temp_dir().join(format!("kvota-recording-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("folder");
        for file in [RECORDS_FILE, "2500089.json.gz", "2500090.json.gz"] {
            let packed = packed(file);
            std::fs::write(folder.join(file), packed).expect("copy");
        }
        let mut cut = packed("2500091.json.gz");
        cut.truncate(20_000);
        std::fs::write(folder.join("2500091.json.gz"), cut).expect("a file cut short");
        std::fs::write(folder.join("2500092.json.gz"), b"no gzip").expect("no gzip at all");
        let loaded = load(&RecordingFiles::Folder(folder.clone())).expect("records are readable");
        std::fs::remove_dir_all(&folder).expect("tidy");
        let ids: Vec<u64> = loaded.recordings.iter().map(|held| held.id).collect();
        assert_eq!(ids, [2_500_089, 2_500_090]);
        assert_eq!(loaded.broken.len(), 13);
        for file in ["2500091.json.gz", "2500092.json.gz", "2058005.json.gz"] {
            assert!(loaded.broken.iter().any(|error| error.to_string().contains(file)), "{file} is named");
        }
    }

    fn packed(file: &str) -> Vec<u8> {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/data/wyscout-soccer/");
        std::fs::read(format!("{root}{file}")).expect("a data file of the project")
    }
}
