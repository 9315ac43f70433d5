/**
 * Betting by one press. The server cannot take a bet back, so the bet is sent only after `UNDO_MS`, in which the bettor
 * sees its price and may take it back. It is sent at the price of the press or not at all. Until then it is not stored:
 * a page that is closed sends nothing.
 */
import type { AppStartListening, AppStore, RootState } from '../../app/store'
import { DELIBERATE_MS } from '../../components/deliberatePress'
import type { OddId } from '../../domain/offer'
import { centsOf } from '../../domain/ticket/stake'
import type { ReckonedTicket, TicketPair } from '../../domain/ticket/ticket'
import { totals } from '../../domain/ticket/totals'
import { formatMoney } from '../../i18n/locale'
import { loggedOut, selectCurrency, selectUser, strangerSeen } from '../../platform/account/accountSlice'
import { selectExclusion, sessionEnded } from '../../platform/account/protectionSlice'
import { announcementWished } from '../../platform/notices/announcementsSlice'
import { type Notice, noticeShown } from '../../platform/notices/noticesSlice'
import { selectIsBettable, selectOdd } from '../../platform/offer/offerSelectors'
import { selectLanguage, selectOnePressStake } from '../../platform/preferences/preferencesSelectors'
import { onePressTurned } from '../../platform/preferences/preferencesSlice'
import { oddPressed } from '../../platform/ticket/onePress'
import { onePressLimits } from '../../platform/ticket/onePressLimits'
import { selectRules } from '../../platform/ticket/rulesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { barredShown } from './barred'
import { selectCanReach } from './canReach'
import { addOnePress, onePressBegun, onePressDue, onePressUndone, selectOnePressBet } from './onePressSlice'
import { selectPlacement } from './placementSlice'
import { selectSinglesOrder, singlesRead } from './singlesOrderSlice'

/** How long a pressed bet can be taken back. */
export const UNDO_MS = 3000

/** A timer of a computer that slept fires late. Then the bettor has not seen the bet for a long time. */
const LATE_MS = 1500

export function startOnePress(store: AppStore, startListening: AppStartListening, now: () => number): () => void {
  addOnePress(store)
  const stops = [
    startListening({
      actionCreator: oddPressed,
      effect: async ({ payload: { oddId, pair } }, api) => {
        const held = selectOnePressBet(api.getState())
        if (held) {
          if (now() - held.sinceMs < DELIBERATE_MS) {
            return
          }
          api.dispatch(oddOf(held.ticket) === oddId ? onePressUndone() : noticeShown('onePressBusy'))
          return
        }
        const state = api.getState()
        const obstacle = obstacleTo(state)
        if (!pair || obstacle) {
          api.dispatch(pair && obstacle ? noticeShown(obstacle.key, obstacle.values) : noticeShown('noticeOddLocked'))
          return
        }
        // The outcome of the last one is not needed any more.
        api.dispatch(singlesRead())
        const sinceMs = now()
        const bet = { ticket: singleOf(state, pair), sinceMs, untilMs: sinceMs + UNDO_MS }
        api.dispatch(onePressBegun(bet))
        api.dispatch(announcementWished({ key: 'onePressSaid', values: { seconds: UNDO_MS / 1000 } }))
        const hasEnded = await api.condition(
          (_action, current) => selectOnePressBet(current) !== bet || isStale(current, bet.ticket),
          UNDO_MS,
        )
        const last = api.getState()
        if (selectOnePressBet(last) !== bet) {
          return
        }
        const late = hasEnded ? null : obstacleTo(last)
        if (late) {
          api.dispatch(onePressUndone())
          api.dispatch(noticeShown(late.key, late.values))
        } else if (hasEnded || isStale(last, bet.ticket) || now() - bet.untilMs > LATE_MS) {
          api.dispatch(onePressUndone())
          api.dispatch(noticeShown('onePressNotSent', {}, undefined, true))
        } else {
          api.dispatch(onePressDue(bet))
        }
      },
    }),
    startListening({
      predicate: (action, current, before) =>
        sessionEnded.match(action) ||
        loggedOut.match(action) ||
        strangerSeen.match(action) ||
        onePressTurned.match(action) ||
        (selectExclusion(current) !== null && selectExclusion(before) === null),
      effect: (_, api) => {
        if (selectOnePressBet(api.getState())) {
          api.dispatch(onePressUndone())
          api.dispatch(barredShown)
        }
      },
    }),
  ]
  return () => {
    for (const stop of stops) {
      stop({ cancelActive: true })
    }
  }
}

const oddOf = ({ pairs }: ReckonedTicket): OddId | undefined => pairs[0]?.oddId

/** Why no bet can be placed by one press now; null if it can. */
function obstacleTo(state: RootState): Pick<Notice, 'key' | 'values'> | null {
  const money = (amount: string) => formatMoney(selectLanguage(state), amount, selectCurrency(state))
  const { minStake, maxStake } = onePressLimits(state)
  const stake = centsOf(selectOnePressStake(state))
  const balance = selectUser(state)?.balance ?? null
  const singles = selectSinglesOrder(state)
  const { stage } = selectPlacement(state)
  if (stage === 'unknown' || (singles.stage === 'sending' && singles.isUnsure)) {
    return { key: 'outcomeUnknown', values: {} }
  }
  if (stage === 'waiting' || singles.stage === 'sending') {
    return { key: 'onePressBusy', values: {} }
  }
  if (!selectCanReach(state)) {
    return { key: 'waitingForOffer', values: {} }
  }
  if (stake < centsOf(minStake)) {
    return { key: 'stakeMin', values: { amount: money(minStake) } }
  }
  if (stake > centsOf(maxStake)) {
    return { key: 'stakeMax', values: { amount: money(maxStake) } }
  }
  return balance !== null && stake > centsOf(balance)
    ? { key: 'refusedNotEnoughBalance', values: { balance: money(balance) } }
    : null
}

/** The single with the price of the press. A lower price is never accepted, whatever the ticket accepts. */
function singleOf(state: RootState, pair: TicketPair): ReckonedTicket {
  const consent = selectChoice(state).consent === 'none' ? 'none' : 'higher'
  const choice = { type: 0, combination: null, stake: selectOnePressStake(state), consent, pairs: [pair] } as const
  return { ...choice, ...totals(choice, selectRules(state)) }
}

/** Whether the price fell or the odd is locked, or the price rose and the bettor wants to be asked. */
function isStale(state: RootState, { pairs: [pair], consent }: ReckonedTicket): boolean {
  const value = pair && selectIsBettable(state, pair.matchId) ? (selectOdd(state, pair.oddId)?.value ?? 0) : 0
  return !pair || value < pair.oddValue || (consent === 'none' && value !== pair.oddValue)
}
