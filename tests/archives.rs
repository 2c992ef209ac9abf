//! Extracts that are compressed or in archives: read where they lie, bounded, and nothing in them
//! leads anywhere else.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::process::Command;

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::support::{Org, Run, native, skipped};

const ID: &str = r#""name": "id", "type": "id""#;
const DAMAGED: &str = "the file is damaged or incomplete: fetch it again";

fn account() -> String {
    native(&[("account", &[ID, r#""name": "name", "type": "text""#])])
}

fn contact() -> String {
    native(&[("contact", &[ID, r#""name": "account", "type": "reference", "references": ["account"]"#])])
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bz2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_ustar();
        // `set_path` refuses names that lead out of the archive, which is what some of these do.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

/// Builds with `account` and `contact` on the allowlist.
fn build(file: &str, content: &[u8]) -> (Org, Run) {
    let org = Org::new(&["account", "contact"]);
    org.write(file, content);
    let run = org.run(&[file]);
    assert!(run.code == Some(0) || org.names("artifacts").is_empty(), "a failed build wrote something");
    (org, run)
}

#[track_caller]
fn check_reads(file: &str, content: &[u8]) {
    let (org, run) = build(file, content);
    run.expect(0, &[]);
    let schema = org.artifact().schema;
    assert_eq!(schema.objects().len(), 2, "objects in {file}");
    assert_eq!(schema.edge_count(), 1, "edges in {file}");
}

#[track_caller]
fn check_refuses(file: &str, content: &[u8], says: &[&str]) {
    build(file, content).1.expect(2, says);
}

fn both() -> String {
    account()
        .replace("\n]}\n", &contact().replace("{ \"format\": \"portolan-extract/1\", \"objects\": [", ","))
}

#[test]
fn compressed_files_and_archives_are_read() {
    let (account, contact, both) = (account(), contact(), both());
    let members = [("org/account.json", account.as_bytes()), ("org/deep/contact.json", contact.as_bytes())];
    check_reads("org.json", both.as_bytes());
    check_reads("org.json.gz", &gz(both.as_bytes()));
    check_reads("org.json.bz2", &bz2(both.as_bytes()));
    check_reads("org.zip", &zip(&members));
    check_reads("org.tar", &tar(&members));
    check_reads("org.tar.gz", &gz(&tar(&members)));
    check_reads("org.tgz", &gz(&tar(&members)));
    check_reads("org.tar.bz2", &bz2(&tar(&members)));
    // What a file is called doesn't matter, and streams may be concatenated.
    check_reads("org.json", &zip(&members));
    let (head, rest) = both.split_at(both.len() / 2);
    check_reads("org", &[gz(head.as_bytes()), gz(rest.as_bytes())].concat());
    check_reads("org", &[bz2(head.as_bytes()), bz2(rest.as_bytes())].concat());
}

#[test]
fn the_same_content_gives_the_same_artifact_however_it_is_packed() {
    let both = both();
    let bytes = |file: &str, content: &[u8]| build(file, content).0.read("artifacts/schema.msgpack");
    let plain = bytes("a.json", both.as_bytes());
    assert!(plain == bytes("b.json.gz", &gz(both.as_bytes())), "gzip");
    assert!(plain == bytes("c.tar", &tar(&[("x.json", both.as_bytes())])), "tar");
    let swapped = [("1.json", contact()), ("2.json", account())];
    let swapped = swapped.each_ref().map(|(name, text)| (*name, text.as_bytes()));
    assert!(plain == bytes("d.zip", &zip(&swapped)), "zip, in another order");
}

#[test]
fn members_that_are_no_metadata_are_skipped() {
    let (account, contact) = (account(), contact());
    let inner = zip(&[("x.json", account.as_bytes())]);
    let members: [(&str, &[u8]); 6] = [
        ("a.json", account.as_bytes()),
        ("c.json", contact.as_bytes()),
        ("read.me", b"hello"),
        (".hidden.json", b"{"),
        ("__MACOSX/._a.json", b"\0\x05\x16\x07"),
        ("inner.zip", &inner),
    ];
    for (file, content) in [("org.zip", zip(&members)), ("org.tar.gz", gz(&tar(&members)))] {
        let (_, run) = build(file, &content);
        run.expect(0, &["skipped", "a hidden file", "neither JSON nor XML", ":read.me"]);
    }
}

#[test]
fn no_member_leaves_its_archive() {
    let (account, contact) = (account(), contact());
    for name in ["../x.json", "a/../../x.json", "/etc/x.json"] {
        let members = [("a.json", account.as_bytes()), (name, contact.as_bytes())];
        check_refuses("org.tar", &tar(&members), &["its name leads out of the archive", name]);
        check_refuses("org.zip", &zip(&members), &["its name leads out of the archive", name]);
    }
}

#[test]
fn links_and_devices_in_a_tar_are_not_followed() {
    let (account, contact) = (account(), contact());
    let mut builder =
        tar::Builder::new(tar(&[("a.json", account.as_bytes()), ("c.json", contact.as_bytes())]));
    builder.get_mut().truncate(4 * 512);
    for (name, kind) in [("passwd.json", tar::EntryType::Symlink), ("shadow.json", tar::EntryType::Link)] {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(kind);
        header.set_size(0);
        builder.append_link(&mut header, name, "/etc/passwd").unwrap();
    }
    check_reads("org.tar", &builder.into_inner().unwrap());
}

#[test]
fn archives_that_break_off_are_faults_that_say_so() {
    let both = both();
    // Incompressible, so that every format needs many bytes.
    let mut noise = String::new();
    for at in 0..4000_u64 {
        let _ = write!(noise, "{:x}", at.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    }
    let text =
        both.replacen("\"name\": \"account\"", &format!("\"name\": \"account\", \"label\": \"{noise}\""), 1);
    let members = [("a.json", text.as_bytes()), ("b.json", b"{}".as_slice())];
    for (file, content) in [
        ("org.json.gz", gz(text.as_bytes())),
        ("org.json.bz2", bz2(text.as_bytes())),
        ("org.tar", tar(&members)),
        ("org.tar.gz", gz(&tar(&members))),
        ("org.zip", zip(&members)),
    ] {
        for cut in [content.len() / 10, content.len() / 2] {
            let (_, run) = build(file, &content[..cut]);
            run.expect(2, &[file, DAMAGED]);
        }
    }
    for cut in [20, 60] {
        let zst = include_bytes!("cases/passing/compressed_zst/extract.json.zst");
        let xz = include_bytes!("cases/passing/compressed_xz/extract.json.xz");
        build("org.zst", &zst[..zst.len() - cut]).1.expect(2, &["org.zst", DAMAGED]);
        build("org.xz", &xz[..xz.len() - cut]).1.expect(2, &["org.xz", DAMAGED]);
    }
}

#[test]
fn flipped_bits_in_compressed_files_are_noticed() {
    let text = both();
    for (file, content) in [("org.gz", gz(text.as_bytes())), ("org.bz2", bz2(text.as_bytes()))] {
        let mut content = content;
        let checksum = content.len() - 6;
        content[checksum] ^= 0x10;
        check_refuses(file, &content, &[file]);
    }
    let mut content = zip(&[("a.json", text.as_bytes())]);
    content[60] ^= 0x10;
    check_refuses("org.zip", &content, &["org.zip"]);
}

/// 200 MB of blanks where the members of an extract's list stand, or inside a picklist of it.
fn bombs() -> [Vec<u8>; 2] {
    let blanks = vec![b' '; 200 << 20];
    let text = native(&[("account", &[r#""name": "s", "type": "picklist", "picklist": []"#])]);
    ["\"objects\": [", "\"picklist\": ["].map(|before| {
        let at = text.find(before).unwrap() + before.len();
        [&text.as_bytes()[..at], &blanks, &text.as_bytes()[at..]].concat()
    })
}

#[test]
fn a_decompression_bomb_is_refused_with_little_memory() {
    let limited = ["-c", "ulimit -v 300000; exec \"$0\" \"$@\""];
    let limits = cfg!(target_os = "linux")
        && Command::new("sh").args(limited).args(["true"]).status().is_ok_and(|status| status.success());
    if !limits {
        skipped("memory can't be limited here");
    }
    for bomb in &bombs() {
        let packed = [
            ("b.gz", gz(bomb)),
            ("b.tar.gz", gz(&tar(&[("a.json", bomb)]))),
            ("b.zip", zip(&[("a.json", bomb)])),
        ];
        for (file, content) in &packed {
            let org = Org::new(&["account"]);
            org.write(file, content);
            let plain = org.command(&[*file]);
            let mut command = org.command::<&str>(&[]);
            if limits {
                command = crate::support::isolated("sh", &org.path(""));
                command.args(limited).arg(plain.get_program()).args(plain.get_args());
            } else {
                command.arg(file);
            }
            let run = Run::of(&command.output().unwrap());
            run.expect(2, &[file]);
            let says = ["expands to more than", "is longer than"].iter().any(|part| run.err.contains(part));
            assert!(says, "{file} is refused for another reason:\n{}", run.err);
        }
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_in_a_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let org = Org::new(&["account"]);
    org.write("extract/account.json", account());
    org.write("elsewhere/contact.json", contact());
    symlink(org.path("elsewhere/contact.json"), org.path("extract/contact.json")).unwrap();
    symlink(org.path("elsewhere"), org.path("extract/linked")).unwrap();
    symlink(org.path("extract"), org.path("extract/loop")).unwrap();
    symlink("/nowhere", org.path("extract/dangling.json")).unwrap();
    org.run(&["extract"]).expect(0, &["skipped 4 files: a symbolic link, which is not followed"]);
    let manifest = org.json("artifacts/manifest.json");
    assert_eq!(manifest["report"]["objects"]["before"], Value::from(1), "objects read");

    // The one that was named is: who names it knows.
    symlink(org.path("extract"), org.path("named")).unwrap();
    org.run(&["named"]).expect(0, &["skipped 4 files"]);
}

#[test]
fn a_tar_ends_where_its_maker_ended_it() {
    let both = both();
    let members = [("a.json", both.as_bytes()), ("b.json", b"{}".as_slice())];
    let whole = tar(&members);
    // Cut at a member's end, where nothing but the missing end mark tells.
    let first = 512 + both.len().next_multiple_of(512);
    check_refuses("cut.tar", &whole[..first], &["cut.tar", DAMAGED]);
    // The compressed stream's own checksum stands behind the archive's end.
    let mut trailer = gz(&whole);
    let at = trailer.len() - 6;
    trailer[at] ^= 1;
    check_refuses("flipped.tar.gz", &trailer, &["flipped.tar.gz", DAMAGED]);
}

#[test]
fn a_header_that_claims_a_long_name_costs_no_memory() {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_size(900 << 20);
    header.set_path("././@LongLink").unwrap();
    header.set_cksum();
    let mut content = header.as_bytes().to_vec();
    content.resize(4 << 20, b'a');
    check_refuses("long.tar", &content, &["long.tar", DAMAGED]);
}

#[test]
fn long_names_in_archives_are_whole() {
    // Such a name stands in a header of its own; without it the object would have no folder.
    let name = format!("{}/objects/account/fields/Name.field-meta.xml", "f".repeat(150));
    let field = b"<CustomField><fullName>Name</fullName><type>Text</type></CustomField>";
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(field.len() as u64);
    builder.append_data(&mut header, &name, field.as_slice()).unwrap();
    let gnu = builder.into_inner().unwrap();
    let mut builder = tar::Builder::new(Vec::new());
    builder.append_pax_extensions([("comment", b"x".as_slice()), ("path", name.as_bytes())]).unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_path("short").unwrap();
    header.set_size(field.len() as u64);
    header.set_cksum();
    builder.append(&header, field.as_slice()).unwrap();
    let pax = builder.into_inner().unwrap();
    for archive in [gnu, pax] {
        let org = Org::new(&["account"]);
        org.write("long.tar", archive);
        org.run(&["long.tar"]).expect(0, &["1 document"]);
    }
}
