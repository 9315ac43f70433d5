import { useId } from 'react'
import { useAppSelector } from '../../app/hooks'
import { QuickButtons } from '../../components/QuickButtons'
import type { Bet } from '../../domain/bet'
import {
  type CashOutValue,
  paidForShare,
  restAfter,
  SHARE_STEP,
  type SharePercent,
  shareOf,
  WHOLE,
} from '../../domain/cashOut'
import { formatNumber } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectRules } from '../../platform/ticket/rulesSlice'
import styles from './ShareField.module.css'

const QUICK: readonly SharePercent[] = [25, 50, 75, WHOLE]

interface ShareFieldProps {
  bet: Bet
  value: CashOutValue | undefined
  percent: SharePercent
  /** The largest part; null if only the whole bet can be cashed out. */
  most: SharePercent | null
  isLocked: boolean
  onChange: (percent: SharePercent) => void
}

/** How much of the bet is cashed out, what that pays, and what remains. */
export function ShareField({ bet, value, percent, most, isLocked, onChange }: ShareFieldProps) {
  const { t } = useTranslation()
  const money = useMoney()
  const language = useAppSelector(selectLanguage)
  const { minStake } = useAppSelector(selectRules)
  const id = useId()
  const percentText = (each: SharePercent) => formatNumber(language, each / 100, { style: 'percent' })
  const paid = value ? paidForShare(value, percent) : null
  const get = paid === null ? '–' : money(paid)
  const possible = bet.possible?.paid ?? '0.00'
  const set = (next: SharePercent) => {
    // Between the largest part and the whole bet there is nothing to choose.
    const isBetween = most !== null && next > most && next < WHOLE
    const allowed = isBetween ? (next > percent ? WHOLE : most) : next
    if (!isLocked && allowed !== percent) {
      onChange(allowed)
    }
  }
  return (
    <div className={styles.share}>
      {most === null ? (
        <p className={styles.none}>{t('cashOutNoPart', { amount: money(minStake) })}</p>
      ) : (
        <>
          <div className={styles.head}>
            <label htmlFor={id}>{t('cashOutShare')}</label>
            <output className={styles.percent} htmlFor={id}>
              {percentText(percent)}
            </output>
          </div>
          <input
            id={id}
            className={styles.slider}
            style={{ '--share': `${((percent - SHARE_STEP) / (WHOLE - SHARE_STEP)) * 100}%` } as React.CSSProperties}
            type="range"
            min={SHARE_STEP}
            max={WHOLE}
            step={SHARE_STEP}
            value={percent}
            aria-valuetext={t('cashOutShareValue', { percent: percentText(percent), amount: get })}
            aria-disabled={isLocked}
            onChange={(event) => set(Number(event.currentTarget.value))}
          />
          <QuickButtons
            label={t('cashOutShare')}
            values={QUICK.filter((each) => each === WHOLE || each <= most)}
            text={(each) => (each === WHOLE ? t('cashOutAll') : percentText(each))}
            pressed={percent}
            isLocked={isLocked}
            onPress={set}
          />
        </>
      )}
      <dl className={styles.sums}>
        <div>
          <dt>{t('cashOutYouGet')}</dt>
          <dd className={styles.get}>{get}</dd>
        </div>
        <div>
          <dt>{t('cashOutRest')}</dt>
          <dd>{money(restAfter(bet.remaining, percent).bruto)}</dd>
        </div>
        <div>
          <dt>{t('cashOutRestWin')}</dt>
          <dd>{money(shareOf(possible, WHOLE - percent))}</dd>
        </div>
      </dl>
    </div>
  )
}
