//! Damaged messages and descriptions are read or refused, without a panic and always alike. `KVOTA_SEEDS=1000000` tries
//! more of them.

use kvota_domain::lang::Lang;
use kvota_testkit::mutator::mutate;
use kvota_testkit::seed::{roll, seeds};
use kvota_uof::adapter::{Adapter, Answer, Settings};
use kvota_uof::descriptions::Descriptions;
use kvota_uof::message::Message;
use std::collections::BTreeSet;
use std::path::Path;

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
    let live = "<odds_change product='1' event_id='sr:match:4' timestamp='4'><sport_event_status status='1' match_status='6'/>\
        <odds><market id='18' specifiers='total=2.5'><outcome id='12' odds='1.9'/><outcome id='sr:player:1' odds='1.9'/>\
        </market></odds></odds_change>";
    messages.push(live.as_bytes().to_vec());
    let documents = samples(|name| name.starts_with("fixture") || name.starts_with("player"));
    let (mut read, mut refused, mut written) = (0_u64, 0_u64, 0);
    let mut adapter = Adapter::new(Settings {
        producers: vec![1, 2, 3, 11],
        silence_ms: 20_000,
        waits: BTreeSet::from([1]),
        first_request_id: 1,
    });
    let mut now_ms = 0;
    for seed in seeds(20_000) {
        let body = mutate(&mut roll(seed), &messages);
        let message = Message::parse(&body);
        assert_eq!(message, Message::parse(&body));
        match message {
            Ok(message) => {
                read += 1;
                now_ms += 10;
                adapter.message(message, None, now_ms, now_ms);
            }
            Err(_) => refused += 1,
        }
        if seed % 64 == 0 {
            // Damaged documents for what it asks, and everything is written down.
            adapter.tick(now_ms);
            for (number, question) in (seed..).zip(adapter.take_questions()) {
                let document = mutate(&mut roll(number), &documents);
                adapter.answer(&question, Answer::Body(document), now_ms);
            }
            for change in adapter.take_changes(now_ms) {
                written += Lang::ALL.map(|lang| change.as_match(lang, now_ms).0.markets.len()).iter().sum::<usize>();
            }
            drop(adapter.take_decided());
        }
    }
    assert!(written > 0, "some matches are written down");
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
