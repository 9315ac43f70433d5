//! A minimal WebSocket client (RFC 6455): all connections of a thread share one buffer, and frames are read in place.
//! The hub does not fragment frames, so a fragment is a failure. Opened by the sessions; must not interpret the content
//! of frames.

use super::fault::Fault;
use super::http::{read_more, write_all};
use super::random::Random;
use super::target::Endpoint;
use std::cell::RefCell;
use std::pin::Pin;
use std::task::{Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// A larger frame is a failure of the server.
const FRAME_BYTES_MAX: u64 = 64 << 20;
/// Largest answer to the handshake.
const HEAD_BYTES_MAX: usize = 16 << 10;
/// The suffix that RFC 6455 appends to the client's key.
const KEY_SUFFIX: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// A frame of the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame<'a> {
    /// A message, text or binary.
    Data(&'a [u8]),
    /// A ping, which must be answered with [`pong`].
    Ping(&'a [u8]),
    /// The answer to a ping, with the ping's body.
    Pong(&'a [u8]),
    /// The close frame, with its code.
    Close(Option<u16>),
}

/// The parameters of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Handshake<'a> {
    /// The path, starting with `/`.
    pub path: &'a str,
    /// The only subprotocol offered.
    pub subprotocol: &'a str,
    /// The session's cookie.
    pub cookie: Option<&'a str>,
    /// Time limit of the handshake.
    pub limit: Duration,
}

/// An open connection and the cookie that was set.
#[derive(Debug)]
pub struct Socket {
    /// The reading half.
    pub reader: Reader,
    /// The writing half.
    pub writer: Writer,
    /// The cookie that the server set, `name=value`.
    pub cookie: Option<String>,
}

/// Opens a connection.
///
/// # Errors
/// [`Fault::Status`] if the server answers with another HTTP status, and any failure without an answer.
pub async fn connect(door: &Endpoint, asked: &Handshake<'_>, random: &mut Random) -> Result<Socket, Fault> {
    let mut nonce = [0; 16];
    nonce[..8].copy_from_slice(&random.bits().to_be_bytes());
    nonce[8..].copy_from_slice(&random.bits().to_be_bytes());
    let key = base64(&nonce);
    let limited = tokio::time::timeout(asked.limit, shake_hands(door, asked, &key));
    limited.await.unwrap_or(Err(Fault::NoAnswer))
}

async fn shake_hands(door: &Endpoint, asked: &Handshake<'_>, key: &str) -> Result<Socket, Fault> {
    let stream = door.open(asked.limit).await?;
    let cookie = asked.cookie.map_or_else(String::new, |cookie| format!("Cookie: {cookie}\r\n"));
    let head = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: {}\r\n{cookie}\r\n",
        asked.path, door.target.host, asked.subprotocol
    );
    write_all(&stream, head.as_bytes()).await?;
    let mut held = Vec::new();
    let cookie = loop {
        read_more(&stream, &mut held).await?;
        if let Some(cookie) = accepted(&mut held, key)? {
            break cookie;
        }
        if held.len() > HEAD_BYTES_MAX {
            return Err(Fault::Malformed);
        }
    };
    let (read, write) = stream.into_split();
    Ok(Socket { reader: Reader { half: read, partial: held }, writer: Writer { half: write }, cookie })
}

/// The cookie of an accepting answer, when its head is complete; the bytes after it stay in `held`.
fn accepted(held: &mut Vec<u8>, key: &str) -> Result<Option<Option<String>>, Fault> {
    let mut headers = [httparse::EMPTY_HEADER; 48];
    let mut head = httparse::Response::new(&mut headers);
    let end = match head.parse(held).map_err(|_| Fault::Malformed)? {
        httparse::Status::Complete(end) => end,
        httparse::Status::Partial => return Ok(None),
    };
    match head.code {
        Some(101) => {}
        status => return Err(Fault::Status(status.unwrap_or_default())),
    }
    let value = |name: &str| {
        let header = head.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(header.value).ok()
    };
    let digest = ring::digest::digest(&ring::digest::SHA1_FOR_LEGACY_USE_ONLY, format!("{key}{KEY_SUFFIX}").as_bytes());
    if value("sec-websocket-accept") != Some(base64(digest.as_ref()).as_str()) {
        return Err(Fault::Malformed);
    }
    let cookie = value("set-cookie").and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
    held.drain(..end);
    Ok(Some(cookie))
}

/// The reading half. Keeps an incomplete frame between two reads, which is rare.
#[derive(Debug)]
pub struct Reader {
    half: OwnedReadHalf,
    partial: Vec<u8>,
}

impl Reader {
    /// Waits for bytes and calls `seen` for every complete frame. `scratch` is borrowed only while reading.
    ///
    /// # Errors
    /// The connection ended, or the bytes are not WebSocket frames.
    pub async fn next(&mut self, scratch: &RefCell<Vec<u8>>, mut seen: impl FnMut(Frame<'_>)) -> Result<(), Fault> {
        if !self.partial.is_empty() && take_frames(&mut self.partial, &mut seen)? > 0 {
            // Frames that arrived together with the answer to the handshake.
            return Ok(());
        }
        std::future::poll_fn(|cx| {
            let mut scratch = scratch.borrow_mut();
            let mut buffer = ReadBuf::new(&mut scratch);
            // With this call tokio detects from a short read that the socket is empty, which saves a system call per
            // frame.
            ready!(Pin::new(&mut self.half).poll_read(cx, &mut buffer))?;
            let came = buffer.filled();
            if came.is_empty() {
                return Poll::Ready(Err(Fault::Closed(None)));
            }
            if self.partial.is_empty() {
                let mut rest = came;
                while let Some((frame, length)) = first_frame(rest)? {
                    seen(frame);
                    rest = &rest[length..];
                }
                self.partial.extend_from_slice(rest);
            } else {
                self.partial.extend_from_slice(came);
                take_frames(&mut self.partial, &mut seen)?;
            }
            Poll::Ready(Ok(()))
        })
        .await
    }
}

fn take_frames(held: &mut Vec<u8>, seen: &mut impl FnMut(Frame<'_>)) -> Result<usize, Fault> {
    let (mut taken, mut frames) = (0, 0);
    while let Some((frame, length)) = first_frame(&held[taken..])? {
        seen(frame);
        taken += length;
        frames += 1;
    }
    if taken == held.len() {
        // Frees the memory: there are thousands of connections.
        *held = Vec::new();
    } else {
        held.drain(..taken);
    }
    Ok(frames)
}

/// The first frame and its length, if it is complete.
fn first_frame(bytes: &[u8]) -> Result<Option<(Frame<'_>, usize)>, Fault> {
    let &[first, second, ref rest @ ..] = bytes else { return Ok(None) };
    let (length, header) = match second {
        0..=125 => (u64::from(second), 2),
        126 => match rest.first_chunk() {
            Some(digits) => (u64::from(u16::from_be_bytes(*digits)), 4),
            None => return Ok(None),
        },
        127 => match rest.first_chunk() {
            Some(digits) => (u64::from_be_bytes(*digits), 10),
            None => return Ok(None),
        },
        // A server must not mask frames.
        _ => return Err(Fault::Malformed),
    };
    if length > FRAME_BYTES_MAX {
        return Err(Fault::Malformed);
    }
    let end = header + usize::try_from(length).map_err(|_| Fault::Malformed)?;
    let Some(body) = bytes.get(header..end) else { return Ok(None) };
    let frame = match first {
        0x81 | 0x82 => Frame::Data(body),
        0x88 => Frame::Close(body.first_chunk().map(|code| u16::from_be_bytes(*code))),
        0x89 => Frame::Ping(body),
        0x8a => Frame::Pong(body),
        _ => return Err(Fault::Malformed),
    };
    Ok(Some((frame, end)))
}

/// The writing half.
#[derive(Debug)]
pub struct Writer {
    half: OwnedWriteHalf,
}

impl Writer {
    /// Sends a frame at once. Sessions send little: if the socket has no room, the server has not read for a very long
    /// time.
    ///
    /// # Errors
    /// The peer closed the connection, or its buffers are full.
    pub fn send(&self, frame: &[u8]) -> Result<(), Fault> {
        match self.half.try_write(frame) {
            Ok(written) if written == frame.len() => Ok(()),
            Ok(_) => Err(Fault::Io("the peer takes nothing")),
            Err(error) => Err(error.into()),
        }
    }
}

/// A binary frame.
pub fn binary(body: &[u8], random: &mut Random) -> Vec<u8> {
    masked(0x82, body, random)
}

/// A ping, which the server answers with the same body.
pub fn ping(body: &[u8], random: &mut Random) -> Vec<u8> {
    masked(0x89, body, random)
}

/// The answer to a ping.
pub fn pong(body: &[u8], random: &mut Random) -> Vec<u8> {
    masked(0x8a, body, random)
}

fn masked(first: u8, body: &[u8], random: &mut Random) -> Vec<u8> {
    let mask = (random.bits() as u32).to_be_bytes();
    let mut frame = Vec::with_capacity(body.len() + 8);
    frame.push(first);
    match body.len() {
        length @ 0..=125 => frame.push(0x80 | length as u8),
        length => {
            // No command is longer than 4 KiB.
            frame.push(0x80 | 126);
            frame.extend_from_slice(&(length as u16).to_be_bytes());
        }
    }
    frame.extend_from_slice(&mask);
    frame.extend(body.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}

/// Base64 with padding (RFC 4648, 4).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |group: &[u8]| {
        let bits = (0..3).fold(0_u32, |bits, at| bits << 8 | u32::from(group.get(at).copied().unwrap_or_default()));
        let digit = |at: usize| char::from(DIGITS[(bits >> (18 - 6 * at) & 0x3f) as usize]);
        (0..4).map(|at| if at <= group.len() { digit(at) } else { '=' }).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn the_example_of_the_standard_is_accepted_and_another_key_is_not() {
        let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSet-Cookie: k=v; Path=/\r\n\r\n\x02";
        let mut held = answer.as_bytes().to_vec();
        assert_eq!(accepted(&mut held, "dGhlIHNhbXBsZSBub25jZQ=="), Ok(Some(Some("k=v".to_owned()))));
        assert_eq!(held, [2]);
        assert_eq!(accepted(&mut answer.as_bytes().to_vec(), "AAAA"), Err(Fault::Malformed));
        let rejected = b"HTTP/1.1 403 Forbidden\r\n\r\n";
        assert_eq!(accepted(&mut rejected.to_vec(), "AAAA"), Err(Fault::Status(403)));
    }

    /// A frame as a server writes it.
    fn server_frame(first: u8, body: &[u8]) -> Vec<u8> {
        let mut frame = vec![first];
        match body.len() {
            length @ 0..=125 => frame.push(length as u8),
            length @ 126..=0xffff => {
                frame.push(126);
                frame.extend_from_slice(&(length as u16).to_be_bytes());
            }
            length => {
                frame.push(127);
                frame.extend_from_slice(&(length as u64).to_be_bytes());
            }
        }
        frame.extend_from_slice(body);
        frame
    }

    #[test]
    fn frames_split_at_any_byte_are_found() {
        let lengths = [0, 1, 125, 126, 70_000, 3];
        let stream: Vec<u8> = lengths.iter().flat_map(|length| server_frame(0x82, &vec![7; *length])).collect();
        for size in [1, 2, 3, 1000, stream.len()] {
            let mut held = Vec::new();
            let mut seen = Vec::new();
            for piece in stream.chunks(size) {
                held.extend_from_slice(piece);
                take_frames(&mut held, &mut |frame| match frame {
                    Frame::Data(body) => seen.push(body.len()),
                    other => panic!("{other:?}"),
                })
                .expect("frames");
            }
            assert_eq!((seen, held.len()), (lengths.to_vec(), 0), "pieces of {size}");
        }
    }

    #[test]
    fn invalid_frame_is_a_fault() {
        assert_eq!(first_frame(&[0x88, 2, 0x0f, 0xa8]), Ok(Some((Frame::Close(Some(4008)), 4))));
        assert_eq!(first_frame(&[0x89, 0]), Ok(Some((Frame::Ping(&[]), 2))));
        for bytes in [&[0x02, 0][..], &[0x82, 0x81, 0, 0, 0, 0, 0], &[0x82, 127, 0xff, 0, 0, 0, 0, 0, 0, 0]] {
            assert_eq!(first_frame(bytes), Err(Fault::Malformed), "{bytes:x?}");
        }
    }

    #[test]
    fn client_frames_are_masked() {
        let mut random = Random::new(1, 1);
        let frame = binary(b"abc", &mut random);
        assert_eq!(frame[..2], [0x82, 0x83]);
        let body: Vec<u8> = frame[6..].iter().zip(&frame[2..6]).map(|(byte, mask)| byte ^ mask).collect();
        assert_eq!(body, b"abc");
        assert_eq!(pong(b"", &mut random)[..2], [0x8a, 0x80]);
        assert_eq!(binary(&[0; 300], &mut random)[1..4], [0xfe, 1, 44]);
    }
}
