// An installation for the rows about several nodes: a PostgreSQL schema, an exchange, a feed, the nodes, and HAProxy in
// front of them, which sends each request and each connection to the next node.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { full, kvota, until, work } from "./common.mjs";

// A bettor places a bet in about 6 s; 400 matches at this rate have about 2,000 odds changes a second.
export const size = full
  ? { sockets: 1_000, bettors: 280, matches: 400, rate: 0.5, arrive_s: 60, drain_s: 10 }
  : { sockets: 200, bettors: 20, matches: 200, rate: 0.5, arrive_s: 20, drain_s: 3 };
/** Ports of the database and the broker of these rows, which no other test uses, because R54 restarts them. */
const ports = { KVOTA_POSTGRES_PORT: "26780", KVOTA_RABBITMQ_PORT: "26740" };
export const NODES = 3;

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
export function service(script) {
  const text = execFileSync(`scripts/${script}`, { env: { ...process.env, ...ports }, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  return Object.fromEntries([...text.matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value.replaceAll("\\", "")]));
}

/** Nodes over one database and one broker, a feed, and HAProxy in front of the nodes. */
export class Cluster {
  static async start({ programs = Array(NODES).fill(kvota), matches = size.matches, rate = size.rate } = {}) {
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
      KVOTA__FEED__SIMULATED_MATCHES: String(matches),
      KVOTA__FEED__PRICE_RATE: String(rate),
      KVOTA__FEED__SOURCE: "amqp",
      KVOTA__STORE__URL: `${database}?options[search_path]=${cluster.schema}`,
      KVOTA__BETTING__DELAY__DEFAULT: "1",
      KVOTA__HTTP__DRAIN_SECONDS: String(size.drain_s),
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
      "  option redispatch 1\n  retries 3\n  retry-on conn-failure empty-response",
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

export async function isReady(target) {
  try {
    return (await fetch(`${target}/readyz`, { signal: AbortSignal.timeout(2_000) })).status === 200;
  } catch {
    return false;
  }
}
