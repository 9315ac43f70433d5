import { Skeleton } from '../components/Skeleton'
import { useTranslation } from '../i18n/useTranslation'
import { selectPage } from '../platform/view/viewSelectors'
import { useAppSelector } from './hooks'
import styles from './PageSkeleton.module.css'

const TITLES = {
  list: null,
  favourites: null,
  soon: 'soon',
  bets: 'myBets',
  statement: 'statement',
  login: 'login',
  register: 'register',
} as const

/** The title of the opened page and a placeholder, while the chunk of the page is loaded. */
export function PageSkeleton() {
  const { t } = useTranslation()
  const title = TITLES[useAppSelector(selectPage)]
  return (
    <div className={styles.page} aria-busy="true">
      {title && <h1 className={styles.title}>{t(title)}</h1>}
      <p className="vh">{t('loading')}</p>
      <div aria-hidden="true">
        {[0, 1, 2].map((place) => (
          <div key={place} className={styles.card}>
            <Skeleton className={styles.bone} />
          </div>
        ))}
      </div>
    </div>
  )
}
