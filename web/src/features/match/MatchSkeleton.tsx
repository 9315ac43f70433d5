import { Skeleton } from '../../components/Skeleton'
import { useTranslation } from '../../i18n/useTranslation'
import styles from './MatchSkeleton.module.css'

/** The placeholder of a whole match page while the match is loaded. Must not read data or start a request. */
export function MatchSkeleton() {
  return (
    <>
      <div className={styles.hero} />
      <MarketsSkeleton />
    </>
  )
}

/** The number of odds in each placeholder market. */
const CARDS = [3, 2, 3, 2, 3, 3]

/** The placeholder of the markets alone, for when the header of the match is known already. */
export function MarketsSkeleton() {
  const { t } = useTranslation()
  return (
    <div className={styles.markets} aria-busy="true">
      <p className="vh">{t('loading')}</p>
      <div className={styles.cards} aria-hidden="true">
        {CARDS.map((odds, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders do not change.
          <div key={place} className={styles.card}>
            <Skeleton className={styles.title} />
            <div className={styles.odds}>
              {Array.from({ length: odds }, (_, odd) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are all equal.
                <Skeleton key={odd} className={styles.odd} />
              ))}
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
