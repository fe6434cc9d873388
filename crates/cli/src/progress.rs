//! A progress bar on standard error, where a person is watching.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use samecall_score::Progress;
use std::io::IsTerminal;

/// How far a replay is: bytes of files, or pairs of the generator, whichever is known.
pub(crate) struct Bar {
    bar: ProgressBar,
    by_bytes: bool,
}

/// A bar over this much input; hidden when standard error is no terminal.
pub(crate) fn bar(bytes: u64, pairs: u64) -> Bar {
    let by_bytes = pairs == 0;
    let bar = ProgressBar::new(if by_bytes { bytes } else { pairs });
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = if by_bytes {
        "{bar:40} {bytes} of {total_bytes}, {eta} left"
    } else {
        "{bar:40} {human_pos} of {human_len} pairs, {per_sec}, {eta} left"
    };
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    Bar { bar, by_bytes }
}

impl Bar {
    /// One batch is done.
    pub(crate) fn advance(&self, done: Progress) {
        if self.by_bytes {
            self.bar.inc(done.bytes);
        } else if done.bytes == 0 {
            self.bar.inc(done.pairs);
        }
    }

    /// All is done; the bar makes room for the answer.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
