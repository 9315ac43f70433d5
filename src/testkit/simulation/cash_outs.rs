//! The cash-outs of a simulated bettor: calls that are repeated with the same key until their outcome is known, and
//! rules. At the end, every stored cash-out must be one that the bettor knows of.

use super::Scenario;
use super::bettor::{Bettor, shown};
use super::nodes::Nodes;
use crate::testkit::seed::Dice;
use crate::testkit::virtual_world::Answer;
use actix_web::test::TestRequest;
use kvota_domain::money::Money;
use kvota_store::StoredBet;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The cash-outs and rules of a bettor.
#[derive(Default)]
pub(super) struct CashOuts {
    calls: Vec<Call>,
    /// The amounts of the rules that were set, by ticket.
    rules: BTreeMap<String, Vec<Money>>,
}

#[derive(Clone)]
struct Call {
    ticket_id: String,
    key: String,
    body: Value,
    /// The outcome, once it is certain.
    answer: Option<Answer>,
}

impl CashOuts {
    /// Whether the outcome of every call is known.
    pub(super) fn are_certain(&self) -> bool {
        self.calls.iter().all(|call| call.answer.is_some())
    }

    /// Whether the stored cash-outs of a bet are those that were answered, and at most one by a rule.
    pub(super) fn check(&self, stored: &StoredBet) -> Result<(), String> {
        let mut paid: Vec<Money> = stored.cash_outs.iter().map(|cash_out| cash_out.paid).collect();
        for call in self.calls.iter().filter(|call| call.ticket_id == stored.ticket_id.as_str()) {
            let answered = call.answer.as_ref().filter(|answer| answer.status == 200);
            let Some(amount) = answered.and_then(|answer| Money::parse(answer.json()["paid"].as_str()?)) else {
                continue;
            };
            let Some(at) = paid.iter().position(|paid| *paid == amount) else {
                return Err(format!("{amount} was answered, and {paid:?} is stored"));
            };
            paid.remove(at);
        }
        let rules = self.rules.get(stored.ticket_id.as_str());
        let lowest = rules.and_then(|rules| rules.iter().min());
        match (paid.as_slice(), lowest) {
            ([], _) => Ok(()),
            ([by_rule], Some(lowest)) if by_rule >= lowest => Ok(()),
            _ => Err(format!("{paid:?} was paid without a call, by rules of {rules:?}")),
        }
    }
}

impl Bettor {
    /// Repeats a call without an outcome; returns whether there was one.
    pub(super) async fn repeat_cash_out(&self, scenario: &Scenario, nodes: &Nodes, dice: &mut Dice) -> bool {
        let open = self.cash_outs.borrow().calls.iter().position(|call| call.answer.is_none());
        if let Some(place) = open {
            self.cash_out(scenario, nodes, place, dice).await;
        }
        open.is_some()
    }

    /// Cashes a bet out at the value that is shown, or sets a rule for it.
    pub(super) async fn begin_cash_out(&self, scenario: &Scenario, nodes: &Nodes, dice: &mut Dice) {
        let tickets = self.accepted_tickets();
        if tickets.is_empty() {
            return;
        }
        let (ticket_id, node) = (dice.one_of(&tickets).clone(), nodes.any(dice));
        let call = format!("account/tickets/{ticket_id}/cash-out");
        let value = node.ask(async |node| node.get_as(self.session(), &call).await.json()).await;
        let Some(net) = value.as_ref().and_then(|value| value["net"].as_str()).and_then(Money::parse) else { return };
        if dice.chance(400) {
            let percent = dice.between(60, 140) as i64;
            let at_least = Money::from_cents((net.cents() * percent / 100).max(1));
            // It counts even if the answer is lost.
            self.cash_outs.borrow_mut().rules.entry(ticket_id.clone()).or_default().push(at_least);
            let body = json!({"atLeast": at_least.to_string()}).to_string();
            let request = TestRequest::put().insert_header(("content-type", "application/json")).set_payload(body);
            let call = format!("account/tickets/{ticket_id}/cash-out-rule?lang=en");
            let answer = node.ask(async |node| node.ask(request, &call, Some(self.session())).await).await;
            let Some(answer) = answer else { return };
            return self.trace.note(|| format!("{}: a rule of {at_least}: {}", self.name, shown(&answer)));
        }
        let share = *dice.one_of(&["1", "1", "0.5", "0.25"]);
        let accept = *dice.one_of(&["higher", "any"]);
        let body = json!({"share": share, "net": net.to_string(), "accept": accept});
        let key = format!("0193f5c2-7d1e-7000-9000-{:012x}", dice.bits() >> 16);
        self.trace.note(|| format!("{}: cashes out {body}", self.name));
        let place = {
            let calls = &mut self.cash_outs.borrow_mut().calls;
            calls.push(Call { ticket_id, key, body, answer: None });
            calls.len() - 1
        };
        self.cash_out(scenario, nodes, place, dice).await;
    }

    async fn cash_out(&self, scenario: &Scenario, nodes: &Nodes, place: usize, dice: &mut Dice) {
        let Call { ticket_id, key, body, .. } = self.cash_outs.borrow().calls[place].clone();
        let request = TestRequest::post()
            .insert_header(("idempotency-key", key))
            .insert_header(("content-type", "application/json"))
            .set_payload(body.to_string());
        let call = format!("account/tickets/{ticket_id}/cash-out?lang=en");
        let node = nodes.any(dice);
        let answer = node.ask(async |node| node.ask(request, &call, Some(self.session())).await).await;
        let Some(answer) = answer else { return };
        self.trace.note(|| format!("{}: cash-out {place} {}", self.name, shown(&answer)));
        if scenario.is_rough.get() && dice.chance(scenario.plan.calls_lost) {
            return;
        }
        match answer.status {
            200 | 400 => self.cash_outs.borrow_mut().calls[place].answer = Some(answer),
            // Repeated later with the same key.
            429 | 503 => {}
            status => self.trace.wrong(|| format!("{}: cash-out {place} is answered with {status}", self.name)),
        }
    }
}
