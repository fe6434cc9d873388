//! What the frames of a state's log hold.

use serde::{Deserialize, Serialize};

use super::super::chunks::Chunk;
use super::super::judge::Verdict;
use super::super::model::Fingerprint;
use super::log::Frame;
use super::settings::Settings;
use crate::error::{Error, Result};

/// A change of a state, or what it begins with.
#[derive(Serialize, Deserialize)]
pub(super) enum Record {
    /// The first frame.
    Settings { settings: Settings, fingerprint: Option<Fingerprint> },
    /// Chunks that go and chunks that come, with the pairs of the latter; their vectors are the frame's values.
    Change {
        fingerprint: Fingerprint,
        remove: Vec<String>,
        add: Vec<Chunk>,
        pairs: Vec<StoredPair>,
    },
    /// Centroids to measure drift from; the frame's values, one row for each canonical.
    Baseline { canonicals: Vec<String> },
}

/// A pair above the threshold, by slot, with what the guard said.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredPair {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) similarity: f32,
    pub(super) verdict: Verdict,
}

/// The record of a frame; `wrong` makes an error of a reason.
pub(super) fn record(frame: &Frame, wrong: &dyn Fn(&str) -> Error) -> Result<Record> {
    serde_json::from_slice(&frame.json)
        .map_err(|_| wrong("a record of its log is not of this version"))
}
