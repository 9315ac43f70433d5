import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Bet, fetchBets } from '../../api/accountApi'
import { ApiError } from '../../api/request'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { EmptyState } from '../../components/EmptyState'
import { Skeleton } from '../../components/Skeleton'
import { usePageTitle } from '../../components/usePageTitle'
import { selectUser, strangerSeen } from '../account/accountSlice'
import { selectLanguage } from '../preferences/preferencesSelectors'
import { pageOpened } from '../view/viewSlice'
import { BetCard } from './BetCard'
import styles from './BetsPage.module.css'

interface Bets {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly bets: readonly Bet[]
  readonly next: string | null
}

const NOTHING: Bets = { status: 'loading', bets: [], next: null }

/** The bettor's bets, newest first, each with its receipt. */
export default function BetsPage() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const user = useAppSelector(selectUser)?.name
  const [state, setState] = useState<Bets>(NOTHING)
  /** Counts up to ask again. */
  const [attempt, setAttempt] = useState(0)
  usePageTitle(t('myBets'))

  const load = async (cursor: string | null, held: readonly Bet[], signal?: AbortSignal) => {
    setState({ status: 'loading', bets: held, next: cursor })
    try {
      const { tickets, next } = await fetchBets(cursor, language, signal)
      setState({ status: 'ready', bets: [...held, ...tickets], next })
    } catch (error) {
      if (signal?.aborted) {
        return
      }
      if (error instanceof ApiError && error.failure === 'unauthorised') {
        dispatch(strangerSeen())
        dispatch(pageOpened('login'))
      } else {
        setState({ status: 'failed', bets: held, next: cursor })
      }
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew for another language or bettor, or when told to.
  useEffect(() => {
    const giveUp = new AbortController()
    void load(null, [], giveUp.signal)
    return () => giveUp.abort()
  }, [language, user, attempt])

  if (state.status === 'ready' && state.bets.length === 0) {
    return <EmptyState title={t('betsEmpty')} text={t('betsEmptyText')} />
  }
  return (
    <div aria-busy={state.status === 'loading'}>
      <div className={styles.bar}>
        <h1 className={styles.title}>{t('myBets')}</h1>
      </div>
      <ul>
        {state.bets.map((bet, place) => (
          <li key={bet.ticketId}>
            <BetCard bet={bet} isOpenAtFirst={place === 0} />
          </li>
        ))}
      </ul>
      {state.status === 'loading' && (
        <div aria-hidden="true">
          {[0, 1, 2].map((place) => (
            <div key={place} className={styles.shape}>
              <Skeleton className={styles.bone} />
            </div>
          ))}
        </div>
      )}
      {state.status === 'failed' && (
        <div className={styles.failed} role="alert">
          <p>{t('betsFailed')}</p>
          <Button onClick={() => (state.bets.length > 0 ? void load(state.next, state.bets) : setAttempt(attempt + 1))}>
            {t('tryAgain')}
          </Button>
        </div>
      )}
      {state.status === 'ready' && state.next !== null && (
        <Button className={styles.older} onClick={() => void load(state.next, state.bets)}>
          {t('olderBets')}
        </Button>
      )}
    </div>
  )
}
