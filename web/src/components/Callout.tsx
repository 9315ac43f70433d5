import { type ComponentProps, type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { focusAtOnce } from './listKeys'
import { closedBy } from './overlay'
import { isCovered } from './pageKeys'

export interface CalloutProps extends ComponentProps<'div'> {
  /** The element that it is about. */
  of: HTMLElement
  /** Whether it was opened by a key. Then it closes when the focus leaves it; otherwise its owner closes it. */
  takesFocus: boolean
  /** The letter that opens it. It closes it too. */
  closingKey: string
  onClose: () => void
}

/** A small non-modal dialog beside the element that it is about. Escape closes it, wherever the focus is. */
export function Callout({ of, takesFocus, closingKey, onClose, ...rest }: CalloutProps) {
  const callout = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place(callout.current, of), [of])
  useEffect(() => {
    if (takesFocus) {
      focusAtOnce(callout.current)
    }
  }, [takesFocus])
  // Opened by pointer it has no focus, so Escape is handled on the document. It must not also close the page below.
  useEffect(() => {
    if (takesFocus) {
      return
    }
    const listener = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !isCovered()) {
        event.preventDefault()
        onClose()
      }
    }
    document.addEventListener('keydown', listener, true)
    return () => document.removeEventListener('keydown', listener, true)
  }, [takesFocus, onClose])
  const dismiss = () => {
    onClose()
    focusAtOnce(of)
  }
  return (
    <div
      ref={callout}
      role="dialog"
      tabIndex={-1}
      {...closedBy({
        onDismiss: dismiss,
        onLeave: takesFocus ? onClose : undefined,
        onKey: (event) => {
          const closes = event.key === 'Tab' ? leaves(event) : event.key.toLowerCase() === closingKey
          if (closes) {
            dismiss()
          }
          return closes
        },
      })}
      {...rest}
    />
  )
}

/** Whether Tab leads out of the callout. */
function leaves({ currentTarget, target, shiftKey }: KeyboardEvent<HTMLElement>): boolean {
  const stops = [...currentTarget.querySelectorAll<HTMLElement>('button')]
  return shiftKey ? target === stops[0] || target === currentTarget : target === stops.at(-1) || stops.length === 0
}

const GAP = 8

/** Positions the callout above its element, or below if there is no room, and always inside the window. */
function place(callout: HTMLElement | null, of: HTMLElement): void {
  if (!callout) {
    return
  }
  const at = of.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = callout
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
  const above = at.top - GAP - height
  const top = above >= header ? above : Math.min(at.bottom + GAP, window.innerHeight - height - GAP)
  const left = Math.max(GAP, Math.min(at.left + at.width / 2 - width / 2, window.innerWidth - width - GAP))
  callout.style.translate = `${Math.round(left)}px ${Math.round(top)}px`
}
