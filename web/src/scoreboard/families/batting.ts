/** The side that bats, in baseball and cricket. */
import type { Side } from '../../domain/offer'
import { type Input, isPlayed, type Scene } from '../family'
import { of } from '../seen'

export function batting({ tracked }: Input): Side | null {
  const { playerServing } = tracked.match
  return isPlayed(tracked) && (playerServing === 1 || playerServing === 2) ? playerServing : null
}

export function callOf(input: Input, side: Side | null): Scene['call'] {
  return side && { side, text: input.texts.t('trackerBatsName', { name: of(input.names, side) }) }
}
