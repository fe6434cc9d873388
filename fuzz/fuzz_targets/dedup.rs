//! Hunts chunks on which the lexical deduper breaks one of its laws.
#![cfg_attr(fuzzing, no_main)]

samecall_fuzz::target!(dedup);
