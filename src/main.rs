//! The program `kvota`: hands the command line to the library.

fn main() {}
