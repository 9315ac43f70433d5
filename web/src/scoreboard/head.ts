/** The head of a tracker that stands alone: names, cards, score, and what runs now. */
import sprite from '../components/icons.svg'
import type { Pair } from '../domain/offer'
import type { TranslationKey } from '../i18n/keys'
import { turnName } from '../i18n/turnName'
import { boardKind, pointsNow } from './boards'
import { html, say, svg } from './dom'
import { minutes, type Short, skatersOf } from './shorts'
import type { Texts } from './texts'
import type { TrackedMatch } from './tracked'

const HOCKEY = 4
const RUGBY = 12

export class Head {
  readonly root: HTMLElement
  readonly #texts: Texts
  readonly #names = [html('span'), html('span')] as const
  readonly #turns = [html('span', { class: 'vh' }), html('span', { class: 'vh' })] as const
  readonly #teams = [
    html('b', { class: 'name' }, this.#names[0], turnDot('\u00a0', this.#turns[0])),
    html('b', { class: 'name' }, turnDot(this.#turns[1], '\u00a0'), this.#names[1]),
  ] as const
  readonly #subs = [html('small'), html('small')] as const
  readonly #sides = ['home', 'away'].map((side, index) =>
    html('div', { class: `team ${side}` }, this.#teams[index as 0 | 1], this.#subs[index as 0 | 1]),
  )
  readonly #figure = html('b', { class: 'figure' })
  readonly #status = html('span', { class: 'status' })
  readonly #clock = html('em')
  #subsKey = ''

  constructor(texts: Texts) {
    this.#texts = texts
    const when = html('small', { class: 'when' }, this.#clock, this.#status)
    const middle = html('div', { class: 'middle' }, this.#figure, when)
    this.root = html('header', { class: 'head' }, this.#sides[0], middle, this.#sides[1])
  }

  show(match: TrackedMatch, clock: string | null, shorts: readonly Short[] = []): void {
    const { status } = this.#texts
    const isOver = match.status === 'ended'
    const isCricket = boardKind(match.sportId).part === 'innings' && match.game !== null
    const names: Pair<string> = [match.home ?? '', match.away ?? '']
    names.forEach((name, index) => {
      const side = this.#sides[index]
      // No line begins with the slash between two players.
      say(this.#names[index as 0 | 1], name.replaceAll(' /', '\u00a0/'))
      side?.classList.toggle(
        'longword',
        name.split(/\s/).some((word) => word.length > 11),
      )
      const own = match.score?.[index as 0 | 1] ?? 0
      side?.classList.toggle('winner', isOver && own > (match.score?.[index === 0 ? 1 : 0] ?? 0))
    })
    const score = isCricket ? match.game : match.score
    this.#showFigure(score, isCricket ? ' – ' : ' : ')
    this.#figure.classList.toggle('long', isCricket)
    const points = isOver || isCricket ? null : pointsNow(match)
    say(this.#clock, isOver ? '' : (points?.join(' : ') ?? this.#clockText(clock, isCricket)))
    this.#clock.classList.toggle('points', points !== null)
    say(this.#status, match.status ? status(match.status) : '')
    this.#showSubs(match, isOver, shorts)
  }

  #showFigure(score: Pair<string | number> | null, between: string): void {
    const text = score?.join(between) ?? '–'
    if (text !== this.#figure.textContent) {
      const parts = score && [String(score[0]), html('i', {}, between), String(score[1])]
      this.#figure.replaceChildren(...(parts ?? [html('i', {}, text)]))
    }
  }

  #clockText(clock: string | null, isCricket: boolean): string {
    return clock !== null && isCricket ? this.#texts.t('trackerOvers', { overs: clock }) : (clock ?? '')
  }

  /** Cards and corners, the time a player short, and a dot for the side that serves, bats or throws. */
  #showSubs(match: TrackedMatch, isOver: boolean, shorts: readonly Short[]): void {
    const { redCards, yellowCards, corners, sportId, status } = match
    const turn = isOver ? null : match.playerServing
    const missing = isOver ? [] : shorts
    const skaters = sportId === HOCKEY ? skatersOf(missing, status) : null
    const key = JSON.stringify([redCards, yellowCards, corners, turn, missing, skaters])
    if (key === this.#subsKey) {
      return
    }
    this.#subsKey = key
    this.#subs.forEach((sub, index) => {
      const counts: readonly (readonly [Pair | null, TranslationKey, string])[] = [
        [redCards, 'redCards', 'red'],
        [yellowCards, 'yellowCards', 'yellow'],
        [corners, 'corners', 'flag'],
      ]
      const shown = counts.flatMap(([pair, name, mark]) => {
        // A yellow card of rugby is shown by its time, while that runs.
        const running =
          name === 'yellowCards' && sportId === RUGBY ? missing.filter(({ side }) => side === index + 1) : []
        const count = pair?.[index as 0 | 1] ?? 0
        const icon =
          mark === 'flag'
            ? svg('svg', { class: 'icon', 'aria-hidden': 'true' }, svg('use', { href: `${sprite}#flag` }))
            : html('i', { class: `card ${mark}`, 'aria-hidden': 'true' })
        const label = html('span', { class: 'vh' }, `${this.#texts.t(name)}: `)
        return count > running.length
          ? [html('span', { class: 'count' }, icon, label, html('span', {}, String(count)))]
          : []
      })
      const ofSide = missing.filter(({ side }) => side === index + 1)
      const seconds = ofSide.flatMap(({ left }) => (left === null ? [] : [left])).sort((a, b) => a - b)
      const times = seconds.map(minutes)
      // The strip has the time of a power play, but none while both sides are as many.
      const isEven = 2 * ofSide.length === missing.length
      const timed =
        sportId === HOCKEY
          ? this.#penalised(ofSide.length, isEven ? times : [])
          : times.map((time) => this.#short(sportId, time))
      const [own = 0, other = 0] = index === 0 ? (skaters ?? []) : [...(skaters ?? [])].reverse()
      const more =
        own > other ? [html('span', { class: 'count' }, this.#texts.t('trackerSkaters', { own, other }))] : []
      const dot = this.#turns[index as 0 | 1]
      const isTurn = turn === index + 1
      const name = this.#texts.t(turnName(sportId))
      say(dot, !isTurn ? '' : index === 0 ? `, ${name}` : `${name}, `)
      dot.parentElement?.toggleAttribute('hidden', !isTurn)
      sub.replaceChildren(...shown, ...timed, ...more)
    })
  }

  #penalised(players: number, times: readonly string[]): HTMLElement[] {
    const { t } = this.#texts
    const who = players === 1 ? t('trackerOnePenalised') : t('trackerPenalised', { players })
    return players > 0 ? [html('span', { class: 'count' }, [who, times.join(', ')].join(' ').trim())] : []
  }

  /** The time that a side is a player short: after a yellow card in rugby, a suspension in handball. */
  #short(sportId: number, time: string): HTMLElement {
    const { t } = this.#texts
    if (sportId === RUGBY) {
      const card = html('i', { class: 'card yellow', 'aria-hidden': 'true' })
      return html('span', { class: 'count' }, card, html('span', { class: 'vh' }, `${t('trackerYellowCard')}: `), time)
    }
    return html('span', { class: 'count' }, `${t('trackerSuspension')} ${time}`)
  }
}

/** The dot of the side that serves, bats or throws, with its name for screen readers. */
function turnDot(...parts: readonly (HTMLElement | string)[]): HTMLElement {
  return html('span', { class: 'turn', hidden: true }, ...parts)
}
