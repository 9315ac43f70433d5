//! The live hub, `GET /api/v1/live/hub` (CONTRACT 3): the WebSocket handshake and the commands that the client sends.
//! It must not write to the socket: everything sent goes through the outbox (`socket.rs`). No other file may use the
//! WebSocket crate, which is deprecated upstream but was required (docs/decisions/0002).
//!
//! ConnectionActor: reads the commands of one socket and passes them to the connection (`connection.rs`), which knows
//! the rooms of its thread and its session. Limits: 4 KiB per command, 50 commands and 100 control frames per second.
//! Its only timer delays a `resync null` that came too soon; the thread's publisher keeps all other deadlines.
//! `admission.rs` decides whether one more connection is allowed.

use crate::actors::limits::COMMANDS_PER_SECOND_MAX;
use crate::actors::session::inbox::SessionInbox;
use crate::actors::session::sessions::Bettor;
use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::language;
use crate::http::live_hub::LiveHub;
use crate::http::reply::header;
use crate::http::session_cookie::{Visit, visit};
use crate::hub::admission::Admission;
use crate::hub::connection::{Connection, StoreReader};
use crate::hub::limits::{COMMAND_FRAGMENTS_MAX, CONTROL_FRAMES_PER_SECOND_MAX, OUTBOX_BYTES_MAX};
use crate::hub::open_bets::OpenBetsReads;
use crate::hub::outbox::{CLOSE_ABUSE, CLOSE_GOING_AWAY, CLOSE_NORMAL, CLOSE_PROTOCOL, Outbox};
use crate::hub::pace::Pace;
use crate::hub::publisher_actor::LocalRooms;
use crate::hub::socket::{Incoming, SocketHandler};
use actix::{Actor, ActorContext, AsyncContext, StreamHandler};
use actix_http::ws::{Codec, Item};
use actix_web::error::PayloadError;
use actix_web::http::header::{SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION};
use actix_web::{HttpRequest, HttpResponse};
use actix_web_actors::ws;
use bytes::Bytes;
use futures_util::Stream;
use kvota_store::SessionOwner;
use kvota_wire::Encoding;
use kvota_wire::hub::command::{Command, CommandRejection, read};
use kvota_wire::hub::message::Message;
use kvota_wire::hub::scan::FrameScan;
use kvota_wire::limits::COMMAND_BYTES_MAX;
use std::cell::RefCell;
use std::io::ErrorKind;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::time::Instant;

/// The subprotocols in order of preference.
const SUBPROTOCOLS: [(&str, Encoding); 2] =
    [("kvota.v1.msgpack", Encoding::Msgpack), ("kvota.v1.json", Encoding::Json)];

const SUBPROTOCOL_NAMES: &str = "kvota.v1.msgpack, kvota.v1.json";

/// The hub of a node, with its limits of connections.
pub fn live_hub(admission: Admission) -> LiveHub {
    let open_bets = OpenBetsReads::default();
    LiveHub::new(admission.stopping(), move |req, state| {
        let (admission, open_bets) = (admission.clone(), open_bets.clone());
        Box::pin(async move { get(&req, &state, &admission, open_bets).await })
    })
}

/// Opens a connection.
///
/// # Errors
/// - 400: the client offers no supported subprotocol, or the handshake is invalid.
/// - 426: another version of WebSocket than 13.
/// - 403: the request comes from a page of another origin.
/// - 429: the address or the session has too many connections, or the address starts too many sessions.
/// - 503: the server has too many connections, or the sessions are restarting.
async fn get(
    req: &HttpRequest,
    state: &AppState,
    admission: &Admission,
    open_bets: OpenBetsReads,
) -> Result<HttpResponse, ApiError> {
    state.check_origin(req)?;
    check_handshake(req)?;
    let (subprotocol, encoding) = subprotocol_of(req).ok_or(ApiError::Subprotocol { allowed: SUBPROTOCOL_NAMES })?;
    let mut answer = ws::handshake(req).map_err(|_| ApiError::Subprotocol { allowed: SUBPROTOCOL_NAMES })?;
    // The crate looks only at the first of several such headers, but a client may send more (RFC 6455, 11.3.4).
    answer.insert_header((SEC_WEBSOCKET_PROTOCOL, subprotocol));
    let rooms = req.app_data::<LocalRooms>().cloned().ok_or_else(|| ApiError::Internal("no publisher here".into()))?;
    let lang = language::of(req).lang;
    let mut permit = admission.admit(&state.seen(req))?;
    let Visit { session, is_new, cookies } = visit(req, state)?;
    let sessions = state.sessions()?;
    let inbox = Arc::new(SessionInbox::new(session, lang));
    let arriving = sessions.arrive(Arc::clone(&inbox));
    let bettor = if is_new {
        permit.begin_session(Instant::now())?;
        Bettor::anonymous(session)
    } else {
        sessions.identify(session).await
    };
    permit.join_session(bettor.owner)?;
    let handle = sessions.attach(&bettor, Arc::clone(&inbox), is_new).await.map_err(|_| ApiError::Unavailable)?;
    drop(arriving);

    let account = match bettor.owner {
        SessionOwner::Account(account) => Some(account),
        SessionOwner::Anonymous(_) => None,
    };
    let reader = account.map(|account| StoreReader {
        account,
        stores: state.stores.clone(),
        open_bets,
        protections: state.protections.clone(),
        values: sessions.cash_out_values(),
        reading: Rc::default(),
        continued: Rc::default(),
    });
    let shared_limits = Arc::clone(&state.stores.shared_limits);
    let model = Arc::clone(&state.read_model);
    let outbox = Rc::new(Outbox::new(lang, encoding, Arc::clone(&model)));
    let mut greeting = vec![Message::Hello {
        session: session.public_name(),
        server_time_ms: (state.now_ms)(),
        feed: model.feed_state(lang),
        run: model.run(),
    }];
    // Send no account message while it is unknown who is logged in.
    greeting.extend(bettor.is_certain.then_some(Message::Account(bettor.user)));
    outbox.reply(&greeting);
    let connection = Connection::new(Rc::clone(&outbox), rooms, inbox, handle, permit, shared_limits, reader);
    let connection = Rc::new(RefCell::new(connection));
    let actor = ConnectionActor {
        outbox: Rc::clone(&outbox),
        connection: Rc::clone(&connection),
        commands: Pace::new(COMMANDS_PER_SECOND_MAX),
        control_frames: Pace::new(CONTROL_FRAMES_PER_SECOND_MAX),
        pieces: Pieces::default(),
    };
    let guard = Rc::clone(&outbox);
    let take_over = SocketHandler::new(outbox, connection, move |incoming| {
        let guarded = LimitedFrames { incoming, scan: FrameScan::default(), outbox: guard };
        ws::WebsocketContext::with_codec(actor, guarded, Codec::new().max_size(COMMAND_BYTES_MAX))
    });
    let mut response = answer.finish();
    for cookie in cookies {
        // `add_cookie` fails only on a value that is not a valid header, which our cookies always are.
        let _ = response.add_cookie(&cookie);
    }
    take_over.put_into(&mut response);
    Ok(response)
}

/// What the crate leaves out: it accepts the drafts 7 and 8, and any key.
fn check_handshake(req: &HttpRequest) -> Result<(), ApiError> {
    match header(req.headers(), SEC_WEBSOCKET_VERSION) {
        Some("13") => {}
        // Without the header the request may be no handshake at all, which the crate finds.
        None if !req.headers().contains_key(SEC_WEBSOCKET_VERSION) => {}
        _ => return Err(ApiError::WebSocketVersion),
    }
    match header(req.headers(), SEC_WEBSOCKET_KEY) {
        Some(key) if is_key(key) => Ok(()),
        _ => Err(ApiError::Subprotocol { allowed: SUBPROTOCOL_NAMES }),
    }
}

/// Whether a text is the Base64 of 16 bytes (RFC 6455, 4.2.1): 21 characters, one with its last four bits zero, and the
/// padding.
fn is_key(text: &str) -> bool {
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let Some(digits) = text.strip_suffix("==") else { return false };
    digits.len() == 22 && digits.as_bytes().iter().all(is_base64) && digits.ends_with(['A', 'Q', 'g', 'w'])
}

fn subprotocol_of(req: &HttpRequest) -> Option<(&'static str, Encoding)> {
    let offered = req.headers().get_all(SEC_WEBSOCKET_PROTOCOL).filter_map(|header| header.to_str().ok());
    let offered: Vec<&str> = offered.flat_map(|header| header.split(',')).map(str::trim).collect();
    SUBPROTOCOLS.into_iter().find(|(name, _)| offered.contains(name))
}

/// The bytes from the client. Ends the stream as soon as a frame header announces too large a frame; the codec would
/// first wait for all of it.
struct LimitedFrames {
    incoming: Incoming,
    scan: FrameScan,
    outbox: Rc<Outbox>,
}

impl Stream for LimitedFrames {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.incoming).poll_next(cx);
        if let Poll::Ready(Some(Ok(bytes))) = &next
            && self.scan.take(bytes).is_err()
        {
            reject(
                &self.outbox,
                None,
                CommandRejection::TooLarge.code(),
                rejection_text(CommandRejection::TooLarge),
                true,
            );
            return Poll::Ready(None);
        }
        next
    }
}

/// Handles the frames of one socket.
struct ConnectionActor {
    outbox: Rc<Outbox>,
    connection: Rc<RefCell<Connection>>,
    commands: Pace,
    control_frames: Pace,
    pieces: Pieces,
}

/// The pieces of a fragmented command that have arrived so far (RFC 6455, 5.4). The codec checks their order.
#[derive(Default)]
struct Pieces {
    encoding: Option<Encoding>,
    bytes: Vec<u8>,
    number: u32,
}

impl Pieces {
    /// Adds a piece; returns the whole command after the last one.
    ///
    /// # Errors
    /// [`CommandRejection::TooLarge`] when the pieces exceed 4 KiB together, or when there are too many.
    fn take(&mut self, piece: Item) -> Result<Option<(Vec<u8>, Encoding)>, CommandRejection> {
        let (bytes, is_last) = match piece {
            Item::FirstText(bytes) => (self.begin(Encoding::Json, bytes), false),
            Item::FirstBinary(bytes) => (self.begin(Encoding::Msgpack, bytes), false),
            Item::Continue(bytes) => (bytes, false),
            Item::Last(bytes) => (bytes, true),
        };
        self.number += 1;
        if self.bytes.len() + bytes.len() > COMMAND_BYTES_MAX || self.number > COMMAND_FRAGMENTS_MAX {
            return Err(CommandRejection::TooLarge);
        }
        self.bytes.extend_from_slice(&bytes);
        let encoding = self.encoding.filter(|_| is_last);
        Ok(encoding.map(|encoding| (std::mem::take(&mut self.bytes), encoding)))
    }

    fn begin(&mut self, encoding: Encoding, bytes: Bytes) -> Bytes {
        *self = Pieces { encoding: Some(encoding), ..Pieces::default() };
        bytes
    }
}

impl ConnectionActor {
    fn piece(&mut self, piece: Item, ctx: &mut <Self as Actor>::Context) {
        self.outbox.note_activity();
        match self.pieces.take(piece) {
            Ok(Some((command, encoding))) => self.command(&command, encoding, ctx),
            Ok(None) => {}
            Err(rejection) => {
                reject(&self.outbox, rejection.n(), rejection.code(), rejection_text(rejection), rejection.closes())
            }
        }
    }

    fn command(&mut self, frame: &[u8], encoding: Encoding, ctx: &mut <Self as Actor>::Context) {
        self.outbox.note_activity();
        let read = read(frame, encoding);
        if !self.commands.allows(Instant::now()) {
            let n = read.map_or_else(CommandRejection::n, |numbered| Some(numbered.n));
            return reject(&self.outbox, n, "too_many", "at most 50 commands a second", true);
        }
        match read {
            Ok(numbered) => self.obey(numbered.n, numbered.command, ctx),
            Err(rejection) => {
                reject(&self.outbox, rejection.n(), rejection.code(), rejection_text(rejection), rejection.closes())
            }
        }
    }

    fn obey(&mut self, n: u64, command: Command, ctx: &mut <Self as Actor>::Context) {
        let mut connection = self.connection.borrow_mut();
        match command {
            // These two are acknowledged later, when they have taken effect.
            Command::Watch(watch) if connection.may_watch(&watch) => return connection.watch(n, watch),
            Command::Watch(_) => {
                let text = "this address watches too many matches a second";
                return reject(&self.outbox, Some(n), "too_many", text, false);
            }
            Command::Session(command) => return connection.command(n, command),
            Command::Continue => return connection.continue_after_check(n),
            Command::Resync(Some(id)) => connection.resync(id),
            Command::Resync(None) => {
                if let Some(wait) = connection.request_resync_all(n) {
                    ctx.run_later(wait, |actor, _| actor.connection.borrow_mut().resync_all());
                }
                return;
            }
            Command::Ping => {}
        }
        self.outbox.reply(&[Message::Ack { n }]);
    }

    /// Counts a ping or a pong. Returns false, and closes the connection, when there are too many per second.
    fn control_frame(&mut self) -> bool {
        self.outbox.note_activity();
        let is_allowed = self.control_frames.allows(Instant::now());
        if !is_allowed {
            reject(&self.outbox, None, "too_many", "at most 100 pings and pongs a second", true);
        }
        is_allowed
    }
}

/// Answers with an error; closes the connection if `closes` is set.
fn reject(outbox: &Outbox, n: Option<u64>, code: &'static str, text: &'static str, closes: bool) {
    metrics::counter!("kvota_commands_refused_total", "code" => code).increment(1);
    outbox.reply(&[Message::Refused { n, code, text: text.into() }]);
    if closes {
        outbox.close(CLOSE_ABUSE);
    }
}

fn rejection_text(rejection: CommandRejection) -> &'static str {
    match rejection {
        CommandRejection::TooLarge => "a command may be up to 4 KiB",
        CommandRejection::NotACommand { .. } => "a command is [n, verb, ...arguments]",
        CommandRejection::UnknownVerb { .. } => "there is no such verb",
        CommandRejection::WrongArguments { .. } => "the verb does not take these arguments",
    }
}

impl Actor for ConnectionActor {
    type Context = ws::WebsocketContext<Self>;
}

impl StreamHandler<Result<ws::Message, ws::ProtocolError>> for ConnectionActor {
    fn handle(&mut self, frame: Result<ws::Message, ws::ProtocolError>, ctx: &mut Self::Context) {
        match frame {
            // Text frames are always JSON, whatever subprotocol was agreed on: this helps people who type commands by
            // hand.
            Ok(ws::Message::Text(text)) => self.command(text.as_bytes(), Encoding::Json, ctx),
            Ok(ws::Message::Binary(bytes)) => self.command(&bytes, Encoding::Msgpack, ctx),
            Ok(ws::Message::Ping(bytes)) => {
                // Not every ping needs a pong (RFC 6455, 5.5.3). A client that does not read gets none, so its queue
                // cannot grow.
                if self.control_frame() && self.outbox.queued_bytes() < OUTBOX_BYTES_MAX {
                    ctx.pong(&bytes);
                }
            }
            Ok(ws::Message::Pong(_)) => {
                self.control_frame();
            }
            Ok(ws::Message::Nop) => self.outbox.note_activity(),
            Ok(ws::Message::Close(_)) => self.outbox.close(CLOSE_NORMAL),
            Ok(ws::Message::Continuation(piece)) => self.piece(piece, ctx),
            Err(ws::ProtocolError::Overflow) => {
                let rejection = CommandRejection::TooLarge;
                reject(&self.outbox, None, rejection.code(), rejection_text(rejection), true);
            }
            // Text that is not valid UTF-8 is rejected like any other command that does not parse (CONTRACT 3.6).
            Err(ws::ProtocolError::Io(error)) if error.kind() == ErrorKind::Other => {
                let rejection = CommandRejection::NotACommand { n: None };
                reject(&self.outbox, None, rejection.code(), rejection_text(rejection), true);
            }
            Err(error) => {
                tracing::debug!(%error, "a connection broke the protocol");
                self.outbox.close(CLOSE_PROTOCOL);
            }
        }
        // The codec keeps bytes it cannot parse and would return the same error again, so stop reading a connection
        // that is closing. The outbox still writes what is queued.
        if self.outbox.is_ending() {
            ctx.stop();
        }
    }

    fn finished(&mut self, ctx: &mut Self::Context) {
        self.outbox.close(CLOSE_GOING_AWAY);
        ctx.stop();
    }
}
