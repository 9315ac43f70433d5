/** The scoreboard page in a shadow root, with the state of a match that does not change. */

import type { Pair } from '../domain/offer'
import type { TranslationKey } from '../i18n/keys'
import { formatNumber } from '../i18n/locale'
import type { PageTexts } from '../i18n/pageTexts'
import { statusText } from '../i18n/statusText'
import type { ToldMatch } from '../protocol/frames'
import { type History, NO_HISTORY } from '../scoreboard/history'
import { Page } from '../scoreboard/page'
import { withSample } from '../scoreboard/sample'
import trackerCss from '../scoreboard/scoreboard.css?inline'
import type { Places } from '../scoreboard/texts'
import type { Tracked } from '../scoreboard/tracked'
import globalCss from '../styles/global.css?inline'

export const HISTORY: History = {
  incidents: [
    { kind: 'corner', side: 1, seconds: 480, status: 'first_half', score: null, player: null },
    { kind: 'goal', side: 1, seconds: 1140, status: 'first_half', score: [1, 0], player: 'M. Petković' },
    { kind: 'yellow', side: 2, seconds: 1790, status: 'first_half', score: null, player: 'F. Krovinović' },
    { kind: 'ownGoal', side: 2, seconds: 2340, status: 'first_half', score: [1, 1], player: 'K. Théophile' },
    { kind: 'penaltyMissed', side: 2, seconds: 2790, status: 'second_half', score: null, player: 'M. Livaja' },
    { kind: 'red', side: 2, seconds: 3000, status: 'second_half', score: null, player: 'D. Šarlija' },
    { kind: 'penalty', side: 1, seconds: 3420, status: 'second_half', score: [2, 1], player: 'B. Petković' },
  ],
  pressure: Array.from({ length: 66 }, (_, at) => Math.round(12 * Math.sin(at / 5) + 6 * Math.sin(at / 2))),
  counts: [
    [116, 84],
    [20, 10],
    [41, 29],
    [5, 3],
    [0, 0],
    [1, 1],
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 0],
    [0, 0],
    [0, 0],
  ],
}

/** `before` is the score before its last change, which has just happened. */
export function trackedOf(match: ToldMatch, history: History = NO_HISTORY, before?: Pair): Tracked {
  const { markets: _, ball: __, ...row } = match
  const ball = match.sportId === 1 ? ({ x: 80, y: 40, side: 1, action: 2 } as const) : null
  const seen = before ? withSample(withSample([], { ...row, score: before }, 0), row, 0) : []
  return { match: row, ball, history, seen, detailRevision: 1 }
}

export type TrackerState = 'loading' | 'inactive' | 'gone' | 'shown' | 'stale' | 'statistics' | 'timeline'

export function trackerPage(
  root: ShadowRoot,
  i18n: PageTexts,
  state: TrackerState,
  tracked: Tracked,
  width: 355 | 530,
  isFramed = true,
) {
  const texts = {
    t: (key: TranslationKey, places?: Places) => i18n.t(key, { ...places }),
    status: (status: string) => statusText(i18n, status),
    percent: (share: number) => formatNumber('hr', share, { style: 'percent' }),
  }
  const style = document.createElement('style')
  style.textContent = globalCss + trackerCss
  const page = new Page(texts, { width, hasTabs: isFramed, isFramed }, () => undefined)
  // The page measures its texts, so it must be in the document first.
  root.replaceChildren(style, page.root)
  if (state === 'loading' || state === 'inactive' || state === 'gone') {
    page.show({ kind: state }, 0)
  } else {
    page.show({ kind: 'shown', tracked, isStale: state === 'stale' }, 0)
  }
  if (state === 'statistics' || state === 'timeline') {
    page.turn(state)
  }
  // Screenshots wait for the drawing of the sport.
  root.host.toggleAttribute('data-waiting', true)
  void page.loaded().then(() => root.host.toggleAttribute('data-waiting', false))
}
