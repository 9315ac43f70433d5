//! The native feed as a file, for `kvota feed --out`: the messages that would be sent to a broker, one after the other
//! (docs/feed.md). Simulated time runs as fast as the machine allows. The time steps are fixed, so the same seed and
//! speed give the same bytes. Must never read a clock.

use super::Position;
use super::amqp::{RESULTS_KEY, Topic};
use kvota_domain::lang::Lang;
use kvota_simulator::producer::{ACTIVE, Producer, STEP};
use kvota_wire::feed::encode;
use kvota_wire::feed::results::encode as encode_results;
use kvota_wire::inflate::{Compression, compress};
use std::io::{self, Write};

/// The date of the first message, in ms since the epoch: 1 January 2026, 00:00 UTC.
pub const FIRST_MS: i64 = 1_767_225_600_000;
/// The time between two steps, in ms of wall time: the same as with a broker.
const STEP_MS: i64 = STEP.as_millis() as i64;
/// The interval of feed-active messages, in ms of wall time.
const ACTIVE_MS: i64 = ACTIVE.as_millis() as i64;

/// The options of a recording.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recording {
    /// The length of the recording, in seconds of simulated time.
    pub until_s: u32,
    /// Simulated time per wall time. Must be the speed of the producer's generators.
    pub speed: f64,
    /// How message bodies are compressed.
    pub encoding: Compression,
}

/// The size of a recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Messages.
    pub messages: u64,
    /// Bytes.
    pub bytes: u64,
}

/// Writes a producer's feed. `progress` is called with the simulated seconds that are done.
///
/// # Errors
/// The file cannot be written.
pub fn write_feed(
    mut producer: Producer,
    recording: Recording,
    out: &mut impl Write,
    mut progress: impl FnMut(u32),
) -> io::Result<Written> {
    let mut written = Written::default();
    let wall_ms = (f64::from(recording.until_s) * 1000.0 / recording.speed).ceil() as i64;
    let (mut since_ms, mut results_seq) = (0, 0);
    while since_ms <= wall_ms {
        let now_ms = FIRST_MS + since_ms;
        for event in producer.step(now_ms) {
            for (lang, update) in event.updates {
                let body = encode::update(&update);
                written.add(out, &Topic::LiveEvent(lang).routing_key(), event.position, recording.encoding, &body)?;
            }
        }
        for results in producer.take_results() {
            let Some(version) = results.markets.iter().map(|market| market.version).max() else { continue };
            results_seq += 1;
            let position = Position { epoch: producer.position().epoch, seq: results_seq };
            written.add(out, RESULTS_KEY, position, recording.encoding, &encode_results(&results, version))?;
        }
        if since_ms % ACTIVE_MS == 0 {
            let body = encode::active(true, now_ms);
            for lang in Lang::ALL {
                written.add(
                    out,
                    &Topic::FeedActive(lang).routing_key(),
                    producer.position(),
                    recording.encoding,
                    &body,
                )?;
            }
        }
        progress((since_ms as f64 * recording.speed / 1000.0) as u32);
        since_ms += STEP_MS;
    }
    out.flush()?;
    Ok(written)
}

impl Written {
    /// One message: `[routing key, content encoding or nil, epoch, seq, body]`.
    fn add(
        &mut self,
        out: &mut impl Write,
        routing_key: &str,
        position: Position,
        encoding: Compression,
        body: &[u8],
    ) -> io::Result<()> {
        let body = compress(body, encoding)?;
        let mut message = Vec::with_capacity(body.len() + 64);
        head(&mut message, routing_key, position, encoding, body.len()).map_err(io::Error::other)?;
        message.extend_from_slice(&body);
        out.write_all(&message)?;
        self.messages += 1;
        self.bytes += message.len() as u64;
        Ok(())
    }
}

/// A message without the bytes of its body.
fn head(
    out: &mut Vec<u8>,
    routing_key: &str,
    position: Position,
    encoding: Compression,
    body_len: usize,
) -> Result<(), rmp::encode::ValueWriteError> {
    rmp::encode::write_array_len(out, 5)?;
    rmp::encode::write_str(out, routing_key)?;
    match encoding.property() {
        Some(name) => rmp::encode::write_str(out, name)?,
        None => out.push(rmp::Marker::Null.to_u8()),
    }
    rmp::encode::write_sint(out, position.epoch)?;
    rmp::encode::write_uint(out, position.seq)?;
    // A body always fits 32 bits: events are split far below 4 MiB.
    rmp::encode::write_bin_len(out, u32::try_from(body_len).unwrap_or(u32::MAX)).map(|_| ())
}
