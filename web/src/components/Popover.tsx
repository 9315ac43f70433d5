import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'
import { cx } from './cx'
import { focusAtOnce } from './listKeys'
import styles from './Popover.module.css'

export type PopoverTriggerProps = Pick<
  ComponentProps<'button'>,
  'ref' | 'aria-haspopup' | 'aria-expanded' | 'aria-controls' | 'onClick'
>

export interface PopoverProps {
  /** Says what the panel is. */
  label: string
  /** Draws the button that opens it. */
  trigger: (props: PopoverTriggerProps) => ReactNode
  /** Told how to close it. */
  children: ReactNode | ((close: () => void) => ReactNode)
  className?: string | undefined
}

/**
 * A panel below its button that does not block the page: Escape closes it and gives the focus back, and so does
 * leaving it in any other way.
 */
export function Popover({ label, trigger, children, className }: PopoverProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)

  const closeAndReturn = () => {
    setOpen(false)
    button.current?.focus()
  }
  const closeOnLeaving = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) {
      setOpen(false)
    }
  }
  const closeOnEscape = (event: KeyboardEvent) => {
    if (open && event.key === 'Escape') {
      event.stopPropagation()
      closeAndReturn()
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what its button and its panel let bubble.
    <div className={cx(styles.anchor, className)} onBlur={closeOnLeaving} onKeyDown={closeOnEscape}>
      {trigger({
        ref: button,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => setOpen(!open),
      })}
      {open && (
        <div className={styles.panel} id={id} role="dialog" aria-label={label} tabIndex={-1} ref={focusAtOnce}>
          {typeof children === 'function' ? children(closeAndReturn) : children}
        </div>
      )}
    </div>
  )
}
