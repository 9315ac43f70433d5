/** What is announced of the open match when its row changes, by sport. Goals of soccer are messages of their own. */
import type { Match, Pair, Side, SportId } from '../../domain/offer'
import { isPartOver } from '../../domain/parts'
import { isBreakPoint, isSetWon, setRule, targetOf } from '../../domain/points'
import { matchName } from '../offer/matchName'
import type { Announcement } from './announcementsSlice'

/** Two states of a match, and the side that was in the lead last. */
interface Change {
  readonly before: Match
  readonly now: Match
  readonly lead: Side | 0
}

type Spoken = Announcement | null

const RULES: Readonly<Record<SportId, (change: Change) => Spoken>> = {
  1: penalty,
  2: basketball,
  3: baseball,
  4: goal,
  5: tennis,
  6: handball,
  12: rugby,
  16: football,
  19: (change) => won('spokenFrame', change),
  20: rallies,
  21: cricket,
  22: darts,
  23: rallies,
  29: goal,
  31: rallies,
  34: rallies,
  37: rallies,
  117: martialArts,
}

export function spokenOf(before: Match, now: Match, lead: Side | 0): Spoken {
  return RULES[now.sportId]?.({ before, now, lead }) ?? null
}

/** The side in the lead; 0 if the score is level or unknown. */
export function leaderOf({ score }: Match): Side | 0 {
  const by = score ? score[0] - score[1] : 0
  return by > 0 ? 1 : by < 0 ? 2 : 0
}

const PENALTY = 11

function penalty({ before, now }: Change): Spoken {
  const side = now.ball?.action === PENALTY && before.ball?.action !== PENALTY ? sideOf(now.ball.side) : null
  return side && of('spokenPenalty', now, side)
}

function goal({ before, now }: Change): Spoken {
  return gainOf(before.score, now.score)
    ? { key: 'goalAnnouncement', values: { match: matchName(now), score: text(now.score) } }
    : null
}

function handball({ before, now, lead }: Change): Spoken {
  const leader = leaderOf(now)
  return gainOf(before.score, now.score) && leader !== 0 && lead !== 0 && leader !== lead
    ? of('spokenLead', now, leader)
    : null
}

function basketball({ before, now }: Change): Spoken {
  return isPartOver(before.status, now.status)
    ? { key: 'spokenPart', values: { match: matchName(now), score: text(now.score) } }
    : null
}

function rugby({ before, now }: Change): Spoken {
  const card = gainOf(before.yellowCards, now.yellowCards)
  if (card) {
    return of('spokenYellowCard', now, card.side)
  }
  // No other way to score has five points; seven are a try with its conversion, or a penalty try.
  const gain = gainOf(before.score, now.score)
  return gain && (gain.by === 5 || gain.by === 7) ? of('spokenTry', now, gain.side) : null
}

function football({ before, now }: Change): Spoken {
  const gain = gainOf(before.score, now.score)
  if (gain?.by === 3) {
    return of('spokenFieldGoal', now, gain.side)
  }
  // One or two points after a touchdown may come together with it.
  return gain && gain.by >= 6 && gain.by <= 8 ? of('spokenTouchdown', now, gain.side) : null
}

function baseball({ before, now }: Change): Spoken {
  const gain = gainOf(before.score, now.score)
  if (gain) {
    return of('spokenRuns', now, gain.side)
  }
  const bats = sideOf(now.playerServing)
  return bats && sideOf(before.playerServing) && now.playerServing !== before.playerServing
    ? of('trackerBatsName', now, bats)
    : null
}

function tennis(change: Change): Spoken {
  const { before, now } = change
  const set = won('spokenSet', change)
  if (set) {
    return set
  }
  const last = Math.max(0, before.scores.length - 1)
  const games = now.scores[last]
  const game = gainOf(before.scores[last] ?? [0, 0], games)
  if (game) {
    return of('spokenGame', now, game.side, games)
  }
  const receiver = breakPointOf(now)
  return receiver && !breakPointOf(before) ? of('spokenBreakPoint', now, receiver) : null
}

function breakPointOf({ game, playerServing, tiebreak }: Match): Side | null {
  const server = sideOf(playerServing)
  return game && server && tiebreak !== true && isBreakPoint(game, server) ? other(server) : null
}

function rallies(change: Change): Spoken {
  const { before, now } = change
  const set = won('spokenSet', change)
  if (set) {
    return set
  }
  const side = setPointOf(now)
  const isSameSet = before.scores.length === now.scores.length
  return side && !(isSameSet && setPointOf(before) === side) ? of('spokenSetPoint', now, side, now.scores.at(-1)) : null
}

/** The side that wins the set with the next point, if it is one alone. */
function setPointOf({ sportId, scores }: Match): Side | null {
  const rule = setRule(sportId)
  const points = scores.at(-1)
  if (!rule || !points) {
    return null
  }
  const target = targetOf(rule, scores.length - 1)
  const isOver = isSetWon(Math.max(...points), Math.min(...points), target, rule.most)
  const [home, away] = [
    isSetWon(points[0] + 1, points[1], target, rule.most),
    isSetWon(points[1] + 1, points[0], target, rule.most),
  ]
  return isOver || home === away ? null : home ? 1 : 2
}

function darts(change: Change): Spoken {
  const { before, now } = change
  const total = won(now.scores.length > 0 ? 'spokenSet' : 'spokenLeg', change)
  if (total) {
    return total
  }
  const last = Math.max(0, before.scores.length - 1)
  const legs = now.scores[last]
  const leg = gainOf(before.scores[last] ?? [0, 0], legs)
  if (leg) {
    return of('spokenLeg', now, leg.side, legs)
  }
  const side = ([1, 2] as const).find((each) => leftOf(before, each) - leftOf(now, each) === 180)
  return side ? of('spokenMaximum', now, side) : null
}

/** The points left in the leg; not a number if they are unknown. */
function leftOf({ game }: Match, side: Side): number {
  const left = game?.[side - 1]
  return left ? Number(left) : Number.NaN
}

function cricket({ before, now }: Change): Spoken {
  for (const side of [1, 2] as const) {
    const [was, is] = [inningsOf(before, side), inningsOf(now, side)]
    if (was && is && is.wickets > was.wickets) {
      return { key: 'spokenWicket', values: { name: nameOf(now, side), score: now.game?.[side - 1] ?? '' } }
    }
    if (was && is && Math.floor(is.runs / 50) > Math.floor(was.runs / 50)) {
      return { key: 'spokenFifty', values: { name: nameOf(now, side), score: now.game?.[side - 1] ?? '' } }
    }
  }
  return isPartOver(before.status, now.status)
    ? { key: 'spokenInningsEnd', values: { match: matchName(now), score: now.game?.join(' – ') ?? text(now.score) } }
    : null
}

/** Runs and wickets, if the text reads so. */
function inningsOf({ game }: Match, side: Side): { readonly runs: number; readonly wickets: number } | null {
  const [, runs, wickets] = /^(\d{1,4})\/(\d{1,2})$/.exec(game?.[side - 1] ?? '') ?? []
  return runs !== undefined && wickets !== undefined ? { runs: Number(runs), wickets: Number(wickets) } : null
}

function martialArts({ before, now }: Change): Spoken {
  if (before.status === now.status) {
    return null
  }
  const [was, is] = [roundOf(before), roundOf(now)]
  if (now.status === 'ended') {
    return { key: 'spokenFightEnd', values: { match: matchName(now) } }
  }
  if (is !== null) {
    return was === null ? { key: 'spokenRound', values: { round: is } } : null
  }
  return was !== null && isPartOver(before.status, now.status)
    ? { key: 'spokenRoundEnd', values: { round: was } }
    : null
}

function roundOf({ status }: Match): number | null {
  const [, round] = /^round_(\d+)$/.exec(status ?? '') ?? []
  return round === undefined ? null : Number(round)
}

/** A part that counts in the score: a set, a frame, a leg. */
function won(key: 'spokenSet' | 'spokenFrame' | 'spokenLeg', { before, now }: Change): Spoken {
  const gain = gainOf(before.score, now.score)
  return gain ? of(key, now, gain.side) : null
}

function of(key: Announcement['key'], match: Match, side: Side, score: Pair | null | undefined = match.score): Spoken {
  return { key, values: { name: nameOf(match, side), score: text(score) } }
}

/** The side that alone has more than before; null after a correction. */
function gainOf(
  before: Pair | null | undefined,
  now: Pair | null | undefined,
): { readonly side: Side; readonly by: number } | null {
  if (!before || !now) {
    return null
  }
  const [home, away] = [now[0] - before[0], now[1] - before[1]]
  if (home > 0 && away === 0) {
    return { side: 1, by: home }
  }
  return away > 0 && home === 0 ? { side: 2, by: away } : null
}

function sideOf(number: number | null): Side | null {
  return number === 1 || number === 2 ? number : null
}

function other(side: Side): Side {
  return side === 1 ? 2 : 1
}

function nameOf({ home, away }: Match, side: Side): string {
  return (side === 1 ? home : away) ?? ''
}

function text(score: Pair | null | undefined): string {
  return score?.join(':') ?? ''
}
