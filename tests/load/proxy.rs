//! A proxy between the load tester and a real server that changes or drops frames of the hub.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Changes the body of a frame; `None` drops the frame.
pub(crate) type FrameEdit = fn(&[u8]) -> Option<Vec<u8>>;

/// A running proxy. Stops when it is dropped.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    ended: Arc<AtomicBool>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts connections.
        drop(TcpStream::connect(self.address));
    }
}

/// Starts a proxy in front of `server`.
pub(crate) fn before(server: SocketAddr, harm: FrameEdit) -> Proxy {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let ended = Arc::new(AtomicBool::new(false));
    let has_ended = Arc::clone(&ended);
    let accept = move || {
        for client in listener.incoming().flatten() {
            if has_ended.load(Ordering::Relaxed) {
                return;
            }
            let Ok(upstream) = TcpStream::connect(server) else { continue };
            let (mut from_client, mut to_server) = (clone(&client), clone(&upstream));
            let there = move || {
                let _ = std::io::copy(&mut from_client, &mut to_server);
                let _ = to_server.shutdown(Shutdown::Both);
            };
            start(there);
            start(move || back(upstream, client, harm));
        }
    };
    start(accept);
    Proxy { address, ended }
}

fn clone(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a second handle")
}

fn start(work: impl FnOnce() + Send + 'static) {
    thread::Builder::new().spawn(work).expect("a thread");
}

/// Copies from the server to the client: HTTP responses unchanged, frames after a handshake with the harm applied.
fn back(mut from: TcpStream, mut to: TcpStream, harm: FrameEdit) {
    let mut held = Vec::new();
    let mut is_hub = None;
    let mut buffer = [0; 16 << 10];
    while let Ok(read) = from.read(&mut buffer) {
        if read == 0 {
            break;
        }
        held.extend_from_slice(&buffer[..read]);
        if is_hub.is_none() && held.len() > 12 {
            is_hub = Some(held.starts_with(b"HTTP/1.1 101"));
            if is_hub == Some(true) {
                let end = held.windows(4).position(|four| four == b"\r\n\r\n").map_or(held.len(), |at| at + 4);
                let head: Vec<u8> = held.drain(..end).collect();
                let _ = to.write_all(&head);
            }
        }
        let out = match is_hub {
            Some(true) => frames(&mut held, harm),
            _ => std::mem::take(&mut held),
        };
        if to.write_all(&out).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// Takes all complete frames and applies the harm.
fn frames(held: &mut Vec<u8>, harm: FrameEdit) -> Vec<u8> {
    let mut out = Vec::new();
    loop {
        let (header, length) = match held[..] {
            [_, length @ 0..=125, ..] => (2, usize::from(length)),
            [_, 126, high, low, ..] => (4, usize::from(u16::from_be_bytes([high, low]))),
            _ => return out,
        };
        if held.len() < header + length {
            return out;
        }
        let frame: Vec<u8> = held.drain(..header + length).collect();
        if frame[0] != 0x82 {
            out.extend_from_slice(&frame);
        } else if let Some(body) = harm(&frame[header..]) {
            assert_eq!(body.len(), length, "a harm keeps the length");
            out.extend_from_slice(&frame[..header]);
            out.extend_from_slice(&body);
        }
    }
}
