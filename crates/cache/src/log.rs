//! The cache's events as JSON lines: a `tracing` subscriber for harnesses that have none, and for golden files.
//!
//! One object a line, `{"level", "message", ...fields}` in the order in which the fields were recorded. No time is in it: a
//! log of one trace is the same bytes on every day.

use std::fmt::{Debug, Write as _};
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use samecall_call::json::{Text, write_text};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::events::TARGET;

/// Writes the cache's events of a level or above to a sink.
pub struct JsonLines<W> {
    sink: Mutex<(W, Option<std::io::Error>)>,
    level: Level,
}

impl<W: Write + Send + 'static> JsonLines<W> {
    /// Events of `INFO` and above.
    pub fn new(sink: W) -> Self {
        Self::with_level(sink, Level::INFO)
    }

    /// Events of this level and above.
    pub fn with_level(sink: W, level: Level) -> Self {
        JsonLines { sink: Mutex::new((sink, None)), level }
    }

    /// The sink, and the first error that writing to it met.
    pub fn into_sink(self) -> (W, Option<std::io::Error>) {
        self.sink.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Write + Send + 'static> Subscriber for JsonLines<W> {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && metadata.target() == TARGET && *metadata.level() <= self.level
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line { message: String::new(), fields: String::new() };
        event.record(&mut line);
        let level = event.metadata().level();
        let text = format!(
            "{{\"level\":\"{level}\",\"message\":{}{}}}\n",
            quoted(&line.message),
            line.fields
        );
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.1.is_none()
            && let Err(error) = sink.0.write_all(text.as_bytes())
        {
            sink.1 = Some(error);
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Line {
    message: String,
    fields: String,
}

impl Line {
    fn field(&mut self, field: &Field, value: &str) {
        // Writing to a String cannot fail.
        let _ = write!(self.fields, ",{}:{value}", quoted(field.name()));
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    // Writing to a String cannot fail.
    let _ = write_text(&mut out, &Text::from(text));
    out
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let text = format!("{value:?}");
        if field.name() == "message" {
            self.message = text;
        } else {
            self.field(field, &quoted(&text));
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.field(field, &quoted(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.field(field, &value.to_string());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.field(field, &value.to_string());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.field(field, if value { "true" } else { "false" });
    }
}
