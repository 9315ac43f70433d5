import { useEffect, useState } from 'react'
import type { SportId } from '../../domain/offer'
import type { SportGroup } from '../../platform/offer/offerSelectors'

/** Nobody should press a row that has just moved under the pointer. */
const HOLD_MS = 2000

/**
 * The groups as they are to be shown: a new order of the sport under the pointer waits, for two seconds at most, unless
 * the user has just `chosen` it.
 */
export function useHeldOrder(
  groups: readonly SportGroup[],
  sportUnderPointer: SportId | null,
  chosen: unknown,
): readonly SportGroup[] {
  const [shown, setShown] = useState(groups)
  const [shownFor, setShownFor] = useState(chosen)
  const isChosen = chosen !== shownFor
  if (isChosen) {
    setShownFor(chosen)
  }
  const next = sportUnderPointer === null || isChosen ? groups : holdOrder(shown, groups, sportUnderPointer)
  if (next !== shown) {
    setShown(next)
  }
  useEffect(() => {
    if (shown === groups) {
      return
    }
    const timer = window.setTimeout(() => setShown(groups), HOLD_MS)
    return () => window.clearTimeout(timer)
  }, [shown, groups])
  return next
}

/** `groups`, but with the sport's matches in the order of before, provided they are the same ones. */
export function holdOrder(
  before: readonly SportGroup[],
  groups: readonly SportGroup[],
  sportId: SportId,
): readonly SportGroup[] {
  const old = before.find((group) => group.sportId === sportId)
  const now = groups.find((group) => group.sportId === sportId)
  if (!old || !now || old === now || !haveSameMatches(old, now)) {
    return groups
  }
  const held = groups.map((group) => (group === now ? old : group))
  return held.length === before.length && held.every((group, place) => group === before[place]) ? before : held
}

function haveSameMatches(a: SportGroup, b: SportGroup): boolean {
  const idsOf = (group: SportGroup) => group.tournaments.flatMap((tournament) => tournament.matchIds)
  const ids = new Set(idsOf(a))
  return a.matchCount === b.matchCount && idsOf(b).every((id) => ids.has(id))
}
