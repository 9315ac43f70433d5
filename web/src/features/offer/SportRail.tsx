import { Fragment, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { answerFirst } from '../../components/answerFirst'
import { cx } from '../../components/cx'
import { Icon, type IconName } from '../../components/Icon'
import { IconButton } from '../../components/IconButton'
import { later } from '../../components/later'
import { Skeleton } from '../../components/Skeleton'
import { sportClass } from '../../domain/sportClass'
import { useTranslation } from '../../i18n/useTranslation'
import {
  selectFavouriteMatches,
  selectHasAllSports,
  selectMatchCount,
  selectOfferStatus,
  selectSportSummaries,
} from '../../platform/offer/offerSelectors'
import { selectSportFilter } from '../../platform/preferences/preferencesSelectors'
import { sportFilterCleared, sportFilterToggled } from '../../platform/preferences/preferencesSlice'
import { useFavouritesToggle } from '../../platform/view/useFavouritesToggle'
import { useFilterPage, useFilterToggle } from '../../platform/view/useFilterToggle'
import { selectOpenMatchId, selectPage } from '../../platform/view/viewSelectors'
import { matchClosed, pageOpened } from '../../platform/view/viewSlice'
import { RailFavourite } from './RailFavourite'
import styles from './SportRail.module.css'
import { TIME_FILTERS } from './timeFilters'

const SportOrder = later(async () => (await import('../../platform/preferences/SportOrder')).SportOrder)

const RailLeagues = later(async () => (await import('./RailLeagues')).RailLeagues)

/** As many as can be followed out of the corner of an eye. */
const SHOWN_FAVOURITES = 3

export interface SportRailProps {
  /** Icons alone; the words come as tooltips. */
  narrow: boolean
}

/** The sports of the offer as a filter: any number of them, or all. The chosen ones have their leagues below them. */
export function SportRail({ narrow }: SportRailProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const status = useAppSelector(selectOfferStatus)
  const sports = useAppSelector(selectSportSummaries)
  const filter = useAppSelector(selectSportFilter)
  const total = useAppSelector(selectMatchCount)
  const hasAll = useAppSelector(selectHasAllSports)
  // What is marked is what the list shows: in a match nothing is.
  const page = useAppSelector((state) => (selectOpenMatchId(state) === null ? selectPage(state) : null))
  const isList = page === 'list'
  const favourites = useAppSelector(selectFavouriteMatches)
  const toggleFavourites = useFavouritesToggle()
  const filterPage = useFilterPage()
  const toggleFilter = useFilterToggle()
  const hasOffer = sports.length > 0
  const [isOrdering, setOrdering] = useState(false)
  const isEdited = isOrdering && !narrow && hasOffer
  const toList = () => {
    dispatch(pageOpened('list'))
    dispatch(matchClosed())
  }
  return (
    <nav className={cx(styles.rail, narrow && styles.narrow)} aria-label={t('sportFilter')}>
      <RailButton
        icon="list"
        text={t('allSports')}
        count={hasOffer ? total : undefined}
        pressed={isList && hasAll}
        onPress={() => {
          dispatch(sportFilterCleared())
          toList()
        }}
      />
      <RailButton
        icon="star"
        text={t('favourites')}
        count={hasOffer ? favourites.length : undefined}
        pressed={page === 'favourites'}
        onPress={toggleFavourites}
      />
      {!narrow && hasOffer && favourites.length > 0 && (
        <div className={styles.favourites}>
          {favourites.slice(0, SHOWN_FAVOURITES).map((id) => (
            <RailFavourite key={id} matchId={id} />
          ))}
        </div>
      )}
      {TIME_FILTERS.map(({ page: each, icon, text }) => (
        <RailButton
          key={each}
          icon={icon}
          text={t(text)}
          count={undefined}
          pressed={filterPage === each}
          onPress={() => toggleFilter(each)}
        />
      ))}
      {hasOffer && (
        <div className={styles.head}>
          <h2 className={styles.heading}>{t('sports')}</h2>
          {!narrow && (
            <IconButton
              label={t(isEdited ? 'sportOrderDone' : 'sportOrder')}
              icon={isEdited ? 'tick' : 'sort'}
              iconSize="s"
              className={styles.order}
              aria-pressed={isEdited}
              onClick={() => setOrdering(!isEdited)}
            />
          )}
        </div>
      )}
      {isEdited && <SportOrder />}
      {(isEdited ? [] : sports).map(({ id, name, matchCount }) => (
        <Fragment key={id}>
          <RailButton
            icon={sportClass(id)}
            text={name ?? ''}
            count={matchCount}
            pressed={(isList || filterPage !== null) && filter.includes(id)}
            onPress={() => {
              if (isList || filterPage !== null || !filter.includes(id)) {
                dispatch(sportFilterToggled(id))
              }
              if (filterPage === null) {
                toList()
              }
            }}
          />
          {!narrow && isList && filter.includes(id) && <RailLeagues sportId={id} sport={name ?? ''} />}
        </Fragment>
      ))}
      {status === 'loading' && (
        <div className={styles.skeletons} aria-hidden="true">
          {Array.from({ length: 8 }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
            <Skeleton key={place} className={styles.skeleton} />
          ))}
        </div>
      )}
    </nav>
  )
}

interface RailButtonProps {
  icon: IconName
  text: string
  count: number | undefined
  pressed: boolean
  onPress: () => void
}

function RailButton({ icon, text, count, pressed, onPress }: RailButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-pressed={pressed}
      data-sport={icon}
      onClick={(event) => answerFirst(event.currentTarget, onPress)}
    >
      <Icon name={icon} className={styles.icon} />
      <span className={styles.words}>
        <span className={styles.label}>{text}</span>
        {count !== undefined && (
          <span className={styles.count}>
            <span className="vh">, </span>
            <span>{count}</span>
          </span>
        )}
      </span>
    </button>
  )
}
