//! The services of a node and what connects them: the sessions, placing, settlement, payments, and the messages of other
//! nodes. The server, the test world and the simulated world all build them here, so that none lacks a service that another
//! one has. Must not know the configuration, nor open a socket.

use super::nodes::{self, NoticeReceivers, Notices, OtherNodes};
use super::supervise::supervise;
use crate::actors::offer_context::OfferContext;
use crate::actors::session::sessions::{SessionDependencies, Sessions};
use crate::betting::auto_cash_out::{AutoCashOut, AutoCashOutQueue};
use crate::betting::bet_events::{BetEvents, BetSubscriber};
use crate::betting::cash_out_availability;
use crate::betting::cashier::{Cashier, CashierKind};
use crate::betting::exclusion_register::PlayerRegister;
use crate::betting::limits::BETTING_PAUSE_EVERY_MS;
use crate::betting::placement::{Betting, Placements};
use crate::betting::protection::Protections;
use crate::betting::settlement::{ResultsElsewhere, Settlements};
use actix::Arbiter;
use kvota_store::nodes::NodeLink;
use kvota_store::{BetRules, Stores};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;

/// What the services are built from.
pub struct ServiceParts {
    /// What the actors of the offer share.
    pub offer: OfferContext,
    /// Accounts, bets, results and saved sessions.
    pub stores: Stores,
    /// The link to the other nodes; `None` if there can be none.
    pub link: Option<NodeLink>,
    /// Taxes, limits and delays of bets.
    pub betting: Betting,
    /// The register of excluded players.
    pub register: PlayerRegister,
    /// The cashier.
    pub cashier: CashierKind,
    /// How long a higher limit of a bettor waits, in ms.
    pub raise_after_ms: i64,
    /// The wall clock, ms since the epoch.
    pub now_ms: fn() -> i64,
    /// A thread that outlives the calls, so that a bet is completed even if its client disconnects; `None`: that of the
    /// call.
    pub completes_on: Option<Handle>,
    /// Whether the sessions get a thread of their own.
    pub sessions_have_thread: bool,
}

/// The services of a node. Clones share them.
#[derive(Clone)]
pub struct Services {
    /// The bettors' sessions.
    pub sessions: Sessions,
    /// Places bets and cashes them out.
    pub placements: Placements,
    /// The settlement engine, which does nothing until it runs over a source of results.
    pub settlements: Settlements,
    /// Limits and exclusions of bettors.
    pub protections: Protections,
    /// The register of excluded players.
    pub register: PlayerRegister,
    /// Deposits and withdrawals.
    pub cashier: Cashier,
    /// Publishes what happens to bets, to this node and the others.
    pub bet_events: BetEvents,
    /// What the rules of cash-outs have to look at.
    pub auto_cash_outs: AutoCashOutQueue,
    /// The results that other nodes store.
    pub results_elsewhere: ResultsElsewhere,
    offer: OfferContext,
    stores: Stores,
    notices: Option<Notices>,
}

/// A task that runs as long as the node, and starts again when it panics.
pub struct Task {
    name: &'static str,
    offer: OfferContext,
    make: Box<dyn Fn() -> Pin<Box<dyn Future<Output = ()>>>>,
}

impl Services {
    /// Builds the services. Also returns the thread of the sessions, if they have one.
    pub fn start(parts: ServiceParts) -> (Services, Option<Arbiter>) {
        let ServiceParts { offer, stores, link, betting, register, cashier, now_ms, .. } = parts;
        let model = Arc::clone(&offer.model);
        let (sender, notices) = link.map(|link| (link.sender, link.notices)).unzip();
        let sender = sender.unwrap_or_default();
        let dependencies = SessionDependencies {
            model: Arc::clone(&model),
            bus: offer.bus.clone(),
            fail_points: offer.fail_points.clone(),
            sessions: Arc::clone(&stores.sessions),
            accounts: Arc::clone(&stores.accounts),
            protection: Arc::clone(&stores.protection),
            shared_limits: Arc::clone(&stores.shared_limits),
            nodes: sender.clone(),
            rules: betting.rules.clone(),
            now_ms,
        };
        let (sessions, thread) = if parts.sessions_have_thread {
            let (sessions, thread) = Sessions::start(dependencies);
            (sessions, Some(thread))
        } else {
            (Sessions::start_here(dependencies), None)
        };
        let (auto_cash_outs, results_elsewhere) = (AutoCashOutQueue::default(), ResultsElsewhere::default());
        let bet_events = BetEvents::new([
            Arc::new(sessions.clone()) as Arc<dyn BetSubscriber>,
            Arc::new(OtherNodes(sender)) as Arc<dyn BetSubscriber>,
            Arc::new(auto_cash_outs.clone()) as Arc<dyn BetSubscriber>,
        ]);
        let rules = BetRules { rules: betting.rules.clone(), void_returns_stake_tax: betting.void_returns_stake_tax };
        let settlements = Settlements::new(stores.clone(), Arc::clone(&model), rules, bet_events.clone(), now_ms)
            .with_watched_bets_first(sessions.cash_out_values(), results_elsewhere.clone());
        let protection = Arc::clone(&stores.protection);
        let services = Services {
            protections: Protections::new(protection, bet_events.clone(), now_ms, parts.raise_after_ms),
            cashier: Cashier::new(cashier, Arc::clone(&stores.cashier), bet_events.clone()),
            placements: Placements::with_register(
                model,
                stores.clone(),
                betting,
                register.clone(),
                now_ms,
                parts.completes_on,
                bet_events.clone(),
            ),
            sessions,
            settlements,
            register,
            bet_events,
            auto_cash_outs,
            results_elsewhere,
            offer,
            stores,
            notices: notices.map(|notices| Arc::new(tokio::sync::Mutex::new(notices))),
        };
        (services, thread)
    }

    /// The same services, placing bets in another way.
    #[cfg(feature = "testkit")]
    #[must_use]
    pub fn with_placements(self, placements: Placements) -> Services {
        Services { placements, ..self }
    }

    /// The tasks that must run beside the calls. The settlement engine is not among them, because it needs a source of
    /// results.
    pub fn tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        if let Some(notices) = self.notices.clone() {
            let receivers = NoticeReceivers {
                sessions: self.sessions.clone(),
                auto_cash_outs: self.auto_cash_outs.clone(),
                settled_elsewhere: self.results_elsewhere.clone(),
                register: self.register.clone(),
                stores: self.stores.clone(),
                model: Arc::clone(&self.offer.model),
            };
            tasks.push(self.task("nodes", move || nodes::follow(Arc::clone(&notices), receivers.clone())));
        }
        let services = self.clone();
        tasks.push(self.task("cash_out_rules", move || {
            let Services { auto_cash_outs, placements, stores, offer, .. } = services.clone();
            AutoCashOut::new(auto_cash_outs, placements, stores, offer.model).run()
        }));
        let (sessions, placements) = (self.sessions.clone(), self.placements.clone());
        tasks.push(self.task("cash_out_values", move || sessions.clone().send_cash_out_values(placements.clone())));
        let (stores, placements) = (self.stores.clone(), self.placements.clone());
        tasks.push(
            self.task("cash_out_availability", move || {
                cash_out_availability::measure(stores.clone(), placements.clone())
            }),
        );
        let placements = self.placements.clone();
        tasks.push(self.task("betting_pause", move || follow_betting_pause(placements.clone())));
        tasks
    }

    fn task<F: Future<Output = ()> + 'static>(&self, name: &'static str, make: impl Fn() -> F + 'static) -> Task {
        Task { name, offer: self.offer.clone(), make: Box::new(move || Box::pin(make())) }
    }
}

/// Reads every second whether an operator has paused betting.
async fn follow_betting_pause(placements: Placements) {
    loop {
        tokio::time::sleep(Duration::from_millis(BETTING_PAUSE_EVERY_MS)).await;
        placements.read_pause().await;
    }
}

impl Task {
    /// Its name in the log and in `kvota_actor_restarts_total`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Runs it on this thread, and starts it again when it panics.
    pub async fn supervise(self) {
        let Task { name, offer, make } = self;
        supervise(name, move || {
            let (running, fail_points) = (make(), offer.fail_points.clone());
            async move {
                tokio::select! {
                    () = running => {}
                    () = fail_points.task_panics(name) => {}
                }
            }
        })
        .await;
    }
}

impl fmt::Debug for ServiceParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceParts").field("betting", &self.betting).finish_non_exhaustive()
    }
}

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Services").finish_non_exhaustive()
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("name", &self.name).finish_non_exhaustive()
    }
}
