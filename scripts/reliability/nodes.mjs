// Rows about an installation with several nodes behind a load balancer without sticky sessions: R51 nodes are killed,
// R52 nodes are restarted one after the other, R54 the database and the broker are restarted, R57 nodes of the previous
// version run beside new ones. Each row starts its own PostgreSQL schema, exchange, feed, nodes and HAProxy.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Row, aside, full, kvota, load, pause, until, work } from "./common.mjs";

/** Ports of the database and the broker of these rows, which no other test uses, because R54 restarts them. */
const ports = { KVOTA_POSTGRES_PORT: "56780", KVOTA_RABBITMQ_PORT: "56740" };
const size = full ? { sockets: 1_000, bettors: 100, matches: 1_000, rate: 1 } : { sockets: 200, bettors: 20, matches: 200, rate: 0.5 };
const NODES = 3;
const DRAIN_S = 3;

let clusters = 0;
const children = new Set();
process.on("exit", () => children.forEach((child) => child.kill("SIGKILL")));

const free = () =>
  new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

/** Runs a script of the project with the services of these rows; the variables that it prints. */
function service(script) {
  const text = execFileSync(`scripts/${script}`, { env: { ...process.env, ...ports }, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  return Object.fromEntries([...text.matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value.replaceAll("\\", "")]));
}

/** Nodes over one database and one broker, a feed, and HAProxy in front of the nodes. */
class Cluster {
  static async start({ programs = Array(NODES).fill(kvota) } = {}) {
    const cluster = new Cluster();
    cluster.name = `kvota-rows-${process.pid}-${(clusters += 1)}`;
    cluster.folder = join(work, cluster.name);
    mkdirSync(cluster.folder, { recursive: true });
    execFileSync("scripts/install-services.sh", { stdio: ["ignore", "ignore", "inherit"] });
    execFileSync("scripts/install-services.sh", ["haproxy"], { stdio: ["ignore", "ignore", "inherit"] });
    const { KVOTA_TEST_POSTGRES_URL: database } = service("start-postgres.sh");
    const { KVOTA_TEST_AMQP_URL: broker } = service("start-rabbitmq.sh");
    cluster.database = database;
    cluster.schema = cluster.name.replaceAll("-", "_");
    cluster.sql(`CREATE SCHEMA ${cluster.schema}`);
    cluster.port = await free();
    const queue = (name) => `${cluster.name}-${name}`;
    cluster.env = {
      ...process.env,
      RUST_LOG: "error",
      KVOTA__FEED__AMQP_URL: broker,
      KVOTA__FEED__EXCHANGE: cluster.name,
      KVOTA__FEED__SNAPSHOT_QUEUE: queue("offer"),
      KVOTA__FEED__RESULTS_QUEUE: queue("results"),
      KVOTA__FEED__RESULTS_REQUEST_QUEUE: queue("results-requested"),
      KVOTA__FEED__SIMULATED_MATCHES: String(size.matches),
      KVOTA__FEED__PRICE_RATE: String(size.rate),
      KVOTA__FEED__SOURCE: "amqp",
      KVOTA__STORE__URL: `${database}?options[search_path]=${cluster.schema}`,
      KVOTA__BETTING__DELAY__DEFAULT: "1",
      KVOTA__HTTP__DRAIN_SECONDS: String(DRAIN_S),
      KVOTA__HTTP__TRUSTED_PROXIES: "127.0.0.1",
      KVOTA__HTTP__ALLOWED_ORIGINS: `http://127.0.0.1:${cluster.port}`,
    };
    cluster.feed = cluster.spawn(kvota, ["feed"]);
    cluster.nodes = [];
    for (const program of programs) {
      const node = { program, port: await free() };
      cluster.nodes.push(node);
      cluster.run(node);
    }
    for (const node of cluster.nodes) await cluster.ready(node);
    writeFileSync(join(cluster.folder, "haproxy.cfg"), cluster.balancer());
    cluster.haproxy = spawn("/usr/sbin/haproxy", ["-q", "-f", join(cluster.folder, "haproxy.cfg")], { stdio: ["ignore", "ignore", "inherit"] });
    cluster.target = `http://127.0.0.1:${cluster.port}`;
    if (!(await until(() => isReady(cluster.target), 30))) throw new Error("the load balancer finds no node");
    // The process whose usage is reported.
    cluster.pid = cluster.nodes[0].process.pid;
    return cluster;
  }

  /** As an installation would have it: a node that is not ready gets nothing new, and a failed call goes to another one. */
  balancer() {
    const nodes = this.nodes.map(({ port }, number) => `  server node${number} 127.0.0.1:${port} check inter 250ms fall 1 rise 1`);
    return [
      "global\n  maxconn 8000",
      "defaults\n  mode http\n  timeout connect 2s\n  timeout client 60s\n  timeout server 60s\n  timeout tunnel 1h",
      "  option redispatch\n  retries 3\n  retry-on conn-failure empty-response",
      `frontend public\n  bind 127.0.0.1:${this.port}\n  option forwardfor\n  default_backend nodes`,
      `backend nodes\n  balance roundrobin\n  option httpchk GET /readyz\n${nodes.join("\n")}\n`,
    ].join("\n");
  }

  spawn(program, args, env = {}) {
    const child = spawn(program, args, { env: { ...this.env, ...env }, cwd: this.folder, stdio: ["ignore", "ignore", "inherit"] });
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  }

  run(node) {
    const data = join(this.folder, `node-${node.port}`);
    node.process = this.spawn(node.program, ["serve", "--listen", `127.0.0.1:${node.port}`], { KVOTA__STORE__DATA_DIR: data });
    node.ended = new Promise((done) => node.process.once("exit", done));
  }

  async ready(node) {
    if (!(await until(() => isReady(`http://127.0.0.1:${node.port}`), 90))) throw new Error(`the node at port ${node.port} is not ready`);
  }

  /** Ends a node with a signal and starts it again, with another program if one is given. Its exit code. */
  async restart(node, signal, program = node.program) {
    node.process.kill(signal);
    const code = await node.ended;
    node.program = program;
    this.run(node);
    await this.ready(node);
    return code;
  }

  sql(statement) {
    const psql = execFileSync("bash", ["-c", "ls /usr/lib/postgresql/*/bin/psql | sort -V | tail -n 1"], { encoding: "utf8" }).trim();
    return execFileSync(psql, ["-X", "-q", "-t", "-A", "-d", this.database, "-c", statement], { encoding: "utf8" }).trim();
  }

  /** Bets in the database, and what `kvota audit` finds; 0 if nothing. */
  verdict() {
    const bets = Number(this.sql(`SELECT count(*) FROM ${this.schema}.bets`));
    try {
      execFileSync(kvota, ["audit"], { env: this.env, cwd: this.folder, stdio: ["ignore", "pipe", "inherit"] });
      return { bets, findings: 0 };
    } catch (failed) {
      console.error(String(failed.stdout));
      return { bets, findings: 1 };
    }
  }

  async stop() {
    this.haproxy?.kill("SIGKILL");
    const processes = [this.feed, ...this.nodes.map((node) => node.process)];
    processes.forEach((process) => process.kill("SIGKILL"));
    await Promise.all(this.nodes.map((node) => node.ended));
    this.sql(`SET client_min_messages = error; DROP SCHEMA ${this.schema} CASCADE`);
  }
}

async function isReady(target) {
  try {
    return (await fetch(`${target}/readyz`, { signal: AbortSignal.timeout(2_000) })).status === 200;
  } catch {
    return false;
  }
}

/** Bettors and watchers for some seconds, after 20 s in which they arrive. */
function underLoad(cluster, seconds) {
  const persona = `watcher=${size.sockets - size.bettors},bettor=${size.bettors}`;
  const stages = ["--stage", `20s:0..${size.sockets}`, "--stage", `${seconds}s:${size.sockets}`];
  return load(cluster, ...stages, "--persona", persona, "--think", "watcher=20s,bettor=2s", "--lang", "en", "--sample", "20", "--check-every", "3s");
}

const errors = (results, start) => results.errors.filter(({ kind }) => kind.startsWith(start)).reduce((sum, { count }) => sum + count, 0);
/** Rejections that say that there is no live offer. */
const ofRestart = (results) =>
  results.refusals.filter(({ kind }) => /^The offer is (not available|being restored)/.test(kind)).reduce((sum, { count }) => sum + count, 0);

/** What holds for every row: bets, keys, audit and convergence. */
function judged(name, results, verdict) {
  const { mismatches, gaps, late } = results.convergence;
  return new Row(name)
    .most("answered bets that do not exist", Math.max(results.counts.bets_taken - verdict.bets, 0), 0)
    // At the end of the run, and while a bettor gives up, an order may still be in its delay.
    .most("stored bets without an answer", Math.max(verdict.bets - results.counts.bets_taken, 0), size.bettors + errors(results, "bet given up"))
    .most("findings of the audit", verdict.findings, 0)
    .most("offers that differ", mismatches + gaps + late, 0)
    .note(`${size.sockets} sockets, ${(results.counts.bets_taken / results.duration_s).toFixed(1)} bets/s, ${results.latency.reconnect?.count} reconnects, ${results.convergence.compared} rows compared`)
    .note(`rejected: ${results.refusals.slice(0, 4).map(({ kind, count }) => `${count} x ${kind}`).join(", ") || "none"}`)
    .note(results.convergence.examples.slice(0, 3).join(", ") || "no offer differed")
    .note(aside(results));
}

/** Clients are back soon, and every order got its answer. */
const ofClients = (row, results) =>
  row.most("clients are back, p99", results.latency.reconnect?.p99, 2_000, " ms").most("bets without an outcome", errors(results, "bet given up"), 0);

/** A node is killed every 20 s (10 s), and starts again. */
export async function R51() {
  const [every, kills] = full ? [20, 30] : [10, 4];
  const cluster = await Cluster.start();
  const run = underLoad(cluster, every * (kills + 1));
  await run.runsNow;
  await pause(20);
  for (let kill = 0; kill < kills; kill += 1) {
    const begun = Date.now();
    await cluster.restart(cluster.nodes[kill % NODES], "SIGKILL");
    await pause(Math.max(every - (Date.now() - begun) / 1_000, 0));
  }
  const results = await run.ended;
  const row = judged("R51", results, cluster.verdict());
  await cluster.stop();
  return ofClients(row, results).note(`${kills} kills`);
}

/** All nodes are restarted, one after the other, as an upgrade does. */
export async function R52() {
  const cluster = await Cluster.start();
  const run = underLoad(cluster, full ? 120 : 60);
  await run.runsNow;
  await pause(25);
  const codes = [];
  for (const node of cluster.nodes) codes.push(await cluster.restart(node, "SIGTERM"));
  const results = await run.ended;
  const row = judged("R52", results, cluster.verdict());
  await cluster.stop();
  return ofClients(row, results)
    .most("bets rejected because of it", ofRestart(results), 0)
    .most("nodes that did not exit with 0", codes.filter((code) => code !== 0).length, 0);
}

/** The longest time without an accepted bet after a moment of the run, in seconds. */
function silence(results, from) {
  const bets = results.series.filter(({ t }) => t >= from).map(({ bets }) => bets);
  let [longest, current] = [0, 0];
  for (const count of bets.slice(0, -2)) {
    current = count > 0 ? 0 : current + 1;
    longest = Math.max(longest, current);
  }
  return longest;
}

/** The database is restarted, then the broker. */
export async function R54() {
  const cluster = await Cluster.start();
  const run = underLoad(cluster, full ? 120 : 70);
  await run.runsNow;
  await pause(25);
  service("stop-postgres.sh");
  service("start-postgres.sh");
  const restarted = Date.now();
  const isBack = async () => (await Promise.all(cluster.nodes.map(({ port }) => isReady(`http://127.0.0.1:${port}`)))).every(Boolean);
  await until(isBack, 60);
  const stored = (Date.now() - restarted) / 1_000;
  await pause(10);
  service("stop-rabbitmq.sh");
  service("start-rabbitmq.sh");
  const answers = Date.now();
  await until(isBack, 60);
  const offered = (Date.now() - answers) / 1_000;
  const results = await run.ended;
  const row = judged("R54", results, cluster.verdict());
  await cluster.stop();
  return row.most("database back", stored, 10, " s").most("offer back", offered, 15, " s").note(`longest time without a bet ${silence(results, 22)} s, both restarts included`);
}

/** Nodes of the previous version, named by KVOTA_PREVIOUS, are replaced one after the other by this one. */
export async function R57() {
  const previous = process.env.KVOTA_PREVIOUS;
  if (!previous) throw new Error("KVOTA_PREVIOUS does not name the program of the previous version");
  const cluster = await Cluster.start({ programs: Array(NODES).fill(previous) });
  const run = underLoad(cluster, full ? 120 : 70);
  await run.runsNow;
  await pause(25);
  for (const node of cluster.nodes) {
    await cluster.restart(node, "SIGTERM", kvota);
    // The versions run beside each other for a while.
    await pause(5);
  }
  const results = await run.ended;
  const row = judged("R57", results, cluster.verdict());
  await cluster.stop();
  return ofClients(row, results).most("bets rejected because of it", ofRestart(results), 0);
}
