/**
 * What dialogs, sheets, popovers, menus, listboxes and callouts have in common: the keys that close them, closing when
 * the focus leaves, and the button that opens them. `modal.ts` adds what those that cover the page have in common.
 */
import { type ComponentProps, type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react'

export interface ClosedBy {
  /** Called on Escape: closes the overlay and returns the focus. Without it Escape does nothing. */
  onDismiss?: (() => void) | undefined
  /** Called when the focus moves out of the overlay. Modal overlays need none, because they keep the focus. */
  onLeave?: (() => void) | undefined
  /** Handles another key. Returns whether it did. */
  onKey?: ((event: KeyboardEvent<HTMLElement>) => boolean) | undefined
}

/** The handlers of the element of an overlay. Nothing else on the page handles the keys that they handle. */
export function closedBy({ onDismiss, onLeave, onKey }: ClosedBy) {
  return {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const isEscape = event.key === 'Escape'
      if (isEscape) {
        onDismiss?.()
      }
      if (isEscape || onKey?.(event)) {
        event.preventDefault()
        event.stopPropagation()
      }
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      if (!event.currentTarget.contains(event.relatedTarget)) {
        onLeave?.()
      }
    },
  }
}

export type TriggerProps = Pick<
  ComponentProps<'button'>,
  'ref' | 'aria-haspopup' | 'aria-expanded' | 'aria-controls' | 'onClick'
>

/** A button and the overlay that it opens. `anchorProps` belong to the element that contains both. */
export function useTriggered(haspopup: 'dialog' | 'listbox', keys?: (dismiss: () => void) => ClosedBy['onKey']) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const dismiss = () => {
    setOpen(false)
    button.current?.focus()
  }
  const trigger: TriggerProps = {
    ref: button,
    'aria-haspopup': haspopup,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? id : undefined,
    onClick: () => setOpen(!isOpen),
  }
  const { onKeyDown, onBlur } = closedBy({ onDismiss: dismiss, onLeave: () => setOpen(false), onKey: keys?.(dismiss) })
  // In Safari a pressed button does not take the focus, but its nearest ancestor that can. With `tabIndex` that is
  // inside, so that a press of the button does not close the overlay before the button's own handler does.
  const anchorProps = { tabIndex: -1, onBlur }
  return { id, isOpen, setOpen, dismiss, trigger, onKeyDown, anchorProps }
}
