import type { TicketPair } from '../../domain/ticket/ticket'
import { useTranslation } from '../../i18n/useTranslation'

type Named = Pick<TicketPair, 'home' | 'away' | 'oddName' | 'sbv'>

/** The displayed name of a pair: the team for the odds 1 and 2, *draw* for X, otherwise the odd's name and line. */
export function usePairName(): (pair: Named) => string {
  const { t } = useTranslation()
  return ({ home, away, oddName, sbv }) => {
    if (sbv) {
      return `${oddName} ${sbv}`
    }
    switch (oddName) {
      case '1':
        return home || oddName
      case '2':
        return away || oddName
      case 'X':
        return t('draw')
      default:
        return oddName
    }
  }
}
