/** Statistics bars and the events of the strip, as elements. */
import sprite from '../components/icons.svg'
import { html, svg } from './dom'
import type { Chip } from './family'
import { nameOf } from './sides'
import type { Bar } from './statistics'

export function barList(bars: readonly Bar[]): HTMLElement {
  return html(
    'dl',
    { class: 'barlist' },
    ...bars.map(({ label, figures, share }) => {
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

/** An event of the strip: with a minute it is a line of text, otherwise a chip. */
export function chipItem({ text, side, when, mark, tone }: Chip, redCard: string): HTMLElement {
  return html(
    'li',
    { class: [when === undefined ? 'chip' : 'event', nameOf(side), tone].filter(Boolean).join(' ') },
    when !== undefined && html('span', { class: 'at' }, when),
    mark === 'ball' && svg('svg', { class: 'icon', 'aria-hidden': 'true' }, svg('use', { href: `${sprite}#soccer` })),
    mark === 'red' && html('i', { class: 'card red', 'aria-hidden': 'true' }),
    mark === 'red' && html('span', { class: 'vh' }, redCard),
    html('span', { class: 'what' }, text),
  )
}
