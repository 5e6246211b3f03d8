//! Formats BoGL's syntax trees: operators and calls as `(head part …)`, one signature or equation
//! per line.

use gridbug::languages::bogl::ast::*;
use gridbug::languages::bogl::parse;
use gridbug::source::Source;

pub fn read(source: &Source) -> super::Parsed {
    match parse::parse_program(source, |_| Vec::new()) {
        Ok(program) => {
            let tree = program.items.iter().map(item).collect();
            (Some(tree), super::tree::check("bogl", source))
        }
        Err(diagnostics) => (None, diagnostics),
    }
}

fn item(item: &Item) -> String {
    match item {
        Item::Type(definition) => format!(
            "type {} = {}\n",
            definition.name.text,
            body(&definition.body)
        ),
        Item::Value(definition) => {
            let signature = definition
                .signature
                .as_ref()
                .map_or_else(String::new, signature);
            format!(
                "{} : {signature}\n{}",
                definition.name.text,
                equations(&definition.body)
            )
        }
        Item::Let(session) => format!("let {} = {}\n", session.name.text, expr(&session.value)),
    }
}

fn signature(signature: &Signature) -> String {
    let argument = signature
        .argument
        .as_ref()
        .map_or_else(String::new, |a| format!("{} -> ", ty(a)));
    format!("{argument}{}", ty(&signature.result))
}

fn body(body: &TypeBody) -> String {
    match body {
        TypeBody::Plain(plain) => ty(plain),
        TypeBody::Array {
            width,
            height,
            content,
            ..
        } => {
            format!(
                "board {} x {} of {}",
                width.value,
                height.value,
                ty(content)
            )
        }
    }
}

fn ty(t: &TypeExpr) -> String {
    let all =
        |parts: &[TypeExpr], between: &str| parts.iter().map(ty).collect::<Vec<_>>().join(between);
    match &t.kind {
        TypeKind::Name(name) => name.to_string(),
        TypeKind::Tuple(parts) => format!("({})", all(parts, ", ")),
        TypeKind::Symbols(symbols) => {
            format!(
                "{{{}}}",
                symbols
                    .iter()
                    .map(|s| s.text.to_string())
                    .collect::<Vec<_>>()
                    .join(" ")
            )
        }
        TypeKind::Extended(parts) => all(parts, " & "),
    }
}

fn equations(body: &Body) -> String {
    match body {
        Body::Value(value) => format!("  = {}\n", expr(value)),
        Body::Function {
            parameters,
            expr: value,
        } => {
            let names: Vec<&str> = parameters.iter().map(|p| &*p.text).collect();
            format!("  ({}) = {}\n", names.join(" "), expr(value))
        }
        Body::Board(equations) => equations
            .iter()
            .map(|e| {
                format!(
                    "  ! {} {} = {}\n",
                    position(&e.x),
                    position(&e.y),
                    expr(&e.expr)
                )
            })
            .collect(),
    }
}

fn position(position: &IndexPattern) -> String {
    match position {
        IndexPattern::Wildcard(name) => name.text.to_string(),
        IndexPattern::Fixed(at) => at.value.to_string(),
    }
}

fn expr(e: &Expr) -> String {
    let all = |parts: &[Expr]| parts.iter().map(expr).collect::<Vec<_>>().join(" ");
    match &e.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Bool(true) => "True".into(),
        ExprKind::Bool(false) => "False".into(),
        ExprKind::Symbol(text) => text.to_string(),
        ExprKind::Name(name) => name.text.to_string(),
        ExprKind::Tuple(parts) => format!("(, {})", all(parts)),
        ExprKind::Call(function, arguments) => format!("({} {})", function.text, all(arguments)),
        ExprKind::Binary(op, left, right, _) => {
            format!("({} {} {})", op.as_str(), expr(left), expr(right))
        }
        ExprKind::Project(tuple, indices, _) => {
            let indices: Vec<String> = indices.iter().map(|p| p.value.to_string()).collect();
            format!("(# {} {})", expr(tuple), indices.join(" "))
        }
        ExprKind::Let(name, value, body) => {
            format!("(let {} {} {})", name.text, expr(value), expr(body))
        }
        ExprKind::If(condition, yes, no) => {
            format!("(if {} {} {})", expr(condition), expr(yes), expr(no))
        }
        ExprKind::While(condition, body) => {
            format!("(while {} {})", expr(condition), expr(body))
        }
    }
}
