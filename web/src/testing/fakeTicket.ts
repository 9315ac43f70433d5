/**
 * A fake session with ticket and favourites for the fake hub. It handles the commands as docs/protocol.md says, and
 * sends the new state before the ack.
 */

import { readStake } from '../domain/ticket/stake'
import { type Consent, EMPTY_CHOICE, type TicketChoice, type TicketPair, withWish } from '../domain/ticket/ticket'
import type { ToldOffer } from '../protocol/frames'
import type { FakeHub, FakeSocket } from './fakeHub'
import { aPair, aTicket } from './ticketBuilders'

export class FakeTicket {
  choice: TicketChoice = EMPTY_CHOICE
  favourites: number[] = []
  /** The received verbs with their arguments. */
  readonly heard: unknown[][] = []
  /** Error codes by verb, for commands that must be rejected. */
  readonly refuse = new Map<string, string>()
  /** While false, answers are held back; later all are sent. */
  #answers = true
  readonly #waiting: (() => void)[] = []
  readonly #offer: ToldOffer

  constructor(hub: FakeHub, offer: ToldOffer) {
    this.#offer = offer
    const usual = hub.onCommand
    hub.onCommand = (socket, command) => {
      const [n, verb, ...args] = command
      if (!VERBS.has(String(verb))) {
        usual(socket, command)
        return
      }
      this.heard.push([verb, ...args])
      const answer = () => queueMicrotask(() => this.#answer(socket, n, String(verb), args))
      if (this.#answers) {
        answer()
      } else {
        this.#waiting.push(answer)
      }
    }
  }

  hold(): void {
    this.#answers = false
  }

  release(): void {
    this.#answers = true
    for (const answer of this.#waiting.splice(0)) {
      answer()
    }
  }

  /** Discards the held answers, as after a lost connection. */
  forget(): void {
    this.#waiting.length = 0
    this.#answers = true
  }

  tell(socket: FakeSocket): void {
    socket.say([15, wireTicket(this.choice)], [16, this.favourites])
  }

  #answer(socket: FakeSocket, n: unknown, verb: string, args: unknown[]): void {
    const code = this.refuse.get(verb) ?? this.#do(verb, args)
    if (code) {
      socket.say([1, n, code, `refused: ${code}`])
    } else {
      this.tell(socket)
      socket.say([1, n, null])
    }
  }

  /** Executes a command. Returns the error code if it is rejected. */
  #do(verb: string, args: unknown[]): string | undefined {
    const [first, second, third] = args
    switch (verb) {
      case 'pick':
        return this.#pick(Number(first), Number(second), Number(third))
      case 'drop':
        this.choice = withWish(this.choice, { wish: 'drop', matchId: Number(first) })
        return undefined
      case 'fix':
        this.choice = withWish(this.choice, { wish: 'fix', matchId: Number(first), on: second === true })
        return undefined
      case 'type':
        this.choice = withWish(this.choice, { wish: 'type', type: first === 1 ? 1 : 0 })
        return undefined
      case 'combination':
        this.choice = withWish(this.choice, { wish: 'combination', k: first as number | null })
        return undefined
      case 'stake':
        this.choice = { ...this.choice, stake: readStake(String(first)) ?? this.choice.stake }
        return undefined
      case 'consent':
        this.choice = { ...this.choice, consent: first as Consent }
        return undefined
      case 'clear':
        this.choice = withWish(this.choice, { wish: 'clear' })
        return undefined
      default:
        this.favourites = this.favourites.filter((id) => id !== first).concat(second === true ? [Number(first)] : [])
        return undefined
    }
  }

  /** A pick toggles, as the contract says. */
  #pick(matchId: number, marketId: number, oddId: number): string | undefined {
    if (this.choice.pairs.some((pair) => pair.oddId === oddId)) {
      this.choice = withWish(this.choice, { wish: 'drop', matchId })
      return undefined
    }
    const match = this.#offer.sports.flatMap(({ matches }) => matches).find(({ id }) => id === matchId)
    const market = match?.markets.find(({ id }) => id === marketId)
    const odd = market?.odds.find(({ id }) => id === oddId)
    if (!match || !market || !odd) {
      return 'unknown_odd'
    }
    const pair = aPair({
      matchId,
      marketId,
      oddId,
      sportId: match.sportId,
      home: match.home ?? '',
      away: match.away ?? '',
      marketName: market.name ?? '',
      oddName: odd.type ?? '',
      oddType: odd.type ?? '',
      marketType: market.type,
      marketSubType: market.subtype,
      sbv: market.sbv,
      oddValue: odd.value,
    })
    this.choice = withWish(this.choice, { wish: 'pick', pair })
    return undefined
  }
}

const VERBS = new Set(['favourite', 'pick', 'drop', 'fix', 'type', 'combination', 'stake', 'consent', 'clear'])

/** A ticket as it is sent on the wire. */
export function wireTicket(choice: TicketChoice): Record<string, unknown> {
  const { combination, pairs, systemCombinations, ...rest } = aTicket(choice)
  return {
    ...rest,
    numberOfMatches: pairs.length,
    pairs: pairs.map(wirePair),
    selectedSystemCombinations: combination,
    systemCombinations: systemCombinations.map(({ value, count }) => ({
      combinationValue: value,
      count,
      checked: value === combination,
    })),
    builderCode: null,
  }
}

function wirePair({ oddValue, pickedValue, ...pair }: TicketPair): Record<string, unknown> {
  return { ...pair, oddValue: oddValue / 1000, pickedValue: pickedValue / 1000 }
}
