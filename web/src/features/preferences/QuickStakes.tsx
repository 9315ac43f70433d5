/** The amounts that the ticket offers to add to its stake. A valid one applies while it is typed. */
import { useId, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { readStake, stakeText } from '../../domain/ticket/stake'
import { formatMoney } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectCurrency } from '../../platform/account/accountSlice'
import { selectLanguage, selectQuickStakes } from '../../platform/preferences/preferencesSelectors'
import { quickStakeSet } from '../../platform/preferences/preferencesSlice'
import styles from './QuickStakes.module.css'

const LIMITS = { minStake: '1.00', maxStake: '999999.99' }

export function QuickStakes() {
  const { t } = useTranslation()
  const amounts = useAppSelector(selectQuickStakes)
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{t('quickStakesOwn')}</legend>
      <div className={styles.fields}>
        {amounts.map((amount, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields have fixed places.
          <Amount key={place} place={place} amount={amount} />
        ))}
      </div>
    </fieldset>
  )
}

function Amount({ place, amount }: { place: number; amount: string }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const currency = useAppSelector(selectCurrency)
  const [typed, setTyped] = useState<string | null>(null)
  const id = useId()
  const isBad = typed !== null && readStake(typed, LIMITS) === null
  return (
    <>
      <label className="vh" htmlFor={id}>
        {t('quickStakeNth', { n: place + 1 })}
      </label>
      <input
        id={id}
        className={styles.field}
        inputMode="decimal"
        autoComplete="off"
        maxLength={9}
        value={typed ?? formatMoney(language, amount, currency).replace(/[.,]00/, '')}
        aria-invalid={isBad}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          const text = stakeText(event.currentTarget.value)
          setTyped(text)
          const next = readStake(text, LIMITS)
          if (next !== null) {
            dispatch(quickStakeSet({ place, amount: next }))
          }
        }}
        onBlur={() => setTyped(null)}
      />
    </>
  )
}
