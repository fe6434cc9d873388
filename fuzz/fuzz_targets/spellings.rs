//! Hunts one intent in two spellings with two keys.
#![cfg_attr(fuzzing, no_main)]

samecall_fuzz::target!(spellings);
