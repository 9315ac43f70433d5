import { useTranslation } from 'react-i18next'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { Icon, type IconName } from '../../components/Icon'
import { Skeleton } from '../../components/Skeleton'
import { sportClass } from '../../domain/sportClass'
import { selectSportFilter } from '../preferences/preferencesSelectors'
import { sportFilterCleared, sportFilterToggled } from '../preferences/preferencesSlice'
import { matchClosed } from '../view/viewSlice'
import { selectMatchCount, selectOfferStatus, selectSportSummaries } from './offerSelectors'
import styles from './SportRail.module.css'

export interface SportRailProps {
  /** Icons alone; the words come as tooltips. */
  narrow: boolean
}

/** The sports of the offer as a filter: any number of them, or all. */
export function SportRail({ narrow }: SportRailProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const status = useAppSelector(selectOfferStatus)
  const sports = useAppSelector(selectSportSummaries)
  const filter = useAppSelector(selectSportFilter)
  const total = useAppSelector(selectMatchCount)
  const hasOffer = sports.length > 0
  return (
    <nav className={cx(styles.rail, narrow && styles.narrow)} aria-label={t('sportFilter')}>
      <RailButton
        icon="list"
        text={t('allSports')}
        count={hasOffer ? total : undefined}
        pressed={filter.length === 0}
        onPress={() => {
          dispatch(sportFilterCleared())
          dispatch(matchClosed())
        }}
      />
      {hasOffer && <h2 className={styles.heading}>{t('sports')}</h2>}
      {sports.map(({ id, name, matchCount }) => (
        <RailButton
          key={id}
          icon={sportClass(id)}
          text={name ?? ''}
          count={matchCount}
          pressed={filter.includes(id)}
          onPress={() => {
            dispatch(sportFilterToggled(id))
            dispatch(matchClosed())
          }}
        />
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
    <button type="button" className={styles.button} aria-pressed={pressed} data-sport={icon} onClick={onPress}>
      <Icon name={icon} className={styles.icon} />
      <span className={styles.words}>
        <span className={styles.label}>{text}</span>
        {count !== undefined && (
          <span className={styles.count}>
            <span className="vh">, </span>
            {count}
          </span>
        )}
      </span>
    </button>
  )
}
