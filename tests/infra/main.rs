//! The native feed over a real broker: publisher and source against RabbitMQ, with links that break, brokers that are
//! not there yet and messages that mean harm. Each test has an exchange and a queue of its own.
//!
//! Must never be skipped in silence: without a broker these tests fail and say how to get one.

mod broker;
mod lag;
mod links;
mod listener;
mod messages;
mod played;
mod results;
mod roundtrip;
mod same_offer;
