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
  /** The accessible name of the panel. */
  label: string
  /** Renders the button that opens the panel. */
  trigger: (props: PopoverTriggerProps) => ReactNode
  /** The content. As a function it receives a callback that closes the panel. */
  children: ReactNode | ((close: () => void) => ReactNode)
  className?: string | undefined
}

/** A non-modal panel below its button. Escape closes it and restores the focus; leaving it closes it too. */
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
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles events that bubble from button and panel.
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
