// Rows about an installation with several nodes behind a load balancer without sticky sessions: R51 nodes are killed,
// R52 nodes are restarted one after the other, R54 the database and the broker are restarted, R57 nodes of the previous
// version run beside new ones.

import { Cluster, NODES, isReady, service, size } from "./cluster.mjs";
import { Row, aside, full, kvota, load, pause, until } from "./common.mjs";

/** Bettors and watchers for some seconds, after those in which they arrive. */
function underLoad(cluster, seconds) {
  const persona = `watcher=${size.sockets - size.bettors},bettor=${size.bettors}`;
  const stages = ["--stage", `${size.arrive_s}s:0..${size.sockets}`, "--stage", `${seconds}s:${size.sockets}`];
  return load(cluster, ...stages, "--persona", persona, "--think", "watcher=20s,bettor=2s", "--lang", "en", "--sample", "5", "--check-every", "3s");
}

const errors = (results, start) => results.errors.filter(({ kind }) => kind.startsWith(start)).reduce((sum, { count }) => sum + count, 0);
/** Rejections that say that there is no live offer. */
const ofRestart = (results) =>
  results.refusals.filter(({ kind }) => /^refusedFeed(Inactive|Recovering)$/.test(kind)).reduce((sum, { count }) => sum + count, 0);

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
  await pause(size.arrive_s);
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
  await pause(size.arrive_s + 5);
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
  await pause(size.arrive_s + 5);
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
  return row.most("database back", stored, 10, " s").most("offer back", offered, 15, " s").note(`longest time without a bet ${silence(results, size.arrive_s + 2)} s, both restarts included`);
}

/** Nodes of the previous version, named by KVOTA_PREVIOUS, are replaced one after the other by this one. */
export async function R57() {
  const previous = process.env.KVOTA_PREVIOUS;
  if (!previous) throw new Error("KVOTA_PREVIOUS does not name the program of the previous version");
  const cluster = await Cluster.start({ programs: Array(NODES).fill(previous) });
  const run = underLoad(cluster, full ? 120 : 70);
  await run.runsNow;
  await pause(size.arrive_s + 5);
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
