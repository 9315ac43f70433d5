/** The table of a match: its parts, such as sets or quarters, and the total. In cricket runs, wickets and overs. */
import type { Pair } from '../domain/offer'
import { gameName } from '../i18n/gameName'
import type { TranslationKey } from '../i18n/keys'
import type { Width } from './address'
import { boardKind, partStatus } from './boards'
import { html } from './dom'
import type { Texts } from './texts'
import type { TrackedMatch } from './tracked'

/**
 * The most parts in the table, by panel width; if there are more, the newest are shown. In baseball the innings before
 * them are added up in the first column, so that the columns always give the total.
 */
const COLUMNS_MAX = { 355: 9, 530: 12 } as const
/** With more parts than this the names get less room. */
const MANY = 6
const TENNIS = 5
const DARTS = 22
const BASEBALL = 3

/** The parts that a match of these sports has at least, by its rules. */
const PARTS: Readonly<Record<number, number>> = { 1: 2, 2: 4, [BASEBALL]: 9, 4: 3, 6: 2, 12: 2, 16: 4, 29: 2 }

/**
 * The sets of a match, the shortest format first. The feed does not name the format, so the shortest one that the score
 * allows counts. Its last set keeps its place even if it is not needed.
 */
const SETS: Readonly<Record<number, readonly number[]>> = {
  [TENNIS]: [3, 5],
  20: [5, 7],
  23: [5],
  31: [3],
  34: [3],
  37: [5],
}

/** The headings of a total, which have more room here than in a row of the list. */
const TOTALS: Readonly<Partial<Record<TranslationKey, TranslationKey>>> = {
  scoreTotal: 'trackerTotal',
  scoreGoals: 'trackerGoalsTotal',
  scoreFrames: 'trackerFramesTotal',
  scoreSets: 'trackerSetsTotal',
}

/** A column of the table: a part of the match, or a total. */
export interface Column {
  readonly head: string
  /** For screen readers, if the heading is a number. */
  readonly name?: string
  readonly cells: Pair<string>
  readonly classes: Pair<string>
  /** Whether a cell with a text is drawn as a dot. */
  readonly isDot?: boolean
}

/** The table; null if there is neither a score nor a part. `own` are the columns of the sport, the last is the total. */
export function partsTable(
  match: TrackedMatch,
  texts: Texts,
  width: Width,
  own: readonly Column[] | null = null,
): HTMLElement | null {
  const columns = own?.slice(-COLUMNS_MAX[width] - 1) ?? columnsOf(match, texts, width)
  if (columns.length === 0) {
    return null
  }
  const heading = ({ head, name }: Column) =>
    html(
      'th',
      { scope: 'col', title: name },
      name && name !== head ? html('span', { 'aria-hidden': 'true' }, head) : head,
      name && name !== head ? html('span', { class: 'vh' }, name) : null,
    )
  const row = (side: 0 | 1) =>
    html(
      'tr',
      {},
      html('th', { scope: 'row' }, (side === 0 ? match.home : match.away) ?? ''),
      ...columns.map(({ cells, classes, isDot }) =>
        html('td', { class: classes[side] || null }, isDot ? html('span', { class: 'vh' }, cells[side]) : cells[side]),
      ),
    )
  return html(
    'table',
    { class: columns.length > MANY ? 'many' : null },
    html('thead', {}, html('tr', {}, html('td'), ...columns.map(heading))),
    html('tbody', {}, row(0), row(1)),
  )
}

function columnsOf(match: TrackedMatch, texts: Texts, width: Width): Column[] {
  const kind = boardKind(match.sportId)
  if (kind.part === 'innings' && match.game) {
    return cricketColumns(match, match.game, texts)
  }
  if (match.scores.length === 0 && kind.part !== 'round' && !match.score) {
    return []
  }
  const isOver = match.status === 'ended'
  const first = Math.max(0, match.scores.length - COLUMNS_MAX[width])
  const open = isOver || match.scores.length === 0 ? [] : openParts(match)
  const newest = match.scores.slice(first).map((pair, at): Column => {
    const index = first + at
    const status = partStatus(kind, index)
    const isNow = index === match.scores.length - 1 && !isOver
    // While away bats, home has not batted in that inning.
    const isOpen = match.sportId === BASEBALL && isNow && match.playerServing === 2
    const classOf = (own: number, other: number) => (isNow ? 'now' : own > other ? 'won' : '')
    return {
      head: String(index + 1),
      ...(status && { name: texts.status(status) }),
      cells: [isOpen ? '' : String(pair[0]), String(pair[1])],
      classes: [classOf(pair[0], pair[1]), classOf(pair[1], pair[0])],
    }
  })
  const parts =
    match.sportId === BASEBALL && first > 0 ? [together(match.scores.slice(0, first + 1)), ...newest.slice(1)] : newest
  const game = match.sportId === TENNIS && !isOver ? match.game : null
  const points: Column[] = game
    ? [{ head: texts.t(gameName(TENNIS, match.tiebreak)), cells: game, classes: ['points', 'points'] }]
    : []
  const sum: Pair<string> = match.score ? [String(match.score[0]), String(match.score[1])] : ['–', '–']
  const total = match.sportId === DARTS && match.scores.length > 0 ? 'scoreSets' : kind.total
  const rest = open.map((index): Column => {
    const status = partStatus(kind, index)
    return {
      head: String(index + 1),
      ...(status && { name: texts.status(status) }),
      cells: ['', ''],
      classes: ['', ''],
    }
  })
  return [...points, ...parts, ...rest, { head: texts.t(TOTALS[total] ?? total), cells: sum, classes: ['sum', 'sum'] }]
}

/** The parts that have not begun, by number from 0. */
function openParts({ sportId, scores, score }: TrackedMatch): number[] {
  const begun = scores.length
  const won = Math.max(0, ...(score ?? []))
  const sets = SETS[sportId]?.find((count) => begun <= count && won <= count / 2)
  return Array.from({ length: Math.max(0, (sets ?? PARTS[sportId] ?? 0) - begun) }, (_, at) => begun + at)
}

/** The first innings as one column, such as *1–3*. */
function together(scores: readonly Pair[]): Column {
  const [home, away] = ([0, 1] as const).map((side) => scores.reduce((sum, pair) => sum + pair[side], 0))
  return { head: `1–${scores.length}`, cells: [String(home), String(away)], classes: ['', ''] }
}

function cricketColumns({ playerServing, clock, status }: TrackedMatch, game: Pair<string>, { t }: Texts): Column[] {
  const read = game.map((text) => /^(\d{1,4})(?:\/(\d{1,2}))?$/.exec(text))
  const overs = (side: 1 | 2) =>
    playerServing === side && status !== 'ended' && clock?.kind === 'text' ? clock.text : ''
  const column = (head: string, cells: Pair<string>, name: string): Column => ({ head, cells, classes: [name, name] })
  const cell = (side: 0 | 1, group: number) => read[side]?.[group] ?? ''
  const columns = [
    column(t('trackerWicketsHead'), [cell(0, 2), cell(1, 2)], ''),
    column(t('trackerOversHead'), [overs(1), overs(2)], ''),
    column(t('scoreCricketRuns'), [cell(0, 1) || '–', cell(1, 1) || '–'], 'sum'),
  ]
  return columns.filter(({ cells }) => cells.some((text) => text !== ''))
}
