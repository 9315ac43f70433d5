import { useId } from 'react'
import { fetchBet } from '../../api/accountApi'
import { ApiError } from '../../api/request'
import { useAppSelector } from '../../app/hooks'
import { Form, PressButton, useForm } from '../../components/Form'
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
  const form = useForm()
  const id = useId()
  const search = (data: FormData) => {
    const number = String(data.get('number')).trim().toUpperCase()
    if (number === '') {
      return
    }
    form.send(
      async (signal) => {
        const { bet } = await fetchBet(number, language, signal)
        signal.throwIfAborted()
        onFound(bet)
        return {}
      },
      (error) => {
        const isNone = error instanceof ApiError && error.failure === 'notFound'
        return { failed: isNone ? t('ticketSearchNone', { number }) : t('ticketSearchFailed') }
      },
    )
  }
  return (
    <div className={styles.search}>
      <Form form={form} className={styles.form} onSubmit={search}>
        <label className="vh" htmlFor={id}>
          {t('ticketNumber')}
        </label>
        <input
          id={id}
          className={styles.input}
          name="number"
          placeholder={t('ticketSearchHint', { number: EXAMPLE })}
          aria-invalid={form.failed !== ''}
          aria-describedby={`${id}-failure`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          // Typing another number gives up the search for the earlier one.
          onChange={form.stop}
        />
        <PressButton type="submit" aria-disabled={form.isBusy}>
          {t('ticketSearch')}
        </PressButton>
      </Form>
      <p id={`${id}-failure`} className={styles.failure} role="alert">
        {wholeNumbers(form.failed)}
      </p>
    </div>
  )
}
