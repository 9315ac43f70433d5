import { useEffect, useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import { ButtonLink } from '../../components/Button'
import { EmptyState } from '../../components/EmptyState'
import { Icon } from '../../components/Icon'
import { usePageTitle } from '../../components/usePageTitle'
import { sportClass } from '../../domain/sportClass'
import { useTranslation } from '../../i18n/useTranslation'
import { selectServerOffset } from '../../platform/connection/connectionSelectors'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch } from '../../platform/offer/offerSelectors'
import { periodsText } from '../../platform/offer/scoreDetails'
import { scoreLayout } from '../../platform/offer/scoreLayout'
import { selectSportFilter } from '../../platform/preferences/preferencesSelectors'
import { useListLink, useMatchLink } from '../../platform/view/useMatchLink'
import styles from './EndedPage.module.css'
import { type EndedMatch, recent, selectEnded } from './endedSlice'

const TICK_MS = 20_000
const MINUTE_MS = 60_000

/** The results of the last hour, the latest first. */
export function EndedPage() {
  const { t } = useTranslation()
  const all = useAppSelector(selectEnded)
  const sports = useAppSelector(selectSportFilter)
  const nowMs = useServerNow()
  const list = useListLink()
  usePageTitle(t('justEnded'))
  const matches = recent(all, nowMs).filter(({ sportId }) => sports.length === 0 || sports.includes(sportId))
  return (
    <>
      <div className={styles.bar}>
        <h1 className={styles.title}>{t('justEnded')}</h1>
        {matches.length > 0 && <p className={styles.counts}>{t('matchCount', { count: matches.length })}</p>}
      </div>
      {matches.length === 0 ? (
        <EmptyState title={t('endedNone')} text={t('endedText')} heading="h2">
          <ButtonLink {...list}>{t('seeOffer')}</ButtonLink>
        </EmptyState>
      ) : (
        <>
          <p className={styles.text}>{t('endedText')}</p>
          <ul className={styles.list} aria-label={t('justEnded')}>
            {matches.map((match) => (
              <Result key={match.id} match={match} minutes={Math.floor((nowMs - match.endedMs) / MINUTE_MS)} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Result({ match, minutes }: { match: EndedMatch; minutes: number }) {
  const { t } = useTranslation()
  const isOffered = useAppSelector((state) => selectMatch(state, match.id) !== undefined)
  const link = useMatchLink(match.id)
  const sport = sportClass(match.sportId)
  const periods = periodsText(match)
  const where = [match.tournament, match.tournamentDescription].filter(Boolean).join(', ')
  const hasHalf = scoreLayout(match.sportId).cards
  return (
    <li className={styles.row} data-row="ended" data-match-id={match.id} data-sport={sport}>
      <span className={styles.sport} title={match.sportName ?? undefined}>
        <Icon name={sport} />
        <span className="vh">{`${match.sportName ?? ''}, `}</span>
      </span>
      <span className={styles.what}>
        {isOffered ? (
          <a className={styles.name} data-cell="match" {...link}>
            {matchName(match)}
          </a>
        ) : (
          <span className={styles.name}>{matchName(match)}</span>
        )}
        <small className={styles.where}>{where}</small>
      </span>
      <span className={styles.result}>
        <b className={styles.score}>
          <span className="vh">{`, ${t('score')} `}</span>
          <span>{match.score?.join(':') ?? '–'}</span>
        </b>
        {periods && <small className={styles.where}>{hasHalf ? `${t('halfTimeShort')} ${periods}` : periods}</small>}
      </span>
      <small className={styles.ago}>{minutes < 1 ? t('endedNow') : t('endedAgo', { count: minutes })}</small>
    </li>
  )
}

function useServerNow(): number {
  const offset = useAppSelector(selectServerOffset)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS)
    return () => window.clearInterval(timer)
  }, [])
  return now + offset
}
