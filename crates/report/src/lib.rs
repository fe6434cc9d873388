//! Reads result files and writes tables and plots; never computes a score.
