import { useEffect, useRef, useState } from 'react'
import { fetchBets } from '../../api/accountApi'
import { ApiError } from '../../api/request'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { EmptyState } from '../../components/EmptyState'
import { RadioChips } from '../../components/RadioChips'
import { Skeleton } from '../../components/Skeleton'
import { usePageTitle } from '../../components/usePageTitle'
import type { Bet, BetState } from '../../domain/bet'
import { useTranslation } from '../../i18n/useTranslation'
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

/** The user's bets with their receipts, newest first. */
export function BetsPage() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const user = useAppSelector(selectUser)
  const [state, setState] = useState<Bets>(NOTHING)
  /** Increased to load again. */
  const [attempt, setAttempt] = useState(0)
  const [filter, setFilter] = useState<BetState | 'all'>('all')
  usePageTitle(t('myBets'))

  /** The latest request. Answers to earlier ones are ignored. */
  const asking = useRef<AbortController | null>(null)
  const load = async (cursor: string | null, held: readonly Bet[]) => {
    asking.current?.abort()
    const giveUp = new AbortController()
    asking.current = giveUp
    setState({ status: 'loading', bets: held, next: cursor })
    try {
      const { tickets, next } = await fetchBets(null, cursor, language, giveUp.signal)
      giveUp.signal.throwIfAborted()
      setState({ status: 'ready', bets: [...held, ...tickets], next })
    } catch (error) {
      if (giveUp.signal.aborted) {
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
  // The balance changes when a bet is placed, so it is a dependency too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again for another language, user or attempt.
  useEffect(() => {
    void load(null, [])
    return () => asking.current?.abort()
  }, [language, user?.name, user?.balance, attempt])

  const shown = state.bets.filter(({ state }) => filter === 'all' || state === filter)
  const isMissing = shown.length === 0 && state.status === 'ready' && state.next !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: if the filter finds nothing yet, older pages may match.
  useEffect(() => {
    if (isMissing) {
      void load(state.next, state.bets)
    }
  }, [isMissing])

  if (state.status === 'ready' && state.bets.length === 0) {
    return <EmptyState title={t('betsEmpty')} text={t('betsEmptyText')} />
  }
  return (
    <div aria-busy={state.status === 'loading'}>
      <div className={styles.bar}>
        <h1 className={styles.title}>{t('myBets')}</h1>
      </div>
      <RadioChips
        label={t('betsFilter')}
        className={styles.filter}
        chips={FILTERS.map((value) => ({ value, text: t(FILTER_TEXTS[value]), count: countOf(value, state) }))}
        value={filter}
        onChange={setFilter}
      />
      {shown.length === 0 && state.status === 'ready' && !isMissing && <p className={styles.none}>{t('betsNone')}</p>}
      <ul>
        {shown.map((bet, place) => (
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

const FILTERS = ['all', 'open', 'won', 'lost', 'void'] as const
const FILTER_TEXTS = { all: 'all', open: 'betsOpen', won: 'betsWon', lost: 'betsLost', void: 'betsVoid' } as const

/** The number of loaded bets with a status. Older pages may contain more. */
function countOf(filter: BetState | 'all', { bets, next }: Bets): string {
  const count = bets.filter(({ state }) => filter === 'all' || state === filter).length
  return next === null ? String(count) : `${count}+`
}
