// Bun's built-in publish and subscribe. Run with `bun bun.mjs`; lines of standard input set the rates (work.rs).
const TOPICS = Number(process.env.PEERS_TOPICS ?? 200);
const GATHER_MS = Number(process.env.PEERS_GATHER_MS ?? 0);
const PAYLOAD = 256;

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request, server) {
    const topic = new URL(request.url).searchParams.get("topic");
    return server.upgrade(request, { data: { topic } }) ? undefined : new Response("no socket", { status: 400 });
  },
  websocket: {
    perMessageDeflate: false,
    open(socket) {
      socket.subscribe("common");
      socket.subscribe(`m${socket.data.topic}`);
    },
    message() {},
  },
});
console.log(server.port);

// Gathered payloads, by topic.
const gathered = new Map();
const tell = (topic, payload) => {
  if (GATHER_MS === 0) {
    server.publish(topic, payload);
    return;
  }
  const held = gathered.get(topic);
  if (held) held.push(payload);
  else gathered.set(topic, [payload]);
};
if (GATHER_MS > 0) {
  setInterval(() => {
    for (const [topic, payloads] of gathered) server.publish(topic, Buffer.concat(payloads));
    gathered.clear();
  }, GATHER_MS);
}

// The wall clock, in µs.
const now = () => performance.timeOrigin + performance.now();
const beat = (hz, part) => {
  const every = hz > 0 ? 1000 / hz : Number.POSITIVE_INFINITY;
  return { every, next: now() + every * part };
};
let beats = [beat(0, 0), beat(0, 0)];
let turn = 0;
let timer;
const publish = () => {
  for (;;) {
    const which = beats[0].next <= beats[1].next ? 0 : 1;
    const due = beats[which].next;
    if (due === Number.POSITIVE_INFINITY) return;
    const left = due - now();
    if (left > 0) {
      timer = setTimeout(publish, left);
      return;
    }
    beats[which].next += beats[which].every;
    if (which === 1) turn = (turn + 1) % TOPICS;
    const text = `due:${Math.round(due * 1000).toString(16).padStart(16, "0")}`;
    tell(which === 0 ? "common" : `m${turn}`, Buffer.from(text.padEnd(PAYLOAD, ".")));
  }
};

process.stdin.on("data", (lines) => {
  const last = lines.toString().trim().split("\n").at(-1);
  const [common, topic] = last.split(" ").map(Number);
  clearTimeout(timer);
  beats = [beat(common, 0.5), beat(topic * TOPICS, 0.25)];
  publish();
});
process.stdin.on("end", () => process.exit(0));
