import { act } from '@testing-library/react'
import type { AppStore } from '../app/store'
import type { MatchId } from '../domain/offer'
import { framesApplied } from '../platform/offer/offerSlice'
import { applyMessages } from '../protocol/applyFrame'
import type { OfferMessage, PartChange } from '../protocol/frames'

const NOTHING: PartChange = {
  markets: null,
  prices: [],
  marks: [],
  values: [],
  fields: {},
  layout: null,
  ball: undefined,
}

/** A change of a match's row. Pass `follows` if the row was changed before. */
export function aRowChange(matchId: MatchId, change: Partial<PartChange>, follows = 1): OfferMessage {
  return { kind: 'rowChange', matchId, follows, change: { ...NOTHING, ...change } }
}

/** Applies the messages of one paint to the store, as if they came from the hub. */
export function tell(store: AppStore, ...messages: readonly OfferMessage[]): void {
  act(() => {
    store.dispatch(framesApplied(applyMessages(store.getState().offer, messages)))
  })
}
