import { cx } from './cx'
import styles from './Spinner.module.css'

/** A spinner. Always put a text beside it, because it does not turn when reduced motion is set. */
export function Spinner({ className }: { className?: string | undefined }) {
  return <span className={cx(styles.spinner, className)} aria-hidden="true" />
}
