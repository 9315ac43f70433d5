import type { ReactNode } from 'react'
import styles from './Alert.module.css'
import { cx } from './cx'
import { Icon } from './Icon'

export interface AlertProps {
  look: 'warn' | 'danger' | 'info'
  children: ReactNode
  /** What can be done about it. */
  action?: ReactNode
  className?: string | undefined
}

/** Something to know before one goes on, where it matters. */
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
