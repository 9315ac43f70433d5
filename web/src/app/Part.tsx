import type { ReactNode } from 'react'
import { Button } from '../components/Button'
import { ErrorBoundary } from '../components/ErrorBoundary'
import { useTranslation } from '../i18n/useTranslation'
import styles from './App.module.css'

/** A part of the page that loads later. If it fails, the rest of the page is not affected. */
export function Part({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <ErrorBoundary
      fallback={(retry) => (
        <div className={styles.failed} role="alert">
          <p>{t('panelFailed')}</p>
          <Button onClick={retry}>{t('tryAgain')}</Button>
        </div>
      )}
    >
      {children}
    </ErrorBoundary>
  )
}
