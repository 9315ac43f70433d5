//! Sees to it that there is a client to embed: without Node the program still compiles, and its page says what to run.

use std::path::Path;
use std::{env, fs, io};

const PLACEHOLDER: &str = "<!doctype html>
<html lang=\"en\">
<head><meta charset=\"utf-8\"><title>kvota</title></head>
<body><h1>kvota</h1><p>The client is not built yet: run <code>make web</code>, then build the program again.</p></body>
</html>
";

fn main() -> io::Result<()> {
    let root = env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?;
    let dist = Path::new(&root).join("web/dist");
    // A new build of the client must reach the binary.
    println!("cargo:rerun-if-changed=web/dist");
    println!("cargo:rerun-if-changed=build.rs");
    // The client's page, and the one of the match tracker.
    for page in ["index.html", "scoreboard.html"] {
        if !dist.join(page).exists() {
            fs::create_dir_all(&dist)?;
            fs::write(dist.join(page), PLACEHOLDER)?;
        }
    }
    Ok(())
}
