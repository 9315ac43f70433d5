//! A connection of the live hub without a socket: the handshake, the client's masked frames and the server's frames are
//! those of the wire, but the bytes go from hand to hand. Made by [`super::virtual_world`]; nothing is read off it until
//! it is asked for the next frame, so a client that stalls is one that does not ask.

use crate::wire::Spelling;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::error::PayloadError;
use bytes::{Buf, Bytes, BytesMut};
use futures_util::Stream;
use serde_json::Value;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use tokio::sync::mpsc;

/// What the server sends.
#[derive(Clone, PartialEq, Debug)]
pub enum HubFrame {
    /// Messages, as an array.
    Messages(Value),
    /// A ping, to be answered by [`HubSocket::pong`].
    Ping,
    /// The end, with its code.
    Closed(Option<u16>),
}

/// The bytes that a client sends.
pub(super) type Upstream = Pin<Box<dyn Stream<Item = Result<Bytes, PayloadError>>>>;

/// The client's end of a connection. Dropped, it is a socket that breaks.
pub struct HubSocket {
    body: Pin<Box<BoxBody>>,
    up: mpsc::UnboundedSender<Bytes>,
    read: BytesMut,
    spelling: Spelling,
    n: u64,
}

/// The two ends of what a client sends.
pub(super) fn upstream() -> (mpsc::UnboundedSender<Bytes>, Upstream) {
    let (up, mut sent) = mpsc::unbounded_channel();
    let stream = futures_util::stream::poll_fn(move |cx| sent.poll_recv(cx).map(|bytes| bytes.map(Ok)));
    (up, Box::pin(stream))
}

impl HubSocket {
    pub(super) fn new(body: BoxBody, up: mpsc::UnboundedSender<Bytes>, spelling: Spelling) -> HubSocket {
        HubSocket { body: Box::pin(body), up, read: BytesMut::new(), spelling, n: 0 }
    }

    /// How its messages are spelled.
    pub fn spelling(&self) -> Spelling {
        self.spelling
    }

    /// The next frame, as soon as the server has one for this client.
    ///
    /// # Panics
    /// Where the server sends what no browser would take.
    pub async fn next(&mut self) -> HubFrame {
        loop {
            if let Some(frame) = self.parse() {
                return frame;
            }
            match poll_fn(|cx| self.body.as_mut().poll_next(cx)).await {
                Some(Ok(bytes)) => self.read.extend_from_slice(&bytes),
                Some(Err(_)) | None => return HubFrame::Closed(None),
            }
        }
    }

    /// Says a command and returns its number.
    pub fn say(&mut self, verb: &str, arguments: &[Value]) -> u64 {
        self.n += 1;
        let mut command = vec![Value::from(self.n), Value::from(verb)];
        command.extend_from_slice(arguments);
        let command = Value::Array(command);
        match self.spelling {
            Spelling::Json => self.send(1, command.to_string().as_bytes()),
            Spelling::Msgpack => self.send(2, &rmp_serde::to_vec(&command).expect("a command is a value")),
        }
        self.n
    }

    /// Answers a ping.
    pub fn pong(&self) {
        self.send(10, &[]);
    }

    /// Sends a frame of any kind with any bytes, masked with nothing.
    pub fn send(&self, opcode: u8, body: &[u8]) {
        let mut frame = vec![0x80 | opcode];
        match body.len() {
            len @ 0..=125 => frame.push(0x80 | len as u8),
            len => {
                frame.push(0x80 | 126);
                frame.extend_from_slice(&u16::try_from(len).expect("a client sends small frames").to_be_bytes());
            }
        }
        frame.extend_from_slice(&[0; 4]);
        frame.extend_from_slice(body);
        // A server that hung up takes nothing any more; the next frame says so.
        drop(self.up.send(frame.into()));
    }

    fn parse(&mut self) -> Option<HubFrame> {
        let [first, second, ..] = self.read[..] else { return None };
        let number = |bytes: &[u8]| bytes.iter().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte));
        let (head, len) = match second {
            126 => (4, number(self.read.get(2..4)?)),
            127 => (10, number(self.read.get(2..10)?)),
            len => (2, usize::from(len)),
        };
        if self.read.len() < head + len {
            return None;
        }
        self.read.advance(head);
        let body = self.read.split_to(len).freeze();
        match first & 0x0f {
            1 => Some(HubFrame::Messages(serde_json::from_slice(&body).expect("a text frame is JSON"))),
            2 => Some(HubFrame::Messages(rmp_serde::from_slice(&body).expect("a binary frame is msgpack"))),
            8 => Some(HubFrame::Closed((body.len() >= 2).then(|| u16::from_be_bytes([body[0], body[1]])))),
            9 => Some(HubFrame::Ping),
            10 => self.parse(),
            other => panic!("the hub sent a frame of kind {other}"),
        }
    }
}

impl fmt::Debug for HubSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HubSocket").field("spelling", &self.spelling).finish_non_exhaustive()
    }
}
