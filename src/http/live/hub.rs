//! The live hub: `GET /api/v1/live/hub` (CONTRACT 3). The only file that knows the WebSocket crate, which is deprecated
//! upstream and the user's choice (docs/decisions/0002): what it holds is the handshake and the reading of commands.
//! Everything sent goes through the outbox, which writes to the socket itself (`socket.rs`); the actor only listens.
//!
//! ConnectionActor: owns what one socket says. Is told commands by its client, tells its place (`place.rs`), which knows
//! the rooms of its thread and its session. Bounded by 4 KiB a command, 50 commands and 100 pings a second. It has no timer
//! but that of a `resync null` that came too soon: its deadlines are kept by the publisher of the thread. Whether there
//! is room for the connection at all, `admission.rs` decides.

use crate::actors::publisher::outbox::{CLOSE_ABUSE, CLOSE_AWAY, CLOSE_DONE, CLOSE_PROTOCOL, Outbox};
use crate::actors::publisher::publisher_actor::LocalRooms;
use crate::actors::session::sessions::Bettor;
use crate::actors::session::tap::Tap;
use crate::domain::limits::{
    COMMAND_BYTES_MAX, COMMAND_PIECES_MAX, COMMANDS_PER_SECOND_MAX, CONTROL_FRAMES_PER_SECOND_MAX, OUTBOX_BYTES_MAX,
};
use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::language;
use crate::http::live::place::Place;
use crate::http::live::socket::{Incoming, TakeOver};
use crate::http::session_cookie::{Visit, visit};
use crate::store::SessionOwner;
use crate::wire::Spelling;
use crate::wire::hub::command::{Command, Refusal, read};
use crate::wire::hub::message::Message;
use crate::wire::hub::scan::FrameScan;
use actix::{Actor, ActorContext, AsyncContext, StreamHandler};
use actix_http::ws::{Codec, Item};
use actix_web::error::PayloadError;
use actix_web::http::header::SEC_WEBSOCKET_PROTOCOL;
use actix_web::{HttpRequest, HttpResponse, web};
use actix_web_actors::ws;
use bytes::Bytes;
use futures_util::Stream;
use std::cell::RefCell;
use std::io::ErrorKind;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Instant;

/// The subprotocols, the preferred one first.
const SUBPROTOCOLS: [(&str, Spelling); 2] =
    [("kvota.v1.msgpack", Spelling::Msgpack), ("kvota.v1.json", Spelling::Json)];

const SUBPROTOCOL_NAMES: &str = "kvota.v1.msgpack, kvota.v1.json";

/// Opens a connection.
///
/// # Errors
/// 403 for a page of another origin, 400 where neither subprotocol is offered or the handshake is none, 429 where the
/// address or the session has too many connections or the address begins too many sessions, 503 where there are too many
/// connections in all or the sessions are being started again.
pub(crate) async fn get(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    state.check_origin(&req)?;
    let (subprotocol, spelling) = subprotocol_of(&req).ok_or(ApiError::Subprotocol { allowed: SUBPROTOCOL_NAMES })?;
    let mut answer = ws::handshake(&req).map_err(|_| ApiError::Subprotocol { allowed: SUBPROTOCOL_NAMES })?;
    // The crate would look for it in the first of several headers only (RFC 6455, 11.3.4).
    answer.insert_header((SEC_WEBSOCKET_PROTOCOL, subprotocol));
    let rooms = req.app_data::<LocalRooms>().cloned().ok_or_else(|| ApiError::Internal("no publisher here".into()))?;
    let lang = language::of(&req).lang;
    let mut permit = state.hub.admit(state.seen(&req).client)?;
    let Visit { session, is_new, cookies } = visit(&req, &state)?;
    let sessions = state.sessions()?;
    let bettor = if is_new {
        permit.begin_session(Instant::now())?;
        Bettor { owner: SessionOwner::Anonymous(session), user: None, is_certain: true }
    } else {
        sessions.identify(session).await
    };
    permit.join_session(bettor.owner)?;
    let tap = Arc::new(Tap::new(session, lang));
    let line = sessions.attach(&bettor, Arc::clone(&tap), is_new).await.map_err(|_| ApiError::Unavailable)?;

    let model = Arc::clone(&state.read_model);
    let outbox = Rc::new(Outbox::new(lang, spelling, Arc::clone(&model)));
    let mut greeting = vec![Message::Hello {
        session: session.public_name(),
        server_time_ms: (state.now_ms)(),
        feed: model.feed_state(lang),
    }];
    // Where it cannot be said who is logged in, nothing is.
    greeting.extend(bettor.is_certain.then_some(Message::Account(bettor.user)));
    outbox.reply(&greeting);
    let place = Rc::new(RefCell::new(Place::new(Rc::clone(&outbox), rooms, model, tap, line, permit)));
    let actor = ConnectionActor {
        outbox: Rc::clone(&outbox),
        place: Rc::clone(&place),
        commands: Pace::new(COMMANDS_PER_SECOND_MAX),
        control_frames: Pace::new(CONTROL_FRAMES_PER_SECOND_MAX),
        pieces: Pieces::default(),
    };
    let guard = Rc::clone(&outbox);
    let take_over = TakeOver::new(outbox, place, move |incoming| {
        let guarded = Guarded { incoming, scan: FrameScan::default(), outbox: guard };
        ws::WebsocketContext::with_codec(actor, guarded, Codec::new().max_size(COMMAND_BYTES_MAX))
    });
    let mut response = answer.finish();
    for cookie in cookies {
        // A cookie of ours is always a header value.
        let _ = response.add_cookie(&cookie);
    }
    response.extensions_mut().insert(take_over);
    Ok(response)
}

fn subprotocol_of(req: &HttpRequest) -> Option<(&'static str, Spelling)> {
    let offered = req.headers().get_all(SEC_WEBSOCKET_PROTOCOL).filter_map(|header| header.to_str().ok());
    let offered: Vec<&str> = offered.flat_map(|header| header.split(',')).map(str::trim).collect();
    SUBPROTOCOLS.into_iter().find(|(name, _)| offered.contains(name))
}

/// What the client sends, ended where it announces a frame that is too large: the codec would wait for it.
struct Guarded {
    incoming: Incoming,
    scan: FrameScan,
    outbox: Rc<Outbox>,
}

impl Stream for Guarded {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.incoming).poll_next(cx);
        if let Poll::Ready(Some(Ok(bytes))) = &next
            && self.scan.take(bytes).is_err()
        {
            refuse(&self.outbox, None, Refusal::TooLarge.code(), text_of(Refusal::TooLarge), true);
            return Poll::Ready(None);
        }
        next
    }
}

/// One socket.
struct ConnectionActor {
    outbox: Rc<Outbox>,
    place: Rc<RefCell<Place>>,
    commands: Pace,
    control_frames: Pace,
    pieces: Pieces,
}

/// A command that comes in pieces, as any may (RFC 6455, 5.4): what is there of it. The codec sees to their order.
#[derive(Default)]
struct Pieces {
    spelling: Option<Spelling>,
    bytes: Vec<u8>,
    number: u32,
}

impl Pieces {
    /// Takes a piece; gives the command after the last one.
    ///
    /// # Errors
    /// [`Refusal::TooLarge`] where all pieces together are over 4 KiB, or too many.
    fn take(&mut self, piece: Item) -> Result<Option<(Vec<u8>, Spelling)>, Refusal> {
        let (bytes, is_last) = match piece {
            Item::FirstText(bytes) => (self.begin(Spelling::Json, bytes), false),
            Item::FirstBinary(bytes) => (self.begin(Spelling::Msgpack, bytes), false),
            Item::Continue(bytes) => (bytes, false),
            Item::Last(bytes) => (bytes, true),
        };
        self.number += 1;
        if self.bytes.len() + bytes.len() > COMMAND_BYTES_MAX || self.number > COMMAND_PIECES_MAX {
            return Err(Refusal::TooLarge);
        }
        self.bytes.extend_from_slice(&bytes);
        let spelling = self.spelling.filter(|_| is_last);
        Ok(spelling.map(|spelling| (std::mem::take(&mut self.bytes), spelling)))
    }

    fn begin(&mut self, spelling: Spelling, bytes: Bytes) -> Bytes {
        *self = Pieces { spelling: Some(spelling), ..Pieces::default() };
        bytes
    }
}

impl ConnectionActor {
    fn piece(&mut self, piece: Item, ctx: &mut <Self as Actor>::Context) {
        self.outbox.heard();
        match self.pieces.take(piece) {
            Ok(Some((command, spelling))) => self.command(&command, spelling, ctx),
            Ok(None) => {}
            Err(refusal) => refuse(&self.outbox, refusal.n(), refusal.code(), text_of(refusal), refusal.closes()),
        }
    }

    fn command(&mut self, frame: &[u8], spelling: Spelling, ctx: &mut <Self as Actor>::Context) {
        self.outbox.heard();
        let read = read(frame, spelling);
        if !self.commands.allows(Instant::now()) {
            let n = read.map_or_else(Refusal::n, |numbered| Some(numbered.n));
            return refuse(&self.outbox, n, "too_many", "at most 50 commands a second", true);
        }
        match read {
            Ok(numbered) => self.obey(numbered.n, numbered.command, ctx),
            Err(refusal) => refuse(&self.outbox, refusal.n(), refusal.code(), text_of(refusal), refusal.closes()),
        }
    }

    fn obey(&mut self, n: u64, command: Command, ctx: &mut <Self as Actor>::Context) {
        let mut place = self.place.borrow_mut();
        match command {
            // These are acknowledged when they took effect.
            Command::Watch(watch) => return place.watch(n, watch),
            Command::Session(command) => return place.command(n, command),
            Command::Resync(Some(id)) => place.resync(id),
            Command::Resync(None) => {
                if let Some(wait) = place.ask_resync_all(n) {
                    ctx.run_later(wait, |connection, _| connection.place.borrow_mut().resync_all());
                }
                return;
            }
            Command::Ping => {}
        }
        self.outbox.reply(&[Message::Ack { n }]);
    }

    /// A ping or a pong came in; too many of them close the connection as too many commands do.
    fn control_frame(&mut self) -> bool {
        self.outbox.heard();
        let is_allowed = self.control_frames.allows(Instant::now());
        if !is_allowed {
            refuse(&self.outbox, None, "too_many", "at most 100 pings and pongs a second", true);
        }
        is_allowed
    }
}

/// Answers with an error, and closes the connection where that is due.
fn refuse(outbox: &Outbox, n: Option<u64>, code: &'static str, text: &'static str, closes: bool) {
    metrics::counter!("kvota_commands_refused_total", "code" => code).increment(1);
    outbox.reply(&[Message::Refused { n, code, text: text.into() }]);
    if closes {
        outbox.close(CLOSE_ABUSE);
    }
}

fn text_of(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::TooLarge => "a command may be up to 4 KiB",
        Refusal::NotACommand { .. } => "a command is [n, verb, ...arguments]",
        Refusal::UnknownVerb { .. } => "there is no such verb",
        Refusal::WrongArguments { .. } => "the verb does not take these arguments",
    }
}

/// What came in the running second, of which there may be so many.
struct Pace {
    per_second_max: u32,
    second: Option<Instant>,
    count: u32,
}

impl Pace {
    fn new(per_second_max: u32) -> Pace {
        Pace { per_second_max, second: None, count: 0 }
    }

    fn allows(&mut self, now: Instant) -> bool {
        if self.second.is_none_or(|second| now.saturating_duration_since(second) >= Duration::from_secs(1)) {
            *self = Pace { second: Some(now), ..Pace::new(self.per_second_max) };
        }
        self.count += 1;
        self.count <= self.per_second_max
    }
}

impl Actor for ConnectionActor {
    type Context = ws::WebsocketContext<Self>;
}

impl StreamHandler<Result<ws::Message, ws::ProtocolError>> for ConnectionActor {
    fn handle(&mut self, frame: Result<ws::Message, ws::ProtocolError>, ctx: &mut Self::Context) {
        match frame {
            // Whoever types into a socket types text, whatever was agreed on.
            Ok(ws::Message::Text(text)) => self.command(text.as_bytes(), Spelling::Json, ctx),
            Ok(ws::Message::Binary(bytes)) => self.command(&bytes, Spelling::Msgpack, ctx),
            Ok(ws::Message::Ping(bytes)) => {
                // Not every ping needs its pong (RFC 6455, 5.5.3), and one who sends them and reads nothing gets none.
                if self.control_frame() && self.outbox.queued_bytes() < OUTBOX_BYTES_MAX {
                    ctx.pong(&bytes);
                }
            }
            Ok(ws::Message::Pong(_)) => {
                self.control_frame();
            }
            Ok(ws::Message::Nop) => self.outbox.heard(),
            Ok(ws::Message::Close(_)) => self.outbox.close(CLOSE_DONE),
            Ok(ws::Message::Continuation(piece)) => self.piece(piece, ctx),
            Err(ws::ProtocolError::Overflow) => {
                let refusal = Refusal::TooLarge;
                refuse(&self.outbox, None, refusal.code(), text_of(refusal), true);
            }
            // A text that is no UTF-8 does not parse, and is told so like any other (CONTRACT 3.6).
            Err(ws::ProtocolError::Io(error)) if error.kind() == ErrorKind::Other => {
                let refusal = Refusal::NotACommand { n: None };
                refuse(&self.outbox, None, refusal.code(), text_of(refusal), true);
            }
            Err(error) => {
                tracing::debug!(%error, "a connection broke the protocol");
                self.outbox.close(CLOSE_PROTOCOL);
            }
        }
        // The reader gives the same error again for ever, for it leaves what it cannot read where it is: whoever is to
        // be closed is not read any more. What is queued is still written.
        if self.outbox.is_ending() {
            ctx.stop();
        }
    }

    fn finished(&mut self, ctx: &mut Self::Context) {
        self.outbox.close(CLOSE_AWAY);
        ctx.stop();
    }
}
