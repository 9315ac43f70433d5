//! A client of the hub that keeps a replica of the offer.

use actix_codec::Framed;
use awc::BoxedSocket;
use awc::http::header::{COOKIE, ORIGIN, SET_COOKIE};
use awc::ws::{CloseCode, Codec, Frame, Message};
use futures_util::{SinkExt, StreamExt};
use kvota::testkit::replica::Replica;
use kvota::testkit::world::{PATIENCE, World};
use serde_json::{Value, json};

pub(crate) struct Client {
    socket: Framed<BoxedSocket, Codec>,
    pub(crate) replica: Replica,
    /// The cookie that the server set, as `name=value`.
    pub(crate) cookie: Option<String>,
    n: u64,
    /// Bytes of all frames so far.
    pub(crate) bytes: usize,
}

impl Client {
    /// Connects in a language, with JSON encoding.
    pub(crate) async fn connect(world: &World, lang: &str) -> Client {
        Client::connect_as(world, lang, "kvota.v1.json").await
    }

    pub(crate) async fn connect_as(world: &World, lang: &str, subprotocol: &str) -> Client {
        Client::connect_with(world, lang, subprotocol, None).await
    }

    /// Connects with a cookie in the request.
    pub(crate) async fn connect_with(world: &World, lang: &str, subprotocol: &str, cookie: Option<&str>) -> Client {
        let url = format!("{}/api/v1/live/hub?lang={lang}", world.origin());
        let mut request = awc::Client::new().ws(url).protocols([subprotocol]).header(ORIGIN, world.origin());
        if let Some(cookie) = cookie {
            request = request.header(COOKIE, cookie);
        }
        let (answer, socket) = request.max_frame_size(1 << 24).connect().await.expect("the hub takes the connection");
        let given = answer.headers().get(SET_COOKIE).and_then(|given| given.to_str().ok()?.split(';').next());
        Client { socket, replica: Replica::default(), cookie: given.or(cookie).map(str::to_owned), n: 0, bytes: 0 }
    }

    /// Sends a command and waits for its acknowledgement. Frames before it are applied.
    pub(crate) async fn command(&mut self, verb: &str, arguments: &[Value]) -> Value {
        let n = json!(self.send_command(verb, arguments).await);
        self.until(|message| message[0] == 1 && message[1] == n).await
    }

    /// Sends a command without waiting; its sequence number.
    pub(crate) async fn send_command(&mut self, verb: &str, arguments: &[Value]) -> u64 {
        self.n += 1;
        let mut command = vec![json!(self.n), json!(verb)];
        command.extend_from_slice(arguments);
        self.send_text(&Value::Array(command).to_string()).await;
        self.n
    }

    /// Sends a command and returns all messages up to and including its acknowledgement.
    pub(crate) async fn messages_until_ack(&mut self, verb: &str, arguments: &[Value]) -> Vec<Value> {
        let n = json!(self.send_command(verb, arguments).await);
        let mut messages = Vec::new();
        loop {
            let Received::Frame(frame) = self.receive().await else { panic!("closed before the acknowledgement") };
            self.replica.apply_frame(&frame);
            for message in frame.as_array().expect("a frame is an array") {
                messages.push(message.clone());
                if message[0] == 1 && message[1] == n {
                    return messages;
                }
            }
        }
    }

    pub(crate) async fn watch_all(&mut self) {
        self.command("watch", &[json!({"sports": null})]).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.send(Message::Text(text.to_owned().into())).await;
    }

    pub(crate) async fn send(&mut self, message: Message) {
        self.socket.send(message).await.expect("the socket takes it");
    }

    /// Applies messages up to the first that fits, and returns it.
    pub(crate) async fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let Received::Frame(frame) = self.receive().await else { panic!("closed before the message came") };
            self.replica.apply_frame(&frame);
            let messages = frame.as_array().expect("a frame is an array");
            if let Some(message) = messages.iter().find(|message| fits(message)) {
                return message.clone();
            }
        }
    }

    /// The next frame, not applied.
    pub(crate) async fn receive(&mut self) -> Received {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("a frame in time");
            match next {
                Some(Ok(Frame::Text(text))) => {
                    self.bytes += text.len();
                    return Received::Frame(serde_json::from_slice(&text).expect("JSON"));
                }
                Some(Ok(Frame::Binary(bytes))) => {
                    self.bytes += bytes.len();
                    return Received::Frame(rmp_serde::from_slice(&bytes).expect("msgpack"));
                }
                Some(Ok(Frame::Close(reason))) => return Received::Closed(reason.map(|reason| reason.code)),
                Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => {}
                Some(Ok(Frame::Continuation(_))) => panic!("the hub sends no pieces"),
                Some(Err(_)) | None => return Received::Closed(None),
            }
        }
    }

    /// All frames up to the close, and its code.
    pub(crate) async fn until_closed(&mut self) -> (Vec<Value>, Option<CloseCode>) {
        let mut frames = Vec::new();
        loop {
            match self.receive().await {
                Received::Frame(frame) => frames.push(frame),
                Received::Closed(code) => return (frames, code),
            }
        }
    }
}

pub(crate) enum Received {
    Frame(Value),
    Closed(Option<CloseCode>),
}

/// GET as JSON.
pub(crate) async fn get(world: &World, path: &str) -> (u16, Value) {
    let (status, body) = get_bytes(world, path).await;
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

pub(crate) async fn get_bytes(world: &World, path: &str) -> (u16, Vec<u8>) {
    let request = awc::Client::new().get(format!("{}{path}", world.origin()));
    let mut answer = request.send().await.expect("an answer");
    let body = answer.body().limit(64 << 20).await.expect("a body");
    (answer.status().as_u16(), body.into())
}
