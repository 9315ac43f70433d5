import { useId, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { readStake, stakeText } from '../../domain/ticket/stake'
import { formatMoney } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectAccountStatus, selectCurrency } from '../../platform/account/accountSlice'
import { BARRED_ID } from '../../platform/account/ExclusionLine'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { useMoney } from '../../platform/account/useMoney'
import { selectLanguage, selectOnePressStake } from '../../platform/preferences/preferencesSelectors'
import { onePressStakeSet, onePressTurned } from '../../platform/preferences/preferencesSlice'
import { onePressLimits } from '../../platform/ticket/onePressLimits'
import styles from './OnePressField.module.css'

/** The switch of betting by one press, with the stake of such a bet. Only for a signed-in user. */
export function OnePressField() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const isMember = useAppSelector(selectAccountStatus) === 'member'
  const isBarred = useAppSelector(selectExclusion) !== null
  const isOn = useAppSelector((state) => state.preferences.onePress) && !isBarred
  const id = useId()
  return isMember ? (
    <div className={cx(styles.row, isOn && styles.on)}>
      <label className={styles.label} htmlFor={id}>
        {t('onePress')}
      </label>
      {isOn && <Stake />}
      <input
        id={id}
        className={styles.switch}
        type="checkbox"
        checked={isOn}
        disabled={isBarred}
        aria-describedby={isBarred ? BARRED_ID : undefined}
        onChange={(event) => dispatch(onePressTurned(event.currentTarget.checked))}
      />
      {isOn && <p className={styles.text}>{t('onePressText')}</p>}
    </div>
  ) : null
}

function Stake() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const language = useAppSelector(selectLanguage)
  const currency = useAppSelector(selectCurrency)
  const { minStake, maxStake } = useAppSelector(onePressLimits, sameLimits)
  const stake = useAppSelector(selectOnePressStake)
  const [typed, setTyped] = useState<string | null>(null)
  const limits = { minStake, maxStake }
  return (
    <input
      className={styles.stake}
      inputMode="decimal"
      autoComplete="off"
      enterKeyHint="done"
      maxLength={9}
      aria-label={t('onePressStake', { most: money(maxStake) })}
      aria-invalid={typed !== null && /\d/.test(typed) && readStake(typed, limits) === null}
      value={typed ?? formatMoney(language, stake, currency)}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = stakeText(event.currentTarget.value)
        setTyped(text)
        const next = readStake(text, limits)
        if (next !== null) {
          dispatch(onePressStakeSet(next))
        }
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

type Limits = ReturnType<typeof onePressLimits>

function sameLimits(a: Limits, b: Limits): boolean {
  return a.minStake === b.minStake && a.maxStake === b.maxStake
}
