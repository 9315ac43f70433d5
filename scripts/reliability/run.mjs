// `make reliability`: each row of the scoreboard that is about load and clients prints its line, `Rnn PASS value/limit` or
// `Rnn FAIL …`. Arguments after the program name rows; without any, all of them. Ends with 1 where one failed.

import * as clients from "./bad_clients.mjs";
import { full } from "./common.mjs";
import * as underLoad from "./under_load.mjs";

const rows = Object.fromEntries(Object.entries({ ...underLoad, ...clients }).sort());
const asked = process.argv.slice(3);
const unknown = asked.filter((name) => !rows[name]);
if (unknown.length) {
  console.error(`no such row: ${unknown.join(", ")}; there are ${Object.keys(rows).join(", ")}`);
  process.exit(2);
}
console.error(full ? "with the numbers for two cores" : "with small numbers; FULL=1 takes those for two cores");
let failed = 0;
for (const name of asked.length ? asked : Object.keys(rows)) {
  try {
    failed += (await rows[name]()).print() ? 0 : 1;
  } catch (error) {
    console.log(`${name} FAIL ${error.message}`);
    failed += 1;
  }
}
process.exit(failed ? 1 : 0);
