//! The messages of the feed as values. Read by [`Message::parse`]; unknown elements and attributes are ignored.

use crate::event_status::EventStatus;
use crate::line_key::LineKey;
use crate::read;
use crate::urn::Urn;
use crate::xml::XmlError;
use kvota_domain::Text;
use kvota_domain::price::Price;

/// A producer of the provider: 1 live odds, 3 before the match …
pub type ProducerId = u32;

/// Why a body is not a message. It is counted and skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Malformed {
    /// Not readable as XML.
    #[error(transparent)]
    Xml(#[from] XmlError),
    /// A root element that is no message.
    #[error("the message is of an unknown kind")]
    UnknownRoot,
    /// A required attribute is absent or cannot be read.
    #[error("the attribute {0} is absent or invalid")]
    Attribute(&'static str),
    /// More markets or outcomes than a message can have.
    #[error("the message has too many entries")]
    TooMany,
}

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// A producer lives.
    Alive {
        /// The producer.
        product: ProducerId,
        /// When it was made, in ms since the epoch.
        timestamp_ms: i64,
        /// Whether the producer sends us its messages.
        is_subscribed: bool,
    },
    /// A recovery is complete.
    SnapshotComplete {
        /// The producer.
        product: ProducerId,
        /// When it was made, in ms since the epoch.
        timestamp_ms: i64,
        /// The number of the request.
        request_id: i64,
    },
    /// A message about an event.
    Event(EventMessage),
}

/// A message about an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventMessage {
    /// The producer.
    pub product: ProducerId,
    /// The event.
    pub event: Urn,
    /// When it was made, in ms since the epoch.
    pub timestamp_ms: i64,
    /// The recovery that it belongs to.
    pub request_id: Option<i64>,
    /// What it says.
    pub body: Body,
}

/// What a message about an event says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// New odds, statuses or a new status of the event.
    OddsChange {
        /// The status of the event; absent if only odds changed.
        status: Option<Box<EventStatus>>,
        /// Why betting was stopped before, if the message says so.
        betstop_reason: Option<i64>,
        /// The lines that changed.
        lines: Vec<LineOdds>,
    },
    /// Betting stops on some lines.
    BetStop {
        /// The groups of markets: `all`, or some.
        groups: Vec<Text>,
        /// Their new status.
        status: LineStatus,
    },
    /// Lines are decided.
    Settlement {
        /// 1 live-scouted, 2 confirmed.
        certainty: i64,
        /// The lines with their results.
        lines: Vec<LineResult>,
    },
    /// Settlements are taken back.
    RollbackSettlement {
        /// The lines; with outcomes only these are taken back.
        lines: Vec<LineCancel>,
    },
    /// Bets on lines are void.
    Cancel {
        /// For bets placed in this time.
        window: Window,
        /// The lines.
        lines: Vec<LineCancel>,
    },
    /// Cancellations are taken back.
    RollbackCancel {
        /// The time of the cancellation.
        window: Window,
        /// The lines.
        lines: Vec<LineCancel>,
    },
    /// The fixture has changed: 1 new, 2 date or time, 3 cancelled, 4 format, 5 coverage, 6 pitcher.
    FixtureChange {
        /// What changed, if the message says so.
        change: Option<i64>,
        /// When the event begins, in ms since the epoch.
        starts_ms: Option<i64>,
    },
}

impl Body {
    /// Whether it settles or cancels, or takes that back.
    pub fn is_result(&self) -> bool {
        match self {
            Body::Settlement { .. }
            | Body::RollbackSettlement { .. }
            | Body::Cancel { .. }
            | Body::RollbackCancel { .. } => true,
            Body::OddsChange { .. } | Body::BetStop { .. } | Body::FixtureChange { .. } => false,
        }
    }
}

/// From, until, in ms since the epoch: from <= t < until; an absent end has no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Window {
    /// The first moment.
    pub from_ms: Option<i64>,
    /// The moment after the last.
    pub until_ms: Option<i64>,
}

/// The status of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineStatus {
    /// Bets are taken on its active outcomes.
    #[default]
    Active,
    /// It takes no bets at the moment.
    Suspended,
    /// It is not offered.
    Inactive,
    /// Another producer takes it over.
    HandedOver,
    /// It is decided.
    Settled,
    /// Its bets are void.
    Cancelled,
}

impl LineStatus {
    /// The status with this number; an unknown one is inactive, because then no bet is taken.
    pub fn of(number: i64) -> LineStatus {
        match number {
            1 => LineStatus::Active,
            -1 => LineStatus::Suspended,
            -2 => LineStatus::HandedOver,
            -3 => LineStatus::Settled,
            -4 => LineStatus::Cancelled,
            _ => LineStatus::Inactive,
        }
    }
}

/// A line with its odds. Without outcomes the line keeps those it has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineOdds {
    /// The line.
    pub line: LineKey,
    /// Its status.
    pub status: LineStatus,
    /// Whether it is the line closest to even.
    pub is_favourite: bool,
    /// All its outcomes.
    pub outcomes: Vec<OutcomeOdds>,
}

/// An outcome with its price.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutcomeOdds {
    /// A number or a name.
    pub id: Text,
    /// Its price; 0 if it is not active.
    pub price: Price,
    /// 1 home, 2 away, of a player.
    pub team: Option<i64>,
}

/// The results of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineResult {
    /// The line.
    pub line: LineKey,
    /// Why it is void, as a number of the provider's list.
    pub void_reason: Option<i64>,
    /// Its outcomes.
    pub outcomes: Vec<OutcomeResult>,
}

/// The result of an outcome. Factors are in ten-thousandths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutcomeResult {
    /// A number or a name.
    pub id: Text,
    /// 1 won, 0 lost, -1 undecided.
    pub result: Option<i64>,
    /// Which part of the stake is returned: 5,000 or 10,000.
    pub void_factor: Option<i64>,
    /// Which part of the win is paid.
    pub dead_heat_factor: Option<i64>,
}

/// A line of a cancellation or a rollback.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineCancel {
    /// The line.
    pub line: LineKey,
    /// Why it is void, as a number of the provider's list.
    pub void_reason: Option<i64>,
    /// Only these outcomes; all if there are none.
    pub outcomes: Vec<Text>,
}

impl Message {
    /// Its kind, as its root element is called.
    pub fn kind(&self) -> &'static str {
        match self {
            Message::Alive { .. } => "alive",
            Message::SnapshotComplete { .. } => "snapshot_complete",
            Message::Event(message) => match message.body {
                Body::OddsChange { .. } => "odds_change",
                Body::BetStop { .. } => "bet_stop",
                Body::Settlement { .. } => "bet_settlement",
                Body::RollbackSettlement { .. } => "rollback_bet_settlement",
                Body::Cancel { .. } => "bet_cancel",
                Body::RollbackCancel { .. } => "rollback_bet_cancel",
                Body::FixtureChange { .. } => "fixture_change",
            },
        }
    }

    /// Reads a body.
    ///
    /// # Errors
    /// It is not well-formed, no known message, or a required attribute is absent. A market or outcome that cannot be
    /// read is left out alone.
    pub fn parse(body: &[u8]) -> Result<Message, Malformed> {
        read::message(body)
    }
}
