//! Deduplication of text chunks, lexical and semantic: which texts say the same, and which only look alike.
