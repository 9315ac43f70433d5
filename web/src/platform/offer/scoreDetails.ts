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

/** The scores of the periods, for soccer of the first half after it is over, and what the result has beyond them. */
export function periodsText(match: Pick<Match, 'sportId' | 'status' | 'score' | 'scores' | 'result'>): string {
  const { sportId, status, result } = match
  const score = match.score?.join(':') ?? ''
  const periods = match.scores.map((period) => period.join(':'))
  const shown = scoreLayout(sportId).cards ? periods.slice(0, status === 'first_half' ? 0 : 1) : periods
  const isOver = result !== null || status === 'ended'
  const parts = isOver && periods.length === 1 && periods[0] === score ? [] : shown
  const more = (result?.startsWith(score) ? result.slice(score.length) : (result ?? '')).trim()
  const isKnown = parts.includes(more.replace(/[()]/g, ''))
  return [parts.join('  '), isKnown ? '' : more].filter(Boolean).join(' ')
}
