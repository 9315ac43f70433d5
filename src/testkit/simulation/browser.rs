//! A hub client as docs/protocol.md describes it: it connects, watches, loads the offer, applies changes, requests what
//! it missed, and reconnects. While faults are active it stalls, disconnects, and loses frames.

use super::Scenario;
use super::checks;
use super::nodes::Nodes;
use super::screen::{Screen, Watched, is_of_offer, line_of};
use crate::testkit::hub_socket::{HubFrame, HubSocket};
use crate::testkit::seed::Dice;
use kvota_domain::lang::Lang;
use kvota_domain::session::SessionId;
use kvota_wire::Encoding;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// Above this number of gaps a client requests everything.
const GAPS_MAX: usize = 6;

type Command = (&'static str, Vec<Value>);

/// A bettor's tab.
pub(super) struct Browser {
    /// For the trace.
    pub(super) name: String,
    /// The bettor's session.
    pub(super) session: SessionId,
    /// The language of its texts.
    pub(super) lang: Lang,
    /// JSON or msgpack.
    pub(super) encoding: Encoding,
    /// What it watches.
    pub(super) watched: Watched,
    /// The state it shows.
    pub(super) screen: RefCell<Screen>,
    /// The number of the node that it is or was connected to.
    pub(super) node: Cell<usize>,
    /// Whether it is connected but reads nothing at the moment.
    pub(super) is_stalled: Cell<bool>,
    /// The consent that was acknowledged last.
    pub(super) consent: RefCell<ConsentState>,
    line: RefCell<Option<mpsc::UnboundedSender<Command>>>,
}

/// What a tab knows of its consent settings, to check that what was acknowledged was also saved.
#[derive(Clone, Debug, Default)]
pub(super) struct ConsentState {
    /// The last acknowledged one; `None` if another one may have been saved after it.
    pub(super) sure: Option<String>,
    /// A command that is not yet acknowledged.
    in_flight: Option<(u64, String)>,
}

impl ConsentState {
    fn sent(&mut self, n: u64, code: &str) {
        self.sure = None;
        self.in_flight = Some((n, code.to_owned()));
    }

    fn acknowledged(&mut self, message: &Value) {
        if let Some((_, code)) = self.in_flight.take_if(|(n, _)| message[1] == *n) {
            self.sure = message[2].is_null().then_some(code);
        }
    }
}

impl Browser {
    pub(super) fn new(name: String, session: SessionId, lang: Lang, encoding: Encoding, watched: Watched) -> Browser {
        let (screen, consent, line) = (RefCell::default(), RefCell::default(), RefCell::default());
        let (node, is_stalled) = (Cell::new(0), Cell::new(false));
        Browser { name, session, lang, encoding, watched, screen, node, is_stalled, consent, line }
    }

    /// Sends a command if there is a connection.
    pub(super) fn send_command(&self, verb: &'static str, arguments: Vec<Value>) {
        if let Some(line) = &*self.line.borrow() {
            // A connection that has just ended sends nothing more.
            drop(line.send((verb, arguments)));
        }
    }
}

/// Connects, and reconnects after each connection ends.
pub(super) async fn browse(scenario: Rc<Scenario>, browser: Rc<Browser>, nodes: Rc<Nodes>, mut dice: Dice) {
    loop {
        *browser.screen.borrow_mut() = Screen::default();
        *browser.line.borrow_mut() = None;
        // A killed process ended the connection without a clean-up.
        browser.is_stalled.set(false);
        // The last command may or may not have arrived before the connection broke.
        browser.consent.borrow_mut().in_flight = None;
        sleep(Duration::from_millis(dice.between(1, 1_500))).await;
        browser.node.set(dice.below(nodes.len() as u64) as usize);
        let living = nodes.get(browser.node.get());
        let (session, lang, encoding) = (Some(browser.session), browser.lang, browser.encoding);
        let connected = living.ask(async |node| node.connect(session, lang, encoding).await).await;
        match connected {
            Some(Ok(socket)) => {
                scenario.trace.connected();
                let (to_visit, commands) = mpsc::unbounded_channel();
                *browser.line.borrow_mut() = Some(to_visit);
                let life = living.life;
                let visit = Visit {
                    scenario: &scenario,
                    browser: &browser,
                    nodes: &nodes,
                    run: String::new(),
                    dice: &mut dice,
                    socket,
                    resyncing: BTreeSet::new(),
                    wants_offer: false,
                };
                let why = life.during(visit.stay(commands)).await;
                let why = why.unwrap_or_else(|| "the node is dead".to_owned());
                scenario.trace.note(|| format!("{}: {why}", browser.name));
            }
            Some(Err(status)) => scenario.trace.note(|| format!("{}: rejected with {status}", browser.name)),
            None => scenario.trace.note(|| format!("{}: finds a dead node", browser.name)),
        }
    }
}

/// One connection.
struct Visit<'a> {
    scenario: &'a Scenario,
    browser: &'a Browser,
    nodes: &'a Nodes,
    /// The run of the node that it is connected to.
    run: String,
    dice: &'a mut Dice,
    socket: HubSocket,
    /// Resyncs that are not yet acknowledged: command number and match; 0 stands for everything.
    resyncing: BTreeSet<(u64, u64)>,
    wants_offer: bool,
}

impl Visit<'_> {
    /// Runs until the connection ends; returns the reason.
    async fn stay(mut self, mut commands: mpsc::UnboundedReceiver<Command>) -> String {
        let watch = self.socket.send_command("watch", &[self.browser.watched.argument()]);
        self.browser.screen.borrow_mut().is_connected = true;
        loop {
            tokio::select! {
                biased;
                Some((verb, arguments)) = commands.recv() => {
                    self.scenario.trace.note(|| format!("{}: {verb} {arguments:?}", self.browser.name));
                    let n = self.socket.send_command(verb, &arguments);
                    if let ("consent", Some(code)) = (verb, arguments.first().and_then(Value::as_str)) {
                        self.browser.consent.borrow_mut().sent(n, code);
                    }
                }
                frame = self.socket.frame() => match frame {
                    HubFrame::Closed(code) => return format!("closed with {code:?}"),
                    HubFrame::Ping => self.socket.pong(),
                    HubFrame::Messages(frame) => {
                        self.scenario.trace.note(|| format!("{}: {}", self.browser.name, line_of(&frame)));
                        self.read(frame, watch);
                        if self.is_cut().await {
                            return "the connection breaks".to_owned();
                        }
                        self.heal().await;
                    }
                },
            }
        }
    }

    /// Decides whether the connection breaks here. A stalled client pauses here and then continues.
    async fn is_cut(&mut self) -> bool {
        let plan = &self.scenario.plan;
        if !self.scenario.is_rough.get() {
            return false;
        }
        if self.dice.chance(plan.hub_stalled) {
            let ms = self.dice.between(100, 50_000);
            self.browser.is_stalled.set(true);
            sleep(Duration::from_millis(ms)).await;
            self.browser.is_stalled.set(false);
        }
        self.dice.chance(plan.hub_cut / 4)
    }

    fn read(&mut self, frame: Value, watch: u64) {
        let mut screen = self.browser.screen.borrow_mut();
        let feed_before = screen.replica.feed;
        let mut wants_offer = false;
        for message in frame.as_array().into_iter().flatten() {
            screen.note(message);
            if let Some(why) = screen.stray(&self.browser.watched, message) {
                self.scenario.trace.wrong(|| format!("{} {why}: {message}", self.browser.name));
            }
            if message[0] == 0 {
                self.run = message[5].as_str().unwrap_or_default().to_owned();
            }
            match (message[0].as_u64(), message[1].as_u64()) {
                (Some(1), Some(n)) => {
                    self.browser.consent.borrow_mut().acknowledged(message);
                    checks::acknowledged_is_saved(self.scenario);
                    wants_offer |= n == watch;
                    self.resyncing.retain(|(asked, _)| *asked != n);
                }
                (Some(2), Some(1..)) => wants_offer |= feed_before == 0,
                (Some(14), _) => wants_offer = true,
                _ => {}
            }
        }
        let is_shaken = self.scenario.is_rough.get() && is_of_offer(&frame);
        let is_shaken = is_shaken && self.dice.chance(self.scenario.plan.hub_frames);
        match if is_shaken { self.dice.below(3) } else { 3 } {
            0 => {}
            1 => {
                screen.replica.apply_frame(&frame);
                screen.replica.apply_frame(&frame);
            }
            2 => {
                if let Some(late) = screen.late.replace(frame) {
                    screen.replica.apply_frame(&late);
                }
            }
            _ => {
                screen.replica.apply_frame(&frame);
                if let Some(late) = screen.late.take() {
                    screen.replica.apply_frame(&late);
                }
            }
        }
        self.wants_offer |= wants_offer;
    }

    /// Requests what is missing.
    async fn heal(&mut self) {
        let feed = self.browser.screen.borrow().replica.feed;
        if std::mem::take(&mut self.wants_offer) && feed > 0 {
            self.get_offer().await;
        }
        let (gaps, is_lost) = {
            let replica = &mut self.browser.screen.borrow_mut().replica;
            let gaps: BTreeSet<u64> = std::mem::take(&mut replica.gaps).into_iter().collect();
            (gaps, std::mem::take(&mut replica.is_lost))
        };
        let is_asked = |what: u64| self.resyncing.iter().any(|(_, asked)| *asked == what);
        if (is_lost || gaps.len() > GAPS_MAX) && !is_asked(0) {
            return self.resync(0);
        }
        let wanted: Vec<u64> = gaps.into_iter().filter(|id| !is_asked(*id)).collect();
        wanted.into_iter().for_each(|id| self.resync(id));
    }

    fn resync(&mut self, what: u64) {
        let argument = if what == 0 { Value::Null } else { json!(what) };
        let n = self.socket.send_command("resync", &[argument]);
        self.resyncing.insert((n, what));
    }

    async fn get_offer(&mut self) {
        let call = format!("live/offer?view=rows&lang={}&run={}", self.browser.lang.code(), self.run);
        let mut from = self.dice.below(self.nodes.len() as u64) as usize;
        let session = self.browser.session;
        let answer = loop {
            let answer = self.nodes.get(from).ask(async |node| node.get_as(session, &call).await).await;
            match answer {
                Some(answer) => break answer,
                // The load balancer tries the next node.
                None => from = (from + 1) % self.nodes.len(),
            }
            sleep(Duration::from_millis(10)).await;
        };
        if self.scenario.is_rough.get() {
            let late_ms = self.dice.below(300);
            sleep(Duration::from_millis(late_ms)).await;
        }
        self.scenario.trace.note(|| format!("{}: the offer, {}", self.browser.name, answer.status));
        {
            let replica = &mut self.browser.screen.borrow_mut().replica;
            match answer.status {
                200 => replica.load_offer(&answer.json()),
                204 => {
                    replica.rows.clear();
                    replica.sports.clear();
                }
                status => self.scenario.trace.wrong(|| format!("GET live/offer is answered with {status}")),
            }
        }
        // The body of another node is no base of the changes that follow.
        if from != self.browser.node.get() {
            return self.resync(0);
        }
        for id in self.browser.watched.matches.clone() {
            self.resync(id);
        }
    }
}
