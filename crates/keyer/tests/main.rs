//! The tests from outside, as one program: six would be linked six times, and once for every mutant.

mod common;

mod corpora;
mod differential;
mod goldens;
mod surface;
mod typed;
mod unicode_tables;
mod vectors;
