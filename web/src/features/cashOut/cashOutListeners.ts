/**
 * Sends cash-outs and ends what lasts only some seconds: the confirmation and the arrows of changed values. A request
 * without an answer is sent again with the same idempotency key, so that a bet is never cashed out twice.
 */
import type { CashOutAnswer, CashOutOrder, fetchCashOut } from '../../api/cashOutApi'
import type { AppStartListening, AppStore } from '../../app/store'
import { BET_STATES } from '../../domain/bet'
import { shareText } from '../../domain/cashOut'
import type { TranslationKey } from '../../i18n/keys'
import { formatMoney } from '../../i18n/locale'
import { balanceTold, selectCurrency, selectUser, strangerSeen } from '../../platform/account/accountSlice'
import { cashOutValuesReceived } from '../../platform/connection/hubMessages'
import { announcedAtOnce } from '../../platform/notices/announcementsSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { pageOpened } from '../../platform/view/viewSlice'
import { backoffMs } from '../../protocol/backoff'
import {
  answerMissing,
  cashOutConfirmed,
  cashOutEnded,
  confirmationAsked,
  flowEnded,
  movementsEnded,
  selectFlow,
  selectValue,
} from './cashOutSlice'
import { type CashOutFlow, CONFIRM_MS } from './cashOutState'

export interface CashOutWorld {
  readonly fetchCashOut: typeof fetchCashOut
  readonly sendCashOut: (order: CashOutOrder, signal: AbortSignal) => Promise<CashOutAnswer>
  readonly uuid: () => string
  readonly now: () => number
  /** Between 0 and 1. */
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** How long the arrow of a changed value is shown. */
export const MOVED_MS = 4000
/** How long a request without an answer is sent again, after the in-play delay. */
const AGAIN_MS = 60_000

type Sending = Extract<CashOutFlow, { stage: 'sending' }>
type Outcome = Parameters<typeof cashOutEnded>[0]['flow']

export function startCashOut(store: AppStore, startListening: AppStartListening, world: CashOutWorld): () => void {
  const { dispatch, getState } = store
  const stopped = new AbortController()
  const { signal } = stopped
  const after = (ms: number, act: () => void) => world.wait(ms, signal).then(act, ignoreStop)
  const money = (amount: string) => formatMoney(selectLanguage(getState()), amount, selectCurrency(getState()))
  const say = (key: TranslationKey, values: Record<string, string> = {}) => dispatch(announcedAtOnce({ key, values }))

  const end = (ticketId: string, flow: Outcome) => dispatch(cashOutEnded({ ticketId, flow }))
  const fail = (ticketId: string, reason: string | null, text: string | null = null) =>
    end(ticketId, { stage: 'failed', reason, text })

  /** The value fell during the delay: asks again with the value of now. */
  const askAgain = async (ticketId: string, { percent, net }: Sending, text: string | null) => {
    const value = await world.fetchCashOut(ticketId, signal).catch(() => null)
    if (value) {
      dispatch(cashOutValuesReceived([{ ticketId, ...value }], world.now()))
    }
    if (selectValue(getState(), ticketId)?.net) {
      dispatch(confirmationAsked({ ticketId, percent, nowMs: world.now(), fellFrom: net }))
    } else {
      fail(ticketId, 'value_changed', text)
    }
  }

  /** Whether the outcome is known. */
  const take = async (ticketId: string, flow: Sending, { status, body, text }: CashOutAnswer): Promise<boolean> => {
    const reason = typeof body['reason'] === 'string' ? body['reason'] : null
    if (status === 0 || status >= 500) {
      return false
    }
    if (status === 200) {
      const { paid, state, balance } = body
      if (typeof balance === 'string') {
        dispatch(balanceTold(balance))
      }
      end(
        ticketId,
        typeof paid === 'string'
          ? { stage: 'paid', paid }
          : { stage: 'settled', state: BET_STATES.find((known) => known === state) ?? 'open' },
      )
    } else if (status === 401) {
      dispatch(strangerSeen())
      dispatch(pageOpened('login'))
    } else if (reason === 'value_changed') {
      await askAgain(ticketId, flow, text)
    } else {
      fail(ticketId, status === 404 ? 'not_open' : status === 429 ? 'rate_limited' : reason, text)
    }
    return true
  }

  const send = async (ticketId: string, flow: Sending) => {
    const user = selectUser(getState())?.name
    const order = {
      key: world.uuid(),
      ticketId,
      share: shareText(flow.percent),
      net: flow.net,
      language: selectLanguage(getState()),
      delaySeconds: flow.delaySeconds,
    }
    const untilMs = flow.sentMs + flow.delaySeconds * 1000 + AGAIN_MS
    for (let attempts = 0; ; attempts += 1) {
      const answer = await world.sendCashOut(order, signal)
      signal.throwIfAborted()
      if (await take(ticketId, flow, answer)) {
        return
      }
      // For another user the same key would be another request.
      if (world.now() >= untilMs || selectUser(getState())?.name !== user) {
        fail(ticketId, 'unknown')
        return
      }
      dispatch(answerMissing(ticketId))
      await world.wait(backoffMs(attempts, world.random), signal)
    }
  }

  const announce = (flow: CashOutFlow) => {
    switch (flow.stage) {
      case 'confirming':
        return flow.fellFrom
          ? say('cashOutFell', { before: money(flow.fellFrom), net: money(flow.net) })
          : say('cashOutConfirmSays', { seconds: String(CONFIRM_MS / 1000) })
      case 'paid':
        return say('cashOutPaid', { amount: money(flow.paid) })
      case 'settled':
        return say('cashOutSettled')
      case 'failed':
        return say('cashOutFailed')
      case 'sending':
        return say('cashOutSending')
    }
  }

  const stops = [
    startListening({
      actionCreator: cashOutValuesReceived,
      effect: ({ payload: { nowMs } }) => void after(MOVED_MS, () => dispatch(movementsEnded(nowMs))),
    }),
    // Each confirmation ends after its time, counted from the last time that it asked.
    startListening({
      predicate: (_, now, before) => now.cashOut.flows !== before.cashOut.flows,
      effect: (_, api) => {
        const before = api.getOriginalState().cashOut.flows
        for (const [ticketId, flow] of Object.entries(api.getState().cashOut.flows)) {
          const isNew = before[ticketId]?.stage !== flow.stage || sinceOf(before[ticketId]) !== sinceOf(flow)
          if (!isNew) {
            continue
          }
          announce(flow)
          if (flow.stage === 'confirming') {
            void after(CONFIRM_MS, () => {
              if (sinceOf(selectFlow(getState(), ticketId)) === flow.sinceMs) {
                dispatch(flowEnded(ticketId))
              }
            })
          }
        }
      },
    }),
    startListening({
      actionCreator: cashOutConfirmed,
      effect: ({ payload: { ticketId } }, api) => {
        const flow = selectFlow(api.getState(), ticketId)
        const wasSending = selectFlow(api.getOriginalState(), ticketId)?.stage === 'sending'
        if (flow?.stage === 'sending' && !wasSending) {
          send(ticketId, flow).catch(ignoreStop)
        }
      },
    }),
  ]
  return () => {
    stopped.abort()
    for (const stop of stops) {
      stop()
    }
  }
}

function sinceOf(flow: CashOutFlow | undefined): number | null {
  return flow?.stage === 'confirming' ? flow.sinceMs : null
}

function ignoreStop(): void {
  // The page is being closed.
}
