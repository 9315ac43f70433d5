import { cx } from './cx'
import styles from './Spinner.module.css'

/** Always beside words that say what is going on: with reduced motion it stands still. */
export function Spinner({ className }: { className?: string | undefined }) {
  return <span className={cx(styles.spinner, className)} aria-hidden="true" />
}
