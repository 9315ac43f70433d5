import { type ReactNode, useEffect, useState } from 'react'
import { fetchBet } from '../../api/accountApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { EmptyState } from '../../components/EmptyState'
import { RadioChips } from '../../components/RadioChips'
import { Skeleton } from '../../components/Skeleton'
import { usePageTitle } from '../../components/usePageTitle'
import type { Bet } from '../../domain/bet'
import { useTranslation } from '../../i18n/useTranslation'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { betAsked } from '../../platform/view/requests'
import { BetCard } from './BetCard'
import styles from './BetsPage.module.css'
import { openBets, settledBets } from './betLists'
import { TicketSearch } from './TicketSearch'
import { useBetPages } from './useBetPages'

/** The lists: all open bets, all settled ones, or settled ones of one outcome. */
const LISTS = ['open', 'settled', 'won', 'lost', 'void'] as const
type List = (typeof LISTS)[number]
const LIST_TEXTS = {
  open: 'betsOpen',
  settled: 'betsSettled',
  won: 'betsWon',
  lost: 'betsLost',
  void: 'betsVoid',
} as const

/** How many open bets are shown at first, and how many more with each press. */
const SHOWN_STEP = 50

export interface BetsSlots {
  /** Renders the cash-out of a bet, which is another feature. */
  cashOutOf?: ((bet: Bet) => ReactNode) | undefined
}

/** The user's bets: the open ones live, and the settled ones with their payouts, newest first. */
export function BetsPage({ cashOutOf, day }: BetsSlots & { day?: ReactNode }) {
  const { t } = useTranslation()
  const [found, setFound] = useState<Bet | null>(null)
  const isFailed = useAskedBet(setFound)
  usePageTitle(t('myBets'))
  return (
    <>
      <div className={styles.bar}>
        <h1 className={styles.title}>{t('myBets')}</h1>
        <TicketSearch onFound={setFound} />
      </div>
      {isFailed && !found && (
        <p className={styles.none} role="alert">
          {t('ticketSearchFailed')}
        </p>
      )}
      {found ? (
        <Found bet={found} cashOutOf={cashOutOf} onEnd={() => setFound(null)} />
      ) : (
        <>
          {day}
          <Lists cashOutOf={cashOutOf} />
        </>
      )}
    </>
  )
}

/** Loads the bet for which the page was opened, by its ticket id. Returns whether that failed. */
function useAskedBet(onFound: (bet: Bet) => void): boolean {
  const dispatch = useAppDispatch()
  const asked = useAppSelector((state) => state.bets.asked)
  const language = useAppSelector(selectLanguage)
  const [isFailed, setFailed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once for each asked bet.
  useEffect(() => {
    if (asked === null) {
      return
    }
    const giveUp = new AbortController()
    setFailed(false)
    fetchBet(asked, language, giveUp.signal)
      .then(
        ({ bet }) => onFound(bet),
        () => setFailed(!giveUp.signal.aborted),
      )
      .finally(() => giveUp.signal.aborted || dispatch(betAsked(null)))
    return () => giveUp.abort()
  }, [asked])
  return isFailed
}

/** A bet that was searched for. The hub may have reported a newer revision of it. */
function Found({ bet, cashOutOf, onEnd }: BetsSlots & { bet: Bet; onEnd: () => void }) {
  const { t } = useTranslation()
  const held = useAppSelector((state) => state.bets.held[bet.ticketId])
  const shown = held && held.revision > bet.revision ? held : bet
  return (
    <section aria-label={t('ticketSearchFound', { number: bet.ticketNumber })}>
      <BetCard key={bet.ticketId} bet={shown} isOpenAtFirst cashOut={cashOutOf?.(shown)} />
      <Button onClick={onEnd}>{t('ticketSearchEnd')}</Button>
    </section>
  )
}

function Lists({ cashOutOf }: BetsSlots) {
  const { t } = useTranslation()
  const { known, held } = useAppSelector((state) => state.bets)
  const [list, setList] = useState<List>('open')
  const [shownMost, setShownMost] = useState(SHOWN_STEP)
  const of = list === 'open' ? 'open' : 'settled'
  const pages = useBetPages(of, known)
  const all = of === 'open' ? openBets(held, pages.items) : settledBets(held, pages.items)
  const isListed = (each: List, bet: Bet) => (each === 'open' || each === 'settled' ? true : bet.state === each)
  const listed = all.filter((bet) => isListed(list, bet))
  const shown = of === 'open' ? listed.slice(0, shownMost) : listed
  const isReady = pages.status === 'ready'
  const hasOlder = isReady && (pages.next !== null || shown.length < listed.length)

  const { next, more } = pages
  const isMissing = shown.length === 0 && isReady && next !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: if no loaded bet has the outcome, older pages may have one.
  useEffect(() => {
    if (isMissing) {
      more()
    }
  }, [isMissing])

  /** The number of bets of a list; none while it is not certain. */
  const countOf = (each: List): number | undefined => {
    if (each === 'open') {
      return known || (of === 'open' && isReady && next === null) ? openBets(held, pages.items).length : undefined
    }
    const isComplete = of === 'settled' && isReady && next === null
    return isComplete ? all.filter((bet) => isListed(each, bet)).length : undefined
  }
  return (
    <div aria-busy={pages.status === 'loading'}>
      <RadioChips
        label={t('betsFilter')}
        className={styles.filter}
        chips={LISTS.map((value) => ({ value, text: t(LIST_TEXTS[value]), count: countOf(value) }))}
        value={list}
        onChange={setList}
      />
      {shown.length === 0 && isReady && !isMissing && <None of={list} />}
      <ul>
        {shown.map((bet, place) => (
          <li key={bet.ticketId}>
            <BetCard bet={bet} isOpenAtFirst={place === 0} cashOut={cashOutOf?.(bet)} />
          </li>
        ))}
      </ul>
      {pages.status === 'loading' && (
        <div aria-hidden="true">
          {[0, 1, 2].map((place) => (
            <div key={place} className={styles.shape}>
              <Skeleton className={styles.bone} />
            </div>
          ))}
        </div>
      )}
      {pages.status === 'failed' && (
        <div className={styles.failed} role="alert">
          <p>{t('betsFailed')}</p>
          <Button onClick={more}>{t('tryAgain')}</Button>
        </div>
      )}
      {hasOlder && (
        <Button
          className={styles.older}
          onClick={() => (shown.length < listed.length ? setShownMost(shownMost + SHOWN_STEP) : more())}
        >
          {t('olderBets')}
        </Button>
      )}
    </div>
  )
}

function None({ of }: { of: List }) {
  const { t } = useTranslation()
  return of === 'open' ? (
    <EmptyState title={t('betsNoOpen')} text={t('betsNoOpenText')} heading="h2" />
  ) : (
    <p className={styles.none}>{t('betsNone')}</p>
  )
}
