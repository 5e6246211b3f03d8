//! Where a program stops when it is stepped: the lines, in order, for every kind of statement.

use gridbug::command::perform;
use gridbug::languages;
use gridbug::session::Session;

/// The lines that `step` stops at after an entry, until it is done.
fn lines(language: &str, file: &str, program: &str, breakpoint: &str, entry: &str) -> Vec<u32> {
    let language = languages::named(language).expect("a language of that name");
    let mut session = Session::new(language, 1);
    let reply = session.load(file, program);
    assert!(reply.ok, "{:?}", reply.diagnostics);
    perform(&mut session, &format!(":break {breakpoint}"));
    let mut reply = perform(&mut session, entry);
    let mut lines = Vec::new();
    while let Some(stop) = &reply.stop {
        if stop.file == file {
            lines.push(stop.line);
        }
        assert!(lines.len() < 1000, "it never ends");
        reply = perform(&mut session, ":step");
    }
    lines
}

fn gridlok(program: &str, breakpoint: &str, entry: &str) -> Vec<u32> {
    lines("gridlok", "game.gl", program, breakpoint, entry)
}

#[test]
fn statements_stop_in_order() {
    let program = "fun f() {
  def a {1}
  a {a + 1}
  def l {1, 2,}
  l {3}
  l[0] {9}
  l[1] {}
  return a
}
board { dimensions {2, 2} image {b.png} }";
    assert_eq!(gridlok(program, "f", "f{}"), [2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn only_the_branch_that_is_taken_stops() {
    let program = "fun f(n) {
  if n == 0 {
    return 0
  } elseif n == 1 {
    return 10
  } else {
    return 20
  }
}
board { dimensions {1, 1} image {b.png} }";
    assert_eq!(gridlok(program, "f", "f{0}"), [2, 3]);
    assert_eq!(gridlok(program, "f", "f{1}"), [2, 4, 5]);
    assert_eq!(gridlok(program, "f", "f{2}"), [2, 4, 7]);
}

#[test]
fn a_loop_stops_in_every_round() {
    let program = "fun f() {
  for i(0, 3) {
    print {i}
  }
  for i(0, 2), j(0, 2) {
    print {j}
  }
  for i(3, 0) {
    print {i}
  }
}
board { dimensions {2, 2} image {b.png} }";
    assert_eq!(gridlok(program, "f", "f{}"), [2, 3, 3, 3, 5, 6, 6, 6, 6, 8]);
}

#[test]
fn loops_over_cells_stop_once_a_cell() {
    let program = "fun f() {
  for p in row(0) {
    print {p}
  }
  for p in col(1) {
    print {p}
  }
  for x, y in board {
    print {x}
  }
  for all p in board {
    print {p}
  }
  for p surrounding 0, 0 {
    print {p}
  }
  for i, j surrounding 0, 0 {
    print {i}
  }
}
board { dimensions {2, 2} image {b.png} }";
    let wanted = [2, 3, 3, 5, 6, 6, 8, 9, 9, 9, 9, 11, 12, 12, 12, 12, 14, 15, 15, 15, 17, 18, 18, 18];
    assert_eq!(gridlok(program, "f", "f{}"), wanted);
}

#[test]
fn a_click_stops_in_handlers_then_in_conditions_then_on_the_next_turn() {
    let program = "game {
  board { dimensions {1, 2} image {b.png} }
  players {\"x\", \"o\"}
  piece { name {\"a\"}
    onTurn {
      print {turn}
    }
    onClick {
      click {0, 1}
      visible {true}
      endTurn {}
    }
  }
  piece { name {\"b\"}
    onClick {
      changeType {\"a\"}
    }
  }
  setup { place {\"a\", 0, 0} place {\"b\", 0, 1} }
  winCondition {
    win {false}
  }
  loseCondition {
    lose {false}
  }
  drawCondition {
    draw {turnCount > 5}
  }
}";
    // b.onClick runs inside a.onClick; two pieces are a when the next turn begins.
    assert_eq!(gridlok(program, "a.onClick", "click{0,0}"), [9, 16, 10, 11, 21, 24, 27, 6, 6]);
}

#[test]
fn setup_stops_as_each_player() {
    let program = "board { dimensions {1, 3} image {b.png} }
players {\"x\", \"o\"}
piece { name {\"a\"} }
setup {
  place {\"a\", 0, 0}
  o {
    place {\"a\", 0, 1}
  }
}";
    assert_eq!(gridlok(program, "setup", ":restart"), [5, 6, 7]);
}
