//! Tests of the configuration: each row is a source and its expected outcome.

use super::*;
use kvota_domain::ids::SportId;
use kvota_domain::money::Money;
use kvota_domain::ticket::{Delays, ExactOdd, Percent, PlacingLimits, Rules, TaxKind, TaxRule, TaxableWin, WinTaxMode};
use std::collections::BTreeMap;
use std::fs;

/// A folder for one test, deleted afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("kvota-config-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn sources(&self) -> Sources {
        Sources { directory: self.0.clone(), ..Sources::default() }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn variables(list: &[(&str, &str)]) -> Sources {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Sources { variables: list.iter().map(owned).collect(), ..Sources::default() }
}

/// The mistakes as printed, one per line.
fn mistakes_in(sources: &Sources) -> Vec<String> {
    match load(sources) {
        Ok(_) => Vec::new(),
        Err(Mistakes(mistakes)) => mistakes.iter().map(Mistake::to_string).collect(),
    }
}

#[test]
fn defaults_are_those_of_the_contract() {
    let config = load(&Sources::default()).unwrap();
    assert_eq!(config.http.listen, "127.0.0.1:8080");
    assert_eq!(config.http.allowed_origins, []);
    assert_eq!(config.http.workers, None);
    assert_eq!(config.http.gather, Duration::from_millis(50));
    assert_eq!(config.hub.connections_max, 100_000);
    assert_eq!((config.hub.connections_per_address_max, config.hub.connections_per_session_max), (200, 20));
    assert_eq!(config.hub.new_sessions_per_minute_max, 60);
    let is_unlimited = |text: &str| {
        let address = text.parse().unwrap();
        config.hub.unlimited_networks.iter().any(|network| network.contains(address))
    };
    assert_eq!(["127.0.0.1", "127.9.9.9", "::1", "10.0.0.1"].map(is_unlimited), [true, true, true, false]);
    assert_eq!(config.feed.source, FeedKind::Embedded);
    assert_eq!(config.feed.amqp_url.reveal(), "amqp://guest:guest@127.0.0.1:5672/%2f");
    assert_eq!(config.feed.exchange, "live");
    assert_eq!(config.feed.snapshot_queue, "live-offer");
    assert_eq!(config.feed.primary_language, Lang::Hr);
    assert!(config.feed.declare);
    assert_eq!(config.feed.lag_limits, LagLimits::default());
    assert_eq!(config.store.url.reveal(), "sqlite://kvota.db");
}

#[test]
fn cookie_key_and_cookie_keys_are_merged_into_one_list() {
    let (one, other) = ("1".repeat(32), "2".repeat(32));
    let keys = |given: &[(&str, &str)]| {
        let keys = load(&variables(given)).map(|config| config.http.cookie_keys);
        keys.map(|keys| keys.iter().map(|key| key.reveal().to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(keys(&[]), Ok(vec![]));
    assert_eq!(keys(&[("KVOTA__HTTP__COOKIE_KEY", &one)]), Ok(vec![one.clone()]));
    let both = format!("{one},{other}");
    assert_eq!(keys(&[("KVOTA__HTTP__COOKIE_KEYS", &both)]), Ok(vec![one.clone(), other]));
    for (given, mistake) in [
        (
            vec![("KVOTA__HTTP__COOKIE_KEYS", "short")],
            "http.cookie_keys (environment variable KVOTA__HTTP__COOKIE_KEYS): the value (not shown) is not allowed; allowed is a list of texts of at least 32 characters",
        ),
        (
            vec![("KVOTA__HTTP__COOKIE_KEYS", both.as_str()), ("KVOTA__HTTP__COOKIE_KEY", one.as_str())],
            "http.cookie_keys (environment variable KVOTA__HTTP__COOKIE_KEYS): http.cookie_key is given too; allowed is one of the two",
        ),
    ] {
        assert_eq!(mistakes_in(&variables(&given)), [mistake]);
    }
}

#[test]
fn a_page_over_tls_needs_a_listed_proxy() {
    for (origins, proxies, lacks) in [
        ("", "", false),
        ("http://bets.example", "", false),
        ("http://a.example,https://bets.example", "", true),
        ("https://bets.example", "10.0.0.0/8", false),
    ] {
        let given = [("KVOTA__HTTP__ALLOWED_ORIGINS", origins), ("KVOTA__HTTP__TRUSTED_PROXIES", proxies)];
        assert_eq!(load(&variables(&given)).unwrap().http.lacks_trusted_proxies(), lacks, "{given:?}");
    }
}

#[test]
fn default_data_folder_is_the_users_data_folder() {
    for (given, folder) in [
        (vec![], "kvota-data"),
        (vec![("HOME", "/home/ana")], "/home/ana/.local/share/kvota"),
        (vec![("HOME", "/home/ana"), ("XDG_DATA_HOME", "/data")], "/data/kvota"),
        (vec![("HOME", "/home/ana"), ("XDG_DATA_HOME", "")], "/home/ana/.local/share/kvota"),
        (vec![("HOME", "/home/ana"), ("KVOTA__STORE__DATA_DIR", "/var/lib/kvota")], "/var/lib/kvota"),
    ] {
        assert_eq!(load(&variables(&given)).unwrap().store.data_dir, PathBuf::from(folder), "{given:?}");
    }
}

#[test]
fn later_source_overrides_an_earlier_one() {
    let folder = Folder::new("order");
    folder.write("default.toml", "[feed]\nexchange = 'default'\nspeed = 2");
    folder.write("own.toml", "[feed]\nexchange = 'profile'");
    let file = folder.write("file.toml", "[feed]\nexchange = 'file'");
    let mut sources = folder.sources();
    let exchange = |sources: &Sources| load(sources).unwrap().feed.exchange;
    assert_eq!(exchange(&sources), "default");
    sources.profile = Some("own".to_owned());
    assert_eq!(exchange(&sources), "profile");
    sources.file = Some(file);
    assert_eq!(exchange(&sources), "file");
    sources.variables = vec![("KVOTA__FEED__EXCHANGE".to_owned(), "variable".to_owned())];
    assert_eq!(exchange(&sources), "variable");
    sources.options = vec![Override { key: "feed.exchange", option: "--exchange", value: "option".to_owned() }];
    assert_eq!(exchange(&sources), "option");
    let speed = load(&sources).unwrap().feed.speed;
    assert!((speed - 2.0).abs() < f64::EPSILON, "one key at a time");
}

#[test]
fn built_in_profiles_are_valid() {
    for profile in ["demo", "production"] {
        let sources = Sources { profile: Some(profile.to_owned()), ..Sources::default() };
        assert_eq!(mistakes_in(&sources), Vec::<String>::new(), "{profile}");
        assert_eq!(load(&sources).unwrap().store.require_tls, profile == "production");
    }
}

fn production() -> Sources {
    Sources { profile: Some("production".to_owned()), ..Sources::default() }
}

#[test]
fn the_production_profile_gives_no_money_and_no_demo_stream() {
    let config = load(&production()).unwrap();
    assert_eq!(config.accounts.opening_balance, Money::ZERO);
    assert_eq!((config.media.stream_url, config.media.has_demo_stream), (None, false));
}

#[test]
fn the_production_profile_takes_no_opening_balance_from_the_defaults() {
    let folder = Folder::new("production-default");
    // The operator's own profile replaces the built-in one and omits both keys.
    folder.write("production.toml", "[http]\nlisten = '0.0.0.0:8080'\n[media]\nstream_url = ''");
    let sources = Sources { directory: folder.0.clone(), ..production() };
    let mistakes = mistakes_in(&sources);
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    assert!(mistakes[0].starts_with("accounts.opening_balance (the built-in defaults): "), "{mistakes:?}");
    // A file of defaults does not count as the operator's choice.
    folder.write("default.toml", "[accounts]\nopening_balance = '5.00'");
    let mistakes = mistakes_in(&sources);
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    assert!(mistakes[0].contains("default.toml"), "{mistakes:?}");
    // The same value, chosen by the operator.
    let chosen = variables(&[("KVOTA__ACCOUNTS__OPENING_BALANCE", "1000.00")]).variables;
    let config = load(&Sources { variables: chosen, ..sources.clone() }).unwrap();
    assert_eq!(config.accounts.opening_balance, Money::from_cents(100_000));
    let file = folder.write("own.toml", "[accounts]\nopening_balance = '20.00'");
    let config = load(&Sources { file: Some(file), ..sources.clone() }).unwrap();
    assert_eq!(config.accounts.opening_balance, Money::from_cents(2_000));
    folder.write("production.toml", "[accounts]\nopening_balance = '10.00'\n[media]\nstream_url = ''");
    assert_eq!(load(&sources).unwrap().accounts.opening_balance, Money::from_cents(1_000));
}

#[test]
fn production_profile_rejects_the_demo_stream() {
    let demo = variables(&[("KVOTA__MEDIA__STREAM_URL", "demo")]).variables;
    let mistakes = mistakes_in(&Sources { variables: demo.clone(), ..production() });
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    assert!(mistakes[0].starts_with("media.stream_url (environment variable KVOTA__MEDIA__STREAM_URL): "));
    assert_eq!(mistakes_in(&Sources { variables: demo, ..Sources::default() }), Vec::<String>::new());
}

#[test]
fn variable_is_parsed_as_the_type_of_its_key() {
    let config = load(&variables(&[
        ("KVOTA__HTTP__WORKERS", "2"),
        ("KVOTA__STORE__REQUIRE_TLS", "true"),
        ("KVOTA__HTTP__GATHER_MS", "2"),
        ("KVOTA__HTTP__ALLOWED_ORIGINS", "https://a.example, https://b.example:8443"),
        ("KVOTA__HTTP__TRUSTED_PROXIES", "[\"10.0.0.0/8\"]"),
        ("KVOTA__FEED__SPEED", "0.5"),
        ("KVOTA__FEED__EXCHANGE", "007"),
        ("KVOTA__FEED__PRIMARY_LANGUAGE", "en"),
        ("KVOTA__LOG__LEVEL", "info,kvota::http=debug"),
        ("KVOTA_OTHER", "not ours"),
        ("PATH", "/bin"),
    ]))
    .unwrap();
    assert_eq!(config.http.workers, Some(2));
    assert!(config.store.require_tls);
    assert_eq!(config.http.gather, Duration::from_millis(2));
    let origins: Vec<&str> = config.http.allowed_origins.iter().map(Origin::as_str).collect();
    assert_eq!(origins, ["https://a.example", "https://b.example:8443"]);
    assert_eq!(config.http.trusted_proxies.len(), 1);
    assert_eq!(config.feed.exchange, "007");
    assert_eq!(config.feed.primary_language, Lang::En);
    assert!((config.feed.speed - 0.5).abs() < f64::EPSILON);
}

#[test]
fn each_mistake_names_its_key_its_source_and_what_is_allowed() {
    for (name, value, mistake) in [
        (
            "HTTP__LISTEN",
            "8080",
            "http.listen (environment variable KVOTA__HTTP__LISTEN): \"8080\" is not allowed; allowed is host:port, such as 127.0.0.1:8080",
        ),
        (
            "HTTP__WORKERS",
            "many",
            "http.workers (environment variable KVOTA__HTTP__WORKERS): \"many\" is not allowed; allowed is a whole number from 0 to 256",
        ),
        (
            "HUB__CONNECTIONS_PER_SESSION_MAX",
            "0",
            "hub.connections_per_session_max (environment variable KVOTA__HUB__CONNECTIONS_PER_SESSION_MAX): \"0\" is not allowed; allowed is a whole number from 1 to 1000",
        ),
        (
            "HUB__UNLIMITED_NETWORKS",
            "10.0.0.0/8,home",
            "hub.unlimited_networks (environment variable KVOTA__HUB__UNLIMITED_NETWORKS): \"home\" is not allowed; allowed is a list of addresses or networks such as 127.0.0.0/8",
        ),
        (
            "HTTP__GATHER_MS",
            "51",
            "http.gather_ms (environment variable KVOTA__HTTP__GATHER_MS): \"51\" is not allowed; allowed is a whole number from 2 to 50",
        ),
        (
            "HTTP__ALLOWED_ORIGINS",
            "https://a.example,https://b.example/",
            "http.allowed_origins (environment variable KVOTA__HTTP__ALLOWED_ORIGINS): \"https://b.example/\" is not allowed; allowed is a list of origins such as https://bets.example, without a path",
        ),
        (
            "FEED__SOURCE",
            "kafka",
            "feed.source (environment variable KVOTA__FEED__SOURCE): \"kafka\" is not allowed; allowed is embedded, amqp or uof",
        ),
        (
            "FEED__AMQP_URL",
            "http://user:hunter2@broker",
            "feed.amqp_url (environment variable KVOTA__FEED__AMQP_URL): the value (not shown) is not allowed; allowed is an address such as amqp://user:password@host:5672/%2f, or amqps://",
        ),
        (
            "STORE__URL",
            "mysql://user:hunter2@db/kvota",
            "store.url (environment variable KVOTA__STORE__URL): the value (not shown) is not allowed; allowed is sqlite://FILE or postgres://user:password@host:5432/database",
        ),
        (
            "STORE__REQUIRE_TLS",
            "yes",
            "store.require_tls (environment variable KVOTA__STORE__REQUIRE_TLS): \"yes\" is not allowed; allowed is true or false",
        ),
        (
            "FEED__SPEED",
            "NaN",
            "feed.speed (environment variable KVOTA__FEED__SPEED): \"NaN\" is not allowed; allowed is a number from 0.01 to 1000",
        ),
        (
            "LOG__LEVEL",
            "loud",
            "log.level (environment variable KVOTA__LOG__LEVEL): \"loud\" is not allowed; allowed is error, warn, info, debug or trace, or a filter such as info,kvota::http=debug",
        ),
        (
            "FEED__PRIMARY_LANGUAGE",
            "de",
            "feed.primary_language (environment variable KVOTA__FEED__PRIMARY_LANGUAGE): \"de\" is not allowed; allowed is hr, en, bs or sr",
        ),
        (
            "HTTP__LISTENS",
            "x",
            "http.listens (environment variable KVOTA__HTTP__LISTENS): there is no such key; those of http are allowed_origins, cookie_key, cookie_keys, drain_seconds, gather_ms, internal_listen, listen, trusted_proxies, workers",
        ),
        (
            "HTPP__LISTEN",
            "x",
            "htpp.listen (environment variable KVOTA__HTPP__LISTEN): there is no such key; the sections are accounts, betting, feed, http, hub, log, media, protection, store, wallet",
        ),
        (
            "LISTEN",
            "x",
            "listen (environment variable KVOTA__LISTEN): there is no such key; the sections are accounts, betting, feed, http, hub, log, media, protection, store, wallet",
        ),
    ] {
        let name = format!("KVOTA__{name}");
        assert_eq!(mistakes_in(&variables(&[(&name, value)])), [mistake]);
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let folder = Folder::new("all");
    folder.write("own.toml", "[http]\nworkers = -1\n[shop]\nurl = 'x'");
    let file = folder.write("file.toml", "[feed]\nspeed = 0\nexchange = ''");
    let sources = Sources {
        profile: Some("own".to_owned()),
        file: Some(file),
        variables: variables(&[("KVOTA__LOG__FORMAT", "xml")]).variables,
        ..folder.sources()
    };
    let mistakes = mistakes_in(&sources);
    let starts = [
        "http.workers (profile own, ",
        "feed.exchange (file ",
        "feed.speed (file ",
        "log.format (environment variable KVOTA__LOG__FORMAT)",
        "shop.url (profile own, ",
    ];
    assert_eq!(mistakes.len(), starts.len(), "{mistakes:#?}");
    for (line, start) in mistakes.iter().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
    let all = load(&sources).unwrap_err().to_string();
    assert!(all.starts_with("the configuration has 5 mistakes:\n  http.workers"));
}

#[test]
fn a_source_that_cannot_be_read_is_named() {
    let folder = Folder::new("sources");
    let broken = folder.write("broken.toml", "[http]\nlisten = ");
    let scalar = folder.write("scalar.toml", "http = 8080");
    let listed = folder.write("listed.toml", "[http]\nlisten = ['127.0.0.1:1']");
    let with_file = |path: PathBuf| Sources { file: Some(path), ..folder.sources() };
    let with_profile = |name: &str| Sources { profile: Some(name.to_owned()), ..folder.sources() };
    for (sources, count, start, part) in [
        (with_file(folder.0.join("none.toml")), 1, "file ", "none.toml: cannot be read: "),
        (with_file(broken), 1, "file ", "broken.toml: is not TOML at line 2: "),
        (with_file(listed), 1, "http.listen (file ", ": a list is not allowed"),
        (with_file(scalar), 9, "http.listen (file ", "http must be a section"),
        (with_profile("none"), 1, "option --profile: there is no profile none", "(demo, uof-demo, production)"),
        (with_profile("../etc/passwd"), 1, "option --profile: ", "is no name of a profile"),
        (with_profile(""), 1, "option --profile: ", "is no name of a profile"),
    ] {
        let mistakes = mistakes_in(&sources);
        assert_eq!(mistakes.len(), count, "{mistakes:#?}");
        assert!(mistakes[0].starts_with(start) && mistakes[0].contains(part), "{}", mistakes[0]);
    }
}

#[test]
fn a_password_is_never_printed() {
    let sources =
        variables(&[("KVOTA__FEED__AMQP_URL", "amqp://user:hunter2@broker:5672/%2f"), ("KVOTA__FEED__SPEED", "-1")]);
    assert!(!load(&sources).unwrap_err().to_string().contains("hunter2"));
    let config = load(&Sources { variables: sources.variables[..1].to_vec(), ..Sources::default() }).unwrap();
    assert!(!format!("{config:?}").contains("hunter2"));
}

#[test]
fn configured_files_and_folders_must_exist() {
    let folder = Folder::new("paths");
    let file = folder.write("ca.pem", "");
    let path = |path: &PathBuf| path.to_str().unwrap().to_owned();
    let (file, directory) = (path(&file), path(&folder.0));
    for (key, value, count) in [
        ("CA_FILE", file.as_str(), 0),
        ("CA_FILE", "/no/such/file", 1),
        ("RECORDING_DIR", directory.as_str(), 0),
        ("RECORDING_DIR", file.as_str(), 1),
        ("RECORDING_DIR", "", 0),
    ] {
        let name = format!("KVOTA__FEED__{key}");
        let mistakes = mistakes_in(&variables(&[(&name, value)]));
        assert_eq!(mistakes.len(), count, "{key} {value}: {mistakes:?}");
    }
}

#[test]
fn the_rules_of_betting_are_those_of_the_contract() {
    let config = load(&Sources::default()).unwrap();
    assert_eq!(config.betting.rules, Rules::default());
    assert_eq!(config.betting.delays, Delays { default_seconds: 5, by_sport: BTreeMap::new() });
    assert_eq!(config.betting.limits, PlacingLimits::default());
    assert_eq!(config.accounts.opening_balance, Money::from_cents(100_000));
    assert_eq!(&*config.accounts.currency, "EUR");
    let expected = Media { stream_url: None, has_demo_stream: true, scoreboard_url: None };
    assert_eq!(config.media, expected);
    let demo = Sources { profile: Some("demo".to_owned()), ..Sources::default() };
    assert_eq!(load(&demo).unwrap().betting.delays.default_seconds, 3);
}

#[test]
fn amounts_and_percentages_are_exact() {
    let folder = Folder::new("betting");
    let file = folder.write(
        "file.toml",
        "[betting]\ntax = [{ from = 0.10, to = '99.99', percentage = 12.35, type = 'win' }]\nwin_tax_mode = 'whole'\n\
         taxable_win = 'win'\n[betting.limits]\nmin_stake = 0.7\nmax_total_odd = 1234.567\nmax_match_stake = 500\n\
         [betting.delay]\ndefault = 0\n1 = 8\n[accounts]\nopening_balance = 1000000.01",
    );
    let sources = Sources { file: Some(file), ..folder.sources() };
    let config = load(&sources).unwrap();
    let rules = &config.betting.rules;
    let cents = Money::from_cents;
    let percentage = Percent::from_hundredths(1_235).unwrap();
    let rule = TaxRule { from: cents(10), to: Some(cents(9_999)), percentage, kind: TaxKind::Win };
    assert_eq!(rules.tax, [rule]);
    assert_eq!((rules.win_tax_mode, rules.taxable_win), (WinTaxMode::Whole, TaxableWin::Win));
    assert_eq!(rules.limits.min_stake, cents(70));
    assert_eq!(rules.limits.max_total_odd, ExactOdd::from_thousandths(1_234_567));
    assert_eq!(config.betting.limits.match_stake_max, Some(cents(50_000)));
    assert_eq!(config.accounts.opening_balance, cents(100_000_001));
    assert_eq!(config.betting.delays.slowest([SportId::new(1).unwrap()]), 8);
    assert_eq!(config.betting.delays.slowest([SportId::new(2).unwrap()]), 0);
}

#[test]
fn betting_can_be_set_by_variables() {
    let config = load(&variables(&[
        ("KVOTA__BETTING__TAX", "[{ from = 0, percentage = 0.5, type = \"stake\" }]"),
        ("KVOTA__BETTING__DELAY__DEFAULT", "2"),
        ("KVOTA__BETTING__DELAY__4", "7"),
        ("KVOTA__BETTING__LIMITS__MAX_PAYOUT", "20000.5"),
        ("KVOTA__ACCOUNTS__CURRENCY", "BAM"),
        ("KVOTA__MEDIA__STREAM_URL", "https://streams.example/{performEventId}.m3u8"),
    ]))
    .unwrap();
    assert_eq!(config.betting.rules.tax.len(), 1);
    assert_eq!(config.betting.rules.tax[0].percentage.to_string(), "0.5");
    assert_eq!(config.betting.delays.by_sport, [(SportId::new(4).unwrap(), 7)].into());
    assert_eq!(config.betting.rules.limits.max_payout, Money::from_cents(2_000_050));
    assert_eq!(&*config.accounts.currency, "BAM");
    assert!(config.media.stream_url.is_some() && !config.media.has_demo_stream);
    assert_eq!(mistakes_in(&variables(&[("KVOTA__BETTING__TAX", "[]")])), Vec::<String>::new(), "no taxes at all");
}

#[test]
fn a_mistake_in_betting_is_named_like_every_other() {
    for (name, value, key, part) in [
        (
            "ACCOUNTS__OPENING_BALANCE",
            "1e3",
            "accounts.opening_balance",
            "\"1e3\" is not allowed; allowed is an amount",
        ),
        ("ACCOUNTS__OPENING_BALANCE", "10.001", "accounts.opening_balance", "is not allowed"),
        ("ACCOUNTS__CURRENCY", "eur", "accounts.currency", "three capital letters"),
        ("BETTING__TAX", "[{ from = 0, percentage = 101, type = 'win' }]", "betting.tax", "a list of rules"),
        ("BETTING__TAX", "[{ from = 0, percentage = 1, type = 'loss' }]", "betting.tax", "a list of rules"),
        ("BETTING__TAX", "[{ from = 0, upto = 2, percentage = 1, type = 'win' }]", "betting.tax", "a list of rules"),
        ("BETTING__TAX", "[]\nother = 1", "betting.tax", "a list of rules"),
        (
            "BETTING__TAX",
            "[{ from = 5, to = 5, percentage = 1, type = 'win' }]",
            "betting.tax",
            "tax rule 0 ends where",
        ),
        ("BETTING__LIMITS__MAX_STAKE", "0.50", "betting.limits.max_stake", "the largest stake is below the smallest"),
        ("BETTING__LIMITS__MAX_PAIRS", "31", "betting.limits.max_pairs", "a whole number from 1 to 30"),
        ("BETTING__LIMITS__MAX_ODDS", "1", "betting.limits.max_odds", "there is no such key"),
        ("BETTING__WIN_TAX_MODE", "half", "betting.win_tax_mode", "marginal or whole"),
        ("BETTING__TAXABLE_WIN", "half", "betting.taxable_win", "profit or win"),
        ("BETTING__DELAY__1", "61", "betting.delay.1", "a whole number from 0 to 60"),
        ("BETTING__DELAY__SOCCER", "1", "betting.delay.soccer", "there is no such key"),
        ("MEDIA__STREAM_URL", "http://a/{performEventId}", "media.stream_url", "an https:// address"),
        ("MEDIA__STREAM_URL", "https://a/", "media.stream_url", "an https:// address"),
        ("MEDIA__SCOREBOARD_URL", "//a/{matchId}", "media.scoreboard_url", "an https:// address"),
        ("MEDIA__SCOREBOARD_URL", "https://a/{match}", "media.scoreboard_url", "an https:// address"),
    ] {
        let mistakes = mistakes_in(&variables(&[(&format!("KVOTA__{name}"), value)]));
        assert_eq!(mistakes.len(), 1, "{name} {value}: {mistakes:#?}");
        let start = format!("{key} (environment variable KVOTA__{name}): ");
        assert!(mistakes[0].starts_with(&start) && mistakes[0].contains(part), "{}", mistakes[0]);
    }
}

#[test]
fn lag_down_must_be_greater_than_lag_suspend() {
    let mistakes = mistakes_in(&variables(&[("KVOTA__FEED__LAG_SUSPEND_SECONDS", "15")]));
    assert!(matches!(&mistakes[..], [one] if one.starts_with("feed.lag_down_seconds")), "{mistakes:?}");
}
