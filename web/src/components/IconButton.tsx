import type { ComponentProps } from 'react'
import { cx } from './cx'
import { Icon, type IconName } from './Icon'
import styles from './IconButton.module.css'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** The accessible name. It is required, because the button shows no text. */
  label: string
  icon: IconName
  iconSize?: 's' | 'm' | 'l'
}

export function IconButton({ label, icon, iconSize = 'm', className, ...rest }: IconButtonProps) {
  return (
    <button type="button" className={cx(styles.button, className)} aria-label={label} title={label} {...rest}>
      <Icon name={icon} size={iconSize} />
    </button>
  )
}
