//! What must hold however the code changes: limits, costs, nothing lost when the process is killed,
//! tables that agree with the machine, and the style of texts.

mod dependencies;
mod faults;
mod flow;
mod growth;
mod incremental;
mod interrupt;
mod lesson_kills;
mod limits;
mod memory;
#[cfg(unix)]
#[path = "../support/pty_session.rs"]
mod pty_session;
#[cfg(unix)]
mod resume;
mod stated;
mod style;
#[path = "../support/thread_cost.rs"]
mod thread_cost;
mod verify;

/// Counts what each thread allocates, for `growth`.
#[global_allocator]
static ALLOCATOR: thread_cost::CountingAllocator = thread_cost::CountingAllocator;
