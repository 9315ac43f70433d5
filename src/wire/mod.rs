//! Floor 1: bytes to domain and back: bounded, and total over whatever bytes come in.
//!
//! Must never import feed, store, read_model, actors, http or anything above, nor do I/O or async: bytes are handed in.
//! Wire structs are not domain structs: positional arrays tie bytes to an order of fields, and a rename in the domain
//! must not move a byte.

pub mod feed;
pub mod inflate;
pub mod msgpack;
