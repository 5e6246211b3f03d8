//! TypeScript declarations, made from the schema.

use serde_json::Value as Json;

/// The declarations of all definitions of a schema.
pub fn declarations(schema: &Json) -> String {
    let mut text = String::from(
        "// An answer of gridbug, as `--json` prints it: see protocol.md. Generated from the Rust types.\n",
    );
    for (name, definition) in schema["$defs"].as_object().expect("definitions") {
        text += "\n";
        text += &comment(definition, "");
        let is_object = definition.get("properties").is_some();
        match is_object {
            true => text += &format!("export interface {name} {}\n", type_of(definition, "")),
            false => text += &format!("export type {name} ={};\n", type_of_alias(definition)),
        }
    }
    text
}

/// The type after `=`: one alternative per line.
fn type_of_alias(definition: &Json) -> String {
    match definition["oneOf"].as_array() {
        Some(variants) => variants
            .iter()
            .map(|variant| format!("\n{}  | {}", comment(variant, "  "), type_of(variant, "  ")))
            .collect(),
        None => format!(" {}", type_of(definition, "")),
    }
}

fn comment(schema: &Json, indent: &str) -> String {
    match schema["description"].as_str() {
        Some(text) => format!("{indent}/** {text} */\n"),
        None => String::new(),
    }
}

fn type_of(schema: &Json, indent: &str) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.trim_start_matches("#/$defs/").to_string();
    }
    let join = |schemas: &Json, separator: &str| {
        let schemas = schemas.as_array().into_iter().flatten();
        let types: Vec<String> = schemas
            .map(|schema| match type_of(schema, indent) {
                union if separator == " & " && !schema["anyOf"].is_null() => format!("({union})"),
                other => other,
            })
            .collect();
        types.join(separator)
    };
    for (key, separator) in [("oneOf", " | "), ("anyOf", " | "), ("allOf", " & ")] {
        if !schema[key].is_null() {
            return join(&schema[key], separator);
        }
    }
    if !schema["const"].is_null() {
        return schema["const"].to_string();
    }
    if let Some(names) = schema["enum"].as_array() {
        let names: Vec<String> = names.iter().map(Json::to_string).collect();
        return names.join(" | ");
    }
    let types = match &schema["type"] {
        Json::String(name) => vec![name.as_str()],
        Json::Array(names) => names.iter().filter_map(Json::as_str).collect(),
        _ => return "unknown".to_string(),
    };
    let types: Vec<String> = types
        .into_iter()
        .map(|name| match name {
            "integer" | "number" => "number".to_string(),
            "array" if !schema["prefixItems"].is_null() => {
                format!("[{}]", join(&schema["prefixItems"], ", "))
            }
            "array" => match type_of(&schema["items"], indent) {
                items if items.contains(' ') => format!("({items})[]"),
                items => format!("{items}[]"),
            },
            "object" => object(schema, indent),
            other => other.to_string(),
        })
        .collect();
    types.join(" | ")
}

fn object(schema: &Json, indent: &str) -> String {
    if let Some(values) = schema.get("additionalProperties") {
        return format!("Record<string, {}>", type_of(values, indent));
    }
    if schema["properties"].is_null() {
        return "{}".to_string();
    }
    let required = schema["required"].as_array().into_iter().flatten();
    let required: Vec<&str> = required.filter_map(Json::as_str).collect();
    let inner = format!("{indent}  ");
    let fields = schema["properties"].as_object().into_iter().flatten();
    let fields: String = fields
        .map(|(name, field)| {
            let mark = if required.contains(&name.as_str()) {
                ""
            } else {
                "?"
            };
            format!(
                "{}{inner}{name}{mark}: {};\n",
                comment(field, &inner),
                type_of(field, &inner)
            )
        })
        .collect();
    format!("{{\n{fields}{indent}}}")
}
