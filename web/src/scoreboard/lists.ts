/** Statistics bars and the events of the strip, as elements. */
import sprite from '../components/icons.svg'
import type { Pair } from '../domain/offer'
import type { Width } from './address'
import { html, svg } from './dom'
import type { Chip, Flow } from './family'
import { CHART_HEIGHT, nameOf, shortNames } from './sides'
import type { Bar } from './statistics'

export function barList(bars: readonly Bar[]): HTMLElement {
  return html(
    'dl',
    { class: 'barlist' },
    ...bars.map(({ label, figures, share }) => {
      const line = svg('svg', {
        class: share === null ? 'line empty' : 'line',
        viewBox: '0 0 100 4',
        preserveAspectRatio: 'none',
        'aria-hidden': 'true',
      })
      if (share !== null) {
        const at = Math.round(share * 1000) / 10
        line.append(
          svg('rect', { class: 'home', x: 0, y: 0, width: Math.max(0, at - 0.5), height: 4 }),
          svg('rect', { class: 'away', x: at + 0.5, y: 0, width: Math.max(0, 99.5 - at), height: 4 }),
        )
      }
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

/** A chart that is drawn once, with its caption. */
export function chartFigure(flow: Flow, names: Pair<string>, width: Width): HTMLElement {
  const chart = svg('svg', {
    class: 'chart',
    viewBox: `0 0 ${width} ${CHART_HEIGHT}`,
    role: 'img',
    'aria-label': `${flow.caption}: ${flow.summary}`,
  })
  chart.append(...flow.draw(width))
  const [home, away] = shortNames(names)
  const caption = html(
    'figcaption',
    {},
    html('span', {}, flow.caption),
    html('span', { class: 'key home' }, home),
    html('span', { class: 'key away' }, away),
  )
  return html('figure', { class: 'flow' }, chart, caption)
}

/** An event of the strip: with a minute it is a line of text, otherwise a chip. */
export function chipItem({ text, short, side, when, mark, tone, isDelivery }: Chip, redCard: string): HTMLElement {
  return html(
    'li',
    {
      class: [when === undefined ? 'chip' : 'event', nameOf(side), tone, isDelivery && 'delivery']
        .filter(Boolean)
        .join(' '),
    },
    when !== undefined && html('span', { class: 'at' }, when),
    mark === 'ball' && svg('svg', { class: 'icon', 'aria-hidden': 'true' }, svg('use', { href: `${sprite}#soccer` })),
    mark === 'red' && html('i', { class: 'card red', 'aria-hidden': 'true' }),
    mark === 'red' && html('span', { class: 'vh' }, redCard),
    html('span', { class: 'what' }, text),
    short !== undefined && html('span', { class: 'short', 'aria-hidden': 'true' }, short),
  )
}
