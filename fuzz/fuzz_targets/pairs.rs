//! Hunts pair and log files that the command line's readers lose, or are lost on.
#![cfg_attr(fuzzing, no_main)]

samecall_fuzz::target!(pairs);
