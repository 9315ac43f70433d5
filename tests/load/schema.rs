//! A check against docs/load.schema.json, with the part of JSON Schema that it uses. An unknown keyword is a problem
//! too, so that no rule is silently ignored.

use serde_json::Value;

/// All differences between results and the schema.
pub(crate) fn problems(results: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(include_str!("../../docs/load.schema.json")).expect("the schema is JSON");
    let mut found = Vec::new();
    Checker { root: &schema }.check(&schema, results, "", &mut found);
    found
}

struct Checker<'a> {
    root: &'a Value,
}

impl Checker<'_> {
    fn check(&self, schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
        let mut say = |what: String| found.push(format!("{path}: {what}"));
        for (word, asked) in schema.as_object().expect("a schema is an object") {
            match word.as_str() {
                "$schema" | "$defs" | "title" | "description" => {}
                "const" if value != asked => say(format!("is {value} and must be {asked}")),
                "const" => {}
                "type" => {
                    let types = asked.as_array().map_or(vec![asked], |types| types.iter().collect());
                    if !types.iter().any(|of| is_of(value, of.as_str().expect("a type"))) {
                        say(format!("{value} is no {asked}"));
                    }
                }
                "minimum" if value.as_f64() < asked.as_f64() => say(format!("{value} is below {asked}")),
                "minItems" if (value.as_array().map_or(0, Vec::len) as u64) < asked.as_u64().unwrap_or(0) => {
                    say("has too few items".to_owned());
                }
                "maxItems" if (value.as_array().map_or(0, Vec::len) as u64) > asked.as_u64().unwrap_or(0) => {
                    say("has too many items".to_owned());
                }
                "minimum" | "minItems" | "maxItems" => {}
                "required" => {
                    for name in asked.as_array().into_iter().flatten().filter_map(Value::as_str) {
                        if value.get(name).is_none() {
                            say(format!("has no {name}"));
                        }
                    }
                }
                "properties" | "additionalProperties" | "items" | "$ref" | "oneOf" => {}
                other => say(format!("the schema says {other:?}, which is not known here")),
            }
        }
        self.check_inside(schema, value, path, found);
    }

    fn check_inside(&self, schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
        if let Some(name) = schema["$ref"].as_str() {
            let inner = self.root.pointer(name.trim_start_matches('#')).expect("what is referred to is there");
            self.check(inner, value, path, found);
        }
        if let Some(choices) = schema["oneOf"].as_array() {
            let fits = |choice: &&Value| {
                let mut inner = Vec::new();
                self.check(choice, value, path, &mut inner);
                inner.is_empty()
            };
            if choices.iter().filter(fits).count() != 1 {
                found.push(format!("{path}: {value} is none of its choices"));
            }
        }
        for (name, member) in value.as_object().into_iter().flatten() {
            let path = format!("{path}/{name}");
            match (schema["properties"].get(name), schema.get("additionalProperties")) {
                (Some(of), _) => self.check(of, member, &path, found),
                (None, Some(Value::Bool(false))) => found.push(format!("{path}: is not known")),
                (None, Some(of @ Value::Object(_))) => self.check(of, member, &path, found),
                (None, _) => {}
            }
        }
        if let (Some(items), Some(of)) = (value.as_array(), schema.get("items")) {
            for (at, item) in items.iter().enumerate() {
                self.check(of, item, &format!("{path}/{at}"), found);
            }
        }
    }
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other} is no type"),
    }
}
