//! Hunts chunks with vectors on which deduplication by meaning breaks one of its laws.
#![cfg_attr(fuzzing, no_main)]

samecall_fuzz::target!(semantic);
