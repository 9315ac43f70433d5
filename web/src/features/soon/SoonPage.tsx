import { useState } from 'react'
import { Button, ButtonLink } from '../../components/Button'
import { EmptyState } from '../../components/EmptyState'
import { usePageTitle } from '../../components/usePageTitle'
import { useTranslation } from '../../i18n/useTranslation'
import { useListLink } from '../../platform/view/useMatchLink'
import { SoonCard } from './SoonCard'
import styles from './SoonPage.module.css'
import { useSoonMatches } from './useSoonMatches'

/** How many matches are shown at first, and how many more at a time. */
const STEP = 24

/** The matches with markets that are decided soon, with the expected time. */
export function SoonPage() {
  const { t } = useTranslation()
  const soon = useSoonMatches()
  const [most, setMost] = useState(STEP)
  const list = useListLink()
  usePageTitle(t('soon'))
  return (
    <>
      <div className={styles.bar}>
        <h1 className={styles.title}>{t('soon')}</h1>
        {soon.length > 0 && <p className={styles.counts}>{t('matchCount', { count: soon.length })}</p>}
      </div>
      {soon.length === 0 ? (
        <EmptyState title={t('soonNone')} text={t('soonNoneText')} heading="h2">
          <ButtonLink {...list}>{t('seeOffer')}</ButtonLink>
        </EmptyState>
      ) : (
        <>
          <p className={styles.text}>{t('soonText')}</p>
          <ul className={styles.list} aria-label={t('soon')}>
            {soon.slice(0, most).map(({ matchId, markets }) => (
              <SoonCard key={matchId} matchId={matchId} markets={markets} />
            ))}
          </ul>
          {soon.length > most && (
            <Button look="quiet" className={styles.more} onClick={() => setMost(most + STEP)}>
              {t('soonMore', { count: soon.length - most })}
            </Button>
          )}
        </>
      )}
    </>
  )
}
