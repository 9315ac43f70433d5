import { cx } from './cx'
import styles from './Skeleton.module.css'

/** A grey placeholder for text or a price. The caller's class sets its size. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span className={cx(styles.skeleton, className)} />
}
