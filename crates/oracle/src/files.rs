//! Pair and log files of any bytes, through the readers of the command line: every line is a record or an error that names
//! the line, and a record that is written reads as itself.

use crate::broken::{Broken, Evidence, Law};
use crate::subject::Subject;
use crate::{pair, total};
use samecall_call::{Call, Error, LineReader, Pair, Resolver, parse_record};
use std::io::Cursor;

/// The name that stands for the file in messages.
const NAME: &str = "records.jsonl";

/// What the law saw of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Seen {
    /// Lines that hold a pair.
    pub pairs: usize,
    /// Lines that hold a call and no pair.
    pub calls: usize,
    /// Lines that hold neither.
    pub errors: usize,
}

/// Checks the file that these bytes are.
///
/// # Errors
/// Where a line is neither, an error does not name its line, a record is not read back, or a call of it has no clear answer.
pub fn check(bytes: &[u8], subject: &Subject) -> Law<Seen> {
    let broken = |class: &str, why: &str| {
        Err(Broken::new("files", [class], why, Evidence::Bytes(bytes.to_vec())))
    };
    let mut lines = LineReader::new(NAME, Cursor::new(bytes.to_vec()));
    let resolver = Resolver::new(samecall_call::Catalog::default());
    let mut seen = Seen::default();
    let mut last = 0;
    loop {
        let line = match lines.next_line() {
            Ok(None) => break,
            Ok(Some((number, line))) if number > last => {
                last = number;
                line
            }
            Ok(Some(_)) => return broken("number", "line numbers do not rise"),
            Err(error @ Error::Line { .. }) => {
                if !error.to_string().starts_with(NAME) {
                    return broken("error", "an error does not name its line");
                }
                seen.errors += 1;
                continue;
            }
            Err(_) => return broken("error", "memory could not be read"),
        };
        match (parse_record(line, Pair::from_value), parse_record(line, Call::from_value)) {
            (Ok(pair), _) => {
                seen.pairs += 1;
                if parse_record(&pair.to_json(), Pair::from_value).as_ref() != Ok(&pair) {
                    return broken("pair", "a pair that is written does not read as itself");
                }
                if let Ok(tools) = resolver.resolve_pair(&pair) {
                    let tools = [tools[0].as_deref(), tools[1].as_deref()];
                    total::check(subject, &pair.a, tools[0])?;
                    total::check(subject, &pair.b, tools[1])?;
                    // A file may state any truth; turned round, the answer is the same.
                    let turned = Pair { a: pair.b.clone(), b: pair.a.clone(), ..pair.clone() };
                    let one = pair::check(subject, &pair, tools).is_ok();
                    if one != pair::check(subject, &turned, [tools[1], tools[0]]).is_ok() {
                        return broken("symmetry", "a pair turned round has another verdict");
                    }
                }
            }
            (Err(_), Ok(call)) => {
                seen.calls += 1;
                if parse_record(&call.to_json(), Call::from_value).as_ref() != Ok(&call) {
                    return broken("call", "a call that is written does not read as itself");
                }
                total::check(subject, &call, None)?;
            }
            (Err(one), Err(other)) => {
                seen.errors += 1;
                if one.is_empty() || other.is_empty() {
                    return broken("error", "a line is refused without a reason");
                }
            }
        }
    }
    Ok(seen)
}
