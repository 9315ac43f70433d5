import type { ReactNode } from 'react'
import styles from './Banner.module.css'
import { Spinner } from './Spinner'

/** A strip below the header for a temporary state of the whole page, such as a lost connection. */
export function Banner({ label, children, busy = false }: { label: string; children: ReactNode; busy?: boolean }) {
  return (
    <section className={styles.banner} aria-label={label} data-banner="">
      {busy && <Spinner className={styles.spinner} />}
      <span>{children}</span>
    </section>
  )
}
