//! Texts in another language: a change of each text of a match, a market, an odd or a sport is detected and sent, and
//! never changes a number.

use super::matches::{Translate, base, inserted};
use kvota_domain::Text;
use kvota_domain::aggregate::MatchState;
use kvota_domain::clock::Clock;
use kvota_domain::incidents::History;
use kvota_domain::lang::Lang;
use kvota_domain::market::{Market, Odd};
use kvota_domain::matches::{Ball, Match};
use kvota_domain::sport::{SportChange, SportInfo, SportPatch};
use kvota_testkit::builders::{MatchBuilder, column, market, sport_id};
use std::sync::Arc;

fn with_texts(before: &MatchState, words: MatchBuilder) -> MatchState {
    before.translated(&words.update()).expect("the words are new")
}

/// The texts of a match, each with its name.
fn of_the_match(live_match: &Match) -> [(&'static str, Option<Text>); 7] {
    [
        ("home", live_match.home.clone()),
        ("away", live_match.away.clone()),
        ("sport", live_match.sport_name.clone()),
        ("tournament", live_match.tournament.clone()),
        ("description", live_match.tournament_description.clone()),
        ("result", live_match.result.clone()),
        ("kind of the stream", live_match.perform_event_type.clone()),
    ]
}

#[test]
fn each_match_text_is_detected_and_sent_alone() {
    let edits: [fn(&mut Match); 7] = [
        |m| m.home = Some("word".into()),
        |m| m.away = Some("word".into()),
        |m| m.sport_name = Some("word".into()),
        |m| m.tournament = Some("word".into()),
        |m| m.tournament_description = Some("word".into()),
        |m| m.result = Some("word".into()),
        |m| m.perform_event_type = Some("word".into()),
    ];
    let before = with_texts(&inserted(base()), base());
    let primary = of_the_match(&before.live_match);
    for (place, edit) in edits.into_iter().enumerate() {
        let after = with_texts(&before, base().with(edit));
        let words = after.texts[Lang::En].as_ref().expect("words of the language");
        let texts = of_the_match(&words.head(&after.live_match));
        for (other, (text, primary)) in texts.iter().zip(&primary).enumerate() {
            let wanted = if other == place { (primary.0, Some("word".into())) } else { primary.clone() };
            assert_eq!(text, &wanted);
        }
    }
}

#[test]
fn each_market_and_odd_text_is_detected_and_sent_alone() {
    type Words = Vec<Option<Text>>;
    let edits: [fn(&mut Market); 8] = [
        |m| m.name = Some("word".into()),
        |m| m.short = Some("word".into()),
        |m| m.special = Some("word".into()),
        |m| m.description = Some("word".into()),
        |m| m.tags = ["word".into()].into(),
        |m| m.odds[1].kind = Some("word".into()),
        |m| m.odds[1].alias = Some("word".into()),
        |m| m.odds[1].description = Some("word".into()),
    ];
    let words_of = |m: &Market| -> Words {
        let Odd { kind, alias, description, .. } = m.odds[1].clone();
        let own = [m.name.clone(), m.short.clone(), m.special.clone(), m.description.clone(), m.tags.first().cloned()];
        own.into_iter().chain([kind, alias, description]).collect()
    };
    let before = with_texts(&inserted(base()), base());
    let held = &before.live_match.markets[3];
    for (place, edit) in edits.into_iter().enumerate() {
        let after = with_texts(&before, base().with(|m| edit(m.market_mut(3))));
        let words = after.texts[Lang::En].as_ref().expect("words of the language");
        let translated = words.market(held);
        let mut wanted = words_of(held);
        wanted[place] = Some("word".into());
        assert_eq!(words_of(&translated), wanted, "{place}");
        assert_eq!((translated.id, translated.kind, translated.odds[1].id), (held.id, held.kind, held.odds[1].id));
        assert_eq!(translated.odds[1].value, held.odds[1].value);
    }
}

#[test]
fn texts_are_found_by_id() {
    let english = base().with(|m| {
        m.home = Some("Lions".into());
        m.away = Some("Rovers".into());
        m.market_mut(3).name = Some("Both score".into());
        m.market_mut(3).odds[1].kind = Some("No".into());
    });
    let state = with_texts(&inserted(base()), english);
    let words = state.texts[Lang::En].as_ref().expect("words of the language");
    let of = |text: Option<&Text>| text.map(ToString::to_string);
    let held = &state.live_match.markets[3];
    assert_eq!((of(words.home()), of(words.away())), (Some("Lions".into()), Some("Rovers".into())));
    assert_eq!(of(words.market_name(held.id)), Some("Both score".into()));
    assert_eq!(
        (of(words.odd_kind(held.odds[0].id)), of(words.odd_kind(held.odds[1].id))),
        (Some("Da".into()), Some("No".into()))
    );
    let unknown = kvota_testkit::builders::live_match(1).market(market(99, 7).odd("1", "2")).build().markets.remove(0);
    assert_eq!((words.market_name(unknown.id), words.odd_kind(unknown.odds[0].id)), (None, None));
    assert_eq!(*words.market(&unknown), *unknown, "what a language does not know is told as the primary one has it");
}

#[test]
fn missing_texts_use_the_primary_language_and_clock_text_needs_a_text_clock() {
    let state =
        with_texts(&inserted(base().time_text("Poluvrijeme")), base().time_text("Half time").with(|m| m.home = None));
    let words = state.texts[Lang::En].as_ref().expect("words of the language");
    let head = words.head(&state.live_match);
    assert_eq!(head.home, state.live_match.home);
    assert_eq!(head.clock, Some(Clock::Text("Half time".into())));

    let running = inserted(base().time(60));
    let words = running.texts[Lang::En].clone().or(state.texts[Lang::En].clone()).expect("words of the language");
    assert_eq!(words.head(&running.live_match).clock, running.live_match.clock, "a text never hides a running clock");
    let text = inserted(base().time_text("Set 1"));
    let silent = with_texts(&text, base().time(60));
    let words = silent.texts[Lang::En].as_ref().expect("words of the language");
    assert_eq!(words.head(&text.live_match).clock, Some(Clock::Text("Set 1".into())), "a reading is no word");
}

#[test]
fn numbers_are_the_same_with_texts_as_without() {
    let numbers = || {
        base().score(2, 1).order(5).suspended().with(|m| {
            m.scores = vec![[1, 0], [1, 1]];
            m.perform_event_id = Some(4);
            m.red_cards = Some([1, 0]);
            m.yellow_cards = Some([2, 0]);
            m.corners = Some([3, 0]);
            m.clock_stopped = Some(false);
            m.player_serving = Some(1);
            m.tiebreak = Some(false);
            m.game = Some(["15".into(), "30".into()]);
            m.ball = Some(Ball { x: 10, y: 50, side: 1, action: 0 });
            m.history = Some(Arc::new(History::default()));
        })
    };
    let state = with_texts(&inserted(numbers()), base());
    let words = state.texts[Lang::En].as_ref().expect("words of the language");
    let head = words.head(&state.live_match);
    assert_eq!(*head, Match { markets: Vec::new(), ..(*state.live_match).clone() });
}

/// A sport with two columns.
fn sport() -> SportInfo {
    let mut sport = SportInfo::new(sport_id(1));
    let columns = vec![column(1, 1, &["1", "X", "2"]), column(2, 18, &["Manje", "Više"])];
    let patch = SportPatch {
        name: Some("Nogomet".into()),
        order: Some(3),
        preferred: Some(columns),
        selected_preferred: Some(1),
        ..SportPatch::empty(sport_id(1))
    };
    assert_eq!(sport.apply_primary(&patch), SportChange { visible: true, columns: true });
    sport
}

#[test]
fn sport_patch_replaces_present_fields_only() {
    let none = SportPatch::empty(sport_id(1));
    let cases = [
        ("nothing", none.clone(), false, false),
        ("its name", SportPatch { name: Some("Futbol".into()), ..none.clone() }, true, false),
        ("its name again", SportPatch { name: Some("Nogomet".into()), ..none.clone() }, false, false),
        ("its place", SportPatch { order: Some(4), ..none.clone() }, true, false),
        ("the column at first", SportPatch { selected_preferred: Some(2), ..none.clone() }, true, false),
        ("its columns", SportPatch { preferred: Some(vec![column(1, 1, &["1", "2"])]), ..none.clone() }, true, true),
    ];
    for (what, patch, visible, columns) in cases {
        let mut changed = sport();
        assert_eq!(changed.apply_primary(&patch), SportChange { visible, columns }, "{what}");
        let (before, after) = (sport(), changed.primary().clone());
        let before = before.primary();
        assert_eq!(after.name, patch.name.or(before.name.clone()), "{what}");
        assert_eq!(after.order, patch.order.unwrap_or(before.order), "{what}");
        assert_eq!(after.selected_preferred, patch.selected_preferred.or(before.selected_preferred), "{what}");
        assert_eq!(after.preferred, patch.preferred.unwrap_or(before.preferred.clone()), "{what}");
    }
}

#[test]
fn sport_uses_the_texts_of_a_language_if_they_fit() {
    let mut sport = sport();
    let mut columns = vec![column(2, 99, &["Under", "Over"]), column(1, 99, &["1", "2"]), column(7, 1, &["?"])];
    columns[1].name = None;
    let english = SportPatch {
        name: Some("Soccer".into()),
        preferred: Some(columns),
        order: Some(99),
        ..SportPatch::empty(sport_id(1))
    };
    assert_eq!(sport.apply_texts(Lang::En, &english), SportChange { visible: true, columns: false });
    assert_eq!(sport.apply_texts(Lang::En, &english), SportChange::default(), "the same words again are no change");

    let translated = sport.in_lang(Lang::En);
    assert_eq!((translated.name.as_deref(), translated.order, translated.preferred.len()), (Some("Soccer"), 3, 2));
    assert_eq!(
        translated.preferred[0],
        sport.primary().preferred[0],
        "headings of another number do not fit, no name is no word"
    );
    let texts = |fields: &[Text]| fields.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(texts(&translated.preferred[1].fields), ["Under", "Over"]);
    assert_eq!(
        translated.preferred[1].markets,
        sport.primary().preferred[1].markets,
        "which market it shows is a number"
    );
    assert_eq!(sport.in_lang(Lang::Bs), *sport.primary());

    assert!(
        sport
            .apply_texts(Lang::En, &SportPatch { preferred: Some(Vec::new()), ..SportPatch::empty(sport_id(1)) })
            .visible
    );
    assert_eq!(sport.in_lang(Lang::En).preferred, sport.primary().preferred);
}
