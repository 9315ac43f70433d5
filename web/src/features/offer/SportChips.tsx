import { useEffect, useRef } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { answerFirst } from '../../components/answerFirst'
import { Chip } from '../../components/Chip'
import { sportClass } from '../../domain/sportClass'
import { useTranslation } from '../../i18n/useTranslation'
import { selectHasAllSports, selectMatchCount, selectSportSummaries } from '../../platform/offer/offerSelectors'
import { selectSportFilter } from '../../platform/preferences/preferencesSelectors'
import { sportFilterCleared, sportFilterToggled } from '../../platform/preferences/preferencesSlice'
import { useSoonToggle } from '../../platform/view/useSoonToggle'
import styles from './SportChips.module.css'

/** The sport filter of a phone. */
export function SportChips() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const sports = useAppSelector(selectSportSummaries)
  const filter = useAppSelector(selectSportFilter)
  const hasAll = useAppSelector(selectHasAllSports)
  const total = useAppSelector(selectMatchCount)
  const [isSoon, toggleSoon] = useSoonToggle()
  const nav = useRef<HTMLElement>(null)
  const hasSports = sports.length > 0
  // The filter of a link or of an earlier visit may be out of view.
  useEffect(() => {
    if (hasSports) {
      nav.current?.querySelector('[data-sport][aria-pressed="true"]')?.scrollIntoView({ block: 'nearest' })
    }
  }, [hasSports])
  const all = () => {
    dispatch(sportFilterCleared())
    if (isSoon) {
      toggleSoon()
    }
  }
  return (
    <nav ref={nav} className={styles.chips} aria-label={t('sportFilter')}>
      {hasSports && <Chip text={t('all')} count={total} pressed={hasAll && !isSoon} onClick={all} />}
      {hasSports && <Chip icon="clock" text={t('soon')} pressed={isSoon} onClick={toggleSoon} />}
      {sports.map(({ id, name, matchCount }) => (
        <Chip
          key={id}
          icon={sportClass(id)}
          text={name ?? ''}
          count={matchCount}
          pressed={filter.includes(id)}
          data-sport={sportClass(id)}
          onClick={(event) => answerFirst(event.currentTarget, () => dispatch(sportFilterToggled(id)))}
        />
      ))}
    </nav>
  )
}
