/** The statistics of a match, as bars with the shares of both sides. Pure functions. */
import type { Pair } from '../domain/offer'
import type { Texts } from './texts'
import type { Tracked } from './tracked'

export interface Bar {
  readonly label: string
  /** The displayed numbers. */
  readonly figures: Pair<string>
  /** The share of the home side, 0 to 1; null if both are zero. */
  readonly share: number | null
}

/** More would push what follows out of view. */
export const BARS_MAX = 6

const RUGBY = 12

/** Numbers of ball actions (docs/protocol.md). */
export const ACTION = {
  touch: 0,
  attack: 1,
  dangerous: 2,
  shot: 3,
  freeKick: 5,
  goalKick: 6,
  throwIn: 7,
  goal: 10,
  penalty: 11,
}

/** The statistics of corners, cards and ball positions, the most important first. */
export function bars({ match, history }: Tracked, texts: Texts): Bar[] {
  const { t } = texts
  const count = (actions: readonly number[]): Pair | null => {
    const sum = (side: 0 | 1) => actions.reduce((total, action) => total + (history.counts[action]?.[side] ?? 0), 0)
    return history.counts.length > 0 ? [sum(0), sum(1)] : null
  }
  const told: Bar[] = []
  const add = (label: string, pair: Pair | null) => {
    if (pair) {
      told.push(bar(label, pair))
    }
  }
  const touches = count([ACTION.touch])
  if (touches && touches[0] + touches[1] > 0) {
    told.push(possession(texts, touches))
    add(t('trackerShots'), count([ACTION.shot, ACTION.goal, ACTION.penalty]))
    add(t('trackerDangerousAttacks'), count([ACTION.dangerous]))
  }
  add(t('corners'), match.corners)
  if (match.sportId === RUGBY) {
    add(t('trackerCards'), together(match.yellowCards, match.redCards))
  } else {
    add(t('yellowCards'), match.yellowCards)
    add(t('redCards'), match.redCards)
  }
  if (touches && touches[0] + touches[1] > 0) {
    add(t('trackerAttacks'), count([ACTION.attack]))
    add(t('trackerFreeKicks'), count([ACTION.freeKick]))
    add(t('trackerThrowIns'), count([ACTION.throwIn]))
    add(t('trackerGoalKicks'), count([ACTION.goalKick]))
  }
  return told
}

function together(one: Pair | null, other: Pair | null): Pair | null {
  return one && other ? [one[0] + other[0], one[1] + other[1]] : (one ?? other)
}

export function bar(label: string, [home, away]: Pair, figures: Pair<string> = [String(home), String(away)]): Bar {
  return { label, figures, share: home + away > 0 ? home / (home + away) : null }
}

function possession({ t, percent }: Texts, [home, away]: Pair): Bar {
  const share = home / (home + away)
  const rounded = Math.round(share * 100) / 100
  return { label: t('trackerPossession'), figures: [percent(rounded), percent(1 - rounded)], share }
}
