//! The golden vectors of the hub's messages: `tests/golden/hub/messages.json`, read here and by the tests of the
//! client. A changed byte is a change of the protocol. `KVOTA_BLESS=1` rewrites the file after an intended change.

use kvota::actors::session::ticket_info;
use kvota::testkit::builders::{MatchBuilder, live_match, market, match_id, price, result, soccer, sport_id, total};
use kvota_domain::aggregate::MatchState;
use kvota_domain::bet::{
    AccountId, AccountMoney, Bet, BetBasis, BetChange, BetPair, BetProgress, BetRules, BetState, CashOutOffer,
    CashOutProgress, CashOutReason, CashOutRule, PairTexts, StoredBet, StoredCashOut, StoredResult, StoredSettlement,
    TicketId,
};
use kvota_domain::delta::PartDelta;
use kvota_domain::ids::{MarketId, OddId};
use kvota_domain::incidents::{History, Incident, IncidentKind};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::matches::{Ball, Side};
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::protection::{RealityCheck, SessionEnd};
use kvota_domain::session_state::{SessionCommand, SessionState};
use kvota_domain::settlement::{CashOutShare, CashOutValue, DeadHeat, PairResult, StakePart};
use kvota_domain::sport::SportInfo;
use kvota_domain::ticket::{CannotBet, Consent, Rules, TicketCommand, TicketKind};
use kvota_read_model::ReadModel;
use kvota_wire::Encoding;
use kvota_wire::bets::TicketBody;
use kvota_wire::hub::message::{Message, Part};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

const DATE: i64 = 1_700_000_000_000;

fn base() -> MatchBuilder {
    live_match(2_500_089)
        .time(600)
        .market(result(10, ["1.85", "3.2", "4"]))
        .market(total(11, "2.5", ["1.9", "1.9"]).balanced().with(|m| m.tags = ["1.Golovi".into()].into()))
        .market(market(13, 29).odd("Da", "1.7").odd("Ne", "2.1"))
}

fn inserted(live_match: MatchBuilder) -> MatchState {
    let columns = soccer().preferred.unwrap_or_default();
    MatchState::inserted(&live_match.insert(), DATE, &columns, PerLang::default(), 300)
}

fn changes(name: &str, before: MatchBuilder, after: MatchBuilder) -> Vec<(String, Message)> {
    let columns = soccer().preferred.unwrap_or_default();
    let before = inserted(before);
    let (state, delta) = before.updated(after.update(), DATE, &columns);
    let state = Arc::new(state);
    let parts = [(Part::Row, delta.row, before.row_revision), (Part::Detail, delta.detail, before.detail_revision)];
    let message = |(part, delta, follows): (Part, Option<PartDelta>, u32)| match delta? {
        PartDelta::Replace => {
            Some((format!("{name}: told whole"), Message::Match { state: Arc::clone(&state), date_ms: DATE }))
        }
        PartDelta::Change(change) => {
            Some((format!("{name}: {part:?}"), Message::Change { state: Arc::clone(&state), part, follows, change }))
        }
    };
    parts.into_iter().filter_map(message).collect()
}

fn sport_info() -> Arc<SportInfo> {
    let mut info = SportInfo::new(sport_id(1));
    info.apply_primary(&soccer());
    Arc::new(info)
}

fn messages() -> Vec<(String, Message)> {
    let id = match_id(2_500_089);
    let state = Arc::new(inserted(base().with(|m| m.ball = Some(Ball { x: 55, y: 40, side: 1, action: 2 }))));
    let named = |name: &str, message: Message| (name.to_owned(), message);
    let mut all = vec![
        named(
            "hello",
            Message::Hello {
                session: "a1b2".into(),
                server_time_ms: DATE,
                feed: FeedState::Active,
                run: "c3d4".into(),
            },
        ),
        named("ack", Message::Ack { n: 7 }),
        named(
            "refused",
            Message::Refused { n: None, code: "not_a_command", text: "a command is [n, verb, ...arguments]".into() },
        ),
        named("feed inactive", Message::Feed(FeedState::Inactive)),
        named("feed recovering", Message::Feed(FeedState::Recovering)),
        named("match", Message::Match { state: Arc::clone(&state), date_ms: DATE + 61_000 }),
        named("match deleted", Message::Deleted(id)),
        named("sport", Message::Sport(sport_info())),
        named("sport whole", Message::WholeSport(sport_info(), vec![id])),
        named("sport removed", Message::SportRemoved(sport_id(1))),
        named("goal", Message::Goal(id, Side::Away)),
        named("detail", Message::Detail(state)),
        named("sport check", Message::SportCheck { sport: sport_id(1), matches: 10, sum: 4_294_967_295 }),
        named("match check", Message::MatchCheck { id, row: 300, detail: 301 }),
        named("date", Message::Date(DATE)),
        named("reload", Message::Reload),
        named("favourites", Message::Favourites([id, match_id(2_500_090)].into())),
        named("account", Message::Account(Some("ana".into()))),
        named("account of nobody", Message::Account(None)),
    ];
    all.extend(tickets());
    let odd = |place: usize, odd: usize, text: &'static str| {
        move |m: &mut kvota_domain::matches::Match| m.market_mut(place).odds[odd].value = price(text)
    };
    all.extend(changes("one odd", base(), base().with(odd(1, 1, "2.05"))));
    all.extend(changes(
        "three odds",
        base(),
        base().with(odd(0, 0, "1.9")).with(odd(0, 1, "3.15")).with(odd(0, 2, "0")),
    ));
    all.extend(changes("an odd of the detail", base(), base().with(odd(2, 0, "126"))));
    all.extend(changes("marks", base(), base().with(|m| m.market_mut(0).odds[0].changed = Some(-1))));
    all.extend(changes(
        "values",
        base(),
        base().with(|m| m.market_mut(0).odds[0].values = Some(["1.85".into(), "17/20".into()].into())),
    ));
    all.extend(changes("a market more", base(), base().market(market(14, 30).odd("Da", "5"))));
    let swap = |m: &mut kvota_domain::matches::Match| {
        m.market_mut(1).balanced = None;
    };
    all.extend(changes(
        "another balanced line",
        base().market(total(12, "3.5", ["1.4", "2.9"])),
        base().market(total(12, "3.5", ["1.4", "2.9"]).balanced()).with(swap),
    ));
    all.extend(changes("suspended", base(), base().suspended()));
    all.extend(changes(
        "goal with all fields",
        base(),
        base().time(700).score(1, 0).status("second_half").with(|m| {
            m.scores = vec![[0, 0], [1, 0]];
            m.betting = false;
            m.suspended = Some(true);
            m.red_cards = Some([1, 0]);
            m.yellow_cards = Some([2, 1]);
            m.corners = Some([3, 4]);
            m.player_serving = Some(2);
            m.tiebreak = Some(true);
            m.game = Some(["40".into(), "AD".into()]);
            m.order = -3;
            m.perform_event_id = Some(9_007_199_254_740_991);
        }),
    ));
    all.extend(changes("clock stops", base(), base().time(640).with(|m| m.clock_stopped = Some(true))));
    all.extend(changes("clock goes", base(), base().no_time()));
    all.extend(changes("clock becomes a text", base(), base().time_text("PV")));
    all.extend(changes("the ball", base(), base().with(|m| m.ball = Some(Ball { x: 1, y: 99, side: 2, action: 3 }))));
    all.extend(changes("the history", base(), base().with(|m| m.history = Some(Arc::new(history())))));
    all.extend(changes("new words", base(), base().with(|m| m.home = Some("Dinamo Zagreb".into()))));
    all
}

/// A goal in the second half, and the pressure of each side in two minutes.
fn history() -> History {
    let mut history = History { pressure: vec![12, -100], ..History::default() };
    history.counts[2] = [41, 300];
    history.add(Incident {
        kind: IncidentKind::Goal,
        side: Side::Away,
        seconds: Some(3_301),
        status: Some("second_half".into()),
        score: Some([0, 1]),
        player: Some("D. Petković".into()),
    });
    let (kind, side) = (IncidentKind::Corner, Side::Home);
    history.add(Incident { kind, side, seconds: None, status: None, score: None, player: None });
    history
}

/// An empty ticket, and a system of three with one pair that cannot be bet on and one whose match is gone.
fn tickets() -> Vec<(String, Message)> {
    let model = ReadModel::new(Lang::Hr, 1);
    model.set_feed(Lang::Hr, FeedState::Active);
    let put = |id: u64, suspended: bool| {
        let live_match = live_match(id).market(result(id * 10, ["1.85", "3.2", "4"]));
        let live_match = if suspended { live_match.suspended() } else { live_match };
        model.put_match(Arc::new(inserted(live_match)));
    };
    (1..=3).for_each(|id| put(id, false));
    let rules = Rules::default();
    let mut state = SessionState::empty(&rules);
    let empty = ticket_info(&state.ticket, &model, &rules, Lang::Hr);
    let pick = |id: u64| TicketCommand::Pick {
        match_id: match_id(id),
        market_id: MarketId::new(id * 10).expect("an id"),
        odd_id: OddId::new(id * 1000 + 1).expect("an id"),
    };
    let verbs = [
        pick(1),
        pick(2),
        pick(3),
        TicketCommand::Type(TicketKind::System),
        TicketCommand::Combination(Some(2)),
        TicketCommand::Stake("10".into()),
        TicketCommand::Consent(Consent::Any),
    ];
    for verb in verbs {
        let command = SessionCommand::Ticket(verb);
        let events = state.decide(&command, &model, &rules, |_| true).expect("it may be done");
        events.iter().for_each(|event| state.apply(event));
    }
    put(2, true);
    model.remove_match(match_id(3));
    let system = ticket_info(&state.ticket, &model, &rules, Lang::Hr);
    let named = |name: &str, info| (name.to_owned(), Message::Ticket(Arc::new(info)));
    vec![named("ticket empty", empty), named("ticket system", system)]
}

/// A bet of two pairs in one of the states that clients show.
pub(crate) fn bet(results: [PairResult; 2], settlement: Option<StoredSettlement>) -> StoredBet {
    let pair = |id: u64, odd: &str| BetPair {
        match_id: match_id(id),
        market_id: MarketId::new(id * 100).expect("a small id"),
        odd_id: OddId::new(id * 1_000).expect("a small id"),
        sport_id: sport_id(1),
        market_type: 1,
        market_subtype: None,
        sbv: (id == 2).then(|| "2.5".to_owned()),
        odd_type: Some("1".to_owned()),
        odds_submitted: price(odd),
        odds_taken: price(odd),
        is_fix: false,
        texts: PairTexts {
            home: format!("Home {id}"),
            away: format!("Away {id}"),
            market: "Konačni ishod".to_owned(),
            odd: "1".to_owned(),
            tournament: "1. HNL".to_owned(),
        },
    };
    let cents = Money::from_cents;
    let is_void = results.iter().all(|result| *result == PairResult::Void);
    let state = match &settlement {
        None => BetState::Open,
        Some(_) if is_void => BetState::Void,
        Some(settlement) if settlement.paid > Money::ZERO => BetState::Won,
        Some(_) => BetState::Lost,
    };
    let stored = |result: PairResult| StoredResult {
        result,
        settled_at_ms: result.is_decided().then_some(DATE + 60_000),
        reason: (result == PairResult::Void).then(|| "source_restarted".to_owned()),
    };
    StoredBet {
        ticket_id: TicketId::new("0193f5c2-7d1e-7000-8000-0123456789ab").expect("an id"),
        account: AccountId::bettor(1).expect("an account"),
        number: 17,
        revision: 3,
        state,
        balance_after: cents(99_000),
        settlement,
        results: results.map(stored).to_vec(),
        rest: StakePart { bruto: cents(1_000), taxed_stake: cents(950) },
        cash_outs: Vec::new(),
        cash_out_rule: None,
        bet: Bet {
            placed_at_ms: DATE,
            bruto: cents(1_000),
            stake: cents(950),
            total_odd: "3.7625".to_owned(),
            system_type: 0,
            potential_win: cents(3_574),
            win_tax: cents(262),
            payout: cents(3_312),
            consent: Consent::Higher,
            basis: BetBasis { rules: Some(BetRules::default()), offer_version: Some(7), feed: None },
            pairs: vec![pair(1, "1.75"), pair(2, "2.15")],
        },
    }
}

fn settlement(number: u32, gross: i64, win_tax: i64, reason: Option<&str>) -> StoredSettlement {
    let (gross, win_tax) = (Money::from_cents(gross), Money::from_cents(win_tax));
    let paid = gross.checked_sub(win_tax).expect("a tax is part of the gross");
    let reason = reason.map(str::to_owned);
    StoredSettlement { number, at_ms: DATE + 60_000, gross, win_tax, paid, reason }
}

/// One bet of each kind that clients show: its name, the bet, and all settlements that were made.
fn bets() -> Vec<(&'static str, StoredBet, Vec<StoredSettlement>)> {
    use PairResult::{DeadHeat as Shared, HalfLost, HalfWon, Lost, Open, Void, Won};
    let half = DeadHeat::from_ten_thousandths(5_000).expect("a share");
    let made = |settlement: StoredSettlement| (Some(settlement.clone()), vec![settlement]);
    let bet_of = |name, results, (standing, all): (Option<StoredSettlement>, Vec<StoredSettlement>)| {
        (name, bet(results, standing), all)
    };
    let (first, second) = (settlement(1, 3_574, 262, None), settlement(2, 0, 0, Some("result corrected")));
    vec![
        bet_of("open", [Open, Open], (None, vec![])),
        bet_of("one pair decided", [Won, Open], (None, vec![])),
        bet_of("won", [Won, Won], made(settlement(1, 3_574, 262, None))),
        bet_of("half won", [Won, HalfWon], made(settlement(1, 2_618, 167, None))),
        bet_of("half lost", [Won, HalfLost], made(settlement(1, 831, 0, None))),
        bet_of("dead heat", [Won, Shared(half)], made(settlement(1, 1_787, 84, None))),
        bet_of("lost", [Lost, Open], made(settlement(1, 0, 0, None))),
        bet_of("void", [Void, Void], made(settlement(1, 1_000, 0, Some("source_restarted")))),
        bet_of("corrected", [Won, Lost], (Some(second.clone()), vec![first, second])),
        ("system", system_bet(), vec![]),
        ("with a cash-out rule", StoredBet { cash_out_rule: rule(2_000), ..bet([Open, Open], None) }, vec![]),
        ("cashed out in part", cashed_out("0.5", 500, BetState::Open), vec![]),
        ("cashed out", cashed_out("1", 0, BetState::CashedOut), vec![]),
    ]
}

fn rule(cents: i64) -> Option<CashOutRule> {
    Some(CashOutRule { at_least: Money::from_cents(cents) })
}

/// A system 1 of 2 with a fixed pair.
fn system_bet() -> StoredBet {
    let mut bet = bet([PairResult::Open, PairResult::Won], None);
    let (mut third, result) = (bet.bet.pairs[0].clone(), bet.results[0].clone());
    (third.match_id, third.is_fix) = (match_id(3), true);
    bet.bet.pairs.push(third);
    bet.results.push(result);
    (bet.bet.system_type, bet.bet.total_odd) = (1, "6.825".to_owned());
    bet
}

/// A bet of which this share was cashed out.
fn cashed_out(share: &str, rest: i64, state: BetState) -> StoredBet {
    let cents = Money::from_cents;
    let share = CashOutShare::parse(share).expect("a share");
    let paid = if share.is_whole() { 2_277 } else { 1_139 };
    let (value, win_tax) = if share.is_whole() { (2_425, 148) } else { (1_213, 74) };
    StoredBet {
        state,
        rest: StakePart { bruto: cents(rest), taxed_stake: cents(rest * 95 / 100) },
        cash_outs: vec![StoredCashOut {
            at_ms: DATE + 90_000,
            share,
            value: cents(value),
            win_tax: cents(win_tax),
            paid: cents(paid),
        }],
        ..bet([PairResult::Won, PairResult::Open], None)
    }
}

fn of_bets() -> Vec<(String, Message)> {
    let named = |name: &str, message| (name.to_owned(), message);
    let progress = |bet: &StoredBet| {
        Arc::new(BetProgress {
            ticket_id: bet.ticket_id.clone(),
            revision: bet.revision,
            state: bet.state,
            results: bet.results.clone(),
            odds_taken: bet.bet.pairs.iter().map(|pair| pair.odds_taken).collect(),
            settlement: bet.settlement.clone(),
            possible: bet.possible(),
            cash_out: None,
        })
    };
    let with_cash_outs = |bet: &StoredBet| {
        let (cash_outs, rule) = (bet.cash_outs.clone(), bet.cash_out_rule);
        let left = CashOutProgress { rest: bet.rest, cash_outs, rule };
        Arc::new(BetProgress { cash_out: Some(left), ..BetProgress::clone(&progress(bet)) })
    };
    let cents = Money::from_cents;
    let value = CashOutValue { value: cents(2_425), win_tax: cents(148), net: cents(2_277) };
    let available = CashOutOffer { value: Some(value), reasons: Vec::new(), odds_now: Vec::new() };
    let none = CashOutOffer::none(CashOutReason::Pair(CannotBet::MatchSuspended));
    let other = TicketId::new("0193f5c2-7d1e-7000-8000-0123456789ac").expect("an id");
    let all = bets();
    let (open, decided, won, corrected) = (&all[0].1, &all[1].1, &all[2].1, &all[8].1);
    let money = AccountMoney { balance: Money::from_cents(102_312), receivable: Money::from_cents(150), revision: 4 };
    let check =
        RealityCheck { time_ms: 1_200_000, staked: Money::from_cents(1_250), returned: Money::from_cents(-300) };
    vec![
        named("bets", Message::Bets(Arc::from([open.clone()]))),
        named("no bets", Message::Bets(Arc::from([]))),
        named("bet placed", Message::Bet(BetChange::Placed(Arc::new(open.clone())))),
        named("bet pair decided", Message::Bet(BetChange::PairDecided(progress(decided)))),
        named("bet settled", Message::Bet(BetChange::Settled(progress(won)))),
        named("bet corrected", Message::Bet(BetChange::Corrected(progress(corrected)))),
        named("bet cashed out", Message::Bet(BetChange::CashedOut(with_cash_outs(&all[12].1)))),
        named("bet cashed out in part", Message::Bet(BetChange::CashedOut(with_cash_outs(&all[11].1)))),
        named("bet with a rule", Message::Bet(BetChange::CashOutRuleChanged(with_cash_outs(&all[10].1)))),
        named("money", Message::Money(money)),
        named("reality check", Message::RealityCheck(Some(check))),
        named("reality check is answered", Message::RealityCheck(None)),
        named("session end", Message::SessionEnd(SessionEnd { ends_at_ms: 1_700_000_000_000, so_far: check })),
        named("account changed", Message::AccountChanged),
        named(
            "cash-out values",
            Message::CashOutValues(Arc::from([(open.ticket_id.clone(), available), (other, none)])),
        ),
    ]
}

/// The bodies of `GET account/tickets/{id}` for one bet of each kind, in `tests/golden/account/tickets.json`.
#[test]
fn bodies_of_bets_equal_the_golden_bodies() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/account/tickets.json");
    let bodies = bets().into_iter().map(|(name, bet, made)| {
        let state = |made: &StoredSettlement| match () {
            () if bet.state == BetState::Void => BetState::Void,
            () if made.paid > Money::ZERO => BetState::Won,
            () => BetState::Lost,
        };
        let all: Vec<(BetState, StoredSettlement)> = made.iter().map(|made| (state(made), made.clone())).collect();
        let body = serde_json::to_value(TicketBody::with_settlements(&bet, &all)).expect("a body");
        json!({"name": name, "body": body})
    });
    let made: Value = bodies.collect();
    if std::env::var_os("KVOTA_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        let text = serde_json::to_string_pretty(&made).expect("JSON");
        std::fs::write(&path, text + "\n").expect("the golden file can be written");
    }
    let golden: Value = serde_json::from_slice(&std::fs::read(&path).expect("the golden file is there")).unwrap();
    assert_eq!(made, golden);
}

fn vectors() -> Value {
    let vector = |(name, message): (String, Message)| {
        let [msgpack, text] = Encoding::ALL.map(|encoding| {
            let mut out = Vec::new();
            message.write(&mut out, Lang::Hr, encoding);
            out
        });
        let hex: String = msgpack.iter().map(|byte| format!("{byte:02x}")).collect();
        let json: Value = serde_json::from_slice(&text).expect("a JSON message parses");
        assert_eq!(rmp_serde::from_slice::<Value>(&msgpack).expect("a msgpack message parses"), json, "{name}");
        json!({ "name": name, "msgpackHex": hex, "json": json })
    };
    messages().into_iter().chain(of_bets()).map(vector).collect()
}

#[test]
fn encoded_messages_equal_the_golden_vectors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/hub/messages.json");
    let made = vectors();
    if std::env::var_os("KVOTA_BLESS").is_some() {
        let lines: Vec<String> = made.as_array().unwrap().iter().map(Value::to_string).collect();
        std::fs::write(&path, format!("[\n{}\n]\n", lines.join(",\n"))).expect("the golden file can be written");
    }
    let golden: Value = serde_json::from_slice(&std::fs::read(&path).expect("the golden file is there")).unwrap();
    let name = |vector: &Value| vector["name"].clone();
    for (made, golden) in made.as_array().unwrap().iter().zip(golden.as_array().unwrap()) {
        assert_eq!(made, golden, "{}", name(made));
    }
    assert_eq!(made.as_array().map(Vec::len), golden.as_array().map(Vec::len));
}

#[test]
fn change_of_one_odd_takes_at_most_16_bytes() {
    let before = base();
    let (_, message) =
        changes("one odd", before, base().with(|m| m.market_mut(1).odds[1].value = price("2.05"))).remove(0);
    let mut out = Vec::new();
    message.write(&mut out, Lang::Hr, Encoding::Msgpack);
    assert!(out.len() <= 16, "{} bytes: {out:02x?}", out.len());
}
