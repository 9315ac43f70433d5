/** The WebSocket subprotocol of the hub. A separate file, because the socket opens before the hub client is loaded. */
export const SUBPROTOCOL = 'kvota.v1.msgpack'
