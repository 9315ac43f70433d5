import type { ComponentProps } from 'react'
import { cx } from './cx'
import { Icon } from './Icon'
import styles from './PinButton.module.css'

export interface PinButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'aria-pressed' | 'children'> {
  /** The accessible name. It is the same whether it is pressed or not. */
  label: string
  icon?: 'pin' | 'star'
  isPressed: boolean
  /** Shown only while its row has the pointer or the focus, unless it is pressed. */
  isQuiet?: boolean
}

/** A button that puts what it belongs to first. */
export function PinButton({ label, icon = 'pin', isPressed, isQuiet = false, className, ...rest }: PinButtonProps) {
  return (
    <button
      type="button"
      className={cx(styles.pin, isQuiet && styles.quiet, className)}
      aria-pressed={isPressed}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} size="s" />
    </button>
  )
}
