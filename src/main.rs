//! The program `kvota`: passes the command line to the library.

use std::process::ExitCode;

/// Takes less time and memory than that of the C library for many small values that another thread frees.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    kvota::command::run(std::env::args_os())
}
