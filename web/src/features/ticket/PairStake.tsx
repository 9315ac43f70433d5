import { type KeyboardEvent, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import type { OddId } from '../../domain/offer'
import { readStake, stakeText, stepStake } from '../../domain/ticket/stake'
import { formatMoney } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectCurrency } from '../../platform/account/accountSlice'
import { BARRED_ID } from '../../platform/account/ExclusionLine'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectRules } from '../../platform/ticket/rulesSlice'
import { selectSingleStake, singleStakeSet } from '../../platform/ticket/singlesSlice'
import styles from './Pair.module.css'

/** The stake of a single. A valid one applies while it is typed; the last valid one is shown again afterwards. */
export function PairStake({ oddId, name }: { oddId: OddId; name: string }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const currency = useAppSelector(selectCurrency)
  const limits = useAppSelector(selectRules)
  const stake = useAppSelector((state) => selectSingleStake(state, oddId))
  const isBarred = useAppSelector(selectExclusion) !== null
  const [typed, setTyped] = useState<string | null>(null)
  const set = (next: string | null) => {
    if (next !== null && next !== stake) {
      dispatch(singleStakeSet({ oddId, stake: next }))
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      setTyped(null)
      set(stepStake(stake, event.key === 'ArrowUp' ? 1 : -1, limits))
    }
  }
  return (
    <input
      className={styles.stake}
      disabled={isBarred}
      aria-describedby={isBarred ? BARRED_ID : undefined}
      inputMode="decimal"
      autoComplete="off"
      enterKeyHint="done"
      maxLength={16}
      aria-label={t('stakeOfPair', { pair: name })}
      aria-invalid={typed !== null && /\d/.test(typed) && readStake(typed, limits) === null}
      value={typed ?? formatMoney(language, stake, currency)}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = stakeText(event.currentTarget.value)
        setTyped(text)
        set(readStake(text, limits))
      }}
      onBlur={() => setTyped(null)}
      onKeyDown={onKeyDown}
    />
  )
}
