// Checks that every test in the rows of docs/reliability.md exists, so that a renamed test fails `make test` and not only
// `make reliability`. Reads `cargo nextest list --message-format json` from its standard input.

import { readFileSync } from "node:fs";
import { ROWS } from "./test_rows.mjs";

const suites = JSON.parse(readFileSync(0, "utf8"))["rust-suites"];
const browserTests = (file) => readFileSync(new URL(`../../web/e2e/${file}`, import.meta.url), "utf8");
const table = readFileSync(new URL("../../docs/reliability.md", import.meta.url), "utf8");

let missing = 0;
const report = (text) => {
  console.error(text);
  missing += 1;
};
for (const [name, row] of Object.entries(ROWS)) {
  if (!table.includes(`| ${name} |`)) report(`${name} is not in docs/reliability.md`);
  for (const { tests } of [row, row.then ?? { tests: {} }]) {
    for (const [program, names] of Object.entries(tests)) {
      for (const test of names) if (!suites[program]?.testcases[test]) report(`${name}: ${program} has no test ${test}`);
    }
  }
  const { file, titles } = row.browser ?? { titles: [] };
  for (const title of titles) if (!browserTests(file).includes(title)) report(`${name}: ${file} has no test "${title}"`);
}
process.exit(missing ? 1 : 0);
