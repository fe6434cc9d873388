//! The vocabulary of samecall.
