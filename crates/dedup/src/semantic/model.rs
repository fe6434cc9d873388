//! Which model embeddings come from. Vectors of two models must never be compared: cosines between them mean nothing.

use blake2::{Blake2s256, Digest};
use serde::{Deserialize, Serialize};

use super::vectors::Vectors;
use crate::error::{Error, Result};

/// What is known of a model. Stored with every result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Its name, where the user gave one.
    pub name: Option<String>,
    /// Values of a vector.
    pub dimension: usize,
    /// Whether its vectors come with length 1.
    pub normalised: bool,
    /// Digest of the embeddings of a fixed set of texts, where the user gave one.
    pub probe: Option<String>,
}

impl Fingerprint {
    /// The fingerprint of these vectors.
    pub fn of(vectors: &Vectors, name: Option<&str>, probe: Option<&str>) -> Self {
        Self {
            name: name.map(str::to_owned),
            dimension: vectors.dimension(),
            normalised: vectors.is_unit(),
            probe: probe.map(str::to_owned),
        }
    }

    /// Whether vectors of `other` may be compared with those of `self`. What one side does not know is not held against it.
    ///
    /// # Errors
    /// [`Error::Model`] names the first difference.
    pub fn accepts(&self, other: &Self) -> Result<()> {
        let differ = |what: &str, mine: String, theirs: String| Error::Model {
            reason: format!("{what} is {theirs}, that of the stored vectors is {mine}"),
        };
        if self.dimension != other.dimension {
            return Err(differ(
                "the dimension",
                self.dimension.to_string(),
                other.dimension.to_string(),
            ));
        }
        for (what, mine, theirs) in [
            ("the model's name", &self.name, &other.name),
            ("the probe digest", &self.probe, &other.probe),
        ] {
            if let (Some(mine), Some(theirs)) = (mine, theirs)
                && mine != theirs
            {
                return Err(differ(what, format!("`{mine}`"), format!("`{theirs}`")));
            }
        }
        if self.normalised != other.normalised {
            let say = |unit: bool| if unit { "length 1" } else { "other lengths" }.to_owned();
            return Err(differ("the vectors' length", say(self.normalised), say(other.normalised)));
        }
        Ok(())
    }
}

/// Lowest cosine of two embeddings of one text by one model; f16 rounding and batching stay above it.
pub const SAME_TEXT: f32 = 0.99;

/// Digest of a probe set: texts with their embeddings, rounded to half precision so that storage does not matter.
pub fn probe_digest(texts: &[&str], vectors: &Vectors) -> String {
    let mut hash = Blake2s256::new();
    hash.update((vectors.dimension() as u64).to_le_bytes());
    for (at, text) in texts.iter().enumerate() {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
        for value in vectors.row(at) {
            hash.update(half::f16::from_f32(*value).to_le_bytes());
        }
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
