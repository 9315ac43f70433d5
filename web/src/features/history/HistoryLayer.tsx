import { useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import type { RootState } from '../../app/store'
import { later } from '../../components/later'
import { selectHasShortcuts } from '../../platform/preferences/preferencesSelectors'
import { type Asked, watchOdds } from './oddUnder'

/** Loaded when the first history is opened. */
const HistoryCard = later(async () => (await import('./HistoryCard')).HistoryCard)

/** Detects requests for the history of an odd and shows the card. */
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

/** Whether it is the same odd: a pointer resting there must not replace a card opened by a key. */
function isSame(before: Asked | null, now: Asked): boolean {
  return before?.oddId === now.oddId && now.how === 'byPointer'
}
