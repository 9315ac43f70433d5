/** What specimens show: the fixture's store in the state a query names, and offers of the gallery's own. */
import type { UnknownAction } from '@reduxjs/toolkit'
import { fixtureStore } from '../../e2e/fixture/store'
import type { AppStore } from '../app/store'
import type { ToldOffer } from '../protocol/frames'

/** The page's own query: theme and language go into every store. */
export const QUERY = new URLSearchParams(window.location.search)

export interface Held {
  /** As of the fixture page: `slip=system&stage=waiting`. */
  query?: string | undefined
  /** What has happened since. */
  actions?: readonly UnknownAction[] | undefined
  /** Another offer than the fixture's. */
  offer?: ToldOffer | undefined
}

export function storeOf({ query = '', actions = [], offer }: Held): AppStore {
  const held = new URLSearchParams(query)
  for (const look of ['lang', 'theme']) {
    const value = QUERY.get(look)
    if (value !== null) {
      held.set(look, value)
    }
  }
  const store = fixtureStore(held, offer)
  for (const action of actions) {
    store.dispatch(action)
  }
  return store
}
