//! The messages of the hub, server to client. Called by whoever has something to tell; a message knows everything it
//! needs, so its bytes can be made later, once, by the first who needs them.

use super::change::write_change;
use super::ticket::TicketInfo;
use crate::Spelling;
use crate::array::ArrayWriter;
use crate::entities::{Positional, SportArray, side_number};
use crate::matches::{Localised, View};
use kvota_domain::aggregate::MatchState;
use kvota_domain::clock::Clock;
use kvota_domain::delta::{Field, MarketsChange, PartChange};
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::matches::Side;
use kvota_domain::sport::SportInfo;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a connection is told of the feed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FeedState {
    /// No offer, no bets.
    #[default]
    Inactive,
    /// The offer stays readable, every match counts as suspended.
    Recovering,
    /// Live.
    Active,
}

/// The two parts of a match's markets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// What preferred columns show.
    Row,
    /// The rest.
    Detail,
}

/// A message to clients.
#[derive(Clone, Debug)]
pub enum Message {
    /// The first message of a connection.
    Hello {
        /// The session's public name.
        session: String,
        /// The server's clock, ms since the epoch.
        server_time_ms: i64,
        /// How the feed stands for the connection's language.
        feed: FeedState,
    },
    /// A command took effect.
    Ack {
        /// The command's number.
        n: u64,
    },
    /// A command was refused.
    Refused {
        /// The command's number, where one could be read.
        n: Option<u64>,
        /// A code of docs/protocol.md.
        code: &'static str,
        /// For people.
        text: Cow<'static, str>,
    },
    /// The feed's state changed.
    Feed(FeedState),
    /// A match inserted, or its row told whole.
    Match {
        /// The match.
        state: Arc<MatchState>,
        /// Its clock is as of this date, ms since the epoch.
        date_ms: i64,
    },
    /// What changed of a row or a detail.
    Change {
        /// The match after the change.
        state: Arc<MatchState>,
        /// Which part.
        part: Part,
        /// The revision before.
        follows: u32,
        /// What differs.
        change: PartChange,
    },
    /// A match is gone.
    Deleted(MatchId),
    /// A sport inserted or changed.
    Sport(Arc<SportInfo>),
    /// A sport with the ids of all its matches: whatever else a reader holds of it is gone.
    WholeSport(Arc<SportInfo>, Vec<MatchId>),
    /// A sport is gone.
    SportRemoved(SportId),
    /// A goal.
    Goal(MatchId, Side),
    /// A match's detail told whole.
    Detail(Arc<MatchState>),
    /// What a watcher of a sport must have.
    SportCheck {
        /// Which sport.
        sport: SportId,
        /// Its matches.
        matches: u64,
        /// [`check_sum`] over them.
        sum: u32,
    },
    /// What a watcher of a match must have.
    MatchCheck {
        /// Which match.
        id: MatchId,
        /// Its row's revision.
        row: u32,
        /// Its detail's revision.
        detail: u32,
    },
    /// The newest feed date among a frame's changes, ms since the epoch.
    Date(i64),
    /// Get the whole offer again.
    Reload,
    /// The session's ticket, whole.
    Ticket(Arc<TicketInfo>),
    /// The session's favourites, whole, ascending.
    Favourites(Arc<[MatchId]>),
    /// Who is logged in: the name of the account.
    Account(Option<String>),
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
    pub fn write(&self, out: &mut Vec<u8>, lang: Lang, spelling: Spelling) {
        let begin = move |len| {
            let out = out;
            ArrayWriter::begin(out, spelling, len)
        };
        match self {
            Message::Hello { session, server_time_ms, feed } => {
                begin(5).item(&0).item(session).item(server_time_ms).item(&feed.number()).item(&1).end();
            }
            Message::Ack { n } => begin(3).item(&1).item(n).item(&None::<()>).end(),
            Message::Refused { n, code, text } => begin(4).item(&1).item(n).item(code).item(text).end(),
            Message::Feed(feed) => begin(2).item(&2).item(&feed.number()).end(),
            Message::Match { state, date_ms } => {
                let localised = Localised::new(state, lang);
                let row = |out: &mut Vec<u8>, spelling| {
                    localised.write_array(out, spelling, View::Rows, *date_ms);
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
            Message::Ticket(info) => begin(2).item(&15).with(|out, spelling| info.write(out, spelling)).end(),
            Message::Favourites(ids) => {
                begin(2).item(&16).item(&ids.iter().map(|id| id.get()).collect::<Vec<u64>>()).end();
            }
            Message::Account(user) => {
                let user = user.as_ref().map(|user| BTreeMap::from([("user", user)]));
                begin(2).item(&17).item(&user).end();
            }
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
        .with(|out, spelling| {
            let mut list = ArrayWriter::begin(out, spelling, markets.len());
            for market in &markets {
                list.item(&Positional(&**market));
            }
            list.end();
        })
        .item(&state.live_match.ball.as_ref().map(Positional))
        .item(&state.live_match.history.as_deref().map(Positional))
        .end();
}

impl FeedState {
    /// 0 inactive, 1 recovering, 2 active.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// What a match adds to the sum of its sport, modulo 2^32: its row's revision and its id, multiplied so that one match
/// in the place of another shows (docs/protocol.md, *Nothing stays lost*).
pub fn check_sum(id: MatchId, row_revision: u32) -> u32 {
    (id.get() as u32).wrapping_mul(2_654_435_761).wrapping_add(row_revision)
}
