//! Messages between the nodes of an installation about the store that they share (CONTRACT 11): the keys of what
//! changed, after it was committed, never its content. A node that needs the content reads it from the store.
//!
//! Must never delay a commit. A message may be lost; [`Notice::Missed`] then makes the receiver read everything again
//! that it needs.

use super::rows::{owner_key, session_hash};
use super::{AccountId, IdempotencyKey, KeyRecord, SessionOwner, StoreFuture, TicketId};
use kvota_domain::hex::hex;
use kvota_domain::ids::MatchId;
use kvota_domain::session::SessionId;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Notices that wait for a node. Beyond that they are dropped and it receives [`Notice::Missed`].
pub(super) const NOTICES_WAITING_MAX: usize = 10_000;

/// The key of a session or a cookie. It does not reveal the cookie.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SessionKey(Vec<u8>);

impl SessionKey {
    /// The key under which the ticket of an owner is saved.
    pub fn of_owner(owner: SessionOwner) -> SessionKey {
        SessionKey(owner_key(owner).0)
    }

    /// The key of a cookie with this stored hash.
    pub(super) fn of_hash(hash: Vec<u8>) -> SessionKey {
        SessionKey(hash)
    }

    /// The stored hash.
    pub(super) fn into_hash(self) -> Vec<u8> {
        self.0
    }

    /// The key as a text of 64 hexadecimal digits, which [`from_text`](SessionKey::from_text) reads.
    pub fn to_text(&self) -> String {
        hex(&self.0)
    }

    /// The key that `to_text` wrote as this text; `None` for any other text.
    pub fn from_text(text: &str) -> Option<SessionKey> {
        bytes(text).filter(|key| key.len() == 32).map(SessionKey)
    }

    /// The key of a session cookie.
    pub fn of_cookie(session: SessionId) -> SessionKey {
        SessionKey(session_hash(session))
    }
}

/// What happened to a bet, without its content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BetChangeKind {
    /// It was placed.
    Placed,
    /// The result of a pair changed.
    PairDecided,
    /// It was settled.
    Settled,
    /// A settlement was reversed.
    Corrected,
    /// It was cashed out, completely or in part.
    CashedOut,
    /// Its cash-out rule was set or removed.
    CashOutRuleChanged,
}

/// A change in the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// The ticket or the favourites of a session were saved, or the session was deleted.
    Session(SessionKey),
    /// A cookie is not valid any more, or belongs to another session now: its connections must end.
    CookieEnded(SessionKey),
    /// A bet was placed or changed, and with it perhaps the money of its account.
    Bet {
        /// The account.
        account: AccountId,
        /// The bet.
        ticket_id: TicketId,
        /// What happened to it.
        kind: BetChangeKind,
    },
    /// The money of an account changed without a bet, or its limits or logins.
    Account(AccountId),
    /// The register has answered that the player of an account is excluded.
    Register(AccountId),
    /// The results of a match changed.
    Results(MatchId),
}

/// What a node receives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// Another node has made this change.
    Changed(Change),
    /// Notices may have been lost.
    Missed,
}

/// Sends changes to the other nodes. A clone shares it. The default sends nothing: there is no other node.
#[derive(Clone, Default)]
pub struct NodeSender(Option<Arc<dyn Fn(Change) + Send + Sync>>);

impl NodeSender {
    /// Sends changes by calling `send`, which must not wait.
    pub fn new(send: impl Fn(Change) + Send + Sync + 'static) -> NodeSender {
        NodeSender(Some(Arc::new(send)))
    }

    /// Sends a change. Call it after the commit. Never waits; a message that cannot be sent is dropped.
    pub fn send(&self, change: Change) {
        if let Some(send) = &self.0 {
            send(change);
        }
    }
}

impl fmt::Debug for NodeSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NodeSender").field(&self.0.is_some()).finish()
    }
}

/// The link of one node to the others.
#[derive(Debug)]
pub struct NodeLink {
    /// To the other nodes.
    pub sender: NodeSender,
    /// From the other nodes.
    pub notices: mpsc::Receiver<Notice>,
}

/// Connects the nodes that share a store.
pub trait NodeBus: Send + Sync + 'static {
    /// Joins as one more node; `None` if this store cannot have several nodes.
    fn join(&self) -> Option<NodeLink> {
        None
    }
}

/// The place of an order among those that run on all nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrderSlot {
    /// Its key has a stored answer.
    Answered(KeyRecord),
    /// It may run; end it with [`SharedLimits::end_order`].
    Reserved,
    /// An order with the same key runs on another node.
    RunsElsewhere,
    /// The account has too many running orders.
    NoneLeft,
}

impl OrderSlot {
    /// The place of an order on the only node: `found` is the stored answer of its key.
    pub fn on_only_node(found: Option<KeyRecord>) -> OrderSlot {
        found.map_or(OrderSlot::Reserved, OrderSlot::Answered)
    }
}

/// A limit that an attempt counts for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// A name, an address, or both.
    pub key: Vec<u8>,
    /// Attempts in one window.
    pub max: usize,
}

/// The outcome of [`SharedLimits::take_attempt`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attempts {
    /// It is counted; the ids undo it.
    Taken(Vec<i64>),
    /// There were too many.
    NoneLeft {
        /// Until the next attempt is allowed, at least 1.
        seconds: u64,
    },
}

/// Limits over all nodes (CONTRACT 11.6). The default allows everything: a single node counts for itself.
pub trait SharedLimits: Send + Sync + 'static {
    /// Returns the stored answer of a key. Without one, reserves a place for its order, at most `max` for an account,
    /// for at most the time that it `lasts`.
    fn begin_order(
        &self,
        account: AccountId,
        key: IdempotencyKey,
        max: usize,
        lasts: Duration,
    ) -> StoreFuture<'_, OrderSlot>;

    /// Whether another node is alive, as of the last look.
    fn has_other_nodes(&self) -> bool {
        false
    }

    /// Whether this node does what only one node must do. After its death, another one does within seconds. While nodes
    /// start, there may be two for a moment.
    fn is_first_node(&self) -> bool {
        true
    }

    /// Ends an order of this node. Placing its bet has already done so.
    fn end_order(&self, _: AccountId, _: IdempotencyKey) -> StoreFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Counts an attempt with a password for several limits, or for none if one of them is reached.
    fn take_attempt(&self, _counts_for: Vec<Attempt>, _window: Duration) -> StoreFuture<'_, Attempts> {
        Box::pin(std::future::ready(Ok(Attempts::Taken(Vec::new()))))
    }

    /// Undoes an attempt.
    fn give_back_attempt(&self, _ids: Vec<i64>) -> StoreFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Encodes a change as one word of a message between nodes.
pub(super) fn encode(change: &Change) -> String {
    match change {
        Change::Session(SessionKey(key)) => format!("S{}", hex(key)),
        Change::CookieEnded(SessionKey(key)) => format!("E{}", hex(key)),
        Change::Bet { account, ticket_id, kind } => {
            let kind = match kind {
                BetChangeKind::Placed => 'p',
                BetChangeKind::PairDecided => 'd',
                BetChangeKind::Settled => 's',
                BetChangeKind::Corrected => 'c',
                BetChangeKind::CashedOut => 'o',
                BetChangeKind::CashOutRuleChanged => 'r',
            };
            format!("B{kind}{}:{ticket_id}", account.get())
        }
        Change::Account(account) => format!("A{}", account.get()),
        Change::Register(account) => format!("X{}", account.get()),
        Change::Results(id) => format!("R{}", id.get()),
    }
}

/// Decodes a word; `None` if this version does not know it.
pub(super) fn decode(word: &str) -> Option<Change> {
    let rest = word.get(1..)?;
    Some(match word.as_bytes()[0] {
        b'S' => Change::Session(SessionKey(bytes(rest)?)),
        b'E' => Change::CookieEnded(SessionKey(bytes(rest)?)),
        b'B' => {
            let kind = match rest.as_bytes().first()? {
                b'p' => BetChangeKind::Placed,
                b'd' => BetChangeKind::PairDecided,
                b's' => BetChangeKind::Settled,
                b'c' => BetChangeKind::Corrected,
                b'o' => BetChangeKind::CashedOut,
                b'r' => BetChangeKind::CashOutRuleChanged,
                _ => return None,
            };
            let (account, ticket_id) = rest[1..].split_once(':')?;
            Change::Bet {
                account: AccountId::bettor(account.parse().ok()?)?,
                ticket_id: TicketId::new(ticket_id)?,
                kind,
            }
        }
        b'A' => Change::Account(AccountId::bettor(rest.parse().ok()?)?),
        b'X' => Change::Register(AccountId::bettor(rest.parse().ok()?)?),
        b'R' => Change::Results(MatchId::new(rest.parse().ok()?)?),
        _ => return None,
    })
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes();
    if !digits.len().is_multiple_of(2) || !hex.is_ascii() {
        return None;
    }
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&hex[at * 2..at * 2 + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_survive_encoding_and_unknown_words_are_ignored() {
        let cookie = SessionId::from_bytes([7; 16]);
        let (account, ticket_id) = (AccountId::bettor(5).unwrap(), TicketId::new("a-b_1").unwrap());
        let bet = |kind| Change::Bet { account, ticket_id: ticket_id.clone(), kind };
        for change in [
            Change::Session(SessionKey::of_owner(SessionOwner::Account(account))),
            Change::Session(SessionKey::of_owner(SessionOwner::Anonymous(cookie))),
            Change::CookieEnded(SessionKey::of_cookie(cookie)),
            bet(BetChangeKind::Placed),
            bet(BetChangeKind::PairDecided),
            bet(BetChangeKind::Settled),
            bet(BetChangeKind::Corrected),
            bet(BetChangeKind::CashedOut),
            bet(BetChangeKind::CashOutRuleChanged),
            Change::Account(account),
            Change::Register(account),
            Change::Results(MatchId::new(17).unwrap()),
        ] {
            let word = encode(&change);
            assert!(word.bytes().all(|byte| byte.is_ascii_graphic()), "{word}");
            assert_eq!(decode(&word), Some(change));
        }
        for word in ["", "S", "Sé", "S1", "Sxy", "Bq1:a", "Bp1", "Bp:a", "R", "R-1", "Znew"] {
            assert!(decode(word).is_none_or(|change| change == Change::Session(SessionKey(Vec::new()))), "{word}");
        }
    }
}
