import { useTranslation } from 'react-i18next'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Chip } from '../../components/Chip'
import { EmptyState } from '../../components/EmptyState'
import { usePageTitle } from '../../components/usePageTitle'
import { selectHiddenCount } from '../view/viewSelectors'
import { allMatchesShown } from '../view/viewSlice'
import { OfferList } from './OfferList'
import styles from './OfferPage.module.css'
import { OfferSkeleton } from './OfferSkeleton'
import { selectMatchCount, selectOfferStatus, selectSportSummaries } from './offerSelectors'

/** The list of matches, or why there is none. */
export function OfferPage() {
  const { t } = useTranslation()
  const status = useAppSelector(selectOfferStatus)
  usePageTitle(t('offerTitle'))
  switch (status) {
    case 'inactive':
      return <EmptyState title={t('feedInactive')} text={t('feedInactiveText')} />
    case 'empty':
      return <EmptyState title={t('noOffer')} text={t('noOfferText')} />
    case 'loading':
      return (
        <>
          <div className={styles.bar}>
            <h1 className={styles.title}>{t('offerTitle')}</h1>
            <p className={styles.counts}>{t('loading')}</p>
          </div>
          <OfferSkeleton />
        </>
      )
    case 'ready':
    case 'recovering':
      return (
        <>
          <Toolbar />
          <OfferList />
        </>
      )
  }
}

function Toolbar() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const matchCount = useAppSelector(selectMatchCount)
  const sportCount = useAppSelector(selectSportSummaries).length
  const hiddenCount = useAppSelector(selectHiddenCount)
  return (
    <div className={styles.bar}>
      <h1 className={styles.title}>{t('offerTitle')}</h1>
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
