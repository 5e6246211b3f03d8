//! Threads that expand positions, each with a machine of its own.

use super::PART_BYTES;
use super::expansion::Expansion;
use crate::model::setup::Setup;
use crate::position::graph::{Graph, PositionId};
use crate::position::simulator::Simulator;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::Scope;
use std::time::Duration;

/// Below this many positions, starting threads takes longer than it saves.
pub(crate) const MIN_POSITIONS_FOR_THREADS: u32 = 512;
/// Positions that a thread gets at a time; fewer if they are large.
const CHUNK_POSITIONS: usize = 32;
/// Chunks that wait for each thread.
const QUEUED_CHUNKS: usize = 4;
/// Results that wait to be received from each thread. Threads that are ahead wait.
const QUEUED_RESULTS: usize = 4;
/// How long [`Workers::receive`] waits at most.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// What was found in a position, or a part of it.
pub(crate) struct Part {
    pub expansion: Expansion,
    /// The position is finished.
    pub is_last: bool,
}

/// What [`Workers::receive`] returns.
pub(crate) enum Received {
    /// What was found next, in the order of the positions.
    Parts(Vec<Part>),
    /// It takes longer.
    Nothing,
    /// A thread has ended.
    Disconnected,
}

/// Threads that expand positions. Dropping it ends them.
pub(crate) struct Workers<'p> {
    threads: Vec<Worker>,
    /// Positions that have not been sent to a thread yet.
    unsent: &'p [PositionId],
    /// For each chunk that was sent, the number of its thread and of its positions that were not
    /// received yet.
    sent: VecDeque<(usize, usize)>,
    /// The thread that gets the next chunk.
    next: usize,
}

/// Positions, one after the other, and where each ends.
type Chunk = (Vec<u8>, Vec<usize>);

struct Worker {
    chunks: mpsc::Sender<Chunk>,
    results: mpsc::Receiver<Vec<Part>>,
}

impl<'p> Workers<'p> {
    /// Starts threads that expand `positions`. Setting `cancel` interrupts them.
    pub fn start<'s>(
        scope: &'s Scope<'s, '_>,
        count: usize,
        setup: &Arc<Setup>,
        cancel: &Arc<AtomicBool>,
        positions: &'p [PositionId],
    ) -> Workers<'p> {
        Workers {
            threads: (0..count)
                .map(|_| Worker::start(scope, setup, cancel))
                .collect(),
            unsent: positions,
            sent: VecDeque::new(),
            next: 0,
        }
    }

    /// What was found next. The positions are in the graph.
    pub fn receive(&mut self, graph: &Graph) -> Received {
        while self.sent.len() < self.threads.len() * QUEUED_CHUNKS && !self.unsent.is_empty() {
            let mut packed = Chunk::default();
            while packed.1.len() < CHUNK_POSITIONS
                && packed.0.len() < PART_BYTES
                && let Some((id, rest)) = self.unsent.split_first()
            {
                packed.0.extend_from_slice(graph.bytes(*id));
                packed.1.push(packed.0.len());
                self.unsent = rest;
            }
            let count = packed.1.len();
            // Fails only if the thread has panicked, which is noticed when its results are received.
            let _ = self.threads[self.next].chunks.send(packed);
            self.sent.push_back((self.next, count));
            self.next = (self.next + 1) % self.threads.len();
        }
        let Some((thread, missing)) = self.sent.front_mut() else {
            return Received::Disconnected;
        };
        match self.threads[*thread].results.recv_timeout(POLL_INTERVAL) {
            Ok(parts) => {
                *missing -= parts.iter().filter(|p| p.is_last).count().min(*missing);
                if *missing == 0 {
                    self.sent.pop_front();
                }
                Received::Parts(parts)
            }
            Err(mpsc::RecvTimeoutError::Timeout) => Received::Nothing,
            Err(mpsc::RecvTimeoutError::Disconnected) => Received::Disconnected,
        }
    }
}

impl Worker {
    fn start<'s>(scope: &'s Scope<'s, '_>, setup: &Arc<Setup>, cancel: &Arc<AtomicBool>) -> Worker {
        let (chunks, chunk_queue) = mpsc::channel::<Chunk>();
        let (result_queue, results) = mpsc::sync_channel(QUEUED_RESULTS);
        let (setup, cancel) = (setup.clone(), cancel.clone());
        scope.spawn(move || {
            let mut simulator = Simulator::new(setup, cancel.clone());
            // Ends when the search drops its side of a queue.
            for (bytes, ends) in chunk_queue {
                if expand_chunk(&mut simulator, &bytes, &ends, &cancel, &result_queue).is_none() {
                    return;
                }
            }
        });
        Worker { chunks, results }
    }
}

/// Expands positions and sends what it finds. `None` if nobody receives it.
fn expand_chunk(
    simulator: &mut Simulator,
    bytes: &[u8],
    ends: &[usize],
    cancel: &AtomicBool,
    results: &mpsc::SyncSender<Vec<Part>>,
) -> Option<()> {
    let mut has_to_stop = || cancel.load(Ordering::Relaxed);
    let (mut start, mut waiting_bytes) = (0, 0);
    let mut parts = Vec::new();
    for &end in ends {
        let mut expansion = Expansion::default();
        simulator.expand_in_parts(
            &bytes[start..end],
            &mut expansion,
            &mut has_to_stop,
            PART_BYTES,
            &mut |part| {
                parts.push(Part {
                    expansion: std::mem::take(part),
                    is_last: false,
                });
                results.send(std::mem::take(&mut parts)).is_ok()
            },
        );
        start = end;
        waiting_bytes += expansion.bytes.len();
        let is_cancelled = expansion.is_cancelled || has_to_stop();
        expansion.is_cancelled = is_cancelled;
        parts.push(Part {
            expansion,
            is_last: true,
        });
        if waiting_bytes > PART_BYTES || is_cancelled {
            waiting_bytes = 0;
            results.send(std::mem::take(&mut parts)).ok()?;
        }
        if is_cancelled {
            return None;
        }
    }
    match parts.is_empty() {
        true => Some(()),
        false => results.send(parts).ok(),
    }
}
