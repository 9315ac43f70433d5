/** The score of sports without ball positions: teams, score, current status, and a table of the parts. */
import { gameName } from '../i18n/gameName'
import { turnName } from '../i18n/turnName'
import { type BoardKind, boardKind, partStatus, pointsNow, round, target } from './boards'
import { html, say } from './dom'
import { GroundView } from './ground'
import type { Texts } from './texts'
import type { TrackedMatch } from './tracked'

/** The most parts in the table, by panel width; if there are more, the newest are shown. */
const COLUMNS_MAX = { 355: 7, 530: 12 } as const

export class ScoreView {
  readonly root: HTMLElement
  readonly #texts: Texts
  readonly #kind: BoardKind
  readonly #columnsMax: number
  readonly #ground: GroundView
  readonly #names = [html('b', { class: 'name' }), html('b', { class: 'name end' })] as const
  readonly #turns = [html('small', { class: 'turn' }), html('small', { class: 'turn end' })] as const
  readonly #score = html('b', { class: 'figure' })
  readonly #points = html('span', { class: 'points' })
  readonly #when = html('span', { class: 'when' })
  readonly #extra = html('p', { class: 'extra' })
  readonly #table = html('div', { class: 'parts' })

  constructor(sportId: number, texts: Texts, width: 355 | 530) {
    this.#texts = texts
    this.#kind = boardKind(sportId)
    this.#columnsMax = COLUMNS_MAX[width]
    this.#ground = new GroundView(this.#kind.ground === 'pitch' ? 'grass' : this.#kind.ground)
    const side = (place: 0 | 1) => html('div', { class: 'side' }, this.#names[place], this.#turns[place])
    this.root = html(
      'div',
      { class: 'score' },
      html(
        'div',
        { class: 'stage' },
        this.#ground.root,
        html(
          'div',
          { class: 'over' },
          side(0),
          html('div', { class: 'middle' }, this.#score, this.#points, this.#when),
          side(1),
        ),
      ),
      this.#extra,
      this.#table,
    )
  }

  show(match: TrackedMatch, clock: string | null): void {
    const { t, status } = this.#texts
    const names = [match.home ?? '', match.away ?? '']
    names.forEach((name, place) => {
      say(this.#names[place as 0 | 1], name)
      const isTurn = match.playerServing === place + 1 && match.status !== 'ended'
      say(this.#turns[place as 0 | 1], isTurn ? t(turnName(match.sportId)) : '')
    })
    this.#ground.show(match.status === 'ended' ? null : match.playerServing)
    say(this.#score, match.score ? match.score.join(' : ') : '– : –')
    const points = match.status === 'ended' ? null : pointsNow(match)
    say(this.#points, points ? `${t(gameName(match.sportId, match.tiebreak))} ${points.join(' : ')}` : '')
    this.#points.classList.toggle('tiebreak', match.tiebreak === true)
    say(this.#when, [match.status && status(match.status), this.#clock(clock)].filter(Boolean).join(', '))
    say(this.#extra, this.#extraText(match))
    this.#extra.hidden = this.#extra.textContent === ''
    this.#drawTable(match, names)
  }

  /** In cricket the clock field contains the overs. */
  #clock(clock: string | null): string | null {
    return clock !== null && this.#kind.ground === 'oval' ? this.#texts.t('trackerOvers', { overs: clock }) : clock
  }

  #extraText(match: TrackedMatch): string {
    const { t } = this.#texts
    const wanted = target(match)
    if (wanted === null || match.status === 'ended' || !match.score) {
      return ''
    }
    const chasing = match.playerServing === 2 ? 1 : 0
    const missing = Math.max(0, wanted - match.score[chasing])
    return t('trackerTarget', { target: wanted, missing })
  }

  #drawTable(match: TrackedMatch, names: readonly string[]): void {
    const { t, status } = this.#texts
    const kind = this.#kind
    const first = Math.max(0, match.scores.length - this.#columnsMax)
    const shown = match.scores.slice(first)
    if (shown.length === 0 && round(match) === null && !match.score) {
      this.#table.replaceChildren()
      return
    }
    const heading = (index: number) => {
      const name = partStatus(kind, index)
      const cell = html('th', { scope: 'col', title: name ? status(name) : null })
      cell.append(html('span', { 'aria-hidden': 'true' }, String(index + 1)))
      cell.append(html('span', { class: 'vh' }, name ? status(name) : String(index + 1)))
      return cell
    }
    const row = (place: 0 | 1) =>
      html(
        'tr',
        {},
        html('th', { scope: 'row' }, names[place]),
        ...shown.map((pair, index) => {
          const isNow = first + index === match.scores.length - 1 && match.status !== 'ended'
          return html(
            'td',
            { class: isNow ? 'now' : pair[place] > pair[(1 - place) as 0 | 1] ? 'won' : '' },
            String(pair[place]),
          )
        }),
        html('td', { class: 'sum' }, match.score ? String(match.score[place]) : '–'),
      )
    this.#table.replaceChildren(
      html(
        'table',
        {},
        html(
          'thead',
          {},
          html(
            'tr',
            {},
            html('td'),
            ...shown.map((_, index) => heading(first + index)),
            html('th', { scope: 'col' }, t(kind.total)),
          ),
        ),
        html('tbody', {}, row(0), row(1)),
      ),
    )
  }
}
