//! Test support for the fan-out: the rooms of one worker over a small offer, and clients that keep a replica.

use actix::Actor;
use kvota::actors::messages::events::EventBatch;
use kvota::actors::messages::offer::{ApplySportTexts, ApplyToSport, Publish};
use kvota::actors::messages::pending_update::PendingUpdate;
use kvota::actors::offer_context::OfferContext;
use kvota::actors::sport_actor::SportActor;
use kvota::hub::encode::UpdateBatch;
use kvota::hub::outbox::Outbox;
use kvota::hub::rooms::{ConnectionId, Rooms};
use kvota::testkit::builders::{soccer, sport_id};
use kvota::testkit::replica::Replica;
use kvota_domain::feed::MatchUpdate;
use kvota_domain::ids::MatchId;
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::{FeedState, OfferEvent};
use kvota_read_model::ReadModel;
use kvota_wire::Encoding;
use kvota_wire::hub::command::{Sports, Watch};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::{Poll, Waker};
use std::time::Duration;

pub(crate) const DATE: i64 = 1_700_000_000_000;

/// One sport with its actor, and the rooms of one worker. The test delivers events to the rooms itself.
pub(crate) struct Stage {
    pub(crate) offer: OfferContext,
    pub(crate) rooms: Rooms,
    soccer: actix::Addr<SportActor>,
    received: Rc<RefCell<Vec<EventBatch>>>,
}

/// Collects the events of the bus.
struct Listener(Rc<RefCell<Vec<EventBatch>>>);

impl Actor for Listener {
    type Context = actix::Context<Self>;
}

impl actix::Handler<EventBatch> for Listener {
    type Result = ();

    fn handle(&mut self, events: EventBatch, _: &mut Self::Context) {
        self.0.borrow_mut().push(events);
    }
}

/// How long a room gathers changes before it sends.
pub(crate) const GATHER_INTERVAL: Duration = Duration::from_millis(50);

impl Stage {
    pub(crate) fn new() -> Stage {
        let model = Arc::new(ReadModel::new(Lang::Hr, 1));
        let offer = OfferContext::new(Arc::clone(&model));
        Lang::ALL.into_iter().for_each(|lang| model.set_feed(lang, FeedState::Active));
        let received = Rc::new(RefCell::new(Vec::new()));
        let listener = Listener(Rc::clone(&received)).start();
        offer.bus.subscribe(listener.recipient(), Arc::new(AtomicBool::new(false)));
        let rooms = Rooms::new(model, GATHER_INTERVAL);
        let soccer = SportActor::new(sport_id(1), offer.clone()).start();
        Stage { offer, rooms, soccer, received }
    }

    /// Applies matches of a feed message about soccer, and delivers the resulting events to the rooms.
    pub(crate) async fn feed(&mut self, matches: Vec<MatchUpdate>) {
        let command = ApplyToSport {
            sport: soccer(),
            matches: matches.into_iter().map(PendingUpdate::new).collect(),
            date_ms: DATE,
            is_whole: false,
            kept: Vec::new(),
            announce: Publish::Each,
        };
        self.soccer.send(command).await.expect("the sport lives");
        self.deliver().await;
    }

    /// The same for the texts of another language.
    pub(crate) async fn words(&mut self, lang: Lang, matches: Vec<MatchUpdate>) {
        let matches = matches.into_iter().map(PendingUpdate::new).collect();
        let command = ApplySportTexts { lang, sport: soccer(), matches, date_ms: DATE, is_whole: false };
        self.soccer.send(command).await.expect("the sport lives");
        self.deliver().await;
    }

    /// Delivers the end of a feed message to the rooms.
    pub(crate) fn end_feed_message(&mut self) {
        self.rooms.deliver(&UpdateBatch::of(EventBatch(Arc::from([OfferEvent::FeedMessageApplied]))));
    }

    async fn deliver(&mut self) {
        tokio::task::yield_now().await;
        let batches = std::mem::take(&mut *self.received.borrow_mut());
        for events in batches {
            self.rooms.deliver(&UpdateBatch::of(events));
        }
    }

    /// A new connection with this subscription.
    pub(crate) fn client(&mut self, encoding: Encoding, watch: Watch) -> Client {
        self.client_in(Lang::Hr, encoding, watch)
    }

    pub(crate) fn client_in(&mut self, lang: Lang, encoding: Encoding, watch: Watch) -> Client {
        let outbox = Rc::new(Outbox::new(lang, encoding, Arc::clone(&self.offer.model)));
        let id = self.rooms.enter(Rc::clone(&outbox));
        self.rooms.watch(id, &watch, &[]);
        Client { outbox, id, replica: Replica::default(), frames: 0 }
    }
}

impl Stage {
    /// Changes the subscription of a connection.
    pub(crate) fn watch(&mut self, client: &Client, watch: &Watch, favourites: &[MatchId]) {
        self.rooms.watch(client.id, watch, favourites);
    }

    /// Removes a connection.
    pub(crate) fn leave(&mut self, client: &Client) {
        self.rooms.leave(client.id);
    }
}

/// A connection and the replica that its client builds from the frames.
pub(crate) struct Client {
    pub(crate) outbox: Rc<Outbox>,
    pub(crate) id: ConnectionId,
    pub(crate) replica: Replica,
    pub(crate) frames: usize,
}

impl Client {
    /// Takes the next data frame, if there is one, and applies it. Pings and close frames before it are dropped.
    pub(crate) fn take(&mut self) -> Option<Value> {
        let is_data = |frame: &bytes::Bytes| frame[0] & 0x0f < 8;
        let frame = loop {
            match self.outbox.poll_frame(Waker::noop()) {
                Poll::Ready(Some(frame)) if is_data(&frame) => break frame,
                Poll::Ready(Some(_)) => {}
                _ => return None,
            }
        };
        let value = body(&frame, self.outbox.encoding());
        self.frames += 1;
        self.replica.apply_frame(&value);
        Some(value)
    }

    /// Takes and applies all frames.
    pub(crate) fn take_all(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.take()).collect()
    }

    /// The kinds of the messages in these frames, except dates.
    pub(crate) fn kinds(frames: &[Value]) -> Vec<u64> {
        let messages = frames.iter().flat_map(|frame| frame.as_array().into_iter().flatten());
        messages.filter_map(|message| message[0].as_u64()).filter(|kind| *kind != 13).collect()
    }
}

/// The decoded payload of a WebSocket frame.
pub(crate) fn body(frame: &[u8], encoding: Encoding) -> Value {
    let start = match frame[1] {
        126 => 4,
        127 => 10,
        _ => 2,
    };
    match encoding {
        Encoding::Json => serde_json::from_slice(&frame[start..]).expect("a frame of JSON"),
        Encoding::Msgpack => rmp_serde::from_slice(&frame[start..]).expect("a frame of msgpack"),
    }
}

pub(crate) fn all_sports() -> Watch {
    Watch { sports: Sports::All, favourites: false, matches: Vec::new(), bets: false }
}
