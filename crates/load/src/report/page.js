// Draws the report from the results that stand in the page. No library: a plot is a path and two axes.
"use strict";
const run = JSON.parse(document.getElementById("data").textContent);
const POINTS_MAX = 900;
// Between two times below a plot, in points.
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600];
const W = 640, H = 220, LEFT = 48, TOP = 8, BOTTOM = 22;
const NAMES = {
  feed_to_client: "feed to client", connect: "connect", offer: "GET offer", match: "open a match",
  watch_state: "change the filter", command: "command",
  bet: "place a bet", reconnect: "reconnect",
};
const KINDS = Object.keys(NAMES);

const el = (name, attributes = {}, ...children) => {
  const isShape = ["svg", "path", "line", "text", "rect", "g"].includes(name);
  const node = isShape ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
const number = (value, digits = value !== 0 && Math.abs(value) < 100 ? 1 : 0) =>
  value == null ? "–" : value.toLocaleString("en", { minimumFractionDigits: 0, maximumFractionDigits: digits });
const short = (value) => {
  const size = Math.abs(value);
  if (size >= 1e6) return `${number(value / 1e6, 1)}M`;
  if (size >= 1e4) return `${number(value / 1e3, 0)}k`;
  return number(value, size < 10 ? 2 : size < 100 ? 1 : 0);
};
const clock = (seconds) => {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)];
  const two = (part) => String(part).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
};

// A long run has more seconds than a screen has points: the worst of each group is kept, so that nothing is hidden.
const group = Math.max(1, Math.ceil(run.series.length / POINTS_MAX));
const series = [];
for (let at = 0; at < run.series.length; at += group) series.push(run.series.slice(at, at + group));
const worst = (pick) => series.map((points) => points.reduce((most, point) => {
  const value = pick(point);
  return value == null ? most : Math.max(most ?? value, value);
}, null));
const times = series.map((points) => points[0].t);

const cursors = [];
const tip = document.getElementById("tip");
/** Values for an axis from 0: multiples of 1, 2 or 5 times a power of ten, at most six of them. */
const ticks = (most) => {
  const top = most > 0 ? most * 1.02 : 1;
  const power = Math.floor(Math.log10(top / 5));
  const factor = [1, 2, 5, 10].find((it) => (top / 5) <= it * 10 ** power) ?? 10;
  const count = Math.max(1, Math.ceil(top / (factor * 10 ** power) - 1e-9));
  // Through text, so that 3 times 0.1 is 0.3.
  return Array.from({ length: count + 1 }, (_, at) => Number(`${at * factor}e${power}`));
};
const tickText = (value) => (value < 1 ? String(value) : short(value));

/** The dashes of the lines of a plot, so that they differ without their colours. */
const DASHES = ["none", "9 4", "2 3", "9 3 2 3", "5 2", "14 4", "1 5"];
// Of a letter in a plot, in its units.
const LETTER = 6;
/** Moves labels apart, from the top down, and up again where they would leave the plot. */
const apart = (labels) => {
  labels.sort((one, other) => one.y - other.y);
  labels.forEach((label, at) => { label.y = Math.max(label.y, at ? labels[at - 1].y + 12 : TOP); });
  for (let at = labels.length - 1, least = H - BOTTOM; at >= 0; at -= 1, least -= 12) labels[at].y = Math.min(labels[at].y, least);
  return labels;
};

function plot(title, unit, lines, options = {}) {
  const shown = lines.filter((line) => line.values.some((value) => value != null))
    .map((line, at) => ({ dash: DASHES[at % DASHES.length], ...line }));
  const caption = el("figcaption", {}, el("strong", {}, title, " ", el("small", { class: "quiet" }, unit)));
  for (const line of shown) {
    const sign = options.stacked ? el("i")
      : el("svg", { viewBox: "0 0 28 8", "aria-hidden": "true" }, el("path", { class: "line", d: "M0 4H28", "stroke-dasharray": line.dash }));
    caption.append(el("span", { class: "key", style: `--c: var(--c${line.colour})` }, sign, line.name));
  }
  const figure = el("figure", options.whole ? { class: "whole" } : {}, caption);
  document.getElementById("plots").append(figure);
  if (!shown.length || !times.length) {
    figure.append(el("p", { class: "empty" }, options.empty ?? "Nothing was measured."));
    return;
  }
  // Not drawn wider than it is shown on a narrow screen, where the texts would become too small.
  const wide = options.whole && innerWidth > 900 ? W * 2 : Math.min(W, Math.max(280, figure.clientWidth - 34));
  const count = times.length;
  const stacked = options.stacked;
  const tops = stacked ? times.map((_, at) => shown.reduce((sum, line) => sum + (line.values[at] ?? 0), 0)) : shown.flatMap((line) => line.values);
  const marks = ticks(tops.reduce((top, value) => Math.max(top, value ?? 0), options.least ?? 0));
  const most = marks.at(-1);
  const room = 10 + LETTER * Math.max(...shown.map((line) => (line.label ?? line.name).length));
  const isLabelled = !stacked && shown.length > 1 && room < wide / 4;
  const RIGHT = isLabelled ? room : 10;
  const x = (at) => LEFT + (count > 1 ? (at / (count - 1)) * (wide - LEFT - RIGHT) : (wide - LEFT - RIGHT) / 2);
  const y = (value) => H - BOTTOM - (value / most) * (H - BOTTOM - TOP);
  const svg = el("svg", { viewBox: `0 0 ${wide} ${H}`, role: "img", "aria-label": `${title}, ${unit}` });
  for (const value of marks) {
    svg.append(el("line", { class: value ? "grid" : "axis", x1: LEFT, x2: wide - RIGHT, y1: y(value), y2: y(value) }));
    svg.append(el("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, tickText(value)));
  }
  const every = STEPS.find((step) => count / step <= wide / 100) ?? count;
  for (let at = 0; at < count; at += every) {
    // A last one too close to the edge would stand out of it.
    const anchor = at === 0 ? "start" : x(at) > wide - RIGHT - 14 ? "end" : "middle";
    svg.append(el("text", { x: x(at), y: H - 6, "text-anchor": anchor }, clock(times[at])));
  }
  for (const storm of run.storms) {
    const at = Math.min(count - 1, storm.at_s / group);
    svg.append(el("line", { class: "storm", x1: x(at), x2: x(at), y1: TOP, y2: H - BOTTOM }));
  }
  if (stacked) {
    const width = Math.max(1, ((wide - LEFT - RIGHT) / count) * 0.9);
    times.forEach((_, at) => {
      let below = 0;
      for (const line of shown) {
        const value = line.values[at] ?? 0;
        if (!value) continue;
        const box = { x: x(at) - width / 2, y: y(below + value), width, height: Math.max(1, y(below) - y(below + value)) };
        svg.append(el("rect", { class: "bar", style: `--c: var(--c${line.colour})`, ...box }));
        below += value;
      }
    });
  } else {
    for (const line of shown) {
      let path = "";
      let pen = false;
      line.values.forEach((value, at) => {
        if (value == null) { pen = false; return; }
        path += `${pen ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
        pen = true;
      });
      const style = `--c: var(--c${line.colour})`;
      if (line.area && !path.slice(1).includes("M")) {
        svg.append(el("path", { class: "area", style, d: `${path}L${x(count - 1)} ${y(0)}L${x(0)} ${y(0)}Z` }));
      }
      svg.append(el("path", { class: "line", style, d: path, "stroke-dasharray": line.dash }));
    }
    const ends = shown.map((line) => ({ line, y: y(line.values.findLast((value) => value != null)) + 4 }));
    for (const { line, y: at } of isLabelled ? apart(ends) : []) {
      svg.append(el("text", { class: "label", style: `--c: var(--c${line.colour})`, x: wide - RIGHT + 6, y: at }, line.label ?? line.name));
    }
  }
  if (options.mark) {
    const at = x(Math.min(count - 1, options.mark.at));
    const isRight = at > (LEFT + wide - RIGHT) / 2;
    svg.append(el("line", { class: "mark", x1: at, x2: at, y1: TOP, y2: H - BOTTOM }));
    svg.append(el("text", { class: "label", style: "--c: var(--warn)", x: isRight ? at - 5 : at + 5, y: TOP + 8, "text-anchor": isRight ? "end" : "start" }, options.mark.text));
  }
  const cursor = el("line", { class: "cursor", y1: TOP, y2: H - BOTTOM });
  svg.append(cursor);
  cursors.push({ cursor, x });
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * wide;
    const share = Math.min(1, Math.max(0, (place - LEFT) / (wide - LEFT - RIGHT)));
    const at = Math.round(share * (count - 1));
    for (const other of cursors) {
      other.cursor.setAttribute("x1", other.x(at));
      other.cursor.setAttribute("x2", other.x(at));
      other.cursor.style.visibility = "visible";
    }
    const rows = shown.filter((line) => line.values[at] != null).map((line) =>
      el("div", { style: `--c: var(--c${line.colour})` }, el("i"), line.name, el("b", {}, number(line.values[at]))));
    tip.replaceChildren(el("div", { class: "quiet" }, clock(times[at])), ...rows);
    tip.hidden = false;
    const left = event.clientX + 16 + tip.offsetWidth > innerWidth ? event.clientX - 16 - tip.offsetWidth : event.clientX + 16;
    tip.style.left = `${left}px`;
    tip.style.top = `${Math.min(innerHeight - tip.offsetHeight - 8, event.clientY + 12)}px`;
  });
  svg.addEventListener("pointerleave", () => {
    tip.hidden = true;
    for (const other of cursors) other.cursor.style.visibility = "hidden";
  });
  figure.append(svg);
}

function table(id, heads, rows) {
  const node = document.getElementById(id);
  if (heads.length) node.append(el("tr", {}, ...heads.map((head) => el("th", head.apart ? { class: "apart" } : {}, head.text ?? head))));
  for (const row of rows) {
    node.append(el("tr", {}, ...row.map((cell) => {
      const { text, ...attributes } = typeof cell === "object" ? cell : { text: cell };
      return el("td", attributes, text);
    })));
  }
  if (!rows.length) node.append(el("tr", {}, el("td", { class: "quiet" }, "None.")));
}

const bytes = (value) => (value >= 1e9 ? `${number(value / 1e9, 2)} GB` : `${number(value / 1e6, 0)} MB`);
const latency = (name) => run.latency[name];
const errors = run.errors.reduce((sum, error) => sum + error.count, 0);
const failures = run.convergence.mismatches + run.convergence.gaps + run.convergence.late;

document.getElementById("title").textContent = run.demand.name || run.demand.target;
document.title = `kvota load: ${run.demand.name || run.demand.target}`;
const began = new Date(run.started_ms).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" });
document.getElementById("asked").textContent =
  `${began} · ${clock(run.duration_s)} · ${number(run.demand.sessions)} sessions · ` +
  `${[...run.demand.stages, ...run.demand.arrivals.map((it) => `${it} a second`)].join(", ")} · seed ${run.demand.seed}` +
  Object.entries(run.demand.tags).map(([key, value]) => ` · ${key} ${value}`).join("");
const verdict = document.getElementById("verdict");
verdict.textContent = run.verdict;
verdict.classList.add(run.passed ? "passed" : "failed");
const reasons = document.getElementById("reasons");
reasons.append(...run.reasons.map((text) => el("li", {}, text)));
reasons.hidden = !run.reasons.length;
const warnings = document.getElementById("warnings");
warnings.append(...run.generator.warnings.map((text) => el("p", {}, text)));
warnings.hidden = !run.generator.warnings.length;

const card = (name, value, unit = "", tone = "") =>
  document.getElementById("cards").append(el("div", { class: "card" }, el("span", {}, name),
    el("b", tone ? { class: tone } : {}, value, unit ? el("small", {}, ` ${unit}`) : "")));
card("connections at most", number(run.connections_max));
card("messages a second", short((run.counts.messages ?? 0) / Math.max(run.duration_s, 0.001)));
if (latency("feed_to_client")) {
  card("feed to client, median", number(latency("feed_to_client").p50), "ms");
  card("feed to client, p99", number(latency("feed_to_client").p99), "ms");
}
if (run.counts.bets_sent) {
  card("bets taken", number(run.counts.bets_taken));
  card("bet, p99", number(latency("bet")?.p99), "ms");
}
card("errors", number(errors), "", errors ? "bad" : "good");
card("offers compared", number(run.convergence.compared), failures ? `${number(failures)} failed` : "all equal", failures ? "bad" : "");
if (run.server) {
  card("server", number(run.server.cores_mean * 100, 0), "% of a core");
  card("server memory, most", bytes(run.server.rss_max_bytes));
}

// The slowest of each kind and when it was: the overall maximum, in the second that has the largest one.
const slowest = (name) => {
  const largest = worst((point) => point.latency[name]?.[3]);
  const at = largest.indexOf(largest.reduce((most, value) => Math.max(most, value ?? -1), -1));
  return latency(name) && at >= 0 ? { at, ms: latency(name).max } : null;
};
const duration = (ms) => (ms >= 1000 ? [number(ms / 1000, 1), "s"] : [number(ms), "ms"]);
const slowestCommand = slowest("command");
if (slowestCommand) {
  const [value, unit] = duration(slowestCommand.ms);
  card("slowest command", value, `${unit} at ${clock(times[slowestCommand.at])}`, slowestCommand.ms >= 1000 ? "warn" : "");
}

const of = (name, place) => worst((point) => point.latency[name]?.[place]);
plot("Connections", "open", [
  { name: "planned", colour: 7, dash: "9 4", values: worst((point) => point.planned) },
  { name: "open", colour: 1, dash: "none", area: true, values: worst((point) => point.connections) },
]);
plot("Deliveries", "a second", [
  { name: "messages", colour: 2, area: true, values: worst((point) => point.messages) },
  { name: "frames", colour: 1, values: worst((point) => point.frames) },
]);
plot("From the feed to the client", "ms", [
  { name: "largest", colour: 7, dash: "1 5", values: of("feed_to_client", 3) },
  { name: "p99", colour: 4, dash: "2 3", values: of("feed_to_client", 2) },
  { name: "p90", colour: 2, dash: "9 4", values: of("feed_to_client", 1) },
  { name: "p50", colour: 1, dash: "none", values: of("feed_to_client", 0) },
], { whole: true, empty: "No change of the feed reached a client." });
plot("What bettors do, p99", "ms, from the intended moment",
  KINDS.slice(1).map((name, at) => ({ name: NAMES[name], colour: (at % 6) + 1, values: of(name, 2) })),
  slowestCommand ? { mark: { at: slowestCommand.at, text: `slowest command: ${duration(slowestCommand.ms).join(" ")}` } } : {});
plot("Navigation", "ms, from the intended moment", [
  { name: "open a match, p99", label: "match p99", colour: 4, dash: "2 3", values: of("match", 2) },
  { name: "open a match, p50", label: "match p50", colour: 1, dash: "none", values: of("match", 0) },
  { name: "change the filter, p99", label: "filter p99", colour: 5, dash: "9 3 2 3", values: of("watch_state", 2) },
  { name: "change the filter, p50", label: "filter p50", colour: 2, dash: "9 4", values: of("watch_state", 0) },
], { empty: "Nobody navigated." });
plot("What bettors do", "a second", [
  { name: "commands", colour: 2, values: worst((point) => point.commands) },
  { name: "calls", colour: 6, values: worst((point) => point.calls) },
  { name: "bets taken", colour: 3, values: worst((point) => point.bets) },
]);
plot("Processors", "cores", [
  { name: "server", colour: 4, area: true, values: worst((point) => point.server_cores) },
  { name: "load tester", colour: 2, values: worst((point) => point.generator_cores) },
], { least: 0.1 });
plot("The server's memory", "MB", [
  { name: "resident", colour: 5, area: true, values: worst((point) => (point.server_rss_bytes == null ? null : point.server_rss_bytes / 1e6)) },
], { empty: "The server's process could not be looked at." });
const kinds = run.errors.slice(0, 6).map((error) => error.kind);
plot("Errors by kind", "a second", [
  ...kinds.map((kind, at) => ({ name: kind, colour: ((at + 3) % 6) + 1, values: worst((point) => point.errors[kind] ?? 0) })),
], { stacked: true, empty: "There was no error." });
plot("How late the load tester was", "ms, p99: its part of every latency", [
  { name: "late", colour: 7, area: true, values: worst((point) => point.generator_late_ms) },
], { least: 5 });

table("latency", ["", "count", "mean", "p50", "p90", "p95", "p99", "p99.9", "max", "at", { text: "p99", apart: true }, "max"],
  KINDS.filter((name) => latency(name)).map((name) => {
    const it = latency(name);
    // A second is slow for any of these; a bet also waits for the delay of in-play betting.
    const cells = [it.mean, it.p50, it.p90, it.p95, it.p99, it.p999, it.max]
      .map((value) => ({ text: number(value), class: value >= 1000 ? "warn" : "" }));
    const most = slowest(name);
    return [NAMES[name], number(it.count), ...cells, most ? clock(times[most.at]) : "–", { text: number(it.uncorrected.p99), class: "apart" },
      { text: number(it.uncorrected.max), class: "quiet" }];
  }));
table("thresholds", run.thresholds.length ? ["", "measured", "limit", ""] : [], run.thresholds.map((it) =>
  [{ text: it.is_default ? `${it.name} (usual)` : it.name, class: "text" }, number(it.value), number(it.limit), { text: it.passed ? "held" : "crossed", class: it.passed ? "good" : "bad" }]));
table("errors", [], run.errors.map((error) => [{ text: error.kind, class: "text" }, number(error.count)]));
table("refusals", [], run.refusals.map((refusal) => [{ text: refusal.kind, class: "text" }, number(refusal.count)]));
const measured = KINDS.filter((name) => run.parts.some((part) => part.latency[name]));
table("parts", ["stage", "persona", "sessions", ...measured.map((name) => NAMES[name]), "bets taken", "errors"], run.parts.map((part) => [
  part.stage, { text: part.persona, class: "text" }, number(part.counts.sessions_started),
  ...measured.map((name) => number(part.latency[name]?.p99)), number(part.counts.bets_taken),
  number(part.errors.reduce((sum, error) => sum + error.count, 0)),
]));
table("convergence", [], [
  ["sampled connections", number(run.convergence.sessions)],
  ["fresh offers got", number(run.convergence.checks)],
  ["rows and details compared at the same revision", number(run.convergence.compared)],
  ["of them details", number(run.convergence.details_compared)],
  ["not equal", number(run.convergence.mismatches)],
  ["gaps in the revisions", number(run.convergence.gaps)],
  ["never reached", number(run.convergence.late)],
  ["passed over", number(run.convergence.passed_over)],
  ...run.convergence.examples.map((text) => [{ text, class: "text bad", colspan: 2 }]),
]);
document.getElementById("storms-box").hidden = !run.storms.length;
table("storms", ["at", "cut", "back", "half after", "p99 after", "last after"], run.storms.map((storm) => [
  clock(storm.at_s), number(storm.cut), number(storm.back),
  ...[storm.half_back_ms, storm.p99_back_ms, storm.last_back_ms].map((ms) => `${number(ms / 1000, 1)} s`),
]));
document.getElementById("hostile-box").hidden = !run.hostile;
if (run.hostile) {
  table("hostile", ["", "clients", "actions", "answered", "p50", "p99", ...Object.keys(Object.values(run.hostile.kinds)[0]?.rejections ?? {}), "other errors"],
    Object.entries(run.hostile.kinds).map(([name, kind]) => [name, number(kind.clients), number(kind.actions), number(kind.answered),
      number(kind.latency.p50), number(kind.latency.p99), ...Object.values(kind.rejections).map((count) => number(count)),
      number(kind.errors.reduce((sum, error) => sum + error.count, 0))]));
  table("slowdown", run.hostile.windows.length ? ["", "p50 slower by", "p99 slower by", "pairs"] : [],
    Object.entries(run.hostile.slowdown).map(([name, it]) =>
      [NAMES[name], `${number(it.p50_percent)} %`, `${number(it.p99_percent)} %`, number(it.p99_pairs.length)]));
}
table("counts", [], Object.entries(run.counts).map(([name, count]) => [name.replaceAll("_", " "), number(count)]));
const setting = (name, text) => [name, { text, class: "text" }];
table("settings", [], [
  setting("stages", run.demand.stages.join(", ") || "–"),
  setting("arrivals", run.demand.arrivals.join(", ") || "–"),
  setting("spikes and storms", [...run.demand.spikes, ...run.demand.storms].join(", ") || "–"),
  setting("personas", Object.entries(run.demand.personas).map(([name, weight]) => `${name} ${weight}`).join(", ")),
  setting("hostile clients", run.demand.hostile || "–"),
  setting("languages", run.demand.langs.join(", ")),
  setting("load tester", `kvota ${run.version}, ${run.generator.threads} thread(s), ${number(run.generator.cores_mean, 2)} cores, ${number(run.generator.file_limit)} files allowed`),
  setting("machine", `${run.machine.processor || "processor"} × ${run.machine.cores}, ${bytes(run.machine.memory_bytes)}, Linux ${run.machine.kernel}`),
  ...(run.server ? [setting("server", `process ${run.server.pid}, ${number(run.server.us_per_frame)} µs a frame, memory ${number(run.server.rss_slope_percent_per_10min)} % in ten minutes, ${number(run.server.files_start)} files open before, ${number(run.server.files_max)} at most, ${number(run.server.files_end)} after`)] : []),
]);
