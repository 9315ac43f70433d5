import { Button } from '../components/Button'
import { EmptyState } from '../components/EmptyState'
import { useTranslation } from '../i18n/useTranslation'

/** The page when it has failed: what happened, and the one thing that helps. */
export function ErrorPage() {
  const { t } = useTranslation()
  return (
    <main>
      <EmptyState title={t('pageFailed')} text={t('pageFailedText')}>
        <Button look="primary" onClick={() => window.location.reload()}>
          {t('reload')}
        </Button>
      </EmptyState>
    </main>
  )
}
