//! A hub connection without a socket. The handshake, the client's masked frames and the server's frames are as on the
//! wire, but the bytes pass through memory. Created by [`super::virtual_world`]. It reads only when the test asks for
//! the next frame, so a client that does not ask is a stalled client.

use super::virtual_world::json_of;
use crate::hub::memory_socket::End as MemorySocket;
use bytes::{Buf, BytesMut};
use kvota_wire::Encoding;
use serde_json::Value;
use std::fmt;
use std::future::poll_fn;

/// A frame from the server.
#[derive(Clone, PartialEq, Debug)]
pub enum HubFrame {
    /// An array of messages.
    Messages(Value),
    /// A ping; answer it with [`HubSocket::pong`].
    Ping,
    /// The close frame, with its code.
    Closed(Option<u16>),
}

/// The client's end of a connection. Dropping it breaks the connection.
pub struct HubSocket {
    end: MemorySocket,
    read: BytesMut,
    encoding: Encoding,
    n: u64,
}

impl HubSocket {
    pub(super) fn new(end: MemorySocket, encoding: Encoding) -> HubSocket {
        HubSocket { end, read: BytesMut::new(), encoding, n: 0 }
    }

    /// The encoding of its messages.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Waits for the next frame from the server.
    ///
    /// # Panics
    /// The server sends bytes that a browser would reject.
    pub async fn next(&mut self) -> HubFrame {
        loop {
            if let Some(frame) = self.parse() {
                return frame;
            }
            let mut bytes = [0; 4096];
            let is_readable = poll_fn(|cx| self.end.poll_read_ready(cx)).await;
            match is_readable.and_then(|()| self.end.try_read(&mut bytes)) {
                Ok(count) if count > 0 => self.read.extend_from_slice(&bytes[..count]),
                Ok(_) | Err(_) => return HubFrame::Closed(None),
            }
        }
    }

    /// Sends a command; returns its number.
    pub fn send_command(&mut self, verb: &str, arguments: &[Value]) -> u64 {
        self.n += 1;
        let mut command = vec![Value::from(self.n), Value::from(verb)];
        command.extend_from_slice(arguments);
        let command = Value::Array(command);
        match self.encoding {
            Encoding::Json => self.send(1, command.to_string().as_bytes()),
            Encoding::Msgpack => self.send(2, &rmp_serde::to_vec(&command).expect("a command is a value")),
        }
        self.n
    }

    /// Answers a ping.
    pub fn pong(&self) {
        self.send(10, &[]);
    }

    /// Sends a frame with any opcode and body, masked with zeros.
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
        // After the server has closed, writing fails; the next frame reports the end.
        drop(self.end.try_write(&frame));
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
            1 => Some(HubFrame::Messages(json_of(&body).expect("a text frame is JSON"))),
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
        f.debug_struct("HubSocket").field("encoding", &self.encoding).finish_non_exhaustive()
    }
}
