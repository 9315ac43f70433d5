import { Skeleton } from '../../components/Skeleton'
import { useTranslation } from '../../i18n/useTranslation'
import styles from './OfferSkeleton.module.css'

const SPORTS = [5, 3]

/** The list while it is fetched. */
export function OfferSkeleton() {
  const { t } = useTranslation()
  return (
    <div aria-busy="true">
      <p className="vh">{t('loading')}</p>
      <OfferShapes />
    </div>
  )
}

/** Its shape, without a word. */
export function OfferShapes() {
  return (
    <div className={styles.shapes} aria-hidden="true">
      {SPORTS.map((rows) => (
        <div key={rows} className={styles.sport}>
          <div className={styles.head}>
            <Skeleton className={styles.tile} />
            <Skeleton className={styles.title} />
          </div>
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
            <div key={row} className={styles.row}>
              <Skeleton className={styles.time} />
              <div className={styles.teams}>
                <Skeleton className={styles.home} />
                <Skeleton className={styles.away} />
              </div>
              <div className={styles.odds}>
                <Skeleton className={styles.odd} />
                <Skeleton className={styles.odd} />
                <Skeleton className={styles.odd} />
              </div>
              <div className={styles.moreOdds}>
                <Skeleton className={styles.odd} />
                <Skeleton className={styles.odd} />
              </div>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
