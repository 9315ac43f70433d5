import { Button } from '../components/Button'
import { EmptyState } from '../components/EmptyState'
import { useTranslation } from '../i18n/useTranslation'

/** Replaces the whole page after a rendering error. Offers to reload it. */
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
