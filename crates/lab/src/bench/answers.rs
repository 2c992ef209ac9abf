//! `answers`: what the runtime's answers take, in time, memory and tokens.

use std::ffi::OsString;
use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use futures_executor::block_on;
use portolan_compile::ARTIFACT;
use portolan_compile::tokens::count;
use portolan_runtime::{Answer, Caller, Rendering, Schema};
use portolan_schema::artifact::{Artifact, decode, encode};
use portolan_schema::{BackReference, Object};
use serde::Serialize;
use serde_json::{Value, json};

use super::Workbench;
use super::stats::{Spread, Unit};
use super::table::{Table, target};
use crate::plain::{PlainObject, plain_json};

/// An object with what points at it.
type One<'s> = (&'s Object, &'s [BackReference]);

/// What a call asks for, and how often it is made in one round.
const BATCH: usize = 5;
const CALLS: usize = 20_000;
/// Wider objects go out in parts: what is compared sends the whole of an object.
const WHOLE: usize = 80;
const SESSIONS: usize = 100_000;

/// Open an artifact, answer one call, and print how many nanoseconds that took.
#[derive(clap::Args)]
pub struct AnswerOne {
    /// The artifact
    file: PathBuf,
    /// The objects whose schemas are asked for
    objects: Vec<String>,
    /// In whose name
    #[arg(long)]
    profile: Option<String>,
}

impl AnswerOne {
    /// Answers, and prints. Neither starting the process nor ending it is included.
    pub fn run(&self) -> anyhow::Result<()> {
        let start = Instant::now();
        let caller = match &self.profile {
            Some(profile) => Caller::new().profile(profile),
            None => Caller::new(),
        };
        let session = Schema::open_file(&self.file)?.session(caller)?;
        let answer = block_on(session.call("get_object_schema", &json!({ "objects": self.objects })));
        let taken = start.elapsed().as_nanos();
        ensure!(!answer.is_error(), "{answer}");
        writeln!(std::io::stdout().lock(), "{taken}")?;
        Ok(())
    }
}

/// Hold that many sessions, each of which was sent all objects.
#[derive(clap::Args)]
pub struct Sessions {
    /// The artifact
    file: PathBuf,
    /// How many
    count: usize,
}

impl Sessions {
    /// Opens them, asks, and lets go of all at the end.
    pub fn run(&self) -> anyhow::Result<()> {
        let schema = Schema::open_file(&self.file)?;
        let caller = Arc::new(Caller::new());
        let names: Vec<String> =
            decode(&fs::read(&self.file)?)?.schema.objects().iter().map(|o| o.name.clone()).collect();
        let all = json!({ "objects": names });
        let ask = |schema: &Schema| -> anyhow::Result<_> {
            let session = schema.session(caller.clone())?;
            // An answer has a budget, so that it takes several until everything went out.
            while !sends_nothing(&block_on(session.call("get_object_schema", &all))) {}
            Ok(session)
        };
        ask(&schema)?;
        let sessions = (0..self.count).map(|_| ask(&schema)).collect::<Result<Vec<_>, _>>()?;
        black_box(&sessions);
        Ok(())
    }
}

fn sends_nothing(answer: &Answer) -> bool {
    answer.as_str().contains("\"objects\":{}")
}

/// Measures, and prints tables.
pub(super) fn run(bench: &Workbench, runs: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let folder = bench.temporary("ours");
    bench.build(&bench.extract.path, &folder)?;
    let published = folder.join(ARTIFACT);
    let artifact = decode(&fs::read(&published)?)?;
    // Without profiles everybody sees everything: 85 objects to choose from.
    let open = Artifact { profiles: Vec::new(), ..artifact.clone() };
    let file = bench.temporary("open.msgpack");
    fs::write(&file, encode(&open).bytes)?;
    warm(&open, runs, out)?;
    fresh(bench, &published, &artifact, runs * 2, out)?;
    memory(bench, &file, out)?;
    tokens(&open, out)
}

/// Five schemas that are really sent, to a fresh session each time.
fn warm(artifact: &Artifact, runs: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let schema = Schema::open(encode(artifact).bytes)?;
    let caller = Arc::new(Caller::new());
    let whole: Vec<One<'_>> =
        artifact.schema.iter().filter(|(object, _)| object.fields.len() <= WHOLE).collect();
    let sets: Vec<Vec<usize>> = (0..whole.len())
        .map(|at| (0..BATCH).map(|step| (at * 7 + step * 11) % whole.len()).collect())
        .collect();
    let name = |at: &usize| whole.get(*at).map_or("", |(object, _)| &object.name);
    let wanted: Vec<Value> =
        sets.iter().map(|set| json!({ "objects": set.iter().map(name).collect::<Vec<_>>() })).collect();
    let plain: Vec<PlainObject<'_>> =
        whole.iter().map(|(object, back)| PlainObject::new(object, back)).collect();

    let mut bytes = [0; 2];
    let (mut ours, mut baseline) = (Vec::new(), Vec::new());
    for round in 0..=runs {
        let start = Instant::now();
        bytes[0] = 0;
        for arguments in wanted.iter().cycle().take(CALLS) {
            let session = schema.session(caller.clone())?;
            bytes[0] += black_box(block_on(session.call("get_object_schema", arguments))).as_str().len();
        }
        let answered = start.elapsed().as_secs_f64() / CALLS as f64;
        let start = Instant::now();
        bytes[1] = 0;
        for set in sets.iter().cycle().take(CALLS) {
            let objects = set.iter().filter_map(|at| plain.get(*at)).collect();
            bytes[1] += black_box(serde_json::to_vec(&Response { schema: "1.0.0", objects })?).len();
        }
        let serialised = start.elapsed().as_secs_f64() / CALLS as f64;
        if round > 0 {
            ours.push(answered);
            baseline.push(serialised);
        }
    }
    writeln!(
        out,
        "\nanswers: get_object_schema of {BATCH} of {} objects, varying, to a fresh session each time (opening it \
         included); {runs} rounds of {CALLS} calls, in turn with the baseline, after one uncounted",
        whole.len()
    )?;
    let mut table = Table::default();
    table.row(["", "time a call", "bytes a call"]);
    let [sent, serialised] = bytes.map(|bytes| (bytes / CALLS).to_string());
    let (time, other) = (Spread::of(ours.iter().copied()), Spread::of(baseline.iter().copied()));
    let (time, other) = time.zip(other).context("no run")?;
    table.row(["the runtime".to_owned(), time.show(Unit::Micros), sent, target("1 µs", time.median <= 1e-6)]);
    table.row(["serialising structs of them (serde_json)".to_owned(), other.show(Unit::Micros), serialised]);
    let ratio = Spread::of_ratios(&baseline, &ours).context("no run")?;
    table.row([
        "pair by pair".to_owned(),
        ratio.show(Unit::Times),
        String::new(),
        target("30x", ratio.median >= 30.0),
    ]);
    write!(out, "{table}")?;
    Ok(())
}

#[derive(Serialize)]
struct Response<'a> {
    schema: &'a str,
    objects: Vec<&'a PlainObject<'a>>,
}

/// The first answer of a fresh process.
fn fresh(
    bench: &Workbench,
    file: &Path,
    artifact: &Artifact,
    runs: u32,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let profile = artifact.profiles.first().context("the sample org declares a profile")?;
    let mut objects: Vec<&Object> =
        artifact.schema.objects().iter().filter(|object| profile.objects.contains(&object.name)).collect();
    objects.sort_by_key(|object| object.fields.len());
    let median = *objects.get(objects.len() / 2).context("no object")?;
    let widest = *objects.last().context("no object")?;
    let mut cases = [(median, Vec::new()), (widest, Vec::new())];
    for round in 0..=runs {
        for (object, seconds) in &mut cases {
            let mut command = bench.runner.command("answer-one");
            let taken = command.arg(file).arg(&object.name).arg("--profile").arg(&profile.name).output()?;
            ensure!(taken.status.success(), "{}", String::from_utf8_lossy(&taken.stderr).trim());
            let nanoseconds: f64 = String::from_utf8_lossy(&taken.stdout).trim().parse()?;
            if round > 0 {
                seconds.push(nanoseconds / 1e9);
            }
        }
    }
    writeln!(
        out,
        "\nthe first answer of a fresh process, from opening the file, for a caller with a profile; {runs} runs in turn \
         after one uncounted"
    )?;
    let mut table = Table::default();
    for ((object, seconds), which) in cases.iter().zip(["median", "widest"]) {
        let time = Spread::of(seconds.iter().copied()).context("no run")?;
        let name = format!("the {which} object: {}, {} fields", object.name, object.fields.len());
        let met = (which == "median").then(|| target("200 µs", time.median <= 200e-6));
        table.row([name, time.show(Unit::Micros)].into_iter().chain(met));
    }
    write!(out, "{table}")?;
    Ok(())
}

/// What a session holds on to.
fn memory(bench: &Workbench, file: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let peak = |sessions: usize| -> anyhow::Result<f64> {
        let mut command: Vec<OsString> = vec![bench.runner.this().into(), "sessions".into(), file.into()];
        command.push(sessions.to_string().into());
        Ok(bench.runner.measure(&command)?.peak as f64)
    };
    let each = (peak(SESSIONS)? - peak(0)?) / SESSIONS as f64;
    writeln!(
        out,
        "\n{SESSIONS} sessions at once, each sent every schema: {each:.0} bytes a session, of which the Set and its lock \
         are at most 64 (a test of the runtime counts them)"
    )?;
    Ok(())
}

/// How an object can be written, and what that costs.
fn tokens(artifact: &Artifact, out: &mut impl Write) -> anyhow::Result<()> {
    let mut objects: Vec<One<'_>> = artifact.schema.iter().collect();
    objects.sort_by_key(|(object, _)| object.fields.len());
    let median = *objects.get(objects.len() / 2).context("no object")?;
    let widest = *objects.last().context("no object")?;
    let schema = Schema::open(encode(artifact).bytes)?;
    let sent = |rendering: Rendering, objects: &[One<'_>]| -> anyhow::Result<u64> {
        let session = schema.session(Caller::new())?.rendering(rendering);
        let mut tokens = 0;
        for (object, _) in objects {
            loop {
                let answer = block_on(session.call("get_object_schema", &json!({"objects": [object.name]})));
                if sends_nothing(&answer) {
                    break;
                }
                tokens += count(answer.as_str());
            }
        }
        Ok(tokens)
    };
    writeln!(out, "\ntokens (o200k), of whole answers, all parts of an object together")?;
    let mut table = Table::default();
    let heading = |(object, _): One<'_>| format!("{}, {} fields", object.name, object.fields.len());
    table.row([String::new(), heading(median), heading(widest), format!("all {}", objects.len())]);
    let sets = [vec![median], vec![widest], objects];
    let plain: Vec<u64> = sets
        .iter()
        .map(|set| set.iter().map(|one| count(&plain_json(std::iter::once(*one)))).sum())
        .collect();
    table.row(std::iter::once("plain JSON, every key".to_owned()).chain(plain.iter().map(u64::to_string)));
    let mut form = |name: &str, wanted: Option<f64>, tokens: &dyn Fn(&[One<'_>]) -> anyhow::Result<u64>| {
        let mut row = vec![name.to_owned()];
        let mut met = true;
        for (set, plain) in sets.iter().zip(&plain) {
            let tokens = tokens(set)?;
            let share = tokens as f64 / *plain as f64;
            met &= wanted.is_none_or(|wanted| share <= wanted);
            row.push(format!("{tokens} ({share:.2})"));
        }
        row.extend(wanted.map(|wanted| target(&wanted.to_string(), met)));
        table.row(row);
        anyhow::Ok(())
    };
    let each = |write: fn(One<'_>) -> String| {
        move |set: &[One<'_>]| Ok(set.iter().map(|one| count(&write(*one))).sum())
    };
    form("an object a field, no defaults, news labels", None, &each(forms::by_field))?;
    form("fields by type, in lists", None, &each(forms::lists_by_type))?;
    form("as sent: full", None, &|set| sent(Rendering::Full, set))?;
    form("as sent: compact", Some(0.27), &|set| sent(Rendering::Compact, set))?;
    write!(out, "{table}")?;
    Ok(())
}

/// Forms that were weighed and not taken.
mod forms {
    use portolan_schema::Field;
    use serde_json::{Map, Value, json};

    use super::One;

    fn head((object, back): One<'_>) -> Map<String, Value> {
        let mut members = Map::new();
        members.insert("label".to_owned(), object.label.as_str().into());
        members.insert("referencedBy".to_owned(), back.iter().take(25).map(ToString::to_string).collect());
        members
    }

    fn is_news(field: &Field) -> bool {
        let fold = |text: &str| {
            text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
        };
        fold(field.name.trim_end_matches("__c")) != fold(&field.label)
    }

    pub(super) fn by_field(one: One<'_>) -> String {
        let mut members = head(one);
        let fields = one.0.fields.iter().map(|field| {
            let mut written = Map::new();
            written.insert("name".to_owned(), field.name.as_str().into());
            written.insert("type".to_owned(), field.field_type.as_str().into());
            if is_news(field) {
                written.insert("label".to_owned(), field.label.as_str().into());
            }
            if !field.references.is_empty() {
                written.insert("references".to_owned(), field.references.clone().into());
            }
            if field.required {
                written.insert("required".to_owned(), true.into());
            }
            if let Some(length) = field.length {
                written.insert("length".to_owned(), length.into());
            }
            Value::Object(written)
        });
        members.insert("fields".to_owned(), fields.collect());
        json!({ &one.0.name: members }).to_string()
    }

    pub(super) fn lists_by_type(one: One<'_>) -> String {
        let mut members = head(one);
        let (mut types, mut references, mut labels) = (Map::new(), Map::new(), Map::new());
        for field in &one.0.fields {
            match field.references.as_slice() {
                [] => {
                    let names = types.entry(field.field_type.as_str()).or_insert_with(|| json!([]));
                    if let Some(names) = names.as_array_mut() {
                        names.push(field.name.as_str().into());
                    }
                }
                [only] => drop(references.insert(field.name.clone(), only.as_str().into())),
                several => drop(references.insert(field.name.clone(), several.into())),
            }
            if is_news(field) {
                labels.insert(field.name.clone(), field.label.as_str().into());
            }
        }
        for (key, value) in [("fields", types), ("references", references), ("labels", labels)] {
            members.insert(key.to_owned(), value.into());
        }
        json!({ &one.0.name: members }).to_string()
    }
}
