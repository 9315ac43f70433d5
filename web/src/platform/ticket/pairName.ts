import { readableLine } from '../../domain/columns'
import { awayHandicap, isHandicap, lineText } from '../../domain/handicap'
import { isOfProvider } from '../../domain/providerTypes'
import type { TicketPair } from '../../domain/ticket/ticket'
import { numberedName } from '../../i18n/numberedName'
import { useTranslation } from '../../i18n/useTranslation'
import { marketTitle } from '../offer/marketTitle'

interface Named extends Pick<TicketPair, 'home' | 'away' | 'marketName' | 'oddName' | 'sbv'> {
  readonly sportId: number | null
  readonly marketType: number | null
  readonly oddType: string | null
}

/** Markets in which the odds 1 and 2 are amounts: exact goals, runs of a half-inning, number of sets. */
const AMOUNTS: Readonly<Record<number, number>> = { 1: 13, 3: 139, 5: 29, 20: 29, 23: 29, 31: 29, 34: 29, 37: 29 }

/**
 * The displayed name of a pair: the team for the odds 1 and 2, *draw* for X, otherwise the odd's name, each with its
 * line. A team has its own handicap. The number of a goal or a frame is in parentheses with what it counts, or with
 * the market's name if that is not known. A pair of a provider's feed has a full name, with its line.
 */
export function usePairName(): (pair: Named) => string {
  const { t } = useTranslation()
  return (pair) => {
    const { home, away, marketName, oddName, sbv, sportId, marketType } = pair
    if (isOfProvider(pair)) {
      return oddName
    }
    const hasSides = sportId === null || marketType === null || AMOUNTS[sportId] !== marketType
    const side = hasSides ? { '1': home, X: t('draw'), '2': away }[oddName] : null
    const numbered = /^\d+$/.test(sbv ?? '') ? numberedName(sportId, marketType) : null
    if (numbered) {
      return `${side || oddName} (${t(numbered, { number: sbv })})`
    }
    const line = readableLine(sbv)
    if (!side) {
      return [oddName, line].filter(Boolean).join(' ')
    }
    if (!sbv || !line) {
      return side
    }
    const outcomes = [{ type: pair.oddType, name: oddName }]
    if (!isHandicap(pair, outcomes)) {
      return `${side} (${marketTitle(marketName, line)})`
    }
    return `${side} ${oddName === '2' ? awayHandicap(sbv) : lineText(pair, outcomes)}`
  }
}
