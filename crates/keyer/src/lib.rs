//! Keyers: from a tool call to the key that says which calls are the same.
