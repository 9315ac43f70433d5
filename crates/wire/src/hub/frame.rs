//! WebSocket frames of encoded messages (docs/protocol.md, *Spellings and frames*). A frame is built once, header
//! included, and shared by all its recipients; a connection only queues the bytes.

use super::message::Message;
use crate::Encoding;
use crate::array::write_array_header;
use bytes::Bytes;
use kvota_domain::lang::Lang;

/// A ping without a body.
pub static PING: Bytes = Bytes::from_static(&[0x89, 0x00]);

/// A frame of messages that are already encoded.
pub fn compose<'a>(encoding: Encoding, messages: impl ExactSizeIterator<Item = &'a [u8]> + Clone) -> Bytes {
    let len: usize = messages.clone().map(<[u8]>::len).sum();
    let mut body = Vec::with_capacity(len + messages.len() + 5);
    match encoding {
        Encoding::Msgpack => {
            write_array_header(&mut body, messages.len());
            messages.for_each(|message| body.extend_from_slice(message));
        }
        Encoding::Json => {
            body.push(b'[');
            for (index, message) in messages.enumerate() {
                if index > 0 {
                    body.push(b',');
                }
                body.extend_from_slice(message);
            }
            body.push(b']');
        }
    }
    with_header(encoding, &body)
}

/// A frame for one connection.
pub fn frame_of(messages: &[Message], lang: Lang, encoding: Encoding) -> Bytes {
    let bytes = |message: &Message| {
        let mut out = Vec::with_capacity(64);
        message.write(&mut out, lang, encoding);
        out
    };
    let messages: Vec<Vec<u8>> = messages.iter().map(bytes).collect();
    compose(encoding, messages.iter().map(Vec::as_slice))
}

/// A close frame with this code.
pub fn close_frame(code: u16) -> Bytes {
    let [high, low] = code.to_be_bytes();
    vec![0x88, 0x02, high, low].into()
}

/// A complete unmasked data frame (RFC 6455, 5.2).
fn with_header(encoding: Encoding, body: &[u8]) -> Bytes {
    let opcode = match encoding {
        Encoding::Json => 0x81,
        Encoding::Msgpack => 0x82,
    };
    let mut frame = Vec::with_capacity(body.len() + 10);
    frame.push(opcode);
    match body.len() {
        len @ 0..=125 => frame.push(len as u8),
        len @ 126..=0xffff => {
            frame.push(126);
            frame.extend_from_slice(&(len as u16).to_be_bytes());
        }
        len => {
            frame.push(127);
            frame.extend_from_slice(&(len as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(body);
    frame.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_grows_with_the_body() {
        for (len, header) in [(0, 2), (125, 2), (126, 4), (65_535, 4), (65_536, 10)] {
            let frame = with_header(Encoding::Json, &vec![b'x'; len]);
            assert_eq!(frame.len(), len + header);
        }
    }

    #[test]
    fn a_frame_is_an_array_of_messages() {
        let messages = [Message::Ack { n: 7 }, Message::Reload];
        let json = frame_of(&messages, Lang::Hr, Encoding::Json);
        assert_eq!(&json[2..], br#"[[1,7,null],[14,"reload"]]"#);
        let msgpack = frame_of(&messages, Lang::Hr, Encoding::Msgpack);
        assert_eq!(&msgpack[2..], b"\x92\x93\x01\x07\xc0\x92\x0e\xa6reload");
    }

    #[test]
    fn a_close_frame_carries_its_code() {
        assert_eq!(&close_frame(4008)[..], &[0x88, 2, 0x0f, 0xa8]);
    }
}
