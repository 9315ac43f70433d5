//! Section `hub`: the limits of the live hub. Must not contain a default.

use super::reader::Reader;
use crate::http::proxies::Network;
use crate::hub::admission::HubLimits;

pub(super) fn read_hub(reader: &mut Reader<'_>) -> Option<HubLimits> {
    let mut count = |key: &str, max: i64| usize::try_from(reader.integer(key, 1..=max)?).ok();
    let connections_max = count("hub.connections_max", 10_000_000);
    let connections_per_address_max = count("hub.connections_per_address_max", 10_000_000);
    let connections_per_session_max = count("hub.connections_per_session_max", 1_000);
    let new_sessions_per_minute_max = count("hub.new_sessions_per_minute_max", 10_000_000);
    let unlimited_networks =
        reader.list("hub.unlimited_networks", "a list of addresses or networks such as 127.0.0.0/8", Network::parse);
    Some(HubLimits {
        connections_max: connections_max?,
        connections_per_address_max: connections_per_address_max?,
        connections_per_session_max: connections_per_session_max?,
        new_sessions_per_minute_max: new_sessions_per_minute_max?,
        unlimited_networks: unlimited_networks?,
    })
}
