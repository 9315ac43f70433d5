/**
 * Whether an open pair would win or lose if its match ended now. Only markets that the score decides: the result, the
 * winner, double chance, draw no bet, handicaps, totals and both teams to score. Market types are those of the
 * simulator and of the recorded matches; those of a provider's feed are translated.
 */
import type { BetPair } from './bet'
import { fold } from './fold'
import type { Match, SportId } from './offer'
import { inOwnTerms } from './providerTypes'

/** `needs` is what a total still has to rise by. */
export type Standing = { readonly is: 'leads' | 'trails' } | { readonly is: 'needs'; readonly needs: number }

type Facts = Pick<BetPair, 'marketName' | 'marketType' | 'oddType' | 'oddName' | 'sbv'>

/** Sports with a score of goals, points or runs: the score of the match is what totals and handicaps count. */
const BY_SCORE: ReadonlySet<SportId> = new Set([1, 2, 3, 4, 6, 12, 16, 29])
/** Sports with a score of sets. */
const BY_SETS: ReadonlySet<SportId> = new Set([5, 20, 23, 31, 34, 37])
const SOCCER = 1

const WINNER_OF_SETS = 20
const [RESULT, DOUBLE_CHANCE, DRAW_NO_BET, HANDICAP, BOTH_SCORE, TOTAL, WINNER] = [1, 2, 3, 9, 10, 18, 60]

/** Folded, so that each Latin name also stands for the Cyrillic one. */
const OVER: ReadonlySet<string> = new Set(['over', 'vise'])
const UNDER: ReadonlySet<string> = new Set(['under', 'manje'])
const YES: ReadonlySet<string> = new Set(['yes', 'da'])
const NO: ReadonlySet<string> = new Set(['no', 'ne'])

/** Null if the score does not show it, or if the stake would be returned, or a part of it. */
export function standingOf(pair: Facts, { sportId, score }: Pick<Match, 'sportId' | 'score'>): Standing | null {
  if (!score) {
    return null
  }
  const own = inOwnTerms(pair)
  if (BY_SETS.has(sportId)) {
    const isWinner = own.marketType === WINNER_OF_SETS || own.marketType === WINNER
    return isWinner ? ofSide(own.oddName, score[0] - score[1]) : null
  }
  return BY_SCORE.has(sportId) ? ofScore(own, sportId, score) : null
}

function ofScore({ marketType, oddName, sbv }: Facts, sportId: SportId, score: readonly [number, number]) {
  const lead = score[0] - score[1]
  switch (marketType) {
    case RESULT:
      return oddName === 'X' ? wins(lead === 0) : (ofSide(oddName, lead) ?? (isSide(oddName) ? TRAILS : null))
    case DOUBLE_CHANCE:
      return /^(1X|X2|12)$/.test(oddName) ? wins(oddName.includes(lead > 0 ? '1' : lead < 0 ? '2' : 'X')) : null
    case DRAW_NO_BET:
    case WINNER:
      return ofSide(oddName, lead)
    case HANDICAP: {
      const line = Number(sbv ?? Number.NaN)
      return Number.isNaN(line) ? null : ofSide(oddName, lead + line)
    }
    case BOTH_SCORE: {
      const have = score[0] > 0 && score[1] > 0
      const answer = fold(oddName)
      return sportId !== SOCCER ? null : YES.has(answer) ? wins(have) : NO.has(answer) ? wins(!have) : null
    }
    case TOTAL:
      return ofTotal(fold(oddName), Number(sbv ?? Number.NaN) - score[0] - score[1])
    default:
      return null
  }
}

/** `left` is the line less the total. */
function ofTotal(answer: string, left: number): Standing | null {
  if (Number.isNaN(left) || isReturned(left)) {
    return null
  }
  if (OVER.has(answer)) {
    return left < 0 ? LEADS : { is: 'needs', needs: Math.floor(left) + 1 }
  }
  return UNDER.has(answer) ? wins(left > 0) : null
}

const LEADS: Standing = { is: 'leads' }
const TRAILS: Standing = { is: 'trails' }

const wins = (does: boolean): Standing => (does ? LEADS : TRAILS)

const isSide = (oddName: string) => oddName === '1' || oddName === '2'

/** At a whole line the stake is returned, at one of a quarter a half of it. */
const isReturned = (difference: number) => Math.abs(difference) < 0.5

/** Null while both sides are level. */
function ofSide(oddName: string, lead: number): Standing | null {
  return isReturned(lead) || !isSide(oddName) ? null : wins(lead > 0 === (oddName === '1'))
}
