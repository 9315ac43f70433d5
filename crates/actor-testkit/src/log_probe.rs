//! A probe for log events: records what is logged on this thread, so that a test can assert it.
//!
//! ```
//! use kvota_actor_testkit::log_probe::LogProbe;
//!
//! let log = LogProbe::start();
//! tracing::warn!(match.id = 17, "the feed is late");
//! let event = log.expect_event("the feed is late", |event| event.message == "the feed is late");
//! assert_eq!(event.field("match.id"), Some("17"));
//! log.expect_no_event("an error", |event| event.level == tracing::Level::ERROR);
//! ```

use kvota_testkit::received::History;
use std::fmt::Debug;
use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};
use tracing::field::{Field, Visit};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// An event of the log.
///
/// ```
/// use kvota_actor_testkit::log_probe::LogProbe;
///
/// let log = LogProbe::start();
/// tracing::info!(sport.id = 29, "a sport begins");
/// let event = &log.events()[0];
/// assert_eq!((event.message.as_str(), event.field("sport.id")), ("a sport begins", Some("29")));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogEvent {
    /// Its level.
    pub level: Level,
    /// The module that logged it.
    pub target: String,
    /// Its text.
    pub message: String,
    /// Its other fields, as text.
    pub fields: Vec<(String, String)>,
}

impl LogEvent {
    /// The value of a field, as text.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Records the events of this thread until dropped.
///
/// ```
/// use kvota_actor_testkit::log_probe::LogProbe;
///
/// let log = LogProbe::start();
/// tracing::error!("the store is gone");
/// log.expect_event("an error", |event| event.level == tracing::Level::ERROR);
/// log.expect_no_event("a secret", |event| event.message.contains("password"));
/// ```
pub struct LogProbe {
    events: Arc<Mutex<Vec<LogEvent>>>,
    _guard: DefaultGuard,
}

struct Recorder(Arc<Mutex<Vec<LogEvent>>>);

impl LogProbe {
    /// Starts recording.
    pub fn start() -> LogProbe {
        let events = Arc::default();
        let recorder = Recorder(Arc::clone(&events));
        let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(recorder));
        LogProbe { events, _guard: guard }
    }

    /// All events so far, oldest first.
    pub fn events(&self) -> Vec<LogEvent> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The first event that fits; `what` describes it for the failure text.
    ///
    /// # Panics
    /// No event fits.
    #[track_caller]
    pub fn expect_event(&self, what: &str, fits: impl Fn(&LogEvent) -> bool) -> LogEvent {
        match self.events().into_iter().find(fits) {
            Some(event) => event,
            None => self.fail(Location::caller(), &format!("{what} was expected in the log"), Some(what)),
        }
    }

    /// Expects that no event fits.
    ///
    /// # Panics
    /// An event fits.
    #[track_caller]
    pub fn expect_no_event(&self, what: &str, fits: impl Fn(&LogEvent) -> bool) {
        if self.events().iter().any(fits) {
            self.fail(Location::caller(), &format!("{what} was not expected in the log"), None);
        }
    }

    fn fail(&self, caller: &Location<'_>, what: &str, expected: Option<&str>) -> ! {
        let mut history = History::new("the log".to_owned());
        self.events().into_iter().for_each(|event| history.note(format!("{event:?}")));
        panic!("{caller}: {}", history.failure(what, expected))
    }
}

impl Debug for LogProbe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LogProbe").finish_non_exhaustive()
    }
}

impl<S: Subscriber> Layer<S> for Recorder {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let (level, target) = (*event.metadata().level(), event.metadata().target().to_owned());
        let event = LogEvent { level, target, message: fields.message, fields: fields.others };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }
}

#[derive(Default)]
struct Fields {
    message: String,
    others: Vec<(String, String)>,
}

impl Fields {
    fn put(&mut self, field: &Field, value: String) {
        match field.name() {
            "message" => self.message = value,
            name => self.others.push((name.to_owned(), value)),
        }
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.to_owned());
    }
}
