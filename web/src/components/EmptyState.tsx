import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

export interface EmptyStateProps {
  title: string
  text: string
  children?: ReactNode
}

/** A calm page for when there is nothing to show, and why. */
export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <svg className={styles.art} viewBox="0 0 200 120" fill="none" aria-hidden="true" focusable="false">
        <rect className={styles.card} x="20" y="18" width="160" height="84" rx="12" />
        <path className={styles.pulse} d="M36 60h26l9-22 14 44 12-32 8 10h12" />
        <path className={styles.rest} d="M125 60h39" />
        <circle className={styles.dot} cx="120" cy="60" r="5" />
      </svg>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
