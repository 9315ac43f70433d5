import type { ReactNode } from 'react'
import styles from './Toasts.module.css'

/** All toasts. They stay while the pointer or the focus is in `data-toasts`. */
export function Toasts({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.toasts} aria-label={label} data-toasts="">
      {children}
    </section>
  )
}

export interface ToastProps {
  text: ReactNode
  pressText: string
  onPress: () => void
}

export function Toast({ text, pressText, onPress }: ToastProps) {
  return (
    <div className={styles.toast}>
      <span className={styles.text}>{text}</span>
      <button type="button" className={styles.dismiss} onClick={onPress}>
        {pressText}
      </button>
    </div>
  )
}
