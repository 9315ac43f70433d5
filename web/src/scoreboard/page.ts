/**
 * The scoreboard page: three tabs and one panel. It is created once and then updated. Soccer with ball positions shows
 * the pitch, every other match the score of its sport.
 */
import sprite from '../components/icons.svg'
import { clockText } from '../domain/clock'
import type { TranslationKey } from '../i18n/keys'
import type { Address } from './address'
import { boardKind } from './boards'
import { html, say, svg } from './dom'
import type { View } from './link'
import { Momentum } from './momentum'
import { Pitch } from './pitch'
import { ScoreView } from './score'
import { type Bar, bars } from './statistics'
import type { Texts } from './texts'
import { type Line, lines, type Mark } from './timeline'
import type { Tracked, TrackedMatch } from './tracked'

export const TABS = ['field', 'statistics', 'timeline'] as const
export type Tab = (typeof TABS)[number]

const NAMES: Readonly<Record<Tab, TranslationKey>> = {
  field: 'trackerField',
  statistics: 'trackerStatistics',
  timeline: 'trackerTimeline',
}
/** The number of statistics bars below the pitch, if there is room. */
const BARS_BESIDE = 4

/** The summary for the surrounding page of our client: the most important statistics, and the goals and cards. */
export interface Summary {
  /** The title of the first tab: pitch or score. */
  readonly field: string
  readonly bars: readonly Bar[]
  readonly lines: readonly Line[]
}

export class Page {
  readonly root: HTMLElement
  readonly #texts: Texts
  readonly #width: 355 | 530
  readonly #onSummary: (summary: Summary) => void
  readonly #tabs: Readonly<Record<Tab, HTMLButtonElement>>
  readonly #panels: Readonly<Record<Tab, HTMLElement>>
  readonly #state = html('div', { class: 'state' })
  readonly #body: HTMLElement
  #field: FieldView | null = null
  #drawn: Tracked | null = null
  #barsShown = ''
  #linesShown = ''

  constructor(
    texts: Texts,
    { width, hasTabs }: Pick<Address, 'width' | 'hasTabs'>,
    onSummary: (summary: Summary) => void,
  ) {
    this.#texts = texts
    this.#width = width
    this.#onSummary = onSummary
    const tab = (name: Tab) => {
      const button = html(
        'button',
        { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}` },
        texts.t(NAMES[name]),
      )
      button.addEventListener('click', () => this.turn(name))
      return button
    }
    const panel = (name: Tab) =>
      html('div', {
        class: `panel ${name}`,
        role: 'tabpanel',
        id: `panel-${name}`,
        'aria-labelledby': `tab-${name}`,
        tabindex: name === 'field' ? null : 0,
      })
    this.#tabs = { field: tab('field'), statistics: tab('statistics'), timeline: tab('timeline') }
    this.#panels = { field: panel('field'), statistics: panel('statistics'), timeline: panel('timeline') }
    const list = html(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': texts.t('trackerTitle') },
      ...Object.values(this.#tabs),
    )
    list.addEventListener('keydown', (event) => this.#arrow(event))
    list.hidden = !hasTabs
    this.#body = html('div', { class: 'body' }, list, ...Object.values(this.#panels))
    this.root = html(
      'main',
      { class: `w${width}` },
      html('h1', { class: 'vh' }, texts.t('trackerTitle')),
      this.#body,
      this.#state,
    )
    this.turn('field')
    this.show({ kind: 'loading' }, 0)
  }

  show(view: View, serverNowMs: number): void {
    const isShown = view.kind === 'shown'
    this.#body.hidden = !isShown
    this.#state.hidden = isShown
    if (!isShown) {
      const { t } = this.#texts
      const said = { loading: t('loading'), inactive: t('feedInactive'), gone: t('trackerGone') }[view.kind]
      this.#state.className = `state ${view.kind}`
      say(this.#state, said)
      this.#drawn = null
      return
    }
    this.root.classList.toggle('stale', view.isStale)
    if (view.tracked !== this.#drawn) {
      this.#draw(view.tracked, serverNowMs)
    }
  }

  /** Updates the clock between messages. */
  tick(serverNowMs: number): void {
    if (this.#drawn) {
      this.#field?.tick(this.#drawn.match, clockText(this.#drawn.match, serverNowMs))
    }
  }

  #draw(tracked: Tracked, serverNowMs: number): void {
    this.#drawn = tracked
    const { match } = tracked
    this.root.dataset['sportId'] = String(match.sportId)
    const hasPitch = boardKind(match.sportId).ground === 'pitch' && hasPositions(tracked)
    if (!this.#field || this.#field.hasPitch !== hasPitch || this.#field.sportId !== match.sportId) {
      this.#field = new FieldView(match.sportId, hasPitch, this.#texts, this.#width)
      this.#panels.field.replaceChildren(this.#field.root)
      say(this.#tabs.field, this.#texts.t(hasPitch ? 'trackerField' : 'score'))
      this.#barsShown = ''
    }
    this.#field.show(tracked, clockText(match, serverNowMs))
    const field = this.#texts.t(hasPitch ? 'trackerField' : 'score')
    const told: Summary = { field, bars: bars(tracked, this.#texts), lines: lines(tracked, this.#texts) }
    this.#drawLists(told)
  }

  #drawLists(told: Summary): void {
    const [barsNow, linesNow] = [JSON.stringify(told.bars), JSON.stringify(told.lines)]
    const isNew = barsNow !== this.#barsShown || linesNow !== this.#linesShown
    if (barsNow !== this.#barsShown) {
      this.#barsShown = barsNow
      this.#field?.showBars(told.bars.slice(0, BARS_BESIDE))
      this.#panels.statistics.replaceChildren(
        told.bars.length > 0 ? barList(told.bars) : this.#nothing('trackerNoStatistics'),
      )
    } else {
      this.#field?.showBars(told.bars.slice(0, BARS_BESIDE))
    }
    if (linesNow !== this.#linesShown) {
      this.#linesShown = linesNow
      this.#panels.timeline.replaceChildren(
        told.lines.length > 0 ? lineList(told.lines) : this.#nothing('trackerNothingYet'),
      )
    }
    if (isNew) {
      this.#onSummary(told)
    }
  }

  #nothing(key: TranslationKey): HTMLElement {
    return html('p', { class: 'nothing' }, this.#texts.t(key))
  }

  /** Selects a tab. */
  turn(to: Tab): void {
    for (const name of TABS) {
      const isOn = name === to
      this.#tabs[name].setAttribute('aria-selected', String(isOn))
      this.#tabs[name].tabIndex = isOn ? 0 : -1
      this.#panels[name].hidden = !isOn
    }
  }

  #arrow(event: KeyboardEvent): void {
    const now = TABS.findIndex((name) => this.#tabs[name] === document.activeElement)
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: TABS.length - 1 }[event.key]
    const name = next === undefined ? undefined : TABS[(next + TABS.length) % TABS.length]
    if (now >= 0 && name) {
      event.preventDefault()
      this.turn(name)
      this.#tabs[name].focus()
    }
  }
}

/** Whether there is a ball position now or in the history. In a break there is none now. */
function hasPositions({ ball, history }: Tracked): boolean {
  return ball !== null || history.pressure.length > 0
}

/** The first tab: the pitch with the pressure chart, or the score. */
class FieldView {
  readonly root = html('div', { class: 'fieldview' })
  readonly sportId: number
  readonly hasPitch: boolean
  readonly #texts: Texts
  readonly #pitch: Pitch | null = null
  readonly #momentum: Momentum | null = null
  readonly #score: ScoreView | null = null
  readonly #bars = html('div', { class: 'bars' })
  readonly #legend = [html('span', { class: 'home' }), html('span', { class: 'away' })] as const
  #barsKey = ''

  constructor(sportId: number, hasPitch: boolean, texts: Texts, width: 355 | 530) {
    this.sportId = sportId
    this.hasPitch = hasPitch
    this.#texts = texts
    if (hasPitch) {
      this.#pitch = new Pitch(texts)
      this.#momentum = new Momentum(texts, width)
      this.root.append(
        this.#pitch.root,
        this.#momentum.root,
        html('p', { class: 'legend' }, html('span', {}, texts.t('trackerPressure')), ...this.#legend),
      )
    } else {
      this.#score = new ScoreView(sportId, texts, width)
      this.root.append(this.#score.root)
    }
    this.root.append(this.#bars)
  }

  show({ match, ball, history }: Tracked, clock: string | null): void {
    const [home, away] = [match.home ?? '', match.away ?? '']
    const named = ball ? (ball.side === 1 ? home : ball.side === 2 ? away : '') : ''
    this.#pitch?.show(ball, named, match.status ? this.#texts.status(match.status) : '')
    this.#momentum?.show(history.pressure)
    say(this.#legend[0], home)
    say(this.#legend[1], away)
    this.tick(match, clock)
  }

  tick(match: TrackedMatch, clock: string | null): void {
    this.#score?.show(match, clock)
    this.#pitch?.tick(clock)
  }

  showBars(told: readonly Bar[]): void {
    const key = JSON.stringify(told)
    if (this.#pitch && key !== this.#barsKey) {
      this.#barsKey = key
      this.#bars.replaceChildren(...(told.length > 0 ? [barList(told)] : []))
    }
  }
}

function barList(told: readonly Bar[]): HTMLElement {
  return html(
    'dl',
    { class: 'barlist' },
    ...told.map(({ label, figures, share }) => {
      const line = svg('svg', {
        class: 'line',
        viewBox: '0 0 100 4',
        preserveAspectRatio: 'none',
        'aria-hidden': 'true',
      })
      const at = Math.round(share * 1000) / 10
      line.append(
        svg('rect', { class: 'home', x: 0, y: 0, width: Math.max(0, at - 0.5), height: 4 }),
        svg('rect', { class: 'away', x: at + 0.5, y: 0, width: Math.max(0, 99.5 - at), height: 4 }),
      )
      return html(
        'div',
        {},
        html('dt', {}, label),
        html('dd', { class: 'home' }, figures[0]),
        html('dd', { class: 'away' }, figures[1]),
        line,
      )
    }),
  )
}

const ICONS: Readonly<Partial<Record<Mark, string>>> = { goal: 'soccer', missed: 'void', corner: 'flag', part: 'tick' }

function lineList(told: readonly Line[]): HTMLElement {
  return html(
    'ol',
    { class: 'story' },
    ...told.map(({ when, mark, kind, side, text, detail }) => {
      const icon = ICONS[mark]
      return html(
        'li',
        { class: mark, 'data-side': side },
        html('span', { class: 'at' }, when ?? ''),
        icon
          ? svg('svg', { class: 'icon', 'aria-hidden': 'true' }, svg('use', { href: `${sprite}#${icon}` }))
          : html('i', { class: `card ${mark}`, 'aria-hidden': 'true' }),
        html('span', { class: 'vh' }, kind && text !== kind ? `${kind}: ` : ''),
        html('span', { class: 'what' }, text),
        html('span', { class: 'mark' }, detail),
      )
    }),
  )
}
