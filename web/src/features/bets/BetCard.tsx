import { type ReactNode, useId, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { cx } from '../../components/cx'
import { Icon, type IconName } from '../../components/Icon'
import { wholeNumbers } from '../../components/wholeNumbers'
import type { Bet, BetState } from '../../domain/bet'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { pairMarket } from '../../platform/offer/marketTitle'
import { matchName } from '../../platform/offer/matchName'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { useOfferedPairs } from '../../platform/ticket/offeredPair'
import { formatTotalOdd } from '../../platform/ticket/totalOdd'
import { printAsked, repeatAsked } from '../../platform/view/requests'
import styles from './BetCard.module.css'
import { BetPairRow } from './BetPairRow'
import { BetSums } from './BetSums'
import { commonReason, paidBy, useBetKind, usePicks } from './betTexts'
import { repeatedBet } from './repeatedBet'
import { whenText } from './when'

const ICONS: Readonly<Record<BetState, IconName>> = {
  open: 'clock',
  won: 'tick',
  lost: 'close',
  void: 'void',
  cashed_out: 'out',
}
const TEXTS = {
  open: 'betOpen',
  won: 'betWon',
  lost: 'betLost',
  void: 'betVoid',
  cashed_out: 'betCashedOut',
} as const

/** The label of the amount. For an open system bet it is the maximum, not the expected payout. */
const PAYOUTS = {
  open: 'payoutPossible',
  openSystem: 'payoutMost',
  won: 'payout',
  lost: 'payout',
  void: 'returned',
  cashed_out: 'payout',
} as const

interface BetCardProps {
  bet: Bet
  isOpenAtFirst: boolean
  /** Whether its pairs are shown while it is closed too. */
  hasPairs?: boolean
  /** The cash-out of the bet, which is another feature. */
  cashOut?: ReactNode
}

/** A bet as one line, which opens to show its pairs and how its payout was calculated. */
export function BetCard({ bet, isOpenAtFirst, hasPairs = false, cashOut }: BetCardProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const language = useAppSelector(selectLanguage)
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const id = useId()
  const isSystem = bet.systemType > 0
  const common = commonReason(bet)
  const repeated = repeatedBet(bet)
  const amount = bet.state === 'open' ? (bet.possible?.paid ?? bet.payout) : paidBy(bet)
  const when = whenText(language, bet.placedAt, Date.now())
  const pairs = (
    <ul className={styles.pairs}>
      {bet.pairs.map((pair) => (
        <BetPairRow key={pair.matchId} pair={pair} isOpen={bet.state === 'open'} hasReason={common === null} />
      ))}
    </ul>
  )
  return (
    <article className={styles.bet} data-ticket-id={bet.ticketId}>
      <button
        type="button"
        className={styles.head}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={cx(styles.status, styles[bet.state])}>
          <Icon name={ICONS[bet.state]} size="s" />
          <span>{t(TEXTS[bet.state])}</span>
        </span>
        <span className={styles.what}>
          <b className={styles.kind}>{usePicks(bet)}</b>
          <small className={styles.small}>{useDetail(bet)}</small>
          <small className={styles.small}>
            {bet.ticketNumber ? wholeNumbers(t('betWhen', { when, id: bet.ticketNumber })) : when}
          </small>
        </span>
        <Figure className={styles.odd} value={isSystem ? '–' : formatTotalOdd(bet.totalOdd)} name={t('odds')} />
        <Figure className={styles.paid} value={money(bet.bruto)} name={t('paid')} />
        {amount === null ? (
          <span />
        ) : (
          <Figure
            value={money(amount)}
            name={t(PAYOUTS[bet.state === 'open' && isSystem ? 'openSystem' : bet.state])}
          />
        )}
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size="s" />
      </button>
      {hasPairs && pairs}
      {isOpen && (
        <div id={id}>
          {!hasPairs && pairs}
          <BetSums bet={bet} />
          <div className={styles.acts}>
            <Button onClick={() => dispatch(printAsked(bet.ticketId))}>{t('printReceipt')}</Button>
            {repeated && <Button onClick={() => dispatch(repeatAsked(repeated))}>{t('repeatTicket')}</Button>}
          </div>
        </div>
      )}
      {cashOut}
    </article>
  )
}

/** A single names its market and match, any other bet its kind. */
function useDetail(bet: Bet): string {
  const kindOf = useBetKind()
  const [pair] = useOfferedPairs(bet.pairs.slice(0, 1))
  return bet.pairs.length === 1 && pair ? [pairMarket(pair), matchName(pair)].filter(Boolean).join(', ') : kindOf(bet)
}

function Figure({ value, name, className }: { value: string; name: string; className?: string | undefined }) {
  return (
    <span className={cx(styles.figure, className)}>
      <span>{value}</span>
      <small className={styles.small}>{name}</small>
    </span>
  )
}
