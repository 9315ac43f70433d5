// Rows about clients that misbehave, and the others beside them: R17 never read, R18 gone without a word, R21 frames that
// are none.

import net from "node:net";
import { Row, frame, full, hub, aside, load, metric, pause, startServer, until, usage } from "./common.mjs";

/** Clients that never read cost the others no more than as many who read, and are closed. */
export async function R17() {
  const [sessions, stuck] = full ? [4500, 500] : [900, 100];
  const server = await startServer({ "feed.simulated_matches": 1000, "feed.price_rate": 1 });
  const watching = (count) =>
    load(server, "--stage", `10s:0..${count}`, "--stage", "45s:" + count, "--persona", "watcher=1", "--think", "30s", "--sample", "0");
  const allRead = await watching(sessions + stuck).ended;
  const before = usage(server.pid);
  const run = watching(sessions);
  await run.runsNow;
  const sockets = [];
  for (let number = 0; number < stuck; number += 1) {
    // A small window, so that the server soon has nowhere to write to.
    const socket = await hub(server, { subprotocol: "kvota.v1.json" });
    socket.say(1, "watch", { sports: null });
    sockets.push(socket);
  }
  let most = 0;
  const looking = setInterval(() => (most = Math.max(most, usage(server.pid).rss)), 500);
  const beside = await run.ended;
  clearInterval(looking);
  const merged = await metric(server, "kvota_connections_merging_total");
  const closed = await until(async () => (await metric(server, "kvota_connections_closed_total")) >= stuck, 60);
  const count = await metric(server, "kvota_connections_closed_total");
  sockets.forEach((socket) => socket.socket.destroy());
  await server.stop();
  const p99 = (results) => results.latency.feed_to_client?.p99;
  const slower = (p99(beside) / p99(allRead) - 1) * 100;
  return new Row("R17")
    .most("the others' p99 slower by", slower, 10, " %")
    .most("memory for each", (most - before.rss) / stuck / 1024, 512, " KiB")
    .least("closed", count, stuck)
    .note(`p99 ${p99(beside).toFixed(0)} ms beside ${stuck} that never read, ${p99(allRead).toFixed(0)} ms where they read; ${merged} fell behind${closed ? "" : "; not all closed within a minute"}`)
    .note(`memory is the whole growth while ${sessions} others were there too`)
    .note(aside(beside));
}

/** Peers that say nothing any more, not even a pong, are given up. */
export async function R18() {
  const peers = full ? 1000 : 200;
  const server = await startServer();
  await pause(2);
  const before = usage(server.pid).files;
  const sockets = [];
  for (let number = 0; number < peers; number += 1) sockets.push((await hub(server)).read());
  const began = Date.now();
  const open = await metric(server, "kvota_connections");
  const closed = await until(async () => (await metric(server, "kvota_connections")) === 0, 70);
  const took = (Date.now() - began) / 1000;
  await until(() => usage(server.pid).files <= before + 10, 10);
  const after = usage(server.pid).files;
  sockets.forEach((socket) => socket.socket.destroy());
  await server.stop();
  return new Row("R18")
    .most("given up after", closed ? took : null, 50, " s")
    .least("seen while they were there", open, peers)
    .most("files left open", after - before, 10)
    .note("peers that answer no ping; CONTRACT 3.6 says 40 s");
}

const text = (body) => frame(0x81, Buffer.from(body));

/** What is sent, and by what codes the hub may close. A code of null: the connection ends without one. */
const ABUSES = {
  "endless fragments": { codes: [1008, 1009], send: (socket) => repeat(socket, (n) => [frame(n ? 0x00 : 0x01, Buffer.alloc(100))]) },
  "a message begun inside another": { codes: [1002], send: (socket) => repeat(socket, () => [frame(0x01, Buffer.alloc(100))]) },
  "a frame of 70,000 bytes": { codes: [1008, 1009], send: (socket) => socket.write(text("x".repeat(70_000))) },
  "a header that says 2^62": { codes: [1008, 1009, 1002], send: (socket) => socket.write(Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])) },
  "no mask": { codes: [1002, 1008, null], send: (socket) => socket.write(frame(0x81, Buffer.from("[1,\"ping\"]"), { isMasked: false })) },
  "text that is no UTF-8": { codes: [1002, 1007, 1008], send: (socket) => socket.write(frame(0x81, Buffer.from([0xff, 0xfe, 0x80]))) },
  "1,000 commands in a second": { codes: [1008], send: (socket) => repeat(socket, (n) => [text(`[${n},"ping"]`)]) },
  "a reserved opcode": { codes: [1002, 1008, null], send: (socket) => socket.write(frame(0x83, Buffer.from("x"))) },
};

function repeat(socket, next) {
  for (let n = 0; n < 1000; n += 1) for (const bytes of next(n)) socket.write(bytes);
}

/** Frames that are none close their connection, soon and for little. */
export async function R21() {
  const server = await startServer();
  await pause(2);
  const before = usage(server.pid).rss;
  const row = new Row("R21");
  const wrong = [];
  let slowest = 0;
  const each = full ? 100 : 20;
  for (const [name, { codes, send }] of Object.entries(ABUSES)) {
    const sockets = await Promise.all(Array.from({ length: each }, () => hub(server)));
    const began = Date.now();
    for (const one of sockets) {
      one.read();
      send(one.socket);
    }
    const all = Promise.all(sockets.map((one) => one.gone)).then(() => true);
    const inTime = await Promise.race([all, pause(10).then(() => false)]);
    slowest = Math.max(slowest, (Date.now() - began) / 1000);
    const bad = sockets.filter((one) => !one.isGone || !codes.includes(one.closeCode));
    if (!inTime || bad.length) wrong.push(`${name}: ${bad.length} of ${each} closed with ${[...new Set(bad.map((one) => (one.isGone ? one.closeCode : "nothing")))].join(", ")}`);
    sockets.forEach((one) => one.socket.destroy());
  }
  slowest = Math.max(slowest, await slowHandshake(server, wrong));
  const grown = (usage(server.pid).rss - before) / 1e6 / (each * Object.keys(ABUSES).length);
  await server.stop();
  row.most("not closed as they must be", wrong.length, 0).most("slowest", slowest, 10, " s").most("memory for each", grown, 1, " MB");
  wrong.forEach((what) => row.note(what));
  return row;
}

/** A request whose head never ends is given up. */
function slowHandshake(server, wrong) {
  return new Promise((done) => {
    const began = Date.now();
    const socket = net.connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET /api/v1/live/hub HTTP/1.1\r\n");
    const dripping = setInterval(() => socket.write("X-A: b\r\n"), 500);
    const late = setTimeout(() => {
      wrong.push("a slow handshake: still open after 12 s");
      socket.destroy();
    }, 12_000);
    socket.resume();
    socket.once("close", () => {
      clearInterval(dripping);
      clearTimeout(late);
      done((Date.now() - began) / 1000);
    });
  });
}
