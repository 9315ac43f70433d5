import { expect, it } from 'vitest'
import { makeStore } from '../../app/store'
import { EMPTY_CHOICE, type TicketChoice, type TicketPair } from '../../domain/ticket/ticket'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { ticketReceived } from '../connection/hubMessages'
import { obstacleTo, selectTicket } from './totalsSelectors'

const FREE = aPair({})
const CLOSED = aPair({ canBet: false, reason: 'match_suspended' })

it.each<[string, Partial<TicketChoice>, string | null]>([
  ['no pairs', {}, 'liveEmptyTicketPairs'],
  ['a system of one pair, which is placed as a standard ticket', { type: 1, pairs: [FREE] }, null],
  [
    'a system with too few pairs that are not fix',
    { type: 1, pairs: [FREE, { ...FREE, isFix: true }] },
    'combinationsNeedPairs',
  ],
  ['a system of two free pairs', { type: 1, pairs: [FREE, FREE] }, 'liveAtLeastOneComb'],
  ['a system with a combination', { type: 1, pairs: [FREE, FREE], combination: 1 }, null],
  ['a pair that cannot be bet on', { type: 1, pairs: [CLOSED] }, 'liveRemoveDisabledPairs'],
])('the obstacle of %s', (_, choice, key) => {
  expect(obstacleTo({ ...EMPTY_CHOICE, ...choice })).toBe(key)
})

it('a system of one pair has the totals of a standard ticket, and of two pairs those of a system', () => {
  const store = makeStore()
  const totalsOf = (...pairs: TicketPair[]) => {
    store.dispatch(ticketReceived(aTicket({ type: 1, stake: '10.00', pairs })))
    const { type, numberOfOdds, possiblePayout } = selectTicket(store.getState())
    return [type, numberOfOdds, possiblePayout]
  }
  expect(totalsOf(FREE)).toEqual([0, 1, '18.50'])
  expect(totalsOf(FREE, aPair({}))).toEqual([1, 0, '0.00'])
})
