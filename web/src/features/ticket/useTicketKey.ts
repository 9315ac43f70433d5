import { useEffect, useRef } from 'react'
import { useAppSelector } from '../../app/hooks'
import { isOfList, isPlainKey } from '../../components/pageKeys'
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
      if (event.key.toLowerCase() === 't' && isPlainKey(event) && !event.shiftKey && isOfList(event.target)) {
        event.preventDefault()
        latest.current()
      }
    }
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [hasShortcuts])
}
