/**
 * The socket of the hub, resumed for ever: whoever holds one is told of every hello and every loss, and what to do then
 * is theirs. It knows neither React nor the store; the socket, the timers and chance come from outside, for tests.
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

const SUBPROTOCOL = 'kvota.v1.msgpack'

/** After so long without a frame we ask whether somebody is there. */
const QUIET_MS = 15_000
/** A connection without a frame for so long is lost. */
const SILENT_MS = 40_000
/** An answer to our question takes no longer. Without the question a machine that slept would look deserted. */
const ANSWER_MS = 5000
/** A socket that is not open, or has not said hello, after so long never will. */
const OPENING_MS = 10_000
const CHECK_EVERY_MS = 1000
const CONNECTING = 0
/** The session is another one, of somebody who logged in or out: the server closes with this and wants us back at once. */
const SESSION_CHANGED = 1012
/** Where that follows so soon, something is wrong. */
const SESSION_CHANGED_AFTER_MS = 1000
/** A connection that lived so long was a good one: the next loss begins with short waits again. */
const STABLE_MS = 10_000

/** What is used of a WebSocket. */
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

/** What the world gives. */
export interface HubWorld {
  readonly connect: (url: string, subprotocol: string) => HubSocket
  readonly now: () => number
  /** Between 0 and 1. */
  readonly random: () => number
  readonly setTimeout: (callback: () => void, ms: number) => unknown
  readonly clearTimeout: (timer: unknown) => void
  /** Tells when the machine believes to be online or offline; returns how to stop it. */
  readonly onNetwork: (callback: (online: boolean) => void) => () => void
}

/** What a connection says beside what is the client's own business. */
export type ToldMessage = OfferMessage | FeedMessage | NoticeMessage | BettorMessage

/** What its holder is told. */
export interface HubEvents {
  /** A connection has come about. Nothing is watched yet. */
  readonly onHello: (hello: HelloMessage) => void
  /** A connection ended or did not come about; the next attempt is under way. */
  readonly onLost: () => void
  /** What the connection says, in the order it came. */
  readonly onMessages: (messages: readonly ToldMessage[]) => void
}

/** Why a command was not acknowledged: the hub's code, or `lost` where the connection ended before. */
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
  /** We asked whether somebody is there, and something must be heard by then. */
  answerByMs: number | null
  greeted: boolean
}

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
  /** The connection that is being opened leads where it no longer should. */
  #isOutdated = false

  constructor(url: string, events: HubEvents, world: HubWorld) {
    this.#url = url
    this.#events = events
    this.#world = world
    this.#stopListening = world.onNetwork((online) => this.#networkChanged(online))
    this.#open()
  }

  /** Ends the connection and begins one at another address, without a loss being told. */
  reconnect(url: string): void {
    this.#url = url
    this.#attempts = 0
    // One that is just opening is replaced once it is open: browsers complain of one that is closed before.
    this.#isOutdated = this.#connection?.socket.readyState === CONNECTING
    if (!this.#isOutdated) {
      this.#abandon()
      this.#open()
    }
  }

  /** For ever. */
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

  /** Resolves once what it did has been told; rejects with a {@link HubError}. */
  command(command: BettorCommand): Promise<void> {
    return this.#send(command)
  }

  /** Finds out soon whether the connection lives: for a page that comes back from sleep or from the background. */
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
      // Not a frame at all: nothing that follows on this connection can be trusted.
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
    // Whoever was told of the hello may have gone elsewhere.
    if (told.length > 0 && connection === this.#connection) {
      this.#events.onMessages(told)
    }
    for (const answer of answers) {
      settle(connection, answer)
    }
  }

  #send(command: Command): Promise<void> {
    const connection = this.#connection
    // A socket that is closing takes nothing any more, and its end has not been told yet.
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

  /** Every second: is somebody still there? */
  #check(connection: Connection): void {
    const now = this.#world.now()
    // By a clock that was set back it would have been heard in the future, and would never be silent.
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

  /** A connection may have gone with its network; and once online again, no use in waiting longer. */
  #networkChanged(online: boolean): void {
    if (this.#connection && !online) {
      // It may live for a while yet without a word of it reaching us: what is shown would be old.
      this.#lose(this.#connection)
    } else if (this.#connection) {
      this.probe()
    } else if (online && !this.#closed) {
      this.#attempts = 0
      this.#open()
    }
  }

  /** Ends what there is, telling only those who wait for an answer. */
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

  /** One timer at a time: the next attempt, or the next check. */
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
  // The loss itself is told by onLost.
}
