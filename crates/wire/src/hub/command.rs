//! Parses client commands (CONTRACT 3, *Client to server*): one per frame, `[n, verb, …arguments]`, as JSON or
//! MessagePack. The hub calls it with whole frames. Must not panic: any input gives a command or a rejection.

use crate::Encoding;
use crate::limits::{COMMAND_BYTES_MAX, WATCHED_MAX};
use kvota_domain::ids::{MarketId, MatchId, OddId, SportId};
use kvota_domain::session_state::SessionCommand;
use kvota_domain::ticket::{Consent, TicketCommand, TicketKind};
use serde_json::{Value, json};
use thiserror::Error;

/// A command with its sequence number.
#[derive(Clone, PartialEq, Debug)]
pub struct Numbered {
    /// The sequence number, chosen by the client; the acknowledgement carries it.
    pub n: u64,
    /// The command.
    pub command: Command,
}

/// A command of a client.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Replaces the subscriptions of this connection.
    Watch(Watch),
    /// Requests the full state of a match, or of everything watched.
    Resync(Option<MatchId>),
    /// Changes the ticket or the favourites of the session.
    Session(SessionCommand),
    /// The bettor has seen the reality check and continues.
    Continue,
    /// Changes nothing. Its acknowledgement measures latency or keeps the connection alive.
    Ping,
}

/// The subscriptions of a connection.
#[derive(Clone, PartialEq, Debug)]
pub struct Watch {
    /// Rows of these sports.
    pub sports: Sports,
    /// Rows of the session's favourites.
    pub favourites: bool,
    /// Rows and details of these matches, sorted and without duplicates.
    pub matches: Vec<MatchId>,
    /// The bets and the money of the account.
    pub bets: bool,
}

/// The watched sports.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sports {
    /// All sports, including those added later.
    All,
    /// These sports, sorted and without duplicates.
    Of(Vec<SportId>),
}

/// Why a frame was rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CommandRejection {
    /// The frame is larger than 4 KiB.
    #[error("a command may be up to 4 KiB")]
    TooLarge,
    /// The frame does not parse as `[n, verb, …]`.
    #[error("a command is [n, verb, ...arguments]")]
    NotACommand {
        /// The sequence number, if it could be read.
        n: Option<u64>,
    },
    /// The verb is unknown.
    #[error("there is no such verb")]
    UnknownVerb {
        /// The sequence number.
        n: u64,
    },
    /// The arguments do not fit the verb.
    #[error("the verb does not take these arguments")]
    WrongArguments {
        /// The sequence number.
        n: u64,
    },
}

impl Command {
    /// The verb and the arguments, as a client sends them behind its number.
    pub fn parts(&self) -> (&'static str, Vec<Value>) {
        let id = |id: MatchId| Value::from(id.get());
        match self {
            Command::Watch(watch) => ("watch", vec![watch.to_value()]),
            Command::Resync(None) => ("resync", vec![Value::Null]),
            Command::Resync(Some(match_id)) => ("resync", vec![id(*match_id)]),
            Command::Continue => ("reality", vec!["continue".into()]),
            Command::Ping => ("ping", Vec::new()),
            Command::Session(SessionCommand::Favourite { match_id, on }) => {
                ("favourite", vec![id(*match_id), (*on).into()])
            }
            Command::Session(SessionCommand::Ticket(command)) => match command {
                TicketCommand::Pick { match_id, market_id, odd_id } => {
                    ("pick", vec![id(*match_id), market_id.get().into(), odd_id.get().into()])
                }
                TicketCommand::Drop(match_id) => ("drop", vec![id(*match_id)]),
                TicketCommand::Fix { match_id, on } => ("fix", vec![id(*match_id), (*on).into()]),
                TicketCommand::Type(kind) => ("type", vec![kind.as_type().into()]),
                TicketCommand::Combination(k) => ("combination", vec![(*k).into()]),
                TicketCommand::Stake(text) => ("stake", vec![text.as_str().into()]),
                TicketCommand::Consent(consent) => ("consent", vec![consent.code().into()]),
                TicketCommand::Clear => ("clear", Vec::new()),
            },
        }
    }
}

impl Watch {
    fn to_value(&self) -> Value {
        let matches: Vec<u64> = self.matches.iter().map(|id| id.get()).collect();
        let sports = match &self.sports {
            Sports::All => Value::Null,
            Sports::Of(ids) => ids.iter().map(|id| id.get()).collect::<Vec<_>>().into(),
        };
        json!({"sports": sports, "favourites": self.favourites, "matches": matches, "bets": self.bets})
    }
}

impl CommandRejection {
    /// The error code for the client (docs/protocol.md).
    pub fn code(self) -> &'static str {
        match self {
            CommandRejection::TooLarge => "too_large",
            CommandRejection::NotACommand { .. } => "not_a_command",
            CommandRejection::UnknownVerb { .. } => "unknown_verb",
            CommandRejection::WrongArguments { .. } => "wrong_arguments",
        }
    }

    /// The sequence number for the acknowledgement.
    pub fn n(self) -> Option<u64> {
        match self {
            CommandRejection::TooLarge => None,
            CommandRejection::NotACommand { n } => n,
            CommandRejection::UnknownVerb { n } | CommandRejection::WrongArguments { n } => Some(n),
        }
    }

    /// Whether the connection is closed with 1008 after the acknowledgement (CONTRACT 3.6).
    pub fn closes(self) -> bool {
        matches!(self, CommandRejection::TooLarge | CommandRejection::NotACommand { .. })
    }
}

/// Parses a frame.
///
/// # Errors
/// [`CommandRejection`] if the frame is not a valid command.
pub fn read(frame: &[u8], encoding: Encoding) -> Result<Numbered, CommandRejection> {
    if frame.len() > COMMAND_BYTES_MAX {
        return Err(CommandRejection::TooLarge);
    }
    let parts = parse(frame, encoding).ok_or(CommandRejection::NotACommand { n: None })?;
    let n = parts.first().and_then(Value::as_u64).ok_or(CommandRejection::NotACommand { n: None })?;
    let verb = parts.get(1).and_then(Value::as_str).ok_or(CommandRejection::NotACommand { n: Some(n) })?;
    let arguments = &parts[2..];
    let command = match verb {
        "watch" => watch(arguments).map(Command::Watch),
        "resync" => resync(arguments).map(Command::Resync),
        "ping" => arguments.is_empty().then_some(Command::Ping),
        "reality" => (arguments == ["continue"]).then_some(Command::Continue),
        "favourite" => favourite(arguments).map(Command::Session),
        "pick" | "drop" | "fix" | "type" | "combination" | "stake" | "consent" | "clear" => {
            of_ticket(verb, arguments).map(|command| Command::Session(SessionCommand::Ticket(command)))
        }
        _ => return Err(CommandRejection::UnknownVerb { n }),
    };
    let command = command.ok_or(CommandRejection::WrongArguments { n })?;
    Ok(Numbered { n, command })
}

fn parse(frame: &[u8], encoding: Encoding) -> Option<Vec<Value>> {
    let value = match encoding {
        // serde_json limits the depth to 128, and the frame size limits everything else.
        Encoding::Json => serde_json::from_slice(frame).ok()?,
        Encoding::Msgpack => from_msgpack(frame)?,
    };
    match value {
        Value::Array(parts) => Some(parts),
        _ => None,
    }
}

/// The maximum depth of a MessagePack value. A valid command has three levels; a deep one could overflow the stack.
const DEPTH_MAX: usize = 8;

fn from_msgpack(frame: &[u8]) -> Option<Value> {
    let mut reader = std::io::Cursor::new(frame);
    let mut deserializer = rmp_serde::Deserializer::new(&mut reader);
    deserializer.set_max_depth(DEPTH_MAX);
    let value = serde::Deserialize::deserialize(&mut deserializer).ok()?;
    let read = usize::try_from(reader.position()).ok()?;
    (read == frame.len()).then_some(value)
}

/// The keys of the argument of `watch`.
const WATCH_KEYS: [&str; 4] = ["sports", "favourites", "matches", "bets"];

fn watch(arguments: &[Value]) -> Option<Watch> {
    let [Value::Object(wanted)] = arguments else {
        return None;
    };
    // A misspelt key would silently watch nothing.
    if wanted.keys().any(|key| !WATCH_KEYS.contains(&key.as_str())) {
        return None;
    }
    let sports = match wanted.get("sports") {
        None => Sports::Of(Vec::new()),
        Some(Value::Null) => Sports::All,
        Some(ids) => Sports::Of(id_list(ids, SportId::new)?),
    };
    let favourites = match wanted.get("favourites") {
        None | Some(Value::Null) => false,
        Some(wanted) => wanted.as_bool()?,
    };
    let bets = match wanted.get("bets") {
        None | Some(Value::Null) => false,
        Some(wanted) => wanted.as_bool()?,
    };
    let matches = match wanted.get("matches") {
        None | Some(Value::Null) => Vec::new(),
        Some(ids) => id_list(ids, MatchId::new)?,
    };
    // With `favourites`, rows of the favourites replace rows of sports (CONTRACT 3).
    let sports = if favourites { Sports::Of(Vec::new()) } else { sports };
    Some(Watch { sports, favourites, matches, bets })
}

/// Parses a list of ids. Sorts it and removes duplicates. `None` if it is malformed or too long.
fn id_list<T: Ord>(value: &Value, id: impl Fn(u64) -> Option<T>) -> Option<Vec<T>> {
    let list = value.as_array()?;
    if list.len() > WATCHED_MAX {
        return None;
    }
    let mut ids = list.iter().map(|entry| id(entry.as_u64()?)).collect::<Option<Vec<T>>>()?;
    ids.sort_unstable();
    ids.dedup();
    Some(ids)
}

fn resync(arguments: &[Value]) -> Option<Option<MatchId>> {
    match arguments {
        [] | [Value::Null] => Some(None),
        [id] => Some(Some(MatchId::new(id.as_u64()?)?)),
        _ => None,
    }
}

fn favourite(arguments: &[Value]) -> Option<SessionCommand> {
    let [match_id, Value::Bool(on)] = arguments else { return None };
    Some(SessionCommand::Favourite { match_id: match_of(match_id)?, on: *on })
}

fn of_ticket(verb: &str, arguments: &[Value]) -> Option<TicketCommand> {
    match (verb, arguments) {
        ("pick", [match_id, market_id, odd_id]) => Some(TicketCommand::Pick {
            match_id: match_of(match_id)?,
            market_id: MarketId::new(market_id.as_u64()?)?,
            odd_id: OddId::new(odd_id.as_u64()?)?,
        }),
        ("drop", [match_id]) => match_of(match_id).map(TicketCommand::Drop),
        ("fix", [match_id, Value::Bool(on)]) => Some(TicketCommand::Fix { match_id: match_of(match_id)?, on: *on }),
        ("type", [kind]) => TicketKind::from_type(kind.as_u64()?).map(TicketCommand::Type),
        ("combination", [Value::Null]) => Some(TicketCommand::Combination(None)),
        // A k above 255 becomes 255, which is also rejected, because no ticket is that large.
        ("combination", [k]) => Some(TicketCommand::Combination(Some(u8::try_from(k.as_u64()?).unwrap_or(u8::MAX)))),
        ("stake", [Value::String(text)]) => Some(TicketCommand::Stake(text.clone())),
        ("consent", [Value::String(code)]) => Consent::from_code(code).map(TicketCommand::Consent),
        ("clear", []) => Some(TicketCommand::Clear),
        _ => None,
    }
}

fn match_of(value: &Value) -> Option<MatchId> {
    MatchId::new(value.as_u64()?)
}
