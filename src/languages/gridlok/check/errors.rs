//! The error codes of GridLok. Codes are stable; the wording of messages may change.

pub const UNEXPECTED_TOKEN: &str = "GL001";
pub const UNEXPECTED_END: &str = "GL002";
pub const BAD_CHARACTER: &str = "GL003";
pub const BAD_NAME: &str = "GL004";
pub const UNTERMINATED_STRING: &str = "GL005";
pub const UNTERMINATED_COMMENT: &str = "GL006";
pub const NUMBER_TOO_LARGE: &str = "GL007";
pub const TOO_DEEP: &str = "GL008";
pub const KEYWORD_AS_NAME: &str = "GL009";
pub const MISSING_LIST_COMMA: &str = "GL010";
pub const NOT_ALLOWED_HERE: &str = "GL011";
pub const SINGLE_EQUALS: &str = "GL012";

pub const UNKNOWN_NAME: &str = "GL020";
pub const RESERVED_NAME: &str = "GL021";
pub const DUPLICATE_DEFINITION: &str = "GL022";
pub const ARGUMENT_COUNT: &str = "GL023";
pub const NO_VALUE: &str = "GL024";
pub const FUNCTION_AS_VALUE: &str = "GL025";
pub const READ_ONLY: &str = "GL026";
pub const RETURN_OUTSIDE_FUNCTION: &str = "GL027";
pub const UNUSED_VALUE: &str = "GL028";
pub const UNKNOWN_FIELD: &str = "GL029";
pub const NO_BOARD: &str = "GL030";
pub const MISSING_PART: &str = "GL031";
pub const BOARD_SIZE: &str = "GL032";
pub const UNKNOWN_PLAYER: &str = "GL033";
pub const UNKNOWN_PIECE: &str = "GL034";
pub const WRONG_BRACE_CONTENT: &str = "GL035";
pub const TOO_MANY_RANGES: &str = "GL036";

pub const TYPE_MISMATCH: &str = "GL040";
pub const UNUSED: &str = "GL041";
pub const UNUSED_PIECE: &str = "GL042";
pub const IMPOSSIBLE_COMPARISON: &str = "GL043";

pub const PROGRAM_TOO_LARGE: &str = "GL090";
