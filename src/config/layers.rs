//! Merges the sources of the configuration, later ones over earlier ones: built-in defaults, `config/default.toml`, a
//! profile, a file, environment variables, options. Each layer keeps its name, so that a mistake can report its source.
//!
//! Must not read the process's environment or arguments: the caller passes them in (tests pass their own).

use super::mistake::Mistake;
use figment::providers::{Format, Toml};
use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The name of the layer of built-in defaults.
pub(super) const BUILT_IN: &str = "the built-in defaults";

/// The name of the file of defaults in the configuration folder.
pub(super) const DEFAULT_FILE: &str = "default.toml";

const DEFAULTS: &str = include_str!("../../config/default.toml");

/// The built-in profiles. A file of the same name in the configuration folder replaces one.
const PROFILES: [(&str, &str); 3] = [
    ("demo", include_str!("../../config/demo.toml")),
    ("uof-demo", include_str!("../../config/uof-demo.toml")),
    ("production", include_str!("../../config/production.toml")),
];

/// All sources of a configuration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    /// The folder with `default.toml` and profiles; it may be missing.
    pub directory: PathBuf,
    /// `--profile`.
    pub profile: Option<String>,
    /// `--config`.
    pub file: Option<PathBuf>,
    /// The environment. Only `KVOTA__…`, `XDG_DATA_HOME` and `HOME` are used.
    pub variables: Vec<(String, String)>,
    /// Options that set one key.
    pub options: Vec<Override>,
}

/// An option of the command line that sets one key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Override {
    /// For example `http.listen`.
    pub key: &'static str,
    /// For example `--listen`.
    pub option: &'static str,
    /// The value as given.
    pub value: String,
}

impl Sources {
    /// The variables of the environment that look like settings and are none.
    pub fn ignored_variables(&self) -> Vec<&str> {
        ignored_variables(&self.variables)
    }

    /// The default data folder: `kvota` in the user's data folder (XDG), or `kvota-data` in the working directory if
    /// there is no home.
    pub(super) fn data_folder(&self) -> PathBuf {
        let variable = |name: &str| {
            let found = self.variables.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| PathBuf::from(value)).filter(|path| path.is_absolute())
        };
        let shared = variable("XDG_DATA_HOME").or_else(|| Some(variable("HOME")?.join(".local/share")));
        shared.map_or_else(|| PathBuf::from("kvota-data"), |shared| shared.join("kvota"))
    }
}

struct Layer {
    name: String,
    values: Dict,
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.name.clone())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Profile::Default.collect(self.values.clone()))
    }
}

/// All sources merged, and the mistakes of those that could not be read.
pub(super) fn merge(sources: &Sources) -> (Figment, Vec<Mistake>) {
    let mut layers = vec![parse(BUILT_IN, DEFAULTS)];
    let beside = sources.directory.join(DEFAULT_FILE);
    match std::fs::read_to_string(&beside) {
        Ok(text) => layers.push(parse(&file_name(&beside), &text)),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => layers.push(Err(unreadable(&file_name(&beside), &error))),
    }
    layers.extend(sources.profile.iter().map(|name| profile(sources, name)));
    layers.extend(sources.file.iter().map(|path| file(path)));
    layers.extend(variables(&sources.variables).into_iter().map(Ok));
    layers.extend(sources.options.iter().map(|given| {
        let name = format!("option {}", given.option);
        Ok(single(name, given.key, &given.value))
    }));

    let mut merged = Figment::new();
    let mut mistakes = Vec::new();
    for layer in layers {
        match layer {
            Ok(layer) => merged = merged.merge(layer),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    (merged, mistakes)
}

fn profile(sources: &Sources, name: &str) -> Result<Layer, Mistake> {
    let simple = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let source = format!("profile {name}");
    if name.is_empty() || !name.chars().all(simple) {
        return Err(Mistake::of_source(
            "option --profile",
            format!("{name:?} is no name of a profile (letters, digits, - and _)"),
        ));
    }
    let path = sources.directory.join(format!("{name}.toml"));
    match std::fs::read_to_string(&path) {
        Ok(text) => parse(&format!("{source}, {}", path.display()), &text),
        Err(error) if error.kind() == ErrorKind::NotFound => match PROFILES.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => parse(&format!("{source}, built in"), text),
            None => Err(Mistake::of_source(
                "option --profile",
                format!(
                    "there is no profile {name}: neither the file {} nor a built-in one (demo, uof-demo, production)",
                    path.display()
                ),
            )),
        },
        Err(error) => Err(unreadable(&format!("{source}, {}", path.display()), &error)),
    }
}

fn file(path: &Path) -> Result<Layer, Mistake> {
    let name = file_name(path);
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&name, &text),
        Err(error) => Err(unreadable(&name, &error)),
    }
}

fn file_name(path: &Path) -> String {
    format!("file {}", path.display())
}

fn unreadable(name: &str, error: &std::io::Error) -> Mistake {
    Mistake::of_source(name, format!("cannot be read: {error}"))
}

fn parse(name: &str, text: &str) -> Result<Layer, Mistake> {
    match Toml::from_str::<Dict>(text) {
        Ok(values) => Ok(Layer { name: name.to_owned(), values }),
        Err(error) => {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| before.matches('\n').count() + 1);
            Err(Mistake::of_source(name, format!("is not TOML at line {line}: {}", error.message())))
        }
    }
}

/// Beginnings of the variables of the project's scripts and tests, which are no settings.
const OF_SCRIPTS: [&str; 15] = [
    "KVOTA_TEST_",
    "KVOTA_BENCH_",
    "KVOTA_BIN",
    "KVOTA_BLESS",
    "KVOTA_CACHE",
    "KVOTA_EXAMPLES",
    "KVOTA_FAIL_POINT",
    "KVOTA_MUTATIONS",
    "KVOTA_POSTGRES_PORT",
    "KVOTA_RABBITMQ_PORT",
    "KVOTA_SEEDS",
    "KVOTA_SHARES",
    "KVOTA_TARGET",
    "KVOTA_TICKETS",
    "KVOTA_TIME_FACTOR",
];

/// The variables that look like settings and are none, for example `KVOTA_STORE__DATA_DIR`, with one underscore too few.
fn ignored_variables(environment: &[(String, String)]) -> Vec<&str> {
    let is_ignored = |name: &&str| {
        let is_of_scripts = OF_SCRIPTS.iter().any(|known| name.starts_with(known));
        name.starts_with("KVOTA_") && !name.starts_with("KVOTA__") && !is_of_scripts
    };
    let mut ignored: Vec<&str> = environment.iter().map(|(name, _)| name.as_str()).filter(is_ignored).collect();
    ignored.sort_unstable();
    ignored
}

/// One layer per variable, so that each has its own name. Sorted, because the environment has no order.
fn variables(environment: &[(String, String)]) -> Vec<Layer> {
    let mut ours: Vec<_> =
        environment.iter().filter_map(|(name, value)| Some((name.strip_prefix("KVOTA__")?, name, value))).collect();
    ours.sort();
    let layer = |(rest, name, value): (&str, &String, &String)| {
        let key = rest.to_lowercase().replace("__", ".");
        single(format!("environment variable {name}"), &key, value)
    };
    ours.into_iter().map(layer).collect()
}

fn single(name: String, key: &str, value: &str) -> Layer {
    let values = match figment::util::nest(key, Value::from(value)) {
        Value::Dict(_, values) => values,
        // The name has no section, so it is kept as a top-level key and rejected by its name.
        other => Dict::from([(key.to_owned(), other)]),
    };
    Layer { name, values }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_look_like_settings_and_are_none_are_named() {
        let variables = ["KVOTA_STORE__DATA_DIR", "KVOTA__STORE__DATA_DIR", "KVOTA_TEST_AMQP_URL", "KVOTA_LOG", "HOME"];
        let variables = variables.map(|name| (name.to_owned(), "x".to_owned())).to_vec();
        let sources = Sources { variables, ..Sources::default() };
        assert_eq!(sources.ignored_variables(), ["KVOTA_LOG", "KVOTA_STORE__DATA_DIR"]);
    }
}
