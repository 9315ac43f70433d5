import type { TicketPair } from '../../domain/ticket/ticket'
import { useTranslation } from '../../i18n/useTranslation'

type Named = Pick<TicketPair, 'home' | 'away' | 'oddName' | 'sbv'>

/** What a pair bets on, in words: the team where the odd stands for one, the odd's own name and its line elsewhere. */
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
