//! Replays labelled pairs through keying strategies and counts what they get right and wrong, with intervals.
