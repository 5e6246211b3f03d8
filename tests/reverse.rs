//! Promise: going back mirrors going forward, over calls that took millions of steps as over short ones.

use gridbug::command::perform;
use gridbug::languages;
use gridbug::session::Session;

/// Between its stops lie hundreds of thousands of steps: checkpoints are taken in the midst of calls.
const TREE: &str = "board { dimensions {1, 1} image {b.png} }
def n {0}
fun spin(k) {
  for i(0, k) { n {n + 1} }
  return n
}
fun tree(d) {
  def a {spin{150000}}
  if d > 0 {
    tree{d - 1}
    tree{d - 1}
  }
  return a
}";

/// The time and the depth of a stop.
type Stop = (u64, usize);

fn stop_of(session: &mut Session, typed: &str) -> Option<Stop> {
    perform(session, typed).stop.map(|s| (s.time, s.depth))
}

/// All stops of an entry, in order.
fn stops(session: &mut Session, entry: &str) -> Vec<Stop> {
    perform(session, ":tbreak tree");
    let mut all = vec![stop_of(session, entry).expect("a stop in the function")];
    while let Some(stop) = stop_of(session, "step") {
        all.push(stop);
    }
    all
}

#[test]
fn each_way_back_mirrors_its_way_forward() {
    let mut session = Session::new(languages::ALL[0], 1);
    assert!(session.load("game.gl", TREE).ok);
    perform(&mut session, ":skip spin");
    let all = stops(&mut session, "tree{2}");
    // Three calls that call with five stops each, four leaves with three.
    assert_eq!(all.len(), 3 * 5 + 4 * 3, "{all:?}");
    assert!(all.last().is_some_and(|(time, _)| *time > 4_000_000));
    let checkpoints = session.timeline.records().last().map_or(0, |r| r.checkpoints.len());
    assert!(checkpoints >= 7, "only {checkpoints}: nothing is passed over");
    for (n, (time, depth)) in all.iter().enumerate() {
        let before = |most: usize| all[..n].iter().rev().find(|(_, d)| *d <= most).copied();
        let ways = [("rs", before(usize::MAX)), ("rn", before(*depth)), ("rf", before(depth - 1))];
        for (way, wanted) in ways {
            perform(&mut session, &format!(":goto {time}"));
            let came = stop_of(&mut session, way);
            // Before the first stop in the function lies only the entry itself.
            let wanted = wanted.or(came.filter(|(t, d)| *t < all[0].0 && *d == 1));
            assert_eq!(came, wanted, "{way} from stop {n} at time {time}");
        }
    }
}
