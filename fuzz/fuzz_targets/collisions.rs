//! Hunts two distinct intents with one key, in a directed search.
#![cfg_attr(fuzzing, no_main)]

samecall_fuzz::target!(collisions);
