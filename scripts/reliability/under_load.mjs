// Rows that are a load test with limits: R01 steady, R02 many changes, R04 too much, R05 honesty, R19 a storm, R20 coming
// again.

import { Row, full, aside, load, pause, startServer } from "./common.mjs";

const errorsOf = (results) => results.errors.reduce((sum, error) => sum + error.count, 0);
const wrong = (results) => results.convergence.mismatches + results.convergence.gaps + results.convergence.late;
const perSecond = (results, name) => results.counts[name] / results.duration_s;

/** A steady live day. */
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

/** A thousand odds change in a second, again and again, and everybody's offer follows. */
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

/** Three times the bettors that the server's peak takes. */
export async function R04() {
  const bettors = full ? 64 : 24;
  const seconds = full ? 60 : 15;
  const server = await startServer();
  const betting = (number) =>
    load(server, "--stage", `${seconds}s:${number}`, "--persona", "bettor=1", "--think", "60ms", "--sample", "0", "--accounts", String(number)).ended;
  const peak = await betting(bettors);
  const over = await betting(3 * bettors);
  // A session is saved every 50 ms at most, and a change of its ticket is acknowledged when it is: who changes it as often as that
  // measures a queue of their own.
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

/** The load tester tells the truth about a server that stood still for a second. */
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

/** Everybody is cut and comes again. */
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

/** Who was away comes again and has what everybody has: after a cut, and after the feed was inactive. */
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
