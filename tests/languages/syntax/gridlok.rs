//! Formats GridLok's syntax trees: calls and operators as `(head part …)`, one item or statement
//! per line.

use gridbug::languages::gridlok::ast::*;
use gridbug::languages::gridlok::parse;
use gridbug::source::Source;

pub fn read(source: &Source) -> super::Parsed {
    match parse::parse_program(source, |_| Vec::new()) {
        Ok(program) => {
            let tree = program.items.iter().map(item).collect();
            (Some(tree), super::tree::check("gridlok", source))
        }
        Err(diagnostics) => (None, diagnostics),
    }
}

fn item(item: &Item) -> String {
    match &item.kind {
        ItemKind::Board(b) => {
            let size = b
                .dimensions
                .iter()
                .map(|(r, c, _)| format!(" {} x {}", expr(r), expr(c)))
                .collect::<String>();
            format!("board{size}{}\n", image(&b.image))
        }
        ItemKind::Players(names) => format!("players {}\n", texts(names)),
        ItemKind::TurnOrder(names) => format!("turnOrder {}\n", texts(names)),
        ItemKind::EventPriority(names) => format!("eventPriority {}\n", texts(names)),
        ItemKind::Piece(p) => {
            let name = p
                .name
                .iter()
                .map(|n| format!(" {:?}", n.text))
                .collect::<String>();
            let handler = |word: &str, h: &Option<Handler>| {
                h.iter()
                    .map(|h| format!("  {word}\n{}", block(&h.body, 2)))
                    .collect::<String>()
            };
            let handlers = handler("onTurn", &p.on_turn) + &handler("onClick", &p.on_click);
            format!("piece{name}{}\n{handlers}", image(&p.image))
        }
        ItemKind::Setup(body) => format!("setup\n{}", block(body, 1)),
        ItemKind::Condition(ending, body) => format!("condition {ending:?}\n{}", block(body, 1)),
        ItemKind::Def(def) => format!("def {} {}\n", def.name.text, initializer(&def.value)),
        ItemKind::Function(f) => format!(
            "fun {}({})\n{}",
            f.name.text,
            names(&f.parameters),
            block(&f.body, 1)
        ),
    }
}

fn image(file: &Option<Name>) -> String {
    file.iter()
        .map(|f| format!(" image {:?}", f.text))
        .collect()
}

fn texts(names: &[Name]) -> String {
    names
        .iter()
        .map(|n| format!("{:?}", n.text))
        .collect::<Vec<_>>()
        .join(" ")
}

fn names(names: &[Name]) -> String {
    names.iter().map(|n| &*n.text).collect::<Vec<_>>().join(" ")
}

fn block(block: &Block, depth: usize) -> String {
    block
        .statements
        .iter()
        .map(|s| statement(s, depth))
        .collect()
}

fn statement(s: &Statement, depth: usize) -> String {
    let pad = "  ".repeat(depth);
    let line = match &s.kind {
        StatementKind::Def(def) => format!("def {} {}", def.name.text, initializer(&def.value)),
        StatementKind::Braces(name, BraceContent::Arguments(values)) => {
            format!("{} <- ({})", name.text, exprs(values))
        }
        StatementKind::Braces(name, BraceContent::List(values, _)) => {
            format!("{} <- [{}]", name.text, exprs(values))
        }
        StatementKind::Braces(name, BraceContent::Block(inner)) => {
            return format!("{pad}{} <- block\n{}", name.text, block(inner, depth + 1));
        }
        StatementKind::SetElement { list, index, value } => {
            format!(
                "set {} [{}] {}",
                expr(list),
                expr(index),
                initializer(value)
            )
        }
        StatementKind::RemoveElement { list, index } => {
            format!("remove {} [{}]", expr(list), expr(index))
        }
        StatementKind::PieceAction {
            piece,
            action,
            arguments,
        } => {
            format!("act {} {} ({})", expr(piece), action.text, exprs(arguments))
        }
        StatementKind::If { arms, otherwise } => {
            let words = std::iter::once("if").chain(std::iter::repeat("elseif"));
            let arms = arms.iter().zip(words);
            let arms = arms.map(|((test, b), word)| {
                format!("{pad}{word} {}\n{}", expr(test), block(b, depth + 1))
            });
            let otherwise = otherwise
                .iter()
                .map(|b| format!("{pad}else\n{}", block(b, depth + 1)));
            return arms.chain(otherwise).collect();
        }
        StatementKind::For(head, body) => {
            return format!("{pad}for {}\n{}", loop_head(head), block(body, depth + 1));
        }
        StatementKind::Return(value) => {
            format!("return {}", value.as_ref().map(expr).unwrap_or_default())
        }
        StatementKind::Expr(value) => format!("expr {}", expr(value)),
    };
    format!("{pad}{}\n", line.trim_end())
}

fn loop_head(head: &LoopHead) -> String {
    match head {
        LoopHead::Ranges(ranges) => {
            let one = |r: &LoopRange| {
                format!(
                    "{} from {} to {}",
                    r.variable.text,
                    expr(&r.from),
                    expr(&r.to)
                )
            };
            ranges.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        LoopHead::Row(v, e) => format!("{} in row {}", v.text, expr(e)),
        LoopHead::Column(v, e) => format!("{} in col {}", v.text, expr(e)),
        LoopHead::Surrounding(v, r, c) => format!("{} around {} {}", v.text, expr(r), expr(c)),
        LoopHead::SurroundingCells(v, w, r, c) => {
            format!("cells {} {} around {} {}", v.text, w.text, expr(r), expr(c))
        }
        LoopHead::Cells(v, w) => format!("cells {} {}", v.text, w.text),
        LoopHead::Pieces(v) => format!("pieces {}", v.text),
    }
}

fn initializer(initializer: &Initializer) -> String {
    match initializer {
        Initializer::Expr(value) => expr(value),
        Initializer::List(values, _) => format!("[{}]", exprs(values)),
    }
}

fn exprs(values: &[Expr]) -> String {
    values.iter().map(expr).collect::<Vec<_>>().join(" ")
}

fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Text(text) => format!("{text:?}"),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Empty => "empty".to_string(),
        ExprKind::Name(name) => name.to_string(),
        ExprKind::Call(name, values) => {
            format!("({}{{}} {})", name.text, exprs(values)).replace(" )", ")")
        }
        ExprKind::Cell(row, column) => format!("(cell {} {})", expr(row), expr(column)),
        ExprKind::Index(list, index, _) => format!("(at {} {})", expr(list), expr(index)),
        ExprKind::Field(piece, field) => format!("(.{} {})", field.text, expr(piece)),
        ExprKind::Unary(Unary::Not, inner, _) => format!("(! {})", expr(inner)),
        ExprKind::Unary(Unary::Minus, inner, _) => format!("(- {})", expr(inner)),
        ExprKind::Binary(op, left, right, _) => {
            format!("({} {} {})", op.symbol(), expr(left), expr(right))
        }
        ExprKind::Paren(inner) => expr(inner),
    }
}
