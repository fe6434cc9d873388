//! The drift generator: one typed intent, many spellings, known truth.
//!
//! From a tool's schema it draws an **intent**, a typed value. A rendering grammar writes the intent in
//! other spellings: such pairs are retries. A change grammar makes a neighbour of it: such pairs are
//! distinct. No keyer is consulted, and [`truth`] checks the labels by decoding both sides on its own.
//!
//! ```
//! use samecall_drift::{Generator, Profile, builtin_catalog};
//!
//! let profile = Profile::builtin("uniform")?;
//! let generator = Generator::new(&builtin_catalog(), &profile, 7, 3)?;
//! let pairs = generator.batch(0, 100);
//! assert_eq!(pairs.len(), 100);
//! assert_eq!(pairs, generator.batch(0, 100));
//! # Ok::<(), samecall_drift::Error>(())
//! ```

mod catalog;
mod change;
mod choice;
mod draw;
mod error;
mod generator;
mod moment;
mod pieces;
mod plan;
mod production;
mod profile;
mod render;
mod side;
pub mod sweep;

#[cfg(feature = "testing")]
pub mod testing;
mod tree;
pub mod truth;
mod write;

pub use catalog::{builtin_catalog, builtin_catalog_with};
pub use error::{Error, Result};
pub use generator::{Generator, MAX_DEPTH, with_inline_schema};
pub use pieces::PIECES;
pub use production::{Grammar, Ground, ProductionInfo, productions};
pub use profile::Profile;
