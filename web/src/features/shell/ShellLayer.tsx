import { useEffect, useRef, useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { useTranslation } from '../../i18n/useTranslation'
import styles from './ShellLayer.module.css'
import { askWorker, entryOfPage, type Shell, startShell } from './shellWorker'

/** Keeps the shell for times without a network, and says when there is a newer one. */
export function ShellLayer() {
  const [isOld, setIsOld] = useState(false)
  const shell = useRef<Shell | null>(null)
  const serverVersion = useAppSelector((state) => state.connection.version)
  useEffect(() => {
    // Not in development, where files change under their names.
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) {
      return
    }
    const world = { container: navigator.serviceWorker, entry: entryOfPage(), isOf: askWorker }
    const started = startShell(
      world,
      () => setIsOld(true),
      (href) => location.assign(href),
    )
    shell.current = started
    return () => started.stop()
  }, [])
  useEffect(() => {
    if (serverVersion !== null) {
      shell.current?.update()
    }
  }, [serverVersion])
  return isOld && <ShellNews />
}

/** There is a newer client than this page. */
export function ShellNews() {
  const { t } = useTranslation()
  return (
    <div className={styles.news} role="status">
      {t('newVersion')}
      <Button look="primary" onClick={() => location.reload()}>
        {t('reload')}
      </Button>
    </div>
  )
}
