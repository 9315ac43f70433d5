//! The sections `accounts`, `betting` and `media` of the configuration. Amounts and percentages are parsed from their
//! text, never through a float.

use super::reader::{Reader, decimal_text};
use crate::betting::placement::Betting;
use crate::http::account::Registration;
use crate::http::limits::SESSION_COOKIE_SECONDS;
use crate::http::proxies::Network;
use crate::http::{MATCH_ID, PERFORM_EVENT_ID};
use figment::providers::{Format, Toml};
use figment::value::{Dict, Value};
use kvota_domain::ids::SportId;
use kvota_domain::money::Money;
use kvota_domain::settlement::CashOutTerms;
use kvota_domain::ticket::{
    Delays, ExactOdd, Limits, PAIRS_MAX, Percent, PlacingLimits, Rules, RulesError, TaxKind, TaxRule, TaxableWin,
    WinTaxMode,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Section `accounts`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accounts {
    /// The balance of a new account, in cents.
    pub opening_balance: Money,
    /// The currency of the installation, three letters.
    pub currency: Arc<str>,
    /// Whether new accounts may be registered.
    pub registration: Registration,
    /// Accounts registered from one address per minute, 1 to 10,000.
    pub registrations_per_minute: usize,
    /// Networks from which any number of accounts may be registered.
    pub unlimited_networks: Vec<Network>,
    /// How long an unused login lasts, in hours, 1 to 720.
    pub login_idle_hours: u16,
}

/// Section `media`: what is shown next to a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Media {
    /// The address of a match's video, with the placeholder `{performEventId}`; `None` if there is no video.
    pub stream_url: Option<Arc<str>>,
    /// Whether recorded matches show the built-in demo video.
    pub has_demo_stream: bool,
    /// The address of an external scoreboard, with the placeholder `{matchId}` or `{performEventId}`; `None` for our
    /// own page.
    pub scoreboard_url: Option<Arc<str>>,
}

/// The value of `media.stream_url` that selects the demo video.
const DEMO: &str = "demo";
const AMOUNT: &str = "an amount such as 1000.00";

pub(super) fn read_accounts(reader: &mut Reader<'_>) -> Option<Accounts> {
    let opening_balance = reader.decimal("accounts.opening_balance", AMOUNT, Money::parse);
    let currency = reader.parsed("accounts.currency", "three capital letters such as EUR", |text| {
        let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        is_code.then(|| text.into())
    });
    let registration = reader.parsed("accounts.registration", "open or closed", |text| match text {
        "open" => Some(Registration::Open),
        "closed" => Some(Registration::Closed),
        _ => None,
    });
    let registrations_per_minute = reader.integer("accounts.registrations_per_minute", 1..=10_000);
    let unlimited_networks = reader.list(
        "accounts.unlimited_networks",
        "a list of addresses or networks such as 10.0.0.0/8",
        Network::parse,
    );
    let login_idle_hours = reader.integer("accounts.login_idle_hours", 1..=SESSION_COOKIE_SECONDS / 3_600);
    Some(Accounts {
        opening_balance: opening_balance?,
        currency: currency?,
        registration: registration?,
        registrations_per_minute: usize::try_from(registrations_per_minute?).ok()?,
        unlimited_networks: unlimited_networks?,
        login_idle_hours: u16::try_from(login_idle_hours?).ok()?,
    })
}

pub(super) fn read_media(reader: &mut Reader<'_>) -> Option<Media> {
    let template = |text: &str, places: &[&str]| {
        let is_template = text.starts_with("https://") && places.iter().any(|place| text.contains(place));
        (text.is_empty() || is_template).then(|| (!text.is_empty()).then(|| Arc::from(text)))
    };
    let stream =
        reader.parsed("media.stream_url", "an https:// address with {performEventId} in it, demo, or empty", |text| {
            if text == DEMO { Some((None, true)) } else { Some((template(text, &[PERFORM_EVENT_ID])?, false)) }
        });
    let scoreboard_url = reader.parsed(
        "media.scoreboard_url",
        "an https:// address with {matchId} or {performEventId} in it, or empty",
        |text| template(text, &[MATCH_ID, PERFORM_EVENT_ID]),
    );
    let (stream_url, has_demo_stream) = stream?;
    Some(Media { stream_url, has_demo_stream, scoreboard_url: scoreboard_url? })
}

/// Rejects what the production profile does not accept. The operator must choose the opening balance: a profile without
/// this key would otherwise give new accounts the default amount.
pub(super) fn check_production(reader: &mut Reader<'_>, accounts: &Accounts, media: &Media) {
    let key = "accounts.opening_balance";
    if accounts.opening_balance > Money::ZERO && reader.is_default(key) {
        let text = format!(
            "{} comes from the defaults, which the profile production does not accept; set it to 0.00, or set an amount \
             in the profile, a file (--config) or a variable",
            accounts.opening_balance
        );
        reader.note(key, text);
    }
    if media.has_demo_stream {
        let text = "\"demo\" is not allowed in the profile production; allowed is an https:// address with \
                    {performEventId} in it, or empty";
        reader.note("media.stream_url", text.to_owned());
    }
}

pub(super) fn read_betting(reader: &mut Reader<'_>) -> Option<Betting> {
    let tax = reader.value_of("betting.tax", TAX, tax_rules);
    let win_tax_mode = reader.parsed("betting.win_tax_mode", "marginal or whole", |text| {
        [WinTaxMode::Marginal, WinTaxMode::Whole].into_iter().find(|mode| mode.code() == text)
    });
    let taxable_win = reader.parsed("betting.taxable_win", "profit or win", |text| {
        [TaxableWin::Profit, TaxableWin::Win].into_iter().find(|taxable| taxable.code() == text)
    });
    let void_returns_stake_tax = reader.flag("betting.void_returns_stake_tax");
    let limits = read_limits(reader);
    let placing = read_placing(reader);
    let delays = read_delays(reader);
    let cash_out = read_cash_out(reader);
    let rules = Rules { tax: tax?, win_tax_mode: win_tax_mode?, taxable_win: taxable_win?, limits: limits? };
    let rules = match rules.validated() {
        Ok(rules) => Some(rules),
        Err(errors) => {
            errors.into_iter().for_each(|error| reader.note(key_of(error), error.to_string()));
            None
        }
    };
    Some(Betting {
        rules: rules?,
        delays: delays?,
        limits: placing?,
        void_returns_stake_tax: void_returns_stake_tax?,
        cash_out: cash_out?,
    })
}

fn read_cash_out(reader: &mut Reader<'_>) -> Option<CashOutTerms> {
    let is_enabled = reader.flag("betting.cash_out.enabled");
    let margin = reader.decimal("betting.cash_out.margin", "a percentage from 0 to 100 such as 5", Percent::parse);
    let min = reader.decimal("betting.cash_out.min", AMOUNT, Money::parse);
    let is_capped_at_stake = reader.parsed("betting.cash_out.cap", "none or stake", |text| match text {
        "none" => Some(false),
        "stake" => Some(true),
        _ => None,
    });
    Some(CashOutTerms { is_enabled: is_enabled?, margin: margin?, min: min?, is_capped_at_stake: is_capped_at_stake? })
}

fn read_limits(reader: &mut Reader<'_>) -> Option<Limits> {
    let min_stake = reader.decimal("betting.limits.min_stake", AMOUNT, Money::parse);
    let max_stake = reader.decimal("betting.limits.max_stake", AMOUNT, Money::parse);
    let max_payout = reader.decimal("betting.limits.max_payout", AMOUNT, Money::parse);
    let max_total_odd =
        reader.decimal("betting.limits.max_total_odd", "a number with at most 3 decimals", ExactOdd::parse);
    let max_pairs = reader.integer("betting.limits.max_pairs", 1..=PAIRS_MAX as i64);
    let max_combinations = reader.integer("betting.limits.max_combinations", 1..=i64::MAX);
    Some(Limits {
        min_stake: min_stake?,
        max_stake: max_stake?,
        max_payout: max_payout?,
        max_total_odd: max_total_odd?,
        max_pairs: usize::try_from(max_pairs?).ok()?,
        max_combinations: u64::try_from(max_combinations?).ok()?,
    })
}

fn read_placing(reader: &mut Reader<'_>) -> Option<PlacingLimits> {
    let mut limit = |key| {
        let amount = reader.decimal(key, "an amount, or 0 for no limit", Money::parse)?;
        Some(Some(amount).filter(|max| *max > Money::ZERO))
    };
    let user_stake_max = limit("betting.limits.max_user_stake");
    let match_stake_max = limit("betting.limits.max_match_stake");
    let match_payout_max = limit("betting.limits.max_match_payout");
    Some(PlacingLimits {
        user_stake_max: user_stake_max?,
        match_stake_max: match_stake_max?,
        match_payout_max: match_payout_max?,
    })
}

/// The default, and a separate key for each sport with another delay.
fn read_delays(reader: &mut Reader<'_>) -> Option<Delays> {
    let seconds = |reader: &mut Reader<'_>, key: &str| u32::try_from(reader.integer(key, 0..=60)?).ok();
    let default_seconds = seconds(reader, "betting.delay.default");
    let mut by_sport = BTreeMap::new();
    let mut are_sound = true;
    for name in reader.members("betting.delay") {
        let Some(sport) = name.parse().ok().and_then(SportId::new) else { continue };
        match seconds(reader, &format!("betting.delay.{name}")) {
            Some(seconds) => {
                by_sport.insert(sport, seconds);
            }
            None => are_sound = false,
        }
    }
    are_sound.then_some(())?;
    Some(Delays { default_seconds: default_seconds?, by_sport })
}

const TAX: &str = "a list of rules such as { from = 0, to = 1500, percentage = 10, type = \"win\" }, of type stake or \
                   win, without to where there is no end";

fn tax_rules(value: &Value) -> Option<Vec<TaxRule>> {
    match value {
        Value::Array(_, rules) => rules.iter().map(tax_rule).collect(),
        // An environment variable can only hold text.
        Value::String(_, text) => {
            let document: Dict = Toml::from_str(&format!("tax = {text}")).ok()?;
            match document.get("tax")? {
                Value::Array(_, rules) if document.len() == 1 => rules.iter().map(tax_rule).collect(),
                _ => None,
            }
        }
        _ => None,
    }
}

fn tax_rule(value: &Value) -> Option<TaxRule> {
    let Value::Dict(_, members) = value else { return None };
    if members.keys().any(|name| !["from", "to", "percentage", "type"].contains(&name.as_str())) {
        return None;
    }
    let amount = |value: &Value| Money::parse(&decimal_text(value)?);
    Some(TaxRule {
        from: amount(members.get("from")?)?,
        to: match members.get("to") {
            Some(to) => Some(amount(to)?),
            None => None,
        },
        percentage: Percent::parse(&decimal_text(members.get("percentage")?)?)?,
        kind: {
            let word = members.get("type")?.as_str()?;
            [TaxKind::Stake, TaxKind::Win].into_iter().find(|kind| kind.code() == word)?
        },
    })
}

/// The key that has to be changed.
const fn key_of(error: RulesError) -> &'static str {
    match error {
        RulesError::NegativeFrom(_) | RulesError::EmptyBracket(_) | RulesError::Overlap(..) => "betting.tax",
        RulesError::MinStake => "betting.limits.min_stake",
        RulesError::MaxStake => "betting.limits.max_stake",
        RulesError::MaxPayout => "betting.limits.max_payout",
        RulesError::MaxTotalOdd => "betting.limits.max_total_odd",
        RulesError::MaxPairs => "betting.limits.max_pairs",
        RulesError::MaxCombinations => "betting.limits.max_combinations",
    }
}
