//! `kvota feed --out`: a simulated feed as a file. The same seed gives the same bytes.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

use super::{kvota, output_of};
use kvota_domain::lang::Lang;
use kvota_wire::feed::results::open_match_result;
use kvota_wire::feed::{UpdateLimits, open_update};
use std::collections::BTreeMap;
use std::path::Path;

fn write(path: &Path, seed: &str, encoding: &str) -> Vec<u8> {
    let file = path.to_str().unwrap();
    let arguments =
        ["feed", "--simulate", "--matches", "20", "--seed", seed, "--speed", "4", "--out", file, "--until", "60"];
    let output = kvota(&arguments).args(["--encoding", encoding]).output().unwrap();
    assert_eq!(output_of(&output).0, Some(0), "{}", output_of(&output).2);
    std::fs::read(path).unwrap()
}

/// `(routing key, encoding, epoch, seq, body)` of each message.
type Message = (String, Option<String>, i64, u64, Vec<u8>);

fn messages(mut bytes: &[u8]) -> Vec<Message> {
    let mut messages = Vec::new();
    while !bytes.is_empty() {
        assert_eq!(rmp::decode::read_array_len(&mut bytes).unwrap(), 5);
        let text = |bytes: &mut &[u8]| {
            let length = rmp::decode::read_str_len(bytes).unwrap() as usize;
            let (text, rest) = bytes.split_at(length);
            *bytes = rest;
            String::from_utf8(text.to_vec()).unwrap()
        };
        let key = text(&mut bytes);
        let encoding = if bytes[0] == 0xc0 {
            bytes = &bytes[1..];
            None
        } else {
            Some(text(&mut bytes))
        };
        let epoch = rmp::decode::read_int(&mut bytes).unwrap();
        let seq = rmp::decode::read_int(&mut bytes).unwrap();
        let length = rmp::decode::read_bin_len(&mut bytes).unwrap() as usize;
        let (body, rest) = bytes.split_at(length);
        bytes = rest;
        messages.push((key, encoding, epoch, seq, body.to_vec()));
    }
    messages
}

#[test]
fn same_seed_gives_the_same_bytes_and_another_seed_gives_others() {
    let folder = std::env::temp_dir().join(format!("kvota-feed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let first = write(&folder.join("first"), "7", "deflate");
    assert_eq!(first, write(&folder.join("again"), "7", "deflate"));
    assert_ne!(first, write(&folder.join("other"), "8", "deflate"));

    let mut seqs: BTreeMap<String, u64> = BTreeMap::new();
    let mut inserted = 0;
    let mut decided = 0;
    for (key, encoding, epoch, seq, body) in messages(&first) {
        assert_eq!((encoding.as_deref(), epoch), (Some("deflate"), 7));
        if key == "match-result" {
            let results = open_match_result(&body, encoding.as_deref()).unwrap().results;
            decided += results.markets.len();
            let last = seqs.insert(key.clone(), seq).unwrap_or(0);
            assert_eq!(seq, last + 1, "{key}: one after the other");
            continue;
        }
        let Some(lang) = key.strip_prefix("live-event.") else {
            assert!(key.starts_with("feed-active."), "{key}");
            continue;
        };
        assert!(Lang::from_code(lang).is_some());
        let last = seqs.insert(key.clone(), seq).unwrap_or(0);
        assert_eq!(seq, last + 1, "{key}: one after the other");
        let event = open_update(&body, encoding.as_deref(), &UpdateLimits::EVENT).unwrap().update;
        if seq == 1 {
            inserted += event.sports.iter().map(|sport| sport.matches.len()).sum::<usize>();
        }
    }
    assert!(seqs.remove("match-result").is_some() && decided > 0, "markets are decided in four minutes of play");
    assert_eq!(seqs.len(), 4, "in every language");
    assert_eq!(inserted, 4 * 20, "the first event inserts every match");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn impossible_simulation_is_rejected_with_the_allowed_values() {
    for (arguments, part) in [
        (&["feed", "--simulate", "--matches", "0"][..], "0 matches cannot be simulated; allowed are 1 to 5000"),
        (&["feed", "--simulate", "--matches", "5001"], "a whole number from 0 to 5000"),
        (&["feed", "--simulate", "--rate", "1000000"], "a number from 0 to 20"),
        (&["feed", "--simulate", "--speed", "0"], "a number from 0.01 to 1000"),
        (&["feed", "--simulate", "--sports", "curling"], "tennis (5)"),
        (&["feed", "--simulate", "--out", "/no/such/folder/feed", "--until", "5"], "cannot write /no/such/folder/feed"),
    ] {
        let (code, _, err) = output_of(&kvota(arguments).output().unwrap());
        assert!(matches!(code, Some(1 | 2)), "{arguments:?}: {code:?}");
        assert!(err.contains(part), "{err}");
    }
}
