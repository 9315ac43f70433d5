import type { ReactNode } from 'react'
import { cx } from './cx'
import { focusAtOnce } from './listKeys'
import { type TriggerProps, useTriggered } from './overlay'
import styles from './Popover.module.css'

export interface PopoverProps {
  /** The accessible name of the panel. */
  label: string
  /** Renders the button that opens the panel. */
  trigger: (props: TriggerProps) => ReactNode
  /** The content. As a function it receives a callback that closes the panel. */
  children: ReactNode | ((close: () => void) => ReactNode)
  className?: string | undefined
}

/** A non-modal panel below its button. Escape closes it and restores the focus; leaving it closes it too. */
export function Popover({ label, trigger, children, className }: PopoverProps) {
  const { id, isOpen, dismiss, trigger: triggerProps, onKeyDown, anchorProps } = useTriggered('dialog')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles events that bubble from button and panel.
    <div className={cx(styles.anchor, className)} {...anchorProps} onKeyDown={isOpen ? onKeyDown : undefined}>
      {trigger(triggerProps)}
      {isOpen && (
        <div className={styles.panel} id={id} role="dialog" aria-label={label} tabIndex={-1} ref={focusAtOnce}>
          {typeof children === 'function' ? children(dismiss) : children}
        </div>
      )}
    </div>
  )
}
