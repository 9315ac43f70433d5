/**
 * The frame that all trackers have, from top to bottom: head, ground with its marks, strip, chart, statistics, table. A
 * zone without data is left out. The drawing of the sport's family is loaded on its own; until then, or without one,
 * the score is shown.
 */
import { clockSeconds, exactClockText, timeLeftText } from '../domain/clock'
import { NO_EXTRAS } from '../protocol/extras'
import type { Width } from './address'
import { html, say, set, svg } from './dom'
import { loadFamily } from './families'
import { type Drawing, EMPTY_SCENE, type Family, type Flow, type Scene } from './family'
import type { Head } from './head'
import { barList, chipItem } from './lists'
import { shortsOf } from './shorts'
import { CHART_HEIGHT, nameOf, STAGE, shortNames } from './sides'
import type { Canvas } from './stage'
import { BARS_MAX, type Bar, bars } from './statistics'
import { type Column, partsTable } from './table'
import type { Texts } from './texts'
import type { Tracked } from './tracked'

/** The most statistics below a chart. */

export interface FrameOptions {
  readonly width: Width
  /** Inside the page of a match: that page has the head, and the statistics are the second tab. */
  readonly isFramed: boolean
}

export class Frame {
  readonly root = html('div', { class: 'fieldview' })
  readonly sportId: number
  /** Resolves once the drawing is loaded, or if there is no such drawing. */
  readonly loaded: Promise<void>
  readonly #texts: Texts
  readonly #options: FrameOptions
  readonly #headRoom = html('div', { class: 'headroom' })
  #head: Head | null = null
  readonly #art = svg('g', { class: 'art' })
  readonly #marks = new Layer('marks')
  readonly #lamp = new Layer('lamp off')
  readonly #stage: SVGSVGElement
  readonly #callText = html('span')
  readonly #callName = html('span', { class: 'vh' })
  readonly #call = html('span', { class: 'call' }, this.#callText, this.#callName)
  readonly #recent = html('ol', { class: 'recent' })
  readonly #strip = html('div', { class: 'strip' }, this.#call, this.#recent)
  readonly #chart: SVGSVGElement
  readonly #caption = html('span')
  readonly #keys = [html('span', { class: 'key home' }), html('span', { class: 'key away' })] as const
  readonly #flow: HTMLElement
  readonly #bars = html('div', { class: 'bars' })
  readonly #table = html('div', { class: 'parts' })
  #family: Family | null = null
  #canvas: Canvas | null = null
  #scene: Scene = EMPTY_SCENE
  #flowKey = ''
  #stripKey = ''
  #barsKey = ''
  #tableKey = ''

  constructor(sportId: number, texts: Texts, options: FrameOptions) {
    const { width, isFramed } = options
    this.sportId = sportId
    this.#texts = texts
    this.#options = options
    this.#stage = svg(
      'svg',
      { class: 'stage', viewBox: `0 0 ${width} ${STAGE[width].height}`, role: 'img' },
      this.#art,
      this.#marks.root,
      this.#lamp.root,
    )
    this.#chart = svg('svg', { class: 'chart', viewBox: `0 0 ${width} ${CHART_HEIGHT}`, role: 'img' })
    const caption = html('figcaption', {}, this.#caption, ...this.#keys)
    this.#flow = html('figure', { class: 'flow' }, this.#chart, caption)
    this.root.append(
      ...(isFramed ? [] : [this.#headRoom]),
      this.#stage,
      this.#strip,
      this.#flow,
      this.#bars,
      this.#table,
    )
    this.loaded = this.#load()
  }

  /** The statistics of the sport, the most important first. */
  get statistics(): readonly Bar[] {
    return this.#scene.statistics
  }

  /** The second chart of the sport, which stands with the statistics; null without one. */
  get more(): Flow | null {
    return this.#scene.more ?? null
  }

  /** The columns of the table that only this sport has. */
  get table(): readonly Column[] | null {
    return this.#scene.table ?? null
  }

  async #load(): Promise<void> {
    const { width, isFramed } = this.#options
    const [drawn, head] = await Promise.all([
      loadFamily(this.sportId, width).catch(() => null),
      isFramed ? null : import('./head').catch(() => null),
    ])
    if (head) {
      this.#head = new head.Head(this.#texts)
      this.#headRoom.replaceChildren(this.#head.root)
    }
    if (!drawn) {
      this.#stage.remove()
      return
    }
    const { canvas, art } = drawn.stage
    this.#family = drawn.family
    this.#canvas = canvas
    this.#art.replaceChildren(art, ...(drawn.family.labels?.(canvas) ?? []))
  }

  show(tracked: Tracked, nowMs: number): void {
    const { match, history } = tracked
    const extras = history.extras ?? NO_EXTRAS
    const names = [match.home ?? '', match.away ?? ''] as const
    const seconds = match.clock && clockSeconds(match.clock, nowMs)
    const clock = timeLeftText(match.sportId, extras.periodEnd?.[0], seconds) ?? exactClockText(match, nowMs)
    this.#head?.show(match, clock, this.#head ? shortsOf(extras, tracked, seconds) : [])
    this.#scene =
      this.#family?.scene({ tracked, extras, texts: this.#texts, names, nowMs, seconds, clock }) ?? EMPTY_SCENE
    this.#showStage(this.#scene)
    this.#showStrip(this.#scene)
    this.#showFlow(this.#scene.flow, names)
    this.#showLists(tracked)
  }

  /** Whether nothing but the score is known: then the ground is pale, and the table is right below it. */
  get #isBare(): boolean {
    const { call, flow, marks, lamp } = this.#scene
    return !call && !flow && !marks && !lamp
  }

  #showStage({ call, marks, lamp }: Scene): void {
    const said = [call?.text, call?.name].filter(Boolean).join(', ')
    const name = [this.#texts.t('trackerField'), said].filter(Boolean).join(': ')
    set(this.#stage, 'aria-label', name)
    this.#stage.classList.toggle('bare', this.#isBare)
    if (this.#canvas) {
      this.#marks.show(marks, this.#canvas)
      // The light of a score fades: its elements stay until the next one.
      if (lamp) {
        this.#lamp.show(lamp, this.#canvas)
      }
      this.#lamp.root.classList.toggle('off', !lamp)
    }
  }

  #showStrip({ call, recent }: Scene): void {
    this.#strip.hidden = !call && recent.length === 0
    this.#call.hidden = !call
    say(this.#callText, call?.text ?? '')
    say(this.#callName, call?.name ? `, ${call.name}` : '')
    set(this.#call, 'class', `call ${nameOf(call?.side ?? 0)}`)
    const key = JSON.stringify(recent)
    if (key !== this.#stripKey) {
      this.#stripKey = key
      this.#recent.replaceChildren(...recent.map((chip) => chipItem(chip, this.#texts.t('incidentRed'))))
    }
    this.#recent.hidden = recent.length === 0
  }

  #showFlow(flow: Flow | null, names: readonly [string, string]): void {
    this.#flow.hidden = !flow
    if (!flow) {
      return
    }
    say(this.#caption, flow.caption)
    const shorts = shortNames(names)
    say(this.#keys[0], shorts[0])
    say(this.#keys[1], shorts[1])
    set(this.#chart, 'aria-label', `${flow.caption}: ${flow.summary}`)
    if (flow.key !== this.#flowKey) {
      this.#flowKey = flow.key
      this.#chart.replaceChildren(...flow.draw(this.#options.width))
    }
  }

  #showLists(tracked: Tracked): void {
    const { isFramed, width } = this.#options
    const { match } = tracked
    const shown =
      isFramed || this.#isBare ? [] : [...this.#scene.statistics, ...bars(tracked, this.#texts)].slice(0, BARS_MAX)
    const key = JSON.stringify(shown)
    if (key !== this.#barsKey) {
      this.#barsKey = key
      this.#bars.replaceChildren(...(shown.length > 0 ? [barList(shown)] : []))
    }
    this.#table.hidden = isFramed && this.#scene.flow !== null
    const { home, away, scores, score, game, status, clock, tiebreak, playerServing } = match
    const text = clock?.kind === 'text' ? clock.text : null
    const tableKey = JSON.stringify([
      home,
      away,
      scores,
      score,
      game,
      status,
      text,
      tiebreak,
      playerServing,
      this.table,
    ])
    if (tableKey !== this.#tableKey) {
      this.#tableKey = tableKey
      const table = partsTable(match, this.#texts, width, this.table)
      this.#table.replaceChildren(...(table ? [table] : []))
    }
  }
}

/** A group of marks on the stage. */
class Layer {
  readonly root: SVGGElement
  #key: string | null = null

  constructor(name: string) {
    this.root = svg('g', { class: name })
  }

  show(drawing: Drawing<Canvas> | null, canvas: Canvas): void {
    const key = drawing?.key ?? null
    if (key === this.#key) {
      return
    }
    this.#key = key
    const nodes = drawing?.draw(canvas) ?? []
    // Elements that a drawing keeps must not be inserted again: that would end their transition.
    const { children } = this.root
    if (nodes.length !== children.length || nodes.some((node, index) => node !== children[index])) {
      this.root.replaceChildren(...nodes)
    }
  }
}
