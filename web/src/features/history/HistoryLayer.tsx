import { lazy, Suspense, useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import type { RootState } from '../../app/store'
import { selectHasShortcuts } from '../preferences/preferencesSelectors'
import { type Asked, watchOdds } from './oddUnder'

/** Got when the first odd is asked for. */
const HistoryCard = lazy(() => import('./HistoryCard'))

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
  return (
    <Suspense>
      {asked && <HistoryCard key={`${asked.oddId} ${asked.how}`} asked={asked} onClose={() => setAsked(null)} />}
    </Suspense>
  )
}

/** What a key opened is not taken over by a pointer that lies there. */
function isSame(before: Asked | null, now: Asked): boolean {
  return before?.oddId === now.oddId && now.how === 'byPointer'
}
