//! What a missed retry, a lost effect and a store cost: token counts, dated price books, store billing,
//! sweeps, and expected harm with its uncertainty.
//!
//! Money is exact decimals in dollars; units are types. [`article`] keeps the article's arithmetic as it
//! was; [`full`], [`store`] and [`transcript`] bill what is billed; [`harm`] adds what a wrong answer does
//! to the world, from verdicts that replays counted ([`verdicts`]), rates ([`rates`]) and losses
//! ([`losses`]); [`breakeven`] says which strategy is cheapest where. [`run()`] joins it all.

pub mod article;
pub mod book;
pub mod breakeven;
mod doc;
mod error;
pub mod full;
pub mod harm;
pub mod inputs;
pub mod losses;
pub mod posterior;
pub mod rates;
pub mod repeats;
pub mod result;
mod run;
pub mod scenario;
pub mod situation;
pub mod store;
pub mod sweep;
pub mod tokens;
mod tools;
pub mod transcript;
mod units;
pub mod verdicts;

pub use error::{Error, Result};
pub use run::run;
pub use units::{
    Bytes, Calls, Days, HalfReadUnits, Minutes, PerGbMonth, PerHour, PerMillion, ReadUnits, Share,
    Tokens, Turns, Usd, WriteUnits,
};
