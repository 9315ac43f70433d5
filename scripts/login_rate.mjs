// Measures how many logins per second others get while one address registers accounts as fast as it can.
//
//   node scripts/login_rate.mjs PROGRAM [SECONDS]
//
// PROGRAM is a built kvota. It is started on a free port with its own data folder. It trusts forwarded addresses from
// the loopback, so that each simulated client has its own address. Twenty clients log in one after the other with the
// right password; then the same with 64 registrations in flight from one address.

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const CLIENTS = 20
const REGISTRATIONS_AT_ONCE = 64
const PASSWORD = 'correct horse'

const [program, seconds = '20'] = process.argv.slice(2)
if (program === undefined) {
  console.error('usage: node scripts/login_rate.mjs PROGRAM [SECONDS]')
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'kvota-login-rate-'))
const server = spawn(program, ['serve', '--listen', '127.0.0.1:0'], {
  cwd: folder,
  env: {
    ...process.env,
    KVOTA__STORE__DATA_DIR: folder,
    KVOTA__HTTP__TRUSTED_PROXIES: '127.0.0.0/8',
    KVOTA__FEED__SIMULATED_MATCHES: '0',
    KVOTA__LOG__LEVEL: 'error',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const base = await new Promise((found, failed) => {
  server.once('exit', () => failed(new Error('the server ended')))
  createInterface(server.stdout).on('line', (line) => {
    const address = /http:\/\/\S+/.exec(line)
    if (address) found(address[0])
  })
})
const agent = new http.Agent({ keepAlive: true, maxSockets: 1_000 })

/** Calls the account API from an address; the status of the response. */
function call(name, path, address) {
  const body = JSON.stringify({ name, password: PASSWORD })
  const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-forwarded-for': address }
  return new Promise((answered, failed) => {
    const request = http.request(`${base}/api/v1/account/${path}`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => answered(answer.statusCode))
    })
    request.on('error', failed)
    request.end(body)
  })
}

/** Repeats a call until the end; counts by status. */
async function repeat(until, statuses, waitMs, once) {
  while (performance.now() < until) {
    const status = await once()
    statuses[status] = (statuses[status] ?? 0) + 1
    // A rejected client waits a little; otherwise this would measure the speed of rejections.
    if (status >= 400) await new Promise((waited) => setTimeout(waited, waitMs))
  }
}

async function measure(what, isFlooded) {
  const until = performance.now() + Number(seconds) * 1_000
  const [logins, registrations] = [{}, {}]
  const tasks = Array.from({ length: CLIENTS }, (_, number) =>
    repeat(until, logins, 100, () => call(`client${number}`, 'login', `192.0.2.${number + 1}`)),
  )
  if (isFlooded) {
    let number = 0
    for (let i = 0; i < REGISTRATIONS_AT_ONCE; i += 1) {
      tasks.push(repeat(until, registrations, 1_000, () => call(`flood ${number++}`, 'register', '198.51.100.1')))
    }
  }
  await Promise.all(tasks)
  const rate = ((logins[200] ?? 0) / Number(seconds)).toFixed(1)
  console.log(`${what}: ${rate} logins/s; logins by status ${JSON.stringify(logins)}, registrations ${JSON.stringify(registrations)}`)
}

try {
  for (let number = 0; number < CLIENTS; number += 1) {
    const status = await call(`client${number}`, 'register', `192.0.2.${number + 1}`)
    if (status !== 201) throw new Error(`an account could not be registered: ${status}`)
  }
  await measure('alone', false)
  await measure('while one address registers', true)
} finally {
  agent.destroy()
  server.kill('SIGTERM')
  await new Promise((ended) => server.once('exit', ended))
  await rm(folder, { recursive: true, force: true })
}
