//! The codes of everything that can be wrong with a GridLok text, each with its meaning in one line.

codes! {
    UNEXPECTED_TOKEN = "GL001": "something stands where it can't";
    UNEXPECTED_END = "GL002": "the text ends too early";
    BAD_CHARACTER = "GL003": "a character that means nothing in GridLok";
    BAD_NAME = "GL004": "a word that can't be a name";
    UNTERMINATED_STRING = "GL005": "a string that is not closed on its line";
    UNTERMINATED_COMMENT = "GL006": "a comment that is never closed";
    NUMBER_TOO_LARGE = "GL007": "a number that does not fit in 32 bits";
    TOO_DEEP = "GL008": "nesting or a chain of operators that is too long";
    KEYWORD_AS_NAME = "GL009": "a word of the language used as a name";
    MISSING_LIST_COMMA = "GL010": "a list whose last element lacks its comma";
    NOT_ALLOWED_HERE = "GL011": "a thing that can't stand in this part of a program";
    SINGLE_EQUALS = "GL012": "`=`, which neither gives a value nor compares";

    UNKNOWN_NAME = "GL020": "a name that nothing has";
    RESERVED_NAME = "GL021": "a definition of a name that is built in";
    DUPLICATE_DEFINITION = "GL022": "two definitions of one thing in one place";
    ARGUMENT_COUNT = "GL023": "the wrong number of values in braces";
    NO_VALUE = "GL024": "a value taken from what gives none";
    FUNCTION_AS_VALUE = "GL025": "a function's name used as a value";
    READ_ONLY = "GL026": "a change of what can't be changed";
    RETURN_OUTSIDE_FUNCTION = "GL027": "return outside a function";
    UNUSED_VALUE = "GL028": "a value that nobody uses";
    UNKNOWN_FIELD = "GL029": "a field that pieces do not have";
    NO_BOARD = "GL030": "a game without a board";
    MISSING_PART = "GL031": "a board or a piece that lacks a part";
    BOARD_SIZE = "GL032": "a board with less than one row or column";
    UNKNOWN_PLAYER = "GL033": "a player that is not in the game";
    UNKNOWN_PIECE = "GL034": "a piece that is not defined";
    WRONG_BRACE_CONTENT = "GL035": "braces with something that does not fit the name before them";
    TOO_MANY_RANGES = "GL036": "a loop over more than three ranges";

    TYPE_MISMATCH = "GL040": "a value whose type can't fit";
    UNUSED = "GL041": "a variable or function that is never used";
    UNUSED_PIECE = "GL042": "a piece that never comes onto the board";
    IMPOSSIBLE_COMPARISON = "GL043": "a comparison with a name that nothing has";

    PROGRAM_TOO_LARGE = "GL090": "a program too large to be run";
}
