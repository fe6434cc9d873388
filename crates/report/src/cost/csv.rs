//! The tables of the cost report as CSV, figures as the result has them.

use super::view::Cost;

type File = (String, Vec<u8>);

/// All CSV files: `expected.csv`, `breakeven.csv`, `map-<tool>.csv`, `sweep-<name>.csv`.
pub(super) fn files(cost: &Cost) -> Vec<File> {
    let mut files = vec![
        ("expected.csv".to_owned(), expected(cost)),
        ("breakeven.csv".to_owned(), breakeven(cost)),
    ];
    for tool in &cost.full.tools {
        let mut rows =
            vec![row(&["duplicate", "lost", "winner", "sure", "cost_per_million_calls"])];
        for (y, lost) in tool.map.lost.iter().enumerate() {
            for (x, duplicate) in tool.map.duplicate.iter().enumerate() {
                let cell = |grid: &[Vec<String>]| {
                    grid.get(y).and_then(|row| row.get(x)).cloned().unwrap_or_default()
                };
                let (winner, sure) = (cell(&tool.map.winner), cell(&tool.map.sure));
                rows.push(row(&[duplicate, lost, &winner, &sure, &cell(&tool.map.cost)]));
            }
        }
        files.push((format!("map-{}.csv", tool.name), rows.concat().into_bytes()));
    }
    for sweep in &cost.full.sweeps {
        let mut rows = vec![row(&[&sweep.y.parameter, &sweep.x.parameter, &sweep.metric])];
        for (y, cells) in sweep.y.values.iter().zip(&sweep.cells) {
            for (x, cell) in sweep.x.values.iter().zip(cells) {
                rows.push(row(&[y, x, cell]));
            }
        }
        files.push((format!("sweep-{}.csv", sweep.name), rows.concat().into_bytes()));
    }
    files
}

fn expected(cost: &Cost) -> Vec<u8> {
    let mut rows = vec![row(&[
        "tool",
        "candidate",
        "cost_per_million_calls",
        "low",
        "high",
        "cheapest_in_draws",
        "duplicates",
        "lost",
        "questions",
    ])];
    for tool in &cost.full.tools {
        for c in &tool.costs {
            let draws = c.cheapest_in.to_string();
            let [low, high] = &c.interval;
            let cells = [
                &tool.name,
                &c.name,
                &c.mean,
                low,
                high,
                &draws,
                &c.duplicates,
                &c.lost,
                &c.questions,
            ];
            rows.push(row(&cells.map(String::as_str)));
        }
    }
    rows.concat().into_bytes()
}

fn breakeven(cost: &Cost) -> Vec<u8> {
    let mut rows = vec![row(&["tool", "harm", "cheapest", "from", "from_low", "from_high"])];
    for tool in &cost.full.tools {
        for part in &tool.breakeven {
            for stretch in &part.stretches {
                // No interval on the first stretch; an end that no harm reaches is `never`.
                let ends = match &stretch.interval {
                    None => [String::new(), String::new()],
                    Some(ends) => ends.clone().map(|end| end.unwrap_or_else(|| "never".to_owned())),
                };
                let [low, high] = &ends;
                let cells = [&tool.name, &part.harm, &stretch.winner, &stretch.from, low, high];
                rows.push(row(&cells.map(String::as_str)));
            }
        }
    }
    rows.concat().into_bytes()
}

/// One line; a cell with a comma, quote or line break is quoted (RFC 4180).
fn row(cells: &[&str]) -> String {
    let quoted = cells.iter().map(|cell| {
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            (*cell).to_owned()
        }
    });
    format!("{}\n", quoted.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::row;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        assert_eq!(row(&["a", "b,c", "d\"e"]), "a,\"b,c\",\"d\"\"e\"\n");
    }
}
