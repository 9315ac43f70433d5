import type { ReactNode } from 'react'
import styles from './Toasts.module.css'

export function Toasts({ children }: { children: ReactNode }) {
  return <div className={styles.toasts}>{children}</div>
}

export interface ToastProps {
  text: string
  dismissText: string
  onDismiss: () => void
}

export function Toast({ text, dismissText, onDismiss }: ToastProps) {
  return (
    <div className={styles.toast}>
      <span className={styles.text}>{text}</span>
      <button type="button" className={styles.dismiss} onClick={onDismiss}>
        {dismissText}
      </button>
    </div>
  )
}
