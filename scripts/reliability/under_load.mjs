// Rows that are load tests with limits: R01 steady load, R02 many changes, R04 overload, R05 honest measurement, R19 a
// reconnection storm, R20 reconnecting clients.

import { Row, full, aside, load, pause, startServer } from "./common.mjs";

const errorsOf = (results) => results.errors.reduce((sum, error) => sum + error.count, 0);
const wrong = (results) => results.convergence.mismatches + results.convergence.gaps + results.convergence.late;
const perSecond = (results, name) => results.counts[name] / results.duration_s;

/** Steady load of a live day. */
export async function R01() {
  const [sessions, bettors, seconds] = full ? [5000, 200, 600] : [1000, 40, 30];
  const server = await startServer({ "feed.simulated_matches": 400, "feed.price_rate": 0.5 });
  const persona = `watcher=${sessions - bettors},bettor=${bettors}`;
  const run = load(server, "--stage", `20s:0..${sessions}`, "--stage", `${seconds}s:${sessions}`, "--persona", persona, "--think", "watcher=20s,bettor=2s", "--sample", "10");
  const results = await run.ended;
  await server.stop();
  return new Row("R01")
    .most("feed to client p99", results.latency.feed_to_client?.p99, 250, " ms")
    .most("p99.9", results.latency.feed_to_client?.p999, 1000, " ms")
    .most("bet p99", results.latency.bet?.p99, 300, " ms")
    .most("wrong answers", wrong(results) + errorsOf(results), 0)
    .most("memory", results.server.rss_max_bytes / 1e6, 1000, " MB")
    .note(`${sessions} sockets, ${perSecond(results, "bets_taken").toFixed(0)} bets/s, ${results.counts.frames} frames`)
    .note(aside(results));
}

/** A thousand odds change every second, and all clients stay in step with the offer. */
export async function R02() {
  const sessions = full ? 5000 : 1000;
  const server = await startServer({ "feed.simulated_matches": 1000, "feed.price_rate": 1 });
  const run = load(server, "--stage", `15s:0..${sessions}`, "--stage", `20s:${sessions}`, "--persona", "watcher=1", "--think", "30s", "--sample", "10", "--check-every", "2s");
  const results = await run.ended;
  await server.stop();
  return new Row("R02")
    .most("feed to client p99.9", results.latency.feed_to_client?.p999, 1000, " ms")
    .most("offers that differ", wrong(results), 0)
    .least("rows compared", results.convergence.compared, 1000)
    .note(`${sessions} sockets, ${perSecond(results, "messages").toFixed(0)} messages/s delivered`)
    .note(aside(results));
}

/** Three times as many bettors as the server can serve. */
export async function R04() {
  const bettors = full ? 64 : 24;
  const seconds = full ? 60 : 15;
  const server = await startServer();
  const betting = (number) =>
    load(server, "--stage", `${seconds}s:${number}`, "--persona", "bettor=1", "--think", "60ms", "--sample", "0", "--accounts", String(number)).ended;
  const peak = await betting(bettors);
  const over = await betting(3 * bettors);
  // A session is saved at most every 50 ms, and commands are acknowledged after the save. A client that sends more
  // often would measure its own queue.
  const after = await load(server, "--stage", "10s:100", "--persona", "builder=1", "--think", "1s", "--sample", "0").ended;
  await server.stop();
  const refused = (kind) => over.errors.filter((error) => error.kind === `bet: status ${kind}`).reduce((sum, error) => sum + error.count, 0);
  const share = (perSecond(over, "bets_taken") / perSecond(peak, "bets_taken")) * 100;
  return new Row("R04")
    .least("bets taken beside the peak's", share, 80, " %")
    .most("refused without Retry-After", refused(429) + refused(503) - over.counts.shed, 0)
    .most("p99 of a command within 10 s after", after.latency.command?.p99, 300, " ms")
    .note(`peak ${perSecond(peak, "bets_taken").toFixed(0)} bets/s, under three times the bettors ${perSecond(over, "bets_taken").toFixed(0)}, ${over.counts.shed} put off`);
}

/** The load tester reports the true latency of a server that was stopped for a second. */
export async function R05() {
  const server = await startServer();
  const run = load(server, "--stage", "30s:50", "--persona", "watcher=1", "--think", "100ms", "--sample", "0");
  await run.runsNow;
  await pause(8);
  server.signal("SIGSTOP");
  await pause(1);
  server.signal("SIGCONT");
  const results = await run.ended;
  await server.stop();
  const { command } = results.latency;
  return new Row("R05")
    .least("p99.9 from the intended moment", command?.p999, 900, " ms")
    .note(`p99 ${command?.p99.toFixed(0)} ms; uncorrected p99.9 ${command?.uncorrected.p999.toFixed(0)} ms, p99 ${command?.uncorrected.p99.toFixed(0)} ms`);
}

/** All clients are disconnected and reconnect. */
export async function R19() {
  const sessions = full ? 5000 : 1000;
  const server = await startServer();
  const results = await load(server, "--stage", `15s:0..${sessions}`, "--stage", `30s:${sessions}`, "--storm", "22s:5s", "--persona", "watcher=1", "--sample", "10", "--check-every", "3s").ended;
  await server.stop();
  const [storm] = results.storms;
  return new Row("R19")
    .most("the last is back after", storm.last_back_ms / 1000, 15, " s")
    .most("not back", storm.cut - storm.back, 0)
    .most("failures", errorsOf(results) + wrong(results), 0)
    .note(`${storm.cut} cut, half back after ${(storm.half_back_ms / 1000).toFixed(1)} s`)
    .note(aside(results));
}

/** Clients that were away have the current offer again: after a cut, and after an inactive feed. */
export async function R20() {
  const server = await startServer();
  const run = load(server, "--stage", "40s:50", "--storm", "8s:5s", "--persona", "watcher=1", "--think", "5s", "--sample", "25", "--check-every", "1s");
  await run.runsNow;
  await pause(20);
  server.signal("SIGUSR1");
  await pause(3);
  server.signal("SIGUSR2");
  const results = await run.ended;
  await server.stop();
  return new Row("R20")
    .most("offers that differ", wrong(results), 0)
    .least("rows compared", results.convergence.compared, 1000)
    .most("not back after the cut", results.storms[0].cut - results.storms[0].back, 0)
    .most("errors", errorsOf(results), 0)
    .note("5 s away, then the feed inactive for 3 s and active again")
    .note(aside(results));
}
