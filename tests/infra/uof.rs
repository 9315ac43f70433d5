//! A provider's feed over a real broker and a real REST interface: recovery, a lost broker, refused calls, and a restart
//! with what is kept on disk (CONTRACT 10).

use crate::broker::{Corner, from_env};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use kvota::testkit::proxy::{ChaosProxy, NetworkConditions};
use kvota_domain::feed::Change;
use kvota_domain::ids::MatchId;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::settlement::{MarketState, RequestedMatch};
use kvota_feed::embedded::wall_clock;
use kvota_uof::connection::{Config, Uof};
use kvota_uof::producer::State;
use lapin::BasicProperties;
use lapin::options::BasicPublishOptions;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

const LIMIT: Duration = Duration::from_secs(40);
const TOKEN: &str = "token-of-the-test";

/// A provider's REST interface that notes what it was asked.
#[derive(Clone, Default)]
struct Rest(Arc<Mutex<Asked>>);

#[derive(Default)]
struct Asked {
    calls: Vec<String>,
    /// So many orders are refused.
    refusals: usize,
}

impl Rest {
    /// Serves it; its address up to the version.
    fn serve(&self, tasks: &mut JoinSet<()>) -> String {
        let rest = self.clone();
        let app = move || App::new().app_data(web::Data::new(rest.clone())).default_service(web::to(answer));
        let server = HttpServer::new(app).workers(1).disable_signals().bind("127.0.0.1:0").expect("a port");
        let address = server.addrs()[0];
        let running = server.run();
        tasks.spawn_local(async move { drop(running.await) });
        format!("http://{address}/v1")
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.0.lock().expect("no panic")
    }

    fn calls(&self, part: &str) -> Vec<String> {
        self.asked().calls.iter().filter(|call| call.contains(part)).cloned().collect()
    }

    fn recoveries(&self) -> Vec<String> {
        self.calls("/recovery/initiate_request")
    }
}

async fn answer(request: HttpRequest, rest: web::Data<Rest>) -> HttpResponse {
    let token = request.headers().get("x-access-token").and_then(|token| token.to_str().ok());
    if token != Some(TOKEN) {
        return HttpResponse::Forbidden().finish();
    }
    let path = request.path().trim_start_matches("/v1/").to_owned();
    let mut asked = rest.asked();
    asked.calls.push(format!("{} /{path}?{}", request.method(), request.query_string()));
    if request.method() == "POST" {
        if asked.refusals > 0 {
            asked.refusals -= 1;
            return HttpResponse::ServiceUnavailable().finish();
        }
        return HttpResponse::Accepted().finish();
    }
    let event = path.split('/').find(|part| part.starts_with("sr:match:")).unwrap_or_default();
    match path.rsplit('/').next() {
        Some("markets.xml") => HttpResponse::Ok().body(
            "<market_descriptions><market id='1' name='1x2' groups='all'><outcomes><outcome id='1' \
             name='{$competitor1}'/></outcomes></market></market_descriptions>",
        ),
        Some("fixture.xml") => HttpResponse::Ok().body(format!(
            "<fixtures_fixture><fixture id='{event}'><tournament id='sr:tournament:7' name='Cup'>\
             <sport id='sr:sport:1' name='Soccer'/><category id='sr:category:3' name='World'/></tournament><competitors>\
             <competitor id='sr:competitor:1' name='Home' qualifier='home'/><competitor id='sr:competitor:2' name='Away' \
             qualifier='away'/></competitors></fixture></fixtures_fixture>"
        )),
        _ => HttpResponse::NotFound().finish(),
    }
}

/// A provider with a reader.
struct Station {
    corner: Corner,
    rest: Rest,
    config: Config,
    proxy: ChaosProxy,
    _serving: JoinSet<()>,
    /// Times of messages are counted from here, in ms since the epoch.
    base_ms: i64,
}

impl Station {
    /// The same with a broker that is reached over TLS.
    async fn with_tls(test: &str) -> Station {
        let mut station = Station::new(test).await;
        station.config.amqp_url = from_env("KVOTA_TEST_AMQPS_URL");
        station.config.ca_file = Some(from_env("KVOTA_TEST_AMQP_CA").into());
        station
    }

    async fn new(test: &str) -> Station {
        let corner = Corner::new(test).await;
        corner.declare_exchange().await;
        let proxy = ChaosProxy::before(&from_env("KVOTA_TEST_AMQP_URL"), NetworkConditions::Clear).await;
        let (rest, mut serving) = (Rest::default(), JoinSet::new());
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("uof-{}-{test}", std::process::id()));
        let config = Config {
            amqp_url: proxy.url(&corner.config.url),
            exchange: corner.config.exchange.clone(),
            api_url: rest.serve(&mut serving),
            token: TOKEN.to_owned(),
            producers: vec![1],
            node_id: 7,
            languages: PerLang::new(|lang| lang.code().to_owned()),
            alive_seconds: 20,
            wait_for_confirmed: BTreeSet::new(),
            ca_file: None,
            heartbeat_s: 60,
            folder,
        };
        Station { corner, rest, config, proxy, _serving: serving, base_ms: wall_clock()() }
    }

    fn reader(&self) -> Uof {
        Uof::start(self.config.clone(), wall_clock()).expect("a configuration")
    }

    async fn send(&self, key: &str, body: &str) {
        let exchange = self.corner.config.exchange.as_str().into();
        let options = BasicPublishOptions::default();
        let published = self.corner.channel().basic_publish(
            exchange,
            key.into(),
            options,
            body.as_bytes(),
            BasicProperties::default(),
        );
        published.await.expect("published").await.expect("sent");
    }

    async fn alive(&self, at_ms: i64) {
        let at_ms = self.base_ms + at_ms;
        self.send("-.-.-.alive.-.-.-.-", &format!("<alive product='1' timestamp='{at_ms}' subscribed='1'/>")).await;
    }

    /// Sends signs of life until there are so many recoveries.
    async fn alive_until_recoveries(&self, number: usize, at_ms: i64) {
        let deadline = Instant::now() + LIMIT;
        while self.rest.recoveries().len() < number {
            assert!(Instant::now() < deadline, "{:?}", self.rest.recoveries());
            self.alive(at_ms).await;
            tokio::time::timeout(Duration::from_millis(200), std::future::pending::<()>()).await.expect_err("a wait");
        }
    }

    /// Ends the latest recovery of this node.
    async fn complete(&self) {
        let asked = self.rest.recoveries().pop().expect("a recovery");
        let request = asked.split("request_id=").nth(1).and_then(|rest| rest.split('&').next()).expect("a number");
        let body = format!("<snapshot_complete product='1' timestamp='1' request_id='{request}'/>");
        self.send("-.-.-.snapshot_complete.-.-.-.7", &body).await;
    }

    async fn odds(&self, at_ms: i64) {
        let at_ms = self.base_ms + at_ms;
        let body = format!(
            "<odds_change product='1' event_id='sr:match:7' timestamp='{at_ms}'><sport_event_status status='1' \
             match_status='6' home_score='0' away_score='0'/><odds><market id='1'><outcome id='1' odds='2'/></market>\
             </odds></odds_change>"
        );
        self.send("hi.-.live.odds_change.1.sr:match.7.-", &body).await;
    }

    async fn end(self) {
        self.corner.delete_exchange().await;
        let _ = std::fs::remove_dir_all(&self.config.folder);
    }
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + LIMIT;
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        tokio::task::yield_now().await;
    }
}

/// The first change of the match, in English.
async fn change(uof: &Uof, what: &str, fits: impl Fn(Change, &kvota_domain::matches::Match) -> bool) {
    until(what, || {
        let changes = uof.take_changes();
        changes.iter().any(|change| fits(change.change, &change.as_match(Lang::En, 0).0))
    })
    .await;
}

#[actix::test]
async fn a_reader_recovers_at_the_start_and_after_the_broker_was_lost() {
    let station = Station::new("uof-recovery").await;
    station.rest.asked().refusals = 1;
    let uof = station.reader();
    station.alive_until_recoveries(1, 1_000).await;
    assert_eq!(uof.states(), [(1, State::Recovering)]);
    // The first call is refused and made again, with another number.
    station.alive_until_recoveries(2, 1_000).await;
    let first = station.rest.recoveries();
    assert!(first.iter().all(|call| call.contains("POST /liveodds/") && call.contains("node_id=7")), "{first:?}");
    assert!(first.iter().all(|call| !call.contains("after")) && first[0] != first[1], "{first:?}");

    station.odds(2_000).await;
    change(&uof, "the match is there", |change, shown| change == Change::Insert && !shown.betting).await;
    let of_another_node = "<snapshot_complete product='1' timestamp='1' request_id='1'/>";
    station.send("-.-.-.snapshot_complete.-.-.-.8", of_another_node).await;
    station.complete().await;
    change(&uof, "it can be bet on", |_, shown| {
        let market = &shown.markets[0];
        shown.betting && market.name.as_deref() == Some("1x2") && market.odds[0].description.as_deref() == Some("Home")
    })
    .await;
    assert!(uof.is_active());
    // Messages that cannot be read are skipped.
    for bad in ["", "<", "<odds_change product='1'/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><alive product='1'/>", "\u{0}"] {
        station.send("hi.-.live.odds_change.1.sr:match.7.-", bad).await;
    }
    station.alive(3_000).await;
    station.odds(3_500).await;
    change(&uof, "it goes on", |_, shown| shown.betting).await;
    let of_event = || station.rest.calls("POST /liveodds/odds/events/sr:match:7/initiate_request").len();
    until("what they said is asked for", || of_event() > 0).await;
    assert_eq!(of_event(), 1, "once for all of them");

    station.proxy.set(NetworkConditions::Cut);
    until("the loss is noticed", || !uof.is_active()).await;
    change(&uof, "bets are stopped", |_, shown| !shown.betting).await;
    station.proxy.set(NetworkConditions::Clear);
    station.alive_until_recoveries(3, 4_000).await;
    assert!(
        station.rest.recoveries()[2].ends_with(&format!("&after={}", station.base_ms + 3_000)),
        "{:?}",
        station.rest.recoveries()
    );
    station.complete().await;
    until("it is up", || uof.is_active()).await;
    change(&uof, "the line is locked", |_, shown| !shown.betting && shown.markets[0].is_suspended).await;
    station.odds(4_500).await;
    change(&uof, "the line is confirmed", |_, shown| shown.betting).await;
    station.end().await;
}

#[actix::test]
async fn a_restart_asks_neither_for_names_nor_for_results_again() {
    let station = Station::with_tls("uof-restart").await;
    let first = station.reader();
    station.alive_until_recoveries(1, 1_000).await;
    station.odds(2_000).await;
    change(&first, "the match is there", |change, _| change == Change::Insert).await;
    let settled = "<bet_settlement product='1' event_id='sr:match:7' timestamp='3000' certainty='2'><outcomes><market id='1'>\
        <outcome id='1' result='1'/><outcome id='2' result='0'/></market></outcomes></bet_settlement>";
    station.send("lo.-.live.bet_settlement.1.sr:match.7.-", settled).await;
    let mut results = Vec::new();
    until("there is a result", || {
        results.extend(first.take_results());
        !results.is_empty()
    })
    .await;
    let market = results[0].markets[0].market;
    drop(first);
    let asked = station.rest.calls("GET").len();
    assert!(asked >= 8, "descriptions and fixtures in four languages");

    let second = station.reader();
    station.alive_until_recoveries(2, 4_000).await;
    station.odds(5_000).await;
    change(&second, "the match is there again", |change, _| change == Change::Insert).await;
    let again = station.rest.calls("GET").split_off(asked);
    let names: Vec<_> = again.iter().filter(|call| call.contains("fixture") || call.contains("markets.xml")).collect();
    assert!(names.is_empty(), "{names:?}");

    let id = |number| MatchId::new(number).expect("an id");
    let present = second.present_results(&[RequestedMatch { match_id: id(7), open_markets: vec![market] }]);
    assert_eq!(present[0].markets[0].state, MarketState::Settled);
    // One outcome is taken back: the other one is known from before the restart.
    let back = "<rollback_bet_settlement product='1' event_id='sr:match:7' timestamp='6000'><market id='1'>\
        <outcome id='1'/></market></rollback_bet_settlement>";
    station.send("lo.-.live.rollback_bet_settlement.1.sr:match.7.-", back).await;
    let mut results = Vec::new();
    until("the result has changed", || {
        results.extend(second.take_results());
        !results.is_empty()
    })
    .await;
    let changed = &results[0].markets[0];
    assert_eq!((changed.state, changed.odds.len(), changed.version), (MarketState::Settled, 1, 6_000));

    // Nothing is known of this one, so the provider is asked.
    second.present_results(&[RequestedMatch { match_id: id(8), open_markets: vec![market] }]);
    let is_asked =
        || station.rest.calls("POST /liveodds/stateful_messages/events/sr:match:8/initiate_request").len() == 1;
    until("the results are asked for", is_asked).await;
    station.end().await;
}
