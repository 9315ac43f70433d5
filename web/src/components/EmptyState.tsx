import type { ReactNode } from 'react'
import drawings from './art.svg'
import styles from './EmptyState.module.css'

export interface EmptyStateProps {
  title: string
  text: string
  art?: 'pulse' | 'stars'
  /** Use `h2` if the page has its own title above. */
  heading?: 'h1' | 'h2'
  children?: ReactNode
}

/** Shown instead of a list that is empty, with the reason. */
export function EmptyState({ title, text, art = 'pulse', heading: Heading = 'h1', children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <svg className={styles.art} viewBox="0 0 200 120" aria-hidden="true" focusable="false">
        <use href={`${drawings}#${art}`} />
      </svg>
      <Heading className={styles.title}>{title}</Heading>
      <p className={styles.text}>{text}</p>
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
