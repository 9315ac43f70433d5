/**
 * Singles: each pair of the ticket is a bet of its own with its own stake. Only this page knows of them; for the server
 * the ticket is a standard one. A pair without a stake of its own has that of the ticket.
 */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppStore } from '../../app/store'
import type { OddId } from '../../domain/offer'
import { remember } from '../../domain/sharing'
import type { TicketRules } from '../../domain/ticket/rules'
import { centsOf, writeCents } from '../../domain/ticket/stake'
import type { ReckonedTicket, TicketChoice } from '../../domain/ticket/ticket'
import { totals } from '../../domain/ticket/totals'
import { loggedOut } from '../account/accountSlice'
import { selectRules } from './rulesSlice'
import { selectChoice, type WithTicket } from './ticketSelectors'

export interface SinglesState {
  readonly isOn: boolean
  /** The stakes of the pairs that have one of their own. */
  readonly stakes: Readonly<Record<OddId, string>>
  /** Why the server rejected the last bet on a pair. */
  readonly reasons: Readonly<Record<OddId, string>>
}

export const NO_SINGLES: SinglesState = { isOn: false, stakes: {}, reasons: {} }

const singlesSlice = createSlice({
  name: 'singles',
  initialState: NO_SINGLES,
  reducers: {
    singlesTurned: (state, { payload: isOn }: PayloadAction<boolean>): SinglesState => ({ ...state, isOn }),
    singleStakeSet: (state, { payload }: PayloadAction<{ oddId: OddId; stake: string }>): SinglesState => ({
      ...state,
      stakes: { ...state.stakes, [payload.oddId]: payload.stake },
      reasons: without(state.reasons, [payload.oddId]),
    }),
    singleRefused: (state, { payload }: PayloadAction<{ oddId: OddId; reason: string }>): SinglesState => ({
      ...state,
      reasons: { ...state.reasons, [payload.oddId]: payload.reason },
    }),
    /** The odds left the ticket. */
    singlesDropped: (state, { payload }: PayloadAction<readonly OddId[]>): SinglesState => ({
      ...state,
      stakes: without(state.stakes, payload),
      reasons: without(state.reasons, payload),
    }),
    /** The next ticket begins as a standard one. */
    singlesCleared: () => NO_SINGLES,
    singlesLoaded: (_, { payload }: PayloadAction<SinglesState>) => payload,
  },
  extraReducers: (builder) => {
    builder.addCase(loggedOut, () => NO_SINGLES)
  },
})

function without(texts: Readonly<Record<OddId, string>>, oddIds: readonly OddId[]): Readonly<Record<OddId, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([oddId]) => !oddIds.includes(Number(oddId))))
}

export const { singlesTurned, singleStakeSet, singleRefused, singlesDropped, singlesCleared, singlesLoaded } =
  singlesSlice.actions

interface State extends WithTicket {
  readonly singles?: SinglesState
  readonly rules: Parameters<typeof selectRules>[0]['rules']
}

export const selectIsSinglesOn = (state: Pick<State, 'singles'>) => state.singles?.isOn === true

/** Whether the pairs of the ticket are singles. */
export const selectIsSingles = (state: State) => selectIsSinglesOn(state) && selectChoice(state).pairs.length > 0

export const selectSingleStake = (state: State, oddId: OddId) =>
  state.singles?.stakes[oddId] ?? selectChoice(state).stake

export const selectSingleReason = (state: Pick<State, 'singles'>, oddId: OddId) => state.singles?.reasons[oddId]

const singlesOf = remember(
  (choice: TicketChoice, stakes: SinglesState['stakes'], rules: TicketRules): readonly ReckonedTicket[] =>
    choice.pairs.map((pair) => {
      const single = { ...choice, type: 0, combination: null, stake: stakes[pair.oddId] ?? choice.stake } as const
      const pairs = [{ ...pair, isFix: false }]
      return { ...single, pairs, ...totals({ ...single, pairs }, rules) }
    }),
)

/** Each pair as a ticket of its own, with its totals. */
export const selectSingles = (state: State) =>
  singlesOf(selectChoice(state), state.singles?.stakes ?? NO_SINGLES.stakes, selectRules(state))

/** The sum of an amount of several tickets. */
export function sumOf(tickets: readonly ReckonedTicket[], amount: 'stake' | 'possiblePayout'): string {
  return writeCents(tickets.reduce((sum, ticket) => sum + centsOf(ticket[amount]), 0n))
}

/** Adds the reducer to a store. */
export function addSingles(store: AppStore): void {
  store.addReducers({ singles: singlesSlice.reducer })
}
