//! The actors of the offer and the fan-out, in memory: who applies what, who is told what, and what it costs.

mod fan_out;
mod history;
mod slow_clients;
mod sockets;
mod stage;
