import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../api/request'
import { type FakeWorld, startFakeWorld } from '../../testing/fakeWorld'
import { selectOddsFormat } from './preferencesSelectors'
import {
  columnChosen,
  DEFAULT_PREFERENCES,
  FAVOURITE_MARKETS_MAX,
  favouriteMarketToggled,
  languageChanged,
  leaguePinToggled,
  lowDataTurned,
  mediaPanelTurned,
  oddsTypeChanged,
  quickStakeSet,
  sortChosen,
  sportFilterCleared,
  sportFilterToggled,
  sportOrderSet,
  themeChanged,
} from './preferencesSlice'
import { loadPreferences, savePreferences } from './preferencesStorage'
import { selectHasTexts } from './textsSlice'

let world: FakeWorld

beforeEach(() => {
  vi.useFakeTimers()
  world = startFakeWorld()
})

afterEach(() => {
  world.stop()
  vi.useRealTimers()
})

describe('preferences', () => {
  it('are found again, each under its own key', () => {
    for (const action of [
      languageChanged('en'),
      oddsTypeChanged(2),
      themeChanged('light'),
      sportFilterToggled(5),
      sportFilterToggled(2),
      columnChosen({ sportId: 1, slot: 1, order: 4 }),
      favouriteMarketToggled({ sportId: 1, type: 18 }),
      mediaPanelTurned(true),
      lowDataTurned(true),
      quickStakeSet({ place: 1, amount: '7.50' }),
      sportOrderSet([5, 1]),
      sortChosen('start'),
      leaguePinToggled('[1,"Hrvatska","1. HNL"]'),
    ]) {
      world.store.dispatch(action)
    }
    expect(loadPreferences(localStorage)).toEqual(world.store.getState().preferences)
    expect(Object.keys(localStorage).sort()).toEqual([
      'cn-columns',
      'cn-favouriteMarkets',
      'cn-language',
      'cn-lowData',
      'cn-oddsType',
      'cn-panel',
      'cn-pinnedLeagues',
      'cn-quickStakes',
      'cn-sort',
      'cn-sportOrder',
      'cn-sports',
      'cn-theme',
    ])
    expect(document.documentElement.dataset['theme']).toBe('light')
  })

  it('have their defaults where nothing is saved', () => {
    expect(loadPreferences(localStorage)).toEqual(DEFAULT_PREFERENCES)
  })

  it('of low data follow the browser until the user has chosen', () => {
    const saved = () => loadPreferences(localStorage, true).lowData
    expect([loadPreferences(localStorage, false).lowData, saved()]).toEqual([false, true])
    localStorage.setItem('cn-lowData', 'false')
    expect(saved()).toBe(false)
  })

  it.each([
    ['cn-language', '"de"'],
    ['cn-language', 'hr'],
    ['cn-language', 'null'],
    ['cn-oddsType', '6'],
    ['cn-oddsType', '-1'],
    ['cn-oddsType', '"0"'],
    ['cn-theme', '{}'],
    ['cn-sports', '{"0":1}'],
    ['cn-columns', '[]'],
    ['cn-columns', 'null'],
    ['cn-favouriteMarkets', '[18]'],
    ['cn-panel', '1'],
    ['cn-lowData', '"yes"'],
    ['cn-sort', '"name"'],
    ['cn-sportOrder', '7'],
    ['cn-pinnedLeagues', '{}'],
    ['cn-quickStakes', '["5.00","10.00"]'],
    ['cn-onePress', '1'],
    ['cn-onePressStake', '"100.01"'],
    ['cn-onePressStake', '"0.50"'],
    ['cn-acceptsFall', '"true"'],
    ['cn-quickStakes', '["5.00","10.00","0.50"]'],
    ['cn-columns', '{"x":[1,2],"1":7}'],
  ])('of garbage are as if not there: %s %s', (key, value) => {
    localStorage.setItem(key, value)
    expect(loadPreferences(localStorage)).toEqual(DEFAULT_PREFERENCES)
  })

  it('keep what is good among what is not', () => {
    localStorage.setItem('cn-sports', '[5, "x", -1, 5, 2]')
    localStorage.setItem('cn-columns', '{"1":[3,"x"],"2":[]}')
    localStorage.setItem('cn-favouriteMarkets', '{"1":[18,"x",-2,18],"y":[1]}')
    expect(loadPreferences(localStorage)).toMatchObject({
      sports: [5, 2],
      columns: { 1: [3, null, null], 2: [null, null, null] },
      favouriteMarkets: { 1: [18] },
    })
  })

  it('of two tabs stand side by side, sport by sport and slot by slot', () => {
    world.store.dispatch(columnChosen({ sportId: 1, slot: 0, order: 4 }))
    // Another tab that was opened earlier and has old preferences.
    const other = { ...DEFAULT_PREFERENCES, columns: { 1: [null, 7, null], 5: [2, null, null] } }
    savePreferences(localStorage, other, DEFAULT_PREFERENCES)
    world.store.dispatch(columnChosen({ sportId: 2, slot: 2, order: 3 }))
    expect(loadPreferences(localStorage).columns).toEqual({
      1: [4, 7, null],
      2: [null, null, 3],
      5: [2, null, null],
    })
  })

  it('live without a storage that works', () => {
    const forbidden = () => {
      throw new DOMException('forbidden', 'SecurityError')
    }
    expect(loadPreferences({ getItem: forbidden, setItem: forbidden })).toEqual(DEFAULT_PREFERENCES)
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(forbidden)
    world.store.dispatch(languageChanged('en'))
    expect(world.store.getState().preferences.language).toBe('en')
  })

  it('of odds are one of the six formats', () => {
    world.store.dispatch(oddsTypeChanged(5))
    world.store.dispatch(oddsTypeChanged(6))
    expect(selectOddsFormat(world.store.getState())).toBe('malay')
  })

  it('of markets are pinned and released by sport, up to a limit', () => {
    const toggle = (type: number) => world.store.dispatch(favouriteMarketToggled({ sportId: 5, type }))
    toggle(18)
    toggle(1)
    toggle(18)
    expect(world.store.getState().preferences.favouriteMarkets).toEqual({ 5: [1] })
    for (let type = 100; type < 100 + FAVOURITE_MARKETS_MAX; type += 1) {
      toggle(type)
    }
    expect(world.store.getState().preferences.favouriteMarkets[5]).toHaveLength(FAVOURITE_MARKETS_MAX)
    expect(world.store.getState().preferences.favouriteMarkets[5]).not.toContain(1)
  })

  it('of sports are switched one by one', () => {
    world.store.dispatch(sportFilterToggled(5))
    world.store.dispatch(sportFilterToggled(2))
    world.store.dispatch(sportFilterToggled(5))
    expect(world.store.getState().preferences.sports).toEqual([2])
    world.store.dispatch(sportFilterCleared())
    expect(world.store.getState().preferences.sports).toEqual([])
  })
})

describe('the texts', () => {
  it('are got at the start, and put in place before the page speaks', async () => {
    world.stop()
    world = startFakeWorld()
    expect(selectHasTexts(world.store.getState())).toBe(false)
    await world.settle()
    expect(selectHasTexts(world.store.getState())).toBe(true)
    expect(document.documentElement.lang).toBe('hr-HR')
  })

  it('of another language are got before the page turns to it, and the page is measured again 1 s later', async () => {
    await world.settle()
    await vi.advanceTimersByTimeAsync(1000)
    world.fetchTranslations.mockResolvedValue({ hide: 'Сакриј' })
    const resized = vi.fn()
    window.addEventListener('resize', resized)
    world.store.dispatch(languageChanged('sr'))
    expect(document.documentElement.lang).toBe('hr-HR')
    await world.settle()
    expect(world.fetchTranslations).toHaveBeenLastCalledWith('sr', expect.anything())
    expect(world.i18n.t('hide')).toBe('Сакриј')
    expect(document.documentElement.lang).toBe('sr-Cyrl-RS')
    await vi.advanceTimersByTimeAsync(999)
    expect(resized).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(resized).toHaveBeenCalledTimes(1)
    window.removeEventListener('resize', resized)
  })

  it('are asked for until they come', async () => {
    world.stop()
    world = startFakeWorld()
    world.fetchTranslations.mockReset().mockRejectedValue(new ApiError('network'))
    world.store.dispatch(languageChanged('en'))
    await world.settle()
    world.fetchTranslations.mockResolvedValue({ hide: 'Hide' })
    await vi.advanceTimersByTimeAsync(250)
    expect(world.i18n.t('hide')).toBe('Hide')
  })

  it('are those the client came with where the server does not answer', async () => {
    await world.settle()
    world.fetchTranslations.mockRejectedValue(new ApiError('network'))
    world.shellTexts.mockResolvedValue({ hide: 'Hide' })
    world.store.dispatch(languageChanged('en'))
    await world.settle()
    expect(world.shellTexts).toHaveBeenLastCalledWith('en')
    expect([document.documentElement.lang, world.i18n.t('hide')]).toEqual(['en-US', 'Hide'])
  })

  it('of a language chosen and left again do not come in its place', async () => {
    await world.settle()
    let answer: (texts: Record<string, string>) => void = () => undefined
    world.fetchTranslations.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    world.store.dispatch(languageChanged('en'))
    world.store.dispatch(languageChanged('hr'))
    await world.settle()
    answer({ hide: 'Hide' })
    await world.settle()
    expect([document.documentElement.lang, world.i18n.t('hide')]).toEqual(['hr-HR', 'hide'])
  })
})
