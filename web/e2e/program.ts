/**
 * The program under test: started, stopped, and restarted on the same port. Its feed changes only by commands of the
 * test (`feed.ts`), which needs a build with the feature `testkit`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface ProgramOptions {
  /** The minute of play of the recorded matches. */
  readonly startMinute: number
  /** The number of simulated matches of other sports. */
  readonly simulatedMatches: number
  /** The delay of a bet in seconds; the server's default if undefined. */
  readonly betDelaySeconds?: number
}

interface OfferSport {
  readonly matches: readonly {
    readonly id: number
    readonly score?: unknown
    readonly suspended?: boolean | null
    readonly markets: readonly { readonly odds: readonly { readonly value: number }[] }[]
  }[]
}

const READY_WITHIN_MS = 120_000

export class Program {
  readonly url: string
  readonly #bin: string
  readonly #listen: string
  readonly #options: ProgramOptions
  /** The data folder: kept over a restart, deleted at the end of the tests. */
  readonly #data = mkdtempSync(join(tmpdir(), 'kvota-e2e-'))
  #process: ChildProcess | null = null
  /** The offer at the start of the program, as `offer` returns it. */
  firstOffer = ''

  private constructor(bin: string, port: number, options: ProgramOptions) {
    this.#bin = bin
    this.#listen = `127.0.0.1:${port}`
    this.url = `http://${this.#listen}`
    this.#options = options
  }

  static async start(bin: string, options: ProgramOptions): Promise<Program> {
    const program = new Program(bin, await freePort(), options)
    await program.start()
    program.firstOffer = await program.offer()
    return program
  }

  async start(): Promise<void> {
    const { startMinute, simulatedMatches, betDelaySeconds } = this.#options
    const child = spawn(this.#bin, ['serve', '--listen', this.#listen], {
      env: {
        ...process.env,
        KVOTA__FEED__SOURCE: 'scripted',
        KVOTA__FEED__START_MINUTE: String(startMinute),
        KVOTA__FEED__SIMULATED_MATCHES: String(simulatedMatches),
        ...(betDelaySeconds !== undefined && { KVOTA__BETTING__DELAY__DEFAULT: String(betDelaySeconds) }),
        KVOTA__STORE__DATA_DIR: this.#data,
        KVOTA__WALLET__CASHIER: 'demo',
        KVOTA__LOG__LEVEL: 'warn',
      },
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    this.#process = child
    const died = once(child, 'exit').then(([code]) => {
      throw new Error(`the program ended with ${code} before it was ready`)
    })
    await Promise.race([died, this.#isReady()])
    died.catch(ignoreLaterEnd)
  }

  /** Kills the program, like a power failure. */
  async kill(): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child && child.exitCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }

  /** Stops the program and deletes its data. */
  async end(): Promise<void> {
    await this.kill()
    rmSync(this.#data, { recursive: true, force: true })
  }

  /** Turns the feed off or on, with the signals for operators. */
  turnFeed(state: 'off' | 'on'): void {
    this.#process?.kill(state === 'off' ? 'SIGUSR1' : 'SIGUSR2')
  }

  /** The parts of the offer that a test can change, as a text. */
  async offer(): Promise<string> {
    const { sports } = (await (await fetch(`${this.url}/api/v1/live/offer`)).json()) as { sports: OfferSport[] }
    const matches = sports.flatMap((sport) => sport.matches)
    const values = matches.map(({ id, score, suspended, markets }) => [
      id,
      score ?? null,
      suspended ?? null,
      markets.map(({ odds }) => odds.map(({ value }) => value)),
    ])
    return JSON.stringify(values)
  }

  /** Sends a command to the scripted feed; does nothing after the program was killed. */
  command(command: object): void {
    this.#process?.stdin?.write(`${JSON.stringify(command)}\n`)
  }

  async #isReady(): Promise<void> {
    const giveUpAt = Date.now() + READY_WITHIN_MS
    while (Date.now() < giveUpAt) {
      // The program is ready when it receives the feed; the tests also need an offer in every language.
      const offers = ['hr', 'en', 'bs', 'sr'].map((lang) => `api/v1/live/offer?view=rows&lang=${lang}`)
      const answers = ['readyz', ...offers].map((path) => fetch(`${this.url}/${path}`).catch(() => null))
      if ((await Promise.all(answers)).every((answer) => answer?.status === 200)) {
        return
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`the program was not ready within ${READY_WITHIN_MS} ms`)
  }
}

function ignoreLaterEnd(): void {
  // Tests stop the program on purpose; an unexpected end fails the test that uses it.
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address === 'string' || address === null) {
    throw new Error('no port was given')
  }
  return address.port
}
