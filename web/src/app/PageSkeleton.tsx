import { useTranslation } from '../i18n/useTranslation'
import { selectPage } from '../platform/view/viewSelectors'
import type { Page } from '../platform/view/viewUrl'
import { useAppSelector } from './hooks'
import styles from './PageSkeleton.module.css'

const TITLES: Partial<Record<Page, 'soon' | 'justEnded' | 'myBets' | 'statement'>> = {
  soon: 'soon',
  ended: 'justEnded',
  bets: 'myBets',
  statement: 'statement',
}

/** The title of the opened page and a placeholder, while the chunk of the page is loaded. */
export function PageSkeleton() {
  const { t } = useTranslation()
  const title = TITLES[useAppSelector(selectPage)]
  return (
    <div className={styles.page} aria-busy="true">
      {title && <h1 className={styles.title}>{t(title)}</h1>}
      <p className="vh">{t('loading')}</p>
      <div className={styles.cards} />
    </div>
  )
}
