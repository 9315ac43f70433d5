import { useTranslation } from 'react-i18next'
import { centsOf, writeCents } from '../../domain/ticket/stake'
import { useMoney } from '../account/useMoney'
import type { ReckonedTicket } from './order'
import styles from './Sums.module.css'
import { formatTotalOdd } from './totalOdd'

/** What a ticket costs and may pay, line by line. */
export function Sums({ ticket }: { ticket: ReckonedTicket }) {
  const { t } = useTranslation()
  const money = useMoney()
  const isSystem = ticket.type === 1
  const stakeTax = difference(ticket.stake, ticket.taxedStake)
  const hasTotals = ticket.numberOfOdds > 0
  const line = (name: string, value: string, strong = false) => (
    <>
      <dt className={strong ? styles.strong : undefined}>{name}</dt>
      <dd className={strong ? styles.strong : undefined}>{value}</dd>
    </>
  )
  return (
    <dl className={styles.sums}>
      {!isSystem && line(t('totalOdd'), hasTotals ? formatTotalOdd(ticket.totalOdd) : '–', true)}
      {isSystem &&
        hasTotals &&
        line(
          `${t('stakeEach')} (${ticket.numberOfOdds})`,
          money(writeCents(centsOf(ticket.stake) / BigInt(ticket.numberOfOdds))),
        )}
      {ticket.clamped && line(t('totalOddClamped'), formatTotalOdd(ticket.totalOdd))}
      {line(percent(t('stakeTax'), ticket.stakeTaxPercentage), hasTotals ? minus(money(stakeTax)) : '–')}
      {line(t('taxedStake'), hasTotals ? money(ticket.taxedStake) : '–')}
      {isSystem
        ? line(t('winRange'), hasTotals ? `${money(ticket.minWin)} – ${money(ticket.maxWin)}` : '–')
        : line(t('possibleWin'), hasTotals ? money(ticket.possibleWin) : '–')}
      {line(percent(t('winTax'), ticket.winTaxPercentage), hasTotals ? minus(money(ticket.winTax)) : '–')}
    </dl>
  )
}

function percent(name: string, percentage: number): string {
  return percentage > 0 ? `${name} (${percentage} %)` : name
}

/** Nothing taken is nothing with a sign. */
function minus(amount: string): string {
  return /[1-9]/.test(amount) ? `−${amount}` : amount
}

function difference(a: string, b: string): string {
  const cents = centsOf(a) - centsOf(b)
  return writeCents(cents < 0n ? 0n : cents)
}
