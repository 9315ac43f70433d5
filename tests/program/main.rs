//! The program as an operator runs it: its output and its exit codes.

mod audit;
mod betting;
mod bettors;
mod documents;
mod ends;
mod feed_file;
mod internal;
mod kills;
mod nodes;
mod open_files;
mod payouts;
mod restarts;
mod services;
mod uof;

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The program with these arguments, without configuration of the repository and without data of the user or of another
/// test.
fn kvota(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kvota"));
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let data = format!("{}/kvota-{}-{number}", env!("CARGO_TARGET_TMPDIR"), std::process::id());
    command.args(arguments).current_dir(std::env::temp_dir()).env_remove("RUST_LOG");
    command.env("KVOTA__STORE__DATA_DIR", data);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output_of(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A running server. Stopped when it is dropped, also if the test fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn running_without_a_command_prints_the_usage() {
    let (code, out, err) = output_of(&kvota(&[]).output().unwrap());
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("Usage: kvota") && out.contains("serve") && out.contains("feed"), "{out}");
    let (code, out, _) = output_of(&kvota(&["--version"]).output().unwrap());
    assert_eq!((code, out), (Some(0), format!("kvota {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn wrong_argument_or_configuration_exits_with_2_and_a_reason() {
    for (arguments, part) in [
        (&["fly"][..], "unrecognized subcommand 'fly'"),
        (&["serve", "--port", "80"], "unexpected argument '--port'"),
        (&["serve", "--profile", "none"], "option --profile: there is no profile none"),
        (&["serve", "--listen", "8080"], "http.listen (option --listen): \"8080\" is not allowed"),
    ] {
        let (code, out, err) = output_of(&kvota(arguments).output().unwrap());
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(err.contains(part), "{err}");
    }
    let both = [("KVOTA__HTTP__WORKERS", "many"), ("KVOTA__FEED__SOURCE", "kafka")];
    let (code, _, err) = output_of(&kvota(&["serve"]).envs(both).output().unwrap());
    assert_eq!(code, Some(2));
    assert!(err.starts_with("kvota: the configuration has 2 mistakes:\n"), "{err}");
    for (name, _) in both {
        assert!(err.contains(&format!("(environment variable {name})")), "{err}");
    }
}

#[test]
fn busy_port_is_reported_with_a_remedy() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, out, err) = output_of(&kvota(&["serve", "--listen", &address]).output().unwrap());
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains(&format!("{address} is in use")) && err.contains("--listen"), "{err}");
}

#[test]
fn server_prints_its_address_and_stops_on_a_signal() {
    for signal in ["-TERM", "-INT"] {
        let folder = audit::Folder::new(signal);
        let mut serve = kvota(&["serve", "--listen", "127.0.0.1:0"]);
        serve
            .env("KVOTA__STORE__DATA_DIR", folder.file().parent().unwrap())
            .env("KVOTA__FEED__SIMULATED_MATCHES", "20");
        let mut server = Running(serve.spawn().unwrap());
        let mut line = String::new();
        let out = server.0.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        assert!(line.starts_with("kvota is ready: http://127.0.0.1:"), "{line}");

        let sent = Command::new("kill").args([signal, &server.0.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let status = server.0.wait().unwrap();
        let mut err = String::new();
        server.0.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(status.code(), Some(0), "{err}");
        assert!(err.contains("stopping on SIG"), "{err}");
    }
}
