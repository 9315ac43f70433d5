//! An order to place a bet, and how its answers are written.

use super::keys::KeyClaim;
use kvota_domain::bet::TicketNumber;
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::session::SessionId;
use kvota_domain::ticket::{AcceptedBet, ChangedPair, Rejection, SubmittedTicket};
use kvota_store::{AccountId, IdempotencyKey};
use std::sync::Arc;

/// A request to place a submitted ticket as a bet.
#[derive(Clone)]
pub struct Order {
    /// The account of the bettor.
    pub account: AccountId,
    /// The login.
    pub session: SessionId,
    /// When the reality check of the login was due as the call began, in ms since the epoch; `None` without that limit.
    pub check_due_at_ms: Option<i64>,
    /// The idempotency key of the request.
    pub key: IdempotencyKey,
    /// SHA-256 of the canonical request body (RFC 8785).
    pub digest: [u8; 32],
    /// The ticket in the body; `None` if the body is malformed.
    pub ticket: Option<SubmittedTicket>,
    /// The language of the answer.
    pub lang: Lang,
    /// Writes the bodies of the answers.
    pub bodies: Arc<dyn AnswerBodies>,
    /// The id of the request, for the log.
    pub request_id: Arc<str>,
}

/// Writes the bodies of answers in the language of the request. Must not wait or panic.
///
/// The store calls it inside the transaction of the bet: the body of an accepted bet contains the new balance, and its
/// exact bytes are stored for repeated requests. See `crates/store/src/bets.rs`.
pub trait AnswerBodies: Send + Sync + 'static {
    /// The body of a 400. `sides` are the team names of the match that caused the rejection; empty if none did.
    /// `changed` are all pairs that changed or cannot be bet on, if that is the reason.
    fn rejected(&self, rejection: Rejection, sides: &str, changed: &[ChangedPair]) -> Vec<u8>;

    /// The body of a 200. Called inside the transaction.
    fn accepted(&self, bet: &AcceptedBetFacts<'_>) -> Vec<u8>;
}

/// The facts of an accepted bet, for the body of its answer.
#[derive(Clone, Copy, Debug)]
pub struct AcceptedBetFacts<'a> {
    /// The id of the ticket.
    pub ticket_id: &'a str,
    /// The ticket number that is shown to people.
    pub ticket_number: TicketNumber,
    /// When the last validation accepted it, ms since the epoch.
    pub placed_at_ms: i64,
    /// The revision of the offer in the last validation.
    pub version: u64,
    /// The bet.
    pub bet: &'a AcceptedBet,
    /// The balance of the account after the bet, in cents.
    pub balance: Money,
}

impl Order {
    /// Its claim on its key.
    pub(super) fn claim(&self) -> KeyClaim {
        let Order { account, key, digest, .. } = *self;
        KeyClaim { account, key, digest, request_id: Arc::clone(&self.request_id) }
    }
}
