//! The messages that the hub sends to clients. A message contains all data that its bytes need, so that it can be
//! encoded later and only once.

use super::change::write_change;
use super::ticket::TicketInfo;
use crate::Encoding;
use crate::array::ArrayWriter;
use crate::bets::{CashOutValueBody, MoneyBody, ProgressBody, TicketBody, write_named};
use crate::entities::{Positional, SportArray, side_number};
use crate::matches::{Localised, View};
use crate::protection::{RealityCheckBody, SessionEndBody};
use kvota_domain::aggregate::MatchState;
use kvota_domain::bet::{AccountMoney, BetChange, CashOutOffer, StoredBet, TicketId};
use kvota_domain::clock::Clock;
use kvota_domain::delta::{Field, MarketsChange, PartChange};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::matches::Side;
use kvota_domain::offer_event::FeedState;
use kvota_domain::protection::{RealityCheck, SessionEnd};
use kvota_domain::sport::SportInfo;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The two parts of a match's markets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The markets that preferred columns show.
    Row,
    /// All other markets.
    Detail,
}

/// A message to a client.
#[derive(Clone, Debug)]
pub enum Message {
    /// The first message of a connection.
    Hello {
        /// The session's public name.
        session: String,
        /// The server's clock, ms since the epoch.
        server_time_ms: i64,
        /// The state of the feed in the connection's language.
        feed: FeedState,
        /// The name of the server's run: revisions can be compared within one run only.
        run: String,
    },
    /// A command was accepted.
    Ack {
        /// The command's sequence number.
        n: u64,
    },
    /// A command was rejected.
    Refused {
        /// The command's sequence number, if it could be read.
        n: Option<u64>,
        /// A code of docs/protocol.md.
        code: &'static str,
        /// A text for people.
        text: Cow<'static, str>,
    },
    /// The feed's state changed.
    Feed(FeedState),
    /// A match was inserted, or its row is sent whole.
    Match {
        /// The match.
        state: Arc<MatchState>,
        /// The date of its clock, in ms since the epoch.
        date_ms: i64,
    },
    /// The change of a row or a detail.
    Change {
        /// The match after the change.
        state: Arc<MatchState>,
        /// The part.
        part: Part,
        /// The previous revision.
        follows: u32,
        /// The difference.
        change: PartChange,
    },
    /// A match was removed.
    Deleted(MatchId),
    /// A sport was inserted or changed.
    Sport(Arc<SportInfo>),
    /// A sport with the ids of all its matches: a reader removes all others.
    WholeSport(Arc<SportInfo>, Vec<MatchId>),
    /// A sport was removed.
    SportRemoved(SportId),
    /// A goal was scored.
    Goal(MatchId, Side),
    /// A match's detail, sent whole.
    Detail(Arc<MatchState>),
    /// The checksum of a sport: a client that has other values has lost a change.
    SportCheck {
        /// The sport.
        sport: SportId,
        /// The number of its matches.
        matches: u64,
        /// [`check_sum`] over them.
        sum: u32,
    },
    /// The revisions of a match: a client that has others has lost a change.
    MatchCheck {
        /// The match.
        id: MatchId,
        /// Its row's revision.
        row: u32,
        /// Its detail's revision.
        detail: u32,
    },
    /// The newest feed date among a frame's changes, ms since the epoch.
    Date(i64),
    /// The client must fetch the whole offer again.
    Reload,
    /// The session's ticket, whole.
    Ticket(Arc<TicketInfo>),
    /// The session's favourites, whole, ascending.
    Favourites(Arc<[MatchId]>),
    /// The name of the signed-in account, if any.
    Account(Option<String>),
    /// All open bets of the account.
    Bets(Arc<[StoredBet]>),
    /// A bet was placed or changed.
    Bet(BetChange),
    /// The account's money.
    Money(AccountMoney),
    /// The cash-out values of open bets that changed.
    CashOutValues(Arc<[(TicketId, CashOutOffer)]>),
    /// A reality check waits for an answer; `None`: none waits any more.
    RealityCheck(Option<RealityCheck>),
    /// The login ends by its limit, soon or now.
    SessionEnd(SessionEnd),
    /// The limits, the exclusion or the logins of the account changed.
    AccountChanged,
}

impl Message {
    /// Whether the bytes are the same in every language.
    pub fn is_neutral(&self) -> bool {
        match self {
            Message::Match { .. } | Message::Sport(_) | Message::WholeSport(..) | Message::Detail(_) => false,
            Message::Change { state, change, .. } => {
                let words = |markets: &MarketsChange| !markets.fresh.is_empty();
                let told_clock = change.fields.contains(&Field::Clock);
                let words_in_clock = told_clock && matches!(state.live_match.clock, Some(Clock::Text(_)));
                !(words_in_clock || change.markets.as_ref().is_some_and(words))
            }
            _ => true,
        }
    }

    /// Appends the message's bytes.
    pub fn write(&self, out: &mut Vec<u8>, lang: Lang, encoding: Encoding) {
        let begin = move |len| {
            let out = out;
            ArrayWriter::begin(out, encoding, len)
        };
        match self {
            Message::Hello { session, server_time_ms, feed, run } => {
                begin(6).item(&0).item(session).item(server_time_ms).item(&feed.number()).item(&1).item(run).end();
            }
            Message::Ack { n } => begin(3).item(&1).item(n).item(&None::<()>).end(),
            Message::Refused { n, code, text } => begin(4).item(&1).item(n).item(code).item(text).end(),
            Message::Feed(feed) => begin(2).item(&2).item(&feed.number()).end(),
            Message::Match { state, date_ms } => {
                let localised = Localised::new(state, lang);
                let row = |out: &mut Vec<u8>, encoding| {
                    localised.write_array(out, encoding, View::Rows, *date_ms);
                };
                begin(3).item(&3).with(row).item(date_ms).end();
            }
            Message::Change { state, part, follows, change } => {
                write_change(begin, &Localised::new(state, lang), state, *part, *follows, change);
            }
            Message::Deleted(id) => begin(2).item(&6).item(&id.get()).end(),
            Message::Sport(sport) => begin(2).item(&7).item(&SportArray(&sport.in_lang(lang), None)).end(),
            Message::WholeSport(sport, matches) => {
                begin(2).item(&7).item(&SportArray(&sport.in_lang(lang), Some(matches))).end();
            }
            Message::SportRemoved(id) => begin(2).item(&8).item(&id.get()).end(),
            Message::Goal(id, side) => begin(3).item(&9).item(&id.get()).item(&side_number(*side)).end(),
            Message::Detail(state) => write_detail(begin(7), state, lang),
            Message::SportCheck { sport, matches, sum } => {
                begin(4).item(&11).item(&sport.get()).item(matches).item(sum).end();
            }
            Message::MatchCheck { id, row, detail } => {
                begin(4).item(&12).item(&id.get()).item(row).item(detail).end();
            }
            Message::Date(date_ms) => begin(2).item(&13).item(date_ms).end(),
            Message::Reload => begin(2).item(&14).item(&"reload").end(),
            Message::Ticket(info) => begin(2).item(&15).with(|out, encoding| info.write(out, encoding)).end(),
            Message::Favourites(ids) => {
                begin(2).item(&16).item(&ids.iter().map(|id| id.get()).collect::<Vec<u64>>()).end();
            }
            Message::Account(user) => {
                let user = user.as_ref().map(|user| BTreeMap::from([("user", user)]));
                begin(2).item(&17).item(&user).end();
            }
            Message::Bets(bets) => {
                let bodies: Vec<TicketBody<'_>> = bets.iter().map(TicketBody::of).collect();
                begin(2).item(&18).with(|out, encoding| write_named(out, encoding, &bodies)).end();
            }
            Message::Bet(BetChange::Placed(bet)) => {
                let body = TicketBody::of(bet);
                begin(2).item(&19).with(|out, encoding| write_named(out, encoding, &body)).end();
            }
            Message::Bet(
                change @ (BetChange::PairDecided(progress)
                | BetChange::Settled(progress)
                | BetChange::Corrected(progress)
                | BetChange::CashedOut(progress)
                | BetChange::CashOutRuleChanged(progress)),
            ) => {
                let body = ProgressBody::of(progress);
                begin(3).item(&20).item(&change.code()).with(|out, encoding| write_named(out, encoding, &body)).end();
            }
            Message::Money(money) => {
                let body = MoneyBody::of(money);
                begin(2).item(&21).with(|out, encoding| write_named(out, encoding, &body)).end();
            }
            Message::CashOutValues(values) => {
                let bodies: Vec<CashOutValueBody<'_>> =
                    values.iter().map(|(ticket_id, offer)| CashOutValueBody::of(Some(ticket_id), offer)).collect();
                begin(2).item(&22).with(|out, encoding| write_named(out, encoding, &bodies)).end();
            }
            Message::RealityCheck(check) => {
                let body = check.as_ref().map(RealityCheckBody::of);
                begin(2).item(&23).with(|out, encoding| write_named(out, encoding, &body)).end();
            }
            Message::SessionEnd(end) => {
                let body = SessionEndBody::of(end);
                begin(2).item(&24).with(|out, encoding| write_named(out, encoding, &body)).end();
            }
            Message::AccountChanged => begin(1).item(&25).end(),
        }
    }
}

fn write_detail(mut out: ArrayWriter<'_>, state: &MatchState, lang: Lang) {
    let localised = Localised::new(state, lang);
    let layout: Vec<u64> = state.live_match.markets.iter().map(|market| market.id.get()).collect();
    let markets: Vec<_> = state.split().detail_markets().map(|market| localised.market(market)).collect();
    out.item(&10)
        .item(&state.live_match.id.get())
        .item(&state.detail_revision)
        .item(&layout)
        .with(|out, encoding| {
            let mut list = ArrayWriter::begin(out, encoding, markets.len());
            for market in &markets {
                list.item(&Positional(&**market));
            }
            list.end();
        })
        .item(&state.live_match.ball.as_ref().map(Positional))
        .item(&state.live_match.history.as_deref().map(Positional))
        .end();
}

/// What a match adds to the checksum of its sport, modulo 2^32: the row's revision plus the id times a constant, so
/// that the sum differs if a reader holds another match instead (docs/protocol.md, *Nothing stays lost*).
pub fn check_sum(id: MatchId, row_revision: u32) -> u32 {
    (id.get() as u32).wrapping_mul(2_654_435_761).wrapping_add(row_revision)
}
