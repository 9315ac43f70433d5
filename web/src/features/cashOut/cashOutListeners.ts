/**
 * Sends cash-outs and ends what lasts only some seconds: the confirmation and the arrows of changed values. A cash-out
 * is stored before it is sent. Without an answer it is sent again with the same idempotency key, also after a reload,
 * so that a bet is never cashed out twice.
 */
import type { CashOutOrder, fetchCashOut } from '../../api/cashOutApi'
import type { OrderAnswer } from '../../api/order'
import type { AppStartListening, AppStore } from '../../app/store'
import { BET_STATES } from '../../domain/bet'
import { leastNet, shareText } from '../../domain/cashOut'
import type { TranslationKey } from '../../i18n/keys'
import { formatMoney } from '../../i18n/locale'
import {
  balanceTold,
  memberSeen,
  selectAccountStatus,
  selectCurrency,
  selectUser,
  strangerSeen,
} from '../../platform/account/accountSlice'
import { cashOutValuesReceived } from '../../platform/connection/hubMessages'
import { announcedAtOnce } from '../../platform/notices/announcementsSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { loginRequired } from '../../platform/view/viewSlice'
import { backoffMs } from '../../protocol/backoff'
import {
  answerMissing,
  cashOutConfirmed,
  cashOutEnded,
  cashOutResumed,
  confirmationAsked,
  flowEnded,
  movementsEnded,
  selectFlow,
  selectTolerance,
  selectValue,
} from './cashOutSlice'
import { type CashOutFlow, CONFIRM_MS } from './cashOutState'
import { CashOutStore, type StoredCashOut } from './cashOutStore'
import { reasonKey } from './reasons'

export interface CashOutWorld {
  readonly fetchCashOut: typeof fetchCashOut
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly sendCashOut: (order: CashOutOrder, signal: AbortSignal) => Promise<OrderAnswer>
  readonly uuid: () => string
  readonly now: () => number
  /** Between 0 and 1. */
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** How long the arrow of a changed value is shown. */
export const MOVED_MS = 4000
/**
 * How long a cash-out without an answer is sent again, after the in-play delay. Later it could cash out a bet long after
 * the bettor confirmed it. After this time the client only asks whether the key was used.
 */
export const AGAIN_MS = 60_000
/** A request that timed out can still reach the server: TCP retransmits for up to 120 s (RFC 6298). */
export const ON_ITS_WAY_MS = 150_000
/**
 * A body that is not a valid cash-out. Sent with the key of a cash-out, it only asks: the answer is 409 if the key was
 * used and 400 if not.
 */
const QUESTION = '{}'

type Sending = Extract<CashOutFlow, { stage: 'sending' }>
type Outcome = Parameters<typeof cashOutEnded>[0]['flow']

export function startCashOut(store: AppStore, startListening: AppStartListening, world: CashOutWorld): () => void {
  const { dispatch, getState } = store
  const stopped = new AbortController()
  const { signal } = stopped
  const orders = new CashOutStore(world.storage)
  const after = (ms: number, act: () => void) => world.wait(ms, signal).then(act, ignoreStop)
  const money = (amount: string) => formatMoney(selectLanguage(getState()), amount, selectCurrency(getState()))
  const say = (key: TranslationKey, values: Record<string, string> = {}) => dispatch(announcedAtOnce({ key, values }))

  const end = (ticketId: string, flow: Outcome) => dispatch(cashOutEnded({ ticketId, flow }))
  const fail = (ticketId: string, reason: string | null, text: string | null = null) =>
    end(ticketId, { stage: 'failed', reason, text })

  /** The value fell during the delay: asks again with the value of now. */
  const askAgain = async ({ ticketId, percent, net }: StoredCashOut, text: string | null) => {
    const value = await world.fetchCashOut(ticketId, signal).catch(() => null)
    if (value) {
      dispatch(cashOutValuesReceived([{ ticketId, ...value }], world.now()))
    }
    if (selectValue(getState(), ticketId)?.net) {
      const tolerance = selectTolerance(getState())
      dispatch(confirmationAsked({ ticketId, percent, nowMs: world.now(), fellFrom: net, tolerance }))
    } else {
      fail(ticketId, 'value_changed', text)
    }
  }

  const finish = async (order: StoredCashOut, { status, body, text }: OrderAnswer) => {
    const { ticketId } = order
    orders.forget(order.key)
    if (status === 401) {
      dispatch(loginRequired())
      return
    }
    const reason = typeof body['reason'] === 'string' ? body['reason'] : null
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
    } else if (reason === 'value_changed') {
      await askAgain(order, text)
    } else {
      fail(ticketId, status === 404 ? 'not_open' : status === 429 ? 'rate_limited' : reason, text)
    }
  }

  const isTheirs = ({ user }: StoredCashOut) => {
    const now = selectUser(getState())
    return selectAccountStatus(getState()) === 'member' && (user === null || now === null || now.name === user)
  }
  const isFresh = ({ sentMs, delaySeconds }: StoredCashOut) => {
    const ageMs = world.now() - sentMs
    return ageMs >= 0 && ageMs < delaySeconds * 1000 + AGAIN_MS
  }
  const send = async (order: StoredCashOut) => {
    const answer = await world.sendCashOut(order, signal)
    signal.throwIfAborted()
    if (answer.status === 401) {
      dispatch(strangerSeen())
    }
    return answer
  }
  /** Whether the key is unused, so that the server has not cashed out; null if the answer does not show it. */
  const isFree = async (order: StoredCashOut) => {
    const { status, text } = await send({ ...order, body: QUESTION })
    // A 400 without a text does not come from our server.
    return status === 400 && text !== null ? true : status === 409 ? false : null
  }

  /** Asks until the outcome is known, the user has changed, or another tab knows the outcome. */
  const settle = async (order: StoredCashOut, isNew: boolean) => {
    const { ticketId, key } = order
    let isFirst = isNew
    let isDoubted = false
    let wasFree = false
    for (let attempts = 0; isTheirs(order); attempts += 1) {
      if (!orders.has(key)) {
        dispatch(flowEnded(ticketId))
        return
      }
      const free: boolean | null | undefined = isDoubted || !isFresh(order) ? await isFree(order) : undefined
      if (free && wasFree) {
        orders.forget(key)
        fail(ticketId, null)
        return
      }
      wasFree = free === true
      if (free === false || free === undefined) {
        const answer = await send(order)
        // Another 400 than the first may overtake a request that is still on its way.
        isDoubted = answer.status === 400 && !isFirst && free !== false
        if (isOutcome(answer.status, isFirst) && !isDoubted) {
          await finish(order, answer)
          return
        }
        isFirst = false
      }
      dispatch(answerMissing(ticketId))
      await world.wait(wasFree ? ON_ITS_WAY_MS : backoffMs(attempts, world.random), signal)
    }
  }

  const running = new Set<string>()
  const run = (order: StoredCashOut, isNew: boolean) => {
    if (!running.has(order.key)) {
      running.add(order.key)
      settle(order, isNew)
        .catch(ignoreStop)
        .finally(() => running.delete(order.key))
    }
  }
  const begin = (ticketId: string, { percent, net, sentMs, delaySeconds }: Sending, tolerance: number) => {
    // It may have been confirmed in another tab. Both together would cash out more than the bettor wants.
    const held = orders.all().find((order) => order.ticketId === ticketId && isTheirs(order))
    if (held) {
      run(held, false)
      return
    }
    const order = {
      key: world.uuid(),
      ticketId,
      // CONTRACT 8: a higher value is paid, a lower one is rejected. So this is the lowest that the bettor accepts.
      body: JSON.stringify({ share: shareText(percent), net: leastNet(net, tolerance), accept: 'higher' }),
      language: selectLanguage(getState()),
      user: selectUser(getState())?.name ?? null,
      percent,
      net,
      sentMs,
      delaySeconds,
    }
    orders.begin(order)
    run(order, true)
  }
  /** Continues with the cash-outs that had no outcome when the page was closed or the user logged out. */
  const resume = () => {
    for (const order of orders.all().filter(isTheirs)) {
      if (selectFlow(getState(), order.ticketId)?.stage !== 'sending') {
        dispatch(cashOutResumed(order))
      }
      run(order, false)
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
        return flow.text !== null
          ? say('cashOutFailedSays', { text: flow.text })
          : say(flow.reason === null ? 'cashOutFailed' : reasonKey(flow.reason))
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
        const before = selectFlow(api.getOriginalState(), ticketId)
        if (flow?.stage === 'sending' && before?.stage === 'confirming') {
          begin(ticketId, flow, before.tolerance)
        }
      },
    }),
    startListening({ actionCreator: memberSeen, effect: resume }),
  ]
  resume()
  return () => {
    stopped.abort()
    for (const stop of stops) {
      stop()
    }
  }
}

/** Whether an answer shows the outcome. Only a first answer from 200 to 499 always does. */
function isOutcome(status: number, isFirst: boolean): boolean {
  return [200, 400, 404, 409].includes(status) || (isFirst && status >= 200 && status < 500)
}

function sinceOf(flow: CashOutFlow | undefined): number | null {
  return flow?.stage === 'confirming' ? flow.sinceMs : null
}

function ignoreStop(): void {
  // The page is being closed.
}
