import { useEffect, useState } from 'react'
import { fetchBet } from '../../api/accountApi'
import { useAppSelector } from '../../app/hooks'
import type { Bet, MadeSettlement } from '../../domain/bet'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'

interface Settlements {
  /** All settlements that were made, oldest first. */
  readonly made: readonly MadeSettlement[]
  readonly isFailed: boolean
}

const NONE: Settlements = { made: [], isFailed: false }

/** The settlements of an opened bet. The first one alone needs no call: it was never corrected. */
export function useSettlements({ ticketId, revision, settlement }: Bet): Settlements {
  const language = useAppSelector(selectLanguage)
  const [settlements, setSettlements] = useState(NONE)
  const isAsked = settlement?.number !== 1
  const isCorrected = (settlement?.number ?? 0) > 1
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision may have another settlement.
  useEffect(() => {
    setSettlements(NONE)
    if (!isAsked) {
      return
    }
    const giveUp = new AbortController()
    fetchBet(ticketId, language, giveUp.signal).then(
      ({ settlements: made }) => setSettlements({ made, isFailed: false }),
      () => !giveUp.signal.aborted && setSettlements({ made: [], isFailed: isCorrected }),
    )
    return () => giveUp.abort()
  }, [ticketId, revision, language, isAsked])
  return settlements
}
