//! How arguments are written before they are hashed: as CPython's `json.dumps` writes them, or as ECMAScript does.

pub mod ecma;
pub mod python;
