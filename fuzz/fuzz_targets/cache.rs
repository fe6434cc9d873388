//! Hunts histories of calls on which the cache of an agent loop breaks one of its laws.
#![cfg_attr(fuzzing, no_main)]

samecall_fuzz::target!(cache);
