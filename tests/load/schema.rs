//! The files of the load tester and their schemas: results with docs/load.schema.json, scenarios with
//! docs/load-scenario.schema.json.

use clap::{Args as _, Command};
use figment::Figment;
use figment::providers::{Format, Toml};
use kvota::testkit::openapi::schema_faults;
use kvota_load::args::LoadArgs;
use serde_json::Value;
use std::collections::BTreeSet;

/// The differences between results and their schema.
pub(crate) fn problems(results: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(include_str!("../../docs/load.schema.json")).expect("the schema is JSON");
    schema_faults(&schema, results)
}

fn scenario_schema() -> Value {
    serde_json::from_str(include_str!("../../docs/load-scenario.schema.json")).expect("the schema is JSON")
}

#[test]
fn schema_of_scenarios_has_exactly_the_options() {
    let command = LoadArgs::augment_args(Command::new("load"));
    let options = command.get_arguments().filter_map(|option| option.get_long()).map(|name| name.replace('-', "_"));
    let options: BTreeSet<String> = options.filter(|name| name != "scenario").collect();
    let schema = scenario_schema();
    let described: BTreeSet<String> = schema["properties"].as_object().expect("properties").keys().cloned().collect();
    assert_eq!(described, options);
}

#[test]
fn example_of_the_document_fits_the_schema() {
    let document = include_str!("../../docs/load.md");
    let section = document.split("## Scenario files").nth(1).expect("the section");
    let example = section.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let value: Value = Figment::from(Toml::string(example)).extract().expect("TOML");
    assert_eq!(schema_faults(&scenario_schema(), &value), [""; 0]);
    assert_eq!(schema_faults(&scenario_schema(), &serde_json::json!({"stages": []})).len(), 1);
}
