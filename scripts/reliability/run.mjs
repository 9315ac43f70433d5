// `make reliability`: prints a line for each row, `Rnn PASS value/limit` or `Rnn FAIL …`. Rows about load, clients and
// nodes run the program named by the first argument; all others run tests. Further arguments name rows, by default all.
// Exit code 1 if a row failed.

import * as clients from "./bad_clients.mjs";
import { rows as byTests } from "./by_tests.mjs";
import { full } from "./common.mjs";
import * as nodes from "./nodes.mjs";
import * as underLoad from "./under_load.mjs";

const measured = Object.entries({ ...underLoad, ...clients, ...nodes }).map(([name, row]) => [name, async () => (await row()).print()]);
const rows = Object.fromEntries([...measured, ...Object.entries(byTests)].sort());
const asked = process.argv.slice(3);
const unknown = asked.filter((name) => !rows[name]);
if (unknown.length) {
  console.error(`no such row: ${unknown.join(", ")}; there are ${Object.keys(rows).join(", ")}`);
  process.exit(2);
}
console.error(full ? "with the numbers of FULL=1" : "with small numbers; FULL=1 takes the large ones");
let failed = 0;
for (const name of asked.length ? asked : Object.keys(rows)) {
  try {
    failed += (await rows[name]()) ? 0 : 1;
  } catch (error) {
    console.log(`${name} FAIL ${error.message}`);
    failed += 1;
  }
}
process.exit(failed ? 1 : 0);
