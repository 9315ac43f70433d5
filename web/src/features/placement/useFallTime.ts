import { type RefObject, useEffect, useRef } from 'react'
import type { TicketPair } from '../../domain/ticket/ticket'

/** When a price last fell. A press right after that was meant for the price before. */
export function useFallTime(pairs: readonly TicketPair[]): RefObject<number> {
  const fellMs = useRef(Number.NEGATIVE_INFINITY)
  const before = useRef(pairs)
  useEffect(() => {
    const hasFallen = pairs.some(({ oddId, oddValue }) =>
      before.current.some((held) => held.oddId === oddId && oddValue < held.oddValue),
    )
    before.current = pairs
    if (hasFallen) {
      fellMs.current = Date.now()
    }
  }, [pairs])
  return fellMs
}
