//! Compares answers with the calls as `docs/openapi.json` describes them: the status, the type, and every field of a JSON
//! body. A field that is not described is a fault, too. Used by the clients of tests, so that each answer that a test gets
//! is compared.

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../../docs/openapi.json");
    serde_json::from_str(text).expect("the document is JSON")
});

/// Validators by the place of their schema.
static VALIDATORS: Mutex<Option<HashMap<String, Arc<Validator>>>> = Mutex::new(None);

/// The headers of an answer that are compared, and its body.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// GET, POST, …
    pub method: &'a str,
    /// The path, with or without a query.
    pub path: &'a str,
    /// The status.
    pub status: u16,
    /// `content-type`; empty without one.
    pub content_type: &'a str,
    /// The body.
    pub body: &'a [u8],
}

/// Compares an answer with the document. Answers to paths that the document does not have are not compared.
///
/// # Panics
/// The call does not describe the status, the type or a field of the answer, or a value is not as described.
#[track_caller]
pub fn assert_described(answered: Answered<'_>) {
    let Answered { method, path, status, content_type, body } = answered;
    let path = path.split('?').next().unwrap_or_default();
    let Some((template, calls)) = call_of(path) else { return };
    // HEAD is a GET without a body; another method is no call.
    let Some(call) = calls.get(method.to_lowercase()) else { return };
    let place = format!("{method} {template}: {status}");
    let described = call["responses"].get(status.to_string()).map(resolved);
    // Any call may fail, in one way.
    assert!(described.is_some() || status == 500, "{place} is not described in docs/openapi.json");
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    if kind != "application/json" || body.is_empty() {
        return;
    }
    let schema = match described {
        Some(described) => described["content"][kind].get("schema"),
        None => Some(&DOCUMENT["components"]["schemas"]["Error"]),
    };
    let schema = schema.unwrap_or_else(|| panic!("{place} has no JSON body in docs/openapi.json"));
    let value: Value = serde_json::from_slice(body).unwrap_or_else(|error| panic!("{place}: {error}"));
    let faults = faults(&validator(&place, schema), &value);
    assert!(faults.is_empty(), "{place} is not as docs/openapi.json says: {faults:#?}");
}

/// The first differences between a value and a JSON schema of the draft of 2020-12.
///
/// # Panics
/// The schema is no schema.
pub fn schema_faults(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::options().with_draft(Draft::Draft202012).build(schema);
    faults(&validator.unwrap_or_else(|error| panic!("{error}")), value)
}

fn faults(validator: &Validator, value: &Value) -> Vec<String> {
    let text = |fault: jsonschema::ValidationError<'_>| format!("{fault} at {:?}", fault.instance_path().as_str());
    validator.iter_errors(value).take(5).map(text).collect()
}

/// The path of the document that this one fits, and its calls.
fn call_of(path: &str) -> Option<(&'static str, &'static Value)> {
    let paths = DOCUMENT["paths"].as_object()?;
    if let Some((template, calls)) = paths.get_key_value(path) {
        return Some((template, calls));
    }
    let fits = |template: &str| {
        let (mut wanted, mut found) = (template.split('/'), path.split('/'));
        loop {
            match (wanted.next(), found.next()) {
                (None, None) => return true,
                (Some(wanted), Some(found)) if wanted.starts_with('{') || wanted == found => {}
                _ => return false,
            }
        }
    };
    paths.iter().find(|(template, _)| fits(template)).map(|(template, calls)| (template.as_str(), calls))
}

/// What a reference refers to, or the value itself.
fn resolved(value: &'static Value) -> &'static Value {
    match value["$ref"].as_str().and_then(|place| place.strip_prefix('#')) {
        Some(place) => DOCUMENT.pointer(place).expect("a reference resolves"),
        None => value,
    }
}

fn validator(place: &str, schema: &'static Value) -> Arc<Validator> {
    let mut validators = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
    let validators = validators.get_or_insert_default();
    if let Some(known) = validators.get(place) {
        return Arc::clone(known);
    }
    let built = jsonschema::options().with_draft(Draft::Draft202012).build(&strict(schema));
    let built = Arc::new(built.unwrap_or_else(|error| panic!("{place}: {error}")));
    validators.insert(place.to_owned(), Arc::clone(&built));
    built
}

/// The schema with all references replaced, in which no object may have a field that is not described. No schema of the
/// document refers to itself.
fn strict(schema: &'static Value) -> Value {
    let schema = resolved(schema);
    let mut made = json!({});
    let Some(members) = schema.as_object() else { return schema.clone() };
    for (name, member) in members {
        made[name] = match name.as_str() {
            "properties" => {
                let fields = member.as_object().into_iter().flatten();
                Value::Object(fields.map(|(field, schema)| (field.clone(), strict(schema))).collect())
            }
            "items" | "additionalProperties" => strict(member),
            "oneOf" => member.as_array().into_iter().flatten().map(strict).collect(),
            "allOf" => {
                let parts = member.as_array().into_iter().flatten().map(|part| {
                    let mut part = strict(part);
                    // The whole has the fields of all its parts.
                    part.as_object_mut().map(|part| part.remove("unevaluatedProperties"));
                    part
                });
                parts.collect()
            }
            _ => member.clone(),
        };
    }
    let has_fields = members.contains_key("properties") || members.contains_key("allOf");
    if has_fields && !members.contains_key("additionalProperties") {
        made["unevaluatedProperties"] = Value::Bool(false);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    fn is_described(path: &str, status: u16, body: &Value) -> bool {
        let body = body.to_string();
        let answered =
            Answered { method: "GET", path, status, content_type: "application/json", body: body.as_bytes() };
        catch_unwind(|| assert_described(answered)).is_ok()
    }

    #[test]
    fn field_that_is_not_described_or_has_another_type_is_a_fault() {
        let error = |more: Value| {
            let mut error = json!({"message": "no", "modelState": {"error": ["no"]}});
            error.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            error
        };
        assert!(is_described("/api/v1/live/match/17?lang=en", 404, &error(json!({}))));
        assert!(!is_described("/api/v1/live/match/17", 404, &error(json!({"points": 0}))));
        assert!(!is_described("/api/v1/live/match/17", 404, &error(json!({"message": 5}))));
        assert!(!is_described("/api/v1/live/match/17", 418, &error(json!({}))), "an unknown status");
        assert!(is_described("/no/such/call", 200, &json!({"anything": 1})));
    }
}
