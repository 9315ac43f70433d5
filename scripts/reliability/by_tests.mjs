// Runs the rows of docs/reliability.md that are checked by tests, and reads the measurements that they print. A row passes if all its tests ran and passed and every measurement is within its limit. A renamed test
// does not run, which fails its row.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { full } from "./common.mjs";
import { ROWS } from "./test_rows.mjs";

/** Runs a command and passes each line of its output to `onLine`; the exit code. */
function run(command, env, cwd, onLine) {
  const child = spawn("bash", ["-c", command], { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", onLine);
  return new Promise((done) => child.once("close", done));
}

const quoted = (text) => `'${text}'`;

/** Runs the tests of a row; the names of passed tests, and the measurements. */
async function runTests(name, { tests, seeds, more = {}, services }) {
  const wanted = Object.entries(tests).flatMap(([program, found]) => found.map((test) => ({ program, test })));
  if (!wanted.length) return { wanted: 0, passed: 0, measured: [], last: [] };
  const filter = wanted.map(({ program, test }) => `(binary_id(=${program}) & test(=${test}))`).join(" | ");
  const env = { RUST_BACKTRACE: "0", NO_COLOR: "1", ...(full ? more : {}) };
  if (seeds) env.KVOTA_SEEDS = seeds[full ? 1 : 0];
  // A profile without time limits for the numbers of FULL=1.
  const profile = full ? "--profile simulate" : "";
  const started = services ? 'scripts/install-services.sh; eval "$(scripts/start-rabbitmq.sh)"; eval "$(scripts/start-postgres.sh)";' : "";
  const command = `${started} exec cargo nextest run --locked --workspace --features testkit ${profile} --no-fail-fast --no-capture -E ${quoted(filter)}`;
  const [passed, measured, last] = [new Set(), [], []];
  await run(command, env, undefined, (line) => {
    last.push(line);
    if (last.length > 400) last.shift();
    // A slow test is printed again at the end of the run.
    const found = /^ *PASS \[.*?\] \(.*?\) (\S+) (\S+)/.exec(line);
    if (found) passed.add(`${found[1]} ${found[2]}`);
    const most = new RegExp(`${name} most (\\S+) (\\S+) (.*)`).exec(line);
    if (most) measured.push({ value: most[1], limit: most[2], what: most[3] });
    const count = new RegExp(`${name} count (\\S+) (.*)`).exec(line);
    if (count) measured.push({ value: count[1], what: count[2] });
  });
  return { wanted: wanted.length, passed: passed.size, measured, last };
}

/** Runs the browser tests of a row. */
async function runBrowser({ file, titles, program }) {
  // KVOTA_BIN names a program that is already built.
  const build = program && !process.env.KVOTA_BIN ? "cargo build --locked --features testkit --bin kvota && cd web" : "cd web";
  const which = quoted(titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"));
  const command = `${build} && KVOTA_BIN="\${KVOTA_BIN:-$CARGO_TARGET_DIR/debug/kvota}" npx playwright test ${file} -g ${which}`;
  let passed = 0;
  const last = [];
  await run(command, {}, undefined, (line) => {
    last.push(line);
    passed = Number(/^ +(\d+) passed/.exec(line)?.[1] ?? passed);
  });
  return { wanted: titles.length, passed, last: last.slice(-60) };
}

const within = ({ value, limit }) => limit === undefined || Number(value) <= Number(limit);
const shown = ({ value, limit, what }) => (limit === undefined ? `${value} ${what}` : `${value}/${limit} ${what}`);

/** Runs a row and prints its line; whether it passed. */
async function hold(name) {
  const { then, browser, part } = ROWS[name];
  const runs = [await runTests(name, ROWS[name])];
  if (then) runs.push(await runTests(name, then));
  const inBrowser = browser ? await runBrowser(browser) : { wanted: 0, passed: 0, last: [] };
  const all = [...runs, inBrowser];
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  const measured = runs.flatMap((one) => one.measured);
  const holds = sum("wanted") > 0 && sum("passed") === sum("wanted") && measured.every(within);
  if (!holds) for (const one of all) if (one.passed < one.wanted) console.error(one.last.join("\n"));
  const figures = measured.map(shown);
  const missing = part ? ` (in part: ${part})` : "";
  console.log(`${name} ${holds ? "PASS" : "FAIL"} ${[`${sum("passed")}/${sum("wanted")} tests`, ...figures].join("; ")}${missing}`);
  return holds;
}

/** For each row, a function that runs it and prints its line. */
export const rows = Object.fromEntries(Object.keys(ROWS).map((name) => [name, () => hold(name)]));
