//! One hunt: every input through a target's laws, each kind of find shrunk, printed and written once.
//!
//! libFuzzer stops at the first crash. A strategy that claims to break no law is hunted so: the first new find panics, and
//! the fuzzer keeps the input. Of any other strategy many finds are expected, so they are collected: one file for each
//! law and class, the hunt goes on, and at its end the program exits with status 1 where there was any.

use crate::accepted::{self, Accepted};
use crate::last;
use crate::laws::{self, Ground, Target};
use samecall_oracle::planted;
use samecall_oracle::record::Record;
use samecall_oracle::search::Memory;
use samecall_oracle::subject::{CLEAN, DEFAULT, Subject};
use samecall_oracle::{Broken, Evidence, shrink};
use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// What is done with a new find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// The run ends at the first one.
    Stop,
    /// The run goes on, and fails at its end.
    Collect,
    /// The run goes on up to a find of this law whose class has all these names.
    Until(String, Vec<String>),
}

/// A hunt and what it has seen.
pub struct Hunt {
    target: &'static Target,
    ground: Ground,
    mode: Mode,
    accepted: Vec<Accepted>,
    folder: PathBuf,
    started: Instant,
    executions: u64,
    seen: BTreeMap<&'static str, u64>,
    repeats: u64,
    known: Vec<Known>,
    finds: Vec<Find>,
}

/// A kind of find that is not looked at again.
struct Known {
    law: &'static str,
    class: Vec<String>,
    /// Whether a class that has more names besides is of this kind too. What is accepted is accepted as it stands, and
    /// that no name is known says nothing of what has names.
    with_more: bool,
}

impl Known {
    fn covers(&self, broken: &Broken) -> bool {
        let more = self.with_more && self.class.iter().all(|name| broken.class.contains(name));
        self.law == broken.law && (more || self.class == broken.class)
    }
}

/// How long a find may be made smaller. A fuzzer takes an input of 20 seconds for a hang, and the find would be lost.
const SHRINKING: Duration = Duration::from_secs(5);

/// One find.
#[derive(Debug, Clone)]
pub struct Find {
    /// What was found, as small as it became.
    pub broken: Broken,
    /// Executions up to it.
    pub executions: u64,
    /// Time up to it.
    pub after: Duration,
    /// Whether `fuzz/accepted.toml` has it.
    pub accepted: bool,
}

impl Hunt {
    /// The hunt that the environment asks for: the strategy `SAMECALL_STRATEGY`; `SAMECALL_FINDS`, which is `stop`,
    /// `collect` or `until:LAW:NAME+NAME`; and the folder of finds `SAMECALL_FINDS_DIR`.
    ///
    /// # Errors
    /// A sentence that names the variable or the file.
    pub fn of_environment(target: &'static Target) -> Result<Self, String> {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let strategy = variable("SAMECALL_STRATEGY").unwrap_or_else(|| DEFAULT.to_owned());
        let subject =
            planted::subject(&strategy).map_err(|reason| format!("SAMECALL_STRATEGY: {reason}"))?;
        let mode = match variable("SAMECALL_FINDS").as_deref() {
            None if !target.has_subject || CLEAN.contains(&strategy.as_str()) => Mode::Stop,
            None | Some("collect") => Mode::Collect,
            Some("stop") => Mode::Stop,
            Some(other) => match other.strip_prefix("until:").and_then(|rest| rest.split_once(':'))
            {
                Some((law, class)) => {
                    let class = class.split('+').filter(|name| !name.is_empty());
                    Mode::Until(law.to_owned(), class.map(str::to_owned).collect())
                }
                None => {
                    return Err(format!(
                        "SAMECALL_FINDS: `{other}` is not stop, collect or until:LAW:CLASS"
                    ));
                }
            },
        };
        let folder = match variable("SAMECALL_FINDS_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => crate::root().join("fuzz/finds").join(strategy.replace([':', ','], "-")),
        };
        let mut hunt = Self::new(target, subject).in_mode(mode);
        hunt.accepted = accepted::read()?;
        hunt.folder = folder;
        Ok(hunt)
    }

    /// A hunt that collects, writes nothing and accepts nothing.
    pub fn new(target: &'static Target, subject: Subject) -> Self {
        Hunt {
            target,
            ground: Ground { subject, memory: Memory::default() },
            mode: Mode::Collect,
            accepted: Vec::new(),
            folder: PathBuf::new(),
            started: Instant::now(),
            executions: 0,
            seen: BTreeMap::new(),
            repeats: 0,
            known: Vec::new(),
            finds: Vec::new(),
        }
    }

    /// The same hunt in another mode.
    pub fn in_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// What was found so far, accepted finds left out.
    pub fn finds(&self) -> Vec<&Find> {
        self.finds.iter().filter(|find| !find.accepted).collect()
    }

    /// Whether something was found that `fuzz/accepted.toml` has.
    pub fn accepts(&self) -> bool {
        self.finds.iter().any(|find| find.accepted)
    }

    /// How often the laws saw what.
    pub fn seen(&self) -> &BTreeMap<&'static str, u64> {
        &self.seen
    }

    fn strategy(&self) -> &str {
        if self.target.has_subject { self.ground.subject.name() } else { "" }
    }

    /// Asks the laws of one input.
    ///
    /// # Panics
    /// At a find that ends the run.
    pub fn input(&mut self, bytes: &[u8]) {
        self.executions += 1;
        match self.target.ask(bytes, &mut self.ground) {
            Ok(word) => *self.seen.entry(word).or_default() += 1,
            Err(broken) => {
                *self.seen.entry("broken").or_default() += 1;
                self.broken(*broken, bytes);
            }
        }
    }

    fn is_known(&self, broken: &Broken) -> bool {
        self.known.iter().any(|known| known.covers(broken))
    }

    fn broken(&mut self, broken: Broken, bytes: &[u8]) {
        if self.is_known(&broken) {
            self.repeats += 1;
            return;
        }
        let broken = quietly(broken.law, || self.smallest(broken, bytes));
        if self.is_known(&broken) {
            self.repeats += 1;
            return;
        }
        let accepted =
            self.accepted.iter().any(|entry| entry.covers(self.ground.subject.name(), &broken));
        let with_more = !accepted && !broken.class.is_empty();
        self.known.push(Known { law: broken.law, class: broken.class.clone(), with_more });
        let find = Find {
            accepted,
            executions: self.executions,
            after: self.started.elapsed(),
            broken: broken.clone(),
        };
        self.finds.push(find.clone());
        if accepted {
            return;
        }
        self.show(&find);
        self.write_summary(false);
        let ends = match &self.mode {
            Mode::Stop => true,
            Mode::Collect => false,
            Mode::Until(law, class) => {
                broken.law == law && class.iter().all(|name| broken.class.contains(name))
            }
        };
        if ends {
            self.summary();
            panic!("{}: {broken}", self.target.name);
        }
    }

    /// The same law broken by fewer and smaller bytes, and by no class that was not there before.
    fn smallest(&self, broken: Broken, bytes: &[u8]) -> Broken {
        let mut best = broken;
        let (target, input) = match &best.input {
            Some(input) => (&laws::normalizer, input.clone()),
            None => (self.target, bytes.to_vec()),
        };
        // Without what this run remembers, so that the evidence stands alone.
        let Ok(subject) = planted::subject(self.ground.subject.name()) else { return best };
        let mut ground = Ground { subject, memory: Memory::default() };
        let started = Instant::now();
        let mut still = |tried: &[u8], best: &mut Broken| {
            if started.elapsed() > SHRINKING {
                return false;
            }
            match target.ask(tried, &mut ground) {
                Err(found)
                    if found.law == best.law
                        && found.class.iter().all(|name| best.class.contains(name)) =>
                {
                    *best = *found;
                    true
                }
                _ => false,
            }
        };
        // Only a pair that a tape draws has renderings.
        let fewer = match &best.evidence {
            Evidence::Bytes(_) => Vec::new(),
            Evidence::Pair(_) | Evidence::Drawn(..) => shrink::fewer_renderings(&input),
        };
        let fewer = fewer.into_iter().find(|fewer| {
            let mut found = best.clone();
            let broken = still(fewer, &mut found) && found.class.len() < best.class.len();
            if broken {
                best = found;
            }
            broken
        });
        shrink::smallest(&fewer.unwrap_or(input), |tried| still(tried, &mut best));
        best
    }

    fn show(&self, find: &Find) {
        let broken = &find.broken;
        let record = Record::of(broken, self.target.name, self.strategy());
        let mut text = format!(
            "\nsamecall: {} finds {broken}\n  after {} executions, {:.1} s",
            self.target.name,
            find.executions,
            find.after.as_secs_f64()
        );
        if !self.folder.as_os_str().is_empty() {
            let path = self.folder.join(record.file_name());
            let written = fs::create_dir_all(&self.folder)
                .and_then(|()| fs::write(path.with_extension("tmp"), record.to_json()))
                .and_then(|()| fs::rename(path.with_extension("tmp"), &path));
            // Writing to a String cannot fail.
            let _ = match written {
                Ok(()) => write!(text, "; written to {}", path.display()),
                Err(error) => write!(text, "; not written to {}: {error}", path.display()),
            };
        }
        if let Evidence::Bytes(bytes) = &broken.evidence {
            let _ = write!(text, "\n  bytes {}", bytes.escape_ascii());
        }
        if let Evidence::Pair(pair) | Evidence::Drawn(pair, _) = &broken.evidence {
            let form = |call| {
                let explained = self.ground.subject.keyer().explain(call, None);
                explained.and_then(Result::ok).map(|explained| explained.form)
            };
            for (side, call) in [("a", &pair.a), ("b", &pair.b)] {
                let _ = write!(text, "\n  {side}  {}", call.to_json());
                if let Some(form) = form(call).filter(|_| self.ground.subject.list().is_some()) {
                    let _ = write!(text, "\n     {form}");
                }
            }
        }
        eprintln!("{text}");
    }

    /// Prints what the run saw, and writes it to the file `SAMECALL_SUMMARY`, where one is named.
    fn summary(&self) {
        let counts: Vec<String> =
            self.seen.iter().map(|(word, count)| format!("{word} {count}")).collect();
        let new = self.finds().len();
        eprintln!(
            "\nsamecall: {} of {}: {} executions, {:.1} s, {new} new finds, {} accepted, {} repeats\nsamecall: saw {}",
            self.target.name,
            self.ground.subject.name(),
            self.executions,
            self.started.elapsed().as_secs_f64(),
            self.finds.len() - new,
            self.repeats,
            counts.join(", ")
        );
        self.write_summary(true);
    }

    /// Writes the summary, where it is asked for; also before the end, since a crash may come with any input.
    fn write_summary(&self, ended: bool) {
        if let Ok(path) = env::var("SAMECALL_SUMMARY")
            && let Err(error) = fs::write(&path, self.summary_json(ended))
        {
            eprintln!("samecall: {path}: {error}");
        }
    }

    /// The summary as one JSON object: `target`, `strategy`, `executions`, `seconds`, `seen`, `finds`, and whether the run
    /// has `ended`.
    fn summary_json(&self, ended: bool) -> String {
        let seen: Vec<String> =
            self.seen.iter().map(|(word, count)| format!("{word:?}: {count}")).collect();
        let finds: Vec<String> = self
            .finds
            .iter()
            .map(|find| {
                format!(
                    "{{\"law\": {:?}, \"class\": {:?}, \"executions\": {}, \"seconds\": {:.2}, \"accepted\": {}}}",
                    find.broken.law,
                    find.broken.class_name(),
                    find.executions,
                    find.after.as_secs_f64(),
                    find.accepted
                )
            })
            .collect();
        format!(
            "{{\"target\": {:?}, \"strategy\": {:?}, \"executions\": {}, \"seconds\": {:.2}, \"seen\": {{{}}}, \"finds\": [{}], \"ended\": {ended}}}\n",
            self.target.name,
            self.strategy(),
            self.executions,
            self.started.elapsed().as_secs_f64(),
            seen.join(", "),
            finds.join(", ")
        )
    }
}

/// Does what may panic many times over without a message for each. Under a fuzzer a panic ends the program, which is then
/// the fuzzer's to say.
fn quietly<T>(law: &str, work: impl FnOnce() -> T) -> T {
    if cfg!(fuzzing) || law != laws::CRASHES[0] {
        return work();
    }
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let done = work();
    std::panic::set_hook(hook);
    done
}

static HUNT: OnceLock<Mutex<Hunt>> = OnceLock::new();

/// What is left to do when the fuzzer ends the program: it exits from the thread that called us, and the values of that
/// thread are dropped then.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        let Some(hunt) = HUNT.get() else { return };
        let hunt = hunt.lock().unwrap_or_else(PoisonError::into_inner);
        hunt.summary();
        if !hunt.finds().is_empty() {
            std::process::exit(1);
        }
    }
}

thread_local! {
    static END: End = const { End };
}

/// One input of a fuzzer.
///
/// # Panics
/// At a find that ends the run, and where the environment asks for what there is not.
pub fn run(target: &'static Target, bytes: &[u8]) {
    let hunt = HUNT.get_or_init(|| {
        END.with(|_| ());
        match Hunt::of_environment(target) {
            Ok(hunt) => Mutex::new(hunt),
            Err(reason) => panic!("{reason}"),
        }
    });
    last::keep(bytes);
    hunt.lock().unwrap_or_else(PoisonError::into_inner).input(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    static FAKE: Target = Target {
        name: "fake",
        has_subject: true,
        law: |bytes, _| {
            let class = match bytes {
                b"one" => vec!["a"],
                b"both" => vec!["a", "b"],
                b"none" => Vec::new(),
                b"boom" => panic!("a fault"),
                _ => return Ok("fine"),
            };
            Err(Broken::new("spelling", class, "why", Evidence::Bytes(bytes.to_vec())))
        },
    };

    fn hunt(inputs: &[&str], accepted: &[&str]) -> Vec<String> {
        let mut hunt = Hunt::new(&FAKE, Subject::named(DEFAULT).expect("a strategy"));
        if !accepted.is_empty() {
            hunt.accepted.push(Accepted {
                strategy: DEFAULT.to_owned(),
                law: "spelling".to_owned(),
                class: accepted.iter().map(|name| (*name).to_owned()).collect(),
                reason: "a test".to_owned(),
            });
        }
        inputs.iter().for_each(|input| hunt.input(input.as_bytes()));
        hunt.finds().iter().map(|find| find.broken.class_name()).collect()
    }

    #[test]
    fn one_kind_of_find_is_kept_once() {
        assert_eq!(hunt(&["one", "two", "one", "both"], &[]), ["a"], "both has a and more");
        assert_eq!(hunt(&["both", "one", "both"], &[]), ["a+b", "a"]);
    }

    #[test]
    fn what_is_accepted_hides_nothing_else() {
        assert_eq!(hunt(&["one", "both"], &["a"]), ["a+b"]);
    }

    #[test]
    fn what_has_no_class_hides_nothing_else() {
        assert_eq!(hunt(&["none", "one", "none"], &[]), ["any", "a"]);
    }

    #[test]
    fn a_panic_is_a_find() {
        let mut hunt = Hunt::new(&FAKE, Subject::named(DEFAULT).expect("a strategy"));
        hunt.input(b"boom");
        hunt.input(b"boom");
        let [find] = hunt.finds()[..] else { panic!("{:?}", hunt.finds()) };
        assert_eq!((find.broken.law, &*find.broken.class), ("panic", &["fake".to_owned()][..]));
        assert_eq!(find.broken.evidence, Evidence::Bytes(b"boom".to_vec()));
    }
}
