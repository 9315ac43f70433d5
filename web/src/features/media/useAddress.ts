import type { MatchId } from '../../domain/offer'
import { useLoaded } from '../../platform/loading/useLoaded'

/** The state of loading an address. */
export type Asked = { readonly status: 'loading' | 'none' | 'failed' } | { readonly status: 'found'; readonly url: URL }

type Fetch = (id: MatchId, signal: AbortSignal) => Promise<URL | null>

/** Loads an address of a match. Call `again` to repeat it. */
export function useAddress(fetchAddress: Fetch, matchId: MatchId): [asked: Asked, again: () => void] {
  const { loaded, again } = useLoaded((signal) => fetchAddress(matchId, signal), [fetchAddress, matchId])
  if (loaded.status !== 'ready') {
    return [loaded, again]
  }
  return [loaded.value ? { status: 'found', url: loaded.value } : { status: 'none' }, again]
}
