import type { ReactNode } from 'react'
import { type RealityCheck, resultOf, timeOf } from '../../domain/realityCheck'
import { formatNumber, type LanguageCode } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import styles from './SessionSums.module.css'

/** What was staked, returned and won or lost since the login. `children` are rows before these. */
export function SessionSums({ sums, children }: { sums: RealityCheck; children?: ReactNode }) {
  const { t } = useTranslation()
  const money = useMoney()
  return (
    <dl className={styles.sums}>
      {children}
      <dt>{t('realityStaked')}</dt>
      <dd>{money(sums.staked)}</dd>
      <dt>{t('realityReturned')}</dt>
      <dd>{money(sums.returned)}</dd>
      <dt className={styles.result}>{t('realityResult')}</dt>
      <dd className={styles.result}>{money(resultOf(sums))}</dd>
    </dl>
  )
}

/** `1 h 5 min`, in the language's own units. */
export function timeText(language: LanguageCode, check: RealityCheck): string {
  const { hours, minutes } = timeOf(check)
  const unit = (value: number, name: 'hour' | 'minute') => formatNumber(language, value, { style: 'unit', unit: name })
  return [hours > 0 && unit(hours, 'hour'), (minutes > 0 || hours === 0) && unit(minutes, 'minute')]
    .filter(Boolean)
    .join(' ')
}
