import { type ReactNode, useId } from 'react'
import { useTranslation } from '../i18n/useTranslation'
import { cx } from './cx'
import { ModalDialog } from './Dialog'
import styles from './HeadedDialog.module.css'
import { IconButton } from './IconButton'

export interface HeadedDialogProps {
  title: string
  /** Called on Escape and by the close button. */
  onClose: () => void
  /** Room for two columns. */
  isWide?: boolean
  children: ReactNode
}

/** A modal dialog. Its head has a title and a close button. */
export function HeadedDialog({ title, onClose, isWide = false, children }: HeadedDialogProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <ModalDialog className={cx(styles.dialog, isWide && styles.wide)} aria-labelledby={id} onEscape={onClose}>
      <div className={styles.head}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        <IconButton label={t('close')} icon="close" onClick={onClose} />
      </div>
      {children}
    </ModalDialog>
  )
}
