//! `http.internal_listen`: probes and metrics on a separate listener.

use crate::audit::Folder;
use crate::{Running, kvota, output_of};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

/// The status and the body of `GET path` at an address.
fn get(address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("a request is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer is a text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.expect("a head has a status"), body.to_owned())
}

#[test]
fn probes_and_metrics_move_to_the_internal_listener() {
    let folder = Folder::new("internal");
    let mut serve = kvota(&["serve", "--listen", "127.0.0.1:0"]);
    serve.env("KVOTA__STORE__DATA_DIR", folder.file().parent().expect("a folder"));
    serve.env("KVOTA__FEED__SIMULATED_MATCHES", "1").env("KVOTA__HTTP__INTERNAL_LISTEN", "127.0.0.1:0");
    serve.env("KVOTA__LOG__FORMAT", "json").env("KVOTA__LOG__LEVEL", "info");
    let mut server = Running(serve.spawn().expect("the program runs"));
    let mut ready = String::new();
    BufReader::new(server.0.stdout.take().expect("it is piped")).read_line(&mut ready).expect("a line");
    let public = ready.trim().strip_prefix("kvota is ready: http://").expect("the address").to_owned();

    // The log has both lines before standard output has its line.
    let mut log = BufReader::new(server.0.stderr.take().expect("it is piped")).lines();
    let internal = log.find_map(|line| {
        let line: serde_json::Value = serde_json::from_str(&line.expect("a line")).ok()?;
        Some(line["internal"].as_str()?.to_owned())
    });
    let internal = internal.expect("the log names the internal address");
    std::thread::scope(|scope| {
        // Keep reading, or the full pipe would block the server.
        scope.spawn(|| log.for_each(drop));
        for path in ["/healthz", "/metrics"] {
            assert_eq!(get(&internal, path).0, 200, "{path}");
        }
        assert!([200, 503].contains(&get(&internal, "/readyz").0));
        for path in ["/healthz", "/readyz", "/metrics"] {
            assert_eq!(get(&public, path).0, 404, "{path}");
        }
        for path in ["/", "/api/v1/live/offer", "/api/v1/account/login", "/api/docs"] {
            assert_eq!(get(&internal, path).0, 404, "{path}");
        }
        assert_eq!(get(&public, "/").0, 200);
        drop(server);
    });
}

#[test]
fn busy_internal_port_is_reported_with_its_configuration_key() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let mut serve = kvota(&["serve", "--listen", "127.0.0.1:0"]);
    let output = serve.env("KVOTA__HTTP__INTERNAL_LISTEN", &address).output().expect("the program runs");
    let (code, out, err) = output_of(&output);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains(&format!("{address} is in use")) && err.contains("http.internal_listen"), "{err}");
}
