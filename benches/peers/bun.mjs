// Bun's own publish and subscribe. Run by Bun alone: `bun bun.mjs`.
const TOPICS = 200;
const COMMON_HZ = 10;
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

const schedule = [];
for (let topic = 0; topic < TOPICS; topic += 1) schedule.push({ at: (topic / TOPICS) * 1000, topic: `m${topic}` });
for (let part = 0; part < COMMON_HZ; part += 1) schedule.push({ at: (((2 * part * TOPICS) / COMMON_HZ + 1) / (2 * TOPICS)) * 1000, topic: "common" });
schedule.sort((one, other) => one.at - other.at);

// The wall clock to the microsecond.
const zero = performance.timeOrigin;
const begin = zero + performance.now();
let next = 0;
const publish = () => {
  for (;;) {
    const { at, topic } = schedule[next % schedule.length];
    const due = begin + Math.floor(next / schedule.length) * 1000 + at;
    const left = due - (zero + performance.now());
    if (left > 0) {
      setTimeout(publish, left);
      return;
    }
    const text = `due:${Math.round(due * 1000).toString(16).padStart(16, "0")}`;
    server.publish(topic, Buffer.from(text.padEnd(PAYLOAD, ".")));
    next += 1;
  }
};
publish();
