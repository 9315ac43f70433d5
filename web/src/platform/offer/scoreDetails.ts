import type { TFunction } from 'i18next'
import type { Match } from '../../domain/offer'
import { gameName } from '../../i18n/gameName'
import { scoreLayout } from './scoreLayout'

/** What the score of a match consists of, as texts: the current game, such as *Gem 40:15*, and the periods. */
export function scoreDetails(match: Match, t: TFunction): { readonly game: string; readonly periods: string } {
  const periods = periodsText(match)
  return {
    game: match.game ? `${t(gameName(match.sportId, match.tiebreak))} ${match.game.join(':')}` : '',
    periods: periods && scoreLayout(match.sportId).cards ? `${t('halfTimeShort')} ${periods}` : periods,
  }
}

/** The scores of the periods. For soccer only the first half, after it is over. */
export function periodsText(match: Pick<Match, 'sportId' | 'status' | 'scores' | 'result'>): string {
  if (match.result) {
    return match.result
  }
  const periods = match.scores.map(([home, away]) => `${home}:${away}`)
  if (scoreLayout(match.sportId).cards) {
    return match.status === 'first_half' ? '' : (periods[0] ?? '')
  }
  return periods.join('  ')
}
