/**
 * Measures the web client with a busy offer: starts the program with 130 matches and about 500 odds changes per second
 * and uses Chromium like a user, with the processor slowed 4 times. Then it measures, at normal speed, the time from the
 * feed to the paint, and how many components React renders for a changed price. Prints its progress, and at the end the figures of docs/performance.md.
 *
 *     KVOTA_BIN=… node scripts/measure.mjs     # MINUTES=10 SLOWED=4 OUT=figures.json CHROMIUM_BIN=/usr/bin/chromium
 *
 * ANOTHER_BUILD=http://… measures a build that is served elsewhere, where `/api` reaches a running program.
 *
 * Missed goals are marked. The exit code is 1 only with STRICT=1, because a busy machine misses some goals anyway.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'

const MINUTES = Number(process.env.MINUTES ?? 10)
const SLOWED = Number(process.env.SLOWED ?? 4)
const PRICE_RATE = process.env.PRICE_RATE ?? '1.6'
const BIN = process.env.KVOTA_BIN
const ANOTHER_BUILD = process.env.ANOTHER_BUILD
const LOADS = 3
const WARMING_ROUNDS = 12
const LATENCY_SECONDS = Number(process.env.LATENCY_SECONDS ?? 60)
const DIST = new URL('../dist', import.meta.url).pathname

if (!BIN && !ANOTHER_BUILD) {
  throw new Error('KVOTA_BIN has to name the program')
}

const began = Date.now()
const say = (text) => console.log(`${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${text}`)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs in the page before all other scripts and records the measurements. */
function observe() {
  const seen = { lcp: 0, shifts: 0, tasks: [], interactions: new Map(), frames: [], latencies: null, origin: 0 }
  Object.assign(window, { seen })
  const watch = (type, take, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options })
  watch('largest-contentful-paint', (entry) => {
    seen.lcp = entry.startTime
  })
  watch('layout-shift', (entry) => {
    if (!entry.hadRecentInput) {
      seen.shifts += entry.value
    }
  })
  watch('longtask', (entry) => seen.tasks.push({ at: entry.startTime, ms: entry.duration }))
  watch(
    'event',
    (entry) => {
      if (entry.interactionId) {
        const held = seen.interactions.get(entry.interactionId) ?? 0
        seen.interactions.set(entry.interactionId, Math.max(held, entry.duration))
      }
    },
    { durationThreshold: 16 },
  )
  let last = 0
  const frame = (now) => {
    if (last > 0) {
      seen.frames.push(now - last)
    }
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)

  // A hub frame with the feed's date ([13, dateMs]) is painted with the next animation frame. A task posted from that
  // frame runs after the paint.
  const Socket = window.WebSocket
  window.WebSocket = class extends Socket {
    constructor(...args) {
      super(...args)
      this.addEventListener('message', ({ data }) => {
        const dateMs = seen.latencies && dateIn(data)
        if (dateMs) {
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => seen.latencies?.push(performance.timeOrigin + performance.now() - dateMs)
            port2.postMessage(null)
          })
        }
      })
    }
  }
  function dateIn(data) {
    if (!(data instanceof ArrayBuffer)) {
      return null
    }
    const view = new DataView(data)
    for (let place = 0; place + 11 <= view.byteLength; place += 1) {
      const isDate = view.getUint8(place) === 0x92 && view.getUint8(place + 1) === 13
      if (isDate && [0xcf, 0xd3].includes(view.getUint8(place + 2))) {
        return Number(view.getBigUint64(place + 3))
      }
    }
    return null
  }
}

/**
 * Runs in the page before all other scripts. Counts the components that React renders, in the way of its developer
 * tools, and the prices whose text changes.
 */
function observeRenders() {
  const PERFORMED_WORK = 1
  // Functions, classes, forwarded refs and memoised components.
  const COMPONENTS = new Set([0, 1, 11, 14, 15])
  const rendered = { components: 0, prices: 0 }
  Object.assign(window, { rendered })
  const visit = (fiber) => {
    if (COMPONENTS.has(fiber.tag) && fiber.flags & PERFORMED_WORK) {
      rendered.components += 1
    }
    // The same child as before means that React did nothing below.
    if (fiber.child !== fiber.alternate?.child) {
      for (let child = fiber.child; child; child = child.sibling) {
        visit(child)
      }
    }
  }
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_, root) => visit(root.current),
    onPostCommitFiberRoot() {},
    onCommitFiberUnmount() {},
  }
  new MutationObserver((changes) => {
    const odds = changes.map(({ target }) => (target.parentElement ?? target).closest('[data-odd-id]'))
    rendered.prices += new Set(odds.filter((odd) => odd !== null)).size
  }).observe(document, { subtree: true, characterData: true })
}

const data = mkdtempSync(join(tmpdir(), 'kvota-measure-'))
const port = await freePort()
const url = ANOTHER_BUILD ?? `http://127.0.0.1:${port}`
const program = ANOTHER_BUILD
  ? null
  : spawn(BIN, ['serve', '--listen', `127.0.0.1:${port}`], {
      env: {
        ...process.env,
        KVOTA__FEED__SIMULATED_MATCHES: '120',
        KVOTA__FEED__PRICE_RATE: PRICE_RATE,
        KVOTA__STORE__DATA_DIR: data,
        KVOTA__LOG__LEVEL: 'warn',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_BIN || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--js-flags=--expose-gc'],
})
try {
  await ready()
  const figures = await measure()
  print(figures)
  if (process.env.OUT) {
    writeFileSync(process.env.OUT, `${JSON.stringify(figures, null, 2)}\n`)
  }
} finally {
  await browser.close()
  if (program) {
    program.kill('SIGTERM')
    await once(program, 'exit')
  }
  rmSync(data, { recursive: true, force: true })
}

async function measure() {
  const rate = await changesASecond()
  say(`${rate.matches} matches, ${rate.odds.toFixed(0)} changes of odds a second in ${rate.frames.toFixed(0)} frames`)
  const loads = []
  for (let load = 0; load < LOADS; load += 1) {
    loads.push(await firstLoad())
    say(`load ${load + 1}: LCP ${loads.at(-1).lcp.toFixed(0)} ms, CLS ${loads.at(-1).cls.toFixed(4)}`)
  }
  const latency = await feedToPaint()
  say(`feed to paint: p50 ${latency.p50.toFixed(0)} ms, p99 ${latency.p99.toFixed(0)} ms of ${latency.count}`)
  const renders = await rendersOfPrices()
  say(`${renders.prices.toFixed(0)} prices shown anew a second, ${renders.components.toFixed(0)} components rendered`)
  const bettor = await aBettor()
  return {
    when: new Date(began).toISOString(),
    load: loadavg()[0],
    slowed: SLOWED,
    minutes: MINUTES,
    rate,
    firstLoadKilobytes: firstLoadKilobytes(),
    lcp: middle(loads.map(({ lcp }) => lcp)),
    clsOfLoad: Math.max(...loads.map(({ cls }) => cls)),
    latency,
    renders,
    ...bettor,
  }
}

/** Counts the changes that the hub sends for rows and for all markets, with a separate page that shows nothing. */
async function changesASecond() {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/icon.svg`)
  const rate = await page.evaluate(async (seconds) => {
    const offer = await (await fetch('/api/v1/live/offer?view=rows')).json()
    const ids = offer.sports.flatMap(({ matches }) => matches.map(({ id }) => id))
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/v1/live/hub?lang=hr`, 'kvota.v1.json')
    await new Promise((resolve) => {
      socket.onopen = resolve
    })
    socket.send(JSON.stringify([1, 'watch', { sports: null, favourites: false, matches: ids }]))
    await new Promise((resolve) => setTimeout(resolve, 3000))
    let [odds, frames] = [0, 0]
    socket.onmessage = ({ data: text }) => {
      frames += 1
      for (const [kind, , , ...change] of JSON.parse(text)) {
        // Keys from 0 up are prices (docs/protocol.md, Changes).
        if (kind === 4 || kind === 5) {
          odds += change.filter((key, place) => place % 2 === 0 && key >= 0).length
        }
      }
    }
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    socket.close()
    return { matches: ids.length, odds: odds / seconds, frames: frames / seconds }
  }, 15)
  await context.close()
  return rate
}

async function open(slowed, observer = observe) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'hr-HR' })
  const page = await context.newPage()
  await page.addInitScript(observer)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowed })
  await page.goto(url)
  await page.locator('[data-row="match"]').first().waitFor()
  await page.getByRole('button', { name: 'Pretraga' }).waitFor()
  return { context, page, cdp }
}

async function firstLoad() {
  const { context, page } = await open(SLOWED)
  await pause(2000)
  const { lcp, cls } = await page.evaluate(() => ({ lcp: window.seen.lcp, cls: window.seen.shifts }))
  await context.close()
  return { lcp, cls }
}

async function feedToPaint() {
  const { context, page } = await open(1)
  await pause(5000)
  await page.evaluate(() => {
    window.seen.latencies = []
  })
  await pause(LATENCY_SECONDS * 1000)
  const latencies = await page.evaluate(() => window.seen.latencies)
  await context.close()
  return {
    count: latencies.length,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
  }
}

/** What changes each second in a page that nobody touches. */
async function rendersOfPrices() {
  const { context, page } = await open(1, observeRenders)
  await pause(5000)
  const before = await page.evaluate(() => ({ ...window.rendered }))
  await pause(LATENCY_SECONDS * 1000)
  const after = await page.evaluate(() => window.rendered)
  await context.close()
  return {
    components: (after.components - before.components) / LATENCY_SECONDS,
    prices: (after.prices - before.prices) / LATENCY_SECONDS,
  }
}

/** Acts like a user for the given time: picks odds, opens matches, goes back, searches and scrolls. */
async function aBettor() {
  const { context, page, cdp } = await open(SLOWED)
  const odd = 'main [data-row] [data-odd-id][data-state="open"]'
  const acts = [
    async () => await press(page, odd, 2),
    async () => await press(page, odd, 9),
    async () => await press(page, '[data-row="match"] [data-cell="star"]', 1),
    async () => await page.mouse.wheel(0, 700),
    async () => await press(page, '[data-row="match"] [data-cell="match"]', 6),
    async () => await press(page, 'main [data-market-group] [data-odd-id][data-state="open"]', 3),
    async () => await page.mouse.wheel(0, 900),
    async () => await page.keyboard.press('Escape'),
    async () => await press(page, 'header button[aria-label="Pretraga"]'),
    async () => await page.keyboard.type('man', { delay: 60 }),
    async () => await page.keyboard.press('Escape'),
    async () => await page.mouse.wheel(0, -2000),
    async () => await press(page, '[data-sport-head] button[aria-expanded]'),
    async () => await press(page, '[data-sport-head] button[aria-expanded]'),
  ]
  await pause(15_000)
  // Before memory is measured, every part of the page is loaded and used. Nearly all growth in the first minutes is
  // compiled machine code, which happens only once.
  for (let turn = 0; turn < WARMING_ROUNDS; turn += 1) {
    await round(acts)
  }
  await pause(5000)
  const heapAtStart = await heap(cdp)
  await page.evaluate(() => {
    Object.assign(window.seen, { tasks: [], frames: [], shifts: 0, interactions: new Map() })
  })
  const until = Date.now() + MINUTES * 60_000
  let [done, missed, nextWord] = [0, 0, Date.now() + 30_000]
  while (Date.now() < until) {
    const passedOver = await round(acts)
    done += acts.length - passedOver
    missed += passedOver
    if (Date.now() > nextWord) {
      nextWord += 30_000
      const { tasks, count } = await page.evaluate(() => ({
        tasks: window.seen.tasks.length,
        count: window.seen.interactions.size,
      }))
      say(`the bettor: ${done} acts (${missed} passed over), ${count} interactions, ${tasks} long tasks`)
    }
  }
  const seen = await page.evaluate(() => ({
    tasks: window.seen.tasks,
    frames: window.seen.frames,
    shifts: window.seen.shifts,
    interactions: [...window.seen.interactions.values()],
  }))
  const heapAtEnd = await heap(cdp)
  await context.close()
  // The browser does not report interactions shorter than 16 ms, so the real figures are not worse than these.
  const dropped = seen.frames.reduce((sum, ms) => sum + Math.max(0, Math.round(ms / (1000 / 60)) - 1), 0)
  return {
    acts: done,
    interactions: seen.interactions.length,
    inp75: quantile(seen.interactions, 0.75),
    inp98: quantile(seen.interactions, 0.98),
    longestTask: Math.max(0, ...seen.tasks.map(({ ms }) => ms)),
    longTasks: seen.tasks.length,
    droppedFrames: dropped / (dropped + seen.frames.length),
    cls: seen.shifts,
    heapAtStart,
    heapAtEnd,
    heapGrowth: heapAtEnd / heapAtStart - 1,
  }
}

/**
 * Presses the mouse on one of the elements that are in the window. A press of Playwright's own looks through the page
 * for its target and checks it, in tasks of the page that are longer than what is measured.
 */
async function press(page, selector, nth = 0) {
  const place = await page.evaluate(
    ([wanted, skipped]) => {
      let left = skipped
      for (const element of document.querySelectorAll(wanted)) {
        const box = element.getBoundingClientRect()
        const place = [box.left + box.width / 2, box.top + box.height / 2]
        // Not one that is out of sight or lies below a bar.
        if (element.contains(document.elementFromPoint(...place)) && left-- === 0) {
          return place
        }
      }
      return null
    },
    [selector, nth],
  )
  if (!place) {
    throw new Error(`nothing to press: ${selector}`)
  }
  await page.mouse.click(...place)
}

/** Runs the acts in order. Returns how many were skipped because a match was suspended or has ended. */
async function round(acts) {
  let missed = 0
  for (const act of acts) {
    await act().catch(() => {
      missed += 1
    })
    await pause(400)
  }
  return missed
}

async function heap(cdp) {
  for (let turn = 0; turn < 3; turn += 1) {
    await cdp.send('HeapProfiler.collectGarbage')
  }
  return (await cdp.send('Runtime.getHeapUsage')).usedSize
}

function firstLoadKilobytes() {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8')
  const scripts = Array.from(html.matchAll(/\s(?:src|href)="\/([^"]+\.js)"/g), ([, path]) => path)
  return scripts.reduce((sum, path) => sum + gzipSync(readFileSync(join(DIST, path)), { level: 9 }).length, 0) / 1024
}

function print(figures) {
  const rows = [
    ['LCP, ms', figures.lcp, 2500],
    ['INP p75, ms', figures.inp75, 100],
    ['INP p98, ms', figures.inp98, null],
    ['longest task, ms', figures.longestTask, 50],
    ['tasks over 50 ms', figures.longTasks, null],
    ['dropped frames, %', figures.droppedFrames * 100, null],
    ['CLS of the load', figures.clsOfLoad, 0.02],
    ['CLS of the bettor', figures.cls, 0.02],
    [`heap growth in ${figures.minutes} min, %`, figures.heapGrowth * 100, 5],
    ['scripts of the first load, KB gzip', figures.firstLoadKilobytes, 120],
    ['feed to paint p50, ms', figures.latency.p50, 50],
    ['feed to paint p99, ms', figures.latency.p99, 150],
    ['components for a changed price', figures.renders.components / figures.renders.prices, null],
  ]
  console.log('')
  for (const [name, value, goal] of rows) {
    const isMissed = goal !== null && value > goal
    const digits = name.startsWith('CLS') ? 4 : 1
    console.log(
      `${name.padEnd(38)} ${value.toFixed(digits).padStart(9)}${goal === null ? '' : `  goal ${goal}${isMissed ? '  MISSED' : ''}`}`,
    )
    if (isMissed && process.env.STRICT) {
      process.exitCode = 1
    }
  }
  console.log(`load of the machine: ${figures.load.toFixed(1)}`)
}

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]
}

function middle(values) {
  return quantile(values, 0.5)
}

async function ready() {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(`${url}/api/v1/live/offer?view=rows`).catch(() => null)
    if (answer?.status === 200) {
      return
    }
    await pause(100)
  }
  throw new Error('the program was not ready within a minute')
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address()
  server.close()
  await once(server, 'close')
  return free
}
