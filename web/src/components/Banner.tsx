import type { ReactNode } from 'react'
import styles from './Banner.module.css'
import { Spinner } from './Spinner'

/** A strip below the header for what concerns the whole page and passes by itself. */
export function Banner({ children, busy = false }: { children: ReactNode; busy?: boolean }) {
  return (
    <div className={styles.banner} data-banner="">
      {busy && <Spinner className={styles.spinner} />}
      {children}
    </div>
  )
}
