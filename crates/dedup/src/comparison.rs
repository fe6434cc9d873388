//! Both modes beside each other on planted chunks, by kind of chunk: a report that a seed determines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Serialize;

use crate::error::Result;
use crate::lexical::{Mode, Options, Report, TokenCounter, dedupe_with};
use crate::planted::{Chunk, chunks};

/// What became of the planted chunks in each mode.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The seed of the chunks.
    pub seed: u64,
    /// How many chunks were planted.
    pub chunks: usize,
    /// One entry per mode, `safe` first.
    pub modes: Vec<ModeOutcome>,
}

/// One mode's answer, held against what was planted.
#[derive(Clone, Debug, Serialize)]
pub struct ModeOutcome {
    /// Repeats removed / repeats planted.
    pub recall: f64,
    /// Removed items whose group keeps a member / removed items.
    pub precision: f64,
    /// By kind of chunk.
    pub kinds: BTreeMap<&'static str, KindOutcome>,
    /// The run's own counts.
    pub report: Report,
}

/// How one kind of chunk fared.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct KindOutcome {
    /// Chunks of the kind.
    pub planted: usize,
    /// Those removed although no chunk that says the same is kept: a fact that is gone.
    pub lost: usize,
    /// Repeats that stay beside another chunk of their group: tokens paid for nothing.
    pub left: usize,
}

impl Comparison {
    /// Plants chunks and runs both modes with their default options. `arcaeon` mode is quadratic: 10,000 chunks take minutes.
    ///
    /// # Errors
    /// None with these options; those of [`dedupe_with`].
    pub fn run(seed: u64, count: usize, tokens: Option<&TokenCounter>) -> Result<Self> {
        let planted = chunks(seed, count);
        let modes = [Mode::Safe, Mode::Arcaeon]
            .into_iter()
            .map(|mode| {
                let options = Options { mode, tokens: tokens.cloned(), ..Options::default() };
                ModeOutcome::of(&planted, &options)
            })
            .collect::<Result<_>>()?;
        Ok(Self { seed, chunks: planted.len(), modes })
    }

    /// The report for people, in Markdown. `command` is the one that writes it.
    pub fn markdown(&self, command: &str) -> String {
        let mut out = String::from("# Lexical deduplication: two modes on planted chunks\n\n");
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "{} chunks of seed {}: originals, repeats (`dup-`) and near misses (`hard-`), of which each differs from an \
             original in one fact. Lost: removed although nothing kept says the same. Left: a repeat that stays.\n",
            self.chunks, self.seed
        );
        let mut row = |name: &str, cell: &dyn Fn(&ModeOutcome) -> String| {
            let cells: Vec<String> = self.modes.iter().map(cell).collect();
            let _ = writeln!(out, "| {name} | {} |", cells.join(" | "));
        };
        row("", &|mode| {
            if mode.report.mode == Mode::Safe { "`safe`" } else { "`arcaeon`" }.to_owned()
        });
        row("---", &|_| "---:".to_owned());
        row("kept", &|mode| mode.report.kept.items.to_string());
        row("removed", &|mode| mode.report.removed.items.to_string());
        row("characters removed", &|mode| mode.report.removed.chars.to_string());
        if self.modes.iter().any(|mode| mode.report.removed.tokens.is_some()) {
            row("tokens removed", &|mode| {
                mode.report.removed.tokens.map_or_else(String::new, |tokens| tokens.to_string())
            });
        }
        row("recall of repeats", &|mode| format!("{:.4}", mode.recall));
        row("precision", &|mode| format!("{:.4}", mode.precision));
        row("pairs verified", &|mode| mode.report.verified.to_string());
        row("candidates passed over", &|mode| mode.report.passed_over.to_string());
        out.push_str("\n| kind | planted | lost, `safe` | lost, `arcaeon` | left, `safe` | left, `arcaeon` |\n|---|---:|---:|---:|---:|---:|\n");
        let kinds: BTreeSet<&str> =
            self.modes.iter().flat_map(|mode| mode.kinds.keys().copied()).collect();
        for kind in kinds {
            let of = |mode: &ModeOutcome| mode.kinds.get(kind).copied().unwrap_or_default();
            let column = |part: fn(KindOutcome) -> usize| {
                self.modes.iter().map(|mode| part(of(mode)).to_string()).collect::<Vec<_>>()
            };
            let _ = writeln!(
                out,
                "| {kind} | {} | {} | {} |",
                self.modes.first().map(of).unwrap_or_default().planted,
                column(|kind| kind.lost).join(" | "),
                column(|kind| kind.left).join(" | ")
            );
        }
        let _ = writeln!(
            out,
            "\nTwo near misses of one original may draw the same change: one of them is then a true repeat, and counts as \
             lost here.\n\nWritten by `{command}`."
        );
        out
    }
}

impl ModeOutcome {
    fn of(planted: &[Chunk], options: &Options) -> Result<Self> {
        let texts: Vec<&str> = planted.iter().map(|chunk| chunk.text.as_str()).collect();
        let found = dedupe_with(&texts, options)?;
        let kept: BTreeSet<usize> = found.kept.iter().map(|&at| planted[at].group).collect();
        let mut kinds: BTreeMap<&'static str, KindOutcome> = BTreeMap::new();
        for chunk in planted {
            kinds.entry(chunk.kind).or_default().planted += 1;
        }
        // Each group has one chunk that is no repeat, and which names what is lost when the whole group is.
        for chunk in planted.iter().filter(|chunk| !chunk.kind.starts_with("dup-")) {
            if !kept.contains(&chunk.group) {
                kinds.entry(chunk.kind).or_default().lost += 1;
            }
        }
        // A group's first kept member stands for it; each further one is a repeat that was left, of the kind that repeats.
        let mut stands: BTreeMap<usize, &'static str> = BTreeMap::new();
        for &at in &found.kept {
            let chunk = &planted[at];
            if let Some(first) = stands.insert(chunk.group, chunk.kind) {
                let kind = if chunk.kind.starts_with("dup-") { chunk.kind } else { first };
                kinds.entry(kind).or_default().left += 1;
            }
        }
        let sum = |part: fn(&KindOutcome) -> usize| kinds.values().map(part).sum::<usize>();
        let repeats = planted.iter().filter(|chunk| chunk.kind.starts_with("dup-")).count();
        let share = |part: usize, all: usize| if all == 0 { 0.0 } else { part as f64 / all as f64 };
        Ok(Self {
            recall: 1.0 - share(sum(|kind| kind.left), repeats),
            precision: 1.0 - share(sum(|kind| kind.lost), found.removed.len()),
            kinds,
            report: found.report,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_loses_less_than_arcaeon_and_the_report_shows_both() {
        let both = Comparison::run(5, 600, None).unwrap();
        let lost = |at: usize| both.modes[at].kinds.values().map(|kind| kind.lost).sum::<usize>();
        assert!(lost(0) <= 2 && lost(1) >= 15, "{} and {}", lost(0), lost(1));
        assert!(both.modes[0].recall >= 0.999, "{}", both.modes[0].recall);
        let text = both.markdown("a command");
        for part in [
            "600 chunks of seed 5",
            "hard-amount",
            "dup-wrap",
            "`arcaeon`",
            "Written by `a command`",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert_eq!(text, Comparison::run(5, 600, None).unwrap().markdown("a command"));
    }
}
