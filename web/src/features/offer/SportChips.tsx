import { useEffect, useRef } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { answerFirst } from '../../components/answerFirst'
import { Chip } from '../../components/Chip'
import type { SportId } from '../../domain/offer'
import { sportClass } from '../../domain/sportClass'
import { useTranslation } from '../../i18n/useTranslation'
import { selectHasAllSports, selectMatchCount, selectSportSummaries } from '../../platform/offer/offerSelectors'
import { selectSportFilter } from '../../platform/preferences/preferencesSelectors'
import { sportFilterCleared, sportFilterToggled } from '../../platform/preferences/preferencesSlice'
import { useFilterPage, useFilterToggle } from '../../platform/view/useFilterToggle'
import type { FilterPage } from '../../platform/view/viewUrl'
import styles from './SportChips.module.css'
import { TIME_FILTERS } from './timeFilters'

/** The sport filter of a phone. */
export function SportChips() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const sports = useAppSelector(selectSportSummaries)
  const filter = useAppSelector(selectSportFilter)
  const hasAll = useAppSelector(selectHasAllSports)
  const total = useAppSelector(selectMatchCount)
  const filterPage = useFilterPage()
  const toggleFilter = useFilterToggle()
  const nav = useRef<HTMLElement>(null)
  const hasSports = sports.length > 0
  const latest = filter.at(-1)
  // What a link or an earlier visit has chosen may be out of view, and a pressed chip partly.
  useEffect(() => showChip(nav.current, hasSports, latest), [hasSports, latest])
  useEffect(() => showChip(nav.current, hasSports, filterPage), [hasSports, filterPage])
  const all = () => {
    dispatch(sportFilterCleared())
    if (filterPage) {
      toggleFilter(filterPage)
    }
  }
  return (
    <nav ref={nav} className={styles.chips} aria-label={t('sportFilter')}>
      {hasSports && <Chip text={t('all')} count={total} pressed={hasAll && filterPage === null} onClick={all} />}
      {sports.map(({ id, name, matchCount }) => (
        <Chip
          key={id}
          icon={sportClass(id)}
          text={name ?? ''}
          count={matchCount}
          pressed={filter.includes(id)}
          data-sport={sportClass(id)}
          data-chip={id}
          onClick={(event) => answerFirst(event.currentTarget, () => dispatch(sportFilterToggled(id)))}
        />
      ))}
      {hasSports &&
        TIME_FILTERS.map(({ page: each, icon, text, short }) => (
          <Chip
            key={each}
            icon={icon}
            text={t(short)}
            aria-label={t(text)}
            pressed={filterPage === each}
            data-chip={each}
            onClick={() => toggleFilter(each)}
          />
        ))}
    </nav>
  )
}

function showChip(nav: HTMLElement | null, hasChips: boolean, chip: SportId | FilterPage | null | undefined): void {
  if (hasChips && chip) {
    nav?.querySelector(`[data-chip="${chip}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
}
