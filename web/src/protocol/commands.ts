/** What the client says to the hub: one command a frame, `[n, verb, …arguments]`. */
import { encode } from '@msgpack/msgpack'
import type { MatchId, SportId } from '../domain/offer'

/** What a connection wants to see: it replaces what it saw before. */
export interface Watch {
  /** Null is all. */
  readonly sports: readonly SportId[] | null
  readonly matches: readonly MatchId[]
}

export type Command =
  | { readonly verb: 'watch'; readonly watch: Watch }
  | { readonly verb: 'resync'; readonly matchId: MatchId | null }
  | { readonly verb: 'ping' }

export function encodeCommand(n: number, command: Command): Uint8Array<ArrayBuffer> {
  return encode([n, command.verb, ...argumentsOf(command)])
}

function argumentsOf(command: Command): unknown[] {
  switch (command.verb) {
    case 'watch':
      return [{ sports: command.watch.sports, favourites: false, matches: command.watch.matches }]
    case 'resync':
      return [command.matchId]
    case 'ping':
      return []
  }
}
