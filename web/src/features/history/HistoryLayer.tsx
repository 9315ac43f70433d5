import { useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import type { RootState } from '../../app/store'
import { later } from '../../components/later'
import { selectHasShortcuts } from '../preferences/preferencesSelectors'
import { type Asked, watchOdds } from './oddUnder'

/** Got when the first odd is asked for. */
const HistoryCard = later(async () => (await import('./HistoryCard')).HistoryCard)

/** Hears which odd is asked for, and shows its card. */
export function HistoryLayer() {
  const store = useStore<RootState>()
  const [asked, setAsked] = useState<Asked | null>(null)
  useEffect(
    () =>
      watchOdds({
        hasKeys: () => selectHasShortcuts(store.getState()),
        ask: (now) => setAsked((before) => (isSame(before, now) ? before : now)),
        dismiss: () => setAsked(null),
        leave: () => setAsked((before) => (before?.how === 'byPointer' ? null : before)),
      }),
    [store],
  )
  return asked && <HistoryCard key={`${asked.oddId} ${asked.how}`} asked={asked} onClose={() => setAsked(null)} />
}

/** What a key opened is not taken over by a pointer that lies there. */
function isSame(before: Asked | null, now: Asked): boolean {
  return before?.oddId === now.oddId && now.how === 'byPointer'
}
