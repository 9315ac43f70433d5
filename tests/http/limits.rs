//! The limits that clients and producers rely on (CONTRACT 1 to 3): a change of one is a change of the protocol.

use kvota::actors::limits::SESSION_UNSAVED_MS_MAX;
use kvota::http::limits::{JSON_BYTES_MAX, SESSION_COOKIE_SECONDS};
use kvota::hub::limits::{OUTBOX_BYTES_MAX, SOCKET_SEND_BUFFER_BYTES};
use kvota_wire::limits::{
    COMMAND_BYTES_MAX, EVENT_BYTES_MAX, SESSION_BYTES_MAX, SESSION_TEXT_BYTES_MAX, SNAPSHOT_BYTES_MAX,
};

#[test]
fn limits_have_their_documented_values() {
    let mib = 1024 * 1024;
    assert_eq!((EVENT_BYTES_MAX, SNAPSHOT_BYTES_MAX), (4 * mib, 64 * mib));
    assert_eq!((OUTBOX_BYTES_MAX, SESSION_BYTES_MAX), (mib / 4, mib / 4));
    assert_eq!((COMMAND_BYTES_MAX, JSON_BYTES_MAX), (4096, 16_384));
    assert_eq!((SESSION_TEXT_BYTES_MAX, SOCKET_SEND_BUFFER_BYTES), (1_024, 131_072));
    assert_eq!((SESSION_UNSAVED_MS_MAX, SESSION_COOKIE_SECONDS), (600_000, 2_592_000));
}
