/** Encodes the commands that the client sends to the hub: one command per frame, `[n, verb, …arguments]`. */
import type { MarketId, MatchId, OddId, SportId } from '../domain/offer'
import type { Consent, TicketType } from '../domain/ticket/ticket'
import { type Encodable, encodeMsgpack } from './msgpack'

/** What a connection watches. It replaces the previous watch. */
export interface Watch {
  /** Null means all sports. */
  readonly sports: readonly SportId[] | null
  /** Whether to watch the rows of the favourites. */
  readonly favourites: boolean
  readonly matches: readonly MatchId[]
  /** Whether to watch the bets and the money of the account. */
  readonly bets?: boolean
}

/** Commands that change the ticket or the favourites, and the answer to the reality check. */
export type BettorCommand =
  | { readonly verb: 'favourite'; readonly matchId: MatchId; readonly on: boolean }
  | { readonly verb: 'pick'; readonly matchId: MatchId; readonly marketId: MarketId; readonly oddId: OddId }
  | { readonly verb: 'drop'; readonly matchId: MatchId }
  | { readonly verb: 'fix'; readonly matchId: MatchId; readonly on: boolean }
  | { readonly verb: 'type'; readonly type: TicketType }
  | { readonly verb: 'combination'; readonly k: number | null }
  | { readonly verb: 'stake'; readonly text: string }
  | { readonly verb: 'consent'; readonly consent: Consent }
  | { readonly verb: 'clear' }
  | { readonly verb: 'reality'; readonly answer: 'continue' }

export type Command =
  | { readonly verb: 'watch'; readonly watch: Watch }
  | { readonly verb: 'resync'; readonly matchId: MatchId | null }
  | { readonly verb: 'ping' }
  | BettorCommand

export function encodeCommand(n: number, command: Command): Uint8Array<ArrayBuffer> {
  return encodeMsgpack([n, command.verb, ...argumentsOf(command)])
}

function argumentsOf(command: Command): Encodable[] {
  switch (command.verb) {
    case 'watch': {
      const { sports, favourites, matches, bets } = command.watch
      return [{ sports, favourites, matches, ...(bets && { bets }) }]
    }
    case 'resync':
    case 'drop':
      return [command.matchId]
    case 'favourite':
    case 'fix':
      return [command.matchId, command.on]
    case 'pick':
      return [command.matchId, command.marketId, command.oddId]
    case 'type':
      return [command.type]
    case 'combination':
      return [command.k]
    case 'stake':
      return [command.text]
    case 'consent':
      return [command.consent]
    case 'reality':
      return [command.answer]
    case 'ping':
    case 'clear':
      return []
  }
}
