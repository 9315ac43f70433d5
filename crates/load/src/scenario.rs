//! Scenario files: the options of a run in TOML (docs/load-scenario.schema.json), with its thresholds. A key is the long
//! name of an option, with `_` for `-`. What is given on the command line replaces what the file says. Called by
//! `src/command/mod.rs`.

use super::args::LoadArgs;
use super::thresholds::{self, Thresholds};
use clap::parser::ValueSource;
use clap::{Args as _, Command, FromArgMatches as _};
use figment::Figment;
use figment::providers::{Format, Toml};
use figment::value::{Dict, Value};
use std::ffi::OsString;
use std::path::Path;

/// Options that a file cannot have.
const NOT_IN_FILES: [&str; 2] = ["scenario", "thresholds"];

/// The options of a command line, completed from the scenario that it names, if it names one.
///
/// # Errors
/// All mistakes of the file or of its values, as a text.
pub fn complete(args: LoadArgs, given: &[OsString]) -> Result<LoadArgs, String> {
    let Some(file) = args.scenario.clone() else { return Ok(args) };
    let named = |wrong: String| format!("{}: {wrong}", file.display());
    let mut values = read(&file)?;
    let limits = match values.remove("thresholds") {
        None => Thresholds::new(),
        Some(Value::Dict(_, limits)) => thresholds::from_values(limits).map_err(named)?,
        Some(_) => return Err(named("thresholds is a table".to_owned())),
    };
    let name = OsString::from("kvota load");
    let line = std::iter::once(name.clone()).chain(given.iter().cloned());
    let matches = command().try_get_matches_from(line).map_err(|error| error.to_string())?;
    let mut all = vec![name];
    for (key, value) in values {
        let option = key.replace('_', "-");
        let known = command().get_arguments().any(|known| known.get_long() == Some(&option));
        if !known || NOT_IN_FILES.contains(&option.as_str()) {
            return Err(named(format!("no such option: {key}")));
        }
        let is_given = matches.value_source(&option.replace('-', "_")) == Some(ValueSource::CommandLine);
        if !is_given {
            all.extend(words(&option, &value).map_err(named)?);
        }
    }
    all.extend(given.iter().cloned());
    let matches = command().try_get_matches_from(all).map_err(|error| named(error.to_string()))?;
    let mut args = LoadArgs::from_arg_matches(&matches).map_err(|error| error.to_string())?;
    args.scenario_limits = limits;
    Ok(args)
}

fn command() -> Command {
    LoadArgs::augment_args(Command::new("kvota load"))
}

fn read(file: &Path) -> Result<Dict, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    Figment::from(Toml::string(&text)).extract().map_err(|error| format!("{}: {error}", file.display()))
}

/// The words of the command line for a value.
fn words(option: &str, value: &Value) -> Result<Vec<OsString>, String> {
    let pair = |text: String| [OsString::from(format!("--{option}")), OsString::from(text)];
    let one = |value: &Value| match value {
        Value::String(_, text) => Ok(text.clone()),
        Value::Num(_, number) => {
            let whole = number.to_i128().map(|number| number.to_string());
            let whole = whole.or_else(|| number.to_u128().map(|number| number.to_string()));
            Ok(whole.or_else(|| number.to_f64().map(|number| number.to_string())).unwrap_or_default())
        }
        _ => Err(format!("{option}: write a text or a number, or several of them in brackets")),
    };
    match value {
        Value::Bool(_, true) => Ok(vec![OsString::from(format!("--{option}"))]),
        Value::Bool(_, false) => Ok(Vec::new()),
        Value::Array(_, values) => {
            let texts = values.iter().map(one).collect::<Result<Vec<_>, _>>()?;
            Ok(texts.into_iter().flat_map(pair).collect())
        }
        Value::Dict(_, values) => {
            let text = |(key, value)| one(value).map(|value| format!("{key}={value}"));
            let texts = values.iter().map(text).collect::<Result<Vec<_>, _>>()?;
            Ok(texts.into_iter().flat_map(pair).collect())
        }
        value => Ok(pair(one(value)?).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(file: &str, given: &[&str]) -> Result<LoadArgs, String> {
        let path =
            std::env::temp_dir().join(format!("kvota-scenario-{}-{:x}", std::process::id(), given.len() + file.len()));
        std::fs::write(&path, file).expect("a file");
        let mut given: Vec<OsString> = given.iter().map(OsString::from).collect();
        given.extend([OsString::from("--scenario"), path.clone().into()]);
        let line = std::iter::once(OsString::from("kvota load")).chain(given.iter().cloned());
        let matches = command().try_get_matches_from(line).map_err(|error| error.to_string())?;
        let args = LoadArgs::from_arg_matches(&matches).expect("options");
        let completed = complete(args, &given);
        let _ = std::fs::remove_file(path);
        completed
    }

    #[test]
    fn options_come_from_the_file_and_the_command_line_replaces_them() {
        let file = "name = \"evening\"\ntarget = \"http://127.0.0.1:1\"\nseed = 7\nhostile = 2\nhostile_rate = 5\n\
                    stage = [\"ramp=10s:0..5\", \"5s:5\"]\nlang = [\"hr\", \"en\"]\npersona = \"bettor=1\"\n\
                    hostile_remote = false\n[tag]\nbuild = 12\n[thresholds]\nerrors = 0\n";
        let args = completed(file, &["--seed", "9", "--lang", "sr"]).expect("options");
        assert_eq!((args.seed, args.lang), (9, vec!["sr".to_owned()]));
        assert_eq!((args.hostile, args.hostile_rate), (Some(2), 5));
        assert_eq!(args.stage.len(), 2);
        assert_eq!((args.name.as_str(), args.tag), ("evening", vec![("build".to_owned(), "12".to_owned())]));
        assert_eq!(args.scenario_limits.len(), 1);
    }

    #[test]
    fn mistake_in_the_file_is_named() {
        for (file, word) in [
            ("colour = 1", "no such option: colour"),
            ("scenario = \"other\"", "no such option: scenario"),
            ("stage = \"soon\"", "is no stage"),
            ("seed = [[1]]", "seed: write a text"),
            ("thresholds = 1", "thresholds is a table"),
            ("[thresholds]\nwins = 1", "no such limit: wins"),
            ("name = ", ""),
        ] {
            let wrong = completed(file, &["--target", "http://127.0.0.1:1"]).expect_err(file);
            assert!(wrong.contains(word), "{file}: {wrong}");
        }
        assert!(completed("seed = 1", &[]).is_ok_and(|args| args.target.is_none()), "the target is missed later");
    }
}
