//! Single calls and pairs whose received values are shown: what an executor drops and inserts, and where executors
//! part.

use super::Executor;
use super::equality::{Likeness, compare};
use super::listing::{Asked, SurpriseAsked};
use super::protocol::{Answer, answer, line, readable};
use super::tally::Taken;
use crate::error::{Error, Result};
use samecall_call::executors::{Ended, Probe, Surprise, Taken as Shown};
use samecall_call::{Call, Tool};
use std::collections::BTreeMap;

/// Everything that is asked, as calls in order, and what came back.
#[derive(Debug)]
pub(super) struct Sheet {
    lines: Vec<String>,
    pub(super) probes: Vec<Probe>,
    pub(super) surprises: Vec<Surprise>,
}

impl Sheet {
    /// The calls of a file of questions.
    ///
    /// # Errors
    /// When a schema in it is none.
    pub(super) fn new(asked: &Asked) -> Result<Self> {
        let mut lines = Vec::new();
        let mut call = |parameters: &str, arguments: &str, what: &str| -> Result<()> {
            let tool = Tool::new("tool", "", parameters, None).map_err(|reason| Error::Source {
                name: format!("the question `{what}`"),
                reason,
            })?;
            lines.push(line(&Call::new("tool", arguments), &tool));
            Ok(())
        };
        for probe in &asked.probes {
            call(&probe.parameters, &probe.arguments, &probe.asks)?;
        }
        for pair in &asked.surprises {
            call(&pair.parameters, &pair.a, &pair.says)?;
            call(&pair.parameters, &pair.b, &pair.says)?;
        }
        let probes = asked.probes.iter().map(|probe| Probe {
            asks: probe.asks.clone(),
            rule: probe.rule.clone(),
            parameters: probe.parameters.clone(),
            arguments: probe.arguments.clone(),
            received: BTreeMap::new(),
        });
        let surprise = |pair: &SurpriseAsked| Surprise {
            says: pair.says.clone(),
            parameters: pair.parameters.clone(),
            a: pair.a.clone(),
            b: pair.b.clone(),
            taken: BTreeMap::new(),
        };
        Ok(Sheet {
            probes: probes.collect(),
            surprises: asked.surprises.iter().map(surprise).collect(),
            lines,
        })
    }

    /// Asks one executor. Answers how its run ended.
    pub(super) fn ask(&self, executor: &dyn Executor) -> (Ended, Vec<String>) {
        let mut answers = Vec::new();
        let ended = executor.run(Box::new(self.lines.clone().into_iter()), &mut |line| {
            answer(line)?;
            answers.push(line.to_owned());
            Ok(())
        });
        (ended, answers)
    }

    /// Notes what an executor answered.
    pub(super) fn note(&mut self, executor: &str, answers: &[String]) {
        let shown = |answer: &Answer<'_>| match answer {
            Answer::Received(value) => readable(value),
            Answer::Refused => "refused".to_owned(),
        };
        let mut answers = answers.iter().filter_map(|line| answer(line).ok());
        for probe in &mut self.probes {
            let Some(answer) = answers.next() else { return };
            probe.received.insert(executor.to_owned(), shown(&answer));
        }
        for surprise in &mut self.surprises {
            let (Some(a), Some(b)) = (answers.next(), answers.next()) else { return };
            let how = taken(&a, &b).as_str().to_owned();
            surprise.taken.insert(executor.to_owned(), Shown { how, a: shown(&a), b: shown(&b) });
        }
    }
}

/// How two answers stand to one another.
pub(super) fn taken(a: &Answer<'_>, b: &Answer<'_>) -> Taken {
    match (a, b) {
        (Answer::Received(a), Answer::Received(b)) => Taken::Both(compare(a, b)),
        (Answer::Refused, Answer::Refused) => Taken::None,
        _ => Taken::One,
    }
}

/// The same where the two calls go to different handlers: nothing is received as equal.
pub(super) fn taken_apart(a: &Answer<'_>, b: &Answer<'_>) -> Taken {
    match taken(a, b) {
        Taken::Both(_) => Taken::Both(Likeness::Unequal),
        other => other,
    }
}
