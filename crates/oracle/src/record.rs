//! A find as a file: one JSON object that any program can read, and that the regression test checks from then on.

use crate::broken::{Broken, Evidence, Law, is_of_no_strategy};
use crate::subject::Subject;
use crate::{catalog, files, fixed_point, pair, reader, scope, total};
use samecall_call::json::{Dialect, Value, parse, write_text};
use samecall_call::{Pair, Resolver, SchemaRef};

/// A find, or a regression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The law that was broken.
    pub law: String,
    /// What made it break.
    pub class: Vec<String>,
    /// The strategy that broke it; empty for laws that ask none.
    pub strategy: String,
    /// The target that found it.
    pub target: String,
    /// One sentence.
    pub why: String,
    /// Whatever whoever keeps it has to say.
    pub note: String,
    /// What the law was broken by.
    pub evidence: Evidence,
}

impl Record {
    /// The record of a broken law; without a strategy where the law asks none.
    pub fn of(broken: &Broken, target: &str, strategy: &str) -> Self {
        let strategy = if is_of_no_strategy(broken.law) { "" } else { strategy };
        Record {
            law: broken.law.to_owned(),
            class: broken.class.clone(),
            strategy: strategy.to_owned(),
            target: target.to_owned(),
            why: broken.why.clone(),
            note: String::new(),
            evidence: broken.evidence.clone(),
        }
    }

    /// The record as one JSON object, a member on each line.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{");
        let texts = [
            ("law", &self.law),
            ("strategy", &self.strategy),
            ("target", &self.target),
            ("why", &self.why),
            ("note", &self.note),
        ];
        for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            member(&mut out, name, &quoted(text));
        }
        let class: Vec<String> = self.class.iter().map(|name| quoted(name)).collect();
        member(&mut out, "class", &format!("[{}]", class.join(", ")));
        match &self.evidence {
            Evidence::Pair(pair) => member(&mut out, "pair", &pair.to_json()),
            Evidence::Drawn(pair, by) => {
                member(&mut out, "pair", &pair.to_json());
                member(&mut out, "drawn_by", &quoted(&hex(by)));
            }
            Evidence::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => member(&mut out, "text", &quoted(text)),
                Err(_) => member(&mut out, "hex", &quoted(&hex(bytes))),
            },
        }
        out.push_str("\n}\n");
        out
    }

    /// Reads what [`Record::to_json`] wrote.
    ///
    /// # Errors
    /// A sentence that names the field.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value = parse(text, Dialect::Strict).map_err(|e| format!("no JSON: {e}"))?;
        let optional = |name: &str| match value.get(name) {
            None => Ok(String::new()),
            Some(text) => text.as_str().map(str::to_owned).ok_or(format!("`{name}` must be text")),
        };
        let law = optional("law")?;
        if law.is_empty() {
            return Err("`law` is missing".to_owned());
        }
        let class = value.get("class").and_then(Value::as_array).ok_or("`class` must be a list")?;
        let class: Option<Vec<String>> =
            class.iter().map(|name| name.as_str().map(str::to_owned)).collect();
        let evidence = match (value.get("pair"), value.get("text"), value.get("hex")) {
            (Some(pair), None, None) => {
                let pair = Pair::from_value(pair).map_err(|e| format!("`pair`: {e}"))?;
                match value.get("drawn_by") {
                    None => Evidence::Pair(Box::new(pair)),
                    Some(by) => {
                        let by = by.as_str().and_then(unhex);
                        let by = by.ok_or("`drawn_by` must be hex digits")?;
                        Evidence::Drawn(Box::new(pair), by)
                    }
                }
            }
            (None, Some(text), None) => {
                let text = text.as_str().ok_or("`text` must be text")?;
                Evidence::Bytes(text.as_bytes().to_vec())
            }
            (None, None, Some(hex)) => {
                Evidence::Bytes(hex.as_str().and_then(unhex).ok_or("`hex` must be hex digits")?)
            }
            _ => return Err("one of `pair`, `text` and `hex` is wanted".to_owned()),
        };
        Ok(Record {
            law,
            class: class.ok_or("`class` must be a list of names")?,
            strategy: optional("strategy")?,
            target: optional("target")?,
            why: optional("why")?,
            note: optional("note")?,
            evidence,
        })
    }

    /// A name for its file: target, law, class.
    pub fn file_name(&self) -> String {
        let class = if self.class.is_empty() { "any".to_owned() } else { self.class.join("+") };
        let name: String = format!("{}-{}-{class}", self.target, self.law)
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || "-_+.".contains(c) { c } else { '_' })
            .take(120)
            .collect();
        format!("{name}.json")
    }

    /// Asks the law about the evidence again.
    ///
    /// # Errors
    /// Where it is still broken.
    pub fn check(&self, subject: &Subject) -> Law<()> {
        if self.law == "label" {
            return self.check_labels();
        }
        let bytes = match &self.evidence {
            Evidence::Pair(pair) | Evidence::Drawn(pair, _) => {
                return self.check_pair(subject, pair);
            }
            Evidence::Bytes(bytes) => bytes,
        };
        match self.law.as_str() {
            "reader" => reader::check(bytes).map(drop),
            "files" => files::check(bytes, subject).map(drop),
            "catalog" => {
                catalog::check_schema(&String::from_utf8_lossy(bytes), &[], subject).map(drop)
            }
            #[cfg(feature = "jcs")]
            "jcs" => crate::jcs::check(&String::from_utf8_lossy(bytes)).map(drop),
            #[cfg(feature = "dedup")]
            "dedup" => crate::dedup::check(bytes).map(drop),
            #[cfg(feature = "dedup")]
            "semantic" => crate::semantic::check(bytes).map(drop),
            #[cfg(feature = "cache")]
            "cache" => crate::cache::check(bytes).map(drop),
            other => {
                Err(self.unasked(format!("there is no law `{other}` about bytes in this build")))
            }
        }
    }

    /// A wrong label stays wrong in the pair that it was found with. The question is whether the generator makes such labels
    /// still, of that pair's schema.
    fn check_labels(&self) -> Law<()> {
        let (schema, by) = match &self.evidence {
            Evidence::Bytes(bytes) => (Some(String::from_utf8_lossy(bytes).into_owned()), None),
            Evidence::Pair(pair) => (inline(pair), None),
            Evidence::Drawn(pair, by) => (inline(pair), Some(&by[..])),
        };
        match schema {
            Some(schema) => catalog::check_labels(&schema, by).map(drop),
            None => Err(self.unasked("a wrong label is asked again of its pair's own schema")),
        }
    }

    /// A record that nothing can check must not pass for one that holds.
    fn unasked(&self, why: impl Into<String>) -> Box<Broken> {
        Broken::new("record", [&*self.law], why, self.evidence.clone())
    }

    fn check_pair(&self, subject: &Subject, pair: &Pair) -> Law<()> {
        let catalog = samecall_drift::builtin_catalog();
        let resolver = Resolver::new(catalog);
        let tools = resolver.resolve_pair(pair).map_err(|reason| self.unasked(reason))?;
        let tools = [tools[0].as_deref(), tools[1].as_deref()];
        match self.law.as_str() {
            "fixed_point" => fixed_point::check(subject, &pair.a, tools[0]).map(drop),
            "total" => total::check(subject, &pair.a, tools[0]).map(drop),
            "scope" => scope::check(subject, &pair.a, &pair.b).map(drop),
            // What the truth says of the two calls.
            "order" | "spelling" | "change" | "collision" => {
                pair::check(subject, pair, tools).map(drop)
            }
            other => Err(self.unasked(format!("there is no law `{other}` about pairs"))),
        }
    }
}

fn member(out: &mut String, name: &str, value: &str) {
    out.push_str(if out.len() > 1 { ",\n  " } else { "\n  " });
    out.push_str(&quoted(name));
    out.push_str(": ");
    out.push_str(value);
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_text(&mut out, &text.into());
    out
}

/// The schema that a pair carries.
fn inline(pair: &Pair) -> Option<String> {
    match &pair.schema {
        SchemaRef::Inline(schema) => Some(schema.clone()),
        _ => None,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for bytes in [b"{\"a\" 1}\n".to_vec(), vec![0xFF, 0, b'x']] {
            let broken = Broken::new("reader", ["b", "a"], "why \"so\"", Evidence::Bytes(bytes));
            let record = Record::of(&broken, "reader", "");
            assert_eq!(Record::parse(&record.to_json()), Ok(record));
        }
        assert!(Record::parse("{}").unwrap_err().contains("law"));
        assert!(Record::parse(r#"{"law": "x", "class": []}"#).unwrap_err().contains("pair"));
        assert!(Record::parse(r#"{"law": "x", "class": [], "hex": "0"}"#).is_err());
    }

    /// What is asked of a wrong label is what the generator makes of its schema, not the pair, which stays wrong.
    #[test]
    fn a_label_is_asked_again_of_its_schema() {
        let subject = Subject::named(crate::subject::DEFAULT).expect("a strategy");
        let call = |text: &str| samecall_call::Call::new("t", text);
        let record = |schema: SchemaRef, law: &'static str| {
            let pair = Pair {
                id: "find".to_owned(),
                set: "finds".to_owned(),
                truth: samecall_call::Truth::Retry,
                why: "value_changed".to_owned(),
                drift: Vec::new(),
                cluster: "finds".to_owned(),
                contradicts: None,
                productions: None,
                schema,
                a: call(r#"{"a":1}"#),
                b: call(r#"{"a":2}"#),
            };
            let evidence = Evidence::Drawn(Box::new(pair), vec![0, 200]);
            Record::of(&Broken::new(law, ["x"], "why", evidence), "catalog", "typed")
        };
        let schema = r#"{"type":"object","properties":{"a":{"type":"integer"}}}"#;
        let inline = |schema: &str| SchemaRef::Inline(schema.to_owned());
        let label = record(inline(schema), "label");
        assert_eq!(Record::parse(&label.to_json()).as_ref(), Ok(&label));
        assert_eq!(label.strategy, "", "no strategy made the label");
        assert_eq!(label.check(&subject), Ok(()));
        let broken = |schema, law| record(schema, law).check(&subject).map_err(|broken| broken.law);
        assert_eq!(broken(SchemaRef::ByName, "label"), Err("record"));
        assert_eq!(broken(inline("["), "label"), Err("label"), "there is nothing to judge");
        assert_eq!(broken(inline(schema), "spelling"), Err("spelling"), "the pair is asked");
        assert_eq!(broken(inline(schema), "fixed-point"), Err("record"), "there is no such law");
        assert_eq!(broken(inline("["), "total"), Err("record"), "not without its schema");
    }
}
