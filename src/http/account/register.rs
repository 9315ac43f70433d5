//! POST account/register: creates an account with the opening balance and logs it in (CONTRACT 2).

use super::credentials::{Credentials, is_good_external_id};
use super::{Registration, begin, status_answer, store_error_to_api};
use crate::betting::exclusion_register::Standing;
use crate::http::error::ApiError;
use crate::http::rate_limit::Source;
use crate::http::{AppState, JsonBody};
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use kvota_domain::money::Money;
use kvota_domain::protection::Protection;
use kvota_store::{Account, Created, NewAccount};
use serde::Deserialize;
use tokio::time::Instant;

/// The body; never log it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewPlayer {
    #[serde(flatten)]
    given: Credentials,
    /// The player's name in the register of excluded players; absent or null: the name of the account.
    external_id: Option<String>,
}

/// 201; 400 for an invalid name, password or external id, a name that exists, and an excluded player; 403 if registration
/// is closed; 429; 503, also if the register of excluded players does not answer.
pub(crate) async fn post(
    req: HttpRequest,
    state: web::Data<AppState>,
    JsonBody(NewPlayer { given, external_id }): JsonBody<NewPlayer>,
) -> Result<HttpResponse, ApiError> {
    if state.accounts.registration == Registration::Closed {
        return Err(ApiError::RegistrationClosed);
    }
    if !given.has_good_name() {
        return Err(ApiError::Name);
    }
    if !given.has_good_password() {
        return Err(ApiError::Password);
    }
    if external_id.as_deref().is_some_and(|id| !is_good_external_id(id)) {
        return Err(ApiError::Parameter {
            name: "externalId",
            allowed: "1 to 128 printable ASCII characters, not only blanks and hyphens",
        });
    }
    let seen = state.seen(&req);
    let source = Source::of(&seen);
    if !state.accounts.is_unlimited(&seen) {
        state.accounts.tries.register(source, Instant::now())?;
    }
    let name = given.name().to_owned();
    // Checked before the expensive hash. If another request takes the name in between, the store reports it.
    if state.stores.accounts.find(&name).await.map_err(store_error_to_api)?.is_some() {
        return Err(ApiError::NameTaken);
    }
    let in_register = state.register.of_new_player(external_id.clone().unwrap_or_else(|| name.clone())).await;
    match in_register.standing() {
        Standing::Clear => {}
        Standing::Blocked => return Err(ApiError::NotRegistered),
        Standing::Unknown => return Err(ApiError::Unavailable),
    }
    let password_hash = state.accounts.passwords.hash(given.password, source).await?;
    let (opening, now_ms) = (state.accounts.opening_balance, (state.now_ms)());
    let new = NewAccount {
        name: name.clone(),
        password_hash: password_hash.clone(),
        opening,
        now_ms,
        external_id: external_id.clone(),
    };
    match state.stores.accounts.create(new).await.map_err(store_error_to_api)? {
        Created::NameTaken => Err(ApiError::NameTaken),
        Created::ExternalIdTaken => Err(ApiError::ExternalIdTaken),
        Created::Account(id) => {
            state.register.keep(id, in_register);
            let (receivable, protection) = (Money::ZERO, Protection::default());
            let account = Account { id, name, password_hash, balance: opening, receivable, protection, external_id };
            let answer = status_answer(StatusCode::CREATED, &state, &account, None);
            begin(&req, &state, &account.name, (id, &account.password_hash), answer).await
        }
    }
}
