//! GridLok's diagnostic codes, each with its meaning in one line.

codes! {
    UNEXPECTED_TOKEN = "GL001": "unexpected token";
    UNEXPECTED_END = "GL002": "unexpected end of input";
    BAD_CHARACTER = "GL003": "unknown character";
    BAD_NAME = "GL004": "invalid name";
    UNTERMINATED_STRING = "GL005": "unterminated string";
    UNTERMINATED_COMMENT = "GL006": "unterminated comment";
    NUMBER_TOO_LARGE = "GL007": "number too large";
    TOO_DEEP = "GL008": "nesting too deep or expression too long";
    KEYWORD_AS_NAME = "GL009": "keyword used as a name";
    MISSING_LIST_COMMA = "GL010": "missing comma after the last list element";
    NOT_ALLOWED_HERE = "GL011": "not allowed in this part of a program";
    SINGLE_EQUALS = "GL012": "`=` used to assign or compare";

    UNKNOWN_NAME = "GL020": "unknown name";
    RESERVED_NAME = "GL021": "redefinition of a built-in name";
    DUPLICATE_DEFINITION = "GL022": "duplicate definition";
    ARGUMENT_COUNT = "GL023": "wrong number of arguments";
    NO_VALUE = "GL024": "using the result of something that returns nothing";
    FUNCTION_AS_VALUE = "GL025": "function name used as a value";
    READ_ONLY = "GL026": "assignment to something read-only";
    RETURN_OUTSIDE_FUNCTION = "GL027": "`return` outside a function";
    UNUSED_VALUE = "GL028": "unused value";
    UNKNOWN_FIELD = "GL029": "unknown field of a piece";
    NO_BOARD = "GL030": "game without a board";
    MISSING_PART = "GL031": "missing part of a board or piece";
    BOARD_SIZE = "GL032": "board with less than one row or column";
    UNKNOWN_PLAYER = "GL033": "unknown player";
    UNKNOWN_PIECE = "GL034": "unknown piece";
    WRONG_BRACE_CONTENT = "GL035": "braces whose content does not fit the name";
    TOO_MANY_RANGES = "GL036": "loop with more than three ranges";

    TYPE_MISMATCH = "GL040": "type mismatch";
    UNUSED = "GL041": "unused variable or function";
    UNUSED_PIECE = "GL042": "unused piece";
    IMPOSSIBLE_COMPARISON = "GL043": "comparison with an unknown piece or player";

    PROGRAM_TOO_LARGE = "GL090": "program too large";
}
