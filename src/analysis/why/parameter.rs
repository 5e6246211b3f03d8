//! Explains a parameter that has the value of its argument: the call has set it.

use super::cause;
use crate::answer::{Explanation, Subject};
use crate::debugger::frame;
use crate::debugger::{StepTarget, StopMap, Target, WatchTarget};

/// Explains a parameter of the selected frame by the call. `None` if it is not a parameter, or if
/// nothing that can be shown has called the function.
pub(super) fn why_parameter(target: &mut Target, watched: &WatchTarget) -> Option<Explanation> {
    let WatchTarget::Local(_, name) = watched else {
        return None;
    };
    let from_top = target.debugger.selected_frame;
    let info = frame::frame_info(target, from_top)?;
    let (local, value) = frame::locals(target, from_top)
        .into_iter()
        .rfind(|(l, _)| l.name.as_str() == name)?;
    if local.register >= target.machine.function(info.function)?.parameter_count {
        return None;
    }
    let subject = Subject::Local {
        name: name.clone(),
        value: target.format_value_with_cell(value),
    };
    let now = target.machine.time();
    // Before the call, there was one frame less.
    let step = StepTarget::Out(info.index + 1);
    let stop_map = |target: &Target| StopMap::new(target.program(), &[], |_| false);
    let call = target.with_time(|target| target.search_back(now, &step, stop_map))?;
    let causes = cause::causes_of_call(target, call);
    Some(cause::explanation(target, subject, Some(call), causes))
}
