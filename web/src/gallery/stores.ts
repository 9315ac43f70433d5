/** Stores for specimens: the fixture's store in the state of a query, or with another offer. */
import type { UnknownAction } from '@reduxjs/toolkit'
import { fixtureStore } from '../../e2e/fixture/store'
import type { AppStore } from '../app/store'
import type { ToldOffer } from '../protocol/frames'

/** The query of the page: its theme and language apply to every store. */
export const QUERY = new URLSearchParams(window.location.search)

export interface Held {
  /** A query as for the fixture page: `slip=system&stage=waiting`. */
  query?: string | undefined
  /** Actions that are dispatched afterwards. */
  actions?: readonly UnknownAction[] | undefined
  /** An offer that replaces the fixture's. */
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
