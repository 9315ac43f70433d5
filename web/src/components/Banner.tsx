import styles from './Banner.module.css'
import { Spinner } from './Spinner'

/** A strip below the header for what concerns the whole page and passes by itself. */
export function Banner({ children, busy = false }: { children: string; busy?: boolean }) {
  return (
    <section className={styles.banner} aria-label={children} data-banner="">
      {busy && <Spinner className={styles.spinner} />}
      {children}
    </section>
  )
}
