//! Parsing of client commands, in both encodings (CONTRACT 3, *Client to server*).

use kvota::testkit::builders::{match_id, sport_id};
use kvota_domain::ids::{MarketId, OddId};
use kvota_domain::session_state::SessionCommand;
use kvota_domain::ticket::{Consent, TicketCommand, TicketKind};
use kvota_wire::Encoding;
use kvota_wire::hub::command::{Command, CommandRejection, Sports, Watch, read};
use serde_json::{Value, json};

fn both(value: &Value) -> [Vec<u8>; 2] {
    [rmp_serde::to_vec(value).expect("a value is written"), value.to_string().into_bytes()]
}

#[track_caller]
fn reads(value: Value, expected: Result<(u64, Command), CommandRejection>) {
    for (encoding, bytes) in Encoding::ALL.into_iter().zip(both(&value)) {
        let read = read(&bytes, encoding).map(|numbered| (numbered.n, numbered.command));
        assert_eq!(read, expected, "{value} as {encoding:?}");
    }
    if let Ok((n, command)) = expected {
        let (verb, arguments) = command.parts();
        let written = [vec![json!(n), json!(verb)], arguments].concat();
        let again = read(json!(written).to_string().as_bytes(), Encoding::Json).map(|numbered| numbered.command);
        assert_eq!(again, Ok(command), "a written command is the one that is read");
    }
}

#[test]
fn commands_are_decoded_in_both_encodings() {
    let watch = |sports, favourites, matches| Command::Watch(Watch { sports, favourites, matches, bets: false });
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
    let session = |command| Command::Session(command);
    let ticket = |command| session(SessionCommand::Ticket(command));
    let (market_id, odd_id) = (MarketId::new(10).expect("an id"), OddId::new(1000).expect("an id"));
    let favourite = SessionCommand::Favourite { match_id: match_id(17), on: false };
    reads(json!([7, "favourite", 17, false]), Ok((7, session(favourite))));
    for (value, command) in [
        (json!([7, "pick", 1, 10, 1000]), TicketCommand::Pick { match_id: match_id(1), market_id, odd_id }),
        (json!([7, "drop", 1]), TicketCommand::Drop(match_id(1))),
        (json!([7, "fix", 1, true]), TicketCommand::Fix { match_id: match_id(1), on: true }),
        (json!([7, "type", 1]), TicketCommand::Type(TicketKind::System)),
        (json!([7, "combination", 3]), TicketCommand::Combination(Some(3))),
        (json!([7, "combination", null]), TicketCommand::Combination(None)),
        (json!([7, "combination", 256]), TicketCommand::Combination(Some(255))),
        (json!([7, "stake", "1,5"]), TicketCommand::Stake("1,5".into())),
        (json!([7, "consent", "any"]), TicketCommand::Consent(Consent::Any)),
        (json!([7, "clear"]), TicketCommand::Clear),
    ] {
        reads(value, Ok((7, ticket(command))));
    }
    reads(json!([6, "watch", {}]), Ok((6, watch(Sports::Of(vec![]), false, vec![]))));
}

#[test]
fn malformed_command_is_rejected_with_its_sequence_number() {
    for value in [json!(7), json!({}), json!([]), json!("ping"), json!(null), json!([-1, "ping"]), json!(["ping", 1])] {
        reads(value, Err(CommandRejection::NotACommand { n: None }));
    }
    reads(json!([1]), Err(CommandRejection::NotACommand { n: Some(1) }));
    reads(json!([1, 2]), Err(CommandRejection::NotACommand { n: Some(1) }));
    reads(json!([9, "dance"]), Err(CommandRejection::UnknownVerb { n: 9 }));
    for arguments in
        [json!([1, "ping", 1]), json!([1, "resync", "17"]), json!([1, "resync", 1, 2]), json!([1, "watch"])]
    {
        reads(arguments, Err(CommandRejection::WrongArguments { n: 1 }));
    }
    for watched in
        [json!(null), json!({"sports": 1}), json!({"matches": [-1]}), json!({"favourites": 1}), json!({"match": 17})]
    {
        reads(json!([1, "watch", watched]), Err(CommandRejection::WrongArguments { n: 1 }));
    }
    let so_many = |count| json!([1, "watch", {"matches": vec![1; count]}]);
    reads(so_many(1_001), Err(CommandRejection::WrongArguments { n: 1 }));
    let matches = vec![match_id(1)];
    let watch = Watch { sports: Sports::Of(vec![]), favourites: false, matches, bets: false };
    reads(so_many(1_000), Ok((1, Command::Watch(watch))));
}

#[test]
fn rejection_has_a_code_and_number_and_malformed_frames_close() {
    for (rejection, code, n, closes) in [
        (CommandRejection::TooLarge, "too_large", None, true),
        (CommandRejection::NotACommand { n: None }, "not_a_command", None, true),
        (CommandRejection::NotACommand { n: Some(7) }, "not_a_command", Some(7), true),
        (CommandRejection::UnknownVerb { n: 7 }, "unknown_verb", Some(7), false),
        (CommandRejection::WrongArguments { n: 7 }, "wrong_arguments", Some(7), false),
    ] {
        assert_eq!((rejection.code(), rejection.n(), rejection.closes()), (code, n, closes), "{rejection:?}");
    }
}

#[test]
fn frame_over_4_kib_is_too_large() {
    let padded = |len: usize| format!("[1,\"ping\"{}]", " ".repeat(len - 10));
    assert_eq!(padded(4096).len(), 4096);
    assert!(read(padded(4096).as_bytes(), Encoding::Json).is_ok());
    assert_eq!(read(padded(4097).as_bytes(), Encoding::Json), Err(CommandRejection::TooLarge));
}

#[test]
fn deeply_nested_and_damaged_frames_are_rejected() {
    let deep = vec![0x91; 4096];
    assert_eq!(read(&deep, Encoding::Msgpack), Err(CommandRejection::NotACommand { n: None }));
    assert_eq!(read(&[b'['; 4096], Encoding::Json), Err(CommandRejection::NotACommand { n: None }));
    let trailing = [rmp_serde::to_vec(&json!([1, "ping"])).unwrap(), vec![0]].concat();
    assert_eq!(read(&trailing, Encoding::Msgpack), Err(CommandRejection::NotACommand { n: None }));
    assert_eq!(
        read(&[0xdd, 0xff, 0xff, 0xff, 0xff], Encoding::Msgpack),
        Err(CommandRejection::NotACommand { n: None })
    );
    assert_eq!(read(&[], Encoding::Json), Err(CommandRejection::NotACommand { n: None }));
}
