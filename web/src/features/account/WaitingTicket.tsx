import { useAppSelector } from '../../app/hooks'
import type { RootState } from '../../app/store'
import { formatOdd } from '../../domain/oddsFormat'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { pairMarket } from '../../platform/offer/marketTitle'
import { matchName } from '../../platform/offer/matchName'
import { selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { selectWaitingTicket } from '../../platform/ticket/keptTicketSlice'
import { Payout } from '../../platform/ticket/Payout'
import { usePairName } from '../../platform/ticket/pairName'
import { selectIsSingles, selectSingles, sumOf } from '../../platform/ticket/singlesSlice'
import { formatTotalOdd } from '../../platform/ticket/totalOdd'
import { selectIsBeforeTax, selectTicket } from '../../platform/ticket/totalsSelectors'
import styles from './LoginPage.module.css'

/** The number of pairs that fit beside the form. */
const SHOWN = 6

/** The ticket, or the one of the session that was lost: the account has it again after the login. */
function selectShown(state: RootState) {
  const ticket = selectTicket(state)
  return ticket.pairs.length > 0 ? ticket : (selectWaitingTicket(state) ?? ticket)
}

export const selectHasWaitingTicket = (state: RootState) => selectShown(state).pairs.length > 0

/** A summary of the ticket, shown on the login page. */
export function WaitingTicket() {
  const { t } = useTranslation()
  const money = useMoney()
  const nameOf = usePairName()
  const format = useAppSelector(selectOddsFormat)
  const ticket = useAppSelector(selectShown)
  const isBeforeTax = useAppSelector((state) => selectIsBeforeTax(state, ticket))
  const more = ticket.pairs.length - SHOWN
  const hasTotals = ticket.numberOfOdds > 0
  const isSingles = useAppSelector(selectIsSingles)
  const singles = useAppSelector(selectSingles)
  const stake = isSingles ? sumOf(singles, 'stake') : ticket.stake
  const payout = isSingles ? sumOf(singles, 'possiblePayout') : ticket.possiblePayout
  return (
    <div className={styles.waiting}>
      <ul aria-label={t('pairs')}>
        {ticket.pairs.slice(0, SHOWN).map((pair) => (
          <li key={pair.matchId} className={styles.row}>
            <span className={styles.pair}>
              <span className={styles.pairName}>{nameOf(pair)}</span>
              <small className={styles.detail}>{[pairMarket(pair), matchName(pair)].filter(Boolean).join(', ')}</small>
            </span>
            <b className="n">{formatOdd(pair.oddValue, format)}</b>
          </li>
        ))}
        {more > 0 && <li className={styles.row}>{t('morePairs', { count: more })}</li>}
      </ul>
      <dl className={styles.sums}>
        {hasTotals && ticket.type === 0 && !isSingles && (
          <div className={styles.row}>
            <dt>{t('totalOdd')}</dt>
            <dd className="n">{formatTotalOdd(ticket.totalOdd)}</dd>
          </div>
        )}
        <div className={styles.row}>
          <dt>{t(isSingles ? 'stakeTotal' : 'stake')}</dt>
          <dd className="n">{money(stake)}</dd>
        </div>
      </dl>
      {hasTotals && <Payout amount={payout} isMost={isSingles || ticket.type === 1} isBeforeTax={isBeforeTax} />}
    </div>
  )
}
