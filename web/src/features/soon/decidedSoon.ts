/**
 * Estimates when a market will be decided, from the match's status, clock, score and game. The feed does not say it, so
 * this is a rough time for display only. Market types are those of the simulator and of the recorded matches; a type
 * that is not mentioned here or in `marketTypes.ts` has no estimate.
 */
import { clockSeconds } from '../../domain/clock'
import type { Market, Match, SportId } from '../../domain/offer'
import { DECIDED_BY, TYPES } from './marketTypes'

type Facts = Pick<Match, 'sportId' | 'status' | 'score' | 'scores' | 'clock' | 'game' | 'tiebreak'>
type Kind = Pick<Market, 'type' | 'sbv'>
type Estimate = (match: Facts, market: Kind, context: Context) => number | null

interface Context {
  readonly serverNowMs: number
  /** All markets of the match that are known. */
  readonly markets: readonly Kind[]
}

/** "Soon" ends here: a bettor can wait for it. */
export const SOON_SECONDS = 5 * 60

/** The seconds until each market is decided, soonest first; only markets that are decided soon. */
export function decidedSoon<M extends Kind>(
  match: Facts,
  markets: readonly M[],
  serverNowMs: number,
): { market: M; seconds: number }[] {
  const estimate = SPORTS[match.sportId]
  if (!estimate) {
    return []
  }
  const context = { serverNowMs, markets }
  return markets
    .flatMap((market) => {
      const seconds = estimate(match, market, context)
      return seconds !== null && seconds <= SOON_SECONDS ? [{ market, seconds }] : []
    })
    .sort((a, b) => a.seconds - b.seconds)
}

/** What the end of a period decides. */
interface Ends {
  readonly types: readonly number[]
  /** These only if the score is not level. */
  readonly unlessLevel?: readonly number[]
  /** These for the line that is the number of the period. */
  readonly byLine?: readonly number[]
}

/** When a period ends. */
interface Period {
  /** The clock at its end. */
  readonly end: number
  /** Seconds that are usually added to it. */
  readonly added?: number
}

interface ClockRules {
  readonly decided: Readonly<Record<string, Ends>>
  /** Real seconds for one second of the clock, which stops now and then. */
  readonly pace: number
  readonly periods: Readonly<Record<string, Period>>
  /** Clock seconds to the next goal, where goals are frequent. */
  readonly nextGoal?: number
}

const NEXT_GOAL = 7

function byClock({ decided, pace, periods, nextGoal }: ClockRules): Estimate {
  return (match, { type }, { serverNowMs }) => {
    const status = match.status ?? ''
    const period = periods[status]
    const ends = decided[status]
    const clock = match.clock && clockSeconds(match.clock, serverNowMs)
    if (!period || !ends || clock === null) {
      return null
    }
    const left = Math.max(SHORTEST, (period.end + (period.added ?? 0) - clock) * pace)
    if (type === NEXT_GOAL && nextGoal !== undefined) {
      return Math.min(left, nextGoal * pace)
    }
    return isDecidedBy(ends, type, match) ? left : null
  }
}

/** The clock may be past the expected end. */
const SHORTEST = 20

function isDecidedBy({ types, unlessLevel }: Ends, type: number, { score }: Facts): boolean {
  return types.includes(type) || (unlessLevel?.includes(type) === true && score?.[0] !== score?.[1])
}

/** Four quarters: the market of a quarter has its number as its line, or a type of its own. */
function byQuarter(
  decided: Readonly<Record<string, Ends>>,
  pace: number,
  quarterSeconds: (match: Facts, clock: number, markets: readonly Kind[]) => number,
) {
  const estimate: Estimate = (match, { type, sbv }, { serverNowMs, markets }) => {
    const quarter = numberOf(match.status, 'quarter_')
    const ends = decided[match.status ?? '']
    const clock = match.clock && clockSeconds(match.clock, serverNowMs)
    if (quarter === null || !ends || clock === null) {
      return null
    }
    const isOfQuarter = ends.byLine?.includes(type) === true && sbv === String(quarter)
    if (!isOfQuarter && !isDecidedBy(ends, type, match)) {
      return null
    }
    return Math.max(SHORTEST, (quarter * quarterSeconds(match, clock, markets) - clock) * pace)
  }
  return estimate
}

/** A total of more points belongs to quarters of 12 minutes. */
const LONG_TOTAL = 190

/** Basketball has quarters of 10 or 12 minutes; the feed does not say which. */
function basketballQuarter({ status }: Facts, clock: number, markets: readonly Kind[]): number {
  const quarter = numberOf(status, 'quarter_') ?? 1
  const total = Number(markets.find(({ type }) => type === 18)?.sbv ?? 0)
  const isLong = clock > quarter * 600 || (total > LONG_TOTAL && clock >= (quarter - 1) * 720)
  return isLong ? 720 : 600
}

interface RallyRules {
  /** Seconds from one point to the next. */
  readonly point: number
  /** The points that win a set, and those that win the last possible one. */
  readonly target: number
  readonly last: { readonly set: number; readonly target: number }
}

/** Points of both sides for one point of the leader, on average. */
const POINTS_PER_LEAD = 1.8

function byRally({ point, target, last }: RallyRules): Estimate {
  return (match, { type, sbv }) => {
    const set = numberOf(match.status, 'set_')
    const score = match.scores.at(-1)
    if (set === null || !score || match.scores.length !== set) {
      return null
    }
    const [home, away] = score
    switch (type - set * 100) {
      case TYPES.rally.setPoint:
        return sbv === String(home + away + 1) ? point : null
      case TYPES.rally.setWinner:
      case TYPES.rally.setTotal: {
        const missing = (set >= last.set ? last.target : target) - Math.max(home, away)
        return Math.max(2, missing * POINTS_PER_LEAD) * point
      }
      default:
        return null
    }
  }
}

const TENNIS_POINT = 30

const tennis: Estimate = (match, { type, sbv }) => {
  const set = numberOf(match.status, 'set_')
  const score = match.scores.at(-1)
  if (set === null || !score || match.scores.length !== set) {
    return null
  }
  if (type === TYPES.tennis.point) {
    return TENNIS_POINT
  }
  const [home, away] = score
  const left = pointsLeft(match) * TENNIS_POINT
  switch (type - set * 100) {
    case TYPES.tennis.setGame:
      return match.tiebreak !== true && sbv === String(home + away + 1) ? left : null
    case TYPES.tennis.setWinner:
    case TYPES.tennis.setTotal: {
      // The set can end with this game.
      const canEnd = match.tiebreak === true || (Math.max(home, away) >= 5 && home !== away)
      return canEnd ? left : null
    }
    default:
      return null
  }
}

const TENNIS_POINTS: Readonly<Record<string, number>> = { '0': 0, '15': 1, '30': 2, '40': 3, A: 4, AD: 4 }

/** The points that the game still takes, on average. */
function pointsLeft({ game, tiebreak }: Facts): number {
  const [home, away] = game ?? ['0', '0']
  if (tiebreak === true) {
    return Math.max(2, (7 - Math.max(Number(home) || 0, Number(away) || 0)) * POINTS_PER_LEAD)
  }
  const points = [TENNIS_POINTS[home] ?? 0, TENNIS_POINTS[away] ?? 0]
  const most = Math.max(...points)
  return most > 3 ? 2 : (4 - most) * 1.3 + Math.min(...points) * 0.5
}

const BALL_SECONDS = 28
const BALLS = 6
const OVERS = 20

const cricket: Estimate = ({ status, clock }, { type, sbv }) => {
  const innings = numberOf(status, 'innings_')
  const bowled = clock?.kind === 'text' ? /^(\d+)\.(\d)$/.exec(clock.text) : null
  if (innings === null || !bowled) {
    return null
  }
  const [over, ball] = [Number(bowled[1]), Number(bowled[2])]
  const left = (BALLS - ball) * BALL_SECONDS
  const { winner, firstRuns, secondRuns, overRuns, overWicket } = TYPES.cricket
  const ofInnings: readonly number[] = innings === 1 ? [firstRuns] : [winner, secondRuns]
  switch (type) {
    case overRuns:
      return left
    case overWicket:
      return sbv === String(over + 1) ? left : null
    default:
      return ofInnings.includes(type) ? (OVERS - over - 1) * BALLS * BALL_SECONDS + left : null
  }
}

const darts: Estimate = ({ status, game }, { type }) => {
  if (!/^(leg|set)_/.test(status ?? '') || !game || (type !== TYPES.darts.leg && type !== TYPES.darts.maximumInLeg)) {
    return null
  }
  // A visit of each side takes 25 seconds and about 85 points; the last one takes fewer.
  const least = Math.min(Number(game[0]) || 0, Number(game[1]) || 0)
  return (least / 85 + 0.5) * 25
}

const snooker: Estimate = ({ status, game }, { type, sbv }) => {
  const frame = numberOf(status, 'frame_')
  if (
    frame === null ||
    !game ||
    sbv !== String(frame) ||
    (type !== TYPES.snooker.leg && type !== TYPES.snooker.fifty)
  ) {
    return null
  }
  // A frame takes about 100 points, and a point ten seconds.
  return Math.max(60, (100 - (Number(game[0]) || 0) - (Number(game[1]) || 0)) * 10)
}

const OUT_SECONDS = 105
const INNINGS = 9

const baseball: Estimate = ({ status, clock, score }, { type, sbv }) => {
  const inning = numberOf(status, 'inning_')
  // Which half is played, and the outs: `▼ ●○`.
  const half = clock?.kind === 'text' ? /^([▲▼])/.exec(clock.text)?.[1] : undefined
  if (inning === null || half === undefined || clock?.kind !== 'text') {
    return null
  }
  const left = (3 - (clock.text.match(/●/g)?.length ?? 0)) * OUT_SECONDS
  const [home, away] = score ?? [0, 0]
  const { inning: ofInning, nine, nextRun, handicap, total, winner } = TYPES.baseball
  if (type === ofInning) {
    return half === '▼' && sbv === String(inning) ? left : null
  }
  const isLast = inning >= INNINGS && home !== away && (half === '▼' || home > away)
  const atTheEnd: readonly number[] = [nine, nextRun, handicap, total, winner]
  return isLast && atTheEnd.includes(type) ? left : null
}

const ROUND_SECONDS = 300

const mma: Estimate = ({ status, clock }, { type, sbv }, { serverNowMs }) => {
  const round = numberOf(status, 'round_')
  const seconds = clock && clockSeconds(clock, serverNowMs)
  const isOfRound = type === TYPES.mma.endsInRound && round !== null && sbv === String(round)
  return isOfRound && seconds !== null ? Math.max(SHORTEST, ROUND_SECONDS - seconds) : null
}

/** The number in a status such as `set_2`. */
function numberOf(status: string | null, prefix: string): number | null {
  const number = status?.startsWith(prefix) ? Number(status.slice(prefix.length)) : Number.NaN
  return Number.isInteger(number) ? number : null
}

/** By the ids of the sports. Paces are those of the simulator, rounded. */
const SPORTS: Readonly<Record<SportId, Estimate>> = {
  1: byClock({
    decided: DECIDED_BY.soccer,
    pace: 1,
    periods: {
      first_half: { end: 2700, added: 120 },
      second_half: { end: 5400, added: 240 },
      second_extra: { end: 7200, added: 60 },
    },
  }),
  2: byQuarter(DECIDED_BY.basketball, 1.6, basketballQuarter),
  3: baseball,
  4: byClock({
    decided: DECIDED_BY.iceHockey,
    pace: 1.6,
    periods: {
      period_1: { end: 1200 },
      period_2: { end: 2400 },
      period_3: { end: 3600 },
    },
  }),
  5: tennis,
  6: byClock({
    decided: DECIDED_BY.handball,
    pace: 1.2,
    nextGoal: 65,
    periods: {
      first_half: { end: 1800 },
      second_half: { end: 3600 },
      second_extra: { end: 4200 },
    },
  }),
  12: byClock({
    decided: DECIDED_BY.rugby,
    pace: 1.2,
    periods: {
      first_half: { end: 2400 },
      second_half: { end: 4800 },
    },
  }),
  16: byQuarter(DECIDED_BY.americanFootball, 2.7, () => 900),
  19: snooker,
  20: byRally({ point: 14, target: 11, last: { set: 8, target: 11 } }),
  21: cricket,
  22: darts,
  23: byRally({ point: 26, target: 25, last: { set: 5, target: 15 } }),
  29: byClock({
    decided: DECIDED_BY.futsal,
    pace: 1.8,
    periods: {
      first_half: { end: 1200 },
      second_half: { end: 2400 },
    },
  }),
  31: byRally({ point: 25, target: 21, last: { set: 4, target: 21 } }),
  34: byRally({ point: 22, target: 21, last: { set: 3, target: 15 } }),
  37: byRally({ point: 24, target: 11, last: { set: 6, target: 11 } }),
  117: mma,
}
