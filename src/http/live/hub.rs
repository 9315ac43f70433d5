//! The live hub: `GET /api/v1/live/hub` (CONTRACT 3). The only file that knows the WebSocket crate, which is deprecated
//! upstream and the user's choice (docs/decisions/0002): what it holds is the handshake, the reading of commands, and
//! the joining of two streams, the actor's own and the outbox beside it. Everything sent goes through the outbox, which
//! the socket pulls; the actor only listens.
//!
//! ConnectionActor: owns what one socket watches. Is told commands by its client, tells the rooms of its thread.
//! Bounded by 4 KiB a command and 50 commands a second. A blocked socket stops it together with its timers, so its
//! deadlines are kept outside, by the publisher of the thread (KNOWN: a WebSocket actor lives inside its response).

use crate::actors::publisher::outbox::{CLOSE_ABUSE, CLOSE_AWAY, CLOSE_DONE, CLOSE_PIECES, CLOSE_PROTOCOL, Outbox};
use crate::actors::publisher::publisher_actor::LocalRooms;
use crate::domain::ids::SportId;
use crate::domain::limits::{COMMAND_BYTES_MAX, COMMANDS_PER_SECOND_MAX};
use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::language;
use crate::http::session_cookie::session_of;
use crate::read_model::ReadModel;
use crate::wire::Spelling;
use crate::wire::hub::command::{Command, Refusal, Sports, Watch, read};
use crate::wire::hub::message::{FeedState, Message};
use crate::wire::hub::scan::FrameScan;
use actix::{Actor, ActorContext, StreamHandler};
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::error::PayloadError;
use actix_web::http::header::SEC_WEBSOCKET_PROTOCOL;
use actix_web::{HttpRequest, HttpResponse, web};
use actix_web_actors::ws;
use bytes::Bytes;
use futures_util::Stream;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;
use tokio::time::Instant;

/// The subprotocols, the preferred one first.
const SUBPROTOCOLS: [(&str, Spelling); 2] =
    [("kvota.v1.msgpack", Spelling::Msgpack), ("kvota.v1.json", Spelling::Json)];

const SUBPROTOCOL_NAMES: &str = "kvota.v1.msgpack, kvota.v1.json";

/// Matches that `resync null` tells one by one; beyond this the client is sent to `GET live/offer`.
const RESYNC_MATCHES_MAX: usize = 400;

/// Opens a connection.
///
/// # Errors
/// 403 for a page of another origin, 400 where neither subprotocol is offered or the handshake is none.
pub(crate) async fn get(
    req: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    state.check_origin(&req)?;
    let (subprotocol, spelling) = subprotocol_of(&req).ok_or(ApiError::Subprotocol { allowed: SUBPROTOCOL_NAMES })?;
    let rooms = req.app_data::<LocalRooms>().cloned().ok_or_else(|| ApiError::Internal("no publisher here".into()))?;
    let lang = language::of(&req).lang;
    let (session, cookie) = session_of(&req, &state)?;

    let outbox = Rc::new(Outbox::new(lang, spelling, Arc::clone(&state.read_model)));
    outbox.reply(&[Message::Hello {
        session: session.public_name(),
        server_time_ms: (state.now_ms)(),
        feed: state.read_model.feed_state(lang),
    }]);
    let connection = ConnectionActor::new(Rc::clone(&outbox), rooms, Arc::clone(&state.read_model));
    let payload = Guarded { payload, scan: FrameScan::default(), outbox: Rc::clone(&outbox) };
    let mut response = ws::WsResponseBuilder::new(connection, &req, payload)
        .protocols(&[subprotocol])
        .frame_size(COMMAND_BYTES_MAX)
        .start()
        .map_err(|_| ApiError::Subprotocol { allowed: SUBPROTOCOL_NAMES })?;
    if let Some(cookie) = cookie {
        // A cookie of ours is always a header value.
        let _ = response.add_cookie(&cookie);
    }
    Ok(response.map_body(|_, listening| BoxBody::new(Joined::new(outbox, listening))))
}

fn subprotocol_of(req: &HttpRequest) -> Option<(&'static str, Spelling)> {
    let offered = req.headers().get_all(SEC_WEBSOCKET_PROTOCOL).filter_map(|header| header.to_str().ok());
    let offered: Vec<&str> = offered.flat_map(|header| header.split(',')).map(str::trim).collect();
    SUBPROTOCOLS.into_iter().find(|(name, _)| offered.contains(name))
}

/// What the client sends, ended where it announces a frame that is too large: the codec would wait for it.
struct Guarded {
    payload: web::Payload,
    scan: FrameScan,
    outbox: Rc<Outbox>,
}

impl Stream for Guarded {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.payload).poll_next(cx);
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
    rooms: LocalRooms,
    model: Arc<ReadModel>,
    seat: Option<usize>,
    watch: Watch,
    pace: Pace,
}

impl ConnectionActor {
    fn new(outbox: Rc<Outbox>, rooms: LocalRooms, model: Arc<ReadModel>) -> ConnectionActor {
        let watch = Watch { sports: Sports::Of(Vec::new()), favourites: false, matches: Vec::new() };
        ConnectionActor { outbox, rooms, model, seat: None, watch, pace: Pace::default() }
    }

    fn command(&mut self, frame: &[u8], spelling: Spelling) {
        self.outbox.heard();
        if !self.pace.allows(Instant::now()) {
            return refuse(&self.outbox, None, "too_many", "at most 50 commands a second", true);
        }
        match read(frame, spelling) {
            Ok(numbered) => {
                self.obey(numbered.command);
                self.outbox.reply(&[Message::Ack { n: numbered.n }]);
            }
            Err(refusal) => refuse(&self.outbox, refusal.n(), refusal.code(), text_of(refusal), refusal.closes()),
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Watch(watch) => {
                self.seat = Some(self.rooms.borrow_mut().watch(&self.outbox, self.seat, &watch));
                self.watch = watch;
            }
            Command::Resync(Some(id)) => self.outbox.tell_match(id, self.watch.matches.contains(&id)),
            Command::Resync(None) => self.resync_all(),
            Command::Ping => {}
            Command::Session(_) => {}
        }
    }

    /// The full state of all that is watched; where that is much, the whole offer is cheaper by HTTP.
    fn resync_all(&self) {
        let lang = self.outbox.lang();
        let feed = self.model.feed_state(lang);
        self.outbox.reply(&[Message::Feed(feed)]);
        if feed == FeedState::Inactive {
            return;
        }
        let mut sports = self.model.sports();
        if let Sports::Of(watched) = &self.watch.sports {
            sports.retain(|sport| watched.contains(&sport.primary().id));
        }
        let entries = self.model.entries();
        let of = |id| entries.iter().filter(move |entry| entry.state.live_match.sport_id == id);
        let rows: usize = sports.iter().map(|sport| of(sport.primary().id).count()).sum();
        if rows > RESYNC_MATCHES_MAX || self.outbox.is_merging() {
            return self.outbox.reply(&[Message::Reload]);
        }
        let known = self.rooms.borrow().sports_ever_seen();
        let is_watched = |id: &SportId| match &self.watch.sports {
            Sports::All => true,
            Sports::Of(watched) => watched.contains(id),
        };
        for id in known.into_iter().filter(is_watched).filter(|id| self.model.sport(*id).is_none()) {
            self.outbox.reply(&[Message::SportRemoved(id)]);
        }
        for sport in sports {
            let matches = of(sport.primary().id).map(|entry| entry.state.live_match.id).collect::<Vec<_>>();
            self.outbox.reply(&[Message::WholeSport(sport, matches.clone())]);
            matches.into_iter().for_each(|id| self.outbox.tell_match(id, false));
        }
        self.watch.matches.iter().for_each(|id| self.outbox.tell_match(*id, true));
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

/// Commands of the running second.
#[derive(Default)]
struct Pace {
    second: Option<Instant>,
    commands: u32,
}

impl Pace {
    fn allows(&mut self, now: Instant) -> bool {
        if self.second.is_none_or(|second| now.saturating_duration_since(second) >= Duration::from_secs(1)) {
            *self = Pace { second: Some(now), commands: 0 };
        }
        self.commands += 1;
        self.commands <= COMMANDS_PER_SECOND_MAX
    }
}

impl Actor for ConnectionActor {
    type Context = ws::WebsocketContext<Self>;

    fn started(&mut self, _: &mut Self::Context) {
        self.rooms.borrow_mut().enter(Rc::clone(&self.outbox));
        metrics::gauge!("kvota_connections").increment(1.0);
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        self.rooms.borrow_mut().leave(&self.outbox, self.seat.take());
        metrics::gauge!("kvota_connections").decrement(1.0);
    }
}

impl StreamHandler<Result<ws::Message, ws::ProtocolError>> for ConnectionActor {
    fn handle(&mut self, frame: Result<ws::Message, ws::ProtocolError>, ctx: &mut Self::Context) {
        match frame {
            // Whoever types into a socket types text, whatever was agreed on.
            Ok(ws::Message::Text(text)) => self.command(text.as_bytes(), Spelling::Json),
            Ok(ws::Message::Binary(bytes)) => self.command(&bytes, Spelling::Msgpack),
            Ok(ws::Message::Ping(bytes)) => {
                self.outbox.heard();
                ctx.pong(&bytes);
            }
            Ok(ws::Message::Pong(_) | ws::Message::Nop) => self.outbox.heard(),
            Ok(ws::Message::Close(_)) => self.outbox.close(CLOSE_DONE),
            Ok(ws::Message::Continuation(_)) => self.outbox.close(CLOSE_PIECES),
            Err(ws::ProtocolError::Overflow) => {
                let refusal = Refusal::TooLarge;
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

/// The response's body: the outbox's frames, and the actor's own (pongs). The actor's context is polled only when
/// something woke it, not for every frame of the outbox: that is what a frame would cost most.
struct Joined<B> {
    outbox: Rc<Outbox>,
    listening: Pin<Box<B>>,
    listening_ended: bool,
    woken: Arc<Woken>,
    listening_waker: Waker,
}

struct Woken {
    flag: AtomicBool,
    task: Mutex<Option<Waker>>,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.flag.store(true, Ordering::Release);
        if let Some(task) = self.task.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            task.wake_by_ref();
        }
    }
}

impl<B> Joined<B> {
    fn new(outbox: Rc<Outbox>, listening: B) -> Joined<B> {
        let woken = Arc::new(Woken { flag: AtomicBool::new(true), task: Mutex::new(None) });
        let listening_waker = Arc::clone(&woken).into();
        Joined { outbox, listening: Box::pin(listening), listening_ended: false, woken, listening_waker }
    }
}

impl<B> Drop for Joined<B> {
    fn drop(&mut self) {
        self.outbox.gone();
    }
}

impl<B: MessageBody> MessageBody for Joined<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, B::Error>>> {
        let this = self.get_mut();
        {
            let mut task = this.woken.task.lock().unwrap_or_else(PoisonError::into_inner);
            if !task.as_ref().is_some_and(|task| task.will_wake(cx.waker())) {
                *task = Some(cx.waker().clone());
            }
        }
        while !this.listening_ended && this.woken.flag.swap(false, Ordering::AcqRel) {
            match this.listening.as_mut().poll_next(&mut Context::from_waker(&this.listening_waker)) {
                Poll::Ready(Some(item)) => {
                    this.woken.flag.store(true, Ordering::Release);
                    return Poll::Ready(Some(item));
                }
                Poll::Ready(None) => this.listening_ended = true,
                Poll::Pending => {}
            }
        }
        match this.outbox.poll_frame(cx.waker()) {
            Poll::Ready(Some(frame)) => Poll::Ready(Some(Ok(frame))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending if this.listening_ended => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    }
}
