//! A hub connection without a socket. The handshake, the client's masked frames and the server's frames are as on the
//! wire, but the bytes pass through memory. Created by [`super::virtual_world`]. It reads only when the test asks for
//! something, so a client that does not ask is a stalled client.
//!
//! It has the questions of a [`Probe`](super::probe::Probe), each with a limit, also on the paused clock; a failure lists
//! the last frames.
//!
//! ```
//! use kvota::testkit::virtual_world::VirtualWorld;
//! use kvota_domain::lang::Lang;
//! use kvota_wire::Encoding;
//! use kvota_wire::hub::command::{Command, Sports, Watch};
//!
//! # actix::System::new().block_on(async {
//! let mut world = VirtualWorld::with_feed("MATCH 17 soccer 1:0 live\n result 1.85 3.2 4").await;
//! let mut socket = world.node.connect(None, Lang::En, Encoding::Json).await.expect("it is accepted");
//! let watch = Watch { sports: Sports::All, favourites: false, matches: Vec::new(), bets: false };
//! let n = socket.command(&Command::Watch(watch));
//! socket.expect_eventually("the acknowledgement", |message| message[0] == 1 && message[1] == n).await;
//! socket.expect_none().await;
//! # world.end().await;
//! # });
//! ```

use super::probe::Fits;
use super::received::History;
use super::time::{patience, silence};
use super::virtual_world::json_of;
use crate::hub::memory_socket::End as MemorySocket;
use bytes::{Buf, BytesMut};
use kvota_wire::Encoding;
use kvota_wire::hub::command::Command;
use serde_json::Value;
use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::panic::Location;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long [`HubSocket::next_frame`] waits. Longer than any time after which the server sends something by itself.
const NEXT_MAX: Duration = Duration::from_secs(60);
/// Characters of a frame in the text of a failure.
const SHOWN_CHARS_MAX: usize = 400;

/// Which messages are not received.
type Ignored = Fits<Value>;

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
    /// Messages of frames that the test has not received.
    waiting: VecDeque<Value>,
    ignored: Vec<Ignored>,
    history: History,
}

impl HubSocket {
    pub(super) fn new(end: MemorySocket, encoding: Encoding) -> HubSocket {
        HubSocket {
            end,
            read: BytesMut::new(),
            encoding,
            n: 0,
            waiting: VecDeque::new(),
            ignored: Vec::new(),
            history: History::new("HubSocket".to_owned()),
        }
    }

    /// The encoding of its messages.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Waits for the next frame from the server.
    ///
    /// # Panics
    /// The server sends bytes that a browser would reject, or nothing for a minute.
    #[track_caller]
    pub fn next_frame(&mut self) -> impl Future<Output = HubFrame> {
        let caller = Location::caller();
        async move {
            match self.frame_until(Instant::now() + NEXT_MAX).await {
                Some(frame) => frame,
                None => self.fail(caller, "a frame was expected, and none came", None),
            }
        }
    }

    /// Expects any message, and returns it. Pings are answered.
    #[track_caller]
    pub fn expect(&mut self) -> impl Future<Output = Value> {
        self.expect_where("a message", |_| true)
    }

    /// Expects the next message to fit; `what` describes it for the failure text.
    #[track_caller]
    pub fn expect_where(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> impl Future<Output = Value> {
        let caller = Location::caller();
        async move {
            match self.message_until(Instant::now() + patience()).await {
                Some(message) if fits(&message) => message,
                Some(message) => self.fail(caller, &format!("the next message is not {what}: {message}"), Some(what)),
                None => self.fail(caller, &format!("{what} was expected, and no message came"), Some(what)),
            }
        }
    }

    /// Expects no message for 100 ms.
    #[track_caller]
    pub fn expect_none(&mut self) -> impl Future<Output = ()> {
        self.expect_none_for(silence())
    }

    /// Expects no message for this time.
    #[track_caller]
    pub fn expect_none_for(&mut self, time: Duration) -> impl Future<Output = ()> {
        let caller = Location::caller();
        async move {
            if let Some(message) = self.message_until(Instant::now() + time).await {
                self.fail(caller, &format!("no message was expected for {time:?}, and one came: {message}"), None)
            }
        }
    }

    /// Returns the first message that fits, and drops those before it.
    #[track_caller]
    pub fn expect_eventually(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> impl Future<Output = Value> {
        let caller = Location::caller();
        async move {
            match self.received_until(Instant::now() + patience(), fits).await {
                (_, Some(message)) => message,
                _ => self.fail(caller, &format!("{what} was fished for, and did not come"), Some(what)),
            }
        }
    }

    /// Returns all messages up to the first that fits, and that one.
    #[track_caller]
    pub fn until(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> impl Future<Output = Vec<Value>> {
        let caller = Location::caller();
        async move {
            match self.received_until(Instant::now() + patience(), fits).await {
                (mut before, Some(message)) => {
                    before.push(message);
                    before
                }
                _ => self.fail(caller, &format!("waited in vain until {what}"), Some(what)),
            }
        }
    }

    /// Expects messages that fit each of these, in any order, and no others between them. Returns them in the order of
    /// `wanted`.
    #[track_caller]
    pub fn expect_all_of(&mut self, wanted: Vec<(&str, Fits<Value>)>) -> impl Future<Output = Vec<Value>> {
        let caller = Location::caller();
        async move {
            let until = Instant::now() + patience();
            let mut found: Vec<Option<Value>> = vec![None; wanted.len()];
            while let Some((what, _)) = wanted.iter().zip(&found).find(|(_, found)| found.is_none()).map(|(it, _)| it) {
                let Some(message) = self.message_until(until).await else {
                    self.fail(caller, &format!("{what} was expected, and did not come"), Some(what))
                };
                let place = (0..wanted.len()).find(|place| found[*place].is_none() && wanted[*place].1(&message));
                let Some(place) = place else {
                    self.fail(caller, &format!("a message came that was not expected: {message}"), Some(what))
                };
                found[place] = Some(message);
            }
            found.into_iter().flatten().collect()
        }
    }

    /// Receives messages as long as they fit, until none comes for 100 ms.
    pub async fn receive_while(&mut self, fits: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut received = Vec::new();
        while let Some(message) = self.message_until(Instant::now() + silence()).await {
            if !fits(&message) {
                self.waiting.push_front(message);
                break;
            }
            received.push(message);
        }
        received
    }

    /// Drops messages that fit from now on, for example dates.
    pub fn ignore(&mut self, fits: impl Fn(&Value) -> bool + 'static) {
        self.ignored.push(Box::new(fits));
    }

    /// Expects the server to close the connection; drops the messages before. Returns the code.
    #[track_caller]
    pub fn expect_closed(&mut self) -> impl Future<Output = Option<u16>> {
        let caller = Location::caller();
        async move {
            let until = Instant::now() + patience();
            loop {
                match self.frame_until(until).await {
                    Some(HubFrame::Closed(code)) => return code,
                    Some(HubFrame::Messages(_)) => {}
                    Some(HubFrame::Ping) => self.pong(),
                    None => self.fail(caller, "the connection was expected to close, and did not", None),
                }
            }
        }
    }

    async fn frame_until(&mut self, until: Instant) -> Option<HubFrame> {
        let frame = timeout_at(until, self.frame()).await.ok()?;
        let shown = match &frame {
            HubFrame::Messages(messages) => messages.to_string(),
            other => format!("{other:?}"),
        };
        self.history.note(shown.chars().take(SHOWN_CHARS_MAX).collect());
        Some(frame)
    }

    /// The next message that is not ignored; `None` if none comes in time, or the connection closes.
    async fn message_until(&mut self, until: Instant) -> Option<Value> {
        loop {
            while let Some(message) = self.waiting.pop_front() {
                if !self.ignored.iter().any(|fits| fits(&message)) {
                    return Some(message);
                }
            }
            match self.frame_until(until).await? {
                HubFrame::Messages(Value::Array(messages)) => self.waiting.extend(messages),
                HubFrame::Messages(_) | HubFrame::Closed(_) => return None,
                HubFrame::Ping => self.pong(),
            }
        }
    }

    async fn received_until(&mut self, until: Instant, fits: impl Fn(&Value) -> bool) -> (Vec<Value>, Option<Value>) {
        let mut before = Vec::new();
        while let Some(message) = self.message_until(until).await {
            if fits(&message) {
                return (before, Some(message));
            }
            before.push(message);
        }
        (before, None)
    }

    fn fail(&self, caller: &Location<'_>, what: &str, expected: Option<&str>) -> ! {
        panic!("{caller}: {}", self.history.failure(what, expected))
    }

    /// The next frame, however long it takes.
    pub(super) async fn frame(&mut self) -> HubFrame {
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
    pub fn command(&mut self, command: &Command) -> u64 {
        let (verb, arguments) = command.parts();
        self.send_command(verb, &arguments)
    }

    /// Sends a command that may be wrong; returns its number.
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
