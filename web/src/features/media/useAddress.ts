import { useCallback, useEffect, useState } from 'react'
import type { MatchId } from '../../domain/offer'

/** The state of loading an address. */
export type Asked = { readonly status: 'loading' | 'none' | 'failed' } | { readonly status: 'found'; readonly url: URL }

type Fetch = (id: MatchId, signal: AbortSignal) => Promise<URL | null>

const LOADING: Asked = { status: 'loading' }

/** Loads an address of a match. Call `again` to repeat it. */
export function useAddress(fetchAddress: Fetch, matchId: MatchId): [asked: Asked, again: () => void] {
  const [asked, setAsked] = useState<Asked>(LOADING)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again.
  useEffect(() => {
    const giveUp = new AbortController()
    setAsked(LOADING)
    fetchAddress(matchId, giveUp.signal).then(
      (url) => setAsked(url ? { status: 'found', url } : { status: 'none' }),
      () => {
        if (!giveUp.signal.aborted) {
          setAsked({ status: 'failed' })
        }
      },
    )
    return () => giveUp.abort()
  }, [fetchAddress, matchId, attempt])
  return [asked, useCallback(() => setAttempt((number) => number + 1), [])]
}
