/**
 * The WebSocket client of the hub. It reconnects until it is closed, and reports each hello and each loss to its owner.
 * It must not import React or the store. Socket, timers and randomness are passed in, so that tests can replace them.
 */
import type { MatchId } from '../domain/offer'
import { backoffMs } from './backoff'
import { type BettorCommand, type Command, encodeCommand, type Watch } from './commands'
import { decodeFrame } from './decode'
import type {
  AckMessage,
  BettorMessage,
  ErrorMessage,
  FeedMessage,
  HelloMessage,
  HubMessage,
  NoticeMessage,
  OfferMessage,
} from './frames'
import { SUBPROTOCOL } from './subprotocol'

/** After this long without a frame the client sends a ping. */
const QUIET_MS = 15_000
/** A connection without a frame for this long is lost. */
const SILENT_MS = 40_000
/** Shortest wait for the answer to a ping. A computer that wakes from sleep gets this long before it reconnects. */
const ANSWER_MS = 5000
/** A connection that has not received *hello* after this long is closed and opened again. */
const OPENING_MS = 10_000
const CHECK_EVERY_MS = 1000
const CONNECTING = 0
/** Close code after a login or logout: the session changed, and the client must reconnect without a pause. */
const SESSION_CHANGED = 1012
/** If that code arrives sooner than this, the client waits as after any other loss. This prevents a tight loop. */
const SESSION_CHANGED_AFTER_MS = 1000
/** After this long a connection counts as stable: the backoff starts again from its first step. */
const STABLE_MS = 10_000

/** The part of `WebSocket` that the client uses. */
export interface HubSocket {
  binaryType: BinaryType
  readonly readyState: number
  send(data: Uint8Array<ArrayBuffer>): void
  close(code?: number, reason?: string): void
  onmessage: ((event: MessageEvent) => void) | null
  onclose: ((event: CloseEvent) => void) | null
}

/** `WebSocket.OPEN`. */
const OPEN = 1

/** The environment of the client: the browser, or a test. */
export interface HubWorld {
  readonly connect: (url: string, subprotocol: string) => HubSocket
  readonly now: () => number
  /** Between 0 and 1. */
  readonly random: () => number
  readonly setTimeout: (callback: () => void, ms: number) => unknown
  readonly clearTimeout: (timer: unknown) => void
  /** Calls back when the browser goes online or offline. Returns a function that stops it. */
  readonly onNetwork: (callback: (online: boolean) => void) => () => void
}

/** The messages that the client passes on. It handles *hello*, *ack* and *error* itself. */
export type ToldMessage = OfferMessage | FeedMessage | NoticeMessage | BettorMessage

/** Callbacks of the owner. */
export interface HubEvents {
  /** A connection is established. It watches nothing yet. */
  readonly onHello: (hello: HelloMessage) => void
  /** A connection ended or could not be established. The next attempt is already scheduled. */
  readonly onLost: () => void
  /** The messages of one frame, in their order. */
  readonly onMessages: (messages: readonly ToldMessage[]) => void
}

/** Why a command was not acknowledged: the hub's error code, or `lost` if the connection ended first. */
export class HubError extends Error {
  override readonly name = 'HubError'
  readonly code: string

  constructor(code: string, text: string) {
    super(text)
    this.code = code
  }
}

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: HubError) => void
}

interface Connection {
  readonly socket: HubSocket
  readonly waiting: Map<number, Waiting>
  readonly startedMs: number
  heardMs: number
  /** A ping was sent, and any frame must arrive before this time; null if no ping is open. */
  answerByMs: number | null
  greeted: boolean
}

/** The part of the client that the owner uses. */
export type Hub = Pick<HubClient, 'watch' | 'resync' | 'command' | 'probe' | 'reconnect' | 'close'>

export class HubClient {
  readonly #world: HubWorld
  readonly #events: HubEvents
  readonly #stopListening: () => void
  #url: string
  #connection: Connection | null = null
  #timer: unknown = null
  #attempts = 0
  #lastNumber = 0
  #closed = false
  /** The connection that is being opened has an old address; it is replaced after its *hello*. */
  #isOutdated = false

  constructor(url: string, events: HubEvents, world: HubWorld) {
    this.#url = url
    this.#events = events
    this.#world = world
    this.#stopListening = world.onNetwork((online) => this.#networkChanged(online))
    this.#open()
  }

  /** Replaces the connection by one to another address. Does not call `onLost`. */
  reconnect(url: string): void {
    this.#url = url
    this.#attempts = 0
    // Browsers log an error when a connecting socket is closed. So it is replaced later, when it is open.
    this.#isOutdated = this.#connection?.socket.readyState === CONNECTING
    if (!this.#isOutdated) {
      this.#abandon()
      this.#open()
    }
  }

  /** Closes the connection. The client cannot be used again. */
  close(): void {
    this.#closed = true
    this.#stopListening()
    this.#abandon()
  }

  watch(watch: Watch): Promise<void> {
    return this.#send({ verb: 'watch', watch })
  }

  resync(matchId: MatchId | null): Promise<void> {
    return this.#send({ verb: 'resync', matchId })
  }

  /** Resolves after the messages with the command's effect were passed on. Rejects with a {@link HubError}. */
  command(command: BettorCommand): Promise<void> {
    return this.#send(command)
  }

  /** Checks the connection with a ping: for a page that comes back from sleep or from the background. */
  probe(): void {
    const connection = this.#connection
    if (connection?.greeted) {
      this.#ask(connection, this.#world.now() + ANSWER_MS)
    }
  }

  #open(): void {
    const now = this.#world.now()
    const socket = this.#world.connect(this.#url, SUBPROTOCOL)
    socket.binaryType = 'arraybuffer'
    const connection: Connection = {
      socket,
      waiting: new Map(),
      startedMs: now,
      heardMs: now,
      answerByMs: null,
      greeted: false,
    }
    this.#connection = connection
    socket.onmessage = ({ data }) => this.#receive(connection, data)
    // An error is always followed by a close.
    socket.onclose = ({ code }) => this.#ended(connection, code)
    this.#later(() => this.#check(connection), CHECK_EVERY_MS)
  }

  #receive(connection: Connection, data: unknown): void {
    if (connection !== this.#connection) {
      return
    }
    connection.heardMs = this.#world.now()
    connection.answerByMs = null
    let messages: readonly HubMessage[]
    try {
      messages = decodeFrame(data as ArrayBuffer).messages
    } catch {
      // Not a frame at all: nothing else on this connection can be trusted.
      this.#lose(connection)
      return
    }
    const told: ToldMessage[] = []
    const answers: (AckMessage | ErrorMessage)[] = []
    for (const message of messages) {
      switch (message.kind) {
        case 'hello':
          if (this.#isOutdated) {
            this.#abandon()
            this.#open()
            return
          }
          connection.greeted = true
          this.#events.onHello(message)
          break
        case 'ack':
        case 'error':
          answers.push(message)
          break
        default:
          told.push(message)
      }
    }
    // `onHello` may have replaced the connection.
    if (told.length > 0 && connection === this.#connection) {
      this.#events.onMessages(told)
    }
    for (const answer of answers) {
      settle(connection, answer)
    }
  }

  #send(command: Command): Promise<void> {
    const connection = this.#connection
    // A closing socket accepts nothing, but its close event comes later.
    if (!connection?.greeted || connection.socket.readyState !== OPEN) {
      return Promise.reject(lost())
    }
    this.#lastNumber += 1
    const n = this.#lastNumber
    return new Promise((resolve, reject) => {
      connection.waiting.set(n, { resolve, reject })
      connection.socket.send(encodeCommand(n, command))
    })
  }

  #ask(connection: Connection, answerByMs: number): void {
    connection.answerByMs = answerByMs
    this.#send({ verb: 'ping' }).catch(ignoreLoss)
  }

  /** Runs every second: pings a quiet connection and gives up a silent one. */
  #check(connection: Connection): void {
    const now = this.#world.now()
    // If the clock was set back, these times lie too far in the future and the connection would never time out.
    connection.heardMs = Math.min(connection.heardMs, now)
    if (connection.answerByMs !== null) {
      connection.answerByMs = Math.min(connection.answerByMs, now + SILENT_MS)
    }
    const late = connection.greeted
      ? connection.answerByMs !== null && now > connection.answerByMs
      : now > connection.startedMs + OPENING_MS
    if (late) {
      this.#lose(connection)
      return
    }
    if (connection.greeted && connection.answerByMs === null && now > connection.heardMs + QUIET_MS) {
      this.#ask(connection, Math.max(connection.heardMs + SILENT_MS, now + ANSWER_MS))
    }
    if (connection.greeted && now > connection.startedMs + STABLE_MS) {
      this.#attempts = 0
    }
    this.#later(() => this.#check(connection), CHECK_EVERY_MS)
  }

  #ended(connection: Connection, code: number): void {
    const lived = this.#world.now() - connection.startedMs
    if (connection === this.#connection && code === SESSION_CHANGED && lived > SESSION_CHANGED_AFTER_MS) {
      this.#abandon()
      this.#open()
    } else {
      this.#lose(connection)
    }
  }

  #lose(connection: Connection): void {
    if (connection !== this.#connection) {
      return
    }
    this.#abandon()
    this.#later(() => this.#open(), backoffMs(this.#attempts, this.#world.random))
    this.#attempts += 1
    this.#events.onLost()
  }

  /** Offline: the connection is lost. Online: checks the connection, or reconnects without further waiting. */
  #networkChanged(online: boolean): void {
    if (this.#connection && !online) {
      // The socket can stay open for a while without receiving anything. The page would show old odds as current.
      this.#lose(this.#connection)
    } else if (this.#connection) {
      this.probe()
    } else if (online && !this.#closed) {
      this.#attempts = 0
      this.#open()
    }
  }

  /** Closes the current connection and rejects its open commands. Does not call `onLost`. */
  #abandon(): void {
    this.#world.clearTimeout(this.#timer)
    const connection = this.#connection
    this.#connection = null
    this.#isOutdated = false
    if (connection) {
      connection.socket.onmessage = null
      connection.socket.onclose = null
      connection.socket.close()
      for (const { reject } of connection.waiting.values()) {
        reject(lost())
      }
    }
  }

  /** There is only one timer: for the next attempt or for the next check. */
  #later(callback: () => void, ms: number): void {
    this.#world.clearTimeout(this.#timer)
    this.#timer = this.#world.setTimeout(callback, ms)
  }
}

function settle(connection: Connection, message: AckMessage | ErrorMessage): void {
  const waiting = message.n === null ? undefined : connection.waiting.get(message.n)
  if (!waiting || message.n === null) {
    return
  }
  connection.waiting.delete(message.n)
  if (message.kind === 'ack') {
    waiting.resolve()
  } else {
    waiting.reject(new HubError(message.code, message.text))
  }
}

function lost(): HubError {
  return new HubError('lost', 'the connection ended')
}

function ignoreLoss(): void {
  // The loss itself is reported by `onLost`.
}
