//! What the program or the engine asks of the client.

use serde::Serialize;
use std::time::Duration;

/// What the program asks at its input prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Question {
    /// The prompt.
    pub text: String,
    /// The type of the answer, as the language calls it; `None` if any text will do.
    #[serde(rename = "type")]
    pub answer_type: Option<String>,
    /// The boards in play besides the displayed one, as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_boards: Vec<String>,
}

/// What the client has to do after it has shown an answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Control {
    /// Open an editor.
    Edit(EditRequest),
    /// Play with the arrow keys until Esc is pressed. Without a keyboard, only show the answer.
    PlayKeys,
    /// Step with a delay until a key is pressed.
    Animate {
        /// The time between two steps.
        #[serde(rename = "delay_ms", serialize_with = "serialize_milliseconds")]
        delay: Duration,
    },
    /// Show source, board, variables and call stack in panes that stay in place.
    OpenView {
        /// With space between the lines, for a projector.
        is_large: bool,
    },
    /// Nothing: it was interrupted with Ctrl-C before it had a result. It is not recorded.
    Cancelled,
    /// Offer this text at the next prompt: the first lines of an entry that is not finished.
    Prefill {
        /// The text.
        text: String,
    },
    /// Clear the screen.
    ClearScreen,
    /// End the session.
    Quit {
        /// How many definitions would be lost. The client may ask about them first.
        unsaved_count: usize,
    },
}

fn serialize_milliseconds<S: serde::Serializer>(
    time: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.as_millis() as u64)
}

/// A text to open in the user's editor. The result is then handled like an entry.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EditRequest {
    /// The text to edit.
    pub text: String,
    /// The file to edit in place; `None` for a single definition.
    pub file: Option<String>,
    /// An entry to run before the edited text, which deletes the old definition.
    pub first_entry: Option<String>,
    /// The file extension of the language.
    pub extension: &'static str,
}
