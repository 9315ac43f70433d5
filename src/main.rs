//! The program `kvota`: passes the command line to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    kvota::cli::run(std::env::args_os())
}
