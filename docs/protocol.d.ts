// An answer of gridbug, as `--json` prints it: see protocol.md. Generated from the Rust types.

/** Which kind of access triggers a watchpoint. */
export type Access = "change" | "read" | "both";

/** The action during which the program stopped. */
export interface ActionInfo {
  /** The action's number in the game; `null` before the first one. */
  number: number | null;
  /** The entry that started it; empty while the game starts. */
  entry: string;
  /** What the language calls an action: `move`. */
  word: string;
  /** Which action of the entry it is, counted from 1; `null` before the first one. */
  number_in_entry: number | null;
  /** How many turns have ended, in languages with turns. */
  turn: number | null;
  /** The player whose turn it is. */
  player: string | null;
  /** The condition that the rules are checking; `null` if they are not checking any. */
  check: ConditionCheck | null;
}

/** What to do about an error or a warning. */
export type Advice =
  /** A command of the prompt: `:moves all` "lists it", or "start it with" `:tour`. */
  | {
    kind: "command";
    /** What to do with it, in front of the command. */
    instruction?: string;
    /** The command with its arguments. */
    command: string;
    /** What it does, or what to do next. */
    effect?: string;
  }
  /** A line that is complete where the line that was typed is not: "e.g. `:find win`". */
  | {
    kind: "example";
    /** The line. */
    command: string;
  }
  /** An option to add to the line that was typed: "add `turn E`". */
  | {
    kind: "option";
    /** The option with its argument. */
    option: string;
    /** The option with an argument that this program has, alone or in a whole line. */
    example?: string;
    /** What the argument is. */
    explanation?: string;
  }
  /** A text to write instead of a misspelled one: "did you mean `turnCount`?" */
  | {
    kind: "replacement";
    /** The text. */
    text: string;
  };

/** The answer to `analyze`. */
export interface AnalyzeAnswer {
  /** True, whether the program has errors or not. */
  ok: boolean;
  /** Errors and warnings. */
  diagnostics: Diagnostic[];
  /** How many more of them there are. */
  omitted_diagnostics: number;
}

/** A program to compile. */
export interface AnalyzeRequest {
  /** The name of the language. */
  language: string;
  /** The name of the program's file. */
  name?: string;
  /** The program. */
  program: string;
}

/** The answer to one entry or command. What it shows is in `parts`; the other fields are those that every answer has, and what the client has to do next. */
export interface Answer {
  /** The version of the protocol. */
  protocol: number;
  /** The line that was typed. */
  entry: string;
  /** False if it failed; then nothing was changed. */
  ok: boolean;
  /** The parts as text, as the terminal prints them. */
  text: string;
  /** What the program printed, one string per line. */
  output: string[];
  /** How many lines of output and messages of logpoints are left out, because there are too many. */
  output_omitted?: number;
  /** The game's message line. */
  display: string | null;
  /** Errors and warnings. */
  diagnostics: Diagnostic[];
  /** How many more of them there are. */
  omitted_diagnostics?: number;
  /** What the answer shows, in order. */
  parts: Part[];
  /** Whether the program is stopped after this line. */
  stopped: boolean;
  /** True if the program is waiting for input: the next line answers it. */
  needs_input?: boolean;
  /** True if the entry goes on with the next line: nothing has run. */
  incomplete?: boolean;
  /** The input prompt at which the program is waiting. */
  question?: Question;
  /** What the client has to do next. */
  control?: Control;
  /** The text that a session file would contain, with the board; only in answers to requests. */
  lines?: string[];
  /** What the line has added to the journal; only in answers to requests. */
  journal?: string;
}

/** A part of the result of an entry. */
export type Aspect = "error" | "endless_loop" | "question" | "output" | "value" | "ending" | "board";

/** How a change of the program affects a breakpoint. */
export type BindingChange =
  /** Its line has moved. */
  | {
    change: "moved";
    /** The function that contains the line. */
    function: string;
    /** The name of the file or entry where the line was. */
    from_file: string;
    /** Where the line was. */
    from_line: number;
    /** The name of the file or entry where the line is now. */
    file: string;
    /** Where the line is now. */
    line: number;
    /** Whether the text of the line is different, so that this may not be the same statement. */
    is_text_changed: boolean;
  }
  /** Its code no longer exists. */
  | {
    change: "pending";
  }
  /** The code that it was waiting for is defined. */
  | {
    change: "active";
  };

/** A board by the properties of its cells. Properties that no cell has are left out. */
export interface BoardProperties {
  rows: number;
  cols: number;
  first_row: number;
  first_col: number;
  origin: [number, number];
  upward: boolean;
  unbounded: boolean;
  focus: [number, number] | null;
  cells: ((string | null)[])[];
  visible: boolean[][];
  top?: ((string | null)[])[];
  color?: ((string | null)[])[];
  owner?: ((string | null)[])[];
  stack?: string[][][];
  variables?: string[][][];
}

/** The size of a board. */
export interface BoardSize {
  /** The number of rows. */
  rows: number;
  /** The number of columns. */
  cols: number;
}

/** A part of the board. */
export interface BoardWindow {
  /** The number of rows of the whole board. */
  rows: number;
  /** The number of columns of the whole board. */
  cols: number;
  /** The row of the first cells, counted from 0. */
  first_row: number;
  /** The column of the first cells, counted from 0. */
  first_col: number;
  /** The numbers shown for the first row and column of the whole board. */
  origin: [number, number];
  /** Whether row numbers grow upward. */
  upward: boolean;
  /** Whether the board has no edges. */
  unbounded: boolean;
  /** The cell that scrolling keeps in view, counted from 0. */
  focus: [number, number] | null;
  /** The cell whose handler is running. */
  current: [number, number] | null;
  /** The names in this part; the first is `null`, for an empty cell. */
  names: (string | null)[];
  /** For each name, the text that it is drawn with. */
  glyphs: (string | null)[];
  /** For each name, a number that selects its color. */
  hues: number[];
  /** Row by row, the index of each cell's name. */
  cells: number[][];
  /** Row by row, 1 where the players do not see the piece. */
  hidden?: number[][];
  /** Row by row, the index of the name that is drawn instead, on top. */
  top?: number[][];
  /** The colors in this part, as `#rrggbb`; the first is `null`. */
  colors?: (string | null)[];
  /** Row by row, the index of each cell's color. */
  color?: number[][];
  /** Row by row, the index of the owner's name. */
  owner?: number[][];
  /** The cells with more pieces than the one that is drawn. */
  stack?: NamesAt[];
  /** The cells whose pieces are held by variables with other names. */
  variables?: NamesAt[];
}

/** A breakpoint, watchpoint or logpoint. */
export interface BreakpointInfo {
  /** Its number. */
  id: number;
  /** What it stops at. */
  stops_at: BreakpointKind;
  /** The access that triggers a watchpoint. */
  access: Access | null;
  /** What a property demands. */
  property?: PropertyKind;
  /** The location as the user typed it. */
  location: string;
  /** Where it is in the program; empty for events and watchpoints. */
  ranges: SourceRange[];
  /** It stops only if this expression is true. */
  condition: string | null;
  /** It stops only at these hits. */
  hit_condition: HitCondition | null;
  /** The message of a logpoint, which is printed instead of stopping. */
  log_message: string | null;
  /** A command to run at each stop. */
  command: string | null;
  /** Hits so far for which the condition was true. */
  hits: number;
  /** The number of next hits to ignore. */
  ignore_count: number;
  /** Whether it stops at all. */
  is_enabled: boolean;
  /** Whether it is deleted after its first stop. */
  is_temporary: boolean;
  /** Whether nothing in the program matches the location yet. */
  is_pending: boolean;
}

/** What a breakpoint stops at. */
export type BreakpointKind = "line" | "function" | "event" | "watch" | "property";

/** A statement that calls a function, but was not reached. */
export interface CallSite {
  /** Where it is. */
  range: SourceRange | null;
  /** The name of the function that contains it. */
  function: string;
  /** The tests of enclosing statements that were false. */
  guards: Guard[];
}

/** A call stack, innermost frame first. */
export interface CallStack {
  /** Number of frames. */
  depth: number;
  /** The number of the selected frame. */
  current: number;
  /** The frames. The list ends early if fewer were asked for. */
  entries: StackEntry[];
  /** Whether only both ends of a long list are shown to people. */
  is_short: boolean;
}

/** The answer to `catalog`. */
export interface CatalogAnswer {
  /** True. */
  ok: boolean;
  /** The version of the protocol. */
  protocol: number;
  /** The version of gridbug. */
  version: string;
  /** The languages. */
  languages: CatalogLanguage[];
  /** The built-in games, in the order of the languages. */
  examples: CatalogExample[];
  /** The lessons of the built-in course, in the order of the languages. */
  lessons: CatalogLesson[];
}

/** A built-in game. */
export interface CatalogExample {
  /** The name of its language. */
  language: string;
  /** Its name. */
  name: string;
  /** What it is about. */
  about: string;
  /** The name of its file. */
  file: string;
  /** The program. */
  program: string;
}

/** A language. */
export interface CatalogLanguage {
  /** The name that requests use. */
  name: string;
  /** The name shown to users. */
  title: string;
  /** The extensions of its files without the dot, the preferred one first. */
  extensions: string[];
  /** The entries that the arrow keys type (up, down, left, right), if games are played with them. */
  arrow_keys: string[] | null;
  /** The line that plays a turn, if the language has turns that run on their own. */
  turn_entry: string | null;
  /** The name of the sample's file. */
  sample_name: string;
  /** The sample game. */
  sample: string;
}

/** A lesson of the built-in course. */
export interface CatalogLesson {
  /** The short name of its language. */
  language: string;
  /** The language as it is written in text. */
  language_title: string;
  /** Its number in the course of the language, from 1. */
  number: number;
  /** What it is about. */
  title: string;
  /** How many steps it has. */
  step_count: number;
  /** How far it was played. */
  status: LessonStatus;
  /** What `:lesson` accepts to open it. */
  argument: string;
}

/** The answer to `cell`. */
export interface CellAnswer {
  /** True. */
  ok: boolean;
  /** The line that a click types; `null` if it types nothing. */
  entry: string | null;
  /** The cell as the language writes it; `null` if it is outside the board. */
  name: string | null;
  /** Whether the line answers the program's question. */
  answers_question: boolean;
}

/** An attribute of the piece on a cell. */
export type CellAttribute = "visible" | "owner";

/** What is on a cell. */
export interface CellInfo {
  /** The cell, in the language's notation. */
  cell: string;
  /** Its row, numbered as at the board's edge. */
  row: number;
  /** Its column, numbered as at the board's edge. */
  col: number;
  /** The pieces on it, topmost first. */
  pieces: PieceOnCell[];
  /** Whether there is a piece that is hidden from the players. */
  is_hidden: boolean;
  /** The player who owns the piece. */
  owner: string | null;
}

/** A cell that is clicked. */
export interface CellRequest {
  /** Its row, counted from 0. */
  row: number;
  /** Its column, counted from 0. */
  col: number;
}

/** A cell of a board and its new value. */
export interface CellValue {
  /** The cell, in the language's notation. */
  cell: string;
  /** Its new value. */
  value: string;
}

/** A difference between two states of the game. Values are in the language's notation. */
export type Change =
  /** The board has a different size, so that its cells cannot be compared. */
  | {
    kind: "board_size";
    /** The size before. */
    old: BoardSize;
    /** The size now. */
    new: BoardSize;
  }
  /** Many cells changed in the same way. */
  | {
    kind: "cells";
    /** How many cells. */
    count: number;
    /** The first of them. */
    cells: string[];
    /** The attribute that changed; `null` if there is another piece on it. */
    attribute: CellAttribute | null;
    /** The piece or the attribute before. */
    old: string;
    /** The piece or the attribute now. */
    new: string;
  }
  /** A cell changed. */
  | {
    kind: "cell";
    /** The cell. */
    cell: string;
    /** The attribute that changed; `null` if there is another piece on it. */
    attribute: CellAttribute | null;
    /** The piece or the attribute before. */
    old: string;
    /** The piece or the attribute now. */
    new: string;
  }
  /** The board, which is an ordinary value of the language, changed. */
  | {
    kind: "board";
    /** The size before. */
    old_size: BoardSize;
    /** The size now. If it is different, no cells are compared. */
    new_size: BoardSize;
    /** How many cells changed. */
    count: number;
    /** The first of them. */
    cells: ChangedCell[];
  }
  /** A variable has another value. */
  | {
    kind: "variable";
    /** Its name. */
    name: string;
    /** The value before; `null` if it had none. */
    old: string | null;
    /** The value now; `null` if it has none. */
    new: string | null;
  }
  /** A long list has other elements. */
  | {
    kind: "element";
    /** The variable that holds the list. */
    name: string;
    /** The index of the first element that is different, counted from 0. */
    index: number;
    /** The element before. */
    old: string;
    /** The element now. */
    new: string;
  }
  /** A long list became longer or shorter. */
  | {
    kind: "length";
    /** The variable that holds the list. */
    name: string;
    /** The number of elements before. */
    old: number;
    /** The number of elements now. */
    new: number;
  }
  /** A variable holds another grid. */
  | {
    kind: "grid";
    /** Its name. */
    name: string;
    /** The grid now. */
    new: string;
  }
  /** A variable has another long value. */
  | {
    kind: "replaced";
    /** Its name. */
    name: string;
  }
  /** The game's message line is different. */
  | {
    kind: "message";
    /** The message now; empty if there is none. */
    new: string;
  }
  /** A field of a record has another value. */
  | {
    kind: "field";
    /** Its name, such as `player.score`. */
    name: string;
    /** The value before. */
    old: string;
    /** The value now. */
    new: string;
  };

/** A class of changes of the game. */
export type ChangeClass = "single" | "two_cells" | "two_variables" | "three_cells" | "four_cells" | "bulk";

/** What a proposed change is made to. */
export type ChangeTargetKind = "cell" | "variable" | "field" | "element";

/** A cell and how it changed. */
export interface ChangedCell {
  /** The cell. */
  cell: string;
  /** The attribute that changed; `null` if there is another piece on it. */
  attribute: CellAttribute | null;
  /** The piece or the attribute before. */
  old: string;
  /** The piece or the attribute now. */
  new: string;
}

/** What a list of changes is compared with. */
export type ChangesSince = "last_stop" | "entry_start";

/** A check that failed. */
export interface CheckFailure {
  /** What is checked. */
  remarks: string[];
  /** The answer that was checked, if what was checked is not obvious: a statement. */
  answer: string | null;
  /** What was played, up to the difference. */
  inputs: string[];
  /** What differs. */
  aspect: Aspect;
  /** What it is with the solution. */
  expected: string[];
  /** What it is with the student's answer. */
  actual: string[];
  /** The command that asks about it, once the inputs are played. */
  question: string | null;
}

/** The answer to `:check`. */
export interface CheckResult {
  /** Positions found. */
  positions: number;
  /** Actions run. */
  actions: number;
  /** The number of moves up to which all positions were found. */
  depth: number;
  /** Whether all positions were found. */
  complete: boolean;
  /** Why not. */
  stopped_by: SearchStop | null;
  /** Variables that were left out of the positions: they cannot matter, or the user said so. */
  ignored: string[];
  /** What was assumed. */
  assumed: string[];
  /** The answers to questions are guessed: there are others, which the user did not rule out. */
  guessed: boolean;
  /** The variable that keeps the search from ending, if it did not. */
  growing?: GrowingVariable;
  /** What was checked. */
  subject: CheckSubject;
  /** Whether every question was decided: nothing was left out, sampled or stopped by a limit. */
  decided: boolean;
  /** What is noteworthy, the most serious first. */
  remarks: Remark[];
  /** The declared properties. */
  properties: CheckedProperty[];
  /** What was looked for and cannot happen. */
  ok: string[];
  /** Why questions are open, if they are. */
  open: string[];
}

/** What was checked. */
export type CheckSubject = "game" | "from_here" | "one_line";

/** What a search says about a property. */
export type CheckVerdict = "holds" | "violated" | "undecided";

/** A declared property, after a search. */
export interface CheckedProperty {
  /** What it demands of its condition. */
  kind: PropertyKind;
  /** The condition. */
  text: string;
  /** What the search says. */
  verdict: CheckVerdict;
  /** A shortest line of moves that violates it, or after which `sometimes` is true. */
  proof: string[] | null;
  /** Why its condition cannot be evaluated, or why the verdict is open. */
  note?: string;
}

/** Moves to choose from. */
export interface Choices {
  /** On average. */
  mean: number;
  /** At most. */
  max: number;
}

/** What a click on a cell does. */
export type ClickEffect =
  /** Nothing: there is no piece. */
  | {
    effect: "no_piece";
  }
  /** Nothing: the game is over. */
  | {
    effect: "game_over";
    /** How it ended. */
    status: string;
  }
  /** Nothing: the piece has already handled a click in this action. */
  | {
    effect: "already_clicked";
  }
  /** Nothing: the piece does not handle clicks. */
  | {
    effect: "no_handler";
    /** The name of the piece. */
    piece: string;
  }
  /** The handler runs, but changes nothing. */
  | {
    effect: "no_change";
    /** The name of the piece. */
    piece: string;
    /** Whether the handler has no statements. */
    is_empty: boolean;
    /** The branches that are not taken. */
    branches: UntakenBranch[];
    /** The cells on which it clicks in vain, because their pieces have already handled a click in this action. */
    skipped_cells: string[];
  }
  /** It changes something. */
  | {
    effect: "changes";
    /** What it changes. */
    changes: Change[];
  };

/** A cell that was clicked in vain. */
export type ClickedCell = {
  /** The cell. */
  cell: string;
  /** The line that explains what the handler did. */
  why: string;
} & (ClickEffect | {});

/** A place in a program. */
export interface CodePlace {
  /** The name of the file or entry. */
  file: string;
  /** The line of the first character. */
  line: number;
  /** The column of the first character. */
  column: number;
  /** The line after the last character. */
  end_line: number;
  /** The column after the last character. */
  end_column: number;
  /** `line 12`, or `file:12` in another file than that of the game. */
  text: string;
}

/** What the values in a column are values of. */
export type ColumnContent =
  /** A variable that exists only in the loop. */
  | {
    type: "loop_variable";
  }
  /** A variable from outside that the loop changes. */
  | {
    type: "outer_variable";
  }
  /** An expression. */
  | {
    type: "expression";
    /** Where it is. */
    range: SourceRange | null;
    /** Whether its value was ever true or false. */
    is_condition: boolean;
    /** The number of characters of its source, including line breaks. */
    length: number;
  };

/** A command of the debugger. */
export interface CommandHelp {
  /** Its name, without the colon. */
  name: string;
  /** The syntax of its arguments; empty if it takes none. */
  usage: string;
  /** What it does, in one line. */
  help: string;
  /** Other names for it. */
  aliases: string[];
  /** A line to type. */
  example: string;
  /** What its arguments mean, if there are several. */
  options?: HelpRow[];
}

/** The compiled code of a function. */
export interface CompiledFunction {
  /** Its name. */
  function: string;
  /** Number of registers. */
  register_count: number;
  /** Its instructions. */
  instructions: InstructionInfo[];
}

/** The answer to `complete`. */
export interface CompleteAnswer {
  /** True. */
  ok: boolean;
  /** The completions. Their ranges count characters from 0. */
  completions: Completion[];
  /** How the command is used whose arguments are being typed. */
  usage: string | null;
}

/** A line to complete. */
export interface CompleteRequest {
  /** The line up to the cursor. */
  line: string;
  /** The lines of the same entry before it. */
  previous_lines?: string;
}

/** A text that may replace the word being typed. */
export interface Completion {
  /** The bytes of the line to replace. They end at the cursor. */
  range: Range;
  /** The replacement. */
  text: string;
  /** What the replacement is. */
  kind: CompletionKind;
  /** A short description, such as the help text of a command. */
  detail?: string;
}

/** What a completion is. */
export type CompletionKind = "keyword" | "builtin" | "definition" | "variable" | "field" | "quoted" | "cell" | "command" | "argument" | "topic" | "file" | "directory";

/** The rules check whether the game ends. */
export interface ConditionCheck {
  /** What has made them do it: `turn ends`. */
  when: string;
  /** The condition, such as `winCondition`. */
  condition: string;
}

/** How often a condition was true and false. */
export interface ConditionCount {
  /** Where it starts in its line, in characters, from 1. */
  column: number;
  /** Its source. */
  text: string;
  /** How often it was true. */
  true: number;
  /** How often it was false. */
  false: number;
}

/** The result of running a condition of the game. */
export type ConditionResult =
  /** It asked for input or took too long. */
  | {
    result: "not_finished";
  }
  /** It ended in an error. */
  | {
    result: "failed";
    /** The error. */
    error: RunError;
    /** Changes of the game that would make the condition true. */
    search: CounterfactualSearch | null;
  }
  /** It is true. It has not been checked since the board changed. */
  | {
    result: "true";
  }
  /** It finished. */
  | {
    result: "finished";
    /** The tests that were evaluated and contain no smaller test. */
    tests: TestRun[];
    /** Changes of the game that would make the condition true. */
    search: CounterfactualSearch | null;
  };

/** A condition of the game, run on the current board. */
export type ConditionRun = {
  /** The name of the condition. */
  name: string;
  /** Where it is defined. */
  range: SourceRange | null;
} & ConditionResult;

/** How to go on. */
export interface ContinueRequest {
  /** Instructions after which the run is left again; none to run to the end. */
  budget?: number;
}

/** What the client has to do after it has shown an answer. */
export type Control =
  /** Open an editor. */
  | {
    kind: "edit";
  } & EditRequest
  /** Play with the arrow keys until Esc is pressed. Without a keyboard, only show the answer. */
  | {
    kind: "play_keys";
  }
  /** Step with a delay until a key is pressed. */
  | {
    kind: "animate";
    /** The time between two steps. */
    delay_ms: number;
  }
  /** Show source, board, variables and call stack in panes that stay in place. */
  | {
    kind: "open_view";
    /** With space between the lines, for a projector. */
    is_large: boolean;
  }
  /** Nothing: it was interrupted with Ctrl-C before it had a result. It is not recorded. */
  | {
    kind: "cancelled";
  }
  /** Offer this text at the next prompt: the first lines of an entry that is not finished. */
  | {
    kind: "prefill";
    /** The text. */
    text: string;
  }
  /** Clear the screen. */
  | {
    kind: "clear_screen";
  }
  /** End the session. */
  | {
    kind: "quit";
    /** How many definitions would be lost. The client may ask about them first. */
    unsaved_count: number;
  };

/** A change of the game that would make something true. */
export type Counterfactual =
  /** These changes together. */
  | {
    extent: "together";
    /** The changes. */
    changes: ProposedChange[];
  }
  /** A change of every cell with the same content. */
  | {
    extent: "every_cell";
    /** The current content: a piece, `hidden` or `visible`. */
    current: string;
    /** The new content. */
    new: string;
    /** The cells, in the language's notation. */
    cells: string[];
  };

/** A search for the smallest change of the game that would make something true. */
export interface CounterfactualSearch {
  /** What was tried, in this order. */
  tried: TriedChanges[];
  /** The changes of the last class tried that would make it true. */
  solutions: Counterfactual[];
  /** The number of cells that were changed. */
  cell_count: number;
  /** The variables, fields and list elements that were changed. */
  names: string[];
  /** Whether all candidates of these classes were tried. */
  is_complete: boolean;
}

/** What was run to count. */
export type CoverageExtent =
  /** What ran in this session, up to the current position in its history. */
  | {
    of: "session";
    /** The number of entries, without the start of the session. */
    entries: number;
    /** Nothing is counted before this time, because the history was dropped to save memory. */
    known_since?: number;
  }
  /** Every move in every position that was searched, and the start of the game. */
  | {
    of: "search";
    /** The positions. */
    positions: number;
    /** The largest number of moves to one of them. */
    depth: number;
    /** Whether they are all positions that can be reached. */
    complete: boolean;
    /** Why not. */
    stopped_by: SearchStop | null;
    /** What was assumed, such as which answers are possible. */
    assumed: string[];
  }
  /** Random games, and the start of the game. */
  | {
    of: "games";
    /** Their number. */
    games: number;
    /** Those that were given up because they did not end. */
    unfinished: number;
    /** The seed of the random moves. */
    seed: number;
    /** Why there are not as many as asked for. */
    stopped_by?: SearchStop;
    /** What was assumed, such as which answers are possible. */
    assumed: string[];
  };

/** How often the lines of the program ran. */
export type CoverageReport = {
  /** The lines that have code, in the order of the program. */
  lines: CoveredLine[];
  /** Functions and handlers that never ran. */
  never_ran: UnusedFunction[];
  /** The program with the counts. */
  program: ProgramListing;
} & CoverageExtent;

/** A line of the program that has code. */
export interface CoveredLine {
  /** The name of its source, such as `game.gl` or `entry 3`. */
  file: string;
  /** Its number in that source, from 1. */
  line: number;
  /** How often; the highest count if the line has several statements. */
  count: number;
  /** How often its condition was true; `null` if it has none. */
  true: number | null;
  /** How often its condition was false; `null` if it has none. */
  false: number | null;
  /** Other conditions of the line, and operands of conditions. */
  further_conditions?: ConditionCount[];
}

/** A test inside an expression that is not true: it was false or, below a negation or as the condition of a branch, perhaps true. */
export interface DecidingTest {
  /** The function that evaluated it. */
  function: string;
  /** The test and its value. */
  test: ExpressionValue;
  /** The values of its parts. */
  parts: ExpressionValue[];
}

/** A definition of the program. */
export interface DefinitionInfo {
  /** Its name. */
  name: string;
  /** Its kind: `function`, `piece`, `condition`, `variable`. */
  defines: string;
  /** The definition without its body: `add(a, b)`. */
  signature: string;
  /** The whole definition. */
  range: SourceRange | null;
  /** Whether it is in a file, not in an entry or in the built-in rules. */
  is_in_file: boolean;
}

/** What a name or an expression is. */
export type Description =
  /** Built into the language. */
  | {
    is: "builtin";
    /** What it does. */
    help: string;
  }
  /** Defined by the program. */
  | {
    is: "definition";
  } & DefinitionInfo
  /** A word of the syntax. */
  | {
    is: "keyword";
    /** The name of the language. */
    language: string;
  }
  /** An expression. */
  | {
    is: "expression";
    /** The type of its value, in the language's words. */
    type: string;
    /** Its value, in the language's notation. */
    value: string;
  };

/** How many of the assignments and tests of a run are shown as text. The data has all of them. */
export type Details = "first" | "all";

/** A diagnostic as it appears in an answer's `diagnostics`, to be written as JSON. */
export interface Diagnostic {
  severity: string;
  phase: string;
  code: string;
  message: string;
  file: string | null;
  line: number | null;
  column: number | null;
  end_line: number | null;
  end_column: number | null;
  label: string;
  related: Related[];
  notes: string[];
  suggested_edits: SuggestedEdit[];
  advice: LocatedAdvice[];
}

/** What differs between two times. */
export interface Diff {
  /** The earlier time, or the one that was asked for. */
  from: number;
  /** The current time. */
  to: number;
  /** What is different at `to`. */
  changes: Change[];
}

/** A line of a comparison. */
export interface DiffLine {
  /** Which of the replies has it. */
  origin: DiffOrigin;
  /** The line. */
  text: string;
}

/** Which of two replies a line is in. */
export type DiffOrigin = "both" | "expected" | "actual";

/** An expression shown at every stop (`:display`). */
export interface Display {
  /** The expression. */
  expression: string;
  /** Its value; `null` if it has none here. */
  value: string | null;
  /** Why it has no value. */
  error: string | null;
}

/** A random draw. */
export interface DrawInfo {
  /** Its number in the game, counted from 1. */
  number: number;
  /** The result. */
  value: string;
  /** The smallest possible result. */
  low: string;
  /** The largest possible result. */
  high: string;
  /** When it happened. */
  time: number;
  /** Where it happened. */
  range: SourceRange | null;
  /** Whether the result was set with `:rand`. */
  is_scripted: boolean;
}

/** The random draws of the game. */
export interface Draws {
  /** Number of draws before the first one that is listed. */
  omitted: number;
  /** The last draws. */
  draws: DrawInfo[];
  /** The scripted results of the next draws. */
  scripted: string[];
}

/** A text to open in the user's editor. The result is then handled like an entry. */
export interface EditRequest {
  /** The text to edit. */
  text: string;
  /** The file to edit in place; `null` for a single definition. */
  file: string | null;
  /** An entry to run before the edited text, which deletes the old definition. */
  first_entry: string | null;
  /** The file extension of the language. */
  extension: string;
}

/** The condition that ends a game. */
export interface EndedBy {
  /** Its name, such as `winCondition`. */
  condition: string;
  /** Where it is defined. */
  where: CodePlace | null;
}

/** How an entry of the history started. */
export type EntryAction = "start_game" | "run" | "run_at_stop" | "answer" | "seed" | "script_draws";

/** The answer to a request that is invalid or impossible. Nothing was changed. */
export interface ErrorAnswer {
  /** False. */
  ok: boolean;
  /** What is wrong. */
  error: string;
}

/** What an error code means and how to fix the error. */
export interface ErrorHelp {
  /** The code. */
  code: string;
  /** The meaning in one line. */
  summary: string;
  /** The name of the language it belongs to, if that is not the session's. */
  other_language: string | null;
  /** A terminal session that produces the error, in lines. */
  example: string[];
  /** How to fix the error, in lines. */
  fix: string[];
}

/** The evaluation of a statement: all of it (`step expr`), or its next part (`step sub`). */
export interface Evaluation {
  /** The function or handler, such as `zero.onClick`. */
  function: string;
  /** The code; may contain line breaks and comments. */
  text: string;
  /** Where it is. */
  range: SourceRange;
  /** The subexpressions, in the order in which they were evaluated. */
  steps: EvaluationStep[];
  /** What the statement did; `null` if it has not ended. */
  effect: StatementEffect | null;
  /** The variables that a condition reads without naming them. */
  reads: NamedValue[];
  /** The branch that was selected. */
  branch: Excerpt | null;
  /** Whether there is more to evaluate in the statement (`step sub`). */
  is_partial: boolean;
}

/** The evaluation of one subexpression. */
export interface EvaluationStep {
  /** Counted from 1 at the start of the statement. */
  number: number;
  /** The code; may contain line breaks and comments. */
  text: string;
  /** Where it is. */
  range: SourceRange;
  /** Its value, in the language's notation. */
  value: string;
  /** When it was evaluated. */
  time: number;
  /** The row and column of the piece that it is, or is a field of. */
  cell: [number, number] | null;
  /** What decided its value, if part of it was not evaluated. */
  short_circuit: ShortCircuit | null;
  /** The statement before this step, with the values known so far; the subexpression is marked. */
  before: Substitution;
  /** The statement after this step; the value is marked. */
  substituted: Substitution;
}

/** The built-in games. */
export interface ExampleList {
  /** In the order of the languages. */
  examples: ListedExample[];
}

/** A piece of source code. */
export interface Excerpt {
  /** The code; may contain line breaks and comments. */
  text: string;
  /** Where it is. */
  range: SourceRange;
}

/** Help with an exercise. */
export type ExerciseHelp = {
  /** The text. */
  lines: string[];
} & HelpKind;

/** The result of checking the answer to an exercise. */
export interface ExerciseReport {
  /** What was to be written. */
  name: string;
  /** How many checks there are. */
  check_count: number;
  /** How many of them passed before the first that failed. */
  passed_count: number;
  /** The first difference; `null` if all checks passed. */
  failure: CheckFailure | null;
  /** The step that follows and gives another result than with the solution, so that the lesson continues with the solution. `null` if it continues with the student's program. */
  differing_step: string | null;
}

/** The task of an exercise. */
export interface ExerciseTask {
  /** What is to be written, such as `winCondition`. */
  name: string;
  /** The task. */
  text: string[];
  /** How many hints it has. */
  hint_count: number;
  /** How many of them were given. */
  hints_given: number;
  /** Whether the solution was shown. */
  is_solution_shown: boolean;
}

/** An expression with the values of all its subexpressions. */
export interface ExplainedExpression {
  /** The code; may contain line breaks and comments. */
  text: string;
  /** Where it is. */
  range: SourceRange;
  /** The expression on one line. */
  line: string;
  /** The subexpressions, in the order in which they were evaluated. */
  values: ExplainedValue[];
}

/** A subexpression with its value. */
export interface ExplainedValue {
  /** The code; may contain line breaks and comments. */
  text: string;
  /** Where it is. */
  range: SourceRange;
  /** The subexpression on one line. */
  line: string;
  /** Its value, in the language's notation. */
  value: string;
  /** The column of the expression's line below which the value belongs, counted from 0: that of the operator, or of the start if there is none. */
  column: number;
  /** What decided its value, if part of it was not evaluated. */
  short_circuit: ShortCircuit | null;
}

/** The answer to `:why`. */
export interface Explanation {
  /** What is explained. */
  subject: Subject;
  /** When it happened; `null` if it is evaluated now, or if only a cause of it has a time. */
  time: number | null;
  /** What caused it, nearest cause first. */
  causes: ExplanationNode[];
  /** The callers of the code that caused it, innermost first. */
  callers: ExplanationNode[];
  /** How many more callers there are. */
  omitted_callers: number;
  /** For `:why not EXPRESSION`: the innermost tests that decide it. One of them would have to be different. */
  deciding_tests?: DecidingTest[];
  /** For `:why not EXPRESSION`: the changes of the game that would make it true. */
  search?: CounterfactualSearch;
  /** The file of the game. Locations in it can be shown without its name. */
  game_file: string | null;
}

/** A cause. Which fields are set depends on its relation. */
export interface ExplanationNode {
  /** How it relates to what it explains. */
  relation: Relation;
  /** The function or handler, such as `zero.onClick`; `null` for an entry. */
  function?: string;
  /** The cell of the piece whose handler it is, in the language's notation. */
  cell?: string;
  /** The arguments of a call. */
  arguments?: string[];
  /** The statement, or the equation that applied. */
  statement?: Excerpt;
  /** How many equations the function has, of which one applied. */
  equation_count?: number;
  /** The expression that was evaluated; of a call, the call itself. */
  expression?: Excerpt;
  /** The name of a local variable. */
  name?: string;
  /** The result of a call, or the value of a local variable. */
  value?: string;
  /** When it happened. */
  time?: number;
  /** The iteration of a loop, counted from 1. */
  iteration?: number;
  /** The variables of a loop, or those that a condition reads. */
  variables?: NamedValue[];
  /** The branches taken, the bindings and the loops, in order. */
  steps?: ExplanationStep[];
  /** The values of the expressions in it, in evaluation order. */
  values?: ExpressionValue[];
  /** What led to it. */
  children?: ExplanationNode[];
  /** Calls that are missing among the children, because there were too many. */
  omitted_calls?: OmittedCalls;
}

/** Something that happened while an expression or a call was evaluated. */
export type ExplanationStep =
  /** A test selected a branch. */
  | {
    type: "branch";
    /** The test. */
    test: Excerpt;
    /** Whether it was true. */
    is_true: boolean;
    /** Its value, in the language's notation. */
    value: string;
    /** The code that was selected. */
    branch: Excerpt;
  }
  /** A variable was bound to the value of an expression. */
  | {
    type: "binding";
    /** The variable. */
    name: string;
    /** The expression. */
    expression: Excerpt;
    /** Its value. */
    value: string;
  }
  /** A loop was executed. */
  | {
    type: "loop";
    /** The head of the loop. */
    head: Excerpt;
    /** The number of iterations. */
    iterations: number;
  };

/** An expression and its value. */
export interface ExpressionValue {
  /** The expression. */
  expression: Excerpt;
  /** Its value, in the language's notation. */
  value: string;
  /** Whether part of it was skipped by short-circuit evaluation. */
  is_short_circuited: boolean;
}

/** The cells for which a test was false. */
export interface FalseCells {
  /** The first of them, in the language's notation. */
  first: string[];
  /** How many there are. */
  count: number;
  /** Whether the run was too long to know all of them. */
  is_truncated: boolean;
}

/** Why a flag such as `win` is false. */
export interface FalseFlag {
  /** Its name. */
  name: string;
  /** Actions that would make it true now, as the player would type them. */
  actions: string[];
  /** The functions that are meant to set it, run on the current board. Empty if none of those that set it can be run on its own. */
  writers: FlagWriter[];
  /** Statements of other functions that would set it. */
  other_writes: UnexecutedWrite[];
  /** How much of the runs is shown. */
  details: Details;
}

/** What a file contains. */
export type FileType =
  /** A program, entries and replies. */
  | {
    type: "session";
  }
  /** A program. */
  | {
    type: "program";
    /** How many lines it has. */
    lines: number;
    /** What became of statements typed at the prompt. */
    typed: TypedStatements;
    /** Why the file cannot be loaded, if the program is not complete yet. */
    error: string | null;
    /** The files of the preludes that it uses. */
    preludes?: string[];
  }
  /** A prelude that the program uses. */
  | {
    type: "prelude";
    /** How many lines it has. */
    lines: number;
    /** Why the file cannot be loaded. */
    error: string | null;
  };

/** The answer to `files`. */
export interface FilesAnswer {
  /** True. */
  ok: boolean;
  /** The names of all files. */
  names: string[];
  /** The texts of the files that were asked for; `null` for one that does not exist. */
  files: Record<string, unknown>;
}

/** Files to set and to read. */
export interface FilesRequest {
  /** The texts of files by their names; `null` deletes a file. */
  set?: Record<string, unknown>;
  /** The names of files to read. */
  get?: string[];
}

/** The answer to `:find`. */
export interface FindResult {
  /** What the search says. */
  verdict: FindVerdict;
  /** The goal as typed. */
  goal: string;
  /** What kind of goal that is. */
  goal_kind: GoalKind;
  /** The shortest line of moves. */
  moves: LineMove[];
  /** How many moves that are. */
  length: number | null;
  /** Whether there is no shorter line. */
  shortest: boolean;
  /** Positions found. */
  positions: number;
  /** Actions run. */
  actions: number;
  /** The number of moves up to which all positions were found. */
  depth: number;
  /** Whether all positions were found. */
  complete: boolean;
  /** Why not. */
  stopped_by: SearchStop | null;
  /** Variables that were left out of the positions: they cannot matter, or the user said so. */
  ignored: string[];
  /** What was assumed. */
  assumed: string[];
  /** The answers to questions are guessed: there are others, which the user did not rule out. */
  guessed: boolean;
  /** The variable that keeps the search from ending, if it did not. */
  growing?: GrowingVariable;
  /** The branch in which the line is kept. */
  branch: number | null;
  /** Whether `:redo` plays it: there is nothing else to redo. */
  redo: boolean;
  /** Who reaches the goal, if it is the end of the game. */
  player?: string;
  /** The error, if the goal is one. */
  error?: string;
  /** Further lines to other positions (`count N`). */
  others?: LineMove[][];
  /** What it says, such as that the program does not define the goal. */
  note?: string;
  /** What shows more about the remark. */
  advice?: Advice[];
  /** The condition that ends the game after the moves, if the goal is an ending and the condition is known. */
  ended_by?: EndedBy;
  /** The condition that would have to be defined for an ending that is impossible. */
  undefined?: string;
  /** The limit on the number of moves, if there is one. */
  within?: number;
}

/** What a search says about its goal. */
export type FindVerdict = "found" | "never" | "not_within" | "unknown";

/** What a run of a function made of a flag. */
export type FlagResult =
  /** The flag became true. The function has not run since the board changed. */
  | {
    result: "becomes_true";
  }
  /** The flag stayed false. */
  | {
    result: "stays_false";
    /** How the run ended. */
    end: RunEnd;
    /** The tests that were evaluated and contain no smaller test. */
    tests: TestRun[];
    /** Changes of the game that would make the flag true. */
    search: CounterfactualSearch | null;
    /** Names that pieces are compared with, but that no piece has. */
    unknown_pieces: UnknownPiece[];
  };

/** An assignment to a flag, during a run of its function. */
export type FlagWrite = {
  /** Where it is. */
  range: SourceRange;
  /** The statement. */
  statement: string;
} & WriteExecution;

/** A run of a function that can set a flag. */
export type FlagWriter = {
  /** The name of the function. */
  function: string;
  /** Where it is defined. */
  range: SourceRange | null;
  /** The action that ran it, if it is a handler. */
  entry: string | null;
  /** What it was run with instead of the current value: whose turn it is. */
  assigned: NamedValue | null;
  /** What its assignments to the flag did. */
  writes: FlagWrite[];
} & FlagResult;

/** A frame of the call stack. */
export interface Frame {
  /** The number that `:frame` accepts; 0 is the innermost frame. */
  index: number;
  /** The function or handler, such as `zero.onClick`. */
  function: string;
  /** The role of the function. */
  function_kind: FunctionKind;
  /** The statement that runs next; in a caller, its call. After the last statement, the closing brace. */
  range: SourceRange | null;
  /** The first line of the statement, without indentation. */
  statement: string;
  /** Whether the statement has run: it was the last one, and no brace follows. */
  has_run: boolean;
  /** The cell of the piece whose handler it runs, in the language's notation. */
  cell: string | null;
  /** Whether its variables are in scope. */
  is_current: boolean;
  /** Whether it belongs to the built-in rules, which are listed only with `:rules on`. */
  is_hidden: boolean;
  /** Whether its function has been redefined since the call. */
  is_old_code: boolean;
}

/** The role of a function, as shown in the call stack. */
export type FunctionKind = "function" | "handler" | "condition" | "setup" | "entry" | "rules";

/** Why one function or handler did not run. */
export interface FunctionNotRun {
  /** Its name. */
  name: string;
  /** The entry in which it did not run; empty for the start of the game. */
  entry: string;
  /** The first line of its definition, up to its body. */
  head: string;
  /** Where its head is. */
  range: SourceRange | null;
  /** Whether the rules of play call it when an event matches. */
  is_handler: boolean;
  /** The dispatches that considered it, in the order in which they were tried. */
  attempts: HandlerAttempt[];
  /** Handlers that were called instead, in order. */
  other_handlers: HandlerRun[];
  /** Statements that would have called it. Empty if there were attempts or other handlers. */
  call_sites: CallSite[];
  /** When it ran before. */
  last_run: LastRun;
}

/** Whether one function or handler ran. */
export type FunctionRuns =
  /** A condition of the game, which is run on the current board instead. */
  | {
    outcome: "condition";
  } & ConditionRun
  /** It did run. */
  | {
    outcome: "ran";
    /** Its name. */
    name: string;
    /** The entry in which it ran; empty for the start of the game. */
    entry: string;
    /** How often it ran, as far as is known. */
    count: number;
    /** When it last ran. */
    time: number;
  }
  /** It did not run. */
  | {
    outcome: "not_run";
  } & FunctionNotRun;

/** Moves of a game. */
export interface GameLength {
  /** On average. */
  mean: number;
  /** In the shortest game. */
  min: number;
  /** In the longest game. */
  max: number;
}

/** A way in which games end. */
export interface GameResult {
  /** The player who wins or loses, or one of `win`, `lost`, `draw`, `over`, `error`, `dead end`. */
  name: string;
  /** What that is. */
  kind: ResultKind;
  /** The number of games. */
  count: number;
  /** Their share, every move being equally likely. */
  rate: number;
  /** Lower end of the 95 % interval of the share; the share itself if it is exact. */
  low: number;
  /** Upper end. */
  high: number;
}

/** The JSON of a `GameState`. */
export interface GameStateFields {
  /** The name of the language. */
  language: string;
  /** The language as shown to users. */
  language_title: string;
  /** Whether and how the game has ended: `playing`, `won`, `lost`, `draw` or `over`. */
  status: string;
  /** The ending in the game's own words. */
  ending: string | null;
  /** Who has won. */
  winner: string | null;
  /** The player whose turn it is. */
  turn: string | null;
  /** How many turns have ended. */
  turn_count: number | null;
  /** The whole board. */
  board: BoardProperties | null;
  /** The lines above the board. */
  header: (string | null)[];
  /** The lines below the board. */
  footer: string[];
  /** The variables that have a value. */
  vars: Record<string, unknown>;
}

/** The value of a position for a player under perfect play. */
export type GameValue = "win" | "loss" | "draw" | "unknown";

/** A time to visit, and what to see of it. */
export interface GoRequest {
  /** The time, as a number or as a text that `:goto` accepts; `back` to end the visit. */
  to: Time;
  /** The parts of the view; all of them if there is no list. */
  parts?: ViewPart[];
  /** The part of the board; all of it if there is none. */
  board?: WindowRequest;
}

/** The kind of goal of a search, which decides the words of the answer. */
export type GoalKind = "ending" | "stuck" | "error" | "condition" | "value" | "code" | "print";

/** A variable of which new values turn up all the time. */
export interface GrowingVariable {
  /** Its name. */
  name: string;
  /** How many values were seen. */
  values: number;
  /** The function whose variable it is; `null` if it is a global one. */
  function?: string;
  /** The first place in the program that makes it matter, if that is known. */
  read_in?: CodePlace;
}

/** A test that decides whether a statement is reached. */
export interface Guard {
  /** Where it is. */
  range: SourceRange | null;
  /** The test. */
  text: string;
}

/** An attempt of the rules of play to run a handler. */
export interface HandlerAttempt {
  /** When the first word of its head was compared. */
  time: number;
  /** The event: the variables of the rule that checked the handler. */
  context: NamedValue[];
  /** The comparisons in order, up to the first that failed. */
  checks: WordCheck[];
}

/** A handler that ran. */
export interface HandlerRun {
  /** Its name. */
  name: string;
  /** When it was called. */
  time: number;
}

/** A kind of help with an exercise. */
export type HelpKind =
  /** A hint. */
  | {
    help: "hint";
    /** Its number, from 1. */
    number: number;
    /** How many there are. */
    count: number;
  }
  /** The solution. */
  | {
    help: "solution";
  };

/** Something with a description. */
export interface HelpRow {
  /** The name, or the line to type. */
  name: string;
  /** What it means or does. */
  help: string;
}

/** The answer of `:help`. */
export type HelpTopic =
  /** The commands that one needs first. */
  | {
    topic: "essentials";
    /** The name of the language. */
    language: string;
    /** The commands. */
    commands: HelpRow[];
    /** A word of the language that `:help` explains. */
    example: string;
  }
  /** The names of all commands. */
  | {
    topic: "overview";
    /** The name of the language. */
    language: string;
    /** The commands by subject. */
    groups: NameList[];
  }
  /** All commands of a subject. */
  | {
    topic: "commands";
    /** The commands. */
    commands: CommandHelp[];
  }
  /** A single command. */
  | {
    topic: "command";
  } & CommandHelp
  /** Things with a description each, in columns: keys, ways to use files. */
  | {
    topic: "table";
    /** The rows. */
    rows: HelpRow[];
  }
  /** Built-ins and commands of the language that have the name asked for. */
  | {
    topic: "names";
    /** The rows. */
    rows: HelpRow[];
  }
  /** A summary of the language. */
  | {
    topic: "language";
    /** Its name. */
    title: string;
    /** Its file extensions, without the dot. */
    extensions: string[];
    /** Lines of code, with what they mean. */
    examples: HelpRow[];
    /** Its keywords. */
    keywords: NameList;
    /** Its built-ins. */
    builtins: HelpRow[];
  };

/** The answer to `highlight`. */
export interface HighlightAnswer {
  /** True. */
  ok: boolean;
  /** The tokens of each line, in order. A token of several lines is in each of them. */
  lines: TextToken[][];
}

/** A text to highlight. */
export interface HighlightRequest {
  /** The text. */
  text: string;
  /** The name of the language; that of the session if there is none. */
  language?: string;
}

/** The answer to `:hint`. */
export interface Hint {
  /** A best move; `null` if it is not known. */
  best: MoveValue | null;
  /** The game has ended. */
  is_over: boolean;
  /** What the moves are worth depends on chance, and it is not known how much. */
  is_chance: boolean;
  /** Positions found. */
  positions: number;
  /** Actions run. */
  actions: number;
  /** The number of moves up to which all positions were found. */
  depth: number;
  /** Whether all positions were found. */
  complete: boolean;
  /** Why not. */
  stopped_by: SearchStop | null;
  /** Variables that were left out of the positions: they cannot matter, or the user said so. */
  ignored: string[];
  /** What was assumed. */
  assumed: string[];
  /** The answers to questions are guessed: there are others, which the user did not rule out. */
  guessed: boolean;
  /** The variable that keeps the search from ending, if it did not. */
  growing?: GrowingVariable;
}

/** Lines that were typed in this session. */
export interface HistoryList {
  /** The oldest first. */
  entries: ListedEntry[];
}

/** A breakpoint or watchpoint that was hit, or a property that is violated. */
export interface Hit {
  /** Its number. */
  id: number;
  /** The event of the game, for a breakpoint on one. */
  event?: string;
  /** What happened to the watched thing, for a watchpoint. */
  watched?: WatchHit;
  /** The property that is violated. */
  property?: Violation;
}

/** Which hits of a breakpoint stop. */
export type HitCondition =
  /** Only the nth hit. */
  | {
    nth: number;
  }
  /** Every nth hit. */
  | {
    every: number;
  };

/** The answer to `image`. */
export interface ImageAnswer {
  /** True. */
  ok: boolean;
  /** The media type, such as `image/png`. */
  type: string;
  /** The content in base64. */
  data: string;
}

/** A picture. */
export interface ImageRequest {
  /** Its path as the program has it, from the folder of the program. */
  name: string;
}

/** One instruction. */
export interface InstructionInfo {
  /** Its address in the function. */
  pc: number;
  /** The statement that starts here, if one does. */
  range: SourceRange | null;
  /** The instruction as text. */
  text: string;
}

/** When a function last ran. */
export type LastRun =
  /** At this time. */
  | {
    at: number;
  }
  /** Not in this game. */
  | "never"
  /** It has no statements, so its runs leave no trace. */
  | "unknown";

/** The lessons of the built-in course, in order. */
export interface LessonList {
  /** Those of a language follow each other. */
  lessons: ListedLesson[];
}

/** The next step of a lesson. */
export interface LessonProgress {
  /** The number of the step, from 1; one more than there are steps at the end. */
  number: number;
  /** How many steps there are. */
  count: number;
  /** What the lesson says before the step. */
  remarks: string[];
  /** The input of the step; `null` at the end, and if the step is an exercise. */
  next: string | null;
  /** The exercise, if the step is one. */
  exercise: ExerciseTask | null;
  /** What `:lesson` accepts to open the lesson that follows in the course. */
  following: string | null;
}

/** How far a lesson was played. Only a terminal remembers it. */
export type LessonStatus =
  /** Not begun, as far as is known. */
  | "new"
  /** Begun; the number of the next step. */
  | {
    step: number;
  }
  /** Played to its end. */
  | "finished";

/** A line of styled text. */
export interface Line {
  text: string;
}

/** How often a line ran. */
export interface LineCount {
  /** How often; the highest count if the line has several statements. */
  count: number;
  /** How often its condition was true; `null` if it has none. */
  true: number | null;
  /** How often its condition was false; `null` if it has none. */
  false: number | null;
  /** Other conditions of the line, and operands of conditions. */
  further_conditions?: ConditionCount[];
}

/** A move of a line. */
export interface LineMove {
  /** What to type. */
  entry: string;
  /** Whose move it is. */
  player: string | null;
  /** The random numbers that are drawn. */
  draws: number[];
}

/** A line of a source. */
export interface LineOrigin {
  /** The name of the source, such as `game.gl` or `entry 3`. */
  file: string;
  /** The line in it, from 1. Stops, errors and `:break` use this number. */
  line: number;
}

/** A line to run. */
export interface LineRequest {
  /** The line; one entry may have several. */
  text: string;
  /** Instructions after which the run is left, to be continued; none to run to the end. */
  budget?: number;
}

/** What can be listed, if there is any. */
export type ListKind = "variables" | "breakpoints" | "properties" | "displays" | "lesson";

/** A line that was typed. */
export interface ListedEntry {
  /** The number of the entry; `null` for a command or the answer to a question. */
  number: number | null;
  /** The text. */
  input: string;
  /** Whether `:save` leaves it out, because it was dropped. */
  is_dropped?: boolean;
}

/** A built-in game. */
export interface ListedExample {
  /** The name of its language. */
  language: string;
  /** The language as shown to users. */
  language_title: string;
  /** Its name. */
  name: string;
  /** What it is about. */
  about: string;
}

/** A lesson of the built-in course. */
export interface ListedLesson {
  /** The short name of its language. */
  language: string;
  /** The language as it is written in text. */
  language_title: string;
  /** Its number in the course of the language, from 1. */
  number: number;
  /** What it is about. */
  title: string;
  /** How many steps it has. */
  step_count: number;
  /** How far it was played. */
  status: LessonStatus;
}

/** What to do about it. A replacement has the range of the code that it replaces. */
export type LocatedAdvice = {
  /** The name of the file or entry. */
  file?: string;
  /** The line of the first character. */
  line?: number;
  /** The column of the first character. */
  column?: number;
  /** The line after the last character. */
  end_line?: number;
  /** The column after the last character. */
  end_column?: number;
} & Advice;

/** A caller that is in a loop. */
export interface LoopCaller {
  /** The name of the function. */
  function: string;
  /** The statement that it is executing. */
  range: SourceRange | null;
}

/** A column of a loop table. */
export interface LoopColumn {
  /** The variable or the source of the expression, on one line. */
  name: string;
  /** What its values are values of. */
  content: ColumnContent;
  /** The row in which a variable changed, if it changed only once: that iteration usually decided the result. */
  decided_in_row: number | null;
}

/** How a loop ended. */
export type LoopResult = "running" | "completed" | "early";

/** One iteration. */
export interface LoopRow {
  /** Its number, counted from 1; `null` for a test that only ended the loop. */
  iteration: number | null;
  /** The value in each column. */
  values: LoopValue[];
  /** When it started. */
  time: number;
  /** Whether the program is stopped in it. */
  is_current: boolean;
  /** Whether a variable changed in it that did not change in any other. */
  is_deciding: boolean;
  /** Whether only the test ran, because it was false. */
  is_final_test: boolean;
}

/** How the iterations of a loop change variables. */
export type LoopStyle = "assigning" | "rebinding";

/** The iterations of one execution of a loop. */
export interface LoopTable {
  /** How its iterations change variables. */
  style: LoopStyle;
  /** The function that contains the loop. */
  function: string;
  /** The source of the loop's head, on one line. */
  head: string;
  /** Where the head is. */
  range: SourceRange | null;
  /** The columns, from left to right. */
  columns: LoopColumn[];
  /** One row for each iteration. */
  rows: LoopRow[];
  /** Iterations without a row, if there were too many to record. */
  omitted: OmittedIterations | null;
  /** How the loop ended. */
  result: LoopResult;
}

/** The loops that an answer shows. */
export interface LoopTables {
  /** The caller whose loop is shown; `null` if the loop is in the selected frame. */
  caller: LoopCaller | null;
  /** One table for each execution of a loop, in order. */
  tables: LoopTable[];
  /** The file of the game. Locations in it can be shown without its name. */
  game_file: string | null;
}

/** The value of a variable or expression in an iteration. */
export type LoopValue = string | null | CellValue[];

/** A time with a name. */
export interface Mark {
  /** Its name. */
  name: string;
  /** The time. */
  time: number;
  /** The branch it is on; `null` for the current history. */
  branch: number | null;
  /** Whether that part of the history was dropped to save memory. */
  is_lost: boolean;
}

/** Why a function or handler did not run in the last action. */
export interface MissingCall {
  /** The name that was asked for. */
  name: string;
  /** Whether there was an action that could have called it. */
  has_action: boolean;
  /** False if that action changed nothing in the past and was therefore rolled back: then its times are not in the history. */
  is_in_history: boolean;
  /** All functions and handlers with this name. */
  functions: FunctionRuns[];
}

/** The moves that are possible in the current position. */
export interface MoveList {
  /** The moves, in the order of their cells, keys or answers. */
  moves: PossibleMove[];
  /** How many actions without effect there are. */
  without_effect: number;
  /** How many moves are not listed because there are too many. */
  omitted: number;
  /** Whether actions without effect, and those that do the same as others, are to be shown. */
  lists_all: boolean;
  /** Why not all actions were tried, if so. */
  stopped_by: SearchStop | null;
  /** Why there are none, or what was assumed. */
  notes: string[];
}

/** A move with its value. */
export interface MoveValue {
  /** What to type. */
  entry: string;
  /** Its value for the player who moves. */
  value: GameValue;
  /** Moves to the end, this one included, if the end is forced. */
  distance: number | null;
}

/** Names with a heading. */
export interface NameList {
  /** The heading. */
  heading: string;
  /** The names. */
  names: string[];
}

/** A place where a name stands. */
export interface NamePlace {
  /** The line in the text that `:save` writes, from 1. */
  line: number;
  /** The column in characters, from 1. */
  column: number;
  /** Where the line was loaded from or typed; `null` if it is in no source. */
  origin: LineOrigin | null;
  /** The text of the line. */
  text: string;
  /** Whether the name is defined there, rather than used. */
  is_definition: boolean;
}

/** A name of the program and the places where it stands. */
export interface NameUses {
  /** The name. */
  name: string;
  /** What it stands for, such as `local variable`. */
  stands_for: string;
  /** The places, in the order of the program. */
  places: NamePlace[];
}

/** A name and its value. */
export interface NamedValue {
  /** The name of a variable. */
  name: string;
  /** Its value, in the language's notation. */
  value: string;
}

/** Names that belong to a cell. */
export interface NamesAt {
  /** The row and column, counted from 0. */
  at: [number, number];
  /** The names. */
  names: string[];
}

/** A breakpoint that has just been set. */
export interface NewBreakpoint {
  /** The breakpoint. */
  breakpoint: BreakpointInfo;
  /** Why its condition cannot be evaluated at its location, if so. */
  condition_problem: string | null;
}

/** A change that the next instruction makes. */
export interface NextChange {
  /** The variable or cell, as typed. */
  name: string;
  /** The value before; empty if it has none. */
  old: string;
  /** The value after. */
  new: string;
  /** The time just before the change. */
  time: number;
}

/** Something that happened or is worth knowing, with the values that its sentence contains. */
export type Notice =
  /** There is nothing to list. */
  | {
    notice: "empty";
    /** What was asked for. */
    list: ListKind;
    /** A command that adds something to the list. */
    example: string | null;
  }
  /** What the language says about the entry: what it has defined, or the answer to a command of the language such as `:type`. */
  | {
    notice: "language";
    /** The message. */
    message: string;
  }
  /** An entry was cancelled and rolled back before its end. */
  | {
    notice: "cancelled";
    /** The entry. */
    entry: string;
  }
  /** A command failed and changed nothing. */
  | {
    notice: "nothing_changed";
  }
  /** An analysis was interrupted with Ctrl-C, so that its answer is incomplete. */
  | {
    notice: "interrupted";
    /** The ending of which it is not known whether it can be reached, if that was the question. */
    unknown: string | null;
  }
  /** A report was interrupted with Ctrl-C, so that its other sections are missing. */
  | {
    notice: "report_interrupted";
  }
  /** The journal of the session cannot be written. */
  | {
    notice: "journal_problem";
    /** What is wrong. */
    message: string;
  }
  /** A word names a variable as well as a command, and the variable was shown. */
  | {
    notice: "is_variable";
    /** The word. */
    word: string;
    /** The command that `:WORD` runs. */
    command: string;
  }
  /** A letter stands for a move as well as a command, and the move was played. */
  | {
    notice: "is_move";
    /** The letter. */
    word: string;
    /** The command that `:WORD` runs. */
    command: string;
  }
  /** A word names a move as well as a command, and the command was run. */
  | {
    notice: "is_command";
    /** The command. */
    command: string;
    /** How to write the move at a stop. */
    entry: string;
  }
  /** The client cannot show panes that stay in place. */
  | {
    notice: "no_view";
  }
  /** The client has no arrow keys. */
  | {
    notice: "no_arrow_keys";
    /** Moves that can be typed instead. */
    examples: string[];
  }
  /** An animation that cannot be paced or ended by a key was stopped. */
  | {
    notice: "animation_stopped";
    /** After how many steps. */
    steps: number;
  }
  /** The function of the selected frame was redefined; the call still runs the old code. */
  | {
    notice: "old_code";
    /** The function. */
    function: string;
  }
  /** What follows is about an earlier time. */
  | {
    notice: "at_time";
    /** The time. */
    time: number;
  }
  /** An expression is true already, so that there is no reason why it is not. */
  | {
    notice: "already_true";
    /** The expression. */
    expression: string;
    /** Its value, in the language's notation. */
    value: string;
  }
  /** The program stopped, where only the function matters. */
  | {
    notice: "stopped_in";
    /** The function. */
    function: string;
  }
  /** There is nothing to go back to. */
  | {
    notice: "history_start";
    /** The start of the game was reached, and not only of what is known of the history. */
    is_game_start: boolean;
    /** Breakpoints were looked for on the way. */
    without_hit: boolean;
  }
  /** A time has a name now. */
  | {
    notice: "marked";
    /** The name. */
    name: string;
    /** The time. */
    time: number;
  }
  /** A branch of the history was deleted. */
  | {
    notice: "deleted_branch";
    /** Its number. */
    branch: number;
  }
  /** The history and one of its branches have changed places. */
  | {
    notice: "switched_branch";
    /** The number of the branch. */
    branch: number;
  }
  /** The program was put into the layout of its language. */
  | {
    notice: "formatted";
    /** How many lines have changed. */
    lines: number;
  }
  /** The session has changed to another language. */
  | {
    notice: "switched_language";
    /** The name of the language. */
    language: string;
    /** The language as shown to users. */
    title: string;
    /** Because of the file that was loaded. */
    is_by_file: boolean;
  }
  /** A built-in game was opened. */
  | {
    notice: "opened_example";
    /** Its name. */
    name: string;
    /** The language as shown to users. */
    language_title: string;
    /** What it is about. */
    about: string;
  }
  /** How to open one of the built-in games that are listed. */
  | {
    notice: "opens_example";
  }
  /** `:save` leaves a line out. */
  | {
    notice: "dropped_line";
    /** The line. */
    input: string;
    /** How `:history` names it. */
    line: string;
  }
  /** `:save` includes a line again. */
  | {
    notice: "kept_line";
    /** The line. */
    input: string;
  }
  /** What `:save` would write does not lead to the current state of the game. */
  | {
    notice: "not_exact";
  }
  /** `gridbug run` needs more than the saved program. */
  | {
    notice: "missing_to_run";
    /** What it needs. */
    missing: string;
  }
  /** Changes belong to the file of a prelude, which was not saved. */
  | {
    notice: "unsaved_prelude";
    /** Its path. */
    path: string;
    /** What has changed. */
    names: string[];
  }
  /** A journal could not be read completely. The file is kept. */
  | {
    notice: "damaged_journal";
    /** Where it is kept. */
    location: string;
    /** How many entries could be recovered. */
    recovered_count: number;
    /** The first line of each part that could not be recovered. */
    lost: string[];
  }
  /** Journals of sessions that ended unexpectedly are kept, but not listed any more: there are newer ones. */
  | {
    notice: "old_journals";
    /** How many. */
    count: number;
    /** Where the first of them is kept. */
    location: string;
  }
  /** An earlier session was deleted. */
  | {
    notice: "deleted_session";
    /** The session. */
    session: ResumableSession;
  }
  /** An earlier session was restored. */
  | {
    notice: "restored_session";
    /** The session. */
    session: ResumableSession;
  }
  /** An unfinished entry was restored, too. */
  | {
    notice: "restored_draft";
  }
  /** The computer has no move. */
  | {
    notice: "no_move";
    /** The player. */
    player: string;
  }
  /** The computer was interrupted before it had moved. */
  | {
    notice: "not_moved";
    /** The player. */
    player: string;
  }
  /** A remark of the user, which `:save` writes. */
  | {
    notice: "remark";
    /** The remark. */
    text: string;
  }
  /** The tour was left and can be continued. */
  | {
    notice: "left_tour";
    /** The number of the next step, from 1. */
    step: number;
    /** How many steps there are. */
    count: number;
  }
  /** The tour has ended, because another game was opened. */
  | {
    notice: "ended_tour";
  }
  /** The game is not where the tour expects it. */
  | {
    notice: "off_tour";
    /** The number of the step, from 1. */
    step: number;
  }
  /** Something else was typed than the tour asks for. */
  | {
    notice: "tour_reminder";
    /** The number of the step, from 1. */
    step: number;
    /** The line to type. */
    input: string;
  }
  /** How to open the first lesson of those that are listed. */
  | {
    notice: "opens_lesson";
    /** The command. */
    command: string;
  }
  /** The lesson was left. */
  | {
    notice: "left_lesson";
  }
  /** The lesson continues as it was before what the student has typed. */
  | {
    notice: "back_in_lesson";
  }
  /** A step of a lesson would write a file, and was not run. */
  | {
    notice: "lesson_writes_no_file";
  }
  /** The student has not typed an answer to the exercise. */
  | {
    notice: "nothing_to_check";
    /** The definition to write; `null` if the answer is a statement. */
    definition: string | null;
  }
  /** The next step is preceded by a question. */
  | {
    notice: "question_wanted";
  }
  /** A question that was wanted has no answer, so it was not asked. */
  | {
    notice: "question_not_asked";
  }
  /** The line that a question was about was not run. */
  | {
    notice: "not_run";
    /** The first line of it. */
    entry: string;
  }
  /** A command explains the result. */
  | {
    notice: "explained_by";
    /** The command. */
    command: string;
  };

/** A reply that differs, with the number of its entry. */
export interface NumberedDiff {
  /** The number of the entry. */
  number: number;
  /** The entry. */
  input: string;
  /** The lines of both replies. */
  lines: DiffLine[];
}

/** The calls that were too many to record. */
export interface OmittedCalls {
  /** How many. */
  count: number;
  /** The deepest of them. */
  deepest: ExplanationNode | null;
  /** The depth of the deepest call. Calls in the expression itself have depth 1. */
  depth: number;
}

/** A range of iterations. */
export interface OmittedIterations {
  /** The number of the first one. */
  first: number;
  /** The number of the last one. */
  last: number;
}

/** A lesson that is being played. */
export interface OpenLesson {
  /** The number of the step, from 1; one more than there are steps at the end. */
  number: number;
  /** How many steps there are. */
  count: number;
  /** What the lesson says before the step. */
  remarks: string[];
  /** The input of the step; `null` at the end, and if the step is an exercise. */
  next: string | null;
  /** The exercise, if the step is one. */
  exercise: ExerciseTask | null;
  /** What `:lesson` accepts to open the lesson that follows in the course. */
  following: string | null;
  /** What the lesson is about. */
  title: string;
  /** What `:lesson` accepts to open it. */
  argument: string;
  /** Whether it belongs to the built-in course. */
  is_in_course: boolean;
}

/** The question of a prediction. */
export interface OpenPrediction {
  /** What it is about. */
  about: PredictionKind;
  /** The question. */
  text: string;
  /** The possible answers; empty if any text will do. */
  choices: PredictionChoice[];
  /** The line that runs when it is answered. */
  line: string;
  /** The row and column of the cell that it asks about, counted from 0. */
  at?: [number, number];
}

/** The program's question. */
export interface OpenQuestion {
  /** The prompt. */
  text: string;
  /** The type of the answer, as the language calls it; `null` if any text will do. */
  type: string | null;
  /** The boards in play besides the displayed one, as text. */
  other_boards?: string[];
  /** Whether a click on a cell answers it. */
  takes_cell: boolean;
}

/** A session to open. */
export interface OpenRequest {
  /** The name of the language; not needed for the file that is served. */
  language?: string;
  /** Opens the file that the command line of `gridbug serve` names, with access to the disk. */
  served?: boolean;
  /** The seed of the random numbers; 1 if there is none. */
  seed?: number;
  /** The name of the program's file. */
  name?: string;
  /** The program. */
  program?: string;
  /** Whether errors in the program stop it, as at the prompt. */
  stops_on_errors?: boolean;
}

/** A session file was replayed and is now the current session. */
export interface OpenedSession {
  /** Its path. */
  path: string;
  /** How many entries were replayed. */
  entry_count: number;
  /** How many replies differ from the recorded ones. */
  mismatch_count: number;
}

/** The values that a part of a test had. */
export interface OperandValues {
  /** The part. */
  text: string;
  /** How often it was evaluated. */
  count: number;
  /** Its distinct values, in the order in which they first occurred. If there are too many, some are left out. */
  values: ValueCount[];
}

/** A move of the computer. */
export interface OpponentMove {
  /** The player. */
  player: string;
  /** What was entered. */
  entry: string;
  /** `random`, `level 3` or `perfect`. */
  level: string;
  /** Why it was chosen at the highest level, although perfect play was asked for. */
  not_perfect?: string;
  /** No move is better. */
  exact: boolean;
  /** Positions that were searched. */
  positions: number;
  /** Games that were played with random moves. */
  playouts: number;
}

/** A player whom the computer plays. */
export interface OpponentSetting {
  /** The player. */
  player: string;
  /** `random`, `level 3` or `perfect`. */
  level: string;
  /** The longest time for a move, in seconds. */
  seconds: number | null;
}

/** One part of an answer, in the order in which the parts are shown. */
export type Part =
  /** A line of text that a client adds for its user. The engine makes none: what it says is data. */
  | {
    kind: "line";
  } & Line
  /** Something that happened or is worth knowing. */
  | {
    kind: "notice";
  } & Notice
  /** A setting of the session, and its value now. */
  | {
    kind: "setting";
  } & Setting
  /** The command or entry failed, or a part of it did. Nothing was changed. */
  | {
    kind: "error";
    /** What is wrong. */
    message: string;
    /** What to do about it. */
    advice: Advice[];
  }
  /** The heading of a section of a report. */
  | {
    kind: "heading";
    /** The heading. */
    text: string;
    /** Whether it is at the start of the report. */
    is_first: boolean;
  }
  /** A line that was entered on the user's behalf. */
  | {
    kind: "echo";
    /** The line. */
    input: string;
  }
  /** The value of an expression. */
  | {
    kind: "value";
    /** The value, in the language's notation. */
    text: string;
    /** The value, as JSON. */
    data: unknown;
  }
  /** A move of the computer. */
  | {
    kind: "opponent_move";
  } & OpponentMove
  /** Where the program stopped. */
  | {
    kind: "stop";
  } & Stop
  /** Lines of the program. */
  | {
    kind: "source";
    /** The lines. */
    lines: SourceLine[];
    /** Whether long lines are cut. */
    is_cut: boolean;
  }
  /** The whole program. */
  | {
    kind: "program";
  } & ProgramListing
  /** The call stack, or a part of it. */
  | {
    kind: "frames";
  } & CallStack
  /** Variables and their values. */
  | {
    kind: "variables";
    /** The variables, locals first. */
    variables: Variable[];
  }
  /** All breakpoints, watchpoints and logpoints. */
  | {
    kind: "breakpoints";
    /** In ascending order of their numbers. */
    breakpoints: BreakpointInfo[];
  }
  /** A breakpoint that has just been set. */
  | {
    kind: "new_breakpoint";
  } & NewBreakpoint
  /** A breakpoint that moved, became pending or became active, because the program has changed. */
  | {
    kind: "rebound_breakpoint";
  } & ReboundBreakpoint
  /** Breakpoints, watchpoints and logpoints that were deleted. */
  | {
    kind: "deleted_breakpoints";
    /** In ascending order of their numbers. */
    breakpoints: BreakpointInfo[];
  }
  /** Declared properties. */
  | {
    kind: "properties";
    /** In ascending order of their numbers. */
    properties: PropertyInfo[];
  }
  /** A property that has just been declared. */
  | {
    kind: "new_property";
  } & PropertyInfo
  /** Everything that the program defines. */
  | {
    kind: "definitions";
    /** The definitions. */
    definitions: DefinitionInfo[];
  }
  /** Where names are defined and used. */
  | {
    kind: "uses";
    /** The name of the source that plain line numbers refer to; `null` if the program was typed. */
    main_source: string | null;
    /** The names; several if different things have the same name. */
    names: NameUses[];
  }
  /** The compiled code of a function. */
  | {
    kind: "listing";
  } & CompiledFunction
  /** What a name or an expression is. */
  | {
    kind: "description";
  } & Description
  /** The random draws of the game. */
  | {
    kind: "draws";
  } & Draws
  /** What is on a cell. */
  | {
    kind: "cell";
  } & CellInfo
  /** The pieces of the game. */
  | {
    kind: "pieces";
  } & Pieces
  /** The board, or a part of it. */
  | {
    kind: "board";
  } & ShownBoard
  /** The whole game, for `:state`. */
  | {
    kind: "state";
  } & GameStateFields
  /** What differs between two times. */
  | {
    kind: "diff";
  } & Diff
  /** The history, and the current position in it. */
  | {
    kind: "timeline";
    /** What the command asks for. */
    subject: TimelineSubject;
    /** The current time. */
    position: number;
    /** The earliest time that can be reached. */
    first: number;
    /** The latest time that can be reached. */
    last: number;
    /** Whether the program is stopped inside the current entry, as opposed to after it. */
    is_stopped: boolean;
    /** The number of the last action of the game; 0 before the first one. */
    action: number;
    /** How many of the entries are the start of the session, which nobody typed. */
    start_entries: number;
    /** All entries, oldest first. */
    entries: TimelineEntry[];
    /** Alternative histories. */
    branches: TimelineBranch[];
    /** The times named with `:mark`. */
    marks: Mark[];
  }
  /** The position that was reached, between two entries. */
  | {
    kind: "position";
    /** The entry before it; empty at the start of the session. */
    entry: string;
    /** The time. */
    time: number;
  }
  /** The history before a time was dropped to save memory, so that the answer covers only what came after. */
  | {
    kind: "known_since";
    /** The earliest time that is known. */
    time: number;
  }
  /** The change that the next instruction makes, where `:last` has found it. */
  | {
    kind: "next_change";
  } & NextChange
  /** Entries that were undone, the last one first. */
  | {
    kind: "undone";
    /** Their texts. */
    entries: string[];
  }
  /** Entries that were redone, in the order in which they were typed. */
  | {
    kind: "redone";
    /** Their texts. */
    entries: string[];
  }
  /** A dry run has ended and was rolled back. */
  | {
    kind: "dry_run_finished";
    /** What it would have changed. */
    changes: Change[];
    /** Whether entries typed during it were rolled back as well. */
    discards_entries: boolean;
  }
  /** The value of an expression that `:display` shows. */
  | {
    kind: "display";
    /** Its number in the list of displays. */
    number: number | null;
    /** The expression and its value. */
    display: Display;
  }
  /** The iterations of loops. */
  | {
    kind: "loop_tables";
  } & LoopTables
  /** The evaluation of a statement. */
  | {
    kind: "evaluation";
  } & Evaluation
  /** An expression with the values of its parts (`:explain`). */
  | {
    kind: "explained_expression";
  } & ExplainedExpression
  /** The message of a logpoint that was passed. */
  | {
    kind: "log";
    /** The number of the logpoint. */
    id: number;
    /** Its message, with values. */
    text: string;
  }
  /** A breakpoint stopped because its condition could not be evaluated. */
  | {
    kind: "condition_error";
    /** The number of the breakpoint. */
    id: number;
    /** Whether it is a watchpoint. */
    is_watchpoint: boolean;
    /** What is wrong. */
    message: string;
  }
  /** A line of the live trace (`:trace`). */
  | {
    kind: "trace";
    /** The depth of the call. */
    depth: number;
    /** The call or event. */
    text: string;
  }
  /** Lines of the live trace that are left out, because there are too many. */
  | {
    kind: "trace_omitted";
    /** How many. */
    count: number;
  }
  /** What the rules of play logged. */
  | {
    kind: "info";
    /** The lines, oldest first. */
    lines: string[];
  }
  /** The run left a future behind, which is kept as a branch. */
  | {
    kind: "forked";
    /** The number of the branch. */
    branch: number;
    /** Whether the branch holds what the user has undone. */
    is_after_undo: boolean;
    /** Whether the branch is a line of moves that a search has found, or the rest of one. */
    is_found_line: boolean;
  }
  /** A run in the past had no effect, so that the future is kept. */
  | {
    kind: "future_kept";
    /** Whether the future is what the user has undone. */
    is_after_undo: boolean;
  }
  /** An entry that stopped on its way has ended. */
  | {
    kind: "finished";
    /** The entry; empty for the start of the game. */
    entry: string;
    /** When it ended. */
    time: number;
  }
  /** The entry ran, but changed nothing and has nothing else to show. */
  | {
    kind: "no_effect";
    /** Why, if it was a click. */
    click: ClickedCell | null;
  }
  /** A dry run has started. All it does will be rolled back. */
  | {
    kind: "dry_run_started";
  }
  /** The result of a function that has returned (`finish`). */
  | {
    kind: "returned";
  } & Returned
  /** The answer to `:why`. */
  | {
    kind: "explanation";
  } & Explanation
  /** What the program printed, for `:why output`. */
  | {
    kind: "outputs";
    /** The outputs, oldest first. */
    outputs: PrintedOutput[];
  }
  /** Help. */
  | {
    kind: "help";
  } & HelpTopic
  /** What an error code means. */
  | {
    kind: "error_help";
  } & ErrorHelp
  /** The current step of the guided tour. */
  | {
    kind: "tour";
  } & TourProgress
  /** The next step of a lesson. */
  | {
    kind: "lesson";
  } & LessonProgress
  /** A hint for an exercise, or its solution. */
  | {
    kind: "exercise_help";
  } & ExerciseHelp
  /** Whether the answer to an exercise passes its checks. */
  | {
    kind: "exercise_report";
  } & ExerciseReport
  /** The lessons of the built-in course. */
  | {
    kind: "lesson_list";
  } & LessonList
  /** A question about an entry or a step that has not run. */
  | {
    kind: "prediction";
  } & PredictionQuestion
  /** A question that was answered or skipped. */
  | {
    kind: "prediction_result";
  } & PredictionResult
  /** Whether questions are asked, and how many were answered. */
  | {
    kind: "prediction_score";
  } & PredictionScore
  /** A file was written. */
  | {
    kind: "saved_file";
  } & SavedFile
  /** A session file was opened. */
  | {
    kind: "opened_session";
  } & OpenedSession
  /** A session file was replayed and compared. */
  | {
    kind: "test_result";
  } & TestResult
  /** The program was read again. */
  | {
    kind: "reloaded";
  } & Reloaded
  /** Lines that were typed in this session. */
  | {
    kind: "history_list";
  } & HistoryList
  /** The built-in games. */
  | {
    kind: "examples";
  } & ExampleList
  /** Sessions that can be restored. */
  | {
    kind: "resumable_sessions";
  } & ResumableSessions
  /** Why something is not true, or did not happen. */
  | {
    kind: "why_not";
  } & WhyNot
  /** How often the lines of the program ran. */
  | {
    kind: "coverage";
  } & CoverageReport
  /** Saved sessions, replayed on the rules as they are now. */
  | {
    kind: "rejudged";
    /** In the order of their files. */
    sessions: RejudgedSession[];
  }
  /** The moves that are possible now. */
  | {
    kind: "moves";
  } & MoveList
  /** What a search has found. */
  | {
    kind: "find";
  } & FindResult
  /** Perfect play. */
  | {
    kind: "solve";
  } & SolveResult
  /** One best move. */
  | {
    kind: "hint";
  } & Hint
  /** How games end. */
  | {
    kind: "stats";
  } & StatsResult
  /** Whether moves lead to an ending, after `:why not`. */
  | {
    kind: "reachability";
  } & Reachability
  /** What comes of other start values. */
  | {
    kind: "vary";
  } & VaryResult
  /** What a search has found out about the rules. */
  | {
    kind: "check";
  } & CheckResult;

/** A kind of piece. */
export interface PieceInfo {
  /** Its name. */
  name: string;
  /** The character that it is drawn with, or a text of up to six characters. */
  glyph: string;
  /** Selects its color. */
  color: number;
  /** How many of them are on the board. */
  count: number;
  /** Their cells, if the board is drawn from variables. */
  cells: string[];
  /** Whether it is hidden from the players at first. */
  starts_hidden: boolean;
  /** The events that it handles. */
  handlers: string[];
}

/** A piece on a cell. */
export interface PieceOnCell {
  /** The name that is drawn. */
  name: string;
  /** The variable that holds the piece, if it has another name. */
  variable: string | null;
}

/** The pieces of the game. */
export interface Pieces {
  /** The kinds in the order of their definitions, or of their first cells. */
  pieces: PieceInfo[];
  /** Whether the board is drawn from variables, so that only pieces on it are known. */
  is_derived: boolean;
}

/** A replay has led to another place. */
export interface PlaceChange {
  /** Where the program was. */
  before: ReloadPlace;
  /** Where it is now. */
  now: ReloadPlace;
}

/** A line that plays. */
export interface PlayLine {
  /** The line. */
  line: string;
  /** Whether it plays the whole game, with questions to the players; otherwise one turn. */
  is_whole_game: boolean;
}

/** Something that the player can do. */
export interface PossibleMove {
  /** What to type. */
  entry: string;
  /** Whose move it is. */
  player: string | null;
  /** What it changes. */
  changes: Change[];
  /** Whether it leads to another position. */
  effect: boolean;
  /** The error with which it fails. */
  error?: string;
  /** Why it has no effect, as far as the game says. */
  reason?: string;
  /** What it does depends on a random number. */
  random?: boolean;
  /** How the game ends with it. */
  ends?: string;
  /** The first move that leads to the same position. */
  same_as?: string;
}

/** A possible answer. */
export interface PredictionChoice {
  /** What to type. */
  answer: string;
  /** What it means; empty if that is the same. */
  text: string;
}

/** What a question is about. */
export type PredictionKind = "value" | "cell" | "winner" | "error" | "line";

/** A question about an entry or a step that has not run. */
export interface PredictionQuestion {
  /** What it is about. */
  about: PredictionKind;
  /** The question. */
  text: string;
  /** The possible answers; empty if any text will do. */
  choices: PredictionChoice[];
}

/** A question that was answered or skipped. */
export interface PredictionResult {
  /** What the question was about. */
  about: PredictionKind;
  /** The question. */
  question: string;
  /** What became of it. */
  verdict: Verdict;
  /** The answer that was given; `null` if it was skipped. */
  answer: string | null;
  /** The right answer; `null` if it is not known yet. */
  right_answer: string | null;
  /** The step of the lesson, if it was asked in one. */
  step?: number;
}

/** Whether questions are asked, and how many were answered. */
export interface PredictionScore {
  /** Whether there is a question before every step. */
  is_on: boolean;
  /** Right answers. */
  right: number;
  /** Wrong answers. */
  wrong: number;
  /** Questions that were skipped. */
  skipped: number;
}

/** Something that the program printed. */
export interface PrintedOutput {
  /** Counted from 1. */
  number: number;
  /** What was printed; may contain line breaks. */
  text: string;
  /** When it was printed. */
  time: number;
}

/** A line of the program. */
export interface ProgramLine {
  /** Its number in the text that `:save` writes, from 1. */
  line: number;
  /** The text, with tabs expanded. */
  text: string;
  /** Where it was loaded from or typed; `null` if it is in no source. */
  origin: LineOrigin | null;
  /** Whether the statement that runs next starts in it. */
  is_next: boolean;
  /** The numbers of the breakpoints in it. */
  breakpoints: number[];
  /** How often it ran, while `:coverage` is on and it has code. */
  coverage?: LineCount;
}

/** The whole program as it is now. */
export interface ProgramListing {
  /** The name of the source that plain line numbers refer to; `null` if the program was typed. */
  main_source: string | null;
  /** How many definitions have changed since it was loaded or saved. */
  unsaved_count: number;
  /** The files of the preludes that it uses. */
  preludes?: string[];
  /** Its lines, as `:save` writes them. */
  lines: ProgramLine[];
}

/** A declared property. */
export interface PropertyInfo {
  /** Its number, counted with the breakpoints. */
  id: number;
  /** What it demands of its condition. */
  property: PropertyKind;
  /** The condition. */
  text: string;
  /** The function whose variables the condition uses; `null` if it uses none. */
  function?: string;
  /** Whether it is checked after every action. */
  is_enabled: boolean;
  /** The value of the condition now; `null` if it cannot be evaluated. */
  now: boolean | null;
  /** Why the condition cannot be evaluated now. */
  error?: string;
  /** After how many actions it has been violated. */
  violations: number;
  /** The last entry after which the condition was true, for `sometimes`. */
  satisfied_by?: string;
  /** What is known about it from the actions so far. */
  verdict: PropertyVerdict;
}

/** What a property demands of its condition. */
export type PropertyKind = "always" | "never" | "sometimes";

/** What is known about a property from the actions so far. */
export type PropertyVerdict = "holds" | "violated" | "satisfied" | "open";

/** A change of one cell, variable or field. */
export interface ProposedChange {
  /** What is changed. */
  target: ChangeTargetKind;
  /** The cell, in the language's notation, or the name of the variable or field. */
  name: string;
  /** The current value. */
  current: string;
  /** The new value. */
  new: string;
}

/** A line that only looks. */
export interface QueryRequest {
  /** The line. */
  text: string;
}

/** What the program asks at its input prompt. */
export interface Question {
  /** The prompt. */
  text: string;
  /** The type of the answer, as the language calls it; `null` if any text will do. */
  type: string | null;
  /** The boards in play besides the displayed one, as text. */
  other_boards?: string[];
}

export interface Range {
  start: number;
  end: number;
}

/** Whether moves lead to an ending from the current position. */
export type Reachability =
  /** They do. */
  | {
    verdict: "found";
    /** The goal, such as `win`. */
    goal: string;
    /** A shortest line of moves, which has been played to confirm it. */
    moves: LineMove[];
  }
  /** They do not. */
  | {
    verdict: "never";
    /** The goal. */
    goal: string;
    /** The number of positions that can be reached. */
    positions: number;
  }
  /** Not known: the search for an answer is short. */
  | {
    verdict: "unknown";
    /** The goal. */
    goal: string;
    /** The number of positions that were searched. */
    positions: number;
    /** What was assumed about answers, if all positions were searched with these. */
    assumed?: string[];
  };

/** A breakpoint that was bound to a changed program. */
export type ReboundBreakpoint = {
  /** Its number. */
  id: number;
  /** The location as the user typed it. */
  location: string;
} & BindingChange;

/** How a saved session ends on the rules as they are now. */
export type RejudgeVerdict = "same" | "different" | "unplayable" | "undecided";

/** A saved session that was replayed on the rules as they are now. */
export interface RejudgedSession {
  /** The path of the session file. */
  file: string;
  /** What came of it. */
  verdict: RejudgeVerdict;
  /** How it ended. */
  was: string | null;
  /** How it ends now; if it is unplayable, what is wrong. */
  now: string | null;
  /** The first entry that leads elsewhere; `null` if there is none, or if the start already differs. */
  move: string | null;
  /** How many moves were played then, with this one; 0 if the start already differs. */
  number: number | null;
  /** The entry is not itself a move: it defines something, or is a command such as `:undo`. */
  is_between_moves: boolean;
  /** How many moves the session has. */
  moves: number;
}

/** Another location that matters. */
export interface Related {
  /** The name of the file or entry. */
  file?: string;
  /** The line of the first character. */
  line?: number;
  /** The column of the first character. */
  column?: number;
  /** The line after the last character. */
  end_line?: number;
  /** The column after the last character. */
  end_column?: number;
  label: string;
}

/** How a node of an explanation relates to what it explains. */
export type Relation = "statement" | "rules" | "rules_callee" | "enclosing" | "loop" | "caller" | "frame" | "expression" | "call" | "argument" | "local";

/** Where the program is: at a stop, at a question, or at the prompt. */
export interface ReloadPlace {
  /** The function in which it is stopped or waiting; `null` at the prompt. */
  function: string | null;
  /** The file or entry of the statement that runs next. */
  file: string | null;
  /** Its line. */
  line: number | null;
  /** Whether it is waiting for input. */
  is_waiting: boolean;
  /** Whether it is a dry run. */
  is_dry_run: boolean;
  /** Whether there are later entries. */
  is_in_past: boolean;
}

/** The program was read again, and the entries were replayed. */
export interface Reloaded {
  /** The file of the program. */
  path: string;
  /** How many entries there were. */
  entry_count: number;
  /** How many of them were replayed; fewer if the replay was interrupted. */
  replayed_count: number;
  /** Whether the replay was interrupted with Ctrl-C. */
  is_interrupted: boolean;
  /** The first reply that differs from the one before. */
  first_difference: NumberedDiff | null;
  /** Where the program was before and is now, if that is not the same place. */
  place?: PlaceChange;
}

/** Something noteworthy. */
export interface Remark {
  /** A code that stays the same between versions. */
  code: string;
  /** What kind of remark it is. */
  kind: RemarkKind;
  /** Where the code is that it is about. */
  where: SourceRange | null;
  /** What it is about: a condition, function, piece or player. */
  subject: string;
  /** The rest of the sentence: a reason, or how it happens. */
  detail: string;
  /** The whole sentence. */
  message: string;
  /** A shortest line of moves that shows it, which has been played to confirm it. Empty if there is none to show. */
  proof: string[];
}

/** The kinds of remarks, the most serious first. */
export type RemarkKind = "error" | "endless" | "dead_end" | "trap" | "never_ends" | "never_true" | "always_true" | "never_runs" | "never_used" | "one_sided" | "together";

/** The answer to `replay`. */
export interface ReplayAnswer {
  /** True, whether the replies are those of the file or not. */
  ok: boolean;
  /** How many replies differ from those of the file. */
  mismatch_count: number;
  /** The lines that were replayed. */
  entries: ReplayedLine[];
  /** The journal of the session, from its start. */
  journal: string;
}

/** A session to replay. */
export interface ReplayRequest {
  /** The text of the session file. */
  session: string;
  /** The program files that it refers to, by their names. */
  files?: Record<string, unknown>;
}

/** A line that was replayed. */
export interface ReplayedLine {
  /** The line. */
  input: string;
  /** The reply, as plain text. */
  reply: string[];
}

/** A reply that differs from the expected one. */
export interface ReplyDiff {
  /** The entry. */
  input: string;
  /** The lines of both replies. */
  lines: DiffLine[];
}

/** A request of a client. */
export type Request =
  /** Opens a session, with an empty game if there is no program. */
  | {
    request: "open";
  } & OpenRequest
  /** Runs an entry, a command, or the answer to the program's question. */
  | {
    request: "line";
  } & LineRequest
  /** Continues the line that runs in slices. */
  | {
    request: "continue";
  } & ContinueRequest
  /** Stops the line that runs in slices. */
  | {
    request: "interrupt";
  }
  /** Does what Enter alone does at a prompt: the next step of a lesson, or the last step again. */
  | {
    request: "enter";
  } & ContinueRequest
  /** Executes a line that only looks, without a trace. */
  | {
    request: "query";
  } & QueryRequest
  /** Shows the session. Recorded nowhere. */
  | {
    request: "view";
  } & ViewRequest
  /** Visits another time, and shows the session there. Recorded nowhere. */
  | {
    request: "go";
  } & GoRequest
  /** Asks what a click on a cell types. */
  | {
    request: "cell";
  } & CellRequest
  /** Lists the languages, the built-in games and the lessons. Needs no session. */
  | {
    request: "catalog";
  }
  /** Completes a line. */
  | {
    request: "complete";
  } & CompleteRequest
  /** Splits a text into tokens. Needs no session if it names a language. */
  | {
    request: "highlight";
  } & HighlightRequest
  /** Compiles a program without running it. Needs no session. */
  | {
    request: "analyze";
  } & AnalyzeRequest
  /** Replays a session file, compares the replies, and continues it. */
  | {
    request: "replay";
  } & ReplayRequest
  /** Restores a session from its journal or from what `session` answers, and continues it. */
  | {
    request: "restore";
  } & RestoreRequest
  /** Asks for everything that is needed to restore the session. */
  | {
    request: "session";
  }
  /** Sets, reads and lists files. */
  | {
    request: "files";
  } & FilesRequest
  /** Asks for the score of the lesson. */
  | {
    request: "score";
  }
  /** Asks which file the command line of `gridbug serve` names. */
  | {
    request: "served";
  }
  /** Asks for a picture beside the file that is served. */
  | {
    request: "image";
  } & ImageRequest;

/** The answer to `restore`. */
export interface RestoreAnswer {
  /** True. */
  ok: boolean;
  /** The name of the language. */
  language: string;
  /** The name of the program's source; `null` if it was typed. */
  name: string | null;
  /** Everything typed, with the replies. */
  entries: ReplayedLine[];
  /** The first lines of an entry that was not finished. */
  draft?: string;
  /** The first line of each part that was damaged and could not be restored. */
  lost: string[];
  /** The journal of the restored session, from its start. */
  journal: string;
}

/** A session to restore. */
export interface RestoreRequest {
  /** The text of the journal, or of a session file. */
  session: string;
  /** The time to visit then. */
  time?: Time;
}

/** What the name of a `GameResult` is. */
export type ResultKind = "winner" | "shared_win" | "loser" | "other";

/** A session that can be restored. */
export interface ResumableSession {
  /** The number that `:resume` accepts. */
  number: number;
  /** The name of the program's file, or the language if there is none. */
  name: string;
  /** The language. */
  language: string;
  /** Whether it ended normally; false if it was killed or has crashed. */
  has_ended: boolean;
  /** How many entries it has. */
  entry_count: number;
  /** The time since its last entry. */
  age_minutes: number;
}

/** Earlier sessions that can be restored. */
export interface ResumableSessions {
  /** The newest first. */
  sessions: ResumableSession[];
}

/** The result of a function. */
export interface Returned {
  /** The function. */
  function: string;
  /** Its result, in the language's notation. */
  value: string;
}

/** How a run ended. */
export type RunEnd =
  /** It returned. */
  | "finished"
  /** It ended in an error. */
  | {
    failed: RunError;
  }
  /** It asked for input or took too long. */
  | "unfinished";

/** An error that ended a run. */
export interface RunError {
  /** What happened. */
  message: string;
  /** Where. */
  range: SourceRange | null;
}

/** The answer to a line that runs in slices and has not ended. */
export interface RunningAnswer {
  /** True. */
  ok: boolean;
  /** True. */
  running: boolean;
  /** The time that the run has reached. */
  time: number;
  /** Instructions executed since the line began. */
  instructions: number;
  /** The last lines that the program has printed since the last slice. */
  output: string[];
  /** How many lines before them are left out. The last answer has all of them. */
  output_omitted?: number;
}

/** A file that was written. */
export type SavedFile = {
  /** Its path. */
  path: string;
  /** How many entries it contains. */
  entry_count: number;
  /** How many lines `--clean` left out. */
  left_out_count?: number;
  /** Whether replaying it leads to the current state of the game. */
  is_exact: boolean;
} & FileType;

/** The answer to `score`. */
export interface ScoreAnswer {
  /** True. */
  ok: boolean;
  /** The questions of the lesson with the answers, and how the exercises went. */
  score: unknown;
}

/** Why a search ended before all positions were found. */
export type SearchStop = "time" | "memory" | "within" | "interrupt";

/** The answer to `served`. */
export interface ServedAnswer {
  /** True. */
  ok: boolean;
  /** The file that the command line names; `null` if it names none. */
  file: ServedFile | null;
}

/** A file that the command line of `gridbug serve` names. */
export interface ServedFile {
  /** Its path. */
  path: string;
  /** Its name without folders. */
  name: string;
  /** The name of the language; `null` for a session file, which names it itself. */
  language: string | null;
  /** Whether it is a session file. */
  is_session: boolean;
}

/** The answer to `session`. */
export interface SessionAnswer {
  /** True. */
  ok: boolean;
  /** The session as a session file without replies. */
  session: string;
  /** The current time. */
  time: number;
  /** Whether this time is only visited. */
  is_away: boolean;
}

/** A setting of the session, and its value now. */
export type Setting =
  /** Whether calls and events are shown as they happen. */
  | {
    name: "trace";
    value: boolean;
  }
  /** Whether steps go through the rules of the game. */
  | {
    name: "rules";
    value: boolean;
  }
  /** Whether counts are shown beside the lines. */
  | {
    name: "coverage";
    value: boolean;
  }
  /** Whether errors stop the program. */
  | {
    name: "stop_on_errors";
    value: boolean;
  }
  /** Whether there are questions before each step. */
  | {
    name: "predict";
    value: boolean;
  }
  /** Functions and handlers that steps skip. */
  | {
    name: "skip";
    value: string[];
  }
  /** Expressions that are displayed at every stop. */
  | {
    name: "display";
    value: string[];
  }
  /** How often a breakpoint is ignored. */
  | {
    name: "ignore";
    value: {
      /** The number of the breakpoint. */
      breakpoint: number;
      /** How many more times. */
      count: number;
    };
  }
  /** How a kind of piece is drawn. */
  | {
    name: "glyph";
    value: {
      /** The kind. */
      piece: string;
      /** The character. */
      glyph: string;
    };
  }
  /** The seed of the random numbers. */
  | {
    name: "seed";
    value: {
      /** The seed. */
      seed: number;
      /** It has just been set, and the random numbers restart from it. */
      is_new: boolean;
    };
  }
  /** The next random draws; random if there are none. */
  | {
    name: "scripted_draws";
    value: string[];
  }
  /** The file to which the session is saved when it ends. */
  | {
    name: "record";
    value: {
      /** Its path; `null` if the session is not saved. */
      path: string | null;
      /** It has just been set. */
      is_new: boolean;
    };
  }
  /** The players whom the computer plays. */
  | {
    name: "opponent";
    value: OpponentSetting[];
  };

/** The part of an expression that decided its value, so that the rest was not evaluated. */
export interface ShortCircuit {
  /** What was evaluated: `false AND`, or all of the expression if it has no operator. */
  evaluated: Substitution;
  /** Whether it ends with an operator, whose right side was not evaluated. */
  has_operator: boolean;
}

/** The board, or a part of it, as an answer shows it. */
export type ShownBoard = BoardProperties & {
  current: [number, number] | null;
  changed: ([number, number])[];
  shows_hidden: boolean;
};

/** The answer to `:solve`. */
export interface SolveResult {
  /** Each move is shown with its value. */
  lists_moves: boolean;
  /** The value for the player who moves. */
  value: GameValue;
  /** That player. */
  for: string | null;
  /** Moves to the end, if it is forced. */
  distance: number | null;
  /** Whether all positions were searched. */
  exact: boolean;
  /** Best play of both sides. */
  line: string[];
  /** The moves, best first. */
  moves: MoveValue[];
  /** Positions found. */
  positions: number;
  /** Actions run. */
  actions: number;
  /** The number of moves up to which all positions were found. */
  depth: number;
  /** Whether all positions were found. */
  complete: boolean;
  /** Why not. */
  stopped_by: SearchStop | null;
  /** Variables that were left out of the positions: they cannot matter, or the user said so. */
  ignored: string[];
  /** What was assumed. */
  assumed: string[];
  /** The answers to questions are guessed: there are others, which the user did not rule out. */
  guessed: boolean;
  /** The variable that keeps the search from ending, if it did not. */
  growing?: GrowingVariable;
  /** The game has ended, so there is nothing to solve. */
  is_over: boolean;
  /** The number of players who have names. */
  players: number;
  /** The value depends on chance, and it is not known which move is best. */
  has_no_best: boolean;
  /** A remark, such as that a shared win counts as a draw. */
  note?: string;
}

/** A line of source text. */
export interface SourceLine {
  /** Counted from 1. */
  line: number;
  /** The text, with tabs expanded. */
  text: string;
  /** Whether the statement that runs next starts in it. */
  is_next: boolean;
  /** The columns of that statement, counted from 0, if the line has other statements too. */
  columns: Range | null;
  /** How often it ran, while `:coverage` is on and it has code. */
  coverage?: LineCount;
}

/** A range of a source text. Lines and columns are counted from 1; the end is exclusive. */
export interface SourceRange {
  /** The name of the file or entry. */
  file: string;
  /** The line of the first character. */
  line: number;
  /** The column of the first character. */
  column: number;
  /** The line after the last character. */
  end_line: number;
  /** The column after the last character. */
  end_column: number;
}

/** An entry of a call stack. */
export type StackEntry =
  /** A single frame. */
  | {
    entry: "frame";
  } & Frame
  /** Frames that repeat the ones before, as recursion leaves them. */
  | {
    entry: "repeated";
    /** Their numbers. */
    frames: Range;
  };

/** What a statement did. */
export interface StatementEffect {
  /** The number that the next step would have. */
  number: number;
  /** The statement with all values. */
  substituted: Substitution;
  /** The result of the function, if the statement has returned from it. */
  returned: Returned | null;
  /** The local variables that it changed. */
  variables: VariableChange[];
  /** What it changed in the game. */
  changes: Change[];
}

/** The answer to `:stats`. */
export interface StatsResult {
  /** Whether the numbers are exact: all games, every move equally likely. */
  exact: boolean;
  /** The number of games. */
  games: number;
  /** The seed of random games. */
  seed: number;
  /** How games end. */
  results: Record<string, GameResult>;
  /** How much more often the first of two players wins than the second, as a share. A player who loses counts as a win of the other. */
  advantage?: number;
  /** Moves of a game that has ended. */
  length: GameLength;
  /** Moves to choose from. */
  choices: Choices;
  /** Positions, or random games, in which no move is possible although the game has not ended. */
  dead_ends: number;
  /** Random games that were given up because they did not end. */
  unfinished: number;
  /** Why fewer random games were played than asked for. */
  cut_short: SearchStop | null;
  /** The moves of the random game that was not played to its end because of that. */
  open_game_moves: number;
  /** Whether positions were searched before random games were played. */
  has_searched: boolean;
  /** Positions found. */
  positions: number;
  /** Actions run. */
  actions: number;
  /** The number of moves up to which all positions were found. */
  depth: number;
  /** Whether all positions were found. */
  complete: boolean;
  /** Why not. */
  stopped_by: SearchStop | null;
  /** Variables that were left out of the positions: they cannot matter, or the user said so. */
  ignored: string[];
  /** What was assumed. */
  assumed: string[];
  /** The answers to questions are guessed: there are others, which the user did not rule out. */
  guessed: boolean;
  /** The variable that keeps the search from ending, if it did not. */
  growing?: GrowingVariable;
}

/** Where and why the program stopped. */
export interface Stop {
  /** Why it stopped. */
  reason: StopReason;
  /** More about the reason, such as `end of turn`; empty if there is nothing to say. */
  message?: string;
  /** All breakpoints and watchpoints that were hit. */
  hits: Hit[];
  /** The function or handler, such as `zero.onClick`. */
  where: string;
  /** Where that is, for people: `free.onClick at [1][1], line 8`, or `entry 5` in an entry. */
  location: string;
  /** The name of the file or entry. */
  file: string;
  /** The line of the first character. */
  line: number;
  /** The column of the first character. */
  column: number;
  /** The line after the last character. */
  end_line: number;
  /** The column after the last character. */
  end_column: number;
  /** Instructions executed so far. */
  time: number;
  /** Number of frames on the call stack. */
  depth: number;
  /** The selected frame, counted from the innermost, which is 0. */
  frame: number;
  /** The cell of the piece whose handler is running, in the language's notation. */
  cell: string | null;
  /** The iteration of the innermost loop. */
  iteration: number | null;
  /** The action that is running. */
  action: ActionInfo;
  /** The variables of the selected frame. */
  variables: Variable[];
  /** What the changes are compared with; `null` if there is nothing to compare with. */
  since: ChangesSince | null;
  /** What has changed in the game. */
  changes: Change[];
  /** The values of the expressions that `:display` shows. */
  displays: Display[];
  /** The statement that has just ended, if the next one has not been reached yet, as after a watchpoint. */
  finished?: Excerpt;
  /** The source lines around the statement. */
  source: SourceLine[];
}

/** Why the program stopped. */
export type StopReason = "breakpoint" | "step" | "watch" | "event" | "property" | "error" | "interrupt";

/** What an explanation is about. */
export type Subject =
  /** The last change of a variable or cell. */
  | {
    type: "change";
    /** The variable or cell. */
    name: string;
    /** Its value before; `null` if it had none. */
    old: string | null;
    /** Its value since then. */
    new: string;
  }
  /** A variable or cell that has not changed. */
  | {
    type: "unchanged";
    /** The variable or cell. */
    name: string;
    /** Since when; `null` for the start of the session. The history before was dropped. */
    since: number | null;
  }
  /** A local variable. */
  | {
    type: "local";
    /** Its name. */
    name: string;
    /** Its value. */
    value: string;
  }
  /** An expression that was evaluated to explain it. */
  | {
    type: "expression";
    /** The expression. */
    expression: Excerpt;
    /** Its value; `null` if the evaluation failed. */
    value: string | null;
  }
  /** Something that the program printed. */
  | {
    type: "output";
    /** Counted from 1. */
    number: number;
    /** What was printed. */
    text: string;
  }
  /** The end of the game. */
  | {
    type: "game_over";
    /** The status of the game, such as `won`. */
    status: string;
    /** Who has won. */
    winner: string | null;
  };

/** Source text on one line, with the known values substituted. Serialized as its text and the columns of the marked part. */
export interface Substitution {
  text: string;
  start: number;
  end: number;
}

/** A text that replaces a range. */
export interface SuggestedEdit {
  /** The name of the file or entry. */
  file?: string;
  /** The line of the first character. */
  line?: number;
  /** The column of the first character. */
  column?: number;
  /** The line after the last character. */
  end_line?: number;
  /** The column after the last character. */
  end_column?: number;
  text: string;
}

/** The result of replaying a session file and comparing the replies. */
export interface TestResult {
  /** The path of the session file. */
  path: string;
  /** How many entries it has. The loading of its program is compared as well. */
  entry_count: number;
  /** The replies that differ. */
  mismatches: ReplyDiff[];
  /** Exercises whose solution fails, or that are solved without it. */
  problems: string[];
}

/** A test in code that was run. */
export interface TestRun {
  /** Where it is. */
  range: SourceRange;
  /** The test. */
  text: string;
  /** How often it was evaluated. */
  count: number;
  /** How often it was false. */
  false_count: number;
  /** The cells for which it was false. */
  cells: FalseCells;
  /** The variables that it reads without naming them. */
  variables: NamedValue[];
  /** Its largest part that is not a test. */
  operand: OperandValues | null;
}

/** A test and how often it was false. */
export interface TestSummary {
  /** The test. */
  text: string;
  /** How often it was evaluated. */
  count: number;
  /** How often it was false. */
  false_count: number;
}

/** A token, or the part of it on one line. */
export interface TextToken {
  /** The column of its first character, counted from 1. */
  column: number;
  /** The column after its last character. */
  end_column: number;
  /** What it is: `keyword`, `builtin`, `name`, `number`, `string`, `comment`, `operator`, `bracket`, or `invalid`. */
  class: string;
}

/** A time. */
export type Time =
  /** Instructions executed since the session started. */
  | number
  /** As `:goto` accepts it: `end`, `event 3`, `turn 2`, a mark. */
  | string;

/** The history, and the current position in it. */
export interface Timeline {
  /** The current time. */
  position: number;
  /** The earliest time that can be reached. */
  first: number;
  /** The latest time that can be reached. */
  last: number;
  /** Whether the program is stopped inside the current entry, as opposed to after it. */
  is_stopped: boolean;
  /** The number of the last action of the game; 0 before the first one. */
  action: number;
  /** How many of the entries are the start of the session, which nobody typed. */
  start_entries: number;
  /** All entries, oldest first. */
  entries: TimelineEntry[];
  /** Alternative histories. */
  branches: TimelineBranch[];
  /** The times named with `:mark`. */
  marks: Mark[];
}

/** An alternative history. */
export interface TimelineBranch {
  /** The number by which commands refer to it. */
  number: number;
  /** The number of entries that it shares with the current history. */
  shared_entries: number;
  /** The time at which its first own entry starts. */
  fork_time: number;
  /** Its own entries. */
  entries: TimelineEntry[];
}

/** An entry of the history. */
export interface TimelineEntry {
  /** Its index, counted from 0; in a branch, from its first own entry. */
  index: number;
  /** The text as typed; empty for the start of the session. */
  text: string;
  /** The time at which it started. */
  start: number;
  /** The time at which it ended, or the latest time reached. */
  end: number;
  /** Whether it changed anything but the time. */
  has_effect: boolean;
  /** How it started. */
  action: EntryAction;
  /** Whether it is the one that is running, or the last one that ended. */
  is_current: boolean;
  /** Whether it comes after the current position, as entries that were undone do. */
  is_ahead: boolean;
}

/** The part of a timeline that a command asks for. */
export type TimelineSubject = "position" | "branches" | "marks";

/** The current step of the guided tour. */
export interface TourProgress {
  /** The number of the step, from 1. */
  number: number;
  /** How many steps there are. */
  count: number;
  /** The step; `null` if the tour is over. */
  step: TourText | null;
}

/** A step of the guided tour. */
export interface TourText {
  /** What it shows. */
  text: string;
  /** The line to type. */
  input: string;
}

/** A class of changes, and how many candidates it has. */
export interface TriedChanges {
  /** The class. */
  class: ChangeClass;
  /** The number of candidates. */
  candidates: number;
  /** How many of them were tried; fewer if that took too long. */
  tried: number;
}

/** What became of statements that were typed at the prompt, in a language whose programs consist of statements. */
export type TypedStatements =
  /** There are none. */
  | "none"
  /** The program was typed from nothing, so this many of them are part of it. */
  | {
    added: number;
  }
  /** The program has a file; this many of them only continued its game. */
  | {
    left_out: number;
  };

/** A statement that would set a flag, in a function that has not run. */
export interface UnexecutedWrite {
  /** Where it is. */
  range: SourceRange;
  /** The statement. */
  statement: string;
  /** The name of its function. */
  function: string;
  /** The variables that it reads. */
  variables: NamedValue[];
}

/** A name that is compared with the names of pieces, but that no piece has. */
export interface UnknownPiece {
  /** The name. */
  name: string;
  /** The most similar name of a piece. */
  suggestion: string | null;
}

/** A branch that is not taken. */
export interface UntakenBranch {
  /** Where the test is. */
  range: SourceRange | null;
  /** The test that is false. */
  test: string;
  /** A part of the test, with its value. */
  part: NamedValue | null;
}

/** A function or handler that never ran. */
export interface UnusedFunction {
  /** Its name, such as `ghost.onClick`. */
  name: string;
  /** The name of its source. */
  file: string;
  /** The line of its first statement. */
  line: number;
}

/** A value and how often it occurred. */
export interface ValueCount {
  /** The value, in the language's notation. */
  value: string;
  /** How often it occurred. */
  count: number;
}

/** A variable and its value. */
export interface Variable {
  /** Its name. */
  name: string;
  /** The type of its value, in the language's words. */
  type: string;
  /** Its value, in the language's notation. */
  value: string;
  /** Whether it has changed since the last stop. */
  changed: boolean;
  /** Where it is visible. */
  scope: VariableScope;
}

/** A change of a local variable. */
export interface VariableChange {
  /** The variable. */
  name: string;
  /** Its value before. */
  old: string;
  /** Its value now. */
  new: string;
}

/** Where a variable is visible. */
export type VariableScope = "local" | "global";

/** A variable with its value as JSON. */
export interface VariableWithData {
  /** Its name. */
  name: string;
  /** The type of its value, in the language's words. */
  type: string;
  /** Its value, in the language's notation. */
  value: string;
  /** Whether it has changed since the last stop. */
  changed: boolean;
  /** Where it is visible. */
  scope: VariableScope;
  /** Its value. */
  data: unknown;
}

/** What came of a start value. */
export interface VariedRun {
  /** The start value. */
  start: number;
  /** Whether the condition was true at the end; `null` if it is not true or false, or there was an error. */
  holds: boolean | null;
  /** Its value. */
  value: string | null;
  /** The error that ended the run. */
  error?: string;
}

/** The answer to `:vary`. */
export interface VaryResult {
  /** The variable. */
  variable: string;
  /** The condition. */
  condition: string;
  /** What came of each start value. */
  runs: VariedRun[];
  /** Why there are fewer runs than start values, if there are. */
  stopped_by: SearchStop | null;
}

/** What became of a question. */
export type Verdict = "right" | "wrong" | "skipped" | "undecided";

/** The answer to `view`. Only the parts that were asked for are there; one that does not exist now is `null`. */
export interface ViewAnswer {
  /** True. */
  ok: boolean;
  /** The version of the protocol. */
  protocol: number;
  /** The current time. */
  time: number;
  /** Whether this time is only visited: the next line records the way there. */
  is_away: boolean;
  /** Another number whenever the program may be another one. */
  program_version: number;
  /** How the game and the session are. */
  status?: ViewStatus;
  /** The program's question. */
  question?: OpenQuestion | null;
  /** The question of a prediction. */
  prediction?: OpenPrediction | null;
  /** The board. */
  board?: BoardWindow | null;
  /** Where the program is stopped. Why and what has changed is only in the answer of the line that stopped. */
  stop?: Stop | null;
  /** The call stack, if the program is stopped or waits for input. */
  frames?: CallStack | null;
  /** The variables in scope, locals first. */
  variables?: VariableWithData[];
  /** In ascending order of their numbers. */
  breakpoints?: BreakpointInfo[];
  /** The history, and the current position in it. */
  timeline?: Timeline;
  /** The kinds of pieces, with their numbers on the board. */
  pieces?: Pieces | null;
  /** The lesson and its next step. */
  lesson?: OpenLesson | null;
  /** The program as it is now. */
  program?: ProgramListing;
}

/** A part of a view. */
export type ViewPart = "status" | "question" | "prediction" | "board" | "stop" | "frames" | "variables" | "breakpoints" | "timeline" | "pieces" | "lesson" | "program";

/** What a client wants to see. */
export interface ViewRequest {
  /** The parts; all of them if there is no list. */
  parts?: ViewPart[];
  /** The part of the board; all of it if there is none. */
  board?: WindowRequest;
  /** Shows the session as it was at this time, and returns. A number, or a text that `:goto` accepts. */
  time?: Time;
}

/** How the game and the session are. */
export interface ViewStatus {
  /** The name of the language. */
  language: string;
  /** The language as shown to users. */
  language_title: string;
  /** Whether and how the game has ended: `playing`, `won`, `lost`, `draw` or `over`. */
  status: string;
  /** The ending in the game's own words. */
  ending: string | null;
  /** Who has won. */
  winner: string | null;
  /** The player whose turn it is. */
  turn: string | null;
  /** How many turns have ended. */
  turn_count: number | null;
  /** The players, in turn order. */
  players: string[];
  /** The lines above the board. */
  header: (string | null)[];
  /** The lines below the board. */
  footer: string[];
  /** The game's message line. */
  display: string | null;
  /** Whether the program is stopped inside an entry. */
  is_stopped: boolean;
  /** Whether the program waits for input. */
  is_waiting: boolean;
  /** Whether there are later times in the history. */
  is_in_past: boolean;
  /** Whether what runs is rolled back at its end. */
  is_dry_run: boolean;
  /** The name of the program's source; `null` if it was typed. */
  file: string | null;
  /** The path of the file that `:save` writes without a name. */
  path: string | null;
  /** The seed of the random numbers. */
  seed: number;
  /** How many definitions differ from what was loaded or saved. */
  unsaved_count: number;
  /** The line that plays the game or a turn of it, if it is played by running something. */
  play: PlayLine | null;
  /** The prompt of a terminal. */
  prompt: string;
}

/** A property that is violated. */
export interface Violation {
  /** What it demands of its condition. */
  kind: PropertyKind;
  /** The condition. */
  text: string;
  /** Why the condition cannot be evaluated; `null` if it has the wrong value. */
  error?: string;
}

/** What happened to something that is watched. */
export type WatchHit =
  /** Its value has changed. */
  | {
    access: "changed";
    /** What is watched. */
    target: string;
    /** The value before; `null` for several cells. */
    old: string | null;
    /** The value after; `null` for several cells. */
    new: string | null;
    /** For several cells, the changes of single cells. */
    cells: string | null;
    /** Whether the next instruction makes the change, as after going back. */
    is_ahead: boolean;
  }
  /** It no longer exists. */
  | {
    access: "removed";
    /** What is watched. */
    target: string;
  }
  /** It is read. */
  | {
    access: "read";
    /** What is watched. */
    target: string;
    /** Its value; `null` for several cells. */
    value: string | null;
  };

/** The answer to `:why not`. */
export type WhyNot =
  /** A flag that is true. */
  | {
    subject: "true_flag";
    /** Its name. */
    name: string;
  }
  /** A flag or field that is false, such as `win`. */
  | {
    subject: "false_flag";
  } & FalseFlag
  /** The end of the game. */
  | {
    subject: "game_end";
    /** The title of the language. */
    language: string;
    /** The conditions that end a game, run on the current board. */
    conditions: ConditionRun[];
    /** How much of them is shown. */
    details: Details;
  }
  /** A function or handler. */
  | {
    subject: "call";
  } & MissingCall
  /** A click on a cell. */
  | {
    subject: "click";
    /** The cell, in the language's notation. */
    cell: string;
  } & ClickEffect;

/** A part of the board, in rows and columns counted from 0. */
export interface WindowRequest {
  /** The first row. */
  first_row?: number;
  /** The first column. */
  first_col?: number;
  /** At most this many rows. */
  rows: number;
  /** At most this many columns. */
  cols: number;
}

/** The comparison of one word of a handler's head. */
export interface WordCheck {
  /** The offset of the word in the head, in bytes. */
  start: number;
  /** The offset after its last character. */
  end: number;
  /** The value compared, and the property of it that counted, if there is one. */
  operands: string[];
  /** Whether it matched; `null` if the word matches anything. */
  is_match: boolean | null;
}

/** What an assignment to a flag did. */
export type WriteExecution =
  /** The statement is a test itself, and it was false. */
  | {
    execution: "was_false";
    /** How often it was evaluated. */
    count: number;
    /** How often it was false. */
    false_count: number;
    /** The variables that it reads. */
    variables: NamedValue[];
  }
  /** The statement ran, or was not reached. */
  | {
    execution: "ran";
    /** How often it ran. */
    count: number;
    /** The tests in it that were false. */
    false_tests: TestSummary[];
  };
