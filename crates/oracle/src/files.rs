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
    let at: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    // What stands on a line, by its number, without the line's end.
    let on = |number: u64| {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        let mut line = *at.get(index)?;
        while let [rest @ .., b'\r'] = line {
            line = rest;
        }
        Some(line)
    };
    let mut last = 0;
    loop {
        let line = match lines.next_line() {
            Ok(None) => break,
            Ok(Some((number, line))) if number > last && on(number) == Some(line.as_bytes()) => {
                last = number;
                line
            }
            Ok(Some(_)) => return broken("number", "a line's number is not its own"),
            Err(error @ Error::Line { line, .. }) => {
                let place = format!("{NAME}:{line}: ");
                let named = line > last && on(line).is_some_and(|on| str::from_utf8(on).is_err());
                if !named || !error.to_string().starts_with(&place) {
                    return broken("error", "an error does not name its line");
                }
                last = line;
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
