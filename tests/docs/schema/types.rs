//! The schema of the types that derive `Serialize`, read from their source.

use super::by_hand;
use crate::pages::root;
use serde_derive_internals::ast::{Container, Data, Field, Style, Variant};
use serde_derive_internals::attr::{Default, TagType};
use serde_derive_internals::{Ctxt, Derive};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use syn::{DeriveInput, GenericArgument, Item, PathArguments, Type};

/// Where the types are.
const SOURCES: [&str; 5] = [
    "src/answer",
    "src/protocol",
    "src/base/code.rs",
    "src/base/diagnostic/advice.rs",
    "src/base/language/program_text.rs",
];

/// The type of a whole answer.
const ANSWER: &str = "AnswerJson";

/// The types of requests, and of the answers to those that run no line.
const OTHERS: [&str; 16] = [
    "AnalyzeAnswer",
    "CatalogAnswer",
    "CellAnswer",
    "CompleteAnswer",
    "ErrorAnswer",
    "FilesAnswer",
    "HighlightAnswer",
    "ImageAnswer",
    "ReplayAnswer",
    "Request",
    "RestoreAnswer",
    "RunningAnswer",
    "ScoreAnswer",
    "ServedAnswer",
    "SessionAnswer",
    "ViewAnswer",
];

/// Types with another name in the schema, or that are serialized as another type.
const NAMES: [(&str, &str); 4] = [
    ("AnswerJson", "Answer"),
    ("DiagnosticJson", "Diagnostic"),
    ("GameState", "GameStateFields"),
    ("PartJson", "Part"),
];

/// The schema of answers.
pub fn answer_schema() -> Json {
    let mut types = Types::read();
    let answer = types.reference(ANSWER);
    OTHERS.iter().for_each(|name| drop(types.reference(name)));
    let mut definitions = Map::new();
    // New definitions are found while others are described.
    while let Some(name) = types.wanted.pop() {
        let definition = types.definition(&name);
        definitions.insert(schema_name(&name).to_string(), definition);
    }
    definitions.sort_keys();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An answer of gridbug",
        "$ref": answer["$ref"],
        "$defs": definitions,
    })
}

fn schema_name(name: &str) -> &str {
    let renamed = NAMES.iter().find(|(rust, _)| *rust == name);
    renamed.map_or(name, |(_, name)| name)
}

/// The types of the program, and those that the schema needs.
struct Types {
    items: BTreeMap<String, DeriveInput>,
    wanted: Vec<String>,
    known: Vec<String>,
}

impl Types {
    fn read() -> Types {
        let mut items = BTreeMap::new();
        for source in SOURCES {
            let path = root().join(source);
            let files = match path.is_dir() {
                false => vec![path],
                true => {
                    let entries = std::fs::read_dir(path).unwrap();
                    entries.map(|entry| entry.unwrap().path()).collect()
                }
            };
            for file in files
                .iter()
                .filter(|f| f.extension().is_some_and(|e| e == "rs"))
            {
                let text = std::fs::read_to_string(file).unwrap();
                let parsed = syn::parse_file(&text).unwrap();
                items.extend(parsed.items.into_iter().filter_map(derive_input));
            }
        }
        Types {
            items,
            wanted: Vec::new(),
            known: Vec::new(),
        }
    }

    /// A reference to a definition, which is then part of the schema.
    fn reference(&mut self, name: &str) -> Json {
        let name = match schema_name(name) {
            "Answer" | "Diagnostic" => name,
            other => other,
        };
        if !self.known.iter().any(|known| known == name) {
            self.known.push(name.to_string());
            self.wanted.push(name.to_string());
        }
        json!({"$ref": format!("#/$defs/{}", schema_name(name))})
    }

    fn definition(&mut self, name: &str) -> Json {
        let item = self.items.get(name).cloned();
        let mut schema = match by_hand::of_type(name) {
            Some(schema) => {
                self.want_references(&schema);
                schema
            }
            None => {
                let item = item.as_ref().unwrap_or_else(|| panic!("no type `{name}`"));
                self.derived(item)
            }
        };
        if let Some(text) = item.and_then(|item| description(&item.attrs)) {
            schema["description"] = json!(text);
        }
        schema
    }

    /// Adds the definitions that a schema written by hand refers to.
    fn want_references(&mut self, schema: &Json) {
        match schema {
            Json::Object(fields) => {
                if let Some(name) = fields.get("$ref").and_then(Json::as_str) {
                    self.reference(name.trim_start_matches("#/$defs/"));
                }
                fields
                    .values()
                    .for_each(|value| self.want_references(value));
            }
            Json::Array(items) => items.iter().for_each(|item| self.want_references(item)),
            _ => {}
        }
    }

    fn derived(&mut self, item: &DeriveInput) -> Json {
        let context = Ctxt::new();
        let private = syn::parse_str("__private").unwrap();
        let container = Container::from_ast(&context, item, Derive::Serialize, &private);
        context.check().expect("attributes that serde accepts");
        let container = container.expect("a struct or an enum");
        match &container.data {
            Data::Struct(Style::Struct, fields) => self.object(fields, &[]),
            Data::Struct(_, fields) => self.of_type(fields[0].ty),
            Data::Enum(variants) => {
                let variants: Vec<Json> = variants
                    .iter()
                    .filter(|variant| !variant.attrs.skip_serializing())
                    .map(|variant| self.variant(variant, container.attrs.tag()))
                    .collect();
                one_of(variants)
            }
        }
    }

    fn variant(&mut self, variant: &Variant, tag: &TagType) -> Json {
        let name = json!({"const": variant.attrs.name().serialize_name().value});
        let content = match (variant.style, variant.attrs.serialize_with()) {
            (_, Some(function)) => {
                let schema = by_hand::of_function(&last_name(&function.path));
                self.want_references(&schema);
                Some(schema)
            }
            (Style::Unit, _) => None,
            (Style::Struct, _) => Some(self.object(&variant.fields, &[])),
            (Style::Newtype | Style::Tuple, _) => Some(self.of_type(variant.fields[0].ty)),
        };
        let mut schema = match (tag, content) {
            (TagType::External, None) => name,
            (TagType::External, Some(content)) => {
                let key = variant.attrs.name().serialize_name().value.clone();
                fields_schema(vec![(key, content, true)])
            }
            (TagType::Internal { tag }, None) => fields_schema(vec![(tag.clone(), name, true)]),
            (TagType::Internal { tag }, Some(_)) if matches!(variant.style, Style::Struct) => {
                self.object(&variant.fields, &[(tag.clone(), name, true)])
            }
            (TagType::Internal { tag }, Some(content)) => {
                let tag = fields_schema(vec![(tag.clone(), name, true)]);
                json!({"allOf": [tag, content]})
            }
            (TagType::Adjacent { tag, content: key }, content) => {
                let mut fields = vec![(tag.clone(), name, true)];
                fields.extend(content.map(|content| (key.clone(), content, true)));
                fields_schema(fields)
            }
            (TagType::None, content) => content.unwrap_or(json!({"type": "null"})),
        };
        if let Some(text) = description(&variant.original.attrs) {
            schema["description"] = json!(text);
        }
        schema
    }

    /// An object with these fields. Flattened structs are part of it; flattened enums are beside it.
    fn object(&mut self, fields: &[Field], first: &[(String, Json, bool)]) -> Json {
        let mut all = first.to_vec();
        let mut others = Vec::new();
        self.add_fields(fields, false, &mut all, &mut others);
        let object = fields_schema(all);
        match others.is_empty() {
            true => object,
            false => {
                others.insert(0, object);
                json!({"allOf": others})
            }
        }
    }

    fn add_fields(
        &mut self,
        fields: &[Field],
        is_optional: bool,
        all: &mut Vec<(String, Json, bool)>,
        others: &mut Vec<Json>,
    ) {
        for field in fields.iter().filter(|f| !f.attrs.skip_serializing()) {
            if field.attrs.flatten() {
                self.add_flattened(field.ty, is_optional, all, others);
                continue;
            }
            let mut schema = match field.attrs.serialize_with() {
                Some(function) => {
                    let schema = by_hand::of_function(&last_name(&function.path));
                    self.want_references(&schema);
                    schema
                }
                None => self.of_type(field.ty),
            };
            // Requests may leave out what has a default.
            let has_default = !matches!(field.attrs.default(), Default::None);
            let is_left_out = has_default || field.attrs.skip_serializing_if().is_some();
            if is_left_out && let Some(inner) = argument(field.ty, "Option") {
                schema = self.of_type(inner);
            }
            if let Some(text) = description(&field.original.attrs) {
                schema["description"] = json!(text);
            }
            let name = field.attrs.name().serialize_name().value.clone();
            all.push((name, schema, !is_optional && !is_left_out));
        }
    }

    fn add_flattened(
        &mut self,
        flattened: &Type,
        is_optional: bool,
        all: &mut Vec<(String, Json, bool)>,
        others: &mut Vec<Json>,
    ) {
        if let Some(inner) = argument(flattened, "Option") {
            return self.add_flattened(inner, true, all, others);
        }
        let name = type_name(flattened);
        let item = self.items.get(&name).cloned().expect("a flattened type");
        if let syn::Data::Enum(_) = item.data {
            let reference = self.reference(&name);
            others.push(match is_optional {
                true => json!({"anyOf": [reference, {"type": "object"}]}),
                false => reference,
            });
            return;
        }
        let context = Ctxt::new();
        let private = syn::parse_str("__private").unwrap();
        let container = Container::from_ast(&context, &item, Derive::Serialize, &private);
        context.check().expect("attributes that serde accepts");
        if let Some(Data::Struct(_, fields)) = container.map(|c| c.data) {
            self.add_fields(&fields, is_optional, all, others);
        }
    }

    fn of_type(&mut self, ty: &Type) -> Json {
        let path = match ty {
            Type::Reference(reference) => return self.of_type(&reference.elem),
            Type::Slice(slice) => {
                let items = self.of_type(&slice.elem);
                return json!({"type": "array", "items": items});
            }
            Type::Array(array) => {
                let items = self.of_type(&array.elem);
                return json!({"type": "array", "items": items});
            }
            Type::Tuple(tuple) => {
                let items: Vec<Json> = tuple.elems.iter().map(|t| self.of_type(t)).collect();
                let count = items.len();
                return json!({
                    "type": "array", "prefixItems": items, "minItems": count, "maxItems": count,
                });
            }
            Type::Path(path) => &path.path,
            _ => panic!("a type that the schema does not know"),
        };
        let inner = |name: &str| argument(ty, name);
        match last_name(path).as_str() {
            "String" | "str" | "char" => json!({"type": "string"}),
            "bool" => json!({"type": "boolean"}),
            "u8" | "u16" | "u32" | "u64" | "usize" | "i64" | "i32" => json!({"type": "integer"}),
            "f64" => json!({"type": "number"}),
            "Value" | "Json" => json!({}),
            "Map" => json!({"type": "object", "additionalProperties": {}}),
            "Option" => nullable(self.of_type(inner("Option").expect("an argument"))),
            "Box" => self.of_type(inner("Box").expect("an argument")),
            "Rc" => self.of_type(inner("Rc").expect("an argument")),
            "Vec" => {
                let items = self.of_type(inner("Vec").expect("an argument"));
                json!({"type": "array", "items": items})
            }
            name => self.reference(name),
        }
    }
}

fn derive_input(item: Item) -> Option<(String, DeriveInput)> {
    let input: DeriveInput = match item {
        Item::Struct(item) => item.into(),
        Item::Enum(item) => item.into(),
        _ => return None,
    };
    Some((input.ident.to_string(), input))
}

/// An object with fields: their names, schemas and whether they are always there.
fn fields_schema(fields: Vec<(String, Json, bool)>) -> Json {
    let required = fields.iter().filter(|(_, _, is_required)| *is_required);
    let required: Vec<String> = required.map(|(name, ..)| name.clone()).collect();
    let properties: Map<String, Json> = fields.into_iter().map(|(n, s, _)| (n, s)).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// One of several variants; an enumeration if all of them are names without a description.
fn one_of(variants: Vec<Json>) -> Json {
    match variants.iter().all(|v| v.get("const").is_some()) {
        true => {
            let names: Vec<&Json> = variants.iter().map(|v| &v["const"]).collect();
            json!({"type": "string", "enum": names})
        }
        false => json!({"oneOf": variants}),
    }
}

fn nullable(mut schema: Json) -> Json {
    match schema
        .get("type")
        .and_then(Json::as_str)
        .map(str::to_string)
    {
        Some(ty) => {
            schema["type"] = json!([ty, "null"]);
            schema
        }
        None if schema == json!({}) => schema,
        None => json!({"anyOf": [schema, {"type": "null"}]}),
    }
}

/// The doc comment.
fn description(attributes: &[syn::Attribute]) -> Option<String> {
    let lines = attributes.iter().filter_map(|attribute| {
        let syn::Meta::NameValue(value) = &attribute.meta else {
            return None;
        };
        match &value.value {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) if value.path.is_ident("doc") => Some(text.value().trim().to_string()),
            _ => None,
        }
    });
    // Clients read JSON.
    let text = lines.collect::<Vec<_>>().join(" ");
    let text = text
        .replace("`None`", "`null`")
        .replace("[`", "`")
        .replace("`]", "`");
    (!text.is_empty()).then_some(text)
}

fn last_name(path: &syn::Path) -> String {
    path.segments.last().expect("a name").ident.to_string()
}

/// The name of a type without references.
fn type_name(ty: &Type) -> String {
    match ty {
        Type::Reference(reference) => type_name(&reference.elem),
        Type::Path(path) => last_name(&path.path),
        _ => String::new(),
    }
}

/// `T` if the type is `NAME<T>`.
fn argument<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.last().filter(|_| last.ident == name)
}
