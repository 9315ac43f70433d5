import { type KeyboardEvent, useId, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Icon } from '../../components/Icon'
import { QuickButtons } from '../../components/QuickButtons'
import { readStake, stakeText, stepStake } from '../../domain/ticket/stake'
import { formatMoney, formatNumber } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectCurrency } from '../../platform/account/accountSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectRules } from '../../platform/ticket/rulesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { wished } from '../../platform/ticket/ticketSlice'
import styles from './StakeField.module.css'

const QUICK = ['5', '10', '20', '50'] as const

/**
 * The stake field. It shows the text as typed, cut to digits and two decimals. If the text is not a valid
 * stake, the last valid one stays in force and is shown again when the field loses the focus.
 */
export function StakeField({ hasQuick }: { hasQuick: boolean }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const currency = useAppSelector(selectCurrency)
  const limits = useAppSelector(selectRules)
  const stake = useAppSelector((state) => selectChoice(state).stake)
  /** The text being typed; null if the ticket's stake is shown. */
  const [typed, setTyped] = useState<string | null>(null)
  const id = useId()
  const isTooLow = typed !== null && /\d/.test(typed) && readStake(typed, limits) === null

  const set = (text: string) => {
    const next = readStake(text, limits)
    if (next !== null && next !== stake) {
      dispatch(wished({ wish: 'stake', text: next, stake: next }))
    }
  }
  const step = (by: 1 | -1) => {
    setTyped(null)
    set(stepStake(stake, by, limits))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ' ') {
      event.preventDefault()
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      step(event.key === 'ArrowUp' ? 1 : -1)
    } else if (event.key === 'Enter' && !event.altKey) {
      setTyped(null)
    }
  }
  return (
    <>
      <div className={styles.row}>
        <label className={styles.label} htmlFor={id}>
          {t('stake')}
        </label>
        <div className={styles.stepper}>
          <button type="button" className={styles.step} aria-label={t('stakeLess')} onClick={() => step(-1)}>
            <Icon name="minus" />
          </button>
          <span className={styles.field}>
            <input
              id={id}
              className={styles.input}
              inputMode="decimal"
              autoComplete="off"
              enterKeyHint="done"
              maxLength={16}
              value={typed ?? amountOf(language, stake)}
              aria-invalid={isTooLow}
              aria-describedby={isTooLow ? `${id}-min` : undefined}
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => {
                const text = stakeText(event.currentTarget.value)
                setTyped(text)
                set(text)
              }}
              onBlur={() => setTyped(null)}
              onKeyDown={onKeyDown}
            />
            <span className={styles.currency} aria-hidden="true">
              {symbolOf(language, currency)}
            </span>
          </span>
          <button type="button" className={styles.step} aria-label={t('stakeMore')} onClick={() => step(1)}>
            <Icon name="plus" />
          </button>
        </div>
      </div>
      <p className={styles.low} id={`${id}-min`} aria-live="polite">
        {isTooLow && t('stakeMin', { amount: formatMoney(language, limits.minStake, currency) })}
      </p>
      {hasQuick && (
        <QuickButtons
          label={t('quickStakes')}
          values={QUICK}
          text={(amount) => formatMoney(language, amount, currency).replace(/[.,]00/, '')}
          onPress={(amount) => {
            setTyped(null)
            set(amount)
          }}
        />
      )}
    </>
  )
}

/** Without thousands separators: users do not type them. */
function amountOf(language: Parameters<typeof formatNumber>[0], stake: string): string {
  const separator = formatNumber(language, 0.5, { minimumFractionDigits: 1 }).charAt(1)
  return stake.replace('.', separator)
}

function symbolOf(language: Parameters<typeof formatNumber>[0], currency: string): string {
  return formatMoney(language, '0', currency).replace(/[\d.,\s]/g, '')
}
