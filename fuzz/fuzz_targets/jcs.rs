//! Hunts texts of which two canonicalizers write two RFC 8785 forms.
#![cfg_attr(fuzzing, no_main)]

samecall_fuzz::target!(jcs);
