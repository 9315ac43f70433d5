//! `kvota betting` (pause, resume, status) while a server runs, and in a folder without a store.

use crate::audit::Folder;
use crate::{Running, kvota, output_of};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;

fn betting(what: &str, folder: &Path) -> (Option<i32>, String, String) {
    output_of(&in_folder(kvota(&["betting", what]), folder).output().expect("the program runs"))
}

fn in_folder(mut command: Command, folder: &Path) -> Command {
    command.env("KVOTA__STORE__DATA_DIR", folder).env("KVOTA__FEED__SIMULATED_MATCHES", "1");
    command
}

#[test]
fn an_operator_pauses_and_resumes_betting_while_the_server_runs() {
    let folder = Folder::new("betting");
    let data = folder.file();
    let data = data.parent().expect("a folder");
    let mut server = Running(in_folder(kvota(&["serve", "--listen", "127.0.0.1:0"]), data).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("kvota is ready"), "{line}");

    for (command, expected) in [
        ("status", "betting is open\n"),
        ("resume", "betting was open already\n"),
        ("pause", "betting is paused now\n"),
        ("pause", "betting was paused already\n"),
    ] {
        assert_eq!(betting(command, data), (Some(0), expected.to_owned(), String::new()), "{command}");
    }
    let (code, out, _) = betting("status", data);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("betting has been paused for ") && out.ends_with(" s\n"), "{out}");
    for (command, expected) in [("resume", "betting is open again\n"), ("status", "betting is open\n")] {
        assert_eq!(betting(command, data), (Some(0), expected.to_owned(), String::new()), "{command}");
    }
}

#[test]
fn without_a_store_there_is_nothing_to_pause() {
    let folder = Folder::new("betting-none");
    let file = folder.file();
    for command in ["pause", "resume", "status"] {
        let (code, out, err) = betting(command, file.parent().expect("a folder"));
        assert_eq!((code, out.as_str()), (Some(1), ""), "{command}");
        assert!(err.contains("there is no store at"), "{err}");
    }
    assert!(!file.exists(), "a mistyped folder must not become an empty store");
}
