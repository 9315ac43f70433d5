//! The language of an answer (CONTRACT 2): `?lang=` if it is one of the four, else the cookie `kvota-lang`, else
//! Croatian. Unknown values count as absent. Used by every call whose answer has texts.

use super::query::parameter;
use super::session_cookie;
use actix_web::HttpRequest;
use kvota_domain::lang::Lang;

/// The cookie in which the client keeps the bettor's choice.
pub const COOKIE: &str = "kvota-lang";

/// The language of an answer and where it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnswerLanguage {
    /// The language.
    pub lang: Lang,
    /// Whether the URL alone decided. If not, caches must distinguish cookies (`Vary: Cookie`).
    pub by_url: bool,
}

/// The language of a request.
pub fn of(req: &HttpRequest) -> AnswerLanguage {
    let cookie = || session_cookie::values(req, COOKIE).find_map(Lang::from_code);
    choose(req.query_string(), cookie)
}

fn choose(query: &str, cookie: impl FnOnce() -> Option<Lang>) -> AnswerLanguage {
    match parameter(query, "lang").as_deref().and_then(Lang::from_code) {
        Some(lang) => AnswerLanguage { lang, by_url: true },
        None => AnswerLanguage { lang: cookie().unwrap_or(Lang::Hr), by_url: false },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::cookie::Cookie;
    use actix_web::test::TestRequest;

    #[test]
    fn url_wins_over_cookie_and_croatian_is_the_default() {
        for (query, cookie, lang, by_url) in [
            ("", None, Lang::Hr, false),
            ("?lang=en", None, Lang::En, true),
            ("?lang=sr", Some("bs"), Lang::Sr, true),
            ("?view=rows&lang=bs", None, Lang::Bs, true),
            ("", Some("sr"), Lang::Sr, false),
            ("?lang=", Some("en"), Lang::En, false),
            ("?lang=de", Some("en"), Lang::En, false),
            ("?lang=de", None, Lang::Hr, false),
            ("?lang=EN", None, Lang::Hr, false),
            ("?slang=en", None, Lang::Hr, false),
            ("", Some("de"), Lang::Hr, false),
            ("", Some("../../etc"), Lang::Hr, false),
            ("?lang=en&lang=sr", None, Lang::En, true),
            ("?lang=%65n", None, Lang::En, true),
        ] {
            let mut req = TestRequest::with_uri(&format!("/api/v1/live/offer{query}"));
            if let Some(cookie) = cookie {
                req = req.cookie(Cookie::new(COOKIE, cookie));
            }
            let spoken = of(&req.to_http_request());
            assert_eq!(spoken, AnswerLanguage { lang, by_url }, "{query} {cookie:?}");
        }
    }
}
