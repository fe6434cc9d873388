//! Strategies of `proptest` and `Arbitrary` values: intents, spellings, changes, pairs and schemas.
//!
//! All but the schemas follow a tape of numbers. Shrinking makes the tape shorter or its numbers smaller, which
//! makes a plainer pair of the same kind; the label is derived anew from the tape, so it stays true.

mod schemas;

pub use schemas::{combinations, schemas};

use crate::catalog::builtin_catalog;
use crate::generator::Generator;
use crate::profile::Profile;
use arbitrary::{Arbitrary, Unstructured};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use samecall_call::{Call, Pair};
use std::sync::{Arc, OnceLock};

/// The longest tape: more than any pair of the built-in catalog asks for.
const TAPE: usize = 400;

/// How many productions a pair of the shared generator has.
const DEPTH: usize = 4;

/// A generator of the built-in catalog with hostile values and every production, made once. Its pairs
/// are never contradictions.
pub fn shared() -> &'static Arc<Generator> {
    static SHARED: OnceLock<Arc<Generator>> = OnceLock::new();
    SHARED.get_or_init(|| {
        let mut profile = Profile::builtin("uniform").expect("tests read the built-in profiles");
        profile.contradictions = 0;
        profile.hostile = 400;
        let generator = Generator::new(&builtin_catalog(), &profile, 0, DEPTH);
        Arc::new(generator.expect("tests read the built-in catalog"))
    })
}

/// A tape that begins with a retry (`Some(false)`), a change (`Some(true)`) or either.
fn tapes(changed: Option<bool>) -> impl Strategy<Value = Vec<u32>> {
    vec(any::<u32>(), 1..TAPE).prop_map(move |mut tape| {
        begin(&mut tape, changed);
        tape
    })
}

fn begin(tape: &mut [u32], changed: Option<bool>) {
    if let (Some(first), Some(changed)) = (tape.first_mut(), changed) {
        *first = if changed { u32::MAX } else { 0 };
    }
}

/// Pairs of both truths.
pub fn pairs() -> impl Strategy<Value = Pair> {
    tapes(None).prop_map(|tape| shared().pair_of_tape(&tape))
}

/// Two spellings of one intent: pairs labelled retry.
pub fn spellings() -> impl Strategy<Value = Pair> {
    tapes(Some(false)).prop_map(|tape| shared().pair_of_tape(&tape))
}

/// An intent and a neighbour of it: pairs labelled distinct.
pub fn changes() -> impl Strategy<Value = Pair> {
    tapes(Some(true)).prop_map(|tape| shared().pair_of_tape(&tape))
}

/// Plainly spelled calls.
pub fn intents() -> impl Strategy<Value = Call> {
    vec(any::<u32>(), 0..TAPE).prop_map(|tape| shared().call_of_tape(&tape))
}

/// A plainly spelled call, for fuzz targets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyIntent(pub Call);

/// Two spellings of one intent, for fuzz targets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnySpelling(pub Pair);

/// An intent and a neighbour of it, for fuzz targets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyChange(pub Pair);

/// A pair of either truth, for fuzz targets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyPair(pub Pair);

fn tape_of(bytes: &mut Unstructured<'_>, changed: Option<bool>) -> arbitrary::Result<Vec<u32>> {
    let count = (bytes.len() / 4).clamp(1, TAPE);
    let mut tape = Vec::with_capacity(count);
    for _ in 0..count {
        tape.push(u32::arbitrary(bytes)?);
    }
    begin(&mut tape, changed);
    Ok(tape)
}

impl<'a> Arbitrary<'a> for AnyIntent {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(AnyIntent(shared().call_of_tape(&tape_of(bytes, None)?)))
    }
}

impl<'a> Arbitrary<'a> for AnySpelling {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(AnySpelling(shared().pair_of_tape(&tape_of(bytes, Some(false))?)))
    }
}

impl<'a> Arbitrary<'a> for AnyChange {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(AnyChange(shared().pair_of_tape(&tape_of(bytes, Some(true))?)))
    }
}

impl<'a> Arbitrary<'a> for AnyPair {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(AnyPair(shared().pair_of_tape(&tape_of(bytes, None)?)))
    }
}

macro_rules! proptest_arbitrary {
    ($($name:ident: $strategy:expr;)*) => {$(
        impl proptest::arbitrary::Arbitrary for $name {
            type Parameters = ();
            type Strategy = proptest::strategy::BoxedStrategy<$name>;
            fn arbitrary_with((): ()) -> Self::Strategy {
                $strategy.prop_map($name).boxed()
            }
        }
    )*};
}

proptest_arbitrary! {
    AnyIntent: intents();
    AnySpelling: spellings();
    AnyChange: changes();
    AnyPair: pairs();
}
