//! The answer to `:check`: what a search has found out about the rules of a game.

use super::{LineMove, PropertyInfo, PropertyKind, SearchExtent, SourceRange};
use serde::Serialize;

/// The answer to `:check`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CheckResult {
    /// How much was searched.
    #[serde(flatten)]
    pub extent: SearchExtent,
    /// What was checked.
    pub subject: CheckSubject,
    /// Whether every question was decided: nothing was left out, sampled or stopped by a limit.
    pub decided: bool,
    /// What is noteworthy, the most serious first.
    pub remarks: Vec<Remark>,
    /// The declared properties.
    pub properties: Vec<CheckedProperty>,
    /// What was looked for and cannot happen.
    pub ok: Vec<String>,
    /// Why questions are open, if they are.
    pub open: Vec<String>,
}

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckSubject {
    /// All positions of the game.
    Game,
    /// The positions that can be reached from the current one, which is not the first.
    FromHere,
    /// A program without moves: what it has done.
    OneLine,
}

/// Something noteworthy.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Remark {
    /// A code that stays the same between versions.
    pub code: &'static str,
    /// What kind of remark it is.
    pub kind: RemarkKind,
    /// Where the code is that it is about.
    #[serde(rename = "where")]
    pub range: Option<SourceRange>,
    /// What it is about: a condition, function, piece or player.
    pub subject: String,
    /// The rest of the sentence: a reason, or how it happens.
    pub detail: String,
    /// The whole sentence.
    pub message: String,
    /// A shortest line of moves that shows it, which has been played to confirm it. Empty if there is
    /// none to show.
    #[serde(serialize_with = "super::search::serialize_entries")]
    pub proof: Vec<LineMove>,
}

/// The kinds of remarks, the most serious first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemarkKind {
    /// An action ends in an error.
    Error,
    /// An action does not end within its budget.
    Endless,
    /// No move is possible, although the game has not ended.
    DeadEnd,
    /// There are positions from which the game can no longer end.
    Trap,
    /// No line of moves ends the game.
    NeverEnds,
    /// A condition is never true.
    NeverTrue,
    /// A condition is never false.
    AlwaysTrue,
    /// A function or handler never runs.
    NeverRuns,
    /// A piece is never on the board.
    NeverUsed,
    /// Only one player can win.
    OneSided,
    /// Two conditions that end the game are true at the same time.
    Together,
}

impl RemarkKind {
    /// The words in front of a remark.
    pub fn label(self) -> &'static str {
        match self {
            RemarkKind::Error => "error",
            RemarkKind::Endless => "does not end",
            RemarkKind::DeadEnd => "dead end",
            RemarkKind::Trap => "trap",
            RemarkKind::NeverEnds => "never ends",
            RemarkKind::NeverTrue => "never true",
            RemarkKind::AlwaysTrue => "always true",
            RemarkKind::NeverRuns => "never runs",
            RemarkKind::NeverUsed => "never used",
            RemarkKind::OneSided => "one-sided",
            RemarkKind::Together => "together",
        }
    }

    /// Its code.
    pub fn code(self) -> &'static str {
        match self {
            RemarkKind::Error => "CK001",
            RemarkKind::Endless => "CK002",
            RemarkKind::DeadEnd => "CK003",
            RemarkKind::NeverEnds => "CK004",
            RemarkKind::NeverTrue => "CK005",
            RemarkKind::AlwaysTrue => "CK006",
            RemarkKind::NeverRuns => "CK007",
            RemarkKind::NeverUsed => "CK008",
            RemarkKind::OneSided => "CK009",
            RemarkKind::Together => "CK010",
            RemarkKind::Trap => "CK011",
        }
    }

    /// What it means, and what to do about it.
    pub fn explanation(self) -> (&'static str, &'static str) {
        match self {
            RemarkKind::Error => (
                "a move ends in an error",
                "Play the line of moves below it, then the last move stops at the error.",
            ),
            RemarkKind::Endless => (
                "a move does not end within 20,000,000 steps",
                "Play its line of moves and press Ctrl-C in the last one to see where it loops.",
            ),
            RemarkKind::DeadEnd => (
                "no move is possible, although the game has not ended",
                "Add a condition that ends the game there, such as a draw.",
            ),
            RemarkKind::NeverEnds => (
                "no line of moves ends the game",
                "Check that the conditions can become true and that turns end.",
            ),
            RemarkKind::NeverTrue => (
                "a condition is tested, but false every time",
                "`:why not` explains why it is false on the board.",
            ),
            RemarkKind::AlwaysTrue => (
                "a condition is true every time it is tested",
                "If that is right, it is not needed.",
            ),
            RemarkKind::NeverRuns => ("a function or handler never runs", "Call it, or remove it."),
            RemarkKind::NeverUsed => ("a piece is never on the board", "Place it, or remove it."),
            RemarkKind::OneSided => (
                "there are several players, but only one can win",
                "Check that the condition looks at the pieces of all players.",
            ),
            RemarkKind::Together => (
                "two conditions that end the game can be true at the same time",
                "The one that is tested first counts; make sure that this is right.",
            ),
            RemarkKind::Trap => (
                "there are positions from which the game can no longer end",
                "Add a condition that ends the game there, or let the players do something else.",
            ),
        }
    }

    /// All kinds.
    pub const ALL: [RemarkKind; 11] = [
        RemarkKind::Error,
        RemarkKind::Endless,
        RemarkKind::DeadEnd,
        RemarkKind::NeverEnds,
        RemarkKind::NeverTrue,
        RemarkKind::AlwaysTrue,
        RemarkKind::NeverRuns,
        RemarkKind::NeverUsed,
        RemarkKind::OneSided,
        RemarkKind::Together,
        RemarkKind::Trap,
    ];

    /// Whether something goes wrong in play, or may. The other kinds are worth a look, but may be
    /// intended.
    pub fn is_failure(self) -> bool {
        matches!(
            self,
            RemarkKind::Error | RemarkKind::Endless | RemarkKind::DeadEnd
        )
    }
}

/// A declared property, after a search.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CheckedProperty {
    /// What it demands of its condition.
    pub kind: PropertyKind,
    /// The condition.
    pub text: String,
    /// What the search says.
    pub verdict: CheckVerdict,
    /// A shortest line of moves that violates it, or after which `sometimes` is true.
    #[serde(serialize_with = "super::search::serialize_optional_entries")]
    pub proof: Option<Vec<LineMove>>,
    /// Why its condition cannot be evaluated, or why the verdict is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What a search says about a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// It holds in all positions or, for `sometimes`, in one of them.
    Holds,
    /// It does not.
    Violated,
    /// The search has not decided it.
    Undecided,
}

impl CheckResult {
    /// Whether something goes wrong in play, or a property is violated.
    pub fn has_failed(&self) -> bool {
        let is_violated = |p: &CheckedProperty| p.verdict == CheckVerdict::Violated;
        // Whether an action ends is not known.
        let is_certain = |r: &Remark| r.kind.is_failure() && r.kind != RemarkKind::Endless;
        self.remarks.iter().any(is_certain) || self.properties.iter().any(is_violated)
    }
}

impl CheckedProperty {
    /// A property that has not been decided.
    pub fn open(property: &PropertyInfo) -> CheckedProperty {
        CheckedProperty {
            kind: property.property,
            text: property.text.clone(),
            verdict: CheckVerdict::Undecided,
            proof: None,
            note: None,
        }
    }
}
