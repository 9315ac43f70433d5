import type { ReactNode } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { ButtonLink } from '../../components/Button'
import { Chip } from '../../components/Chip'
import { EmptyState } from '../../components/EmptyState'
import { Listbox } from '../../components/Listbox'
import { usePageTitle } from '../../components/usePageTitle'
import { useScreen } from '../../components/useScreen'
import { useTranslation } from '../../i18n/useTranslation'
import { selectOfferStatus, selectShownGroups } from '../../platform/offer/offerSelectors'
import { selectSort } from '../../platform/preferences/preferencesSelectors'
import { SORTS, sortChosen } from '../../platform/preferences/preferencesSlice'
import { useListLink, usePageLink } from '../../platform/view/useMatchLink'
import { selectHiddenCount, selectPage } from '../../platform/view/viewSelectors'
import { allMatchesShown } from '../../platform/view/viewSlice'
import { LeagueMenu } from './LeagueMenu'
import { OfferList } from './OfferList'
import styles from './OfferPage.module.css'
import { OfferSkeleton } from './OfferSkeleton'

/** The list of matches, or why it is empty. Where it is not shown it lies behind what was opened from it. */
export function OfferPage({ isShown }: { isShown: boolean }) {
  const { t } = useTranslation()
  const status = useAppSelector(selectOfferStatus)
  const page = useAppSelector(selectPage)
  const hasGroups = useAppSelector((state) => selectShownGroups(state).length > 0)
  const title = t(page === 'favourites' || page === 'starting' ? page : 'offerTitle')
  usePageTitle(isShown && title)
  switch (status) {
    case 'inactive':
      return <FeedInactive />
    case 'empty':
      return <EmptyState title={t('noOffer')} text={t('noOfferText')} />
    case 'loading':
      return (
        <>
          <Bar title={title} counts={t('loading')} />
          <OfferSkeleton />
        </>
      )
    case 'ready':
    case 'recovering':
      if (page === 'favourites' && !hasGroups) {
        return <None title={title} of="Favourites" />
      }
      if (page === 'starting' && !hasGroups) {
        return <None title={title} of="Starting" />
      }
      return (
        <>
          <Toolbar title={title} />
          <OfferList isShown={isShown} />
        </>
      )
  }
}

/** What was bet before can still be looked at. */
function FeedInactive() {
  const { t } = useTranslation()
  const bets = usePageLink('bets')
  return (
    <EmptyState title={t('feedInactive')} text={t('feedInactiveText')}>
      <ButtonLink look="quiet" className={styles.bets} {...bets}>
        {t('myBets')}
      </ButtonLink>
    </EmptyState>
  )
}

function None({ title, of }: { title: string; of: 'Favourites' | 'Starting' }) {
  const { t } = useTranslation()
  const link = useListLink()
  return (
    <>
      <Bar title={title} />
      <EmptyState
        title={t(`no${of}`)}
        text={t(`no${of}Text`)}
        {...(of === 'Favourites' && { art: 'stars' })}
        heading="h2"
      >
        <ButtonLink {...link}>{t('seeOffer')}</ButtonLink>
      </EmptyState>
    </>
  )
}

/** The counts are those of what is shown. */
function Toolbar({ title }: { title: string }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const groups = useAppSelector(selectShownGroups)
  const matchCount = groups.reduce((sum, group) => sum + group.matchCount, 0)
  const sportCount = groups.length
  const hiddenCount = useAppSelector(selectHiddenCount)
  const sort = useAppSelector(selectSort)
  const hasRail = useScreen() === 'desktop'
  const sorts = SORTS.map((value) => ({ value, text: t(`sort_${value}`) }))
  return (
    <Bar title={title} counts={`${t('matchCount', { count: matchCount })}, ${t('sportCount', { count: sportCount })}`}>
      {hiddenCount > 0 && (
        <Chip
          icon="eye"
          iconSize="s"
          className={styles.hidden}
          title={t('showHidden')}
          text={t('showHidden')}
          count={hiddenCount}
          onClick={() => dispatch(allMatchesShown())}
        />
      )}
      {!hasRail && <LeagueMenu />}
      <Listbox
        className={styles.sort}
        icon="sort"
        label={t('sort')}
        options={sorts}
        value={sort}
        onChange={(value) => dispatch(sortChosen(value))}
      />
    </Bar>
  )
}

/** The head of the page. */
function Bar({ title, counts, children }: { title: string; counts?: string; children?: ReactNode }) {
  return (
    <div className={styles.bar}>
      <h1 className={styles.title}>{title}</h1>
      {counts && <p className={styles.counts}>{counts}</p>}
      {children}
    </div>
  )
}
