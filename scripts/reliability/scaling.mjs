// Prints what a delivery costs with one, two and three nodes, in one run: processor time of the nodes, of HAProxy, of
// PostgreSQL and of RabbitMQ, and sockets and deliveries per second.
//
//   node scripts/reliability/scaling.mjs PROGRAM
//
// Nodes have cores of their own, except for the last core, which everything else shares. With two cores all nodes share
// the first: the run then shows the cost of more nodes, not their throughput.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { cpus } from "node:os";
import { Cluster, NODES } from "./cluster.mjs";
import { kvota, load, pause } from "./common.mjs";

const SOCKETS = Number(process.env.SOCKETS ?? 600);
const WINDOW_S = 40;
const last = cpus().length - 1;

/** Processor time of a process with all its threads, in seconds. */
function processor(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** All processes with this name. */
function named(name) {
  const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === name;
    } catch {
      return false;
    }
  });
}

const pin = (pids, core) => pids.forEach((pid) => execFileSync("taskset", ["-acp", String(core), String(pid)], { stdio: "ignore" }));
const sum = (pids) => pids.reduce((total, pid) => total + processor(pid), 0);

console.log("nodes | sockets | deliveries/s | us a delivery: nodes | HAProxy | PostgreSQL | RabbitMQ");
for (let nodes = 1; nodes <= NODES; nodes += 1) {
  const cluster = await Cluster.start({ programs: Array(nodes).fill(kvota), matches: 400, rate: 0.5 });
  const parts = () => ({
    nodes: cluster.nodes.map(({ process }) => process.pid),
    haproxy: named("haproxy"),
    postgres: named("postgres"),
    broker: named("beam.smp"),
  });
  parts().nodes.forEach((pid, number) => pin([pid], number % last));
  pin([...parts().haproxy, ...parts().postgres, ...parts().broker, cluster.feed.pid, process.pid], last);
  const run = load(cluster, "--stage", `10s:0..${SOCKETS}`, "--stage", `${WINDOW_S + 20}s:${SOCKETS}`, "--persona", "watcher=1", "--think", "60s", "--lang", "en", "--sample", "0");
  await run.runsNow;
  await pause(15);
  const used = () => Object.fromEntries(Object.entries(parts()).map(([name, pids]) => [name, sum(pids)]));
  const before = used();
  await pause(WINDOW_S);
  const after = used();
  const results = await run.ended;
  await cluster.stop();
  const steady = results.series.slice(-WINDOW_S - 5, -5);
  const rate = steady.reduce((total, { messages }) => total + messages, 0) / steady.length;
  const cost = (part) => (((after[part] - before[part]) / WINDOW_S / rate) * 1e6).toFixed(2);
  const costs = ["nodes", "haproxy", "postgres", "broker"].map(cost);
  console.log([nodes, SOCKETS, Math.round(rate), ...costs].join(" | "));
}
process.exit(0);
