import { describe, expect, it, vi } from 'vitest'
import { DEFAULT_PREFERENCES } from '../platform/preferences/preferencesSlice'
import { makeStore } from './store'

const NOTHING = { type: 'test/nothing' }
const offerState = () => ({ ...makeStore().getState().offer })

describe('the development checks', () => {
  it('report a mutation of the state', () => {
    const preferences = { ...DEFAULT_PREFERENCES }
    const store = makeStore({ preferences })
    store.dispatch(NOTHING)
    preferences.language = 'en'
    expect(() => store.dispatch(NOTHING)).toThrow(/mutation was detected.*preferences\.language/)
  })

  it('report a value in the state or in an action that cannot be serialized', () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    makeStore({ rules: new Map() as never }).dispatch(NOTHING)
    makeStore().dispatch({ type: 'test/set', payload: new Set() })
    expect(report.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining('in the state, in the path: `rules`'),
      expect.stringContaining('in an action, in the path: `payload`'),
    ])
  })

  it('leave out the tables of the offer', () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const offer = { ...offerState(), unknown: new Map() }
    const store = makeStore({ offer })
    store.dispatch(NOTHING)
    Object.assign(offer, { dateMs: 1 })
    store.dispatch({ type: 'test/offer', payload: { offer: new Map() } })
    expect(report).not.toHaveBeenCalled()
  })
})
