import type { ComponentProps } from 'react'
import styles from './Chip.module.css'
import { cx } from './cx'
import { Icon, type IconName } from './Icon'

export interface ChipProps extends Omit<ComponentProps<'button'>, 'children'> {
  text: string
  count?: number | string
  icon?: IconName
  iconSize?: 's' | 'm'
  /** The state of a toggle. A chip of a radio group passes `role` and `aria-checked` instead. */
  pressed?: boolean
}

export function Chip({ text, count, icon, iconSize = 'm', pressed, className, ...rest }: ChipProps) {
  return (
    <button type="button" className={cx(styles.chip, className)} aria-pressed={pressed} {...rest}>
      {icon && <Icon name={icon} size={iconSize} className={styles.icon} />}
      <span>{text}</span>
      {count !== undefined && <span className={styles.count}>{count}</span>}
    </button>
  )
}
