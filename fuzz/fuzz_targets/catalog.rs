//! Hunts JSON Schemas that are read in two ways, or whose calls are keyed wrongly.
#![cfg_attr(fuzzing, no_main)]

samecall_fuzz::target!(catalog);
