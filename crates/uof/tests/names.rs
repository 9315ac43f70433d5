//! Names of markets and outcomes, from the provider's samples and from templates.

use kvota_domain::lang::Lang;
use kvota_uof::descriptions::Descriptions;
use kvota_uof::line_key::{LineKey, Specifiers};
use kvota_uof::lines::Groups;
use kvota_uof::message::Malformed;
use kvota_uof::names::{Namer, Subjects};
use kvota_uof::xml::XmlError;

struct Match;

impl Subjects for Match {
    fn competitor(&self, side: u8) -> Option<&str> {
        Some(if side == 1 { "Ajax" } else { "Tottenham" })
    }

    fn profile(&self, urn: &str) -> Option<&str> {
        match urn {
            "sr:player:947" => Some("Barnard, Lee"),
            "sr:competitor:1" => Some("One"),
            _ => None,
        }
    }
}

fn sample(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    std::fs::read(&path).expect("a sample")
}

fn read(documents: &[&[u8]]) -> Descriptions {
    let mut descriptions = Descriptions::default();
    for document in documents {
        descriptions.add(document).expect("descriptions");
    }
    descriptions
}

fn line(market: i64, specifiers: &str) -> LineKey {
    LineKey { market, specifiers: Specifiers::parse(specifiers).expect("specifiers") }
}

fn samples() -> Descriptions {
    read(&[&sample("markets-0.xml"), &sample("markets-1.xml")])
}

#[test]
fn outcomes_have_full_names_and_short_labels() {
    let held = samples();
    let namer = Namer { lang: Lang::En, descriptions: [&held, &held], subjects: &Match };
    let double = line(10, "");
    assert_eq!(namer.market(&double), "Double chance");
    assert_eq!(namer.outcome(&double, "10"), "Ajax or Tottenham");
    assert_eq!(namer.label(&double, "10").as_deref(), Some("12"));
    let handicap = line(16, "hcp=-1.5");
    let names = ["1714", "1715"].map(|id| namer.outcome(&handicap, id));
    assert_eq!(names, ["Ajax (-1.5)", "Tottenham (+1.5)"]);
    let goals = line(21, "variant=sr:exact_goals:6+");
    assert_eq!(namer.outcome(&goals, "sr:exact_goals:6+:70"), "2");
    assert_eq!(namer.market(&line(575, "from=1|to=10|total=2.5")), "10 minutes - total corners from 1 to 10");
    let scorer = line(892, "goalnr=2|variant=sr:goalscorer:fieldplayers_nogoal_owngoal_other|version=v1");
    assert_eq!(namer.market(&scorer), "2nd goalscorer");
    assert_eq!(namer.outcome(&scorer, "sr:player:947"), "Barnard, Lee");
    assert_eq!(namer.outcome(&scorer, "sr:goalscorer:fieldplayers_nogoal_owngoal_other:1333"), "no goal");
}

#[test]
fn an_empty_text_falls_back_to_english_entity_by_entity() {
    let of = |name: &str, outcome: &str| {
        let outcomes = format!("<outcome id='1' name='{outcome}'/><outcome id='2' name='drugi'/>");
        let market = format!("<market id='60' name='{name}'><outcomes>{outcomes}</outcomes></market>");
        read(&[format!("<market_descriptions>{market}</market_descriptions>").as_bytes()])
    };
    let (croatian, english) = (of("", ""), of("Half", "first"));
    let namer = Namer { lang: Lang::Hr, descriptions: [&croatian, &english], subjects: &Match };
    let line = line(60, "");
    assert_eq!((namer.market(&line), namer.outcome(&line, "1")), ("Half".to_owned(), "first".to_owned()));
    assert_eq!(namer.outcome(&line, "2"), "drugi");
}

#[test]
fn markets_have_groups_for_stops() {
    let held = samples();
    let groups = [(575, "corners"), (575, "score"), (1, "regular_play"), (4_444, "score")];
    let wanted = [Some(true), Some(false), Some(true), None];
    assert_eq!(groups.map(|(market, group)| held.contains(market, group)), wanted);
}

#[test]
fn what_is_not_described_is_named_by_its_number() {
    let none = Descriptions::default();
    let namer = Namer { lang: Lang::Hr, descriptions: [&none, &none], subjects: &Match };
    assert_eq!(namer.market(&line(18, "total=2.5")), "market 18");
    assert_eq!(namer.outcome(&line(18, "total=2.5"), "12"), "12");
    assert_eq!(namer.outcome(&line(870, ""), "sr:competitor:1,sr:competitor:2"), "One & sr:competitor:2");
    assert_eq!(namer.label(&line(18, ""), "12"), None);
}

#[test]
fn a_text_that_a_language_lacks_is_english() {
    let croatian = read(&[b"<market_descriptions><market id='1' name='Kona\xc4\x8dni ishod'>\
        <outcomes><outcome id='2' name='neodlu\xc4\x8deno'/></outcomes></market></market_descriptions>"]);
    let english = samples();
    let namer = Namer { lang: Lang::Hr, descriptions: [&croatian, &english], subjects: &Match };
    assert_eq!(namer.market(&line(1, "")), "Konačni ishod");
    assert_eq!(["1", "2"].map(|id| namer.outcome(&line(1, ""), id)), ["Ajax", "neodlučeno"]);
    assert_eq!(namer.market(&line(10, "")), "Double chance");
}

#[test]
fn tokens_are_replaced() {
    for (template, specifiers, english, croatian) in [
        ("{total} goals", "total=2.5", "2.5 goals", "2.5 goals"),
        ("{!goalnr} goal", "goalnr=1", "1st goal", "1. goal"),
        ("{!x}", "x=12", "12th", "12."),
        ("{!x}", "x=23", "23rd", "23."),
        ("{+hcp} {-hcp}", "hcp=0.25", "+0.25 -0.25", "+0.25 -0.25"),
        ("{+hcp} {-hcp}", "hcp=-1", "-1 +1", "-1 +1"),
        ("{+hcp} {-hcp}", "hcp=0.0", "0 0", "0 0"),
        ("{+hcp} {hcp}", "hcp=0:1", "{+hcp} 0:1", "{+hcp} 0:1"),
        ("{(minute-1)} {!(inning+1)}", "minute=10|inning=2", "9 3rd", "9 3."),
        ("{$competitor1} - {$competitor2}", "", "Ajax - Tottenham", "Ajax - Tottenham"),
        ("{$event} {$other}", "", "Ajax - Tottenham {$other}", "Ajax - Tottenham {$other}"),
        (
            "{%player} {%p2}",
            "player=sr:player:947|p2=sr:player:1",
            "Barnard, Lee sr:player:1",
            "Barnard, Lee sr:player:1",
        ),
        ("{total} {", "", "{total} {", "{total} {"),
        ("{} {!x}", "x=a", "{} {!x}", "{} {!x}"),
        (
            "{(x*2)} {(x-99999999999999999999)}",
            "x=1",
            "{(x*2)} {(x-99999999999999999999)}",
            "{(x*2)} {(x-99999999999999999999)}",
        ),
    ] {
        let document = format!("<market_descriptions><market id='7' name='{template}'/></market_descriptions>");
        let held = read(&[document.as_bytes()]);
        for (lang, wanted) in [(Lang::En, english), (Lang::Hr, croatian)] {
            let namer = Namer { lang, descriptions: [&held, &held], subjects: &Match };
            assert_eq!(namer.market(&line(7, specifiers)), wanted, "{template}");
        }
    }
}

#[test]
fn a_flexible_score_is_added_to_the_outcome() {
    let held = read(&[b"<market_descriptions><market id='41' name='Correct score'>\
        <outcomes><outcome id='110' name='1:0'/><outcome id='111' name='other'/></outcomes>\
        <attributes><attribute name='is_flex_score' description=''/></attributes></market></market_descriptions>"]);
    let namer = Namer { lang: Lang::En, descriptions: [&held, &held], subjects: &Match };
    let names = ["110", "111"].map(|id| namer.outcome(&line(41, "score=2:1"), id));
    assert_eq!(names, ["3:1", "other"]);
}

#[test]
fn variants_that_any_market_may_have_are_found_after_its_own() {
    let held = read(&[
        b"<variant_descriptions><variant id='sr:point_range:76+'><outcomes>\
          <outcome id='sr:point_range:76+:1132' name='0-75'/></outcomes></variant></variant_descriptions>",
        b"<market_descriptions><market id='145' name='Points' variant='pre:x:1'><outcomes>\
          <outcome id='pre:x:1:2' name='many'/></outcomes></market></market_descriptions>",
    ]);
    let namer = Namer { lang: Lang::En, descriptions: [&held, &held], subjects: &Match };
    assert_eq!(namer.outcome(&line(145, "variant=sr:point_range:76+"), "sr:point_range:76+:1132"), "0-75");
    assert_eq!(namer.outcome(&line(145, "variant=pre:x:1"), "pre:x:1:2"), "many");
    assert_eq!(namer.market(&line(145, "variant=pre:x:1")), "Points");
}

#[test]
fn a_bad_document_adds_nothing() {
    let mut held = samples();
    let before = held.clone();
    let half = &sample("markets-1.xml")[..20_000];
    assert_eq!(held.add(half), Err(Malformed::Xml(XmlError::Malformed)));
    assert_eq!(held.add(b"<fixtures_fixture/>"), Err(Malformed::UnknownRoot));
    assert_eq!(held, before);
}
