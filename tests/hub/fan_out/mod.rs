//! Which connections get which changes: the rooms of one worker, and the sockets of its connections, without a server.

mod changes;
mod slow_clients;
mod sockets;
mod stage;
