//! The feed as a whole: what comes in, and what changes in the offer.

use kvota_domain::feed::Change;
use kvota_domain::ids::{MatchId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::matches::Match;
use kvota_domain::settlement::{MarketState, RequestedMatch};
use kvota_uof::adapter::{Adapter, Answer, Outcome, Settings};
use kvota_uof::message::{Message, ProducerId};
use kvota_uof::producer::State;
use kvota_uof::question::{Part, Question};
use kvota_uof::urn::Urn;
use std::collections::{BTreeMap, BTreeSet};

const NOW_MS: i64 = 1_700_000_000_000;

/// An adapter with the provider's answers at hand.
struct Bench {
    adapter: Adapter,
    now_ms: i64,
    asked: Vec<Question>,
    offer: BTreeMap<MatchId, Match>,
    changes: Vec<(Change, u64)>,
}

fn urn(text: &str) -> Urn {
    Urn::parse(text).expect("a name")
}

fn match_id(number: u64) -> MatchId {
    MatchId::new(number).expect("an id")
}

fn fixture(event: &str) -> Vec<u8> {
    format!(
        "<fixtures_fixture><fixture id='{event}'><tournament id='sr:tournament:7' name='Cup'>\
         <sport id='sr:sport:1' name='Soccer'/><category id='sr:category:3' name='World'/></tournament>\
         <competitors><competitor id='sr:competitor:1' name='Home' qualifier='home'/>\
         <competitor id='sr:competitor:2' name='Away' qualifier='away'/></competitors></fixture></fixtures_fixture>"
    )
    .into_bytes()
}

const MARKETS: &str = "<market_descriptions><market id='1' name='1x2' groups='all|score'><outcomes>\
    <outcome id='1' name='{$competitor1}'/><outcome id='2' name='draw'/><outcome id='3' name='{$competitor2}'/></outcomes>\
    </market><market id='18' name='Total {total}' groups='all|score'><outcomes><outcome id='12' name='over {total}'/>\
    <outcome id='13' name='under {total}'/></outcomes></market></market_descriptions>";

impl Bench {
    fn new(producers: &[ProducerId]) -> Bench {
        let settings = Settings {
            producers: producers.to_vec(),
            silence_ms: 20_000,
            waits: BTreeSet::from([18]),
            first_request_id: 100,
        };
        let mut bench = Bench {
            adapter: Adapter::new(settings),
            now_ms: NOW_MS,
            asked: Vec::new(),
            offer: BTreeMap::new(),
            changes: Vec::new(),
        };
        bench.adapter.connection(true, NOW_MS);
        bench
    }

    /// One that is up, and that has answers to everything it asked.
    fn up() -> Bench {
        let mut bench = Bench::new(&[1]);
        bench.alive(1);
        bench.complete();
        bench
    }

    fn give(&mut self, body: &str) -> Outcome {
        let message = Message::parse(body.as_bytes()).expect("a message");
        self.adapter.message(message, SportId::new(1), self.now_ms, self.now_ms)
    }

    fn alive(&mut self, product: ProducerId) {
        self.give(&format!("<alive product='{product}' timestamp='{}' subscribed='1'/>", self.now_ms));
        self.answer_all();
    }

    /// Ends the latest recovery of producer 1.
    fn complete(&mut self) {
        let request = self.recoveries().last().expect("a recovery").2;
        self.give(&format!("<snapshot_complete product='1' timestamp='{}' request_id='{request}'/>", self.now_ms));
    }

    fn recoveries(&self) -> Vec<(ProducerId, Option<i64>, i64)> {
        let of = |question: &Question| match question {
            Question::Recovery { product, after_ms, request_id } => Some((*product, *after_ms, *request_id)),
            _ => None,
        };
        self.asked.iter().filter_map(of).collect()
    }

    fn odds(&mut self, event: &str, rest: &str) -> Outcome {
        let at_ms = self.now_ms;
        let outcome =
            self.give(&format!("<odds_change product='1' event_id='{event}' timestamp='{at_ms}'>{rest}</odds_change>"));
        self.answer_all();
        outcome
    }

    fn wait(&mut self, ms: i64) {
        self.now_ms += ms;
        self.adapter.tick(self.now_ms);
        self.answer_all();
    }

    fn answer_all(&mut self) {
        loop {
            let questions = self.adapter.take_questions();
            if questions.is_empty() {
                return;
            }
            for question in questions {
                let answer = match &question {
                    Question::Fixture(_, event) => Answer::Body(fixture(event.as_str())),
                    Question::Markets(_) => Answer::Body(MARKETS.as_bytes().to_vec()),
                    Question::Recovery { .. } | Question::OfEvent { .. } => Answer::Body(Vec::new()),
                    _ => Answer::Absent,
                };
                self.asked.push(question.clone());
                self.adapter.answer(&question, answer, self.now_ms);
            }
        }
    }

    /// Takes the changes into the offer, in English.
    fn take(&mut self) -> Vec<(Change, u64)> {
        let taken = self.adapter.take_changes(self.now_ms);
        let mut seen = Vec::new();
        for change in taken {
            let (live_match, _) = change.as_match(Lang::En, self.now_ms);
            seen.push((change.change, live_match.id.get()));
            match change.change {
                Change::Delete => assert!(self.offer.remove(&live_match.id).is_some()),
                Change::Insert => assert!(self.offer.insert(live_match.id, live_match).is_none()),
                Change::Update => assert!(self.offer.insert(live_match.id, live_match).is_some()),
            }
        }
        self.changes.extend(&seen);
        seen
    }

    fn shown(&self, number: u64) -> &Match {
        &self.offer[&match_id(number)]
    }

    fn locked(&self, number: u64) -> Vec<(i64, bool)> {
        self.shown(number).markets.iter().map(|market| (market.kind, market.is_suspended)).collect()
    }
}

const STATUS: &str = "<sport_event_status status='1' match_status='6' home_score='0' away_score='0'/>";
const RESULT: &str =
    "<market id='1'><outcome id='1' odds='2'/><outcome id='2' odds='3'/><outcome id='3' odds='4'/></market>";
const TOTAL: &str =
    "<market id='18' specifiers='total=2.5'><outcome id='12' odds='1.9'/><outcome id='13' odds='1.9'/></market>";

#[test]
fn an_event_is_offered_with_its_fixture_and_can_be_bet_on_after_the_recovery() {
    let mut bench = Bench::new(&[1]);
    assert!(!bench.adapter.is_active());
    bench.alive(1);
    assert_eq!(bench.recoveries(), [(1, None, 100)]);
    let body = format!("{STATUS}<odds>{RESULT}{TOTAL}</odds>");
    let message = format!("<odds_change product='1' event_id='sr:match:7' timestamp='{NOW_MS}'>{body}</odds_change>");
    bench.give(&message);
    assert_eq!(bench.take(), [], "the fixture is not known");
    bench.answer_all();
    assert_eq!(bench.take(), [(Change::Insert, 7)]);
    assert!(!bench.shown(7).betting && !bench.adapter.is_active(), "the recovery is under way");
    bench.complete();
    assert_eq!((bench.take(), bench.adapter.is_active()), (vec![(Change::Update, 7)], true));
    let shown = bench.shown(7);
    assert!(shown.betting);
    assert_eq!((shown.home.as_deref(), shown.tournament.as_deref()), (Some("Home"), Some("Cup")));
    let names: Vec<_> = shown.markets.iter().map(|market| market.name.as_deref().unwrap_or("")).collect();
    assert_eq!(names, ["1x2", "Total 2.5"]);
    assert_eq!(bench.adapter.sport_name(SportId::new(1).expect("an id"), Lang::Sr).map(|name| &**name), Some("Soccer"));
}

#[test]
fn a_producer_that_is_silent_closes_its_matches_and_recovers_from_its_last_alive() {
    let mut bench = Bench::up();
    bench.odds("sr:match:7", &format!("{STATUS}<odds>{RESULT}{TOTAL}</odds>"));
    bench.take();
    bench.wait(10_000);
    bench.alive(1);
    bench.wait(19_999);
    assert_eq!(bench.take(), []);
    bench.wait(1);
    assert_eq!(bench.take(), [(Change::Update, 7)]);
    assert!(!bench.shown(7).betting && !bench.adapter.is_active());

    bench.wait(5_000);
    bench.alive(1);
    assert_eq!(bench.recoveries().last(), Some(&(1, Some(NOW_MS + 10_000), 101)));
    bench.odds("sr:match:7", &format!("<odds>{RESULT}</odds>"));
    bench.complete();
    bench.take();
    assert!(bench.shown(7).betting);
    assert_eq!(bench.locked(7), [(1, false), (18, true)], "the recovery has not confirmed the total");
    bench.odds("sr:match:7", &format!("<odds>{TOTAL}</odds>"));
    bench.take();
    assert_eq!(bench.locked(7), [(1, false), (18, false)]);
}

#[test]
fn one_producer_of_two_is_enough_for_an_active_feed_but_not_for_its_matches() {
    let mut bench = Bench::new(&[1, 3]);
    bench.alive(1);
    bench.complete();
    assert!(bench.adapter.is_active());
    bench.odds("sr:match:7", &format!("{STATUS}<odds>{RESULT}</odds>"));
    let at_ms = bench.now_ms;
    bench.give(&format!(
        "<odds_change product='3' event_id='sr:match:7' timestamp='{at_ms}'><odds>{TOTAL}</odds></odds_change>"
    ));
    bench.take();
    assert!(!bench.shown(7).betting, "a line of the producer that is down");
    assert_eq!(bench.adapter.states().collect::<Vec<_>>(), [(1, State::Up), (3, State::Down)]);
    assert_eq!(bench.give("<alive product='9' timestamp='1' subscribed='1'/>"), Outcome::Ignored);
}

#[test]
fn a_lost_broker_takes_every_producer_down() {
    let mut bench = Bench::up();
    bench.odds("sr:match:7", &format!("{STATUS}<odds>{RESULT}</odds>"));
    bench.take();
    bench.adapter.connection(false, bench.now_ms);
    assert!(!bench.adapter.is_active());
    bench.take();
    assert!(!bench.shown(7).betting);
    bench.adapter.connection(true, bench.now_ms);
    bench.alive(1);
    assert_eq!(bench.recoveries().len(), 2);
    bench.complete();
    assert!(bench.adapter.is_active());
}

#[test]
fn an_event_leaves_at_its_end_and_a_late_message_does_not_bring_it_back() {
    let mut bench = Bench::up();
    bench.odds("sr:match:7", &format!("{STATUS}<odds>{RESULT}</odds>"));
    bench.wait(1_000);
    bench.odds("sr:match:7", "<sport_event_status status='3' match_status='100'/>");
    bench.odds("sr:match:8", &format!("{STATUS}<odds>{RESULT}</odds>"));
    assert_eq!(bench.take(), [(Change::Insert, 8)], "a match that began and ended at once was never there");
    bench.odds("sr:match:8", "<sport_event_status status='4' match_status='100'/>");
    assert_eq!(bench.take(), [(Change::Delete, 8)]);
    bench.wait(1_000);
    bench.odds("sr:match:8", &format!("<odds>{RESULT}</odds>"));
    let early = bench.now_ms - 1_500;
    bench.give(&format!("<odds_change product='1' event_id='sr:match:8' timestamp='{early}'>{STATUS}</odds_change>"));
    assert_eq!(bench.take(), []);
    bench.odds("sr:match:8", &format!("{STATUS}<odds>{RESULT}</odds>"));
    assert_eq!(bench.take(), [(Change::Insert, 8)], "the provider has corrected itself");

    bench.odds("sr:match:8", "<sport_event_status status='9' match_status='90'/>");
    bench.take();
    assert!(!bench.shown(8).betting, "an abandoned match is shown for a while");
    bench.wait(299_000);
    assert_eq!(bench.take().len(), 1, "its producer is silent by now");
    bench.wait(1_000);
    assert_eq!(bench.take(), [(Change::Delete, 8)]);
}

#[test]
fn a_fixture_that_is_cancelled_leaves_and_one_that_changed_is_read_again() {
    let mut bench = Bench::up();
    bench.odds("sr:match:7", &format!("{STATUS}<odds>{RESULT}</odds>"));
    bench.take();
    let fixtures = |bench: &Bench| bench.asked.iter().filter(|asked| matches!(asked, Question::Fixture(..))).count();
    assert_eq!(fixtures(&bench), 4);
    let at_ms = bench.now_ms + 1;
    bench.give(&format!("<fixture_change product='1' event_id='sr:match:7' timestamp='{at_ms}' change_type='2'/>"));
    bench.answer_all();
    assert_eq!((fixtures(&bench), bench.take()), (8, vec![(Change::Update, 7)]));
    bench.give(&format!("<fixture_change product='1' event_id='sr:match:7' timestamp='{at_ms}' change_type='3'/>"));
    assert_eq!(bench.take(), [(Change::Delete, 7)]);
    let unknown = format!("<fixture_change product='1' event_id='sr:match:9' timestamp='{at_ms}' change_type='1'/>");
    assert_eq!(bench.give(&unknown), Outcome::Ignored);
}

#[test]
fn of_two_events_with_one_number_the_second_is_not_offered() {
    let mut bench = Bench::up();
    bench.odds("sr:match:7", &format!("{STATUS}<odds>{RESULT}</odds>"));
    bench.odds("vf:match:7", &format!("{STATUS}<odds>{RESULT}</odds>"));
    assert_eq!(bench.take(), [(Change::Insert, 7)]);
}

#[test]
fn names_that_are_missing_are_asked_for_and_do_not_delay_the_odds() {
    let mut bench = Bench::up();
    let lines = "<market id='99'><outcome id='sr:player:5' odds='2'/></market>\
        <market id='41' specifiers='variant=pre:markettext:8'><outcome id='pre:markettext:8:1' odds='2'/></market>";
    bench.odds("sr:match:7", &format!("{STATUS}<odds>{lines}</odds>"));
    bench.take();
    let names = |bench: &Bench| -> Vec<String> {
        bench.shown(7).markets.iter().filter_map(|market| market.name.as_deref().map(str::to_owned)).collect()
    };
    assert_eq!(names(&bench), ["market 41", "market 99"]);
    let variant = Question::Variant(Lang::En, 41, "pre:markettext:8".into());
    let player = Question::Player(Lang::En, urn("sr:player:5"));
    assert!(bench.asked.contains(&variant) && bench.asked.contains(&player));
    let asked = bench.asked.len();
    bench.odds("sr:match:7", &format!("<odds>{lines}</odds>"));
    bench.odds("sr:match:8", &format!("{STATUS}<odds>{lines}</odds>"));
    let again: Vec<_> = bench.asked[asked..].iter().filter(|asked| !matches!(asked, Question::Fixture(..))).collect();
    assert!(again.is_empty(), "{again:?}");

    // Ten minutes later a new line asks again, and the answers name what is shown.
    bench.wait(600_000);
    bench.alive(1);
    bench.odds("sr:match:9", &format!("{STATUS}<odds>{lines}</odds>"));
    assert_eq!(bench.asked[asked..].iter().filter(|asked| **asked == variant || **asked == player).count(), 2);
}

#[test]
fn a_question_without_an_answer_is_repeated_with_growing_pauses() {
    let mut bench = Bench::new(&[1]);
    let mut times = Vec::new();
    for _ in 0..120 {
        for question in bench.adapter.take_questions() {
            if question == Question::Producers {
                times.push((bench.now_ms - NOW_MS) / 1_000);
            }
            bench.adapter.answer(&question, Answer::Failed, bench.now_ms);
        }
        bench.now_ms += 1_000;
        bench.adapter.tick(bench.now_ms);
    }
    assert_eq!(times, [0, 2, 6, 14, 30, 62]);
}

#[test]
fn a_fixture_that_comes_later_than_the_odds_is_asked_for_again() {
    let mut bench = Bench::up();
    let odds = |event: &str| {
        format!(
            "<odds_change product='1' event_id='{event}' timestamp='1'><sport_event_status status='1'/></odds_change>"
        )
    };
    assert_eq!(bench.give(&odds("sr:season:7")), Outcome::Ignored, "it has no two sides");
    bench.give(&odds("sr:match:7"));
    for question in bench.adapter.take_questions() {
        bench.adapter.answer(&question, Answer::Absent, bench.now_ms);
    }
    assert_eq!(bench.take(), []);
    bench.wait(2_000);
    assert_eq!(bench.take(), [(Change::Insert, 7)]);
}

#[test]
fn an_answer_that_cannot_be_read_is_asked_for_again() {
    let mut bench = Bench::up();
    let event =
        "<odds_change product='1' event_id='sr:match:7' timestamp='1'><sport_event_status status='1'/></odds_change>";
    bench.give(event);
    for question in bench.adapter.take_questions() {
        bench.adapter.answer(&question, Answer::Body(b"<fixtures_fixture".to_vec()), bench.now_ms);
    }
    assert_eq!(bench.take(), []);
    bench.wait(2_000);
    assert_eq!(bench.take(), [(Change::Insert, 7)]);
}

#[test]
fn settlements_come_out_as_results_and_missing_ones_are_asked_for() {
    let mut bench = Bench::up();
    bench.odds("sr:match:7", &format!("{STATUS}<odds>{RESULT}{TOTAL}</odds>"));
    bench.take();
    let settle = |certainty: u8, at_ms: i64| {
        format!(
            "<bet_settlement product='1' event_id='sr:match:7' timestamp='{at_ms}' certainty='{certainty}'><outcomes>\
             <market id='1'><outcome id='1' result='1'/></market><market id='18' specifiers='total=2.5'>\
             <outcome id='12' result='0'/></market></outcomes></bet_settlement>"
        )
    };
    bench.give(&settle(1, NOW_MS));
    let decided = bench.adapter.take_decided();
    let kinds = |results: &[kvota_domain::settlement::MatchResults]| -> Vec<(u64, usize)> {
        results.iter().map(|results| (results.match_id.get(), results.markets.len())).collect()
    };
    assert_eq!(kinds(&decided), [(7, 1)], "the total waits for the confirmed settlement");
    bench.give(&settle(2, NOW_MS + 5));
    assert_eq!(kinds(&bench.adapter.take_decided()), [(7, 1)]);

    let ids: Vec<_> = bench.shown(7).markets.iter().map(|market| market.id).collect();
    let ask = |number: u64, open_markets: Vec<_>| RequestedMatch { match_id: match_id(number), open_markets };
    let present = bench.adapter.present_results(&[ask(7, ids.clone()), ask(8, ids)], bench.now_ms);
    assert_eq!(kinds(&present), [(7, 2)]);
    assert!(present[0].markets.iter().all(|market| market.state == MarketState::Settled));
    bench.answer_all();
    let results = |bench: &Bench| -> Vec<Urn> {
        let of = |question: &Question| match question {
            Question::OfEvent { event, part: Part::Results, .. } => Some(event.clone()),
            _ => None,
        };
        bench.asked.iter().filter_map(of).collect()
    };
    assert_eq!(results(&bench), [urn("sr:match:8")], "nothing is known of the match");

    bench.give(&format!("<rollback_bet_settlement product='1' event_id='sr:match:9' timestamp='{NOW_MS}'><market id='1'/></rollback_bet_settlement>"));
    let decided = bench.adapter.take_decided();
    assert_eq!((kinds(&decided), decided[0].markets[0].state), (vec![(9, 1)], MarketState::OpenAgain));
    bench.answer_all();
    assert_eq!(results(&bench), [urn("sr:match:8"), urn("sr:match:9")]);
}

#[test]
fn after_a_message_that_cannot_be_read_the_event_is_asked_for() {
    let mut bench = Bench::up();
    bench.odds("sr:match:7", &format!("{STATUS}<odds>{RESULT}</odds>"));
    bench.take();
    let asked = |bench: &Bench| -> Vec<(ProducerId, Urn, Part)> {
        let of = |question: &Question| match question {
            Question::OfEvent { product, event, part, .. } => Some((*product, event.clone(), *part)),
            _ => None,
        };
        bench.asked.iter().filter_map(of).collect()
    };
    for (event, part) in [(7, Part::Odds), (7, Part::Odds), (7, Part::Results), (8, Part::Odds), (8, Part::Results)] {
        bench.adapter.skipped(urn(&format!("sr:match:{event}")), part, bench.now_ms);
    }
    bench.answer_all();
    let of_the_match = |part| (1, urn("sr:match:7"), part);
    assert_eq!(asked(&bench), [of_the_match(Part::Odds), of_the_match(Part::Results)], "an unknown event has neither");
    assert_eq!(bench.locked(7), [(1, false)], "the message counts as if it had not come");

    let half_a_minute = |bench: &mut Bench| {
        for _ in 0..3 {
            bench.wait(10_000);
            bench.alive(1);
        }
    };
    half_a_minute(&mut bench);
    bench.adapter.skipped(urn("sr:match:7"), Part::Odds, bench.now_ms);
    for question in bench.adapter.take_questions() {
        bench.adapter.answer(&question, Answer::Failed, bench.now_ms);
    }
    assert_eq!(asked(&bench).len(), 2);
    half_a_minute(&mut bench);
    assert_eq!(asked(&bench)[2..], [of_the_match(Part::Odds)], "a request that failed is repeated");
}

#[test]
fn the_odds_of_an_event_are_asked_within_the_limits_and_of_producers_that_are_up() {
    let mut bench = Bench::up();
    for number in 1..=150 {
        bench.odds(&format!("sr:match:{number}"), &format!("{STATUS}<odds>{RESULT}</odds>"));
    }
    bench.take();
    let all = |bench: &mut Bench| {
        for number in 1..=150 {
            bench.adapter.skipped(urn(&format!("sr:match:{number}")), Part::Odds, bench.now_ms);
        }
        bench.adapter.take_questions().len()
    };
    assert_eq!(all(&mut bench), 100, "in ten minutes");
    bench.adapter.connection(false, bench.now_ms);
    bench.now_ms += 600_000;
    assert_eq!(all(&mut bench), 0, "a recovery of everything has them as well");
}

#[test]
fn what_an_earlier_run_has_kept_counts_for_a_rollback_of_one_outcome() {
    let mut bench = Bench::up();
    let event = |body: &str| match Message::parse(body.as_bytes()) {
        Ok(Message::Event(message)) => message,
        other => panic!("{other:?}"),
    };
    let settled = event(
        "<bet_settlement product='1' event_id='sr:match:7' timestamp='5' certainty='2'><outcomes><market id='1'>\
         <outcome id='1' result='1'/><outcome id='2' result='0'/></market></outcomes></bet_settlement>",
    );
    assert!(!bench.adapter.has_results(&settled.event));
    bench.adapter.replay(&settled.event.clone(), [settled].into_iter(), bench.now_ms);
    bench.give(
        "<rollback_bet_settlement product='1' event_id='sr:match:7' timestamp='6'><market id='1'><outcome id='1'/>\
         </market></rollback_bet_settlement>",
    );
    let decided = bench.adapter.take_decided();
    let market = &decided[0].markets[0];
    assert_eq!((market.state, market.odds.len(), market.version), (MarketState::Settled, 1, 6));
}
