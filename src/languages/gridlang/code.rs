//! The numbers of GridLang's faults: they stay, whatever becomes of the words.

macro_rules! codes {
    ($($name:ident = $code:literal: $meaning:literal;)*) => {
        $(pub const $name: &str = $code;)*
        /// Every code with its meaning in one line.
        pub const CODES: &[(&str, &str)] = &[$(($code, $meaning)),*];
    };
}

codes! {
    UNEXPECTED = "GG001": "a word or sign stands where it cannot stand";
    TOO_EARLY = "GG002": "the text ends before something is finished";
    RESERVED = "GG003": "a reserved word is used as a name";
    UNCLOSED_BRACKET = "GG004": "a bracket is not closed";
    INSIDE_BLOCK = "GG005": "a definition stands inside a block";
    CLOSES_NOTHING = "GG006": "a closing bracket has no opening one";
    LONELY_ELSE = "GG007": "an else has no if before it";
    TWO_ON_A_LINE = "GG008": "a statement is not ended before the next";
    BAD_CHARACTER = "GG010": "a character that is none of the language";
    BAD_NAME = "GG011": "a name does not start with a letter";
    BAD_NUMBER = "GG012": "letters stand right behind a number";
    UNCLOSED_TEXT = "GG013": "a string is not closed";
    UNCLOSED_COMMENT = "GG014": "a comment is not closed";
    TOO_DEEP = "GG015": "brackets, statements or operators are nested too deep";
    BAD_ESCAPE = "GG016": "a string has an unknown escape";
    NO_TYPE = "GG017": "something that is no type stands where a type must";
    NO_RECEIVER = "GG018": "a handler is given to something that has no name";
    UNDECLARED = "GG101": "a name is not declared";
    NO_FUNCTION = "GG102": "a function is not defined";
    UNKNOWN_TYPE = "GG103": "a type does not exist";
    NO_ATTRIBUTE = "GG104": "something has no such attribute";
    MISMATCH = "GG105": "a value has another type than the place it is put in";
    CONDITION = "GG106": "a condition is not boolean";
    OPERANDS = "GG107": "an operator does not work on these types";
    ARGUMENT_COUNT = "GG108": "a call has too many or too few arguments";
    ARGUMENT_TYPE = "GG109": "an argument has the wrong type";
    TWICE = "GG110": "a name is declared or defined twice";
    TOO_SOON = "GG111": "a variable is used before its declaration";
    NOT_ASSIGNABLE = "GG112": "something that cannot be changed is assigned to";
    NO_CURRENT = "GG113": "p is used where no turn is being played";
    NO_REPEAT = "GG114": "repeat is used where no turn is being played";
    RETURN = "GG115": "a return does not fit its block";
    ARRAY_SIZE = "GG116": "an array's size is missing or impossible";
    UNUSED_VALUE = "GG117": "a value is computed and thrown away";
    TYPE_AS_VALUE = "GG118": "a type is used as if it were a piece";
    UNKNOWN_PIECE = "GG119": "a handler is for a piece that is not declared";
    HANDLER_PARAMETERS = "GG120": "a block has the wrong parameters";
    OUTSIDE = "GG121": "a statement stands outside of every block";
    INT_RANGE = "GG122": "a number is too large for an int";
    BUILT_IN_NAME = "GG123": "an attribute has the name of a built-in one";
    LIST_TYPE = "GG124": "traverse is asked for a list that does not exist";
    ORDER = "GG125": "playerOrder is given something that is no player";
    NO_INDEX = "GG126": "something that is no array is indexed";
    TOO_LARGE = "GG127": "a function is too large to be run";
    COMMAND = "GG128": "a command cannot be done now";
    MAY_NOT_RETURN = "GG201": "a function can end without a result";
    UNKNOWN_PLAYER_TYPE = "GG202": "a player type is mentioned nowhere else";
    NO_IMPORT = "GG203": "a file is imported, but a game is one file";
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_code_is_used_twice_and_they_stand_in_order() {
        assert!(super::CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
