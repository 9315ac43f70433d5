//! Checks the recorded matches against their official records.

use super::*;
use crate::recording::timeline::Totals;
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
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/wyscout-soccer/");
    std::fs::read(format!("{root}{file}")).expect("a data file of the project")
}
