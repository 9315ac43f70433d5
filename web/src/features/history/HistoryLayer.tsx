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
        ask: setAsked,
        dismiss: () => setAsked(null),
      }),
    [store],
  )
  return asked && <HistoryCard key={`${asked.oddId} ${asked.how}`} asked={asked} onClose={() => setAsked(null)} />
}
