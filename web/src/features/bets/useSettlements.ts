import { fetchBet } from '../../api/accountApi'
import { useAppSelector } from '../../app/hooks'
import type { Bet, MadeSettlement } from '../../domain/bet'
import { useLoaded } from '../../platform/loading/useLoaded'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'

interface Settlements {
  /** All settlements that were made, oldest first. */
  readonly made: readonly MadeSettlement[]
  readonly isFailed: boolean
}

/** The settlements of an opened bet. The first one alone needs no call: it was never corrected. */
export function useSettlements({ ticketId, revision, settlement }: Bet): Settlements {
  const language = useAppSelector(selectLanguage)
  const isAsked = settlement?.number !== 1
  const isCorrected = (settlement?.number ?? 0) > 1
  // A new revision may have another settlement.
  const { loaded } = useLoaded(isAsked ? (signal) => fetchBet(ticketId, language, signal) : null, [
    ticketId,
    revision,
    language,
    isAsked,
  ])
  return {
    made: loaded.status === 'ready' ? loaded.value.settlements : [],
    isFailed: loaded.status === 'failed' && isCorrected,
  }
}
