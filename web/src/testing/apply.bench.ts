/**
 * Measures the cost of one paint before React renders, with 1,000 matches: decoding a frame, applying it, and the
 * dispatch including the derived list. Run `npm run bench`.
 */
import { encode } from '@msgpack/msgpack'
import { it } from 'vitest'
import { makeStore } from '../app/store'
import { applyChanges } from '../domain/offerChanges'
import { selectSportGroups } from '../platform/offer/offerSelectors'
import { framesApplied, offerLoaded } from '../platform/offer/offerSlice'
import { applyMessages } from '../protocol/applyFrame'
import { decodeFrame } from '../protocol/decode'
import type { OfferMessage } from '../protocol/frames'
import { loadOffer } from '../protocol/loadOffer'
import { aMarket, aMatch, anOdd, anOffer, aSport, aTotal } from './builders'

const SPORTS = 10
const MATCHES = 1000
/** As large as the ids of real feeds. */
const FIRST_ID = 25_000_890_000

function match(id: number) {
  const odd = (offset: number) => anOdd({ id: id * 10 + offset })
  const result = aMarket({ id: id * 10, odds: [odd(0), odd(1), odd(2)] })
  return aMatch({ id, markets: [result, aTotal('2.5', { id: id * 10 + 1, odds: [odd(3), odd(4)] })] })
}

const told = anOffer(
  Array.from({ length: SPORTS }, (_, sport) => {
    const first = FIRST_ID + (sport * MATCHES) / SPORTS
    return aSport({
      id: sport + 1,
      matches: Array.from({ length: MATCHES / SPORTS }, (__, place) => match(first + place)),
    })
  }),
)
const offer = loadOffer(told)

/** A frame in which each of `matches` matches changes two prices. */
function frame(matches: number): ArrayBuffer {
  const changes = Array.from({ length: matches }, (_, place) => {
    const id = FIRST_ID + Math.floor((place * MATCHES) / matches)
    return [4, id, 1, 0, 1000 + place, 4, 2000 + place]
  })
  return encode([...changes, [13, 1_700_000_000_000]]).slice().buffer
}

it.for([1, 20, 200])('a frame of %i matches', async (matches, { bench }) => {
  const bytes = frame(matches)
  const messages = decodeFrame(bytes).messages as OfferMessage[]
  const store = makeStore()
  store.dispatch(offerLoaded({ offer, feed: 'active', dateMs: 0 }))
  await bench.compare(
    bench('decode', () => {
      decodeFrame(bytes)
    }),
    bench('apply', () => {
      applyChanges(offer, applyMessages(offer, messages).changes)
    }),
    bench('apply, dispatch, derive the list', () => {
      store.dispatch(framesApplied(applyMessages(offer, messages)))
      selectSportGroups(store.getState())
    }),
  )
})

it('the whole offer', async ({ bench }) => {
  await bench('load', () => {
    loadOffer(told)
  }).run()
})
