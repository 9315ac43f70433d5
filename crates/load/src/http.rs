//! A small HTTP/1.1 client: one call at a time over a kept-alive connection. A load test must choose the local address,
//! know when a call began, and discard bodies without storing them, thousands of times on one thread
//! (docs/decisions/0013). No redirects, no cookie store, no TLS.

use super::fault::Fault;
use super::target::Endpoint;
use std::fmt::Write as _;
use std::time::Duration;
use tokio::net::TcpStream;

/// Largest head of an answer.
const HEAD_BYTES_MAX: usize = 16 << 10;
/// Bytes read at once.
const READ_BYTES: usize = 16 << 10;
/// Largest body of an answer.
const BODY_BYTES_MAX: u64 = 256 << 20;

/// An HTTP call.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The method, such as `GET`.
    pub method: &'a str,
    /// The path, starting with `/`.
    pub path: &'a str,
    /// The session's cookie.
    pub cookie: Option<&'a str>,
    /// Further headers, each with a line break at the end.
    pub headers: &'a str,
    /// The JSON body, if any.
    pub body: Option<&'a str>,
    /// Time limit of the whole call.
    pub limit: Duration,
    /// Whether the answer's body is kept; its size is counted in any case.
    pub keeps_body: bool,
}

impl<'a> Request<'a> {
    /// A call without a body; the answer's body is only counted.
    pub const fn get(path: &'a str, limit: Duration) -> Request<'a> {
        Request { method: "GET", path, cookie: None, headers: "", body: None, limit, keeps_body: false }
    }

    /// A call with a JSON body; the answer's body is kept.
    pub const fn post(path: &'a str, body: &'a str, limit: Duration) -> Request<'a> {
        Request { method: "POST", path, cookie: None, headers: "", body: Some(body), limit, keeps_body: true }
    }
}

/// An HTTP answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The cookie that the server set, `name=value`.
    pub cookie: Option<String>,
    /// Whether it has a `Retry-After` header.
    pub has_retry_after: bool,
    /// The body, if it was requested.
    pub body: Vec<u8>,
    /// The size of the body.
    pub body_bytes: u64,
}

/// A connection that is opened when needed and kept while the server allows.
#[derive(Debug)]
pub struct Line {
    door: Endpoint,
    stream: Option<TcpStream>,
}

impl Line {
    /// A connection that is not opened yet.
    pub fn new(door: Endpoint) -> Line {
        Line { door, stream: None }
    }

    /// Makes a call. If the server has closed a kept connection meanwhile, it is replaced once, as browsers do.
    ///
    /// # Errors
    /// Any failure without an answer; a status is never an error.
    pub async fn call(&mut self, request: &Request<'_>) -> Result<Answer, Fault> {
        let limited = tokio::time::timeout(request.limit, self.call_unlimited(request)).await;
        let answer = limited.unwrap_or(Err(Fault::NoAnswer));
        if answer.is_err() {
            self.stream = None;
        }
        answer
    }

    /// Closes the connection.
    pub fn hang_up(&mut self) {
        self.stream = None;
    }

    async fn call_unlimited(&mut self, request: &Request<'_>) -> Result<Answer, Fault> {
        let head = self.head(request);
        if let Some(kept) = self.stream.take() {
            match exchange(&kept, &head, request).await {
                Ok((answer, keep)) => {
                    self.stream = keep.then_some(kept);
                    return Ok(answer);
                }
                Err(Fault::Closed(_) | Fault::Io("connection reset")) => {}
                Err(fault) => return Err(fault),
            }
        }
        let stream = self.door.open(request.limit).await?;
        let (answer, keep) = exchange(&stream, &head, request).await?;
        self.stream = keep.then_some(stream);
        Ok(answer)
    }

    fn head(&self, request: &Request<'_>) -> String {
        let mut head = format!(
            "{} {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: kvota-load\r\n{}",
            request.method, request.path, self.door.target.host, request.headers
        );
        // Writing to a string cannot fail.
        if let Some(cookie) = request.cookie {
            let _ = write!(head, "Cookie: {cookie}\r\n");
        }
        if let Some(body) = request.body {
            let _ = write!(head, "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        } else {
            head.push_str("\r\n");
        }
        head
    }
}

/// Sends a call and reads its answer; returns whether the connection may be used again.
async fn exchange(stream: &TcpStream, head: &str, request: &Request<'_>) -> Result<(Answer, bool), Fault> {
    write_all(stream, head.as_bytes()).await?;
    let mut held = Vec::new();
    let (mut answer, framing) = loop {
        read_more(stream, &mut held).await?;
        if let Some(parsed) = parse_head(&mut held)? {
            break parsed;
        }
        if held.len() > HEAD_BYTES_MAX {
            return Err(Fault::Malformed);
        }
    };
    let mut body = Body { keeps: request.keeps_body, bytes: 0, kept: Vec::new() };
    let keep = framing.keep;
    match framing.length {
        Some(length) if length > BODY_BYTES_MAX => return Err(Fault::Malformed),
        Some(length) => take_exactly(stream, &mut held, length, &mut body).await?,
        None if framing.chunked => take_chunks(stream, &mut held, &mut body).await?,
        None => take_to_the_end(stream, &mut held, &mut body).await?,
    }
    answer.body_bytes = body.bytes;
    answer.body = body.kept;
    Ok((answer, keep))
}

/// Writes all bytes, and waits while the socket is full.
///
/// # Errors
/// The peer closed the connection.
pub async fn write_all(stream: &TcpStream, mut bytes: &[u8]) -> Result<(), Fault> {
    while !bytes.is_empty() {
        stream.writable().await?;
        match stream.try_write(bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Appends available bytes to `held`.
///
/// # Errors
/// [`Fault::Closed`] at the end of the stream.
pub async fn read_more(stream: &TcpStream, held: &mut Vec<u8>) -> Result<(), Fault> {
    loop {
        stream.readable().await?;
        let begin = held.len();
        held.resize(begin + READ_BYTES, 0);
        let read = stream.try_read(&mut held[begin..]);
        held.truncate(begin + read.as_ref().map_or(0, |read| *read));
        match read {
            Ok(0) => return Err(Fault::Closed(None)),
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.into()),
        }
    }
}

struct Framing {
    length: Option<u64>,
    chunked: bool,
    keep: bool,
}

/// Parses a complete head; the bytes after it stay in `held`.
fn parse_head(held: &mut Vec<u8>) -> Result<Option<(Answer, Framing)>, Fault> {
    let mut headers = [httparse::EMPTY_HEADER; 48];
    let mut head = httparse::Response::new(&mut headers);
    let end = match head.parse(held).map_err(|_| Fault::Malformed)? {
        httparse::Status::Complete(end) => end,
        httparse::Status::Partial => return Ok(None),
    };
    let mut answer = Answer { status: head.code.unwrap_or_default(), ..Answer::default() };
    let mut framing = Framing { length: None, chunked: false, keep: true };
    for header in head.headers.iter() {
        let value = || std::str::from_utf8(header.value).unwrap_or_default().trim();
        let is = |name: &str| header.name.eq_ignore_ascii_case(name);
        if is("content-length") {
            framing.length = Some(value().parse().map_err(|_| Fault::Malformed)?);
        } else if is("transfer-encoding") {
            framing.chunked = value().eq_ignore_ascii_case("chunked");
        } else if is("connection") {
            framing.keep = !value().eq_ignore_ascii_case("close");
        } else if is("retry-after") {
            answer.has_retry_after = true;
        } else if is("set-cookie") {
            // The first cookie is the session's.
            answer.cookie = answer.cookie.take().or_else(|| value().split(';').next().map(str::to_owned));
        }
    }
    if matches!(answer.status, 204 | 304) || (100..200).contains(&answer.status) {
        framing.length = Some(0);
    }
    framing.keep &= framing.length.is_some() || framing.chunked;
    held.drain(..end);
    Ok(Some((answer, framing)))
}

struct Body {
    keeps: bool,
    bytes: u64,
    kept: Vec<u8>,
}

impl Body {
    /// Consumes the first `length` bytes of `held`.
    fn take(&mut self, held: &mut Vec<u8>, length: usize) {
        self.bytes += length as u64;
        if self.keeps {
            self.kept.extend_from_slice(&held[..length]);
        }
        held.drain(..length);
    }
}

async fn take_exactly(stream: &TcpStream, held: &mut Vec<u8>, length: u64, body: &mut Body) -> Result<(), Fault> {
    let mut left = length;
    loop {
        let here = usize::try_from(left).unwrap_or(usize::MAX).min(held.len());
        body.take(held, here);
        left -= here as u64;
        if left == 0 {
            return Ok(());
        }
        read_more(stream, held).await?;
    }
}

async fn take_chunks(stream: &TcpStream, held: &mut Vec<u8>, body: &mut Body) -> Result<(), Fault> {
    loop {
        match httparse::parse_chunk_size(held).map_err(|_| Fault::Malformed)? {
            httparse::Status::Partial => read_more(stream, held).await?,
            httparse::Status::Complete((_, length)) if body.bytes + length > BODY_BYTES_MAX => {
                return Err(Fault::Malformed);
            }
            httparse::Status::Complete((head, length)) => {
                held.drain(..head);
                take_exactly(stream, held, length, body).await?;
                let mut line_end = Body { keeps: false, bytes: 0, kept: Vec::new() };
                take_exactly(stream, held, 2, &mut line_end).await?;
                if length == 0 {
                    return Ok(());
                }
            }
        }
    }
}

async fn take_to_the_end(stream: &TcpStream, held: &mut Vec<u8>, body: &mut Body) -> Result<(), Fault> {
    loop {
        let here = held.len();
        body.take(held, here);
        match read_more(stream, held).await {
            Ok(()) => {}
            Err(Fault::Closed(None)) => return Ok(()),
            Err(fault) => return Err(fault),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_says_how_long_the_body_is() {
        let parse = |text: &str| {
            let mut held = text.as_bytes().to_vec();
            parse_head(&mut held)
                .map(|parsed| parsed.map(|(answer, framing)| (answer, framing.length, framing.keep, held)))
        };
        let (answer, length, keep, rest) =
            parse("HTTP/1.1 201 Created\r\nContent-Length: 3\r\nSet-Cookie: a=b; Path=/\r\nSet-Cookie: c=d\r\nRetry-After: 1\r\n\r\nabc")
                .expect("HTTP")
                .expect("a whole head");
        assert_eq!((answer.status, answer.cookie.as_deref(), answer.has_retry_after), (201, Some("a=b"), true));
        assert_eq!((length, keep, &rest[..]), (Some(3), true, &b"abc"[..]));
        assert_eq!(parse("HTTP/1.1 204 No Content\r\n\r\n").unwrap().map(|it| it.1), Some(Some(0)));
        let closing = parse("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n").unwrap().unwrap();
        assert!(!closing.2);
        assert!(parse("HTTP/1.1 200 OK\r\nContent-Le").unwrap().is_none());
        assert!(parse("SSH-2.0-OpenSSH\r\n\r\n").is_err());
        assert!(parse("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n").is_err());
    }
}
