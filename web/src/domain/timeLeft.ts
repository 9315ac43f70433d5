/**
 * How much of a match is left, for the order of a sport's matches. The feed does not say how long a match is, so it has
 * the usual length of its sport, or the next longer one where clock or score are past that.
 */
import { clockSeconds } from './clock'
import type { Match, SportId } from './offer'

type Facts = Pick<Match, 'sportId' | 'status' | 'clock' | 'score' | 'scores'>
type Left = (match: Facts, serverNowMs: number) => number

/** What is left in a unit of the sport, such as seconds or sets: comparable within the sport alone. */
export function timeLeft(match: Facts, serverNowMs: number): number {
  return (SPORTS[match.sportId] ?? byPeriods)(match, serverNowMs)
}

interface Length {
  readonly periods: number
  /** The minutes of a period. */
  readonly minutes: readonly [usual: number, longer?: number]
  /** The minutes of extra time or of the first overtime. */
  readonly extra: number
}

const EXTRA_TIME = /extra|overtime|penalties/

/** The seconds until the end of regular time, or of extra time. Below zero is stoppage time. */
function byClock({ periods, minutes: [usual, longer = usual], extra }: Length): Left {
  return (match, serverNowMs) => {
    const seconds = secondsOf(match, serverNowMs)
    if (EXTRA_TIME.test(match.status ?? '')) {
      return (periods * usual + extra) * 60 - (seconds ?? 0)
    }
    const period = Math.min(match.scores.length, periods) || periods
    const length = ((seconds ?? 0) > period * usual * 60 ? longer : usual) * 60
    const played = seconds ?? (match.scores.length && period - 1) * length
    // The stoppage time of an earlier period does not shorten the others.
    return periods * length - (period < periods ? Math.min(played, period * length) : played)
  }
}

interface Sets {
  /** How many sets win a match, the usual number first. */
  readonly needs: readonly number[]
  /** The points of the winner of a set. */
  readonly points: number
}

/** A running set is never over. */
const ALMOST = 0.9

/** The sets that two equal sides would play on average, without what was played of the running one. */
function bySets({ needs, points }: Sets): Left {
  return ({ score, scores }) => {
    const [home, away] = score ?? [0, 0]
    const most = Math.max(home, away)
    const need = needs.find((each) => each > most) ?? most + 1
    const running = scores.length > home + away ? scores.at(-1) : undefined
    return setsLeft(need - home, need - away) - Math.min(ALMOST, Math.max(...(running ?? [0])) / points)
  }
}

const knownSets = new Map<string, number>()

function setsLeft(home: number, away: number): number {
  if (home === 0 || away === 0) {
    return 0
  }
  const key = `${home}:${away}`
  const sets = knownSets.get(key) ?? 1 + (setsLeft(home - 1, away) + setsLeft(home, away - 1)) / 2
  knownSets.set(key, sets)
  return sets
}

const dartsLegs = bySets({ needs: [10, 18], points: 1 })
const dartsSets = bySets({ needs: [3, 5, 7], points: 3 })
const LEGS_OF_SET = 4

/** Legs; where they make up sets, the score is in sets. */
const darts: Left = (match, serverNowMs) =>
  match.scores.length > 0 ? dartsSets(match, serverNowMs) * LEGS_OF_SET : dartsLegs(match, serverNowMs)

const INNINGS = 9

/** Innings. The clock says which half is played and how many are out: `▼ ●○`. */
const baseball: Left = (match) => {
  const text = textOf(match)
  const outs = text.match(/●/g)?.length ?? 0
  const begun = numberIn(match.status) ?? match.scores.length
  return INNINGS - Math.max(0, begun - 1) - (text.startsWith('▼') ? 0.5 : 0) - outs / 6
}

/** Overs of a match of twenty for each side, or of fifty. The clock counts those of the running innings: `11.2`. */
const cricket: Left = (match) => {
  const [overs = 0, balls = 0] = textOf(match).split('.').map(Number)
  const length = overs * 6 + balls > 120 ? 50 : 20
  const innings = numberIn(match.status) ?? match.scores.length
  return (innings > 1 ? 1 : 2) * length - overs - balls / 6
}

const ROUND_SECONDS = 300

/** The seconds of three rounds, or of five. Between two rounds the feed does not say which. */
const mma: Left = (match, serverNowMs) => {
  const round = numberIn(match.status) ?? 2
  return ((round > 3 ? 5 : 3) - round + 1) * ROUND_SECONDS - (secondsOf(match, serverNowMs) ?? 0)
}

/** A sport of which nothing is known: the more periods, time or points, the less is left. */
const byPeriods: Left = (match, serverNowMs) => {
  const played = (secondsOf(match, serverNowMs) ?? 0) + match.scores.flat().reduce((sum, points) => sum + points, 0)
  return -match.scores.length - Math.min(ALMOST, played / 100_000)
}

const secondsOf = ({ clock }: Facts, serverNowMs: number) => clock && clockSeconds(clock, serverNowMs)
const textOf = ({ clock }: Facts) => (clock?.kind === 'text' ? clock.text : '')

/** The number of a status such as `set_2`. */
function numberIn(status: string | null): number | null {
  const [digits] = /\d+$/.exec(status ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}

const SPORTS: Readonly<Record<SportId, Left>> = {
  1: byClock({ periods: 2, minutes: [45], extra: 30 }),
  2: byClock({ periods: 4, minutes: [10, 12], extra: 5 }),
  3: baseball,
  4: byClock({ periods: 3, minutes: [20], extra: 5 }),
  5: bySets({ needs: [2, 3], points: 6 }),
  6: byClock({ periods: 2, minutes: [30], extra: 10 }),
  12: byClock({ periods: 2, minutes: [40], extra: 20 }),
  16: byClock({ periods: 4, minutes: [15], extra: 10 }),
  19: bySets({ needs: [10, 18], points: 70 }),
  20: bySets({ needs: [3, 4], points: 11 }),
  21: cricket,
  22: darts,
  23: bySets({ needs: [3], points: 25 }),
  29: byClock({ periods: 2, minutes: [20], extra: 10 }),
  31: bySets({ needs: [2], points: 21 }),
  34: bySets({ needs: [2], points: 21 }),
  37: bySets({ needs: [3], points: 11 }),
  117: mma,
}
