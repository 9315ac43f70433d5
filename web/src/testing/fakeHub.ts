/** A fake hub for tests, which control when sockets open, send messages and break. */
import { decode, encode } from '@msgpack/msgpack'
import type { HubSocket, HubWorld } from '../protocol/hubClient'

export class FakeSocket implements HubSocket {
  binaryType: BinaryType = 'blob'
  onmessage: HubSocket['onmessage'] = null
  onclose: HubSocket['onclose'] = null
  readonly url: string
  readonly subprotocol: string
  /** The received commands, decoded. */
  readonly commands: unknown[][] = []
  closed = false
  readyState = 1
  readonly #hub: FakeHub

  constructor(hub: FakeHub, url: string, subprotocol: string) {
    this.#hub = hub
    this.url = url
    this.subprotocol = subprotocol
  }

  send(data: Uint8Array<ArrayBuffer>): void {
    const command = decode(data) as unknown[]
    this.commands.push(command)
    this.#hub.onCommand(this, command)
  }

  close(): void {
    this.closed = true
  }

  /** Sends messages from the server in one frame. */
  say(...messages: unknown[][]): void {
    this.onmessage?.(new MessageEvent('message', { data: encode(messages).slice().buffer }))
  }

  hello({ feed = 2, serverTimeMs = Date.now(), run = 'a1b2' }: HelloOptions = {}): void {
    this.say([0, 'session', serverTimeMs, feed, 1, run])
  }

  /** Breaks the connection. */
  break(): void {
    this.onclose?.(new CloseEvent('close'))
  }
}

interface HelloOptions {
  readonly feed?: 0 | 1 | 2
  readonly serverTimeMs?: number
  readonly run?: string
}

export class FakeHub {
  readonly sockets: FakeSocket[] = []
  /** Acknowledges every command by default; tests can replace it. */
  onCommand: (socket: FakeSocket, command: unknown[]) => void = (socket, [n]) => {
    queueMicrotask(() => socket.say([1, n, null]))
  }
  #online: (online: boolean) => void = () => undefined

  /** The newest connection. */
  get socket(): FakeSocket {
    const socket = this.sockets.at(-1)
    if (!socket) {
      throw new Error('nobody has connected')
    }
    return socket
  }

  networkChanges(online: boolean): void {
    this.#online(online)
  }

  /** Uses the fake timers of the test, and the longest jitter. */
  readonly world: HubWorld = {
    connect: (url, subprotocol) => {
      const socket = new FakeSocket(this, url, subprotocol)
      this.sockets.push(socket)
      return socket
    },
    now: () => Date.now(),
    random: () => 1,
    setTimeout: (callback, ms) => setTimeout(callback, ms),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    onNetwork: (callback) => {
      this.#online = callback
      return () => {
        this.#online = () => undefined
      }
    },
  }
}
