//! The lexer: longest match, case-insensitive, no spaces required between tokens.
//!
//! Many tokens look like several: `x=5`, `color=red`, `transformtosprite=floor`. The language
//! ignores unknown characters; we keep them as [`Token::Dropped`] to warn about them.

use std::ops::Range;

use logos::{Lexer, Logos};

use super::ast::{Color, CounterAction, CounterVerb, ReplaceAction};
use crate::language::syntax;

// `(?i-u:…)` is ASCII-only: with Unicode case folding, `ſet` would match `set`.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r" +")]
pub enum Token<'t> {
    /// Not in the text: put first to parse a statement.
    StartStatement,
    /// Not in the text: put first to parse a line of moves.
    StartMoves,

    #[regex("(?i-u:environment)", priority = 20)]
    Environment,
    #[regex("(?i-u:goal)", priority = 20)]
    Goal,
    #[regex("(?i-u:player)", priority = 20)]
    Player,
    #[regex("(?i-u:sprite)", priority = 20)]
    Sprite,
    #[regex("(?i-u:counter)", priority = 20)]
    Counter,
    #[regex("(?i-u:event)", priority = 20)]
    Event,
    #[regex("(?i-u:set)", priority = 20)]
    Set,

    #[regex("(?i-u:win)", priority = 20)]
    Win,
    #[regex("(?i-u:gameover)", priority = 20)]
    GameOver,
    #[regex("(?i-u:winonzerocounter)", priority = 20)]
    WinOnZero,
    #[regex("(?i-u:gameoveronzerocounter)", priority = 20)]
    GameOverOnZero,
    #[regex("(?i-u:true|false)", is_true, priority = 20)]
    Boolean(bool),

    #[token(">")]
    Arrow,
    #[token("(")]
    Open,
    #[token(",")]
    Comma,
    #[token(")")]
    Close,

    #[regex("(?i-u:counter[123])", |lex| index(lex.slice()))]
    CounterIndex(u8),
    #[regex("-?[0-9]+")]
    Int(&'t str),
    /// The digits of `x=5`.
    #[regex("(?i-u:x=)[0-9]+", digits)]
    X(&'t str),
    #[regex("(?i-u:y=)[0-9]+", digits)]
    Y(&'t str),
    #[regex(
        "(?i-u:color=(red|orange|yellow|green|blue|indigo|violet|black|white|grey|gray))",
        color
    )]
    Color(Color),
    #[regex("(?i-u:solid=(true|false))", is_true)]
    Solid(bool),

    #[regex(
        "(?i-u:(player)?(inc|dec)(counter[123]|spritecounter)=)",
        counter_action
    )]
    #[regex("(?i-u:setspritecounter=)", |_| CounterAction::SET_SPRITE_COUNTER)]
    CounterAction(CounterAction),
    /// Includes the name after the `=`.
    #[regex(
        "(?i-u:(movetorandom|movetorandomonzero|transformtosprite|transformonzerocounter)=[a-z_]+)",
        replace_action
    )]
    ReplaceAction((ReplaceAction, &'t str)),
    #[regex("(?i-u:moveplayerto=)")]
    MovePlayerTo,

    #[regex("[a-zA-Z_]+", priority = 1)]
    Word(&'t str),
    /// One or more line breaks in a row.
    #[regex("(\r?\n|\r)+")]
    Newline,

    /// An ignored character. A minus sign without a digit also swallows the next character.
    #[regex("-[^0-9]?", priority = 2)]
    #[regex("(?s:.)", priority = 0)]
    Dropped,
}

impl Token<'_> {
    pub fn starts_statement(&self) -> bool {
        use Token::*;
        matches!(
            self,
            Environment | Goal | Player | Sprite | Counter | Event | Set
        )
    }

    /// Whether this word is reserved and cannot be a name.
    pub fn is_keyword(&self) -> bool {
        use Token::*;
        self.starts_statement()
            || matches!(
                self,
                Win | GameOver | WinOnZero | GameOverOnZero | Boolean(_)
            )
    }
}

type Lex<'t> = Lexer<'t, Token<'t>>;

fn index(text: &str) -> Option<u8> {
    text.bytes()
        .rev()
        .find(u8::is_ascii_digit)
        .map(|digit| digit - b'0')
}

fn digits<'t>(lex: &mut Lex<'t>) -> &'t str {
    &lex.slice()[2..]
}

fn is_true<'t>(lex: &mut Lex<'t>) -> bool {
    lex.slice().to_ascii_lowercase().ends_with("true")
}

fn color<'t>(lex: &mut Lex<'t>) -> Option<Color> {
    Color::from_word(&lex.slice()["color=".len()..])
}

fn counter_action<'t>(lex: &mut Lex<'t>) -> CounterAction {
    let text = lex.slice().to_ascii_lowercase();
    let per_move = text.strip_prefix("player");
    CounterAction {
        verb: match per_move.unwrap_or(&text).starts_with("inc") {
            true => CounterVerb::Increase,
            false => CounterVerb::Decrease,
        },
        counter: index(&text),
        is_per_move: per_move.is_some(),
    }
}

fn replace_action<'t>(lex: &mut Lex<'t>) -> Option<(ReplaceAction, &'t str)> {
    let (action, name) = lex.slice().split_once('=')?;
    let kind = match action.to_ascii_lowercase().as_str() {
        "movetorandom" => ReplaceAction::MoveToRandom,
        "movetorandomonzero" => ReplaceAction::MoveToRandomOnZero,
        "transformtosprite" => ReplaceAction::TransformToSprite,
        _ => ReplaceAction::TransformOnZeroCounter,
    };
    Some((kind, name))
}

/// All tokens of a text, including ignored characters but not spaces.
pub fn tokenize(text: &str) -> Vec<(Range<usize>, Token<'_>)> {
    syntax::tokenize(text, |_| Token::Dropped)
}

#[cfg(test)]
mod tests {
    use super::Token::*;
    use super::*;

    fn kinds(text: &str) -> Vec<Token<'_>> {
        tokenize(text).into_iter().map(|(_, token)| token).collect()
    }

    #[test]
    fn tokens_need_no_spaces_and_the_longest_match_wins() {
        assert_eq!(
            kinds("player>x=5y=07color=RED"),
            [
                Player,
                Arrow,
                X("5"),
                Y("07"),
                Token::Color(super::Color(255, 0, 0))
            ]
        );
        assert_eq!(
            kinds("counter12 players"),
            [CounterIndex(1), Int("2"), Word("players")]
        );
        assert_eq!(kinds("truex=5"), [Word("truex"), Dropped, Int("5")]);
        assert_eq!(
            kinds("x= 5 x=-1"),
            [Word("x"), Dropped, Int("5"), Word("x"), Dropped, Int("-1")]
        );
        assert_eq!(kinds("color=gren"), [Word("color"), Dropped, Word("gren")]);
    }

    #[test]
    fn an_action_and_its_equals_sign_are_one_token() {
        assert_eq!(
            kinds("PlayerDecCounter3=1"),
            [
                CounterAction(super::CounterAction {
                    verb: CounterVerb::Decrease,
                    counter: Some(3),
                    is_per_move: true,
                }),
                Int("1")
            ]
        );
        assert_eq!(
            kinds("setspritecounter=-2"),
            [
                CounterAction(super::CounterAction::SET_SPRITE_COUNTER),
                Int("-2")
            ]
        );
        assert_eq!(
            kinds("inccounter1 =2"),
            [Word("inccounter"), Int("1"), Dropped, Int("2")]
        );
        let to_random = ReplaceAction((super::ReplaceAction::MoveToRandomOnZero, "win"));
        assert_eq!(kinds("movetorandomonzero=win"), [to_random]);
        assert_eq!(
            kinds("transformtosprite= f"),
            [Word("transformtosprite"), Dropped, Word("f")]
        );
    }

    #[test]
    fn a_lone_minus_swallows_the_next_character() {
        assert_eq!(kinds("-y=2"), [Dropped, Dropped, Int("2")]);
        assert_eq!(kinds("-\nset"), [Dropped, Set]);
        assert_eq!(kinds("--5 -"), [Dropped, Int("5"), Dropped]);
    }

    #[test]
    fn unknown_characters_are_single_tokens_and_newlines_are_merged() {
        assert_eq!(kinds("\t#é"), [Dropped, Dropped, Dropped]);
        assert_eq!(kinds("\r\n\n\r \n"), [Newline, Newline]);
        assert_eq!(kinds("ſet \u{212a}"), [Dropped, Word("et"), Dropped]);
    }
}
