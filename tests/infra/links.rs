//! Connections to the broker that break, freeze or do not exist yet, and encrypted ones.

use crate::broker::{Corner, from_env};
use crate::listener::{Listener, Owner};
use crate::played::{Script, Station, scores};
use kvota::testkit::proxy::{ChaosProxy, NetworkConditions};
use kvota_domain::lang::Lang;
use kvota_feed::FeedInput;
use kvota_feed::amqp::AmqpConfig;
use kvota_feed::liveness::{DownCause, LivenessState};
use kvota_wire::inflate::Compression;
use lapin::options::ExchangeDeclareOptions;

/// The configuration with a proxy between the source and the broker.
async fn wired(corner: &Corner) -> (AmqpConfig, ChaosProxy) {
    let proxy = ChaosProxy::before(&corner.config.url, NetworkConditions::Cut).await;
    let config = AmqpConfig { url: proxy.url(&corner.config.url), ..corner.config.clone() };
    (config, proxy)
}

#[tokio::test]
async fn source_waits_for_a_broker_that_starts_later() {
    let corner = Corner::new("absent").await;
    let (config, proxy) = wired(&corner).await;
    let mut listener = Listener::start(&config);
    listener.fails_to_connect(&proxy, 2).await;
    proxy.set(NetworkConditions::Clear);
    listener.connected().await;
    corner.clear().await;
}

#[tokio::test]
async fn cut_connection_is_reported_lost_and_reconnects() {
    let corner = Corner::new("cut").await;
    let (config, proxy) = wired(&corner).await;
    proxy.set(NetworkConditions::Clear);
    let mut listener = Listener::start(&config);
    for _ in 0..3 {
        let first = listener.next().await;
        assert!(matches!(first, FeedInput::Connected), "{first:?}");
        proxy.set(NetworkConditions::Cut);
        let cause = listener.lost().await;
        assert!(!cause.is_empty());
        proxy.set(NetworkConditions::Clear);
    }
    listener.connected().await;
    corner.clear().await;
}

#[tokio::test]
async fn frozen_connection_is_detected_by_the_heartbeat() {
    let corner = Corner::new("freeze").await;
    let (config, proxy) = wired(&corner).await;
    let config = AmqpConfig { heartbeat_s: 1, ..config };
    proxy.set(NetworkConditions::Clear);
    let mut listener = Listener::start(&config);
    listener.connected().await;
    proxy.set(NetworkConditions::Blackhole);
    listener.lost().await;
    proxy.set(NetworkConditions::Clear);
    listener.connected().await;
    corner.clear().await;
}

#[tokio::test]
async fn offer_follows_the_producer_after_every_cut() {
    let corner = Corner::new("follow").await;
    let (near, near_wire) = wired(&corner).await;
    let (far, far_wire) = wired(&corner).await;
    near_wire.set(NetworkConditions::Clear);
    far_wire.set(NetworkConditions::Clear);
    let script = Script::default();
    script.play(10, 0);
    let station = Station::start(&far, 1, script.clone(), Compression::Deflate);
    let mut owner = Owner::new(Listener::start(&near), Lang::Bs);
    owner.until(|owner| owner.state() == LivenessState::Active && !owner.offer.sports.is_empty()).await;
    for round in 1..=3 {
        near_wire.set(NetworkConditions::Cut);
        owner.until(|owner| owner.state() == LivenessState::Down(DownCause::Disconnected)).await;
        assert!(owner.offer.sports.is_empty(), "no offer without a connection");
        script.play(10, round);
        script.play(10 + round as u64, round);
        near_wire.set(NetworkConditions::Clear);
        owner.until(|owner| owner.state() == LivenessState::Active && owner.offer.sports.len() == 1).await;

        far_wire.set(NetworkConditions::Cut);
        script.play(10, -round);
        far_wire.set(NetworkConditions::Clear);
        let expected: Vec<(u64, i64)> =
            std::iter::once((10, -round)).chain((1..=round).map(|it| (10 + it as u64, it))).collect();
        owner.until(|owner| scores(&owner.offer, Lang::Bs) == expected).await;
    }
    station.stop().await;
    corner.clear().await;
}

#[tokio::test]
async fn tls_connection_requires_a_known_certificate_authority() {
    let corner = Corner::new("tls").await;
    let url = from_env("KVOTA_TEST_AMQPS_URL");
    let trusting =
        AmqpConfig { url: url.clone(), ca_file: Some(from_env("KVOTA_TEST_AMQP_CA").into()), ..corner.config.clone() };
    let mut listener = Listener::start(&trusting);
    listener.connected().await;
    let script = Script::default();
    script.play(10, 4);
    let station = Station::start(&trusting, 1, script, Compression::Deflate);
    let update = listener.find(|input| match input {
        FeedInput::Event { lang: Lang::Sr, update, .. } => Some(update),
        _ => None,
    });
    assert_eq!(scores(&update.await, Lang::Sr), [(10, 4)]);
    station.stop().await;

    // A certificate from an unknown authority is not trusted.
    let wire = ChaosProxy::before(&url, NetworkConditions::Clear).await;
    let config = AmqpConfig { url: wire.url(&url), ca_file: None, ..corner.config.clone() };
    Listener::start(&config).fails_to_connect(&wire, 2).await;
    corner.clear().await;
}

#[tokio::test]
async fn wrong_credentials_are_retried_and_never_logged() {
    let corner = Corner::new("credentials").await;
    corner.declare_exchange().await;
    let url = corner.config.url.replace("kvota:kvota@", "kvota:wrong@");
    assert_ne!(url, corner.config.url, "the broker of the tests knows kvota");
    let wire = ChaosProxy::before(&url, NetworkConditions::Clear).await;
    let mut listener = Listener::start(&AmqpConfig { url: wire.url(&url), ..corner.config.clone() });
    listener.fails_to_connect(&wire, 2).await;
    corner.clear().await;
}

#[tokio::test]
async fn existing_exchange_with_other_options_is_used_unchanged() {
    let corner = Corner::new("otherwise").await;
    corner.declare_exchange_as(ExchangeDeclareOptions::default()).await;
    let mut listener = Listener::start(&corner.config);
    listener.connected().await;
    corner.clear().await;
}

#[tokio::test]
async fn reader_without_declare_permission_waits_for_the_exchange() {
    let corner = Corner::new("undeclared").await;
    let (config, proxy) = wired(&corner).await;
    proxy.set(NetworkConditions::Clear);
    let mut listener = Listener::start(&AmqpConfig { declare: false, ..config });
    listener.fails_to_connect(&proxy, 2).await;
    corner.declare_exchange().await;
    listener.connected().await;
    corner.clear().await;
}
