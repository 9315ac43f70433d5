import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'react-redux'
import { useAppSelector } from '../../app/hooks'
import type { RootState } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import { share } from '../../domain/sharing'
import { selectServerOffset } from '../../platform/connection/connectionSelectors'
import { selectSportFilter } from '../../platform/preferences/preferencesSelectors'
import { selectHiddenMatches } from '../../platform/view/viewSelectors'
import { inOrder, keptOrder, type SoonMatch, soonMatches } from './soonMatches'

/** Often enough for times in minutes. */
const TICK_MS = 1000

/** The matches with markets that are decided soon. A changed price computes nothing; equal parts stay identical. */
export function useSoonMatches(): readonly SoonMatch[] {
  const store = useStore<RootState>()
  const matches = useAppSelector((state) => state.offer.matches)
  const markets = useAppSelector((state) => state.offer.markets)
  const sports = useAppSelector(selectSportFilter)
  const hidden = useAppSelector(selectHiddenMatches)
  const offset = useAppSelector(selectServerOffset)
  const now = useNow()
  const soon = useMemo(
    // Only the kind of the odds matters, which no change of a price changes.
    () => soonMatches({ matches, markets, odds: store.getState().offer.odds }, { sports, hidden }, now + offset),
    [store, matches, markets, sports, hidden, now, offset],
  )
  const [order, setOrder] = useState<readonly MatchId[]>([])
  const kept = keptOrder(order, soon)
  if (kept !== order) {
    setOrder(kept)
  }
  const shown = useRef<readonly SoonMatch[]>([])
  const next = share(shown.current, inOrder(kept, soon))
  useEffect(() => {
    shown.current = next
  }, [next])
  return next
}

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS)
    return () => window.clearInterval(timer)
  }, [])
  return now
}
