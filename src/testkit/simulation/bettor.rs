//! A simulated bettor with one or more tabs: picks odds, marks favourites, and places what the ticket shows. Repeats an
//! order with the same key until its outcome is known.

use super::Scenario;
use super::browser::Browser;
use super::cash_outs::CashOuts;
use super::nodes::{LivingNode, Nodes};
use super::producer::{MATCHES, market_of};
use super::screen::Watched;
use super::trace::Trace;
use crate::testkit::seed::Dice;
use crate::testkit::virtual_world::{Answer, Node};
use crate::testkit::world::OPENING_BALANCE;
use kvota_domain::lang::Lang;
use kvota_domain::session::SessionId;
use kvota_store::{AccountId, SessionOwner};
use kvota_wire::Encoding;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Bettors of a simulation: two with accounts, one without.
pub(super) const PEOPLE: u8 = 3;

/// One simulated bettor.
pub(super) struct Bettor {
    /// For the trace.
    pub(super) name: &'static str,
    session: SessionId,
    /// `None` for an anonymous bettor.
    pub(super) account: Cell<Option<AccountId>>,
    /// The bettor's tabs.
    pub(super) browsers: Vec<Rc<Browser>>,
    /// All orders so far.
    pub(super) orders: RefCell<Vec<Order>>,
    /// All cash-outs so far.
    pub(super) cash_outs: RefCell<CashOuts>,
    pub(super) trace: Trace,
}

/// A bet to be placed.
#[derive(Clone)]
pub(super) struct Order {
    key: String,
    body: Value,
    /// The outcome, once it is certain.
    pub(super) answer: Option<Answer>,
    /// A 200 that the server sent but that was lost on the way.
    lost: Option<Answer>,
}

impl Bettor {
    pub(super) fn new(number: u8, trace: &Trace) -> Bettor {
        let name = ["ana", "ivo", "nobody"][usize::from(number)];
        let session = SessionId::from_bytes([number + 1; 16]);
        let watched = |sports: Option<&[u64]>, favourites, matches: &[u64]| Watched {
            sports: sports.map(<[u64]>::to_vec),
            favourites,
            matches: matches.to_vec(),
        };
        let tabs = match number {
            0 => vec![
                (Lang::Hr, Encoding::Json, watched(None, false, &[101])),
                (Lang::En, Encoding::Msgpack, watched(Some(&[1]), false, &[102, 501])),
            ],
            1 => vec![(Lang::Sr, Encoding::Msgpack, watched(Some(&[5]), false, &[]))],
            _ => vec![(Lang::Bs, Encoding::Json, watched(Some(&[]), true, &[103]))],
        };
        let browser = |(place, (lang, encoding, watched))| {
            Rc::new(Browser::new(format!("{name} {place}"), session, lang, encoding, watched))
        };
        let browsers = (1..).zip(tabs).map(browser).collect();
        let (account, orders, cash_outs) = (Cell::new(None), RefCell::default(), RefCell::default());
        Bettor { name, session, account, browsers, orders, cash_outs, trace: trace.clone() }
    }

    /// The owner of the ticket.
    pub(super) fn owner(&self) -> SessionOwner {
        match self.account.get() {
            Some(account) => SessionOwner::Account(account),
            None => SessionOwner::Anonymous(self.session),
        }
    }

    /// The session id in the cookie.
    pub(super) fn session(&self) -> SessionId {
        self.session
    }

    /// Registers, unless the bettor is anonymous.
    pub(super) async fn register(&self, node: &Node) {
        if self.name != "nobody" {
            self.account.set(Some(node.account(self.name, self.session, OPENING_BALANCE).await));
        }
    }

    /// Whether the outcome of every order and of every cash-out is known.
    pub(super) fn is_certain(&self) -> bool {
        self.orders.borrow().iter().all(|order| order.answer.is_some()) && self.cash_outs.borrow().are_certain()
    }

    /// The tickets of accepted bets.
    pub(super) fn accepted_tickets(&self) -> Vec<String> {
        let orders = self.orders.borrow();
        let accepted = orders.iter().filter_map(|order| order.answer.as_ref()).filter(|answer| answer.status == 200);
        accepted.filter_map(|answer| answer.json()["ticketId"].as_str().map(str::to_owned)).collect()
    }

    /// The matches of accepted bets.
    pub(super) fn matches_with_bets(&self) -> Vec<u64> {
        let orders = self.orders.borrow();
        let accepted = orders.iter().filter(|order| order.answer.as_ref().is_some_and(|answer| answer.status == 200));
        let pairs = accepted.flat_map(|order| order.body["pairs"].as_array()).flatten();
        pairs.filter_map(|pair| pair["matchId"].as_u64()).collect()
    }

    /// The matches on the tickets that its tabs show.
    pub(super) fn picked_matches(&self) -> Vec<u64> {
        let screens = self.browsers.iter().map(|browser| browser.screen.borrow());
        let pairs = screens.filter_map(|screen| screen.ticket.as_ref()?["pairs"].as_array().cloned()).flatten();
        pairs.filter_map(|pair| pair["matchId"].as_u64()).collect()
    }

    /// The ticket of a tab, as the body of `send-ticket`.
    fn slip(&self, dice: &mut Dice) -> Option<Value> {
        let screen = dice.one_of(&self.browsers).screen.borrow();
        let ticket = screen.ticket.as_ref().filter(|ticket| ticket["builderCode"].is_null())?;
        let pair = |pair: &Value| {
            json!({
                "matchId": pair["matchId"], "marketId": pair["oddId"], "marketType": pair["marketType"],
                "marketSubType": pair["marketSubType"], "sbv": pair["sbv"], "oddType": pair["oddType"],
                "oddValue": pair["oddValue"], "isFix": pair["isFix"],
            })
        };
        let pairs: Vec<Value> = ticket["pairs"].as_array()?.iter().map(pair).collect();
        let system = if ticket["type"] == 1 { ticket["selectedSystemCombinations"].clone() } else { json!(0) };
        Some(json!({
            "stake": ticket["taxedStake"], "bruto": ticket["stake"], "potentialWin": ticket["possibleWin"],
            "winTax": ticket["winTax"], "payout": ticket["possiblePayout"], "systemType": system,
            "oddsPolicy": ticket["consent"], "pairs": pairs,
        }))
    }

    /// Does something random on a tab.
    fn play(&self, scenario: &Scenario, dice: &mut Dice) {
        let browser = dice.one_of(&self.browsers);
        let id = *dice.one_of(&MATCHES);
        match dice.below(16) {
            0..=6 => {
                let odd = dice.below(3);
                let market = market_of(id, scenario.producer.generation(id));
                browser.send_command("pick", vec![json!(id), json!(market), json!(market * 100 + odd)]);
            }
            7 | 8 => browser.send_command("favourite", vec![json!(id), json!(dice.chance(700))]),
            9 => browser.send_command("stake", vec![json!(format!("{},{:02}", dice.between(1, 20), dice.below(100)))]),
            10 | 11 => browser.send_command("consent", vec![json!(dice.one_of(&["none", "higher", "any"]))]),
            12 => browser.send_command("type", vec![json!(dice.below(2))]),
            13 => browser.send_command("combination", vec![json!(dice.between(1, 3))]),
            14 => browser.send_command("fix", vec![json!(id), json!(dice.chance(500))]),
            _ => browser.send_command("drop", vec![json!(id)]),
        }
    }

    async fn attempt(&self, scenario: &Scenario, nodes: &Nodes, place: usize, dice: &mut Dice) {
        let order = self.orders.borrow()[place].clone();
        let is_rough = scenario.is_rough.get();
        let strikes = |dice: &mut Dice| is_rough && dice.chance(scenario.plan.calls_lost);
        if strikes(dice) {
            return self.trace.note(|| format!("{}: order {place} is lost on its way", self.name));
        }
        // A repeated order may reach another node.
        let [node, other] = [nodes.any(dice), nodes.any(dice)];
        let ask = |living: LivingNode| {
            let order = &order;
            async move { living.ask(async |node| node.place(self.session, &order.key, &order.body).await).await }
        };
        let answer = if strikes(dice) {
            let (first, second) = futures_util::future::join(ask(node), ask(other)).await;
            if let (Some(first), Some(second)) = (&first, &second)
                && first.status == 200
                && second.status == 200
                && first.body != second.body
            {
                self.trace.wrong(|| format!("{}: order {place} is answered in two ways", self.name));
            }
            if first.as_ref().is_some_and(|answer| answer.status == 200) { first } else { second }
        } else if strikes(dice) {
            let patience = Duration::from_millis(dice.between(1, 3_000));
            match timeout(patience, ask(node)).await {
                Ok(answer) => answer,
                Err(_) => return self.trace.note(|| format!("{}: hung up on order {place}", self.name)),
            }
        } else {
            ask(node).await
        };
        let Some(answer) = answer else {
            return self.trace.note(|| format!("{}: the node of order {place} is dead", self.name));
        };
        self.trace.note(|| format!("{}: order {place} {}", self.name, shown(&answer)));
        if let Some(before) = order.lost.filter(|before| *before != answer && matches!(answer.status, 200 | 400)) {
            self.trace
                .wrong(|| format!("{}: order {place} was {} and is {}", self.name, shown(&before), shown(&answer)));
        }
        let is_lost = strikes(dice);
        let order = &mut self.orders.borrow_mut()[place];
        match answer.status {
            200 if is_lost => order.lost = Some(answer),
            200 | 400 => {
                self.trace.answered(answer.status);
                order.answer = Some(answer);
            }
            // Repeated later with the same key.
            429 | 503 => {}
            status => self.trace.wrong(|| format!("{}: order {place} is answered with {status}", self.name)),
        }
    }
}

/// An answer without the ticket id, which differs between runs.
pub(super) fn shown(answer: &Answer) -> String {
    let mut body = answer.json();
    body.as_object_mut().map(|body| body.remove("ticketId"));
    format!("{} {body}", answer.status)
}

/// Plays and places bets; at the end, makes sure that the outcome of every order is known.
pub(super) async fn bet(scenario: Rc<Scenario>, bettor: Rc<Bettor>, nodes: Rc<Nodes>, mut dice: Dice) {
    loop {
        sleep(Duration::from_millis(dice.between(50, 500))).await;
        let open = bettor.orders.borrow().iter().position(|order| order.answer.is_none());
        if let Some(place) = open {
            bettor.attempt(&scenario, &nodes, place, &mut dice).await;
            continue;
        }
        let is_repeated = bettor.repeat_cash_out(&scenario, &nodes, &mut dice).await;
        if is_repeated || !scenario.is_rough.get() {
            continue;
        }
        if dice.chance(150) {
            bettor.begin_cash_out(&scenario, &nodes, &mut dice).await;
            continue;
        }
        match bettor.account.get().filter(|_| dice.chance(450)).and_then(|_| bettor.slip(&mut dice)) {
            Some(body) => {
                let key = format!("0193f5c2-7d1e-7000-8000-{:012x}", dice.bits() >> 16);
                bettor.trace.note(|| format!("{}: places {body}", bettor.name));
                bettor.orders.borrow_mut().push(Order { key, body, answer: None, lost: None });
                let place = bettor.orders.borrow().len() - 1;
                bettor.attempt(&scenario, &nodes, place, &mut dice).await;
            }
            None => bettor.play(&scenario, &mut dice),
        }
    }
}
