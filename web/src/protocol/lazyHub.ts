/**
 * Stands in for the hub client while its chunk loads, which is not part of the first load. The socket opens at once, in
 * parallel to the chunk, so the connection is not established later than without this. Messages that arrive before the
 * client wait for it; there are few, because nothing is watched yet. Must not import the hub client itself.
 */
import type { Hub, HubClient, HubEvents, HubSocket, HubWorld } from './hubClient'
import { SUBPROTOCOL } from './subprotocol'

/** Loads the hub client. Rejects if that has failed several times. */
export type LoadHub = () => Promise<Pick<typeof import('./hubClient'), 'HubClient'>>

export class LazyHub implements Hub {
  readonly #events: HubEvents
  readonly #world: HubWorld
  readonly #socket: HubSocket
  readonly #kept: (() => void)[] = []
  readonly #loaded: Promise<HubClient>
  #url: string
  #client: HubClient | null = null
  #isClosed = false

  constructor(url: string, events: HubEvents, world: HubWorld, load: LoadHub) {
    this.#url = url
    this.#events = events
    this.#world = world
    const socket = world.connect(url, SUBPROTOCOL)
    socket.binaryType = 'arraybuffer'
    socket.onmessage = (event) => this.#kept.push(() => socket.onmessage?.(event))
    socket.onclose = (event) => this.#kept.push(() => socket.onclose?.(event))
    this.#socket = socket
    this.#loaded = this.#load(url, load)
  }

  watch(...args: Parameters<Hub['watch']>): Promise<void> {
    return this.#forward((client) => client.watch(...args))
  }

  resync(...args: Parameters<Hub['resync']>): Promise<void> {
    return this.#forward((client) => client.resync(...args))
  }

  command(...args: Parameters<Hub['command']>): Promise<void> {
    return this.#forward((client) => client.command(...args))
  }

  /** Before the client is loaded there is no connection to check. */
  probe(): void {
    this.#client?.probe()
  }

  reconnect(url: string): void {
    this.#url = url
    this.#client?.reconnect(url)
  }

  /** Commands that wait for the client are then never settled. */
  close(): void {
    this.#isClosed = true
    if (this.#client) {
      this.#client.close()
    } else {
      this.#socket.close()
    }
  }

  #forward(send: (client: HubClient) => Promise<void>): Promise<void> {
    return this.#client ? send(this.#client) : this.#loaded.then(send)
  }

  async #load(url: string, load: LoadHub): Promise<HubClient> {
    for (;;) {
      const loaded = await load().catch(() => null)
      if (this.#isClosed) {
        return new Promise(() => undefined)
      }
      if (loaded) {
        return this.#started(new loaded.HubClient(url, this.#events, this.#worldWithSocket()), url)
      }
      this.#events.onLost()
    }
  }

  #started(client: HubClient, url: string): HubClient {
    this.#client = client
    if (this.#url !== url) {
      client.reconnect(this.#url)
    }
    // The client has set its own callbacks by now, and removes them from a socket that it replaces.
    for (const pass of this.#kept.splice(0)) {
      pass()
    }
    return client
  }

  /** The client's first connection is the socket that is already open or opening. */
  #worldWithSocket(): HubWorld {
    let first: HubSocket | null = this.#socket
    return {
      ...this.#world,
      connect: (url, subprotocol) => {
        const socket = first ?? this.#world.connect(url, subprotocol)
        first = null
        return socket
      },
    }
  }
}
