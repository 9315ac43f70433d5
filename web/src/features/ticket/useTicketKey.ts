import { useEffect, useRef } from 'react'
import { useAppSelector } from '../../app/hooks'
import { isOfList, isPlainKey } from '../../components/pageKeys'
import { selectHasShortcuts } from '../../platform/preferences/preferencesSelectors'

/** The key T moves the focus to the ticket, unless single-letter shortcuts are switched off. */
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
      if (event.key.toLowerCase() === 't' && isPlainKey(event) && !event.shiftKey && isOfList(event.target)) {
        event.preventDefault()
        latest.current()
      }
    }
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [hasShortcuts])
}
