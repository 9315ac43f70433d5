//! Serves a provider: its messages to a broker, its documents and orders over HTTP, and the faults at
//! `POST /faults/NAME?seconds=N`.

use crate::documents;
use crate::faults::{Fault, SECONDS_MAX};
use crate::messages::Sent;
use crate::provider::{Provider, Refusal, match_of};
use actix_web::http::header::ContentType;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use kvota_broker::{AddressError, Backoff, Broker};
use lapin::options::{BasicPublishOptions, ExchangeDeclareOptions};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use lapin::{BasicProperties, ExchangeKind};
use std::collections::HashMap;
use std::io;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The time between two steps.
const STEP: Duration = Duration::from_millis(100);

/// The time in ms since the epoch.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Where a provider is served.
#[derive(Clone)]
pub struct Served {
    /// The broker.
    pub amqp_url: String,
    /// The topic exchange, which is declared.
    pub exchange: String,
    /// The token that calls must have.
    pub token: String,
}

/// Why a provider cannot be served.
#[derive(thiserror::Error, Debug)]
pub enum ServeError {
    /// The broker's address.
    #[error("the address of the broker: {0}")]
    Address(#[from] AddressError),
    /// The exchange's name.
    #[error("the exchange must have a name of 1 to 255 bytes")]
    Exchange,
    /// HTTP.
    #[error("the REST interface cannot be served")]
    Http(#[from] io::Error),
}

#[derive(Clone)]
struct Shared {
    provider: Arc<Mutex<Provider>>,
    clock: Clock,
    token: Arc<str>,
}

impl Shared {
    fn provider(&self) -> MutexGuard<'_, Provider> {
        self.provider.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves until `stop` completes.
///
/// # Errors
/// It can never be served as configured.
pub async fn serve(
    provider: Provider,
    clock: Clock,
    served: Served,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let broker = Broker::new(&served.amqp_url, None, 5, "kvota uof-provider")?;
    let exchange = ShortString::try_new(served.exchange.as_str()).map_err(|_| ServeError::Exchange)?;
    let shared = Shared { provider: Arc::new(Mutex::new(provider)), clock, token: served.token.into() };
    let of_server = shared.clone();
    let app = move || {
        App::new()
            .app_data(web::Data::new(of_server.clone()))
            .route("/faults/{name}", web::post().to(begin_fault))
            .route("/v1/{path:.*}", web::get().to(document))
            .route("/v1/{producer}/recovery/initiate_request", web::post().to(recover))
            .route("/v1/{producer}/{part}/events/{event}/initiate_request", web::post().to(recover_event))
    };
    let server = HttpServer::new(app).workers(1).disable_signals().listen(listener)?.run();
    tokio::select! {
        ended = server => ended.map_err(ServeError::Http),
        () = publish(&broker, &exchange, &shared) => Ok(()),
        () = stop => Ok(()),
    }
}

/// Publishes, and reconnects after a failure. Never completes.
async fn publish(broker: &Broker, exchange: &ShortString, shared: &Shared) {
    let mut backoff = Backoff::default();
    loop {
        let since = Instant::now();
        let error = match publish_on_connection(broker, exchange, shared).await {
            Ok(never) => match never {},
            Err(error) => error,
        };
        backoff.stood(since.elapsed());
        tracing::warn!(address = broker.address, "cannot publish: {error}");
        tokio::time::sleep(backoff.next_wait()).await;
    }
}

async fn publish_on_connection(
    broker: &Broker,
    exchange: &ShortString,
    shared: &Shared,
) -> Result<std::convert::Infallible, lapin::Error> {
    let connection = broker.connect().await?;
    let channel = connection.create_channel().await?;
    let options = ExchangeDeclareOptions { durable: true, ..ExchangeDeclareOptions::default() };
    channel.exchange_declare(exchange.clone(), ExchangeKind::Topic, options, FieldTable::default()).await?;
    tracing::info!(address = broker.address, "the provider's feed is published");
    let mut steps = tokio::time::interval(STEP);
    loop {
        steps.tick().await;
        let now_ms = (shared.clock)();
        let sent = shared.provider().step(now_ms);
        for Sent { key, body } in sent {
            let mut headers = FieldTable::default();
            headers.insert("timestamp_in_ms".into(), AMQPValue::LongLongInt(now_ms));
            let properties = BasicProperties::default().with_headers(headers);
            let options = BasicPublishOptions::default();
            // Without confirms: the provider does not wait for its readers.
            channel.basic_publish(exchange.clone(), key.into(), options, body.as_bytes(), properties).await?;
        }
        if !channel.status().connected() {
            return Err(io::Error::other("the channel is closed").into());
        }
    }
}

fn is_allowed(request: &HttpRequest, shared: &Shared) -> bool {
    request.headers().get("x-access-token").is_some_and(|token| token.as_bytes() == shared.token.as_bytes())
}

fn xml(answer: Result<String, Refusal>) -> HttpResponse {
    match answer {
        Ok(body) => HttpResponse::Ok().insert_header(ContentType::xml()).body(body),
        Err(Refusal::Absent) => HttpResponse::NotFound().finish(),
        Err(Refusal::Bad) => HttpResponse::BadRequest().finish(),
        Err(Refusal::Unavailable) => HttpResponse::ServiceUnavailable().finish(),
    }
}

async fn document(request: HttpRequest, path: web::Path<String>, shared: web::Data<Shared>) -> HttpResponse {
    if !is_allowed(&request, &shared) {
        return HttpResponse::Forbidden().finish();
    }
    let api_url = format!("http://{}/v1", request.connection_info().host());
    xml(shared.provider().document(&path, &api_url, (shared.clock)()))
}

type Query = web::Query<HashMap<String, String>>;

fn order(query: &Query) -> Option<(i64, u32)> {
    let request = query.get("request_id")?.parse().ok()?;
    Some((request, query.get("node_id").map_or(Some(0), |node| node.parse().ok())?))
}

async fn recover(request: HttpRequest, query: Query, shared: web::Data<Shared>) -> HttpResponse {
    if !is_allowed(&request, &shared) {
        return HttpResponse::Forbidden().finish();
    }
    let after_ms = query.get("after").map(|after| after.parse::<i64>());
    let (Some((number, node)), Ok(after_ms)) = (order(&query), after_ms.transpose()) else {
        return xml(Err(Refusal::Bad));
    };
    let now_ms = (shared.clock)();
    xml(shared.provider().recover(after_ms, number, node, now_ms).map(|()| documents::accepted()))
}

async fn recover_event(
    request: HttpRequest,
    path: web::Path<(String, String, String)>,
    query: Query,
    shared: web::Data<Shared>,
) -> HttpResponse {
    if !is_allowed(&request, &shared) {
        return HttpResponse::Forbidden().finish();
    }
    let (_, part, event) = path.into_inner();
    let (Some((number, node)), Some(id)) = (order(&query), match_of(&event)) else { return xml(Err(Refusal::Bad)) };
    let (mut provider, now_ms) = (shared.provider(), (shared.clock)());
    let begun = match part.as_str() {
        "odds" => provider.recover_odds(id, number, node, now_ms),
        "stateful_messages" => provider.recover_results(id, number, node, now_ms),
        _ => Err(Refusal::Absent),
    };
    xml(begun.map(|()| documents::accepted()))
}

async fn begin_fault(path: web::Path<String>, query: Query, shared: web::Data<Shared>) -> HttpResponse {
    let seconds = query.get("seconds").map_or(Ok(30), |seconds| seconds.parse::<u32>());
    let (Some(fault), Ok(seconds)) = (Fault::named(&path), seconds) else {
        let names: Vec<&str> = Fault::ALL.iter().map(|(_, name)| *name).collect();
        return HttpResponse::NotFound().body(format!("faults are {}\n", names.join(", ")));
    };
    let (seconds, now_ms) = (seconds.min(SECONDS_MAX), (shared.clock)());
    shared.provider().begin_fault(fault, seconds, now_ms);
    HttpResponse::Ok().body(format!("{path} for {seconds} s\n"))
}
