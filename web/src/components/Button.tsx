import type { ComponentProps } from 'react'
import styles from './Button.module.css'
import { cx } from './cx'

export interface ButtonProps extends ComponentProps<'button'> {
  look?: 'primary' | 'quiet' | 'text'
}

export function Button({ look = 'quiet', className, ...rest }: ButtonProps) {
  return <button type="button" className={cx(styles.button, styles[look], className)} {...rest} />
}

export interface ButtonLinkProps extends ComponentProps<'a'> {
  look?: ButtonProps['look']
}

/** A link that looks like a button. */
export function ButtonLink({ look = 'primary', className, ...rest }: ButtonLinkProps) {
  return <a className={cx(styles.button, styles[look], className)} {...rest} />
}
