//! The answers: one file for each question, and what they share.
//!
//! ```text
//! find            finds a shortest line of moves to a goal
//! moves           the moves that are possible in the current position, and what each would do
//! solve           perfect play
//! stats           how games end if every move is equally likely
//! check           `:check`: a search-based lint
//! property_check  declared properties, decided in all positions of a search
//! reach           whether an ending can be reached from the current position
//! vary            `:vary`
//! random_game     games in which every move is equally likely
//! results         how often games end in each way
//! winners         who wins and who loses
//! coverage        coverage of a search
//! opponent        the computer as a player: chooses a move in the current position
//! playout         judges moves by games with random moves, more of them where it pays (UCT
//! remarks         what is noteworthy about the rules of a game, according to a search
//! line            the way to a position as moves that can be typed
//! confirm         whether a line of moves that was played ends as the search says
//! ```

pub(crate) mod check;
pub(crate) mod confirm;
pub(crate) mod coverage;
pub(crate) mod find;
pub(crate) mod line;
pub(crate) mod moves;
pub(crate) mod opponent;
pub(crate) mod playout;
pub(crate) mod property_check;
pub(crate) mod random_game;
pub(crate) mod reach;
pub(crate) mod remarks;
pub(crate) mod results;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod vary;
pub(crate) mod winners;
