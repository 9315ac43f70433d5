//! Scans a frame of the hub without decoding it (docs/protocol.md): the number of messages, the feed date, and messages
//! for the session itself. Called for every frame of every session; must not allocate.

use kvota_wire::msgpack::{Cursor, Malformed, Token};

/// A message that matters to a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShownRow<'a> {
    /// The first message, with the state of the feed.
    Hello {
        /// 0, 1 or 2.
        feed: u64,
        /// The run of the server.
        run: &'a [u8],
    },
    /// A command was acknowledged.
    Ack {
        /// Its sequence number.
        n: Option<u64>,
        /// The code of a rejection.
        refused: Option<&'a [u8]>,
    },
    /// The state of the feed.
    Feed(u64),
    /// The newest feed date among the changes of the frame, in ms since the epoch.
    Date(i64),
    /// The session must fetch the whole offer again.
    Reload,
    /// A sport with the ids of its matches: the first message of an answer to `resync null`.
    WholeSport,
    /// The session's ticket, as msgpack bytes.
    Ticket(&'a [u8]),
}

/// Calls `on_row` for each message that matters to a session; returns the number of messages.
///
/// # Errors
/// The frame is not an array of messages.
pub fn scan<'a>(frame: &'a [u8], mut on_row: impl FnMut(ShownRow<'a>)) -> Result<u32, Malformed> {
    let mut cursor = Cursor::new(frame);
    let Token::Array(messages) = cursor.token()? else { return Err(Malformed::Reserved) };
    for _ in 0..messages {
        let begin = cursor;
        let mut inner = cursor;
        let Token::Array(_) = inner.token()? else { return Err(Malformed::Reserved) };
        if let Token::Unsigned(kind) = inner.token()? {
            match kind {
                0 => {
                    inner.skip()?;
                    inner.skip()?;
                    let feed = number(inner.token()?).unwrap_or_default();
                    inner.skip()?;
                    let Token::Str(run) = inner.token()? else { return Err(Malformed::Reserved) };
                    on_row(ShownRow::Hello { feed, run });
                }
                1 => {
                    let n = number(inner.token()?);
                    let refused = match inner.token()? {
                        Token::Str(code) => Some(code),
                        _ => None,
                    };
                    on_row(ShownRow::Ack { n, refused });
                }
                2 => on_row(ShownRow::Feed(number(inner.token()?).unwrap_or_default())),
                7 => {
                    if let Token::Array(1..) = inner.token()? {
                        // The matches come after id, name and order; a mere change of the sport has none.
                        (0..3).try_for_each(|_| inner.skip())?;
                        if let Token::Array(_) = inner.token()? {
                            on_row(ShownRow::WholeSport);
                        }
                    }
                }
                13 => on_row(ShownRow::Date(
                    number(inner.token()?).and_then(|ms| i64::try_from(ms).ok()).unwrap_or_default(),
                )),
                14 => on_row(ShownRow::Reload),
                15 => {
                    let body = inner;
                    inner.skip()?;
                    on_row(ShownRow::Ticket(&frame[frame.len() - body.left()..frame.len() - inner.left()]));
                }
                _ => {}
            }
        }
        cursor = begin;
        cursor.skip()?;
    }
    Ok(messages)
}

fn number(token: Token<'_>) -> Option<u64> {
    match token {
        Token::Unsigned(number) => Some(number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::lang::Lang;
    use kvota_domain::offer_event::FeedState;
    use kvota_wire::Encoding;
    use kvota_wire::hub::frame::frame_of;
    use kvota_wire::hub::message::Message;

    /// The body of a frame as the hub writes it.
    fn body(messages: &[Message]) -> Vec<u8> {
        frame_of(messages, Lang::Hr, Encoding::Msgpack)[2..].to_vec()
    }

    fn rows_of(frame: &[u8]) -> (Vec<String>, Result<u32, Malformed>) {
        let mut all = Vec::new();
        let messages = scan(frame, |row| all.push(format!("{row:?}")));
        (all, messages)
    }

    #[test]
    fn hub_messages_are_scanned() {
        let frame = body(&[
            Message::Hello { session: "x".to_owned(), server_time_ms: 5, feed: FeedState::Active, run: "1".to_owned() },
            Message::Account(None),
            Message::Ack { n: 7 },
            Message::Refused { n: None, code: "too_many", text: "at most".into() },
            Message::Date(1_700_000_000_000),
            Message::Feed(FeedState::Recovering),
            Message::Reload,
        ]);
        let seen = [
            format!("Hello {{ feed: 2, run: {:?} }}", b"1"),
            "Ack { n: Some(7), refused: None }".to_owned(),
            format!("Ack {{ n: None, refused: Some({:?}) }}", b"too_many"),
            "Date(1700000000000)".to_owned(),
            "Feed(1)".to_owned(),
            "Reload".to_owned(),
        ];
        assert_eq!(rows_of(&frame), (seen.to_vec(), Ok(7)));
    }

    #[test]
    fn a_ticket_is_handed_out_as_its_bytes() {
        let frame = [0x92, 0x92, 15, 0x81, 0xa1, b'a', 5, 0x92, 13, 9];
        let mut all = Vec::new();
        assert_eq!(scan(&frame, |row| all.push(row)), Ok(2));
        assert_eq!(all, [ShownRow::Ticket(&[0x81, 0xa1, b'a', 5]), ShownRow::Date(9)]);
    }

    #[test]
    fn invalid_frame_is_rejected() {
        for frame in [&b""[..], b"\x01", b"\x91\x01", b"\x92\x92\x0d\x05"] {
            assert!(rows_of(frame).1.is_err(), "{frame:x?}");
        }
    }
}
