//! Everything an attacker can send, as one function of bytes per kind of input. Each must hold for all bytes and panics
//! on a violation. The seeded mutator of the test suite ([`super::mutator`]) and the fuzzer under `fuzz/` run them.

use crate::http::cookie_keys::CookieKeys;
use kvota_domain::feed::FeedUpdate;
use kvota_domain::money::Money;
use kvota_domain::session::SessionId;
use kvota_domain::ticket::{Limits, stake_of};
use kvota_wire::Encoding;
use kvota_wire::feed::{UpdateLimits, decode_update, encode, open_active, open_update};
use kvota_wire::hub::command::{Command, Sports, read};
use kvota_wire::json::Json;
use kvota_wire::limits::{EVENT_BYTES_MAX, WATCHED_MAX};
use kvota_wire::ticket;

/// A target: its name and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 5] =
    [("feed", feed), ("hub_command", hub_command), ("send_ticket", send_ticket), ("cookie", cookie), ("stake", stake)];

/// A feed message: decoding and encoding again gives the same update.
pub fn feed(bytes: &[u8]) {
    for encoding in [None, Some("deflate"), Some("gzip")] {
        // The decoder's own tests cover damaged messages.
        let _ = open_active(bytes, encoding);
        let Ok(decoded) = open_update(bytes, encoding, &UpdateLimits::EVENT) else { continue };
        let again = encode::update(&decoded.update);
        if again.len() <= EVENT_BYTES_MAX {
            let second = decode_update(&again, &UpdateLimits::EVENT).expect("what was decoded can be encoded");
            // Unreadable parts are not encoded again.
            let readable = FeedUpdate { unreadable: Vec::new(), is_incomplete: false, ..decoded.update };
            assert_eq!(second.update, readable, "what was decoded is told as it is");
        }
    }
}

/// A client's frame: a command within its limits, or a rejection with a code.
pub fn hub_command(bytes: &[u8]) {
    for encoding in [Encoding::Json, Encoding::Msgpack] {
        match read(bytes, encoding) {
            Ok(numbered) => {
                if let Command::Watch(watch) = &numbered.command {
                    let sports = if let Sports::Of(sports) = &watch.sports { sports.len() } else { 0 };
                    assert!(sports <= WATCHED_MAX && watch.matches.len() <= WATCHED_MAX, "a watch is bounded");
                }
                assert_eq!(read(bytes, encoding).as_ref(), Ok(&numbered), "a frame is read in one way");
            }
            Err(rejection) => assert!(!rejection.code().is_empty()),
        }
    }
}

/// The body of a ticket: its canonical text is stable, and decodes to the same ticket.
pub fn send_ticket(bytes: &[u8]) {
    let Some(json) = Json::parse(bytes) else { return };
    let canonical = json.canonical();
    let again = Json::parse(canonical.as_bytes()).expect("a canonical text is JSON");
    assert_eq!(again.canonical(), canonical, "a canonical text is its own");
    // Two tickets with the same digest would share one answer. Either text may fail to decode, for example with the id
    // 1.000; a rejected one uses up no key.
    if let (Some(ticket), Some(other)) = (ticket::read(&json), ticket::read(&again)) {
        assert_eq!(ticket, other, "a digest is of one ticket");
    }
}

/// A cookie: valid only if we signed it.
pub fn cookie(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let key = CookieKeys::new(&[0; 32]);
    if let Some(session) = key.verify(text) {
        assert_eq!(key.sign(session), text, "a session has one cookie");
    }
    if let Some(session) = SessionId::from_text(text) {
        assert_eq!(session.to_text(), text, "a session has one spelling");
    }
}

/// The text of a stake: an amount within the limits, or the previous one.
pub fn stake(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (limits, last) = (Limits::default(), Money::from_cents(777));
    let stake = stake_of(text, last, &limits);
    assert!((limits.min_stake..=limits.max_stake).contains(&stake), "{text:?} is {stake}");
    assert_eq!(stake_of(&stake.to_string(), last, &limits), stake, "an amount is the stake of its own text");
}

/// Valid examples of each target, from which a mutator starts.
pub fn examples(target: &str) -> Vec<Vec<u8>> {
    let texts: &[&str] = match target {
        "feed" => return feed_examples(),
        "hub_command" => &[
            r#"[1,"watch",{"sports":[1,2],"favourites":true,"matches":[17]}]"#,
            r#"[2,"pick",17,170,17000]"#,
            r#"[3,"favourite",17,true]"#,
            r#"[4,"combination",null]"#,
            r#"[5,"stake","10,50"]"#,
            r#"[6,"resync",null]"#,
            r#"[7,"consent","higher"]"#,
        ],
        "send_ticket" => &[
            r#"{"stake":"9.50","bruto":"10.00","potentialWin":"17.58","winTax":0.81,"payout":"16.77","systemType":0,
               "consentForChangedOdss":false,"oddsPolicy":"any","pairs":[{"matchId":17,"marketId":17000,"marketType":1,
               "marketSubType":null,"sbv":"2.5","oddType":"1","oddValue":"1.85","isFix":false}]}"#,
            r#"{"a":1e3,"b":"é č","c":[true,null,{}],"":-0.5}"#,
        ],
        "cookie" => {
            let key = CookieKeys::new(&[0; 32]);
            return (0..4).map(|byte| key.sign(SessionId::from_bytes([byte; 16])).into_bytes()).collect();
        }
        _ => &["10", "10.5", "1,000", "0005", "1000000.009", "2.99999999999999999999"],
    };
    let mut examples: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    if target == "hub_command" {
        let packed = |text: &&str| {
            let value: serde_json::Value = serde_json::from_str(text).expect("an example is JSON");
            rmp_serde::to_vec(&value).expect("an example is a value")
        };
        examples.extend(texts.iter().map(packed));
    }
    examples
}

/// The environment variable that names a folder for [`write_examples`].
pub const EXAMPLES: &str = "KVOTA_EXAMPLES";

/// Writes the examples of a target, one file each, if [`EXAMPLES`] is set. A fuzzer that starts from valid inputs finds
/// much more in the same time.
///
/// # Panics
/// The files cannot be written.
pub fn write_examples(target: &str) {
    let Some(folder) = std::env::var_os(EXAMPLES).map(std::path::PathBuf::from) else { return };
    for (number, example) in examples(target).into_iter().enumerate() {
        std::fs::write(folder.join(format!("example-{number}")), example).expect("an example is written");
    }
}

fn feed_examples() -> Vec<Vec<u8>> {
    use super::table::feed_table;
    use kvota_domain::feed::FeedUpdate;
    use kvota_wire::inflate::{Compression, compress};
    let tables = [
        "MATCH 17 soccer 1:0 live 34:10\n result 1.85 3.2 4\n total 2.5 1.9 1.9",
        "MATCH 18 tennis 0:0 suspended\n market 1 1=1.5 2=2.5\nDELETE 16 soccer",
    ];
    let update = |table: &str| {
        let update = FeedUpdate {
            sports: feed_table(table),
            number_of_matches: Some(1),
            date_ms: Some(1),
            ..FeedUpdate::default()
        };
        encode::update(&update)
    };
    let plain: Vec<Vec<u8>> = tables.into_iter().map(update).chain([encode::active(true, 5)]).collect();
    let packed = [Compression::Deflate, Compression::Gzip].into_iter().map(|it| compress(&plain[0], it));
    plain.iter().cloned().chain(packed.map(|packed| packed.expect("writing into memory does not fail"))).collect()
}
