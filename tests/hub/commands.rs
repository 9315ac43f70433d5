//! What a client may say, in both spellings (CONTRACT 3, *Client to server*).

use kvota::testkit::builders::{match_id, sport_id};
use kvota::wire::Spelling;
use kvota::wire::hub::command::{Command, Refusal, Sports, Watch, read};
use serde_json::{Value, json};

fn both(value: &Value) -> [Vec<u8>; 2] {
    [rmp_serde::to_vec(value).expect("a value is written"), value.to_string().into_bytes()]
}

#[track_caller]
fn reads(value: Value, expected: Result<(u64, Command), Refusal>) {
    for (spelling, bytes) in Spelling::ALL.into_iter().zip(both(&value)) {
        let read = read(&bytes, spelling).map(|numbered| (numbered.n, numbered.command));
        assert_eq!(read, expected, "{value} as {spelling:?}");
    }
}

#[test]
fn commands_are_read_in_both_spellings() {
    let watch = |sports, favourites, matches| Command::Watch(Watch { sports, favourites, matches });
    reads(json!([1, "ping"]), Ok((1, Command::Ping)));
    reads(json!([2, "resync", null]), Ok((2, Command::Resync(None))));
    reads(json!([2, "resync"]), Ok((2, Command::Resync(None))));
    reads(json!([3, "resync", 17]), Ok((3, Command::Resync(Some(match_id(17))))));
    reads(
        json!([4, "watch", {"sports": null, "favourites": false, "matches": [17, 3, 17]}]),
        Ok((4, watch(Sports::All, false, vec![match_id(3), match_id(17)]))),
    );
    reads(
        json!([5, "watch", {"sports": [5, 1], "favourites": true}]),
        Ok((5, watch(Sports::Of(vec![]), true, vec![]))),
    );
    reads(
        json!([5, "watch", {"sports": [5, 1]}]),
        Ok((5, watch(Sports::Of(vec![sport_id(1), sport_id(5)]), false, vec![]))),
    );
    reads(json!([6, "watch", {}]), Ok((6, watch(Sports::Of(vec![]), false, vec![]))));
}

#[test]
fn what_is_no_command_says_how_far_it_was_one() {
    for value in [json!(7), json!({}), json!([]), json!("ping"), json!(null), json!([-1, "ping"]), json!(["ping", 1])] {
        reads(value, Err(Refusal::NotACommand { n: None }));
    }
    reads(json!([1]), Err(Refusal::NotACommand { n: Some(1) }));
    reads(json!([1, 2]), Err(Refusal::NotACommand { n: Some(1) }));
    reads(json!([9, "dance"]), Err(Refusal::UnknownVerb { n: 9 }));
    for arguments in
        [json!([1, "ping", 1]), json!([1, "resync", "17"]), json!([1, "resync", 1, 2]), json!([1, "watch"])]
    {
        reads(arguments, Err(Refusal::WrongArguments { n: 1 }));
    }
    for watched in [json!(null), json!({"sports": 1}), json!({"matches": [-1]}), json!({"favourites": 1})] {
        reads(json!([1, "watch", watched]), Err(Refusal::WrongArguments { n: 1 }));
    }
    let many: Vec<u64> = (0..1_001).collect();
    reads(
        json!([1, "watch", {"matches": many.iter().map(|_| 1).collect::<Vec<u64>>()}]),
        Err(Refusal::WrongArguments { n: 1 }),
    );
}

#[test]
fn a_frame_over_4_kib_is_too_large() {
    let padded = |len: usize| format!("[1,\"ping\"{}]", " ".repeat(len - 10));
    assert_eq!(padded(4096).len(), 4096);
    assert!(read(padded(4096).as_bytes(), Spelling::Json).is_ok());
    assert_eq!(read(padded(4097).as_bytes(), Spelling::Json), Err(Refusal::TooLarge));
}

#[test]
fn deep_and_broken_frames_are_refused_without_harm() {
    let deep = vec![0x91; 4096];
    assert_eq!(read(&deep, Spelling::Msgpack), Err(Refusal::NotACommand { n: None }));
    assert_eq!(read(&[b'['; 4096], Spelling::Json), Err(Refusal::NotACommand { n: None }));
    let trailing = [rmp_serde::to_vec(&json!([1, "ping"])).unwrap(), vec![0]].concat();
    assert_eq!(read(&trailing, Spelling::Msgpack), Err(Refusal::NotACommand { n: None }));
    assert_eq!(read(&[0xdd, 0xff, 0xff, 0xff, 0xff], Spelling::Msgpack), Err(Refusal::NotACommand { n: None }));
    assert_eq!(read(&[], Spelling::Json), Err(Refusal::NotACommand { n: None }));
}
