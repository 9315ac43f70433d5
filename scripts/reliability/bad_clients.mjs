// Rows about misbehaving clients and their effect on others: R17 clients that never read, R18 clients that vanish, R21
// malformed frames, R58 hostile clients.

import net from "node:net";
import { Row, frame, full, hub, aside, load, metric, pause, startServer, until, usage } from "./common.mjs";

/** Windows of 16 s with and without the misbehaving clients, in pairs. */
const windows = full ? 12 : 8;

/**
 * Clients that never read must not slow others down more than clients that read. Both are measured in one run: in every
 * other window the clients of the load tester read. Two separate runs on a busy machine differ by more than the limit.
 * The memory of such a client, and that it is closed, are measured separately.
 */
export async function R17() {
  const [sessions, stuck] = full ? [4500, 500] : [900, 100];
  const server = await startServer({ "feed.simulated_matches": 1000, "feed.price_rate": 1 });
  // First, while the server's memory is still unused.
  const { memory, closed } = await neverReading(server, stuck);
  const merging = () => metric(server, "kvota_connections_merging_total");
  const before = await merging();
  const results = await load(
    server,
    ...["--stage", `10s:0..${sessions}`, "--stage", `${windows * 16}s:${sessions}`, "--persona", "watcher=1", "--think", "30s", "--sample", "0"],
    ...["--hostile", String(stuck), "--hostile-kind", "stalled", "--hostile-from", "10s", "--hostile-window", "16s"],
  ).ended;
  const merged = (await merging()) - before;
  await server.stop();
  const slowdown = results.hostile.slowdown.feed_to_client;
  return new Row("R17")
    .most("the others' p99 slower by", slowdown?.p99_percent, 10, " %")
    .least("clients that fell behind", merged, stuck)
    .most("memory for each", memory, 512, " KiB")
    .least("closed", closed, stuck)
    .note(compared(slowdown))
    .note(aside(results));
}

/** Connections that never read, without other clients: the memory of each, and how many are closed after a minute. */
async function neverReading(server, count) {
  await pause(5);
  const before = { rss: usage(server.pid).rss, closed: await metric(server, "kvota_connections_closed_total") };
  const offer = await (await fetch(`${server.target}/api/v1/live/offer?view=rows`, { headers: { accept: "application/json" } })).json();
  const matches = offer.sports.flatMap((sport) => sport.matches.map(({ id }) => id)).slice(0, 200); // as many as fit into a command
  const sockets = [];
  for (let number = 0; number < count; number += 1) {
    const socket = await hub(server);
    socket.say(1, "watch", { sports: null, matches });
    sockets.push(socket);
    // One address may watch 20,000 more matches a second.
    if (number % 90 === 89) await pause(1);
  }
  let most = before.rss;
  const closed = async () => (await metric(server, "kvota_connections_closed_total")) - before.closed;
  await until(async () => {
    most = Math.max(most, usage(server.pid).rss);
    return (await closed()) >= count;
  }, 60);
  const found = { memory: (most - before.rss) / count / 1024, closed: await closed() };
  sockets.forEach((socket) => socket.socket.destroy());
  return found;
}

/** A note with all pairs of windows, which shows how much they differ. */
const compared = (slowdown) => {
  const pairs = slowdown?.p99_pairs.map(([without, beside]) => `${without.toFixed(0)}/${beside.toFixed(0)}`) ?? [];
  return `p99 without/beside them by pairs of windows: ${pairs.join(", ")} ms`;
};

/** Twenty hostile clients among the bettors, of all kinds but those that never read. */
export async function R58() {
  const [sessions, hostile] = [Number(process.env.BETTORS ?? (full ? 5000 : 1000)), Number(process.env.HOSTILE ?? 20)];
  const server = await startServer({ "feed.simulated_matches": 400, "feed.price_rate": 0.5 });
  const results = await load(
    server,
    ...["--stage", `15s:0..${sessions}`, "--stage", `${windows * 16}s:${sessions}`, "--sample", "10", "--check-every", "5s"],
    ...["--hostile", String(hostile), "--hostile-from", "15s", "--hostile-window", "16s"],
  ).ended;
  await server.stop();
  const { kinds, slowdown, cores_mean: cores } = results.hostile;
  const rejected = ({ kind }) => /status (429|503)|closed with 1008|refused/.test(kind);
  const honest = results.errors.filter(rejected).reduce((sum, { count }) => sum + count, results.counts.shed);
  const answers = ([name, { actions, answered, rejections }]) => {
    const codes = Object.entries(rejections).filter(([, count]) => count).map(([code, count]) => ` ${count} x ${code}`);
    return `${name} ${answered} of ${actions}${codes.join(",")}`;
  };
  return new Row("R58")
    .most("the others' p99 slower by", slowdown.feed_to_client?.p99_percent, 10, " %")
    .most("honest clients rejected", honest, 0)
    .most("offers that differ", results.convergence.mismatches + results.convergence.gaps + results.convergence.late, 0)
    .note(compared(slowdown.feed_to_client))
    .note(`${sessions} bettors, ${hostile} hostile (${cores.toFixed(2)} cores), answered: ${Object.entries(kinds).map(answers).join("; ")}`)
    .note(aside(results));
}

/** Clients that send nothing more, not even a pong, are disconnected. */
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

/** The abuses and the allowed close codes. A code of null: the connection ends without one. */
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

/** Malformed frames close their connection, quickly and with little memory. */
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

/** A request whose head never ends is disconnected. */
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
