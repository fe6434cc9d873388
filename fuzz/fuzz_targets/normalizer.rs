//! Hunts rules that undo each other, give one intent two keys, or two intents one.
#![cfg_attr(fuzzing, no_main)]

samecall_fuzz::target!(normalizer);
