import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { fetchBet } from '../../api/accountApi'
import { ApiError } from '../../api/request'
import { useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { wholeNumbers } from '../../components/wholeNumbers'
import type { Bet } from '../../domain/bet'
import { useTranslation } from '../../i18n/useTranslation'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import styles from './TicketSearch.module.css'

/** The form of a number, as an example. */
const EXAMPLE = 'K7Q-4M2X'

/** Finds a bet by the number on its receipt, in upper or lower case, with or without the hyphen. */
export function TicketSearch({ onFound }: { onFound: (bet: Bet) => void }) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const asking = useRef<AbortController | null>(null)
  const id = useId()
  useEffect(() => () => asking.current?.abort(), [])
  const search = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const number = String(new FormData(event.currentTarget).get('number')).trim().toUpperCase()
    if (number === '') {
      return
    }
    asking.current?.abort()
    const giveUp = new AbortController()
    asking.current = giveUp
    setBusy(true)
    setFailure('')
    try {
      const { bet } = await fetchBet(number, language, giveUp.signal)
      giveUp.signal.throwIfAborted()
      onFound(bet)
    } catch (error) {
      if (giveUp.signal.aborted) {
        return
      }
      const isNone = error instanceof ApiError && error.failure === 'notFound'
      setFailure(isNone ? t('ticketSearchNone', { number }) : t('ticketSearchFailed'))
    }
    setBusy(false)
  }
  return (
    <div>
      <form className={styles.form} onSubmit={(event) => void search(event)} aria-busy={isBusy} noValidate>
        <label className="vh" htmlFor={id}>
          {t('ticketNumber')}
        </label>
        <input
          id={id}
          className={styles.input}
          name="number"
          placeholder={t('ticketSearchHint', { number: EXAMPLE })}
          aria-invalid={failure !== ''}
          aria-describedby={`${id}-failure`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
        <Button type="submit" aria-disabled={isBusy}>
          {t('ticketSearch')}
        </Button>
      </form>
      <p id={`${id}-failure`} className={styles.failure} role="alert">
        {wholeNumbers(failure)}
      </p>
    </div>
  )
}
