//! `portolan-lab`: makes what shows and measures Portolan.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use portolan_lab::bench::{AnswerOne, Bench, Measured, OpenOne, Sessions};
use portolan_lab::demo::Demo;
use portolan_lab::sample_org::{Layout, SampleOrg};

/// Makes what shows and measures Portolan.
#[derive(Parser)]
#[command(name = "portolan-lab")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Generate the metadata extract of a fictional org, and its records.
    SampleOrg(SampleOrgArgs),
    Bench(Bench),
    Demo(Demo),
    #[command(hide = true)]
    Measured(Measured),
    #[command(hide = true)]
    OpenOne(OpenOne),
    #[command(hide = true)]
    AnswerOne(AnswerOne),
    #[command(hide = true)]
    Sessions(Sessions),
}

#[derive(Args)]
struct SampleOrgArgs {
    /// The folder to write into.
    #[arg(long, value_name = "DIR", default_value = "target/sample-org")]
    out: PathBuf,
    /// How many objects the org has; the business objects come first.
    #[arg(long, value_name = "N", default_value_t = SampleOrg::default().objects)]
    objects: usize,
    /// What decides everything that is left to chance.
    #[arg(long, value_name = "S", default_value_t = SampleOrg::default().seed)]
    seed: u64,
    /// Write a file an object, in DIR/extract/, instead of DIR/extract.json.
    #[arg(long, conflicts_with = "gzip")]
    folder: bool,
    /// Write DIR/extract.json.gz instead of DIR/extract.json.
    #[arg(long)]
    gzip: bool,
    /// Write DIR/records.sqlite besides: a database with the org's records.
    #[arg(long)]
    records: bool,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::SampleOrg(args) => sample_org(&args),
        Command::Bench(bench) => bench.run(),
        Command::Demo(demo) => demo.run(&mut std::io::stdout().lock()),
        Command::Measured(measured) => measured.run(),
        Command::OpenOne(open) => open.run(),
        Command::AnswerOne(answer) => answer.run(),
        Command::Sessions(sessions) => sessions.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(std::io::stderr(), "error: {problem:#}");
            ExitCode::from(2)
        }
    }
}

#[expect(clippy::print_stderr, reason = "a command says what it did; standard output is for data")]
fn sample_org(args: &SampleOrgArgs) -> anyhow::Result<()> {
    let layout = match (args.folder, args.gzip) {
        (true, _) => Layout::Folder,
        (_, true) => Layout::Gzip,
        _ => Layout::File,
    };
    let org = SampleOrg { objects: args.objects, seed: args.seed };
    let (path, written) = org.write(&args.out, layout)?;
    eprintln!(
        "{}: {} objects, {} fields, {} picklist values, {:.1} MB of JSON",
        path.display(),
        written.objects,
        written.fields,
        written.values,
        written.bytes as f64 / 1e6,
    );
    if args.records {
        let (path, records) = org.write_records(&args.out)?;
        eprintln!(
            "{}: {} rows in {} tables, {:.1} MB",
            path.display(),
            records.rows(),
            records.tables.len(),
            records.bytes as f64 / 1e6,
        );
    }
    Ok(())
}
