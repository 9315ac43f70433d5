//! An outbox writes to its socket directly: at once if the socket has room, otherwise later, in order and in whole
//! frames.

use super::stage::{GATHER_INTERVAL, Stage, all_sports};
use bytes::Bytes;
use kvota::hub::limits::OUTBOX_BYTES_MAX;
use kvota::hub::outbox::{CLOSE_NORMAL, Outbox, SocketSink, Written};
use kvota::testkit::builders::{live_match, price, result};
use kvota_wire::Encoding;
use kvota_wire::hub::message::Message;
use proptest::prelude::*;
use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Wake, Waker};
use tokio::time::Instant;

/// A socket that accepts `room` more bytes and keeps them.
#[derive(Default)]
struct LimitedSocket {
    room: Cell<usize>,
    taken: RefCell<Vec<u8>>,
    is_broken: Cell<bool>,
    writes: Cell<usize>,
}

impl SocketSink for LimitedSocket {
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.writes.set(self.writes.get() + 1);
        if self.is_broken.get() {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let accepted = bytes.len().min(self.room.get());
        if accepted == 0 {
            return Err(ErrorKind::WouldBlock.into());
        }
        self.room.set(self.room.get() - accepted);
        self.taken.borrow_mut().extend_from_slice(&bytes[..accepted]);
        Ok(accepted)
    }
}

#[derive(Default)]
struct Calls(AtomicUsize);

impl Wake for Calls {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn connected(stage: &mut Stage, room: usize) -> (Rc<Outbox>, Rc<LimitedSocket>) {
    let client = stage.client(Encoding::Msgpack, all_sports());
    let socket = Rc::new(LimitedSocket { room: Cell::new(room), ..LimitedSocket::default() });
    client.outbox.connect(Rc::<LimitedSocket>::clone(&socket), b"");
    (client.outbox, socket)
}

fn write(outbox: &Outbox) -> Written {
    outbox.write(|| None, Waker::noop())
}

#[actix::test]
async fn room_frame_is_one_write_per_socket_and_wakes_no_task() {
    let mut stage = Stage::new();
    let sockets: Vec<_> = (0..3).map(|_| connected(&mut stage, usize::MAX)).collect();
    let calls = Arc::new(Calls::default());
    let waker = Waker::from(Arc::clone(&calls));
    for (outbox, _) in &sockets {
        assert_eq!(outbox.write(|| None, &waker), Written::All);
    }
    stage.feed(vec![live_match(1).market(result(10, ["1.85", "3.2", "4"])).insert()]).await;
    stage.rooms.flush_all();
    let first = sockets[0].1.taken.borrow().clone();
    assert!(!first.is_empty());
    for (outbox, socket) in &sockets {
        assert_eq!((socket.writes.get(), outbox.queued_bytes()), (1, 0));
        assert_eq!(*socket.taken.borrow(), first);
    }
    assert_eq!(calls.0.load(Ordering::Relaxed), 0);
}

#[actix::test]
async fn frames_queued_before_the_socket_are_sent_after_the_handshake_response() {
    let mut stage = Stage::new();
    let client = stage.client(Encoding::Msgpack, all_sports());
    client.outbox.push_frame(Bytes::from_static(b"hello"));
    let socket = Rc::new(LimitedSocket { room: Cell::new(usize::MAX), ..LimitedSocket::default() });
    client.outbox.connect(Rc::<LimitedSocket>::clone(&socket), b"head ");
    let mut own = vec![Bytes::from_static(b" own")];
    assert_eq!(client.outbox.write(|| own.pop(), Waker::noop()), Written::All);
    assert_eq!(*socket.taken.borrow(), b"head hello own");
}

#[actix::test]
async fn full_socket_wakes_its_connection_and_the_queue_stays_within_its_limit() {
    let mut stage = Stage::new();
    let insert = |id| live_match(id).market(result(id * 10, ["1.85", "3.2", "4"]));
    stage.feed((1..=40).map(|id| insert(id).insert()).collect()).await;
    let (outbox, socket) = connected(&mut stage, 100);
    let calls = Arc::new(Calls::default());
    assert_eq!(outbox.write(|| None, &Waker::from(Arc::clone(&calls))), Written::All);
    for step in 0.. {
        let text = format!("1.{:03}", 1 + step % 999);
        let moved = |id| insert(id).with(|m| m.market_mut(0).odds[0].value = price(&text));
        stage.feed((1..=40).map(|id| moved(id).update()).collect()).await;
        stage.rooms.flush_all();
        if outbox.is_catching_up() {
            break;
        }
    }
    assert!(outbox.queued_bytes() <= OUTBOX_BYTES_MAX);
    assert_eq!(calls.0.load(Ordering::Relaxed), 1, "it is woken once, to wait for room");
    assert_eq!(write(&outbox), Written::Blocked);
    socket.room.set(usize::MAX);
    assert_eq!(write(&outbox), Written::All);
    assert!(!outbox.is_catching_up() && outbox.queued_bytes() == 0);
}

#[actix::test]
async fn frame_over_the_queue_limit_is_replaced_by_the_current_state() {
    let mut stage = Stage::new();
    let (outbox, socket) = connected(&mut stage, usize::MAX);
    let calls = Arc::new(Calls::default());
    assert_eq!(outbox.write(|| None, &Waker::from(Arc::clone(&calls))), Written::All);
    let description: String = "t".repeat(2_000);
    let long = |id| live_match(id).with(|m| m.tournament_description = Some(description.as_str().into()));
    for tens in 0..20 {
        stage.feed((1..=10).map(|id| long(10 * tens + id).insert()).collect()).await;
    }
    stage.rooms.flush_all();
    assert!(outbox.is_catching_up(), "the frame of 200 matches has no room");
    assert_eq!(calls.0.load(Ordering::Relaxed), 1, "a connection that waits for nothing must be woken to tell it");
    assert_eq!(write(&outbox), Written::All);
    assert!(!outbox.is_catching_up() && outbox.queued_bytes() == 0);
    let count = String::from_utf8_lossy(&socket.taken.borrow()).matches(&description).count();
    assert_eq!(count, 200, "each match once");
}

#[actix::test]
async fn no_frame_is_sent_after_the_close_frame() {
    let mut stage = Stage::new();
    let own = Bytes::from_static(b"of the session");
    let close = b"\x88\x02\x03\xe8";
    let (outbox, socket) = connected(&mut stage, usize::MAX);
    outbox.close(CLOSE_NORMAL);
    assert_eq!(outbox.write(|| Some(own.clone()), Waker::noop()), Written::Ended);
    assert_eq!(*socket.taken.borrow(), close);

    // The same for a frame that is queued while the connection is being closed.
    let (outbox, socket) = connected(&mut stage, usize::MAX);
    let ending = || {
        outbox.close(CLOSE_NORMAL);
        Some(own.clone())
    };
    assert_eq!(outbox.write(ending, Waker::noop()), Written::Ended);
    assert_eq!(*socket.taken.borrow(), close);
}

#[actix::test]
async fn broken_socket_ends_the_connection() {
    let mut stage = Stage::new();
    let (outbox, socket) = connected(&mut stage, usize::MAX);
    let calls = Arc::new(Calls::default());
    assert_eq!(outbox.write(|| None, &Waker::from(Arc::clone(&calls))), Written::All);
    socket.is_broken.set(true);
    outbox.reply(&[Message::Reload]);
    assert_eq!(calls.0.load(Ordering::Relaxed), 1, "the connection is woken to end");
    assert_eq!(write(&outbox), Written::Broken);
}

#[actix::test]
async fn busy_room_does_not_starve_another_room() {
    let mut stage = Stage::new();
    stage.feed(vec![live_match(1).market(result(10, ["1.85", "3.2", "4"])).insert()]).await;
    // The first room has more connections than are written to at once; the second has one.
    let _first: Vec<_> = (0..600).map(|_| connected(&mut stage, usize::MAX)).collect();
    let other = stage.client_in(kvota_domain::lang::Lang::En, Encoding::Msgpack, all_sports());
    let socket = Rc::new(LimitedSocket { room: Cell::new(usize::MAX), ..LimitedSocket::default() });
    other.outbox.connect(Rc::<LimitedSocket>::clone(&socket), b"");
    let moved = |text| live_match(1).market(result(10, [text, "3.2", "4"])).update();
    stage.feed(vec![moved("1.9")]).await;
    stage.rooms.begin_flush(Instant::now() + GATHER_INTERVAL);
    assert!(stage.rooms.flush_some(), "the second room is left");
    stage.feed(vec![moved("1.95")]).await;
    assert!(!stage.rooms.flush_some(), "it has its turn before the first has another");
    assert_eq!(socket.writes.get(), 1);
    assert!(stage.rooms.next_due().is_some(), "the first waits for the next");
}

#[derive(Clone, Debug)]
enum Step {
    Push(Vec<u8>),
    Own(Vec<u8>),
    Room(usize),
    Close,
}

fn step() -> impl Strategy<Value = Step> {
    let bytes = || prop::collection::vec(any::<u8>(), 1..40);
    prop_oneof![
        6 => bytes().prop_map(Step::Push),
        2 => bytes().prop_map(Step::Own),
        4 => (0..60_usize).prop_map(Step::Room),
        1 => Just(Step::Close),
    ]
}

proptest! {
    #[test]
    fn frames_are_never_split_lost_or_duplicated(steps in prop::collection::vec(step(), 1..60)) {
        actix::System::new().block_on(async {
            let mut stage = Stage::new();
            let (outbox, socket) = connected(&mut stage, 0);
            // What the client must receive: queued frames in order, own frames in order, each frame whole.
            let (mut queued, mut own) = (Vec::new(), Vec::new());
            let (mut number, mut waiting, mut is_closed) = (0_u8, Vec::<Bytes>::new(), false);
            for step in steps {
                let mut framed = |payload: Vec<u8>, kind: u8| {
                    number = number.wrapping_add(1);
                    [vec![kind, number, payload.len() as u8], payload].concat()
                };
                match step {
                    Step::Push(payload) => {
                        let frame = framed(payload, 0);
                        if !is_closed {
                            queued.push(frame.clone());
                        }
                        outbox.push_frame(frame.into());
                    }
                    Step::Own(payload) if !is_closed => waiting.insert(0, framed(payload, 1).into()),
                    Step::Own(_) => {}
                    Step::Room(room) => {
                        socket.room.set(socket.room.get() + room);
                        // A connection sends no frames of its own after the close.
                        let own = || waiting.pop().filter(|_| !is_closed).inspect(|frame| own.push(frame.to_vec()));
                        outbox.write(own, Waker::noop());
                    }
                    Step::Close => {
                        outbox.close(CLOSE_NORMAL);
                        is_closed = true;
                    }
                }
            }
            socket.room.set(1 << 20);
            let end = outbox
                .write(|| waiting.pop().filter(|_| !is_closed).inspect(|frame| own.push(frame.to_vec())), Waker::noop());
            assert_eq!(end, if is_closed { Written::Ended } else { Written::All });
            let written = socket.taken.borrow();
            let (mut at, mut got) = (0, [Vec::new(), Vec::new()]);
            while at < written.len() && written[at] < 2 {
                let end = at + 3 + usize::from(written[at + 2]);
                got[usize::from(written[at])].push(written[at..end].to_vec());
                at = end;
            }
            assert_eq!((&got[0], &got[1]), (&queued, &own));
            // Only the close frame is left.
            assert_eq!(written.len() - at, if is_closed { 4 } else { 0 });
        });
    }
}
