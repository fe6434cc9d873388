//! Hunts raw bytes that the strict reader and `serde_json` read in two ways.
#![cfg_attr(fuzzing, no_main)]

samecall_fuzz::target!(reader);
