//! A build that is killed, and two builds at once: the artifact is the old one or the new one.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use portolan_schema::artifact::decode;

use crate::support::{Org, native};

const FILES: [&str; 3] = ["schema.json", "manifest.json", "schema.msgpack"];

/// Two ways to build one extract, and what each makes. The base is fixed, so that its bytes are, too.
struct Rivals {
    org: Org,
    whole: [[Vec<u8>; 3]; 2],
}

impl Rivals {
    fn new() -> Self {
        let fields: Vec<String> =
            (0..400).map(|at| format!(r#""name": "field_{at}", "type": "text""#)).collect();
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        let names: Vec<String> = (0..12).map(|at| format!("object_{at}")).collect();
        let objects: Vec<(&str, &[&str])> = names.iter().map(|name| (name.as_str(), &fields[..])).collect();
        let org = Org::new(&names[..1]);
        org.write("extract.json", native(&objects));
        org.run(&["extract.json", "--out", "base"]).expect(0, &[]);
        let whole = [&names[..4], &names[..]].map(|names| {
            org.allow(names);
            org.write(&format!("allow-{}.toml", usize::from(names.len() > 4)), org.read("allowlist.toml"));
            org.run(&["extract.json", "--base", "base"]).expect(0, &[]);
            FILES.map(|file| org.read(&format!("artifacts/{file}")))
        });
        Self { org, whole }
    }

    fn arguments(which: usize) -> [String; 5] {
        ["extract.json", "--base", "base", "--allowlist"]
            .map(str::to_owned)
            .into_iter()
            .chain([format!("allow-{which}.toml")])
            .collect::<Vec<_>>()
            .try_into()
            .unwrap()
    }

    fn start(&self, which: usize) -> Child {
        let mut command = self.org.command(&Self::arguments(which));
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Which build each of the files is of; `None` where it is of neither.
    fn made_by(&self) -> [Option<usize>; 3] {
        let mut at = 0;
        FILES.map(|file| {
            let found = self.org.read(&format!("artifacts/{file}"));
            at += 1;
            self.whole.iter().position(|whole| whole[at - 1] == found)
        })
    }
}

#[test]
fn a_killed_build_leaves_the_old_artifact_or_the_new_one() {
    let rivals = Rivals::new();
    // The fastest of a few undisturbed builds spans the moments to kill at.
    let fastest = (0..4).map(|which| {
        let started = Instant::now();
        assert!(rivals.start(which % 2).wait().unwrap().success());
        started.elapsed()
    });
    let fastest = fastest.min().unwrap();
    let (mut killed, mut torn) = (0, 0);
    for round in 0..60_u32 {
        let which = round as usize % 2;
        let mut build = rivals.start(which);
        // Later moments more often: that is where the files are written.
        let share = 1.2 - (f64::from(round * 37 % 60) / 60.0).powi(2);
        std::thread::sleep(fastest.mul_f64(share).max(Duration::from_micros(100)));
        let _ = build.kill();
        killed += u32::from(!build.wait().unwrap().success());
        let artifact = rivals.org.read("artifacts/schema.msgpack");
        decode(&artifact).unwrap_or_else(|problem| panic!("round {round}: {problem}"));
        let made_by = rivals.made_by();
        let [json, manifest, artifact] =
            made_by.map(|which| which.unwrap_or_else(|| panic!("round {round}: a torn file: {made_by:?}")));
        let is_whole = json == artifact && manifest == artifact;
        torn += u32::from(!is_whole);
        if !is_whole || round % 10 == 0 {
            let mut check: Vec<String> = Rivals::arguments(artifact).to_vec();
            check.push("--check".to_owned());
            rivals
                .org
                .run(&check)
                .expect(i32::from(!is_whole), &[if is_whole { "is current" } else { "is stale" }]);
        }
    }
    eprintln!("{killed} of 60 builds were killed, {torn} between two of the three files");
    assert!(killed > 0, "every build was faster than its end");
    // What was left lying about is gone after the next builds.
    for which in [0, 1] {
        assert!(rivals.start(which).wait().unwrap().success());
        assert_eq!(rivals.made_by(), [Some(which); 3], "a build after a killed one");
    }
    assert_eq!(rivals.org.names("artifacts"), ["manifest.json", "schema.json", "schema.msgpack"]);
}

#[test]
fn two_builds_at_once_leave_the_whole_of_one() {
    let rivals = Rivals::new();
    for round in 0..20 {
        let builds = if round % 2 == 0 { [0, 1] } else { [1, 0] }.map(|which| rivals.start(which));
        for mut build in builds {
            assert!(build.wait().unwrap().success(), "round {round}: a build failed");
        }
        let made_by = rivals.made_by();
        assert!(
            [[Some(0); 3], [Some(1); 3]].contains(&made_by),
            "round {round}: files of two builds: {made_by:?}"
        );
    }
    assert_eq!(rivals.org.names("artifacts"), ["manifest.json", "schema.json", "schema.msgpack"]);
}

#[test]
fn two_first_builds_at_once_both_succeed() {
    let rivals = Rivals::new();
    for round in 0..5 {
        std::fs::remove_dir_all(rivals.org.path("artifacts")).unwrap();
        for mut build in [0, 1].map(|which| rivals.start(which)) {
            assert!(build.wait().unwrap().success(), "round {round}: a build failed");
        }
        assert!(
            [[Some(0); 3], [Some(1); 3]].contains(&rivals.made_by()),
            "round {round}: files of two builds"
        );
    }
}
