//! What the laws about generated calls share: the built-in catalog and a generator of hostile pairs, made once.

use crate::input::LEFT_OUT;
use samecall_call::{Catalog, Pair, Resolver, Tool};
use samecall_drift::{Generator, Profile, builtin_catalog};
use std::sync::{Arc, OnceLock};

/// Productions on one pair.
const DEPTH: usize = 4;

/// A catalog and a generator.
pub struct World {
    resolver: Resolver,
    generator: Generator,
}

impl World {
    /// The world of the built-in catalog and the profile `hostile`.
    pub fn shared() -> &'static World {
        static SHARED: OnceLock<World> = OnceLock::new();
        SHARED.get_or_init(|| {
            let catalog = builtin_catalog();
            // Both ship with samecall, and tests of `drift` read them.
            let profile = Profile::builtin("hostile").expect("the built-in profile is read");
            let generator = Generator::new(&catalog, &profile, 0, DEPTH);
            World {
                generator: generator.expect("the built-in catalog has tools"),
                resolver: Resolver::new(catalog),
            }
        })
    }

    /// The tools.
    pub fn catalog(&self) -> &Catalog {
        self.resolver.catalog()
    }

    /// The pair that a tape makes.
    pub fn pair(&self, tape: &[u32]) -> Pair {
        let left_out = tape.get(LEFT_OUT).map_or(0, |number| number >> 16);
        self.generator.pair_of_tape_without(&tape[..tape.len().min(LEFT_OUT)], left_out)
    }

    /// The tools of a pair's calls, where they are known. A schema with a misspelt annotation knows none.
    pub fn tools(&self, pair: &Pair) -> [Option<Arc<Tool>>; 2] {
        self.resolver.resolve_pair(pair).unwrap_or([None, None])
    }
}
