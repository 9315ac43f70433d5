//! What must hold: at every moment, and after all faults have ended.

use super::bettor::Bettor;
use super::browser::Browser;
use super::nodes::Nodes;
use super::{Scenario, clock};
use crate::betting::limits::PLACEMENTS_PER_ACCOUNT_MAX;
use crate::hub::limits::OUTBOX_BYTES_MAX;
use crate::hub::publisher_actor::ObservePublisher;
use crate::testkit::replica::{Replica, market_array};
use crate::testkit::virtual_world::Node;
use crate::testkit::world::OPENING_BALANCE;
use futures_util::FutureExt;
use kvota_domain::bet::{BetState, StoredBet};
use kvota_domain::feed::{FeedUpdate, MatchUpdate};
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::settlement::{Grade, Outcome, grade};
use kvota_domain::ticket::Consent;
use kvota_store::{BetStore, SessionStore, TicketFilter};
use kvota_wire::limits::SESSION_BYTES_MAX;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// One frame may exceed the limit by itself, and answers to the client's own commands are added.
const OUTBOX_SLACK: usize = 64 << 10;

/// Checks every 500 ms what must always hold.
pub(super) async fn check_always(scenario: Rc<Scenario>, node: Node) {
    loop {
        sleep(Duration::from_millis(500)).await;
        for publisher in node.publishers.all() {
            // A publisher that has just died is restarted.
            let Ok(seen) = publisher.send(ObservePublisher).await else { continue };
            let occupancy = seen.occupancy;
            let most = occupancy.connections * (OUTBOX_BYTES_MAX + OUTBOX_SLACK);
            if occupancy.queued_bytes > most || occupancy.rooms > occupancy.connections {
                scenario.trace.wrong(|| format!("a publisher holds {occupancy:?}"));
            }
        }
        let sessions = node.sessions.observe().await;
        // While the store is unavailable, the owner of a cookie is unknown, so one bettor may have two sessions.
        if sessions.live > 2 * scenario.bettors.len() {
            scenario.trace.wrong(|| format!("{} sessions live", sessions.live));
        }
        if node.placements.running() > PLACEMENTS_PER_ACCOUNT_MAX * scenario.bettors.len() {
            scenario.trace.wrong(|| format!("{} orders run", node.placements.running()));
        }
        if clock::since_begin_ms() % 2_000 < 500 {
            for finding in node.stores.audit().await.map(|report| report.findings).unwrap_or_default() {
                scenario.trace.wrong(|| format!("the ledger: {finding}"));
            }
        }
    }
}

/// What was wrong with the offer or a client's copy, and at which state. Unless the state changes, the result stays the
/// same and the check is skipped, because a stalled client may take a minute.
#[derive(Default)]
pub(super) struct LastViolation {
    /// The versions of the offers, added up, and how much clients had read.
    at: (u64, u64),
    what: Option<String>,
}

/// Checks what must hold after all faults have ended; returns the first violation.
pub(super) async fn check_final(scenario: &Scenario, nodes: &Nodes, before: &mut LastViolation) -> Result<(), String> {
    // The cheapest checks first, because this runs every second.
    if let Some(browser) = scenario.browsers.iter().find(|browser| browser.is_stalled.get()) {
        return Err(format!("{} does not read on yet", browser.name));
    }
    let nodes = nodes.all();
    if nodes.iter().any(|living| living.life.is_over()) {
        return Err("a node is dead".to_owned());
    }
    let nodes: Vec<Node> = nodes.into_iter().map(|living| living.node).collect();
    let Some(node) = nodes.first() else { return Ok(()) };
    for bettor in &scenario.bettors {
        alike(bettor).map_err(|wrong| format!("{}: {wrong}", bettor.name))?;
        saved(scenario, bettor, node).await.map_err(|wrong| format!("{}: {wrong}", bettor.name))?;
        settled(scenario, bettor, node).await.map_err(|wrong| format!("{}: {wrong}", bettor.name))?;
    }
    let versions = nodes.iter().map(|node| node.offer.model.version()).sum();
    let at = (versions, scenario.trace.noted());
    if before.at != at || before.what.is_none() {
        *before = LastViolation { at, what: shown(scenario, &nodes).await.err() };
    }
    before.what.clone().map_or(Ok(()), Err)
}

/// The offer of each node equals the producer's, and every client has that of the node it is connected to.
async fn shown(scenario: &Scenario, nodes: &[Node]) -> Result<(), String> {
    for browser in &scenario.browsers {
        let (node, lang) = (&nodes[browser.node.get()], browser.lang);
        let feed = node.offer.model.feed_state(lang);
        if feed != FeedState::Active {
            return Err(format!("the feed in {} is {feed:?}", lang.code()));
        }
        let offer = node.get(&format!("live/offer?lang={}", lang.code())).await;
        if offer.status != 200 {
            return Err(format!("GET live/offer in {} is answered with {}", lang.code(), offer.status));
        }
        is_true(&offer.json(), &scenario.producer.truth(lang)).map_err(|wrong| format!("{}: {wrong}", lang.code()))?;
        converged(browser, node).await.map_err(|wrong| format!("{}: {wrong}", browser.name))?;
    }
    Ok(())
}

/// The offer equals what the producer last published.
fn is_true(offer: &Value, truth: &FeedUpdate) -> Result<(), String> {
    let of_market = |market: &Arc<kvota_domain::market::Market>| -> Value {
        let odds: Vec<Value> =
            market.odds.iter().map(|odd| json!([odd.id.get(), f64::from(odd.value.thousandths()) / 1000.0])).collect();
        json!([market.id.get(), odds])
    };
    let of_match = |update: &MatchUpdate| -> (u64, Value) {
        let live_match = &update.live_match;
        let markets: Vec<Value> = live_match.markets.iter().map(of_market).collect();
        let value =
            json!([live_match.home, live_match.betting, live_match.suspended == Some(true), live_match.score, markets]);
        (update.id().get(), value)
    };
    let expected: BTreeMap<u64, Value> = truth.sports.iter().flat_map(|sport| &sport.matches).map(of_match).collect();
    let matches = offer["sports"].as_array().into_iter().flatten().flat_map(|sport| sport["matches"].as_array());
    let of_object = |object: &Value| -> (u64, Value) {
        let odds = |market: &Value| -> Vec<Value> {
            let odd = |odd: &Value| json!([odd["id"], odd["value"].as_f64()]);
            market["odds"].as_array().into_iter().flatten().map(odd).collect()
        };
        let markets: Vec<Value> = object["markets"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|market| json!([market["id"], odds(market)]))
            .collect();
        let is_suspended = object["suspended"] == true;
        let value = json!([object["home"], object["betting"], is_suspended, object["score"], markets]);
        (object["id"].as_u64().unwrap_or_default(), value)
    };
    let seen: BTreeMap<u64, Value> = matches.flatten().map(of_object).collect();
    first_difference("the offer is not what the feed says", &seen, &expected, Value::to_string)
}

/// A client's copy equals a fresh answer, for all that it watches (CONTRACT 3.1).
async fn converged(browser: &Browser, node: &Node) -> Result<(), String> {
    let lang = browser.lang.code();
    let body = node.get(&format!("live/offer?view=rows&lang={lang}")).await.json();
    let mut fresh = Replica::default();
    fresh.load_offer(&body);
    let mut details = BTreeMap::new();
    for id in &browser.watched.matches {
        let answer = node.get(&format!("live/match/{id}?lang={lang}")).await;
        details.insert(*id, (answer.status == 200).then(|| answer.json()));
    }
    let screen = browser.screen.borrow();
    if !screen.is_connected {
        return Err("is not connected".to_owned());
    }
    let favourites: BTreeSet<u64> =
        screen.favourites.iter().flat_map(|it| it.as_array()).flatten().filter_map(Value::as_u64).collect();
    let is_watched = |id: &u64| browser.watched.has_row(*id) || browser.watched.favourites && favourites.contains(id);
    let (held, is) = (rows(&screen.replica, is_watched), rows(&fresh, is_watched));
    first_difference("rows differ from a fresh offer", &held, &is, |row| json!(row).to_string())?;
    let (held, is) = (sports(&screen.replica, browser), sports(&fresh, browser));
    first_difference("sports differ from a fresh offer", &held, &is, |sport| sport.to_string())?;
    for (id, body) in details {
        detail(&screen.replica, id, body.as_ref())?;
    }
    Ok(())
}

/// Revision, fields and markets of a row.
type ShownRow<'a> = (u64, &'a Map<String, Value>, &'a [Value]);

/// Rows without their clocks, which can differ by a second.
fn rows(of: &Replica, is_watched: impl Fn(&u64) -> bool) -> BTreeMap<u64, ShownRow<'_>> {
    let watched = of.rows.iter().filter(|(id, _)| is_watched(id));
    watched.map(|(id, row)| (*id, (row.revision, &row.fields, row.markets.as_slice()))).collect()
}

fn sports<'a>(of: &'a Replica, browser: &Browser) -> BTreeMap<u64, &'a Value> {
    let watched = of.sports.iter().filter(|(id, _)| browser.watched.has_sport(**id));
    watched.map(|(id, sport)| (*id, sport)).collect()
}

/// The row and the detail of a match together contain all its markets, in order.
fn detail(replica: &Replica, id: u64, body: Option<&Value>) -> Result<(), String> {
    let (Some(body), Some(detail), Some(row)) = (body, replica.details.get(&id), replica.rows.get(&id)) else {
        let is_gone = body.is_none() && !replica.details.contains_key(&id);
        return if is_gone { Ok(()) } else { Err(format!("the detail of match {id} is here or there alone")) };
    };
    let mut by_id: BTreeMap<String, Value> =
        row.markets.iter().chain(&detail.markets).map(|market| (market[0].to_string(), market.clone())).collect();
    let held: Vec<Value> = detail.layout.iter().filter_map(|id| by_id.remove(&id.to_string())).collect();
    let expected: Vec<Value> = body["markets"].as_array().into_iter().flatten().map(market_array).collect();
    let (held, expected) = (BTreeMap::from([(id, json!(held))]), BTreeMap::from([(id, json!(expected))]));
    first_difference("markets differ from a fresh match", &held, &expected, Value::to_string)
}

fn first_difference<T: PartialEq>(
    what: &str,
    seen: &BTreeMap<u64, T>,
    expected: &BTreeMap<u64, T>,
    text_of: impl Fn(&T) -> String,
) -> Result<(), String> {
    if seen == expected {
        return Ok(());
    }
    let ids: BTreeSet<&u64> = seen.keys().chain(expected.keys()).collect();
    let different = ids.into_iter().find(|id| seen.get(id) != expected.get(id));
    let id = different.copied().unwrap_or_default();
    let text = |of: Option<&T>| of.map_or_else(|| "nothing".to_owned(), &text_of);
    Err(format!("{what}: {id} is {} and not {}", text(seen.get(&id)), text(expected.get(&id))))
}

/// A ticket without its texts, which depend on the language.
fn plain(ticket: &Value) -> Value {
    let mut ticket = ticket.clone();
    for pair in ticket["pairs"].as_array_mut().into_iter().flatten() {
        for word in ["home", "away", "marketName", "oddName"] {
            pair.as_object_mut().map(|pair| pair.remove(word));
        }
    }
    ticket
}

/// Ticket and favourites are the same on all tabs.
fn alike(bettor: &Bettor) -> Result<(), String> {
    let held = |browser: &Rc<Browser>| {
        let screen = browser.screen.borrow();
        (screen.ticket.as_ref().map(plain), screen.favourites.clone())
    };
    let first = bettor.browsers.first().map(held);
    let Some((Some(_), Some(_))) = &first else { return Err("has no ticket".to_owned()) };
    match bettor.browsers.iter().map(held).find(|other| Some(other) != first.as_ref()) {
        Some(other) => Err(format!("tabs differ: {first:?} and {other:?}")),
        None => Ok(()),
    }
}

/// The saved ticket equals the shown one.
async fn saved(scenario: &Scenario, bettor: &Bettor, node: &Node) -> Result<(), String> {
    let Some(shown) = bettor.browsers.first().and_then(|it| it.screen.borrow().ticket.clone()) else {
        return Err("has no ticket".to_owned());
    };
    let saved = node.stores.sessions.load(bettor.owner()).await.map_err(|error| error.to_string())?;
    let bytes = saved.as_ref().map_or(0, |saved| saved.bytes.len());
    if bytes > SESSION_BYTES_MAX {
        scenario.trace.wrong(|| format!("{}: {bytes} bytes are saved", bettor.name));
    }
    let state = saved.map(|saved| kvota_wire::session::decode(&saved.bytes)).transpose();
    let state = state.map_err(|error| format!("what is saved cannot be read: {error}"))?;
    let pairs: Vec<Value> = state
        .iter()
        .flat_map(|state| &state.ticket.pairs)
        .map(|pair| json!([pair.match_id.get(), pair.odd_id.get(), pair.is_fix]))
        .collect();
    let pair = |pair: &Value| json!([pair["matchId"], pair["oddId"], pair["isFix"]]);
    let expected: Vec<Value> = shown["pairs"].as_array().into_iter().flatten().map(pair).collect();
    if pairs == expected { Ok(()) } else { Err(format!("{pairs:?} is saved and {expected:?} is shown")) }
}

/// No bet is stored twice or lost, each is settled by the true results, and the account has what is left and was paid.
async fn settled(scenario: &Scenario, bettor: &Bettor, node: &Node) -> Result<(), String> {
    let Some(account) = bettor.account.get() else { return Ok(()) };
    if !bettor.is_certain() {
        return Err("does not know yet what became of an order".to_owned());
    }
    let answers: BTreeSet<String> = bettor
        .orders
        .borrow()
        .iter()
        .filter_map(|order| order.answer.as_ref().filter(|answer| answer.status == 200))
        .map(|answer| answer.json()["ticketId"].as_str().unwrap_or_default().to_owned())
        .collect();
    let page =
        node.stores.bets.tickets(account, TicketFilter::All, None, 1_000).await.map_err(|error| error.to_string())?;
    let page = page.unwrap_or_default().tickets;
    let kept: BTreeSet<String> = page.iter().map(|stored| stored.ticket_id.to_string()).collect();
    let accepted =
        bettor.orders.borrow().iter().filter(|order| order.answer.as_ref().is_some_and(|it| it.status == 200)).count();
    if answers.len() != accepted || kept != answers || page.len() != accepted {
        return Err(format!("{accepted} bets were taken, {} tickets told, {} kept", answers.len(), page.len()));
    }
    let staked: Money = page.iter().map(|stored| stored.bet.bruto).sum();
    if !scenario.results.is_confirmed() {
        return Err("has results that are not confirmed".to_owned());
    }
    for stored in &page {
        let checked = graded(scenario, stored).and_then(|()| bettor.cash_outs.borrow().check(stored));
        checked.map_err(|wrong| format!("bet {}: {wrong}", stored.number))?;
    }
    let settled = page.iter().filter_map(|stored| stored.settlement.as_ref()).map(|settlement| settlement.paid);
    let cashed_out = page.iter().flat_map(|stored| &stored.cash_outs).map(|cash_out| cash_out.paid);
    let paid: Money = settled.chain(cashed_out).sum();
    let expected = OPENING_BALANCE.cents() - staked.cents() + paid.cents();
    let left = node.stores.accounts.money(account).await.map_err(|error| error.to_string())?;
    let left = left.ok_or("has no account")?;
    if left.balance > Money::ZERO && left.receivable > Money::ZERO {
        return Err(format!("owes something beside a balance: {left:?}"));
    }
    let is = left.balance.cents() - left.receivable.cents();
    if is == expected { Ok(()) } else { Err(format!("has {is} cents and not {expected}")) }
}

/// How many bets have a settlement, and how many cash-outs were paid.
pub(super) fn settlements(scenario: &Scenario) -> (u64, u64) {
    let memory = scenario.disk.memory();
    let mut counts = (0, 0);
    for account in scenario.bettors.iter().filter_map(|bettor| bettor.account.get()) {
        let page = memory.tickets(account, TicketFilter::All, None, 1_000).now_or_never();
        for stored in page.and_then(Result::ok).flatten().into_iter().flat_map(|page| page.tickets) {
            counts.0 += u64::from(stored.settlement.is_some());
            counts.1 += stored.cash_outs.len() as u64;
        }
    }
    counts
}

/// A bet has the state and the payout that its true results give.
fn graded(scenario: &Scenario, stored: &StoredBet) -> Result<(), String> {
    let paid = stored.settlement.as_ref().map(|settlement| settlement.paid);
    let is = (stored.state, paid);
    let results = scenario.results.of(stored);
    let terms = stored.terms().ok_or("has no rules")?;
    let expected = match grade(&terms, &results) {
        // Nothing is left of it.
        _ if stored.rest.bruto == Money::ZERO => (BetState::CashedOut, None),
        Grade::Open => (BetState::Open, None),
        Grade::Decided(settlement) => {
            let state = match settlement.outcome {
                Outcome::Won => BetState::Won,
                Outcome::Lost => BetState::Lost,
                Outcome::Void => BetState::Void,
            };
            (state, Some(settlement.paid))
        }
    };
    if is == expected { Ok(()) } else { Err(format!("is {is:?} and not {expected:?} by {results:?}")) }
}

/// What was acknowledged must be saved (docs/decisions/0011): when the client learns of it, and after a crash.
///
/// Checked only for bettors with one tab, because the order of two tabs is unknown. Checked only if the store never
/// failed, because without a store an acknowledged change is kept in memory alone.
pub(super) fn acknowledged_is_saved(scenario: &Scenario) {
    if scenario.plan.store_failed + scenario.plan.store_away > 0 {
        return;
    }
    for bettor in scenario.bettors.iter().filter(|bettor| bettor.browsers.len() == 1) {
        let Some(expected) = bettor.browsers[0].consent.borrow().sure.clone() else { continue };
        let saved = scenario.disk.memory().load(bettor.owner()).now_or_never().and_then(Result::ok).flatten();
        let state = saved.and_then(|saved| kvota_wire::session::decode(&saved.bytes).ok());
        // A session without a change is not saved; its consent is the default.
        let consent = state.map_or(Consent::Higher, |state| state.ticket.consent).code();
        if consent != expected {
            scenario.trace.wrong(|| format!("{}: {expected} was acknowledged, and {consent} is saved", bettor.name));
        }
    }
}

/// What a bettor has that must survive a restart.
pub(super) fn tickets(scenario: &Scenario) -> Vec<Value> {
    let of = |bettor: &Rc<Bettor>| {
        let screen = bettor.browsers[0].screen.borrow();
        let ticket = screen.ticket.as_ref().map(plain);
        json!([bettor.name, ticket, screen.favourites])
    };
    scenario.bettors.iter().map(of).collect()
}

/// A new process has the tickets of the previous one.
pub(super) fn same_tickets(scenario: &Scenario, before: &[Value]) {
    for (before, after) in before.iter().zip(tickets(scenario)) {
        if *before != after {
            scenario.trace.wrong(|| format!("after a restart without a fault {after}, and before it {before}"));
        }
    }
}
