/**
 * The socket of the hub, opened before the hub client is loaded, so that the connection is not established later than
 * with a client in the first load. Keeps what arrives meanwhile; that is little, because nothing is watched yet. Must not
 * import the hub client.
 */
import type { HubSocket, HubWorld } from './hubClient'
import { SUBPROTOCOL } from './subprotocol'

export class EarlySocket {
  readonly url: string
  readonly #socket: HubSocket
  readonly #kept: (() => void)[] = []
  #isTaken = false

  constructor(url: string, connect: HubWorld['connect']) {
    this.url = url
    const socket = connect(url, SUBPROTOCOL)
    socket.binaryType = 'arraybuffer'
    socket.onmessage = (event) => this.#kept.push(() => socket.onmessage?.(event))
    socket.onclose = (event) => this.#kept.push(() => socket.onclose?.(event))
    this.#socket = socket
  }

  /** The environment of a hub client that uses this socket as its first connection. */
  worldOf(world: HubWorld): HubWorld {
    return {
      ...world,
      connect: (url, subprotocol) => {
        if (this.#isTaken) {
          return world.connect(url, subprotocol)
        }
        this.#isTaken = true
        return this.#socket
      },
    }
  }

  /** Passes on what arrived, to the callbacks that the client has set. The client removes them from a lost socket. */
  deliver(): void {
    for (const pass of this.#kept.splice(0)) {
      pass()
    }
  }

  close(): void {
    this.#socket.close()
  }
}
