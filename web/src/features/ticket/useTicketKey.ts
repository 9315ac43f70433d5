import { useEffect, useRef } from 'react'
import { useAppSelector } from '../../app/hooks'
import { selectHasShortcuts } from '../preferences/preferencesSelectors'

/** T goes to the ticket, from the list or a match, unless letters are switched off. */
export function useTicketKey(go: () => void): void {
  const hasShortcuts = useAppSelector(selectHasShortcuts)
  const latest = useRef(go)
  useEffect(() => {
    latest.current = go
  })
  useEffect(() => {
    if (!hasShortcuts) {
      return
    }
    const listener = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 't' && isPlain(event) && isOfList(event.target)) {
        event.preventDefault()
        latest.current()
      }
    }
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [hasShortcuts])
}

function isPlain(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey
}

/** From where letters act: not from where they are typed, and not from what lies in front of the list. */
function isOfList(target: EventTarget | null): boolean {
  if (
    !(target instanceof Element) ||
    target.closest('input, select, textarea, dialog, [role="menu"], [role="listbox"]')
  ) {
    return false
  }
  return target === document.body || target.closest('main') !== null
}
