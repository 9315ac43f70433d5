/** Keeps the hidden matches over a reload, in local storage under `cn-hidden`. */
import type { AppStartListening } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import type { ViewState } from './viewSlice'

const KEY = 'cn-hidden'

/** Later matches have higher ids, so that the highest ids are kept. */
const HIDDEN_MAX = 200

type Kept = Pick<Storage, 'getItem' | 'setItem'>

export function loadHidden(storage: Kept): ViewState['hiddenMatches'] {
  try {
    const ids: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return Object.fromEntries(bounded(Array.isArray(ids) ? ids.filter(isId) : []).map((id) => [id, true as const]))
  } catch {
    return {}
  }
}

/** Matches that leave the offer are removed from the store, and so from the storage too. */
export function startHidden(startListening: AppStartListening, storage: Kept): () => void {
  return startListening({
    predicate: (_, now, before) => now.view.hiddenMatches !== before.view.hiddenMatches,
    effect: (_, api) => {
      const ids = Object.keys(api.getState().view.hiddenMatches).map(Number)
      try {
        storage.setItem(KEY, JSON.stringify(bounded(ids)))
      } catch {
        // Storage full or forbidden: they are hidden only as long as the page is open.
      }
    },
  })
}

function bounded(ids: readonly MatchId[]): MatchId[] {
  return [...new Set(ids)].sort((a, b) => b - a).slice(0, HIDDEN_MAX)
}

function isId(value: unknown): value is MatchId {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
