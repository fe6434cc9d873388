//! Keyers: from a tool call to the key that says which calls are the same.
//!
//! A [`Keyer`] is one strategy, one file under `strategy`; [`by_name`] finds it. What a strategy does to values is a
//! list of named [`rules`]; how it writes them is a [`form`]; the article's strategies rest on CPython's own text and
//! number semantics in [`python`].
//!
//! ```
//! use samecall_call::Call;
//! use samecall_keyer::{Outcome, by_name};
//!
//! let keyer = by_name("normalised").unwrap();
//! let first = Call::new("charge_card", r#"{"amount": 4200, "currency": "USD"}"#);
//! let again = Call::new("charge_card", r#"{"currency":"usd","amount":4200.0,"memo":null}"#);
//! let (Outcome::Key(first), Outcome::Key(again)) = (keyer.key(&first, None), keyer.key(&again, None)) else {
//!     panic!("both are well-formed");
//! };
//! assert_eq!(first.key, again.key);
//! ```

pub mod form;
mod key;
mod keyer;
pub mod python;
mod refusal;
mod registry;
pub mod rules;
pub mod strategy;
pub mod typed;
mod verdict;

pub use key::{Key, Keyed, Parts};
pub use keyer::{Explanation, Fired, Keyer, Outcome};
pub use refusal::Refusal;
pub use registry::{Entry, by_name, names, registry};
pub use verdict::verdict;
