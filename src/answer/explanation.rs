//! Why something is as it is: the statements, calls and values that caused it, as a tree.

use super::{CounterfactualSearch, SourceRange};
use gridbug_base::source::Span;
use serde::Serialize;

/// The answer to `:why`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Explanation {
    /// What is explained.
    pub subject: Subject,
    /// When it happened; `None` if it is evaluated now, or if only a cause of it has a time.
    pub time: Option<u64>,
    /// What caused it, nearest cause first.
    pub causes: Vec<ExplanationNode>,
    /// The callers of the code that caused it, innermost first.
    pub callers: Vec<ExplanationNode>,
    /// How many more callers there are.
    pub omitted_callers: usize,
    /// For `:why not EXPRESSION`: the innermost tests that decide it. One of them would have to be
    /// different.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deciding_tests: Vec<DecidingTest>,
    /// For `:why not EXPRESSION`: the changes of the game that would make it true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<CounterfactualSearch>,
    /// The file of the game. Locations in it can be shown without its name.
    pub game_file: Option<String>,
}

/// What an explanation is about.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Subject {
    /// The last change of a variable or cell.
    Change {
        /// The variable or cell.
        name: String,
        /// Its value before; `None` if it had none.
        old: Option<String>,
        /// Its value since then.
        new: String,
    },
    /// A variable or cell that has not changed.
    Unchanged {
        /// The variable or cell.
        name: String,
        /// Since when; `None` for the start of the session. The history before was dropped.
        since: Option<u64>,
    },
    /// A local variable.
    Local {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// An expression that was evaluated to explain it.
    Expression {
        /// The expression.
        expression: Excerpt,
        /// Its value; `None` if the evaluation failed.
        value: Option<String>,
    },
    /// Something that the program printed.
    Output {
        /// Counted from 1.
        number: usize,
        /// What was printed.
        text: String,
    },
    /// The end of the game.
    GameOver {
        /// The status of the game, such as `won`.
        status: String,
        /// Who has won.
        winner: Option<String>,
    },
}

/// A piece of source code.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Excerpt {
    /// The code; may contain line breaks and comments.
    pub text: String,
    /// Where it is.
    pub range: SourceRange,
    /// The same as a span, to compare excerpts with each other.
    #[serde(skip)]
    pub span: Span,
}

/// A name and its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamedValue {
    /// The name of a variable.
    pub name: String,
    /// Its value, in the language's notation.
    pub value: String,
}

/// An expression and its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExpressionValue {
    /// The expression.
    pub expression: Excerpt,
    /// Its operator, where the value is shown; `None` if that is the start of the expression.
    #[serde(skip)]
    pub operator: Option<Span>,
    /// Its value, in the language's notation.
    pub value: String,
    /// Whether part of it was skipped by short-circuit evaluation.
    pub is_short_circuited: bool,
}

/// A test inside an expression that is not true: it was false or, below a negation or as the condition
/// of a branch, perhaps true.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DecidingTest {
    /// The function that evaluated it.
    pub function: String,
    /// The test and its value.
    pub test: ExpressionValue,
    /// The values of its parts.
    pub parts: Vec<ExpressionValue>,
}

/// How a node of an explanation relates to what it explains.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The statement that did it.
    Statement,
    /// The built-in rules did it; with the statement of the rules, if it has a text.
    Rules,
    /// The function whose result the built-in rules acted on.
    RulesCallee,
    /// A statement around the one that did it, such as an `if`.
    Enclosing,
    /// A loop around the statement that did it.
    Loop,
    /// A call that led to the statement.
    Caller,
    /// The call of the function that contains the expression.
    Frame,
    /// The expression whose value is explained. Its children are the calls in it.
    Expression,
    /// A call that has returned a value. Its children are the calls it made.
    Call,
    /// The argument that was passed for a parameter.
    Argument,
    /// The local variable that was passed as an argument.
    Local,
}

/// A cause. Which fields are set depends on its relation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplanationNode {
    /// How it relates to what it explains.
    pub relation: Relation,
    /// The function or handler, such as `zero.onClick`; `None` for an entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The cell of the piece whose handler it is, in the language's notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// The arguments of a call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The statement, or the equation that applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<Excerpt>,
    /// How many equations the function has, of which one applied.
    #[serde(skip_serializing_if = "is_zero")]
    pub equation_count: usize,
    /// The expression that was evaluated; of a call, the call itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<Excerpt>,
    /// The name of a local variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The result of a call, or the value of a local variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// When it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The iteration of a loop, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u64>,
    /// The variables of a loop, or those that a condition reads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<NamedValue>,
    /// The branches taken, the bindings and the loops, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<ExplanationStep>,
    /// The values of the expressions in it, in evaluation order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ExpressionValue>,
    /// What led to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<ExplanationNode>,
    /// Calls that are missing among the children, because there were too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted_calls: Option<Box<OmittedCalls>>,
}

impl ExplanationNode {
    /// A node with nothing but a relation.
    pub fn new(relation: Relation) -> ExplanationNode {
        ExplanationNode {
            relation,
            function: None,
            cell: None,
            arguments: Vec::new(),
            statement: None,
            equation_count: 0,
            expression: None,
            name: None,
            value: None,
            time: None,
            iteration: None,
            variables: Vec::new(),
            steps: Vec::new(),
            values: Vec::new(),
            children: Vec::new(),
            omitted_calls: None,
        }
    }
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Something that happened while an expression or a call was evaluated.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ExplanationStep {
    /// A test selected a branch.
    Branch {
        /// The test.
        test: Excerpt,
        /// Whether it was true.
        is_true: bool,
        /// Its value, in the language's notation.
        value: String,
        /// The code that was selected.
        branch: Excerpt,
    },
    /// A variable was bound to the value of an expression.
    Binding {
        /// The variable.
        name: String,
        /// The expression.
        expression: Excerpt,
        /// Its value.
        value: String,
    },
    /// A loop was executed.
    Loop {
        /// The head of the loop.
        head: Excerpt,
        /// The number of iterations.
        iterations: usize,
    },
}

/// The calls that were too many to record.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OmittedCalls {
    /// How many.
    pub count: usize,
    /// The deepest of them.
    pub deepest: Option<ExplanationNode>,
    /// The depth of the deepest call. Calls in the expression itself have depth 1.
    pub depth: usize,
}

/// Something that the program printed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PrintedOutput {
    /// Counted from 1.
    pub number: usize,
    /// What was printed; may contain line breaks.
    pub text: String,
    /// When it was printed.
    pub time: u64,
}
