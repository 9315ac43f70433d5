import { useRef } from 'react'
import { Skeleton } from '../../components/Skeleton'
import { useScreen } from '../../components/useScreen'
import { useTextScale } from '../../components/useTextScale'
import { useWidth } from '../../components/useWidth'
import { useTranslation } from '../../i18n/useTranslation'
import { scoreGrid, scoreLayout } from '../../platform/offer/scoreLayout'
import styles from './OfferSkeleton.module.css'
import { rowColumns } from './rowColumns'

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

const SOCCER = scoreLayout(1)

/** Its shape, without a word. What comes stands where its shape stood: the columns are those of a row of soccer. */
export function OfferShapes() {
  const shapes = useRef<HTMLDivElement>(null)
  const width = useWidth(shapes)
  const scale = useTextScale()
  const isPhone = useScreen() === 'phone'
  const { sets, hasTime, gap, template } = rowColumns((width ?? 0) / (16 * scale), SOCCER, 3, isPhone)
  return (
    <div
      ref={shapes}
      className={styles.shapes}
      style={{ '--row-grid': template, '--row-gap': `${gap}rem`, '--score-w': `${scoreGrid(SOCCER, 0).width}rem` }}
      aria-hidden="true"
    >
      {SPORTS.map((rows) => (
        <div key={rows} className={styles.sport}>
          <div className={styles.head}>
            <Skeleton className={styles.tile} />
            <Skeleton className={styles.title} />
          </div>
          <div className={styles.tournament}>
            <Skeleton className={styles.league} />
          </div>
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
            <div key={row} className={styles.row}>
              <span className={styles.star} />
              {hasTime && <Skeleton className={styles.time} />}
              <div className={styles.teams}>
                <Skeleton className={styles.home} />
                <Skeleton className={styles.away} />
              </div>
              <span className={styles.score} />
              <div className={styles.odds}>
                <Skeleton className={styles.odd} />
                <Skeleton className={styles.odd} />
                <Skeleton className={styles.odd} />
              </div>
              {Array.from({ length: sets - 1 }, (_, set) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
                <div key={set} className={styles.moreOdds}>
                  <Skeleton className={styles.odd} />
                  <Skeleton className={styles.odd} />
                </div>
              ))}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
