/**
 * Reads and saves the preferences in local storage, each under its own key with the prefix `cn-` (CONTRACT 5). Stored
 * values may come from another version, so invalid ones are ignored.
 */
import { ODDS_FORMATS } from '../../domain/oddsFormat'
import type { SportId } from '../../domain/offer'
import {
  DEFAULT_PREFERENCES,
  FAVOURITE_MARKETS_MAX,
  LANGUAGES,
  ONE_PRESS_CENTS_MAX,
  PINNED_LEAGUES_MAX,
  type PreferencesState,
  QUICK_STAKES,
  SLOTS,
  SORTS,
  THEMES,
} from './preferencesSlice'

const PREFIX = 'cn-'

type Kept = Pick<Storage, 'getItem' | 'setItem'>

export type BrowserStorage = Kept & Pick<Storage, 'removeItem'>

const readers: { [Key in keyof PreferencesState]: (value: unknown) => PreferencesState[Key] | undefined } = {
  language: oneOf(LANGUAGES),
  oddsType: (value) => (Number.isInteger(value) && ODDS_FORMATS[value as number] ? (value as number) : undefined),
  theme: oneOf(THEMES),
  lowData: oneOf([true, false]),
  shortcuts: oneOf([true, false]),
  strip: oneOf([true, false]),
  goalNotes: oneOf([true, false]),
  betNotes: oneOf([true, false]),
  panel: oneOf([true, false]),
  sports: readIds,
  sportOrder: readIds,
  sort: oneOf(SORTS),
  pinnedLeagues: (value) =>
    Array.isArray(value) ? value.filter((id) => typeof id === 'string').slice(-PINNED_LEAGUES_MAX) : undefined,
  columns: (value) => readBySport(value, (slots) => SLOTS.map((slot) => readSlot(slots[slot]))),
  favouriteMarkets: (value) => readBySport(value, (types) => readIds(types)?.slice(0, FAVOURITE_MARKETS_MAX) ?? []),
  quickStakes: (value) =>
    Array.isArray(value) && value.length === QUICK_STAKES && value.every(isAmount) ? value : undefined,
  onePress: oneOf([true, false]),
  acceptsFall: oneOf([true, false]),
  onePressStake: (value) =>
    isAmount(value) && BigInt(value.replace('.', '')) <= ONE_PRESS_CENTS_MAX ? value : undefined,
}

const KEYS = Object.keys(DEFAULT_PREFERENCES) as (keyof PreferencesState)[]

/** The low-data mode follows the browser's own setting (`savesData`) until the user has chosen. */
export function loadPreferences(storage: Kept, savesData = false): PreferencesState {
  const defaults = { ...DEFAULT_PREFERENCES, lowData: savesData }
  const found = KEYS.map((key) => [key, readers[key](read(storage, key)) ?? defaults[key]])
  return Object.fromEntries(found) as PreferencesState
}

/** Saves the changed preferences. Columns are merged with those chosen in other tabs; all others overwrite them. */
export function savePreferences(storage: Kept, now: PreferencesState, before: PreferencesState): void {
  for (const key of KEYS) {
    if (now[key] !== before[key]) {
      const value =
        key === 'columns' ? withChosen(readers.columns(read(storage, key)), now[key], before[key]) : now[key]
      try {
        storage.setItem(PREFIX + key, JSON.stringify(value))
      } catch {
        // Storage full or forbidden: the preference is kept only as long as the page is open.
      }
    }
  }
}

type Columns = PreferencesState['columns']

/** The stored columns, which other tabs may have changed, with the changes of this tab applied. */
function withChosen(kept: Columns = {}, now: Columns, before: Columns): Columns {
  const columns = { ...kept }
  for (const [id, slots] of Object.entries(now)) {
    const of = (all: Columns, slot: number) => all[Number(id)]?.[slot] ?? null
    columns[Number(id)] = slots.map((own, slot) => (own === of(before, slot) ? of(kept, slot) : own))
  }
  return columns
}

function read(storage: Kept, key: string): unknown {
  let text: string | null
  try {
    text = storage.getItem(PREFIX + key)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function oneOf<T>(values: readonly T[]): (value: unknown) => T | undefined {
  return (value) => values.find((known) => known === value)
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** From 1.00 to 999999.99. */
function isAmount(value: unknown): value is string {
  return typeof value === 'string' && /^[1-9]\d{0,5}\.\d\d$/.test(value)
}

function readIds(value: unknown): number[] | undefined {
  return Array.isArray(value) ? [...new Set(value.filter(isId))] : undefined
}

/** A list for each sport. */
function readBySport<T>(value: unknown, readList: (list: readonly unknown[]) => T): Record<SportId, T> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return undefined
  }
  const bySport: Record<SportId, T> = {}
  for (const [sportId, list] of Object.entries(value)) {
    if (isId(Number(sportId)) && Array.isArray(list)) {
      bySport[Number(sportId)] = readList(list)
    }
  }
  return bySport
}

function readSlot(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null
}

/** Whether the browser is set to save data. Only some browsers expose this setting. */
export function browserSavesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}

/** The browser's local storage, or one that stores nothing if access is forbidden. */
export function browserStorage(): BrowserStorage {
  return storageOf(() => window.localStorage)
}

/** The same of the tab, which keeps it as long as it is open. */
export function tabStorage(): BrowserStorage {
  return storageOf(() => window.sessionStorage)
}

function storageOf(find: () => Storage): BrowserStorage {
  try {
    return find()
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  }
}
