//! Decodes AMQP messages of the feed into [`FeedInput`]. A message that does not decode is counted by cause and logged
//! at most once a second. If it is a live event, it counts as a gap in the sequence (CONTRACT 1); others are ignored.
//!
//! Must never return an error or panic, whatever a message contains.

use super::drop_alarm::{DropAlarm, TooManyDropped};
use crate::sequence::Weight;
use crate::{FeedInput, Position};
use kvota_domain::lang::Lang;
use kvota_wire::feed::{DecodeError, Decoded, Decoder, UpdateLimits, open_active};
use lapin::BasicProperties;
use lapin::types::AMQPValue;
use std::time::Duration;
use tokio::time::Instant;

/// Larger bodies are decoded on a blocking thread, so that a snapshot of 64 MiB does not delay the AMQP heartbeat.
pub(super) const INLINE_BYTES_MAX: usize = 128 << 10;
/// The minimum time between two log lines about bad messages.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// A topic of the feed exchange, as its routing key names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Topic {
    LiveEvent(Lang),
    FeedActive(Lang),
}

impl Topic {
    /// Both topics of every language.
    pub(super) fn all() -> impl Iterator<Item = Topic> {
        Lang::ALL.into_iter().flat_map(|lang| [Topic::LiveEvent(lang), Topic::FeedActive(lang)])
    }

    pub(crate) fn routing_key(self) -> String {
        match self {
            Topic::LiveEvent(lang) => format!("live-event.{}", lang.code()),
            Topic::FeedActive(lang) => format!("feed-active.{}", lang.code()),
        }
    }

    fn from_routing_key(key: &str) -> Option<Topic> {
        let (kind, code) = key.split_once('.')?;
        let lang = Lang::from_code(code)?;
        match kind {
            "live-event" => Some(Topic::LiveEvent(lang)),
            "feed-active" => Some(Topic::FeedActive(lang)),
            _ => None,
        }
    }
}

/// Why a message does not decode.
#[derive(thiserror::Error, Debug)]
enum Refused {
    #[error("nobody asked for the topic '{0}'")]
    Topic(String),
    #[error("has no integer headers epoch and seq")]
    Header,
    #[error("answers no request of ours")]
    Correlation,
    #[error(transparent)]
    Body(#[from] DecodeError),
    #[error("its decoder died")]
    Decoder,
}

impl Refused {
    fn cause(&self) -> &'static str {
        match self {
            Refused::Topic(_) => "topic",
            Refused::Header => "header",
            Refused::Correlation => "correlation",
            Refused::Body(error) => error.cause(),
            Refused::Decoder => "decoder",
        }
    }
}

/// The decoder of one AMQP consumer, with its log limit and its alarm for dropped entities.
pub(super) struct Intake {
    decoder: Decoder,
    /// The language of which not only the texts count.
    primary: Lang,
    logged: Option<Instant>,
    unlogged: u64,
    alarm: DropAlarm,
}

impl Intake {
    pub(super) fn new(primary: Lang, decoder: Decoder) -> Intake {
        Intake { decoder, primary, logged: None, unlogged: 0, alarm: DropAlarm::default() }
    }

    /// Decodes a live-event or feed-active message. `None` if it is ignored.
    pub(super) async fn message(
        &mut self,
        key: &str,
        properties: &BasicProperties,
        body: Vec<u8>,
    ) -> Option<FeedInput> {
        match Topic::from_routing_key(key) {
            Some(Topic::LiveEvent(lang)) => Some(self.live_event(lang, properties, body).await),
            Some(Topic::FeedActive(lang)) => self.feed_active(lang, properties, &body),
            None => {
                let refused = Refused::Topic(key.chars().take(64).collect());
                self.reject("message", None, &refused);
                None
            }
        }
    }

    /// [`FeedInput::Undecodable`] if the message does not decode: its place in the sequence is then a gap.
    async fn live_event(&mut self, lang: Lang, properties: &BasicProperties, body: Vec<u8>) -> FeedInput {
        let position = position(properties);
        let opened = match position {
            Some(_) => self.open(lang, body, properties, UpdateLimits::EVENT).await,
            // CONTRACT 1: a live-event without its headers does not decode.
            None => Err(Refused::Header),
        };
        match (opened, position) {
            (Ok(decoded), Some(position)) => {
                let update = self.accept("live_event", lang, decoded);
                FeedInput::Event { lang, position, update }
            }
            (Ok(_), None) => FeedInput::Undecodable { lang, position },
            (Err(refused), _) => {
                self.reject("live_event", Some(lang), &refused);
                FeedInput::Undecodable { lang, position }
            }
        }
    }

    /// `None` if the message does not decode. It has no place in the sequence, so that leaves no gap.
    fn feed_active(&mut self, lang: Lang, properties: &BasicProperties, body: &[u8]) -> Option<FeedInput> {
        match open_active(body, encoding(properties)) {
            Ok(message) => {
                count_message("feed_active", lang);
                let (active, date_ms) = (message.active, message.date_ms);
                Some(FeedInput::Active { lang, active, position: position(properties), date_ms })
            }
            Err(error) => {
                self.reject("feed_active", Some(lang), &error.into());
                None
            }
        }
    }

    /// Decodes the answer to a snapshot request. `asked` returns the language of the request with this correlation id;
    /// `None` if there is no such request.
    pub(super) async fn answer(
        &mut self,
        asked: impl FnOnce(u64) -> Option<Lang>,
        properties: &BasicProperties,
        body: Vec<u8>,
    ) -> Option<FeedInput> {
        let correlation = properties.correlation_id().as_ref().and_then(|id| id.as_str().parse().ok());
        let asked = correlation.and_then(|correlation| asked(correlation).map(|lang| (correlation, lang)));
        let Some((correlation, lang)) = asked else {
            self.reject("snapshot", None, &Refused::Correlation);
            return None;
        };
        let read = match position(properties) {
            Some(position) => {
                self.open(lang, body, properties, UpdateLimits::SNAPSHOT).await.map(|decoded| (position, decoded))
            }
            None => Err(Refused::Header),
        };
        match read {
            Ok((position, decoded)) => {
                let update = self.accept("snapshot", lang, decoded);
                Some(FeedInput::Snapshot { lang, correlation, position, update })
            }
            Err(refused) => {
                self.reject("snapshot", Some(lang), &refused);
                None
            }
        }
    }

    /// Decompresses and decodes a live event or a snapshot.
    async fn open(
        &mut self,
        lang: Lang,
        body: Vec<u8>,
        properties: &BasicProperties,
        limits: UpdateLimits,
    ) -> Result<Decoded, Refused> {
        let is_primary = lang == self.primary;
        let open = move |decoder: &mut Decoder, body: &[u8], encoding: Option<&str>| {
            if is_primary {
                decoder.open_update(body, encoding, &limits)
            } else {
                decoder.open_texts(body, encoding, &limits, lang)
            }
        };
        if body.len() <= INLINE_BYTES_MAX {
            return Ok(open(&mut self.decoder, &body, encoding(properties))?);
        }
        let encoding = encoding(properties).map(str::to_owned);
        // If decoding panics or the consumer ends meanwhile, the next message uses a new decoder.
        let new = self.decoder.with_same_texts();
        let mut decoder = std::mem::replace(&mut self.decoder, new);
        let decoding = tokio::task::spawn_blocking(move || {
            let opened = open(&mut decoder, &body, encoding.as_deref());
            (decoder, opened)
        });
        let (decoder, opened) = decoding.await.map_err(|_| Refused::Decoder)?;
        self.decoder = decoder;
        Ok(opened?)
    }

    /// Counts a decoded message and the entities that were dropped from it. Returns its update.
    fn accept(&mut self, kind: &'static str, lang: Lang, decoded: Decoded) -> kvota_domain::feed::FeedUpdate {
        count_message(kind, lang);
        let dropped = decoded.dropped;
        let entities = decoded.update.weight() as u64 + dropped.total();
        metrics::counter!("kvota_feed_entities_total").increment(entities);
        metrics::counter!("kvota_feed_cut_prices_total").increment(decoded.cut_prices.into());
        if let Some(TooManyDropped { entities, dropped }) = self.alarm.note(entities, dropped.total(), Instant::now()) {
            tracing::error!(
                entities,
                dropped,
                "too much of the feed cannot be read: {dropped} of {entities} entities of this minute were dropped"
            );
        }
        for (flaw, count) in dropped.iter() {
            metrics::counter!("kvota_feed_dropped_entities_total", "cause" => flaw.cause()).increment(count.into());
        }
        if dropped.total() > 0
            && let Some(unlogged) = self.may_log()
        {
            let causes: Vec<_> = dropped.iter().map(|(flaw, count)| format!("{} {count}", flaw.cause())).collect();
            let (lang, dropped) = (lang.code(), dropped.total());
            tracing::warn!(kind, lang, dropped, unlogged, "dropped bad entities of a {kind}: {}", causes.join(", "));
        }
        decoded.update
    }

    /// Counts and logs a message that does not decode.
    fn reject(&mut self, kind: &'static str, lang: Option<Lang>, refused: &Refused) {
        let cause = refused.cause();
        metrics::counter!("kvota_feed_undecodable_total", "cause" => cause).increment(1);
        if let Some(unlogged) = self.may_log() {
            let lang = lang.map(Lang::code);
            tracing::warn!(kind, lang, cause, unlogged, "ignored a {kind} that does not decode: {refused}");
        }
    }

    /// If a log line is allowed now, returns the number of lines that were suppressed since the last one.
    fn may_log(&mut self) -> Option<u64> {
        let now = Instant::now();
        if self.logged.is_some_and(|logged| now.duration_since(logged) < LOG_EVERY) {
            self.unlogged += 1;
            return None;
        }
        self.logged = Some(now);
        Some(std::mem::take(&mut self.unlogged))
    }
}

fn count_message(kind: &'static str, lang: Lang) {
    metrics::counter!("kvota_feed_messages_total", "kind" => kind, "lang" => lang.code()).increment(1);
}

fn encoding(properties: &BasicProperties) -> Option<&str> {
    properties.content_encoding().as_ref().map(|encoding| encoding.as_str())
}

/// The headers `epoch` and `seq`.
fn position(properties: &BasicProperties) -> Option<Position> {
    let headers = properties.headers().as_ref()?.inner();
    let epoch = integer(headers.get("epoch")?)?;
    let seq = u64::try_from(integer(headers.get("seq")?)?).ok()?;
    Some(Position { epoch, seq })
}

/// Accepts an integer of any width: the width depends on the producer's programming language.
fn integer(value: &AMQPValue) -> Option<i64> {
    match *value {
        AMQPValue::ShortShortInt(value) => Some(value.into()),
        AMQPValue::ShortShortUInt(value) => Some(value.into()),
        AMQPValue::ShortInt(value) => Some(value.into()),
        AMQPValue::ShortUInt(value) => Some(value.into()),
        AMQPValue::LongInt(value) => Some(value.into()),
        AMQPValue::LongUInt(value) => Some(value.into()),
        AMQPValue::LongLongInt(value) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_wire::feed::encode;
    use lapin::types::FieldTable;

    fn with_headers(epoch: AMQPValue, seq: AMQPValue) -> BasicProperties {
        let mut headers = FieldTable::default();
        headers.insert("epoch".into(), epoch);
        headers.insert("seq".into(), seq);
        BasicProperties::default().with_headers(headers)
    }

    #[test]
    fn headers_are_integers_of_any_width() {
        use AMQPValue::*;
        for (seq, expected) in [
            (ShortShortInt(7), Some(7)),
            (ShortShortUInt(200), Some(200)),
            (ShortInt(7), Some(7)),
            (ShortUInt(60_000), Some(60_000)),
            (LongInt(7), Some(7)),
            (LongUInt(4_000_000_000), Some(4_000_000_000)),
            (LongLongInt(1 << 40), Some(1 << 40)),
            (LongLongInt(-1), None),
            (Boolean(true), None),
            (Double(7.0), None),
            (LongString("7".into()), None),
            (Void, None),
        ] {
            let shown = format!("{seq:?}");
            let position = position(&with_headers(LongLongInt(-5), seq));
            assert_eq!(position, expected.map(|seq| Position { epoch: -5, seq }), "{shown}");
        }
        assert_eq!(position(&BasicProperties::default()), None);
    }

    #[test]
    fn topics_are_those_of_the_contract() {
        for topic in Topic::all() {
            assert_eq!(Topic::from_routing_key(&topic.routing_key()), Some(topic));
        }
        assert_eq!(Topic::LiveEvent(Lang::Sr).routing_key(), "live-event.sr");
        for key in ["live-event", "live-event.de", "live-event.hr.x", "feed.hr", ""] {
            assert_eq!(Topic::from_routing_key(key), None, "{key}");
        }
    }

    #[tokio::test]
    async fn what_does_not_decode_leaves_its_place() {
        let mut intake = Intake::new(Lang::Hr, Decoder::default());
        let placed = || with_headers(AMQPValue::LongInt(1), AMQPValue::LongInt(2));
        let good = encode::update(&Default::default());
        let at = Some(Position { epoch: 1, seq: 2 });
        for (name, properties, body, expected) in [
            ("no headers", BasicProperties::default(), good.clone(), None),
            ("garbage", placed(), b"garbage".to_vec(), at),
            ("another compression", placed().with_content_encoding("br".into()), good.clone(), at),
            ("not compressed as it says", placed().with_content_encoding("gzip".into()), good.clone(), at),
            ("large garbage", placed(), vec![0xc1; INLINE_BYTES_MAX + 1], at),
        ] {
            let input = intake.message("live-event.en", &properties, body).await;
            match input {
                Some(FeedInput::Undecodable { lang: Lang::En, position }) => assert_eq!(position, expected, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
        }
        let input = intake.message("live-event.en", &placed(), good).await;
        assert!(matches!(input, Some(FeedInput::Event { lang: Lang::En, .. })), "{input:?}");
        assert!(intake.message("feed-active.en", &placed(), b"garbage".to_vec()).await.is_none());
        assert!(intake.message("weather.en", &placed(), vec![]).await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn the_log_speaks_once_a_second_and_says_what_it_did_not() {
        let mut intake = Intake::new(Lang::Hr, Decoder::default());
        assert_eq!(intake.may_log(), Some(0));
        assert_eq!(intake.may_log(), None);
        assert_eq!(intake.may_log(), None);
        tokio::time::advance(LOG_EVERY).await;
        assert_eq!(intake.may_log(), Some(2));
        assert_eq!(intake.may_log(), None);
    }

    #[test]
    fn everything_that_is_passed_over_is_counted() {
        let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        metrics::with_local_recorder(&recorder, || {
            runtime.block_on(async {
                let mut intake = Intake::new(Lang::Hr, Decoder::default());
                let placed = with_headers(AMQPValue::LongInt(1), AMQPValue::LongInt(2));
                intake.message("live-event.hr", &placed, b"garbage".to_vec()).await;
                intake.message("live-event.hr", &BasicProperties::default(), b"\x90".to_vec()).await;
                // Two sports without an id, and one value that is not a sport.
                intake.message("live-event.hr", &placed, b"\x91\x93\x90\x91\xc0\x01".to_vec()).await;
                intake.message("feed-active.sr", &placed, encode::active(true, 0)).await;
                intake.answer(|_| None, &placed, vec![]).await;
            });
        });
        let rendered = recorder.handle().render();
        for line in [
            "kvota_feed_undecodable_total{cause=\"array\"} 1",
            "kvota_feed_undecodable_total{cause=\"header\"} 1",
            "kvota_feed_undecodable_total{cause=\"correlation\"} 1",
            "kvota_feed_dropped_entities_total{cause=\"no_id\"} 2",
            "kvota_feed_dropped_entities_total{cause=\"type\"} 1",
            "kvota_feed_messages_total{kind=\"live_event\",lang=\"hr\"} 1",
            "kvota_feed_messages_total{kind=\"feed_active\",lang=\"sr\"} 1",
        ] {
            assert!(rendered.contains(line), "{line} in\n{rendered}");
        }
    }
}
