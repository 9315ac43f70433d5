// Shared by the rows: a server, the load tester, metrics of the server, and a raw socket to the hub that does nothing
// by itself.

import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const kvota = process.argv[2];
/** FULL=1 uses numbers for a machine with two cores; otherwise they are a tenth to a fifth of that. */
export const full = process.env.FULL === "1";
export const work = mkdtempSync(join(tmpdir(), "kvota-reliability-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

export const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

/** Waits until a condition holds; false if it did not in time. */
export async function until(isSo, seconds) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (await isSo()) return true;
    await pause(0.1);
  }
  return false;
}

let servers = 0;

/** Starts a server on a free port with its own data folder; `keys` are configuration, `{ "feed.price_rate": 1 }`. */
export async function startServer(keys = {}) {
  const all = { "store.data_dir": join(work, `data-${(servers += 1)}`), "betting.delay.default": 0, ...keys };
  const env = { ...process.env, RUST_LOG: "error" };
  for (const [key, value] of Object.entries(all)) env[`KVOTA__${key.toUpperCase().replaceAll(".", "__")}`] = String(value);
  const child = spawn(kvota, ["serve", "--listen", "127.0.0.1:0"], { env, cwd: work, stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((done) => child.once("exit", done));
  const target = await new Promise((done, refused) => {
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += bytes;
      const found = /ready: (\S+)/.exec(text);
      if (found) done(found[1]);
    });
    child.once("exit", (code) => refused(new Error(`the server ended with ${code}`)));
  });
  const hasOffer = async () => (await fetch(`${target}/api/v1/live/offer?view=rows`)).status === 200;
  if (!(await until(hasOffer, 60))) throw new Error("the server has no offer after a minute");
  return {
    target,
    pid: child.pid,
    port: Number(new URL(target).port),
    signal: (name) => child.kill(name),
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

let runs = 0;

/** Starts `kvota load` and does not wait: `await load(…).ended` gives the results, and fails if there are none. */
export function load(server, ...options) {
  const json = join(work, `load-${(runs += 1)}.json`);
  // With priority, if that is allowed: bettors have processors of their own, and a tester that waits measures itself.
  const child = spawn("nice", ["-n", "-15", kvota, "load", "--target", server.target, "--pid", String(server.pid), "--json", json, ...options], {
    cwd: work,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  let said = () => {};
  // A progress line every five seconds; the first one shows that it runs.
  child.stderr.on("data", (bytes) => {
    told += bytes;
    if (/ of \d+ s: /.test(told)) said();
  });
  const runsNow = new Promise((done) => (said = done));
  const ended = new Promise((done, refused) => {
    child.once("exit", (code) => {
      said();
      try {
        done({ code, ...JSON.parse(readFileSync(json, "utf8")) });
      } catch {
        refused(new Error(`kvota load ended with ${code} and left no results: ${told.trim()}`));
      }
    });
  });
  return { runsNow, ended };
}

/** Resident memory in bytes and open files of a process. */
export function usage(pid) {
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024;
  return { rss, files: readdirSync(`/proc/${pid}/fd`).length };
}

/** The sum of a metric over its labels. */
export async function metric(server, name) {
  const text = await (await fetch(`${server.target}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

/** A hub socket after its handshake, from a loopback address. Reads nothing unless `read` is called. */
export function hub(server, { subprotocol = "kvota.v1.json", from } = {}) {
  return new Promise((done, refused) => {
    const key = randomBytes(16).toString("base64");
    const socket = net.connect({ port: server.port, host: "127.0.0.1", localAddress: from });
    let held = Buffer.alloc(0);
    socket.once("error", refused);
    socket.once("connect", () => {
      socket.write(
        `GET /api/v1/live/hub?lang=hr HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Protocol: ${subprotocol}\r\n\r\n`,
      );
    });
    const take = (bytes) => {
      held = Buffer.concat([held, bytes]);
      const end = held.indexOf("\r\n\r\n");
      if (end < 0) return;
      socket.off("data", take);
      socket.pause();
      const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      const head = held.subarray(0, end).toString();
      if (!head.startsWith("HTTP/1.1 101") || !head.includes(accept)) return refused(new Error(head));
      socket.on("error", () => {});
      done(new Hub(socket, held.subarray(end + 4)));
    };
    socket.on("data", take);
  });
}

/** A raw connection. */
export class Hub {
  constructor(socket, rest) {
    this.socket = socket;
    this.held = rest;
    this.closeCode = null;
    this.isGone = false;
    this.gone = new Promise((done) => socket.once("close", () => done((this.isGone = true))));
  }

  /** Sends a command. */
  say(...command) {
    this.socket.write(frame(0x81, Buffer.from(JSON.stringify(command))));
  }

  /** Starts reading; stores the code of a close frame. */
  read() {
    const take = (bytes) => {
      this.held = Buffer.concat([this.held, bytes]);
      for (;;) {
        const found = firstFrame(this.held);
        if (!found) return;
        if ((found.opcode & 0x0f) === 8) this.closeCode = found.body.length >= 2 ? found.body.readUInt16BE(0) : 0;
        this.held = this.held.subarray(found.length);
      }
    };
    this.socket.on("data", take);
    take(Buffer.alloc(0));
    this.socket.resume();
    return this;
  }
}

function firstFrame(bytes) {
  if (bytes.length < 2) return null;
  let [size, at] = [bytes[1] & 0x7f, 2];
  if (size === 126) [size, at] = bytes.length < 4 ? [Infinity, 4] : [bytes.readUInt16BE(2), 4];
  else if (size === 127) [size, at] = bytes.length < 10 ? [Infinity, 10] : [Number(bytes.readBigUInt64BE(2)), 10];
  if (bytes.length < at + size) return null;
  return { opcode: bytes[0], body: bytes.subarray(at, at + size), length: at + size };
}

/** A client frame, which must be masked. */
export function frame(first, body, { isMasked = true } = {}) {
  const mask = isMasked ? randomBytes(4) : Buffer.alloc(0);
  const bit = isMasked ? 0x80 : 0;
  let head;
  if (body.length < 126) head = Buffer.from([first, bit | body.length]);
  else if (body.length < 65_536) head = Buffer.from([first, bit | 126, body.length >> 8, body.length & 0xff]);
  else {
    head = Buffer.alloc(10);
    head[0] = first;
    head[1] = bit | 127;
    head.writeBigUInt64BE(BigInt(body.length), 2);
  }
  const masked = Buffer.from(body);
  if (isMasked) for (let at = 0; at < masked.length; at += 1) masked[at] ^= mask[at % 4];
  return Buffer.concat([head, mask, masked]);
}

/** The outcome of a row: each part is a value with its limit and whether it holds. */
export class Row {
  constructor(name) {
    this.name = name;
    this.parts = [];
    this.notes = [];
  }

  /** A value with an upper limit. */
  most(what, value, limit, unit = "") {
    return this.part(what, value, limit, unit, value != null && value <= limit);
  }

  /** A value with a lower limit. */
  least(what, value, limit, unit = "") {
    return this.part(what, value, limit, unit, value != null && value >= limit);
  }

  part(what, value, limit, unit, holds) {
    const shown = value == null ? "not measured" : Number(value.toFixed(1));
    this.parts.push({ text: `${what} ${shown}/${limit}${unit}`, holds });
    return this;
  }

  /** A remark for the reader. */
  note(text) {
    this.notes.push(text);
    return this;
  }

  /** Prints the line; whether the row passed. */
  print() {
    const passed = this.parts.length > 0 && this.parts.every((part) => part.holds);
    const parts = this.parts.map((part) => (part.holds ? part.text : `[${part.text}]`)).join(", ");
    console.log(`${this.name} ${passed ? "PASS" : "FAIL"} ${parts}${this.notes.length ? ` (${this.notes.join("; ")})` : ""}`);
    return passed;
  }
}

/** A remark for every run: the delay of the load tester itself, which is part of every latency, and the errors. */
export const aside = ({ generator, errors }) => {
  const kinds = errors.slice(0, 3).map(({ kind, count }) => `${count} x ${kind}`);
  return [`load tester late p99 ${generator.late_ms.p99.toFixed(0)} ms`, ...kinds].join("; ");
};
