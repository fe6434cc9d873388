//! Names, orders and number formats that all tables and plots share.

use samecall_call::result::StrategyResult;
use std::collections::BTreeMap;

/// Strategies in the order of reports, with the short label that narrow tables use. Others follow by
/// name.
const ORDER: [(&str, &str); 13] = [
    ("raw", "A"),
    ("canonical", "B"),
    ("normalised", "C"),
    ("normalised-capital-t", "C-T"),
    ("scoped", "D"),
    ("agentforge", "AF"),
    ("jcs", "JCS"),
    ("typed", "E"),
    ("typed-prose", "E-pr"),
    ("typed-scoped", "E-sc"),
    ("constant", "const"),
    ("random", "rand"),
    ("refuse", "refu"),
];

/// Strategies that only test the scorer.
const CANARIES: [&str; 3] = ["constant", "random", "refuse"];

/// Whether a strategy only tests the scorer.
pub(crate) fn is_canary(strategy: &str) -> bool {
    CANARIES.contains(&strategy)
}

/// Where a strategy stands in the order of reports; those that are not in it last.
pub(crate) fn place(strategy: &str) -> usize {
    ORDER.iter().position(|(known, _)| *known == strategy).unwrap_or(ORDER.len())
}

/// The strategies of a set in the order of reports.
pub(crate) fn ordered(set: &BTreeMap<String, StrategyResult>) -> Vec<(&str, &StrategyResult)> {
    let place = |name: &str| {
        let known = ORDER.iter().position(|(known, _)| *known == name);
        // Canaries stand last, after strategies that are not in the list.
        match known {
            Some(place) if is_canary(name) => ORDER.len() + 1 + place,
            Some(place) => place,
            None => ORDER.len(),
        }
    };
    let mut list: Vec<_> = set.iter().map(|(name, result)| (name.as_str(), result)).collect();
    list.sort_by_key(|(name, _)| (place(name), *name));
    list
}

/// The same without canaries.
pub(crate) fn contenders(set: &BTreeMap<String, StrategyResult>) -> Vec<(&str, &StrategyResult)> {
    ordered(set).into_iter().filter(|(name, _)| !is_canary(name)).collect()
}

/// A label of few letters for narrow columns.
pub(crate) fn short(strategy: &str) -> String {
    if let Some((_, label)) = ORDER.iter().find(|(name, _)| *name == strategy) {
        return (*label).to_owned();
    }
    strategy.strip_prefix("external:").unwrap_or(strategy).chars().take(6).collect()
}

/// A share in percent with one decimal; exactly 0 and 100 without, and nothing else rounded to them.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    match (part, whole) {
        (_, 0) => "-".into(),
        (0, _) => "0".into(),
        _ if part == whole => "100".into(),
        _ => {
            let share = 100.0 * part as f64 / whole as f64;
            if share < 0.05 {
                "<0.1".into()
            } else if share >= 99.95 {
                ">99.9".into()
            } else {
                format!("{share:.1}")
            }
        }
    }
}

/// An upper bound in percent, rounded up so that it stays a bound: two significant digits.
pub(crate) fn bound(share: f64) -> String {
    let percent = 100.0 * share;
    if percent >= 100.0 {
        return "100".into();
    }
    let decimals = match percent {
        p if p >= 10.0 => 0,
        p if p >= 1.0 => 1,
        p if p >= 0.1 => 2,
        p if p >= 0.01 => 3,
        _ => 4,
    };
    let step = 10.0_f64.powi(decimals);
    // A hair less than the last digit is rounding of the bound itself.
    format!("{:.*}", decimals as usize, (percent * step - 1e-6).ceil() / step)
}

/// A two-sided interval in percent: whole numbers where it is wide, decimals where it is narrow.
pub(crate) fn range([low, high]: [f64; 2]) -> String {
    let (low, high) = (100.0 * low, 100.0 * high);
    let decimals = match high - low {
        width if width >= 2.0 => 0,
        width if width >= 0.2 => 1,
        _ => 2,
    };
    let end = |percent: f64| match percent {
        0.0 | 100.0 => percent.to_string(),
        _ => format!("{percent:.decimals$}"),
    };
    format!("{}-{}", end(low), end(high))
}

/// A label for people: `deliberate_repeat` reads `deliberate repeat`.
pub(crate) fn plain(label: &str) -> String {
    label.replace('_', " ")
}

/// A number with a comma between thousands.
pub(crate) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_they_should() {
        assert_eq!(
            [(0, 9), (9, 9), (1, 3), (1, 9999), (99_999, 100_000), (0, 0)]
                .map(|(p, w)| percent(p, w)),
            ["0", "100", "33.3", "<0.1", ">99.9", "-"]
        );
        assert_eq!([0.220_922, 0.0307, 0.000_001, 1.0].map(bound), ["23", "3.1", "0.0001", "100"]);
        assert_eq!(bound(0.22), "22");
        assert_eq!(range([0.072_972, 0.205_885]), "7-21");
        assert_eq!(range([0.9123, 0.9188]), "91.2-91.9");
        assert_eq!(range([0.992, 1.0]), "99.2-100");
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
