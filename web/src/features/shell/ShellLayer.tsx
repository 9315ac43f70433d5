import { useEffect, useRef, useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { useTranslation } from '../../i18n/useTranslation'
import styles from './ShellLayer.module.css'
import { askWorker, entryOfPage, type Shell, startShell } from './shellWorker'

/** Installs the offline shell and shows when a newer version is available. */
export function ShellLayer() {
  const [isOld, setIsOld] = useState(false)
  const shell = useRef<Shell | null>(null)
  const serverVersion = useAppSelector((state) => state.connection.version)
  useEffect(() => {
    // Not in development, where files change without changing their names.
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

/** The message that a newer version of the client is available. */
export function ShellNews() {
  const { t } = useTranslation()
  return (
    <div className={styles.news} role="status">
      <span>{t('newVersion')}</span>
      <Button look="primary" onClick={() => location.reload()}>
        {t('reload')}
      </Button>
    </div>
  )
}
