//! Rust source as a rule wants to see it: code without its comments and texts, comments without the code, and the
//! paths that the code names. A scanner, not a compiler: it knows where a comment or a string ends and how a `use`
//! tree unfolds, and nothing of macros or types.

/// One file, seen three ways; a line has the same number in all of them.
pub(crate) struct Source {
    /// The path from the root of the repository, with forward slashes.
    pub(crate) path: String,
    /// As it was written.
    pub(crate) raw: String,
    /// Comments and the contents of strings and characters replaced by blanks.
    pub(crate) code: String,
    /// All but the comments replaced by blanks.
    pub(crate) comments: String,
}

/// A path that the code names, `use` trees unfolded: `use a::{b, c::d}` is `a::b` and `a::c::d`.
#[derive(Debug, PartialEq)]
pub(crate) struct CodePath {
    pub(crate) segments: Vec<String>,
    pub(crate) line: usize,
    /// How many `mod name { … }` of the same file stand around it.
    pub(crate) inline_depth: usize,
}

/// A word or a sign of the code.
pub(crate) struct Token<'code> {
    pub(crate) text: &'code str,
    pub(crate) line: usize,
}

impl Source {
    pub(crate) fn new(path: &str, raw: &str) -> Source {
        let (code, comments) = split(raw);
        Source { path: path.to_owned(), raw: raw.to_owned(), code, comments }
    }

    /// The first line that is there for tests alone; lines count from one. All of them when there is none.
    pub(crate) fn first_test_line(&self) -> usize {
        let found = self.code.lines().position(|line| line.trim_start().starts_with("#[cfg(test)]"));
        found.map_or(usize::MAX, |index| index + 1)
    }

    pub(crate) fn paths(&self) -> Vec<CodePath> {
        paths(&tokens(&self.code))
    }
}

/// Splits a text into its code and its comments, each as long as the text itself.
fn split(raw: &str) -> (String, String) {
    let chars: Vec<char> = raw.chars().collect();
    let mut code = String::with_capacity(raw.len());
    let mut comments = String::with_capacity(raw.len());
    let mut at = 0;
    while at < chars.len() {
        let rest = &chars[at..];
        let (length, kind) = piece(rest, at.checked_sub(1).map(|before| chars[before]));
        for (offset, &letter) in rest[..length].iter().enumerate() {
            let blank = if letter == '\n' { '\n' } else { ' ' };
            let is_edge = offset == 0 || offset + 1 == length;
            code.push(match kind {
                Piece::Code => letter,
                // The quotes stay, so that a string is still seen to be something.
                Piece::Text if is_edge && (letter == '"' || letter == '\'') => letter,
                Piece::Text | Piece::Comment => blank,
            });
            comments.push(if kind == Piece::Comment { letter } else { blank });
        }
        at += length;
    }
    (code, comments)
}

#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Code,
    Text,
    Comment,
}

/// How long the piece at the head of `rest` is, and what it is.
fn piece(rest: &[char], before: Option<char>) -> (usize, Piece) {
    match rest {
        ['/', '/', ..] => (rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()), Piece::Comment),
        ['/', '*', ..] => (block_comment_length(rest), Piece::Comment),
        ['"', ..] => (quoted_length(rest, '"'), Piece::Text),
        ['\'', '\\', ..] => (quoted_length(rest, '\''), Piece::Text),
        // Anything else after an apostrophe is a lifetime.
        ['\'', _, '\'', ..] => (3, Piece::Text),
        ['r', '"' | '#', ..] if !before.is_some_and(|c| is_word(c) && c != 'b' && c != 'c') => {
            raw_string_length(rest).map_or((1, Piece::Code), |length| (length, Piece::Text))
        }
        _ => (1, Piece::Code),
    }
}

/// Block comments nest.
fn block_comment_length(rest: &[char]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        match &rest[at..] {
            ['/', '*', ..] => {
                depth += 1;
                at += 2;
            }
            ['*', '/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    rest.len()
}

fn quoted_length(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            letter if letter == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// None when it is no raw string after all but a raw identifier such as `r#type`.
fn raw_string_length(rest: &[char]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|&&c| c == '#').count();
    if rest.get(1 + hashes) != Some(&'"') {
        return None;
    }
    let mut end = vec!['"'];
    end.extend(std::iter::repeat_n('#', hashes));
    let body = 2 + hashes;
    let found = rest[body..].windows(end.len()).position(|window| window == end.as_slice());
    Some(found.map_or(rest.len(), |offset| body + offset + end.len()))
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Words, `::`, and every other sign by itself.
pub(crate) fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    for (index, text) in code.lines().enumerate() {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            found.push(Token { text: &rest[..length], line: index + 1 });
            rest = rest[length..].trim_start();
        }
    }
    found
}

fn text_at<'code>(tokens: &[Token<'code>], at: usize) -> &'code str {
    tokens.get(at).map_or("", |token| token.text)
}

fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
}

fn paths(tokens: &[Token<'_>]) -> Vec<CodePath> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut module_depths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].text {
            "mod" if text_at(tokens, at + 2) == "{" => {
                depth += 1;
                module_depths.push(depth);
                at += 3;
            }
            "{" => {
                depth += 1;
                at += 1;
            }
            "}" => {
                if module_depths.last() == Some(&depth) {
                    module_depths.pop();
                }
                depth = depth.saturating_sub(1);
                at += 1;
            }
            "use" => at = use_tree(tokens, at + 1, &[], module_depths.len(), &mut found),
            text if is_name(text) && text_at(tokens, at + 1) == "::" => {
                let line = tokens[at].line;
                let mut segments = vec![text.to_owned()];
                at += 1;
                while text_at(tokens, at) == "::" && is_name(text_at(tokens, at + 1)) {
                    segments.push(text_at(tokens, at + 1).to_owned());
                    at += 2;
                }
                found.push(CodePath { segments, line, inline_depth: module_depths.len() });
            }
            _ => at += 1,
        }
    }
    found
}

/// Unfolds one tree of a `use`, from the token at `at` on; returns where it ends.
fn use_tree(
    tokens: &[Token<'_>],
    mut at: usize,
    prefix: &[String],
    inline_depth: usize,
    found: &mut Vec<CodePath>,
) -> usize {
    let mut segments = prefix.to_vec();
    loop {
        match text_at(tokens, at) {
            "::" => at += 1,
            "{" => {
                at += 1;
                while at < tokens.len() && text_at(tokens, at) != "}" {
                    let before = at;
                    at = use_tree(tokens, at, &segments, inline_depth, found);
                    if text_at(tokens, at) == "," || at == before {
                        at += 1;
                    }
                }
                return at + 1;
            }
            text if text == "*" || is_name(text) => {
                segments.push(text.to_owned());
                let line = tokens[at].line;
                at += 1;
                if text_at(tokens, at) == "::" {
                    continue;
                }
                if text_at(tokens, at) == "as" {
                    at += 2;
                }
                found.push(CodePath { segments, line, inline_depth });
                return at;
            }
            _ => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_of(raw: &str) -> String {
        Source::new("a.rs", raw).code
    }

    fn paths_of(raw: &str) -> Vec<String> {
        Source::new("a.rs", raw).paths().iter().map(|path| path.segments.join("::")).collect()
    }

    #[test]
    fn comments_and_the_contents_of_strings_are_no_code() {
        assert_eq!(code_of("a /* b /* c */ d */ e // f\ng"), "a                   e     \ng");
        assert_eq!(code_of(r#"a "b \" // c" d"#), r#"a "         " d"#);
        assert_eq!(code_of("a r#\"b \" c\"# d"), "a            d");
        assert_eq!(code_of("r#type 'x' '\\'' &'a str b\"y\""), "r#type ' ' '  ' &'a str b\" \"");
        assert_eq!(code_of("\"unfinished\nstring"), "\"          \n      ");
    }

    #[test]
    fn a_comment_is_seen_where_it_stands() {
        let source = Source::new("a.rs", "let a = \"// no\";\n// yes\nlet b; /* and\nyes */ c");
        let lines: Vec<&str> = source.comments.lines().map(str::trim).collect();
        assert_eq!(lines, ["", "// yes", "/* and", "yes */"]);
    }

    #[test]
    fn a_use_tree_unfolds_into_its_paths() {
        assert_eq!(paths_of("use a::b;"), ["a::b"]);
        assert_eq!(paths_of("pub use a::{self, b as c, d::{e, f::*},};"), ["a::self", "a::b", "a::d::e", "a::d::f::*"]);
        assert_eq!(paths_of("use {a::b, ::c::d};\nuse serde;"), ["a::b", "c::d", "serde"]);
    }

    #[test]
    fn a_path_within_an_expression_is_found_as_well() {
        assert_eq!(paths_of("let x = crate::wire::decode::<T>(&a::B);"), ["crate::wire::decode", "a::B"]);
        assert_eq!(paths_of("fn f(x: impl Fn() + use<'a>) -> std::fs::File {}"), ["std::fs::File"]);
    }

    #[test]
    fn modules_within_the_file_are_counted() {
        let source = Source::new("a.rs", "use a::b; mod c { fn d() { e::f } mod g { use h::i; } } use j::k; mod l;");
        let depths: Vec<usize> = source.paths().iter().map(|path| path.inline_depth).collect();
        assert_eq!(depths, [0, 1, 2, 0]);
    }

    #[test]
    fn tests_begin_at_their_first_line() {
        assert_eq!(Source::new("a.rs", "a\n// #[cfg(test)]\n#[cfg(test)]\nmod tests {}").first_test_line(), 3);
        assert_eq!(Source::new("a.rs", "a").first_test_line(), usize::MAX);
    }
}
