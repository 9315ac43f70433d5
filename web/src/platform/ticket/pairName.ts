import { awayHandicap, isHandicap, signedHandicap } from '../../domain/handicap'
import type { TicketPair } from '../../domain/ticket/ticket'
import { useTranslation } from '../../i18n/useTranslation'

type Named = Pick<TicketPair, 'home' | 'away' | 'oddName' | 'sbv'>

/**
 * The displayed name of a pair: the team for the odds 1 and 2, *draw* for X, otherwise the odd's name, each with its
 * line. A team has its own handicap, and the number of a goal or a frame is in parentheses.
 */
export function usePairName(): (pair: Named) => string {
  const { t } = useTranslation()
  return ({ home, away, oddName, sbv }) => {
    const side = { '1': home, X: t('draw'), '2': away }[oddName]
    if (!side) {
      return [oddName, sbv].filter(Boolean).join(' ')
    }
    if (!sbv) {
      return side
    }
    if (!isHandicap(sbv, [oddName])) {
      return `${side} (${sbv})`
    }
    return `${side} ${oddName === '2' ? awayHandicap(sbv) : signedHandicap(sbv)}`
  }
}
