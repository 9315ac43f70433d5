/** Keeps the singles of the ticket over a reload, under `cn-singles`, and ends them with the ticket. */
import type { AppStartListening, AppStore } from '../../app/store'
import type { OddId } from '../../domain/offer'
import { readStake } from '../../domain/ticket/stake'
import type { TicketChoice } from '../../domain/ticket/ticket'
import {
  addSingles,
  NO_SINGLES,
  type SinglesState,
  singlesCleared,
  singlesDropped,
  singlesLoaded,
} from '../../platform/ticket/singlesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { wished } from '../../platform/ticket/ticketSlice'
import { restoreAsked } from '../../platform/view/requests'

const KEY = 'cn-singles'

export function startSingles(
  store: AppStore,
  startListening: AppStartListening,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): () => void {
  addSingles(store)
  store.dispatch(singlesLoaded(read(storage)))
  /** The singles of a ticket that the bettor has cleared, until it is put back or the next one is cleared. */
  let cleared: { readonly singles: SinglesState; readonly oddIds: readonly OddId[] } | null = null
  const stops = [
    startListening({
      predicate: (_, now, before) => now.singles !== before.singles,
      effect: (_, api) => write(storage, api.getState().singles ?? NO_SINGLES),
    }),
    // Only a change by the bettor: a login replaces the ticket, which has no pairs for a moment.
    startListening({
      actionCreator: wished,
      effect: (_, { dispatch, getState, getOriginalState }) => {
        const before = oddIdsOf(selectChoice(getOriginalState()))
        const now = oddIdsOf(selectChoice(getState()))
        const dropped = before.filter((oddId) => !now.includes(oddId))
        const singles = getOriginalState().singles ?? NO_SINGLES
        if (now.length === 0 && before.length > 0) {
          cleared = { singles, oddIds: before }
          dispatch(singlesCleared())
        } else if (dropped.some((oddId) => oddId in singles.stakes || oddId in singles.reasons)) {
          dispatch(singlesDropped(dropped))
        }
      },
    }),
    startListening({
      actionCreator: restoreAsked,
      effect: ({ payload }, { dispatch }) => {
        if (cleared && String(oddIdsOf(payload)) === String(cleared.oddIds)) {
          dispatch(singlesLoaded(cleared.singles))
        }
      },
    }),
  ]
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}

const oddIdsOf = ({ pairs }: TicketChoice): readonly OddId[] => pairs.map(({ oddId }) => oddId)

/** Invalid stakes, such as of another version, are left out. */
function read(storage: Pick<Storage, 'getItem'>): SinglesState {
  try {
    const raw = JSON.parse(storage.getItem(KEY) ?? 'null') as { isOn?: unknown; stakes?: unknown } | null
    const stakes = Object.entries(raw?.stakes ?? {}).filter(
      ([, stake]) => typeof stake === 'string' && readStake(stake) === stake,
    )
    return { ...NO_SINGLES, isOn: raw?.isOn === true, stakes: Object.fromEntries(stakes) as SinglesState['stakes'] }
  } catch {
    return NO_SINGLES
  }
}

function write(storage: Pick<Storage, 'setItem'>, { isOn, stakes }: SinglesState): void {
  try {
    storage.setItem(KEY, JSON.stringify({ isOn, stakes }))
  } catch {
    // Storage full or forbidden: the singles are kept only as long as the page is open.
  }
}
