//! Names that are compared with the names of pieces, but that no piece has.

use crate::answer::UnknownPiece;
use crate::code::{FunctionId, Instr};
use crate::debugger::Target;
use crate::debugger::recorder::ValueProfile;
use crate::diagnostic::closest_match;
use std::collections::BTreeSet;

/// Names that are compared with names of pieces in the functions that ran, but that no piece
/// has.
pub(crate) fn unknown_pieces(target: &Target, profile: &ValueProfile) -> Vec<UnknownPiece> {
    let program = target.program();
    let kinds: Vec<&str> = program
        .piece_kinds
        .iter()
        .map(|k| k.name.as_str())
        .collect();
    let mut unknown: Vec<UnknownPiece> = Vec::new();
    let functions: BTreeSet<u32> = profile.stop_counts.keys().map(|(f, _)| *f).collect();
    for function in functions
        .iter()
        .filter_map(|f| program.function(FunctionId(*f)))
    {
        for instr in &function.code {
            let k = match instr {
                Instr::NameIs { k, .. }
                | Instr::JumpUnlessNameIs { k, .. }
                | Instr::JumpUnlessCellNameIs { k, .. } => *k,
                _ => continue,
            };
            let Some(name) = function
                .constants
                .get(k as usize)
                .and_then(|v| v.as_interned())
                .map(|t| t.as_str())
            else {
                continue;
            };
            if name.is_empty()
                || kinds.contains(&name)
                || unknown.iter().any(|piece| piece.name == name)
            {
                continue;
            }
            unknown.push(UnknownPiece {
                name: name.to_string(),
                suggestion: closest_match(name, kinds.iter().copied()).map(str::to_string),
            });
        }
    }
    unknown
}
