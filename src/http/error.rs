//! Every error that the server answers with: its kind, its status and its text. The body is always `{"message": …,
//! "modelState": {"error": […]}}` in the request's language (CONTRACT 2).
//!
//! | kind | variant | what the client gets |
//! |---|---|---|
//! | a client's mistake (address, parameter, body, origin, login) | its own, 4xx | what to do instead |
//! | a rejection (a bettor's mistake against a rule) | none: 400 with its own key; `live/send_ticket.rs` | the rule |
//! | an adapter's failure (broker, store) | [`ApiError::Unavailable`], 503 | try again; logged where it happened |
//! | a bug | [`ApiError::Internal`], 500 | no details; logged here, once |
//!
//! Calls return `Result<_, ApiError>`. [`errors_as_json`] turns it into the answer, as well as errors that actix itself
//! raises. Must not send a cause, a path or a type name to a client.

use super::language;
use super::texts;
use crate::http::limits::{NAME_CHARS_MAX, NAME_CHARS_MIN, PASSWORD_CHARS_MIN};
use actix_web::body::{BodySize, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_TYPE, HeaderValue, RETRY_AFTER, SEC_WEBSOCKET_VERSION,
};
use actix_web::middleware::Next;
use actix_web::{HttpResponse, HttpResponseBuilder, ResponseError};
use kvota_domain::lang::Lang;
use kvota_domain::money::Money;
use kvota_domain::ticket::{CannotBet, ChangedPair};
use kvota_wire::ticket::number;
use serde::Serialize;
use serde_json::value::RawValue;

/// An error, as sent to the client.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// No call has this address.
    #[error("no such address")]
    NotFound,
    /// The match is not in the offer, or there is no offer.
    #[error("no such match")]
    NoMatch,
    /// The odd or its match is not in the offer, or there is no offer.
    #[error("no such odd")]
    NoOdd,
    /// The address exists, but not with this method.
    #[error("method not allowed, only {allow}")]
    Method {
        /// The allowed methods, separated by commas.
        allow: String,
    },
    /// The request comes from a page of another origin (see `origin.rs`).
    #[error("origin refused")]
    Origin,
    /// A parameter of the URL has an invalid value.
    #[error("parameter {name} is not one of {allowed}")]
    Parameter {
        /// The name of the parameter.
        name: &'static str,
        /// The allowed values, separated by commas.
        allowed: &'static str,
    },
    /// The hub request offers no supported subprotocol, or is not a WebSocket handshake.
    #[error("no subprotocol of {allowed}")]
    Subprotocol {
        /// The supported subprotocols, separated by commas.
        allowed: &'static str,
    },
    /// The hub request is of another version of WebSocket than 13.
    #[error("not version 13 of WebSocket")]
    WebSocketVersion,
    /// The body is not JSON, or not the JSON that the call expects.
    #[error("body is not the expected json")]
    Json,
    /// The content type of the body is not JSON.
    #[error("body is not json by its content type")]
    MediaType,
    /// The body is larger than allowed.
    #[error("body is larger than {limit_bytes} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit_bytes: usize,
    },
    /// The body did not arrive in time.
    #[error("body did not arrive in time")]
    TooSlow,
    /// The call needs a login.
    #[error("nobody is logged in")]
    LoginRequired,
    /// The operator accepts no new accounts.
    #[error("registration is closed")]
    RegistrationClosed,
    /// The register of excluded players lists the player.
    #[error("the player is in the register of excluded players")]
    InRegister,
    /// The installation has no cashier of its own.
    #[error("there is no cashier")]
    NoCashier,
    /// No account has this name and password.
    #[error("wrong name or password")]
    WrongLogin,
    /// The old password is not the password of the account.
    #[error("wrong password")]
    WrongPassword,
    /// An account cannot have this name.
    #[error("no name of an account")]
    Name,
    /// An account cannot have this password.
    #[error("no password of an account")]
    Password,
    /// Another account has this name.
    #[error("the name is taken")]
    NameTaken,
    /// Another account has the external id.
    #[error("the external id is taken")]
    ExternalIdTaken,
    /// The player may not register. The text must not say why (CONTRACT 9).
    #[error("the player may not register")]
    NotRegistered,
    /// The present exclusion lasts longer.
    #[error("an exclusion cannot be shortened")]
    ShorterExclusion,
    /// The bettor has no such bet.
    #[error("no such ticket")]
    NoTicket,
    /// No page returned this cursor.
    #[error("no such cursor")]
    Cursor,
    /// The idempotency key was used for another body.
    #[error("the key was used for another body")]
    KeyUsed,
    /// Too many calls.
    #[error("too often, again in {seconds} s")]
    TooMany {
        /// Seconds until it may be tried again.
        seconds: u64,
    },
    /// Something this call needs cannot be reached; the same call may succeed later.
    #[error("not available")]
    Unavailable,
    /// A bug.
    #[error("internal error")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An error that actix raised; only its status is known.
    #[error("refused with {0}")]
    Other(StatusCode),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    message: &'a str,
    model_state: ModelState<'a>,
    /// All pairs of a ticket that changed or cannot be bet on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<ChangedPairBody>,
    /// The code of why a ticket is rejected or a bet is not cashed out.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// What a limit of the bettor leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangedPairBody {
    match_id: u64,
    /// The odd's id, as in the call.
    market_id: u64,
    odd_value: Box<RawValue>,
    current_value: Option<Box<RawValue>>,
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct ModelState<'a> {
    error: [&'a str; 1],
}

impl ApiError {
    /// The text of the error.
    pub fn text(&self, lang: Lang) -> String {
        let plain = |key| texts::text(lang, key, &[]);
        match self {
            ApiError::NotFound => plain("errorNotFound"),
            ApiError::NoMatch => plain("errorNoMatch"),
            ApiError::NoOdd => plain("errorNoOdd"),
            ApiError::Method { allow } => texts::text(lang, "errorMethod", &[("allow", allow)]),
            ApiError::Origin => plain("errorOrigin"),
            ApiError::Parameter { name, allowed } => {
                texts::text(lang, "errorParameter", &[("name", name), ("allowed", allowed)])
            }
            ApiError::Subprotocol { allowed } => texts::text(lang, "errorSubprotocol", &[("allowed", allowed)]),
            ApiError::WebSocketVersion => plain("errorWebSocketVersion"),
            ApiError::Json => plain("errorJson"),
            ApiError::MediaType => plain("errorMediaType"),
            ApiError::TooLarge { limit_bytes } => {
                texts::text(lang, "errorTooLarge", &[("limit", &limit_bytes.to_string())])
            }
            ApiError::TooSlow => plain("errorTooSlow"),
            ApiError::LoginRequired => plain("errorLoginRequired"),
            ApiError::RegistrationClosed => plain("errorRegistrationClosed"),
            ApiError::InRegister => plain("refusedInRegister"),
            ApiError::NoCashier => plain("errorNoCashier"),
            ApiError::WrongLogin => plain("errorWrongLogin"),
            ApiError::WrongPassword => plain("errorWrongPassword"),
            ApiError::Name => texts::text(
                lang,
                "errorName",
                &[("min", &NAME_CHARS_MIN.to_string()), ("max", &NAME_CHARS_MAX.to_string())],
            ),
            ApiError::Password => texts::text(lang, "errorPassword", &[("min", &PASSWORD_CHARS_MIN.to_string())]),
            ApiError::NameTaken => plain("errorNameTaken"),
            ApiError::ExternalIdTaken => plain("errorExternalIdTaken"),
            ApiError::NotRegistered => plain("errorNotRegistered"),
            ApiError::ShorterExclusion => plain("errorShorterExclusion"),
            ApiError::NoTicket => plain("errorNoTicket"),
            ApiError::Cursor => plain("errorCursor"),
            ApiError::KeyUsed => plain("errorKeyUsed"),
            ApiError::TooMany { .. } => plain("errorTooMany"),
            ApiError::Unavailable => plain("errorUnavailable"),
            ApiError::Internal(_) => plain("errorInternal"),
            ApiError::Other(status) if status.is_server_error() => plain("errorInternal"),
            ApiError::Other(_) => plain("errorBadRequest"),
        }
    }

    /// The complete answer in a language.
    pub fn answer(&self, lang: Lang) -> HttpResponse {
        let text = self.text(lang);
        let mut answer = HttpResponseBuilder::new(self.status_code());
        answer.insert_header((CONTENT_LANGUAGE, lang.locale())).insert_header((CACHE_CONTROL, "no-store"));
        match self {
            ApiError::Method { allow } => {
                answer.insert_header((ALLOW, allow.as_str()));
            }
            ApiError::WebSocketVersion => {
                answer.insert_header((SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13")));
            }
            ApiError::Unavailable => {
                answer.insert_header((RETRY_AFTER, HeaderValue::from_static("5")));
            }
            ApiError::TooMany { seconds } => {
                answer.insert_header((RETRY_AFTER, *seconds));
            }
            _ => {}
        }
        answer.insert_header((CONTENT_TYPE, "application/json")).body(body(&text))
    }
}

/// The body of an error with this text.
pub(crate) fn body(text: &str) -> Vec<u8> {
    written(text, Vec::new(), None, None)
}

/// The body of a rejected ticket: the code of the reason, the pairs that changed or cannot be bet on, and what a limit
/// leaves.
pub(crate) fn body_of_ticket(
    text: &str,
    reason: &'static str,
    changed: &[ChangedPair],
    left: Option<Money>,
) -> Vec<u8> {
    let pairs = changed.iter().map(|pair| ChangedPairBody {
        match_id: pair.match_id.get(),
        market_id: pair.odd_id.get(),
        odd_value: number(&pair.submitted),
        current_value: pair.current.map(|current| number(&current)),
        reason: pair.reason.map(CannotBet::code),
    });
    written(text, pairs.collect(), Some(reason), left.map(|left| left.to_string()))
}

/// The body of an error, with the code of its reason.
pub(crate) fn body_with_reason(text: &str, reason: &'static str) -> Vec<u8> {
    written(text, Vec::new(), Some(reason), None)
}

fn written(text: &str, pairs: Vec<ChangedPairBody>, reason: Option<&'static str>, left: Option<String>) -> Vec<u8> {
    let body = Body { message: text, model_state: ModelState { error: [text] }, pairs, reason, left };
    // Writing into memory cannot fail, and all keys are strings.
    serde_json::to_vec(&body).unwrap_or_default()
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        match self {
            ApiError::NotFound | ApiError::NoMatch | ApiError::NoOdd | ApiError::NoTicket => StatusCode::NOT_FOUND,
            ApiError::LoginRequired | ApiError::WrongLogin => StatusCode::UNAUTHORIZED,
            ApiError::KeyUsed => StatusCode::CONFLICT,
            ApiError::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            ApiError::Method { .. } => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::Origin | ApiError::RegistrationClosed | ApiError::NoCashier => StatusCode::FORBIDDEN,
            ApiError::Parameter { .. }
            | ApiError::Subprotocol { .. }
            | ApiError::Json
            | ApiError::Name
            | ApiError::Password
            | ApiError::WrongPassword
            | ApiError::NameTaken
            | ApiError::ExternalIdTaken
            | ApiError::NotRegistered
            | ApiError::ShorterExclusion
            | ApiError::InRegister
            | ApiError::Cursor => StatusCode::BAD_REQUEST,
            ApiError::WebSocketVersion => StatusCode::UPGRADE_REQUIRED,
            ApiError::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ApiError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::TooSlow => StatusCode::REQUEST_TIMEOUT,
            ApiError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            ApiError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
            ApiError::Other(status) => *status,
        }
    }

    /// A default answer; [`errors_as_json`] replaces it by one in the request's language.
    fn error_response(&self) -> HttpResponse {
        self.answer(Lang::Hr)
    }
}

/// Middleware around every call: turns errors, including those of actix, into JSON in the request's language.
pub async fn errors_as_json<B: MessageBody + 'static>(
    req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, actix_web::Error> {
    let lang = language::of(req.request()).lang;
    let answered = next.call(req).await?;
    let status = answered.status();
    let response = answered.response();
    let own = response.error().and_then(|error| error.as_error::<ApiError>());
    if let Some(ApiError::Internal(cause)) = own {
        tracing::error!(cause, path = answered.request().path(), "a call failed by a bug");
    }
    let foreign = ApiError::Other(status);
    let is_bare = matches!(response.body().size(), BodySize::None | BodySize::Sized(0));
    let is_error = status.is_client_error() || status.is_server_error();
    let error = match own {
        Some(own) => own,
        None if is_error && (response.error().is_some() || is_bare) => &foreign,
        None => return Ok(answered.map_into_left_body()),
    };
    let answer = error.answer(lang);
    Ok(answered.into_response(answer).map_into_boxed_body().map_into_right_body())
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::body::to_bytes;

    #[actix_web::test]
    async fn error_body_is_in_the_requested_language() {
        let error = ApiError::Parameter { name: "view", allowed: "rows" };
        let answer = error.answer(Lang::En);
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
        assert_eq!(answer.headers().get(CONTENT_LANGUAGE).unwrap(), "en-US");
        let body = to_bytes(answer.into_body()).await.unwrap();
        assert_eq!(
            body,
            r#"{"message":"\"view\" must be one of: rows.","modelState":{"error":["\"view\" must be one of: rows."]}}"#
        );
    }

    #[test]
    fn every_error_has_a_text_in_every_language() {
        let all = [
            ApiError::NotFound,
            ApiError::NoMatch,
            ApiError::Method { allow: "GET".to_owned() },
            ApiError::Origin,
            ApiError::Parameter { name: "n", allowed: "a" },
            ApiError::Subprotocol { allowed: "a" },
            ApiError::WebSocketVersion,
            ApiError::Json,
            ApiError::MediaType,
            ApiError::TooLarge { limit_bytes: 1 },
            ApiError::TooSlow,
            ApiError::LoginRequired,
            ApiError::RegistrationClosed,
            ApiError::InRegister,
            ApiError::NoCashier,
            ApiError::WrongLogin,
            ApiError::WrongPassword,
            ApiError::Name,
            ApiError::Password,
            ApiError::NameTaken,
            ApiError::ExternalIdTaken,
            ApiError::NotRegistered,
            ApiError::ShorterExclusion,
            ApiError::NoTicket,
            ApiError::Cursor,
            ApiError::KeyUsed,
            ApiError::TooMany { seconds: 1 },
            ApiError::Unavailable,
            ApiError::Internal("cause".into()),
            ApiError::Other(StatusCode::IM_A_TEAPOT),
        ];
        for error in all {
            for lang in Lang::ALL {
                let text = error.text(lang);
                assert!(text.contains(' ') && !text.contains("{{"), "{lang:?} {error}: {text}");
                assert!(!text.contains("cause"), "internals stay inside");
            }
        }
    }
}
