//! Faults by the clock: links, the producer, the whole store, actors, the wall clock, single nodes.

use super::nodes::{LivingNode, Nodes};
use super::producer::MATCHES;
use super::source::Wire;
use super::{Scenario, clock};
use crate::actors::fail_point::{Moment, Point};
use crate::actors::session::inbox::SessionInbox;
use crate::actors::session::sessions::Bettor as Whose;
use crate::hub::publisher_actor::Panic;
use crate::testkit::builders::{match_id, sport_id};
use crate::testkit::seed::Dice;
use kvota_domain::lang::Lang;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Injects faults until the fault phase ends.
pub(super) async fn inject_faults(scenario: Rc<Scenario>, nodes: Rc<Nodes>, wires: Vec<Arc<Wire>>, dice: Dice) {
    tokio::join!(
        links(&scenario, &wires, dice.apart(1)),
        producer(&scenario, dice.apart(2)),
        store(&scenario, dice.apart(3)),
        actors(&scenario, &nodes, dice.apart(4)),
        wall_clock(&scenario, dice.apart(5)),
        deaths(&scenario, &nodes, dice.apart(6)),
    );
}

/// Waits for the next occurrence of something with this chance per mille and second; `None` once the faults have ended.
async fn next(scenario: &Scenario, dice: &mut Dice, per_mille: u64) -> Option<()> {
    loop {
        sleep(Duration::from_secs(1)).await;
        if !scenario.is_rough.get() {
            return None;
        }
        if dice.chance(per_mille) {
            return Some(());
        }
    }
}

async fn for_a_while(dice: &mut Dice, most_ms: u64) {
    sleep(Duration::from_millis(dice.between(50, most_ms))).await;
}

async fn links(scenario: &Scenario, wires: &[Arc<Wire>], mut dice: Dice) {
    while next(scenario, &mut dice, scenario.plan.link_broken).await.is_some() {
        scenario.producer.break_links(wires);
        for_a_while(&mut dice, 10_000).await;
        wires.iter().for_each(|wire| scenario.producer.mend_link(wire));
    }
}

async fn producer(scenario: &Scenario, mut dice: Dice) {
    let (restarted, silent) = (scenario.plan.producer_restarted, scenario.plan.producer_silent);
    while next(scenario, &mut dice, restarted + silent).await.is_some() {
        match dice.below(restarted + silent) {
            which if which < restarted => scenario.producer.restart(),
            _ if dice.chance(500) => scenario.producer.fall_silent(Duration::from_millis(dice.between(1_000, 20_000))),
            _ => {
                scenario.producer.set_active(false);
                for_a_while(&mut dice, 8_000).await;
                scenario.producer.set_active(true);
            }
        }
    }
}

async fn store(scenario: &Scenario, mut dice: Dice) {
    while next(scenario, &mut dice, scenario.plan.store_away).await.is_some() {
        scenario.trace.note(|| "the store is away".to_owned());
        scenario.disk.set_unavailable(true);
        for_a_while(&mut dice, 8_000).await;
        scenario.disk.set_unavailable(false);
    }
}

async fn wall_clock(scenario: &Scenario, mut dice: Dice) {
    while next(scenario, &mut dice, scenario.plan.clock_jumps).await.is_some() {
        let (back, by_ms) = (dice.chance(500), dice.between(1, 3_600_000) as i64);
        clock::jump(if back { -by_ms } else { by_ms });
        scenario.trace.note(|| format!("the clock jumps by {by_ms} ms, back: {back}"));
    }
}

async fn deaths(scenario: &Scenario, nodes: &Nodes, mut dice: Dice) {
    let mut nonce = nodes.len() as u64;
    while next(scenario, &mut dice, scenario.plan.node_killed).await.is_some() {
        let number = nodes.kill(&mut dice);
        for_a_while(&mut dice, 5_000).await;
        nonce += 1;
        nodes.restart(number, nonce).await;
    }
}

async fn actors(scenario: &Scenario, nodes: &Nodes, mut dice: Dice) {
    while next(scenario, &mut dice, scenario.plan.panics).await.is_some() {
        let (which, moment) = (dice.below(12), *dice.one_of(&Moment::ALL));
        let LivingNode { node, life } = nodes.any(&mut dice);
        if life.is_over() {
            continue;
        }
        scenario.trace.note(|| format!("a panic of kind {which}, {moment:?}"));
        match which {
            0..=5 => {
                // Mostly a match that is on a ticket. Twice: the repeated command dies as well.
                let picked = dice.one_of(&scenario.bettors).picked_matches();
                let id = if picked.is_empty() { *dice.one_of(&MATCHES) } else { *dice.one_of(&picked) };
                let (point, times) = (Point::Match(match_id(id)), dice.between(1, 2) as u32);
                node.offer.fail_points.arm_times(point, moment, times);
            }
            6 => node.offer.fail_points.arm(Point::Sport(sport_id(*dice.one_of(&[1, 5]))), moment),
            7 if dice.chance(300) => node.offer.fail_points.arm(Point::Feed, moment),
            9 => node.offer.fail_points.arm(*dice.one_of(&[Point::Session, Point::Sessions]), moment),
            10 => node.offer.fail_points.arm(Point::Publisher, moment),
            7 => node.sessions.panic().await,
            8 => {
                if let Some(publisher) = node.publishers.all().first() {
                    // The actor dies, so the answer is always an error.
                    let _ = publisher.send(Panic).await;
                }
            }
            _ => {
                let bettor = dice.one_of(&scenario.bettors);
                let whose = Whose { owner: bettor.owner(), ..Whose::anonymous(bettor.session()) };
                let inbox = Arc::new(SessionInbox::new(bettor.session(), Lang::Hr));
                if let Ok(handle) = node.sessions.attach(&whose, Arc::clone(&inbox), false).await {
                    handle.panic();
                }
                inbox.hang_up();
            }
        }
    }
}
