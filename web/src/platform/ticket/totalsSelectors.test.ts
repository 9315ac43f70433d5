import { expect, it } from 'vitest'
import { EMPTY_CHOICE, type TicketChoice } from '../../domain/ticket/ticket'
import { aPair } from '../../testing/ticketBuilders'
import { obstacleTo } from './totalsSelectors'

const FREE = aPair({})
const CLOSED = aPair({ canBet: false, reason: 'match_suspended' })

it.each<[string, Partial<TicketChoice>, string | null]>([
  ['no pairs', {}, 'liveEmptyTicketPairs'],
  ['a system of one pair', { type: 1, pairs: [FREE] }, 'liveAtLeastOneComb'],
  ['a system of two free pairs', { type: 1, pairs: [FREE, FREE] }, 'liveAtLeastOneComb'],
  ['a system with a combination', { type: 1, pairs: [FREE, FREE], combination: 1 }, null],
  ['a pair that cannot be bet on', { type: 1, pairs: [CLOSED] }, 'liveRemoveDisabledPairs'],
])('the obstacle of %s', (_, choice, key) => {
  expect(obstacleTo({ ...EMPTY_CHOICE, ...choice })).toBe(key)
})
