import { memo } from 'react'
import { cx } from '../components/cx'
import { ErrorBoundary } from '../components/ErrorBoundary'
import { Pill } from '../components/Pill'
import { AccountButton } from '../features/account/AccountButton'
import { PreferencesMenu } from '../features/preferences/PreferencesMenu'
import { ThemeButton } from '../features/preferences/ThemeButton'
import { useTranslation } from '../i18n/useTranslation'
import { selectMatchCount } from '../platform/offer/offerSelectors'
import { useListLink, usePageLink } from '../platform/view/useMatchLink'
import { selectPage } from '../platform/view/viewSelectors'
import { isListPage } from '../platform/view/viewUrl'
import styles from './AppHeader.module.css'
import { useAppSelector } from './hooks'
import { Logo } from './Logo'
import { HeaderTools } from './parts'

/** Memoised: the page renders for every view. */
export const AppHeader = memo(function AppHeader() {
  const { t } = useTranslation()
  const matchCount = useAppSelector(selectMatchCount)
  const link = useListLink()
  const bets = usePageLink('bets')
  const page = useAppSelector(selectPage)
  return (
    <header className={styles.header}>
      <a className={styles.logo} {...link}>
        <Logo />
        <span className={styles.word}>kvota</span>
        <span className="vh">{`, ${t('home')}`}</span>
      </a>
      <nav className={styles.nav} aria-label={t('mainNavigation')}>
        <a className={styles.link} aria-current={isListPage(page) ? 'page' : undefined} {...link}>
          <span>{t('live')}</span>
          <span className={cx(styles.count, matchCount === 0 && styles.unknown)}>
            <Pill>{matchCount}</Pill>
          </span>
        </a>
        <a className={styles.link} aria-current={page === 'bets' ? 'page' : undefined} {...bets}>
          {t('myBets')}
        </a>
      </nav>
      <div className={styles.tools}>
        <ErrorBoundary fallback={null}>
          <HeaderTools />
        </ErrorBoundary>
        <PreferencesMenu />
        <span className={styles.theme}>
          <ThemeButton />
        </span>
        <AccountButton />
      </div>
    </header>
  )
})
