import { cx } from './cx'
import styles from './Skeleton.module.css'

/** A grey place where text or a price will stand. Its size is the caller's class. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span className={cx(styles.skeleton, className)} />
}
