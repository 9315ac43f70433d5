/** The scoreboard page: three tabs and one panel. It is created once and then updated. */
import { sportClass } from '../domain/sportClass'
import type { TranslationKey } from '../i18n/keys'
import type { Address } from './address'
import { html, say } from './dom'
import { hasFamily } from './families'
import { Frame } from './frame'
import type { View } from './link'
import { barList, chartFigure } from './lists'
import { BARS_MAX, bars } from './statistics'
import { partsTable } from './table'
import type { Texts } from './texts'
import type { Tracked } from './tracked'

export const TABS = ['field', 'statistics', 'timeline'] as const
export type Tab = (typeof TABS)[number]

const NAMES: Readonly<Record<Tab, TranslationKey>> = {
  field: 'trackerField',
  statistics: 'trackerStatistics',
  timeline: 'trackerTimeline',
}
export class Page {
  readonly root: HTMLElement
  readonly #texts: Texts
  readonly #width: 355 | 530
  readonly #isFramed: boolean
  readonly #onTitle: (title: string) => void
  readonly #tabs: Readonly<Record<Tab, HTMLButtonElement>>
  readonly #panels: Readonly<Record<Tab, HTMLElement>>
  readonly #state = html('div', { class: 'state' })
  readonly #body: HTMLElement
  #field: Frame | null = null
  #drawn: Tracked | null = null
  #nowMs = 0
  #timeline: Promise<void> = Promise.resolve()
  #statisticsShown = ''
  #timelineShown = ''

  constructor(
    texts: Texts,
    { width, hasTabs, isFramed = false }: Pick<Address, 'width' | 'hasTabs'> & { isFramed?: boolean },
    onTitle: (title: string) => void,
  ) {
    this.#texts = texts
    this.#width = width
    this.#isFramed = isFramed
    this.#onTitle = onTitle
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
        tabindex: 0,
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
    if (view.tracked !== this.#drawn) {
      this.#draw(view.tracked, serverNowMs)
      // Nothing moves after a reconnect: the new places take effect before the transitions do.
      if (!view.isStale && this.root.classList.contains('stale')) {
        this.root.getBoundingClientRect()
      }
    }
    this.root.classList.toggle('stale', view.isStale)
  }

  /** Resolves once the drawing of the match and its timeline are loaded and shown. */
  async loaded(): Promise<void> {
    await this.#field?.loaded
    await this.#timeline
  }

  /** Updates what depends on the time, between messages. */
  tick(serverNowMs: number): void {
    this.#nowMs = serverNowMs
    if (this.#drawn) {
      this.#field?.show(this.#drawn, serverNowMs)
    }
  }

  #draw(tracked: Tracked, serverNowMs: number): void {
    this.#drawn = tracked
    this.#nowMs = serverNowMs
    const { sportId } = tracked.match
    this.root.dataset['sport'] = sportClass(sportId)
    const title = this.#texts.t(hasFamily(sportId) ? 'trackerField' : 'score')
    if (this.#field?.sportId !== sportId) {
      const field = new Frame(sportId, this.#texts, { width: this.#width, isFramed: this.#isFramed })
      this.#field = field
      this.#panels.field.replaceChildren(field.root)
      say(this.#tabs.field, title)
      this.#onTitle(title)
      void field.loaded.then(() => {
        if (this.#drawn && this.#field === field) {
          this.#draw(this.#drawn, this.#nowMs)
        }
      })
    }
    this.#field.show(tracked, serverNowMs)
    // Without a connection it stays empty until the next change.
    this.#timeline = this.#drawTimeline(tracked).catch(() => undefined)
    this.#drawStatistics(tracked, this.#field)
  }

  #drawStatistics(tracked: Tracked, { statistics: own, more, table: columns }: Frame): void {
    const statistics = [...own, ...bars(tracked, this.#texts)].slice(0, BARS_MAX)
    const table = partsTable(tracked.match, this.#texts, this.#width, columns)
    const statisticsNow = JSON.stringify([statistics, table?.textContent, more?.key])
    if (statisticsNow !== this.#statisticsShown) {
      this.#statisticsShown = statisticsNow
      const names = [tracked.match.home ?? '', tracked.match.away ?? ''] as const
      const shown = [
        ...(more ? [chartFigure(more, names, this.#width)] : []),
        ...(statistics.length > 0 ? [barList(statistics)] : []),
        ...(table ? [html('div', { class: 'parts' }, table)] : []),
      ]
      this.#panels.statistics.replaceChildren(...(shown.length > 0 ? shown : [this.#nothing('trackerNoStatistics')]))
    }
  }

  async #drawTimeline(tracked: Tracked): Promise<void> {
    const { timelineList } = await import('./timelineList')
    const { key, draw } = timelineList(tracked, this.#texts)
    if (tracked === this.#drawn && key !== this.#timelineShown) {
      this.#timelineShown = key
      this.#panels.timeline.replaceChildren(draw() ?? this.#nothing('trackerNothingYet'))
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
