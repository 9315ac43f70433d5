import { type KeyboardEvent, useId, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { QuickButtons } from '../../components/QuickButtons'
import {
  addStake,
  centsOf,
  cleanStake,
  readStake,
  type StakeChange,
  type StakeLimits,
  stepStake,
} from '../../domain/ticket/stake'
import { formatMoney, formatNumber } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectCurrency } from '../../platform/account/accountSlice'
import { BARRED_ID } from '../../platform/account/ExclusionLine'
import { selectLanguage, selectQuickStakes } from '../../platform/preferences/preferencesSelectors'
import { selectMostStake } from '../../platform/ticket/mostStake'
import { selectRules } from '../../platform/ticket/rulesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { wished } from '../../platform/ticket/ticketSlice'
import styles from './StakeField.module.css'
import { ONE_DECIMAL } from './ticketFormats'

/** More than the field has room for. */
const NO_MAX = '9999999999999999.99'

/** The button that sets the largest stake, after those with amounts. */
const MAX = 'max'

/** Why the stake is not the text that was typed, and the stake for which this holds. */
interface Hint {
  readonly key: 'stakeMin' | 'stakeMax' | 'stakeCut' | 'stakeCleaned' | 'stakeDigits' | 'stakeKept'
  readonly stake: string
}

interface StakeFieldProps {
  hasQuick: boolean
  /** Whether it is the stake of each single that has none of its own. */
  isEach?: boolean
  /** Whether no bet can be placed; the line that says why describes its controls. */
  isBarred?: boolean
}

/**
 * The stake field. It shows the text as typed, cut to digits and two decimals. If the text is not a valid
 * stake, the last valid one stays in force and is shown again when the field loses the focus. A hint below
 * the field says what the field changed.
 */
export function StakeField({ hasQuick, isEach = false, isBarred = false }: StakeFieldProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const currency = useAppSelector(selectCurrency)
  const limits = useAppSelector(selectRules)
  const amounts = useAppSelector(selectQuickStakes)
  const most = useAppSelector(selectMostStake)
  const stake = useAppSelector((state) => selectChoice(state).stake)
  /** The text being typed; null if the ticket's stake is shown. */
  const [typed, setTyped] = useState<string | null>(null)
  const [hint, setHint] = useState<Hint | null>(null)
  const id = useId()
  const barred = isBarred ? BARRED_ID : undefined
  const isTooLow = typed !== null && /\d/.test(typed) && readStake(typed, limits) === null
  const note = isTooLow ? 'stakeMin' : hint?.stake === stake ? hint.key : null
  const noted = note === 'stakeMin' ? limits.minStake : note === 'stakeMax' ? limits.maxStake : stake

  const set = (text: string): string => {
    const next = readStake(text, limits) ?? stake
    if (next !== stake) {
      dispatch(wished({ wish: 'stake', text: next, stake: next }))
    }
    return next
  }
  const type = (text: string) => {
    const { text: cleaned, change } = cleanStake(text)
    setTyped(cleaned)
    const next = set(cleaned)
    setHint(hintOf(cleaned, next, change, limits))
  }
  const step = (by: 1 | -1) => {
    setTyped(null)
    const next = set(stepStake(stake, by, limits))
    const isWhole = centsOf(next) === centsOf(stake) + BigInt(by) * 100n
    setHint(isWhole ? null : { key: by === 1 ? 'stakeMax' : 'stakeMin', stake: next })
  }
  const leave = () => {
    if (typed !== null && readStake(typed, limits) === null) {
      setHint({ key: 'stakeKept', stake })
    }
    setTyped(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ' ') {
      event.preventDefault()
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      step(event.key === 'ArrowUp' ? 1 : -1)
    } else if (event.key === 'Enter' && !event.altKey) {
      leave()
    }
  }
  return (
    <>
      <div className={styles.row}>
        <label className={styles.label} htmlFor={id}>
          {t(isEach ? 'stakeOfEach' : 'stake')}
        </label>
        <div className={styles.stepper}>
          <button
            type="button"
            className={styles.step}
            aria-label={t('stakeLess')}
            aria-describedby={barred}
            onClick={() => step(-1)}
          >
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
              aria-describedby={barred ?? (note ? `${id}-note` : undefined)}
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => type(event.currentTarget.value)}
              onBlur={leave}
              onKeyDown={onKeyDown}
            />
            <span className={styles.currency} aria-hidden="true">
              {symbolOf(language, currency)}
            </span>
          </span>
          <button
            type="button"
            className={styles.step}
            aria-label={t('stakeMore')}
            aria-describedby={barred}
            onClick={() => step(1)}
          >
            <Icon name="plus" />
          </button>
        </div>
      </div>
      <p className={cx(styles.note, isTooLow && styles.low)} id={`${id}-note`} aria-live="polite">
        {note && t(note, { amount: formatMoney(language, noted, currency) })}
      </p>
      {hasQuick && (
        <QuickButtons
          label={t('quickStakes')}
          describedBy={barred}
          values={[...new Set(amounts), ...(most === null || isEach ? [] : [MAX])]}
          text={(amount) =>
            amount === MAX ? t('stakeMost') : `+${formatMoney(language, amount, currency).replace(/[.,]00/, '')}`
          }
          onPress={(amount) => {
            setTyped(null)
            const next = set(amount === MAX ? (most ?? stake) : addStake(stake, amount, limits))
            const isWhole = amount === MAX || centsOf(next) === centsOf(stake) + centsOf(amount)
            setHint(isWhole ? null : { key: 'stakeMax', stake: next })
          }}
        />
      )}
    </>
  )
}

function hintOf(text: string, stake: string, change: StakeChange, limits: StakeLimits): Hint | null {
  if (!/\d/.test(text)) {
    return change ? { key: 'stakeDigits', stake } : null
  }
  const isLimited = readStake(text, limits) !== readStake(text, { ...limits, maxStake: NO_MAX })
  const changed = change && ({ cleaned: 'stakeCleaned', cut: 'stakeCut' } as const)[change]
  const key = isLimited ? 'stakeMax' : changed
  return key && { key, stake }
}

/** Without thousands separators: users do not type them. */
function amountOf(language: Parameters<typeof formatNumber>[0], stake: string): string {
  const separator = formatNumber(language, 0.5, ONE_DECIMAL).charAt(1)
  return stake.replace('.', separator)
}

function symbolOf(language: Parameters<typeof formatNumber>[0], currency: string): string {
  return formatMoney(language, '0', currency).replace(/[\d.,\s]/g, '')
}
