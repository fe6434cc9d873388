//! A logarithmic axis: where a value stands, and which values are marked.

/// A logarithmic axis from a value to a value, drawn from a place to a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Log {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Log {
    /// An axis over whole decades that hold all of the values; values of 0 and less are left out.
    pub(super) fn decades(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|v| *v > 0.0 && v.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        let (low, high) = (low.log10().floor(), high.log10().ceil());
        Log { low, high: if high > low { high } else { low + 1.0 }, from, to }
    }

    /// Where a value stands; below the axis, at its start.
    pub(super) fn at(&self, value: f64) -> f64 {
        let place = if value > 0.0 { value.log10() } else { self.low };
        let share = ((place - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + (self.to - self.from) * share
    }

    /// The decades, with where they stand.
    pub(super) fn marks(&self) -> Vec<(f64, f64)> {
        let mut marks = Vec::new();
        let mut power = self.low;
        while power <= self.high {
            let value = 10f64.powf(power);
            marks.push((value, self.at(value)));
            power += 1.0;
        }
        marks
    }
}

/// Dollars in few letters: `$0.01`, `$20`, `$5k`, `$3M`.
pub(super) fn short_dollars(value: f64) -> String {
    let (n, unit) = match value {
        v if v >= 1e9 => (v / 1e9, "B"),
        v if v >= 1e6 => (v / 1e6, "M"),
        v if v >= 1e3 => (v / 1e3, "k"),
        v => (v, ""),
    };
    let text = if n >= 100.0 || n.fract().abs() < 0.05 {
        format!("{n:.0}")
    } else if n >= 1.0 {
        format!("{n:.1}")
    } else {
        format!("{n:.2}")
    };
    format!("${text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_holds_its_values_in_whole_decades() {
        let axis = Log::decades([3.0, 0.0, 700.0].into_iter(), 0.0, 300.0);
        let marks: Vec<f64> = axis.marks().iter().map(|m| m.0.round()).collect();
        assert_eq!(marks, [1.0, 10.0, 100.0, 1000.0]);
        assert!((axis.at(10.0) - 100.0).abs() < 1e-9);
        assert!(axis.at(0.0).abs() < 1e-9);
    }

    #[test]
    fn dollars_are_short() {
        let texts = [0.05, 1.0, 2.5, 20.0, 5_000.0, 3.4e6].map(short_dollars);
        assert_eq!(texts, ["$0.05", "$1", "$2.5", "$20", "$5k", "$3.4M"]);
    }
}
