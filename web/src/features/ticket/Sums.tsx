import { useId } from 'react'
import { useAppSelector } from '../../app/hooks'
import { Icon } from '../../components/Icon'
import { centsOf, stakeEach, writeCents } from '../../domain/ticket/stake'
import type { ReckonedTicket } from '../../domain/ticket/ticket'
import { formatNumber } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectAccountStatus } from '../../platform/account/accountSlice'
import { useMoney } from '../../platform/account/useMoney'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { formatTotalOdd } from '../../platform/ticket/totalOdd'
import styles from './Sums.module.css'
import { PERCENT } from './ticketFormats'

export interface SumsProps {
  ticket: ReckonedTicket
  /** The taxes are not known. */
  isBeforeTax?: boolean
  /** No bet can be placed, so that nothing can be won. */
  isBarred?: boolean
  /** Whether taxes and the win before taxes are shown too. */
  isWhole: boolean
  onTurn: (isWhole: boolean) => void
}

/** The amounts of a ticket. If there is little room, the lines between stake and payout can be hidden. */
export function Sums({ ticket, isBeforeTax = false, isBarred = false, isWhole, onTurn }: SumsProps) {
  const { t } = useTranslation()
  const money = useMoney()
  const language = useAppSelector(selectLanguage)
  const id = useId()
  const isSystem = ticket.type === 1
  const stakeTax = difference(ticket.stake, ticket.taxedStake)
  const hasTotals = ticket.numberOfOdds > 0
  const amount = (value: string) => (hasTotals ? money(value) : '–')
  const range = hasTotals ? `${money(ticket.minWin)} – ${money(ticket.maxWin)}` : '–'
  const named = (name: string, percentage: number) =>
    percentage > 0 ? `${name} (${formatNumber(language, percentage / 100, PERCENT)})` : name
  const isAnonymous = useAppSelector(selectAccountStatus) === 'anonymous'
  const unknown = isAnonymous ? t('afterLogin') : '–'
  const off = (value: string) => (isBeforeTax ? unknown : hasTotals ? minus(money(value)) : '–')
  return (
    <>
      <dl className={styles.sums}>
        {!isSystem && <Line name={t('totalOdd')} value={hasTotals ? formatTotalOdd(ticket.totalOdd) : '–'} strong />}
        {isSystem && isWhole && !isBarred && <Line name={t('winRange')} value={range} />}
        {ticket.clamped && <Line name={t('totalOddClamped')} value={formatTotalOdd(ticket.totalOdd)} />}
      </dl>
      <button
        type="button"
        className={styles.turn}
        aria-expanded={isWhole}
        aria-controls={isWhole ? id : undefined}
        onClick={() => onTurn(!isWhole)}
      >
        <span>{t('sumsAll')}</span>
        {isSystem && !isWhole && !isBarred && (
          <span className={styles.range} title={t('winRange')}>
            {range}
          </span>
        )}
        <Icon name="chevronDown" size="s" className={styles.chevron} />
      </button>
      {isWhole && (
        <dl className={styles.sums} id={id}>
          {isSystem && hasTotals && (
            <Line name={`${t('stakeEach')} (${ticket.numberOfOdds})`} value={money(stakeEach(ticket))} />
          )}
          <Line name={named(t('stakeTax'), ticket.stakeTaxPercentage)} value={off(stakeTax)} />
          {!isBeforeTax && <Line name={t('taxedStake')} value={amount(ticket.taxedStake)} />}
          {!isSystem && !isBarred && <Line name={t('possibleWin')} value={amount(ticket.possibleWin)} />}
          {!isBarred && <Line name={named(t('winTax'), ticket.winTaxPercentage)} value={off(ticket.winTax)} />}
        </dl>
      )}
    </>
  )
}

function Line({ name, value, strong = false }: { name: string; value: string; strong?: boolean }) {
  const className = strong ? styles.strong : undefined
  return (
    <>
      <dt className={className}>{name}</dt>
      <dd className={className}>{value}</dd>
    </>
  )
}

/** A deducted amount with a minus sign; zero has no sign. */
function minus(amount: string): string {
  return /[1-9]/.test(amount) ? `−${amount}` : amount
}

function difference(a: string, b: string): string {
  const cents = centsOf(a) - centsOf(b)
  return writeCents(cents < 0n ? 0n : cents)
}
