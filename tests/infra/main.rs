//! The native feed over a real broker: publisher and source against RabbitMQ, with broken connections, a broker that
//! starts later, and malicious messages. Each test has its own exchange and queue.
//!
//! Never skipped silently: without a broker these tests fail and print how to get one.

mod broker;
mod lag;
mod links;
mod listener;
mod messages;
mod played;
mod results;
mod roundtrip;
mod same_offer;
mod uof;
