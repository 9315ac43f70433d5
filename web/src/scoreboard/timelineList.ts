/** The timeline as a list. It is loaded on its own, because it is the last tab. */
import sprite from '../components/icons.svg'
import { html, svg } from './dom'
import type { Texts } from './texts'
import { type Line, lines, type Mark } from './timeline'
import type { Tracked } from './tracked'

export interface TimelineList {
  /** Differs if the list does. */
  readonly key: string
  /** Null if nothing has happened yet. */
  readonly draw: () => HTMLElement | null
}

export function timelineList(tracked: Tracked, texts: Texts): TimelineList {
  const events = lines(tracked, texts)
  return { key: JSON.stringify(events), draw: () => (events.length > 0 ? lineList(events) : null) }
}

const ICONS: Readonly<Partial<Record<Mark, string>>> = { goal: 'soccer', missed: 'void', corner: 'flag', part: 'tick' }

function lineList(lines: readonly Line[]): HTMLElement {
  return html(
    'ol',
    { class: 'story' },
    ...lines.map(({ when, mark, kind, side, text, detail }) => {
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
