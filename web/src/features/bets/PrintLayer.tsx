import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { fetchBet } from '../../api/accountApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { wholeNumbers } from '../../components/wholeNumbers'
import type { Bet } from '../../domain/bet'
import { formatOdd } from '../../domain/oddsFormat'
import { formatDateTime } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectUser } from '../../platform/account/accountSlice'
import { useMoney } from '../../platform/account/useMoney'
import { useLoaded } from '../../platform/loading/useLoaded'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { pairMarket } from '../../platform/offer/marketTitle'
import { matchName } from '../../platform/offer/matchName'
import { selectLanguage, selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { usePairName } from '../../platform/ticket/pairName'
import { formatTotalOdd } from '../../platform/ticket/totalOdd'
import { printEnded } from './betsSlice'
import { paidBy, stakeTax, useBetKind } from './betTexts'
import styles from './PrintLayer.module.css'

/** Some browsers do not report the end of printing. */
const END_AFTER_MS = 60_000

/** Prints the receipt of a bet. It is the only part of the page on paper, and is not on the screen. */
export function PrintLayer() {
  const ticketId = useAppSelector((state) => state.bets.printing)
  return ticketId === null ? null : <Print key={ticketId} ticketId={ticketId} />
}

function Print({ ticketId }: { ticketId: string }) {
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const held = useAppSelector((state) => state.bets.held[ticketId])
  const [isHeld] = useState(held !== undefined)
  const { loaded } = useLoaded(isHeld ? null : (signal) => fetchBet(ticketId, language, signal), [ticketId])
  const bet = held ?? (loaded.status === 'ready' ? loaded.value.bet : null)
  const hasBet = bet !== null
  const hasFailed = loaded.status === 'failed'
  useEffect(() => {
    if (hasFailed) {
      dispatch(noticeShown('printFailed'))
      dispatch(printEnded())
    }
  }, [hasFailed, dispatch])
  useEffect(() => {
    if (!hasBet) {
      return
    }
    const end = () => dispatch(printEnded())
    window.addEventListener('afterprint', end)
    const timer = setTimeout(end, END_AFTER_MS)
    window.print()
    return () => {
      window.removeEventListener('afterprint', end)
      clearTimeout(timer)
    }
  }, [hasBet, dispatch])
  return bet && createPortal(<Paper bet={bet} />, document.body)
}

function Paper({ bet }: { bet: Bet }) {
  const { t } = useTranslation()
  const money = useMoney()
  const nameOf = usePairName()
  const language = useAppSelector(selectLanguage)
  const format = useAppSelector(selectOddsFormat)
  const user = useAppSelector(selectUser)
  const paid = bet.state === 'open' ? null : paidBy(bet)
  return (
    <section className={styles.paper} data-theme="light" data-receipt="">
      <p className={styles.brand}>kvota</p>
      <h1 className={styles.number}>{wholeNumbers(t('ticketSearchFound', { number: bet.ticketNumber }))}</h1>
      <p>{[formatDateTime(language, bet.placedAt), user?.name, useBetKind()(bet)].filter(Boolean).join(', ')}</p>
      <ol className={styles.pairs}>
        {bet.pairs.map((pair) => (
          <li key={pair.matchId} className={styles.pair}>
            <b>{pair.isFix ? `${nameOf(pair)} (${t('fix')})` : nameOf(pair)}</b>
            <b>{formatOdd(pair.oddValue, format)}</b>
            <span>{[pairMarket(pair), matchName(pair), pair.tournament].filter(Boolean).join(', ')}</span>
            <span>{pair.result !== 'open' && t(`result_${pair.result}`)}</span>
          </li>
        ))}
      </ol>
      <dl className={styles.sums}>
        <Sum name={t('stake')} value={money(bet.bruto)} />
        <Sum name={t('stakeTax')} value={money(stakeTax(bet))} />
        <Sum name={t('taxedStake')} value={money(bet.stake)} />
        {bet.systemType === 0 && <Sum name={t('totalOdd')} value={formatTotalOdd(bet.totalOdd)} />}
        {paid !== null && <Sum name={t(bet.state === 'void' ? 'returnedAll' : 'paidOut')} value={money(paid)} />}
        {bet.state === 'open' && (
          <Sum
            name={t(bet.systemType > 0 ? 'possiblePayoutMost' : 'possiblePayout')}
            value={money(bet.possible?.paid ?? bet.payout)}
          />
        )}
      </dl>
    </section>
  )
}

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}
