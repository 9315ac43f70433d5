import styles from './Logo.module.css'

export function Logo() {
  return (
    <svg className={styles.mark} viewBox="0 0 26 26" aria-hidden="true" focusable="false">
      <rect className={styles.accent} width="12" height="12" rx="3" />
      <rect className={styles.accent} x="14" y="14" width="12" height="12" rx="3" />
      <rect className={styles.warm} x="14" width="12" height="12" rx="3" />
      <path className={styles.arrow} d="M1.5 24.5l9-9m0 6.3v-6.3H4.2" />
    </svg>
  )
}
