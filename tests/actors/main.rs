//! The actors of the offer and the fan-out, in memory: what they apply, what they send to which client, and at what
//! cost.

mod fan_out;
mod history;
mod moved_lines;
mod slow_clients;
mod sockets;
mod stage;
