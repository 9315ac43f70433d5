/**
 * Reports settled and corrected bets: as a toast with an urgent announcement, and as a system notification while the
 * page is hidden. Fetches bets that changed while they were not held.
 */
import type { i18n as I18n } from 'i18next'
import type { fetchBet } from '../../api/accountApi'
import type { AppStartListening, AppStore, RootState } from '../../app/store'
import type { Bet, BetCause } from '../../domain/bet'
import type { TranslationKey } from '../../i18n/keys'
import { formatMoney } from '../../i18n/locale'
import { selectCurrency } from '../../platform/account/accountSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import type { NoteWorld } from '../../platform/notices/systemNotes'
import { selectHasBetNotes, selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { pageOpened } from '../../platform/view/viewSlice'
import { hrefOf } from '../../platform/view/viewUrl'
import { betChanged, betFetched, betsReceived } from './betsSlice'

export interface BetsWorld {
  readonly i18n: Pick<I18n, 't'>
  readonly notes: NoteWorld
  readonly isHidden: () => boolean
  readonly fetchBet: typeof fetchBet
  /** Whether a dialog is open behind which a toast could be neither read nor pressed. */
  readonly hasDialog: (state: RootState) => boolean
}

/** The changes that are reported to the bettor. */
const REPORTED: ReadonlySet<BetCause> = new Set(['settled', 'corrected', 'cashed_out'])
/** The bets of one match are usually settled together, so changes are gathered this long. */
export const GATHER_MS = 400
/** Of more bets than this, one toast reports their number and sum. */
const SINGLY_MOST = 2
/** The most bets that are fetched after a connection was lost. */
const FETCHED_MOST = 20

interface News {
  readonly key: TranslationKey
  readonly values: Record<string, string | number>
}

export function startBets(store: AppStore, startListening: AppStartListening, world: BetsWorld): () => void {
  const { dispatch, getState } = store
  const stopped = new AbortController()
  let pending: { readonly bet: Bet; readonly cause: BetCause }[] = []
  let timer: ReturnType<typeof setTimeout> | null = null

  const report = () => {
    timer = null
    if (pending.length === 0 || world.hasDialog(getState())) {
      return
    }
    const news = newsOf(pending, getState())
    const only = pending.length === 1 ? pending[0] : undefined
    pending = []
    for (const { key, values } of news) {
      dispatch(noticeShown(key, values, { key: 'myBets', action: pageOpened('bets') }, true))
    }
    if (world.isHidden() && selectHasBetNotes(getState()) && world.notes.isAllowed()) {
      world.notes.show(world.i18n.t('betNoteTitle'), {
        body: news.map(({ key, values }) => world.i18n.t(key, values)).join('\n'),
        tag: only ? `bet-${only.bet.ticketId}` : 'bets',
        href: hrefOf({ matchId: null, page: 'bets' }),
      })
    }
  }
  const gather = (bet: Bet | undefined, before: Bet | undefined, cause: BetCause) => {
    const isNewer = bet && (!before || before.revision < bet.revision)
    if (isNewer && REPORTED.has(cause)) {
      pending = [...pending.filter((other) => other.bet.ticketId !== bet.ticketId), { bet, cause }]
      timer ??= setTimeout(report, GATHER_MS)
    }
  }
  const read = async (ticketId: string, cause: BetCause) => {
    try {
      const { bet } = await world.fetchBet(ticketId, selectLanguage(getState()), stopped.signal)
      if (!stopped.signal.aborted && (cause !== 'settled' || bet.state !== 'open')) {
        dispatch(betFetched({ bet, cause }))
      }
    } catch {
      // My bets loads it, and the hub has reported the money.
    }
  }

  const stops = [
    startListening({
      actionCreator: betChanged,
      effect: ({ payload: { cause, progress } }, api) => {
        const before = api.getOriginalState().bets.held[progress.ticketId]
        if (before) {
          gather(api.getState().bets.held[progress.ticketId], before, cause)
        } else {
          void read(progress.ticketId, cause)
        }
      },
    }),
    startListening({
      actionCreator: betFetched,
      effect: ({ payload: { bet, cause } }, api) => {
        const { held } = api.getOriginalState().bets
        gather(api.getState().bets.held[bet.ticketId], held[bet.ticketId], cause)
      },
    }),
    // Open bets that a complete list no longer has were settled while the connection was lost.
    startListening({
      actionCreator: betsReceived,
      effect: async (_, api) => {
        const now = api.getState().bets.held
        const gone = Object.values(api.getOriginalState().bets.held).filter(({ ticketId }) => !now[ticketId])
        for (const { ticketId } of gone.slice(0, FETCHED_MOST)) {
          await read(ticketId, 'settled')
        }
      },
    }),
    startListening({
      predicate: (_, now, before) => world.hasDialog(now) !== world.hasDialog(before),
      effect: () => {
        if (timer === null) {
          report()
        }
      },
    }),
  ]
  return () => {
    stopped.abort()
    if (timer !== null) {
      clearTimeout(timer)
    }
    for (const stop of stops) {
      stop()
    }
  }
}

/** One text per bet; if there are many settled ones, one text for all of them. */
function newsOf(
  changes: readonly { readonly bet: Bet; readonly cause: BetCause }[],
  state: RootState,
): readonly News[] {
  const money = (amount: string) => formatMoney(selectLanguage(state), amount, selectCurrency(state))
  const settled = changes.filter(({ cause }) => cause === 'settled')
  const cashedOut = changes.filter(({ cause }) => cause === 'cashed_out').flatMap(({ bet }) => cashOutOf(bet, money))
  const corrected = changes.filter(({ cause }) => cause === 'corrected').map(({ bet }) => correctionOf(bet, money))
  if (settled.length > SINGLY_MOST) {
    const sum = settled.reduce((total, { bet }) => total + Math.round(Number(bet.settlement?.paid ?? 0) * 100), 0)
    const values = { count: settled.length, amount: money((sum / 100).toFixed(2)) }
    return [{ key: 'noticeBetsSettled', values }, ...cashedOut, ...corrected]
  }
  return [...settled.flatMap(({ bet }) => settlementOf(bet, money)), ...cashedOut, ...corrected]
}

function settlementOf({ state, settlement, ticketNumber: number }: Bet, money: (amount: string) => string): News[] {
  const amount = money(settlement?.paid ?? '0.00')
  switch (state) {
    case 'won':
      return [{ key: 'noticeBetWon', values: { number, amount } }]
    case 'lost':
      return [{ key: 'noticeBetLost', values: { number } }]
    case 'void':
      return [{ key: 'noticeBetVoid', values: { number, amount } }]
    default:
      // The bettor has cashed it out, or it is open again already.
      return []
  }
}

/** The last cash-out: by the bettor, in this or another tab, or by a rule. */
function cashOutOf({ cashOuts, ticketNumber: number }: Bet, money: (amount: string) => string): News[] {
  const last = cashOuts.at(-1)
  return last ? [{ key: 'noticeBetCashedOut', values: { number, amount: money(last.paid) } }] : []
}

function correctionOf({ state, settlement, ticketNumber: number }: Bet, money: (amount: string) => string): News {
  return state === 'open'
    ? { key: 'noticeBetReopened', values: { number } }
    : { key: 'noticeBetCorrected', values: { number, amount: money(settlement?.paid ?? '0.00') } }
}
