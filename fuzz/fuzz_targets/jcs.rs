//! Hunts texts of which two canonicalizers write two RFC 8785 forms.
#![cfg_attr(fuzzing, no_main)]

samecall_fuzz::target!(|bytes| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        samecall_oracle::jcs::check(text);
    }
});
