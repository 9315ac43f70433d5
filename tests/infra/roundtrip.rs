//! A published offer arrives unchanged, in every language and encoding.

use crate::broker::Corner;
use crate::listener::{Listener, Owner};
use crate::played::{NOW_MS, Script, Station, scores};
use kvota_domain::lang::Lang;
use kvota_feed::liveness::{DownCause, LivenessState};
use kvota_feed::{FeedInput, Position};
use kvota_wire::inflate::Compression;

async fn received_in_all_languages(test: &str, encoding: Compression) {
    let corner = Corner::new(test).await;
    let script = Script::default();
    let mut listener = Listener::start(&corner.config);
    listener.connected().await;
    let station = Station::start(&corner.config, 7, script.clone(), encoding);
    for _ in Lang::ALL {
        let (active, position) = listener
            .find(|input| match input {
                FeedInput::Active { active, position, .. } => Some((active, position)),
                _ => None,
            })
            .await;
        assert!(active);
        assert_eq!(position, Some(Position { epoch: 7, seq: 0 }));
    }

    script.play(10, 1);
    let mut langs = Vec::new();
    while langs.len() < Lang::ALL.len() {
        let event = listener.find(|input| match input {
            FeedInput::Event { lang, position, update } => Some((lang, position, update)),
            FeedInput::Undecodable { .. } | FeedInput::Lost { .. } => panic!("{input:?}"),
            _ => None,
        });
        let (lang, position, update) = event.await;
        assert_eq!(position, Position { epoch: 7, seq: 1 });
        assert_eq!(update.date_ms, Some(NOW_MS));
        assert_eq!(scores(&update, lang), [(10, 1)]);
        langs.push(lang);
    }
    assert_eq!(langs.last(), Some(&Lang::Hr), "the primary language drives, and comes last");
    langs.sort_unstable();
    assert_eq!(langs, Lang::ALL);

    script.play(11, 0);
    listener.find(|input| matches!(input, FeedInput::Event { lang: Lang::Hr, .. }).then_some(())).await;
    for (number, lang) in Lang::ALL.into_iter().enumerate() {
        let number = 100 + number as u64;
        listener.ask(lang, number).await;
        let answer = listener.find(|input| match input {
            FeedInput::Snapshot { lang, correlation, position, update } => Some((lang, correlation, position, update)),
            _ => None,
        });
        let (answered, correlation, position, update) = answer.await;
        assert_eq!((answered, correlation, position), (lang, number, Position { epoch: 7, seq: 2 }));
        assert_eq!(scores(&update, lang), [(10, 1), (11, 0)]);
        assert_eq!(update.number_of_matches, Some(2));
    }
    station.stop().await;
    let inactive = listener.find(|input| match input {
        FeedInput::Active { active, position, .. } => (!active).then_some(position),
        _ => None,
    });
    assert_eq!(inactive.await, Some(Position { epoch: 7, seq: 2 }), "the end of a feed is said");
    corner.clear().await;
}

#[tokio::test]
async fn offer_published_with_zlib_is_received() {
    received_in_all_languages("zlib", Compression::Deflate).await;
}

#[tokio::test]
async fn offer_published_with_gzip_is_received() {
    received_in_all_languages("gzip", Compression::Gzip).await;
}

#[tokio::test]
async fn offer_published_uncompressed_is_received() {
    received_in_all_languages("plain", Compression::Plain).await;
}

#[tokio::test]
async fn offer_arrives_from_a_producer_that_starts_later() {
    let corner = Corner::new("later").await;
    let mut owner = Owner::new(Listener::start(&corner.config), Lang::En);
    // The request goes to a queue that does not exist yet; the channel must survive that.
    owner.until(|owner| owner.state() == LivenessState::Down(DownCause::NoSnapshot)).await;
    let script = Script::default();
    script.play(10, 0);
    let station = Station::start(&corner.config, 1, script.clone(), Compression::Deflate);
    owner.until(|owner| owner.state() == LivenessState::Active && !owner.offer.sports.is_empty()).await;
    assert_eq!(scores(&owner.offer, Lang::En), [(10, 0)]);
    for score in 1..=3 {
        script.play(10, score);
        owner.until(|owner| scores(&owner.offer, Lang::En) == [(10, score)]).await;
    }
    station.stop().await;
    owner.until(|owner| owner.state() == LivenessState::Down(DownCause::Inactive)).await;
    assert!(owner.offer.sports.is_empty());
    corner.clear().await;
}

#[tokio::test]
async fn reader_recovers_after_the_producer_crashes_and_restarts() {
    let corner = Corner::new("crash").await;
    let script = Script::default();
    script.play(10, 0);
    script.play(11, 0);
    let station = Station::start(&corner.config, 1, script, Compression::Gzip);
    let mut owner = Owner::new(Listener::start(&corner.config), Lang::Hr);
    owner.until(|owner| owner.offer.sports.len() == 1 && owner.state() == LivenessState::Active).await;
    station.kill().await;
    let script = Script::default();
    script.play(11, 5);
    script.play(12, 6);
    let station = Station::start(&corner.config, 2, script, Compression::Plain);
    owner
        .until(|owner| owner.state() == LivenessState::Active && scores(&owner.offer, Lang::Hr) == [(11, 5), (12, 6)])
        .await;
    assert!(owner.states.contains(&LivenessState::Recovering), "the offer stayed meanwhile: {:?}", owner.states);
    assert_eq!(owner.states.iter().filter(|state| state.is_down()).count(), 1, "{:?}", owner.states);
    station.stop().await;
    corner.clear().await;
}

#[tokio::test]
async fn feed_switched_off_is_inactive_until_switched_on() {
    let corner = Corner::new("switch").await;
    let script = Script::default();
    script.play(10, 0);
    let station = Station::start(&corner.config, 1, script.clone(), Compression::Deflate);
    let mut owner = Owner::new(Listener::start(&corner.config), Lang::Sr);
    owner.until(|owner| owner.state() == LivenessState::Active && !owner.offer.sports.is_empty()).await;
    station.switch.deactivate();
    owner.until(|owner| owner.state() == LivenessState::Down(DownCause::Inactive)).await;
    script.play(10, 1);
    station.switch.activate();
    owner.until(|owner| owner.state() == LivenessState::Active).await;
    owner.until(|owner| scores(&owner.offer, Lang::Sr) == [(10, 1)]).await;
    station.stop().await;
    corner.clear().await;
}
