//! The article's published table beside ours.

use crate::error::Result;
use crate::table::Table;
use samecall_call::result::Results;
use serde::Deserialize;

/// The table as the article published it.
#[derive(Debug, Clone, Deserialize)]
struct Published {
    set: String,
    retries: u64,
    value_changed: u64,
    deliberate_repeats: u64,
    row: Vec<Row>,
}

#[derive(Debug, Clone, Deserialize)]
struct Row {
    letter: String,
    strategy: String,
    retry: u64,
    value_changed: u64,
    deliberate_repeat: u64,
}

/// The comparison, where the results hold the article's corpus.
///
/// # Errors
/// When the published table shipped with this crate cannot be read.
pub(crate) fn comparison(results: &Results) -> Result<Option<Table>> {
    let published: Published = toml::from_str(include_str!("../data/article.toml"))?;
    let Some(set) = results.sets.get(&published.set) else { return Ok(None) };
    let mut rows = Vec::new();
    let mut agree = true;
    for row in &published.row {
        let ours = set.get(&row.strategy).map(|r| {
            let same = |why: &str| r.by_truth.distinct.by_why.get(why).map_or(0, |t| t.same);
            [r.caught, same("value_changed"), same("deliberate_repeat")]
        });
        let theirs = [row.retry, row.value_changed, row.deliberate_repeat];
        agree &= ours == Some(theirs);
        let mut cells = vec![format!("{} {}", row.letter, row.strategy)];
        for (index, their) in theirs.iter().enumerate() {
            cells.push(their.to_string());
            cells.push(ours.map_or("-".into(), |ours| ours[index].to_string()));
        }
        rows.push(cells);
    }
    let sentence = if agree {
        "The article did not publish its corpus: this one is a reconstruction that agrees with its totals."
    } else {
        "The article did not publish its corpus: this one is a reconstruction, and it does NOT agree \
         with the published totals."
    };
    let mut note = sentence.to_owned();
    if let Some(phase) =
        results.details.get(&published.set).and_then(|d| d.serializer_phase.as_ref())
    {
        let counts: Vec<String> = phase.caught.iter().map(u64::to_string).collect();
        let rotation: Vec<&str> = phase
            .rotation
            .iter()
            .map(|name| name.strip_prefix("serializer_").unwrap_or(name))
            .collect();
        note.push_str(&format!(
            " What A catches depends on where the rotation of serializers ({}) starts: {} of {} as \
             recorded, {} and {} when each retry takes the next one or the one after.",
            rotation.join(", "),
            counts.first().map_or("-", String::as_str),
            phase.retry,
            counts.get(1).map_or("-", String::as_str),
            counts.get(2).map_or("-", String::as_str),
        ));
    }
    let pairs = [published.retries, published.value_changed, published.deliberate_repeats];
    let names = ["retries caught", "changes merged", "repeats merged"];
    let mut columns = vec!["strategy".to_owned()];
    for (name, n) in names.iter().zip(pairs) {
        columns.push(format!("{name}\nof {n}: article"));
        columns.push("ours".into());
    }
    Ok(Some(Table { title: "The article's published table and ours".into(), columns, rows, note }))
}
