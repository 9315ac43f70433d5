import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { ButtonLink } from '../../components/Button'
import { Chip } from '../../components/Chip'
import { EmptyState } from '../../components/EmptyState'
import { usePageTitle } from '../../components/usePageTitle'
import { useTranslation } from '../../i18n/useTranslation'
import { useListLink } from '../view/useMatchLink'
import { selectHiddenCount, selectPage } from '../view/viewSelectors'
import { allMatchesShown } from '../view/viewSlice'
import { OfferList } from './OfferList'
import styles from './OfferPage.module.css'
import { OfferSkeleton } from './OfferSkeleton'
import { selectMatchCount, selectOfferStatus, selectShownGroups, selectSportSummaries } from './offerSelectors'

/** The list of matches, or why there is none. */
export function OfferPage() {
  const { t } = useTranslation()
  const status = useAppSelector(selectOfferStatus)
  const page = useAppSelector(selectPage)
  const hasGroups = useAppSelector((state) => selectShownGroups(state).length > 0)
  const title = t(page === 'favourites' ? 'favourites' : 'offerTitle')
  usePageTitle(title)
  switch (status) {
    case 'inactive':
      return <EmptyState title={t('feedInactive')} text={t('feedInactiveText')} />
    case 'empty':
      return <EmptyState title={t('noOffer')} text={t('noOfferText')} />
    case 'loading':
      return (
        <>
          <div className={styles.bar}>
            <h1 className={styles.title}>{title}</h1>
            <p className={styles.counts}>{t('loading')}</p>
          </div>
          <OfferSkeleton />
        </>
      )
    case 'ready':
    case 'recovering':
      if (page === 'favourites' && !hasGroups) {
        return <NoFavourites />
      }
      return (
        <>
          <Toolbar title={title} />
          <OfferList />
        </>
      )
  }
}

function NoFavourites() {
  const { t } = useTranslation()
  const link = useListLink()
  return (
    <EmptyState title={t('noFavourites')} text={t('noFavouritesText')}>
      <ButtonLink {...link}>{t('seeOffer')}</ButtonLink>
    </EmptyState>
  )
}

function Toolbar({ title }: { title: string }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const isFavourites = useAppSelector(selectPage) === 'favourites'
  const all = useAppSelector(selectMatchCount)
  const allSports = useAppSelector(selectSportSummaries).length
  const groups = useAppSelector(selectShownGroups)
  const matchCount = isFavourites ? groups.reduce((sum, group) => sum + group.matchCount, 0) : all
  const sportCount = isFavourites ? groups.length : allSports
  const hiddenCount = useAppSelector(selectHiddenCount)
  return (
    <div className={styles.bar}>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.counts}>
        {t('matchCount', { count: matchCount })}, {t('sportCount', { count: sportCount })}
      </p>
      {hiddenCount > 0 && (
        <Chip
          className={styles.hidden}
          icon="eye"
          iconSize="s"
          text={t('showHidden')}
          count={hiddenCount}
          onClick={() => dispatch(allMatchesShown())}
        />
      )}
    </div>
  )
}
