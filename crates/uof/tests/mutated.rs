//! Damaged messages and descriptions are read or refused, without a panic and always alike. `KVOTA_SEEDS=1000000` tries
//! more of them.

use kvota_testkit::mutator::mutate;
use kvota_testkit::seed::{roll, seeds};
use kvota_uof::descriptions::Descriptions;
use kvota_uof::lines::{Groups, LINES_MAX, Lines};
use kvota_uof::message::{Body, Message};
use std::path::Path;

struct NoGroups;

impl Groups for NoGroups {
    fn contains(&self, _: i64, _: &str) -> Option<bool> {
        None
    }
}

fn samples(is_wanted: impl Fn(&str) -> bool) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let files = std::fs::read_dir(folder).expect("samples").map(|file| file.expect("a file").path());
    let mut paths: Vec<_> =
        files.filter(|path| is_wanted(&path.file_name().unwrap_or_default().to_string_lossy())).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a sample")).collect()
}

#[test]
fn damaged_messages_are_read_or_refused() {
    let mut messages = samples(|name| name.starts_with("odds") || name.contains("bet_"));
    messages.push(b"<alive product='1' timestamp='5' subscribed='1'/>".to_vec());
    messages.push(b"<bet_stop product='1' event_id='sr:match:4' timestamp='5' groups='all|score'/>".to_vec());
    let (mut read, mut refused) = (0_u64, 0_u64);
    let mut lines = Lines::default();
    for seed in seeds(20_000) {
        let body = mutate(&mut roll(seed), &messages);
        let message = Message::parse(&body);
        assert_eq!(message, Message::parse(&body));
        match message {
            Ok(Message::Event(message)) => {
                read += 1;
                let (product, at_ms) = (message.product, message.timestamp_ms);
                match message.body {
                    Body::OddsChange { lines: odds, .. } => drop(lines.change(product, at_ms, odds, &NoGroups)),
                    Body::BetStop { groups, status } => drop(lines.stop(product, at_ms, &groups, status, &NoGroups)),
                    _ => {}
                }
                assert!(lines.iter().count() <= LINES_MAX);
            }
            Ok(_) => read += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(read * 20 > refused && refused * 20 > read, "the mutator reaches both: {read} and {refused}");
}

#[test]
fn damaged_descriptions_are_read_or_refused() {
    let documents: Vec<Vec<u8>> = samples(|name| name.starts_with("markets-0"));
    let mut added = 0;
    for seed in seeds(5_000) {
        let mut descriptions = Descriptions::default();
        let body = mutate(&mut roll(seed), &documents);
        match descriptions.add(&body) {
            Ok(number) => added += usize::from(number > 0),
            Err(_) => assert_eq!(descriptions, Descriptions::default()),
        }
    }
    assert!(added > 0);
}
