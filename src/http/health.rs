//! GET /healthz: the process is alive. GET /readyz: it can serve bettors, or 503 with what is missing, so that a load
//! balancer skips the node. Only the primary language counts: if another one has no offer, the node stays ready.

use super::AppState;
use super::error::ApiError;
use super::language;
use super::texts;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_LANGUAGE};
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::offer_event::FeedState;
use kvota_read_model::Readiness;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Unapplied matches that an answer names; their number counts all.
const UNAPPLIED_NAMED_MAX: usize = 20;

/// The states of a provider's producers (CONTRACT 10): their numbers, with `up`, `recovering` or `down`.
#[derive(Clone)]
pub struct ProviderStates(Arc<dyn Fn() -> Vec<(u32, &'static str)> + Send + Sync>);

impl ProviderStates {
    /// States that `read` returns.
    pub fn new(read: impl Fn() -> Vec<(u32, &'static str)> + Send + Sync + 'static) -> ProviderStates {
        ProviderStates(Arc::new(read))
    }

    fn states(&self) -> Vec<(u32, &'static str)> {
        (self.0)()
    }
}

/// `{"status": "alive"}`.
pub(crate) async fn alive() -> HttpResponse {
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(json!({"status": "alive"}))
}

/// 200, or 503 with the usual error body and the field `missing`.
pub(crate) async fn ready(req: HttpRequest, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let readiness = state.read_model.readiness();
    let lang = language::of(&req).lang;
    let has_store = state.store_health.is_reachable(&state.stores).await;
    let missing = missing(&readiness, has_store, state.live_hub.is_stopping());
    let mut body = report(&readiness, state.results_link.is_connected());
    if let Some(provider) = &state.provider {
        add_producers(&mut body, &provider.states());
    }
    let mut answer = if missing.is_empty() {
        body.insert("status".to_owned(), json!("ready"));
        HttpResponse::Ok()
    } else {
        let text = texts::text(lang, "errorNotReady", &[("missing", &missing.join(", "))]);
        body.insert("status".to_owned(), json!("not_ready"));
        body.insert("modelState".to_owned(), json!({"error": [text]}));
        body.insert("message".to_owned(), json!(text));
        body.insert("missing".to_owned(), json!(missing));
        HttpResponse::ServiceUnavailable()
    };
    Ok(answer.insert_header((CACHE_CONTROL, "no-store")).insert_header((CONTENT_LANGUAGE, lang.locale())).json(body))
}

/// What the node lacks, as names for programs rather than sentences.
fn missing(readiness: &Readiness, has_store: bool, is_stopping: bool) -> Vec<&'static str> {
    let mut missing = match readiness.feed[readiness.primary] {
        FeedState::Active => vec![],
        FeedState::Recovering => vec!["feed"],
        FeedState::Inactive => vec!["offer", "feed"],
    };
    if !has_store {
        missing.push("store");
    }
    if is_stopping {
        missing.push("stopping");
    }
    missing
}

/// `degraded` names what costs some bettors something, and not the node: a language, `results` while none arrive, or
/// `matches` while updates of some could not be applied; `unapplied` then names them.
fn report(readiness: &Readiness, has_results: bool) -> Map<String, Value> {
    let primary = readiness.primary;
    let state_of = |state: &FeedState| match state {
        FeedState::Active => "active",
        FeedState::Recovering => "recovering",
        FeedState::Inactive => "inactive",
    };
    let languages = readiness.feed.iter();
    let feed: Map<String, Value> =
        languages.map(|(lang, state)| (lang.code().to_owned(), json!(state_of(state)))).collect();
    let mut degraded: Vec<&str> = readiness
        .feed
        .iter()
        .filter(|(lang, state)| *lang != primary && **state != FeedState::Active)
        .map(|(lang, _)| lang.code())
        .collect();
    if !has_results {
        degraded.push("results");
    }
    if !readiness.unapplied.is_empty() {
        degraded.push("matches");
    }
    let named: Vec<u64> = readiness.unapplied.iter().take(UNAPPLIED_NAMED_MAX).map(|id| id.get()).collect();
    let members =
        [("primaryLanguage", json!(primary.code())), ("feed", Value::Object(feed)), ("degraded", json!(degraded))];
    let unapplied =
        (!named.is_empty()).then(|| ("unapplied", json!({"count": readiness.unapplied.len(), "matches": named})));
    members.into_iter().chain(unapplied).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The states of a provider's producers. One that is not up costs the matches in which it has lines.
fn add_producers(body: &mut Map<String, Value>, states: &[(u32, &'static str)]) {
    let producers: Map<String, Value> =
        states.iter().map(|(producer, state)| (producer.to_string(), json!(state))).collect();
    if states.iter().any(|(_, state)| *state != "up")
        && let Some(degraded) = body.get_mut("degraded").and_then(Value::as_array_mut)
    {
        degraded.push(json!("producers"));
    }
    body.insert("producers".to_owned(), Value::Object(producers));
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::ids::MatchId;
    use kvota_domain::lang::{Lang, PerLang};

    fn readiness(primary: FeedState, english: FeedState) -> Readiness {
        let mut feed = PerLang::new(|_| FeedState::Active);
        feed[Lang::Hr] = primary;
        feed[Lang::En] = english;
        Readiness { primary: Lang::Hr, feed, unapplied: Vec::new() }
    }

    #[test]
    fn readiness_depends_only_on_the_primary_language() {
        use FeedState::{Active, Inactive, Recovering};
        for (primary, english, expected, degraded) in [
            (Active, Active, &[][..], json!([])),
            (Active, Recovering, &[], json!(["en"])),
            (Active, Inactive, &[], json!(["en"])),
            (Recovering, Active, &["feed"], json!([])),
            (Inactive, Inactive, &["offer", "feed"], json!(["en"])),
        ] {
            let readiness = readiness(primary, english);
            assert_eq!(missing(&readiness, true, false), expected, "{readiness:?}");
            assert_eq!(missing(&readiness, false, false), [expected, &["store"]].concat(), "{readiness:?}");
            assert_eq!(missing(&readiness, true, true), [expected, &["stopping"]].concat(), "{readiness:?}");
            assert_eq!(report(&readiness, true)["degraded"], degraded, "{readiness:?}");
        }
        let without_results = report(&readiness(Active, Inactive), false);
        assert_eq!(without_results["degraded"], json!(["en", "results"]));
        let unapplied = (1..=30).filter_map(MatchId::new).collect();
        let with_unapplied = report(&Readiness { unapplied, ..readiness(Active, Active) }, true);
        assert_eq!(with_unapplied["degraded"], json!(["matches"]));
        assert_eq!(with_unapplied["unapplied"]["count"], 30);
        assert_eq!(with_unapplied["unapplied"]["matches"], json!((1..=20).collect::<Vec<u64>>()));
        let mut body = report(&readiness(Active, Active), true);
        add_producers(&mut body, &[(1, "up"), (3, "down")]);
        assert_eq!((&body["producers"], &body["degraded"]), (&json!({"1": "up", "3": "down"}), &json!(["producers"])));
        let report = report(&readiness(Recovering, Inactive), true);
        assert_eq!(report["feed"], json!({"hr": "recovering", "en": "inactive", "bs": "active", "sr": "active"}));
    }
}
