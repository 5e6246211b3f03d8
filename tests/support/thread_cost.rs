//! What a piece of code costs the thread that runs it: processor time, and bytes on the heap.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::LazyLock;
use std::time::Instant;

thread_local! {
    static ALLOCATED_BYTES: Cell<u64> = const { Cell::new(0) };
    static FREED_BYTES: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, with the bytes that each thread allocates and frees counted.
pub struct CountingAllocator;

fn count(counter: &'static std::thread::LocalKey<Cell<u64>>, bytes: usize) {
    // A thread that is ending has no counters.
    let _ = counter.try_with(|c| c.set(c.get() + bytes as u64));
}

// Safety: everything is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(&ALLOCATED_BYTES, layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(&FREED_BYTES, layout.size());
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // Only what is new is allocated; otherwise a growing table would dominate a batch.
        count(&ALLOCATED_BYTES, new_size.saturating_sub(layout.size()));
        count(&FREED_BYTES, layout.size().saturating_sub(new_size));
        unsafe { System.realloc(block, layout, new_size) }
    }
}

/// The costs of the current thread, since its start or between two points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Processor time; wall-clock time where the system does not tell.
    pub cpu_nanos: u64,
    /// Bytes allocated, whether they were freed or not.
    pub allocated_bytes: u64,
    /// Bytes allocated and not freed.
    pub live_bytes: u64,
}

impl Cost {
    /// The costs since the thread started.
    pub fn now() -> Cost {
        let allocated_bytes = ALLOCATED_BYTES.get();
        Cost {
            cpu_nanos: cpu_nanos(),
            allocated_bytes,
            live_bytes: allocated_bytes.saturating_sub(FREED_BYTES.get()),
        }
    }

    /// The costs from this point to now.
    pub fn elapsed(self) -> Cost {
        let now = Cost::now();
        Cost {
            cpu_nanos: now.cpu_nanos.saturating_sub(self.cpu_nanos),
            allocated_bytes: now.allocated_bytes - self.allocated_bytes,
            live_bytes: now.live_bytes.saturating_sub(self.live_bytes),
        }
    }

    /// The smaller of each cost.
    pub fn min(self, other: Cost) -> Cost {
        Cost {
            cpu_nanos: self.cpu_nanos.min(other.cpu_nanos),
            allocated_bytes: self.allocated_bytes.min(other.allocated_bytes),
            live_bytes: self.live_bytes.min(other.live_bytes),
        }
    }
}

fn cpu_nanos() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let on_cpu = schedstat.split(' ').next().and_then(|n| n.parse().ok());
    on_cpu.unwrap_or_else(|| START.elapsed().as_nanos() as u64)
}
