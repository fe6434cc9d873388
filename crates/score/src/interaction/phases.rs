//! The phases of E's pass: which rule works when, and why some pairs of rules must not be turned round.

use samecall_keyer::typed::TypedRule;

/// Why two rules must run in the order in which the pass runs them, where another order ends elsewhere.
pub(super) fn explanation(first: TypedRule, second: TypedRule) -> Option<&'static str> {
    use TypedRule as R;
    Some(match (first, second) {
        (R::UnwrapEnvelope, R::DefaultInserted) => {
            "an envelope is one undeclared member that stands alone; a default inserted beside it would keep it shut. \
             The pass opens envelopes first."
        }
        (R::FuzzyName, R::DefaultInserted) => {
            "a near name is read as a property that is absent; a default inserted first would take its place. The pass \
             reads names first."
        }
        (R::FuzzyName, R::NullAbsent | R::EmptyAbsent | R::VolatileLeftOut) => {
            "a near name beside the property itself stays undeclared, whatever that property holds; were the property \
             left out first, the near name would be read as it. The pass reads names as they were written."
        }
        (R::FuzzyName, R::UndeclaredIgnored) => {
            "a near name is read as the property that it nearly spells; left out first as undeclared, it would be lost. \
             The pass reads names first."
        }
        (R::DuplicateName, _) => {
            "a name written twice is one member where its values are equal by kind; without this rule such a call has no \
             key, so that no other rule alone changes it. The pass reads the values first and compares what it read."
        }
        _ => return None,
    })
}

/// The rules that read a value for this one: JSON that is carried as text, and a synonym in another case.
pub(super) fn reads_for(rule: TypedRule) -> &'static [TypedRule] {
    match rule {
        TypedRule::Alias => &[TypedRule::EnumCase, TypedRule::JsonText],
        _ => &[TypedRule::JsonText],
    }
}

/// In which phase of the pass a rule works.
pub(super) fn phase(rule: TypedRule) -> u8 {
    use TypedRule as R;
    match rule {
        R::NoArguments | R::TextWrapped | R::UnwrapEnvelope | R::ToolAlias => 0,
        // Only what is out of its envelope has a field, and so a kind that carried JSON is read by; what is read has
        // names, and a value whose name is read may be carried JSON.
        R::JsonText | R::ObjectText | R::ListText | R::NameNfc | R::FuzzyName => 1,
        R::Alias => 3,
        R::NullAbsent | R::EmptyAbsent | R::DefaultInserted | R::ProseDefault => 5,
        R::UndeclaredIgnored | R::VolatileLeftOut | R::PayloadApart | R::DuplicateName => 5,
        // What is empty as it was written is absent, and no list of one.
        R::ListWrap => 6,
        R::SetOrder | R::SetRepeat => 7,
        _ => 4,
    }
}
