//! The section `feed.uof` of the configuration: a provider's feed (CONTRACT 10).

use super::reader::Reader;
use super::{BROKER_NAME, Secret, broker_name};
use kvota_domain::lang::{Lang, PerLang};
use std::collections::BTreeSet;

/// Section `feed.uof`, with `betting.wait_for_confirmed`.
#[derive(Clone, PartialEq, Debug)]
pub struct Uof {
    /// The broker's URL with the token; empty if the feed is not used.
    pub amqp_url: Secret,
    /// The provider's exchange.
    pub exchange: String,
    /// The REST interface up to and including its version; empty if the feed is not used.
    pub api_url: String,
    /// The token for the REST interface.
    pub token: Secret,
    /// The producers that are followed.
    pub producers: Vec<u32>,
    /// Ours among several readers with one token.
    pub node_id: u32,
    /// The provider's names of our languages.
    pub languages: PerLang<String>,
    /// After how many seconds without a sign of life a producer is down, 1 to 600.
    pub alive_seconds: u32,
    /// The market types that are paid only when a settlement is confirmed.
    pub wait_for_confirmed: BTreeSet<i64>,
}

impl Uof {
    /// The first key without which the feed cannot be used.
    pub fn lacks(&self) -> Option<&'static str> {
        [
            ("feed.uof.amqp_url", self.amqp_url.reveal()),
            ("feed.uof.api_url", &self.api_url),
            ("feed.uof.token", self.token.reveal()),
        ]
        .into_iter()
        .find(|(_, value)| value.is_empty())
        .map(|(key, _)| key)
    }
}

pub(super) fn read_uof(reader: &mut Reader<'_>) -> Option<Uof> {
    let allowed = "an address such as amqps://TOKEN:@host:5671/%2Funifiedfeed%2F12345, or empty";
    let amqp_url = reader
        .secret("feed.uof.amqp_url", allowed, |text| text.is_empty() || text.parse::<lapin::uri::AMQPUri>().is_ok());
    let exchange = reader.parsed("feed.uof.exchange", BROKER_NAME, broker_name);
    let api_url = reader.parsed("feed.uof.api_url", "an address such as https://host/v1, or empty", |text| {
        let is_url = text.starts_with("https://") || text.starts_with("http://");
        (text.is_empty() || is_url).then(|| text.to_owned())
    });
    let token = reader.secret("feed.uof.token", "a token without spaces, or empty", |text| {
        text.bytes().all(|byte| byte.is_ascii_graphic())
    });
    let producers = reader.list("feed.uof.producers", "a list of numbers of producers, at least one", |text| {
        text.parse::<u32>().ok().filter(|id| *id > 0)
    });
    if producers.as_ref().is_some_and(Vec::is_empty) {
        reader.note("feed.uof.producers", "is empty; allowed is a list of at least one producer".to_owned());
    }
    let node_id = reader.integer("feed.uof.node_id", 1..=i64::from(i32::MAX));
    let code = |text: &str| {
        let is_code = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        is_code.then(|| text.to_owned())
    };
    let languages = Lang::ALL.map(|lang| {
        reader.parsed(&format!("feed.uof.languages.{}", lang.code()), "the provider's code of the language", code)
    });
    let alive_seconds = reader.integer("feed.uof.alive_seconds", 1..=600);
    let wait_for_confirmed =
        reader.list("betting.wait_for_confirmed", "a list of market types", |text| text.parse::<i64>().ok());
    let [hr, en, bs, sr] = languages;
    let languages = [hr?, en?, bs?, sr?];
    Some(Uof {
        amqp_url: amqp_url?,
        exchange: exchange?,
        api_url: api_url?,
        token: token?,
        producers: producers?,
        node_id: u32::try_from(node_id?).ok()?,
        languages: PerLang::new(|lang| languages[lang.index()].clone()),
        alive_seconds: u32::try_from(alive_seconds?).ok()?,
        wait_for_confirmed: wait_for_confirmed?.into_iter().collect(),
    })
}
