//! The limit of open files, which includes sockets: raised as far as the system allows, and compared with what the hub
//! may need. Called by `server/mod.rs` at the start.

/// Open files reserved for everything except the hub's connections: HTTP calls, the store, the feed, the log.
const OPEN_FILES_RESERVE: u64 = 1_024;

/// Raises the soft limit to the hard one. Returns how many hub connections fit: the configured number, or fewer to
/// leave room for other files. Warns if it is fewer than configured.
pub(crate) fn raise_limit(configured: usize) -> usize {
    let limit = match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => limit,
        Err(error) => {
            tracing::warn!(%error, "the limit of open files cannot be read or raised");
            return configured;
        }
    };
    let room = connections_that_fit(configured, limit);
    if room < configured {
        let needed = u64::try_from(configured).unwrap_or(u64::MAX).saturating_add(OPEN_FILES_RESERVE);
        tracing::warn!(
            limit,
            needed,
            connections_max = room,
            "at most {limit} files may be open, hub.connections_max = {configured} needs {needed}: the hub takes at most \
             {room} connections; raise the hard limit (ulimit -Hn, LimitNOFILE) or lower the key"
        );
    }
    room
}

/// If the limit is very low, half of it is for the hub.
fn connections_that_fit(configured: usize, limit: u64) -> usize {
    let room = limit.saturating_sub(OPEN_FILES_RESERVE).max(limit / 2);
    configured.min(usize::try_from(room).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reserve_is_kept_free_and_a_very_low_limit_is_halved() {
        for (configured, limit, room) in [
            (100_000, 1_048_576, 100_000),
            (100_000, 101_024, 100_000),
            (100_000, 101_023, 99_999),
            (100_000, 65_536, 64_512),
            (100_000, 1_024, 512),
            (10, 64, 10),
        ] {
            assert_eq!(connections_that_fit(configured, limit), room, "{configured} {limit}");
        }
    }
}
