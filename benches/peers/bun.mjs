// Bun's built-in publish and subscribe. Run with `bun bun.mjs`; it reads updates from a socket (work.rs).
const GATHER_MS = Number(process.env.PEERS_GATHER_MS ?? 0);

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

// Updates are lines: a topic, or - for the common one, and the payload.
const read = (line) => {
  const space = line.indexOf(" ");
  const topic = line.subarray(0, space).toString();
  tell(topic === "-" ? "common" : `m${topic}`, line.subarray(space + 1));
};
let rest = Buffer.alloc(0);
const input = Bun.listen({
  port: 0,
  hostname: "127.0.0.1",
  socket: {
    data(_, bytes) {
      let all = rest.length > 0 ? Buffer.concat([rest, bytes]) : Buffer.from(bytes);
      for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10)) {
        read(all.subarray(0, end));
        all = all.subarray(end + 1);
      }
      rest = all;
    },
    close() {
      process.exit(0);
    },
  },
});
console.log(`${server.port} ${input.port}`);
