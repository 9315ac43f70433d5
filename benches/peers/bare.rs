//! The reference server: reads updates from a socket, builds each frame once, writes it to each socket, and does nothing else. The difference to it
//! is the overhead of a server.

use crate::work::{Due, PAYLOAD, Work};
use kvota::http::limits::WAITING_CONNECTIONS_MAX;
use kvota_load::socket::base64;
use socket2::SockRef;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

type Sockets = Arc<Mutex<Vec<Vec<TcpStream>>>>;

/// Serves on a free port, until its input ends. Prints this port, and that of its input.
pub(crate) fn serve() {
    let input = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    // Hundreds of connections arrive at once; with the default backlog of 128 some would be reset.
    SockRef::from(&listener).listen(WAITING_CONNECTIONS_MAX).expect("a listener");
    let port = |listener: &TcpListener| listener.local_addr().expect("an address").port();
    println!("{} {}", port(&listener), port(&input));
    let topics = Work::from_environment().topics;
    let sockets: Sockets = Arc::new(Mutex::new((0..topics).map(|_| Vec::new()).collect()));
    let accepted = Arc::clone(&sockets);
    std::thread::Builder::new()
        .spawn(move || listener.incoming().flatten().for_each(|stream| take(stream, &accepted)))
        .expect("a thread");
    let (updates, _) = input.accept().expect("a publisher");
    for line in BufReader::new(updates).lines().map_while(Result::ok) {
        if let Some(due) = Due::parse(&line) {
            tell(&sockets, due);
        }
    }
}

fn take(mut stream: TcpStream, sockets: &Sockets) {
    let mut head = Vec::new();
    let mut buffer = [0; 2048];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(read) if read > 0 => head.extend_from_slice(&buffer[..read]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head);
    let between = |begin: &str, end: char| head.split_once(begin)?.1.split(end).next();
    let (Some(key), Some(topic)) = (between("Sec-WebSocket-Key: ", '\r'), between("topic=", ' ')) else { return };
    let joined = format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    let digest = ring::digest::digest(&ring::digest::SHA1_FOR_LEGACY_USE_ONLY, joined.as_bytes());
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {}\r\n\r\n",
        base64(digest.as_ref())
    );
    let ready = stream.write_all(answer.as_bytes()).and_then(|()| stream.set_nodelay(true));
    if ready.and_then(|()| stream.set_nonblocking(true)).is_ok()
        && let Ok(topic) = topic.parse::<usize>()
    {
        sockets.lock().unwrap_or_else(PoisonError::into_inner)[topic].push(stream);
    }
}

fn tell(sockets: &Sockets, due: Due) {
    let mut frame = vec![0x82, 126];
    frame.extend_from_slice(&(PAYLOAD as u16).to_be_bytes());
    frame.extend_from_slice(due.payload(PAYLOAD).as_bytes());
    let mut sockets = sockets.lock().unwrap_or_else(PoisonError::into_inner);
    let recipients: &mut [Vec<TcpStream>] = match due.topic {
        Some(topic) => std::slice::from_mut(&mut sockets[topic as usize]),
        None => &mut sockets[..],
    };
    for topic in recipients {
        // A full socket loses the frame, and the client counts that. A socket that took part of a frame, or failed, is
        // removed.
        topic.retain_mut(|socket| match socket.write(&frame) {
            Ok(written) => written == frame.len(),
            Err(error) => error.kind() == ErrorKind::WouldBlock,
        });
    }
}
