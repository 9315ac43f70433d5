import type { ReactNode } from 'react'
import styles from './Alert.module.css'
import { cx } from './cx'
import { Icon } from './Icon'

export interface AlertProps {
  look: 'warn' | 'danger' | 'info'
  children: ReactNode
  /** A button or link that helps. */
  action?: ReactNode
  className?: string | undefined
}

/** A message inside the page, next to the content it belongs to. */
export function Alert({ look, children, action, className }: AlertProps) {
  return (
    <div className={cx(styles.alert, styles[look], className)}>
      <Icon name={look === 'info' ? 'info' : 'warning'} className={styles.icon} />
      <span className={styles.text}>{children}</span>
      {action}
    </div>
  )
}

export function AlertAction({ children, onPress }: { children: ReactNode; onPress: () => void }) {
  return (
    <button type="button" className={styles.action} onClick={onPress}>
      {children}
    </button>
  )
}
