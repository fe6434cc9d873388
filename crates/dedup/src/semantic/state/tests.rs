//! Tests of the state.
