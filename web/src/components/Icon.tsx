import { createElement, type ReactNode } from 'react'
import { cx } from './cx'
import styles from './Icon.module.css'
import sprite from './icons.svg?raw'

/** The symbols of `icons.svg`. */
export const ICONS = [
  'lock',
  'chevronDown',
  'chevronRight',
  'back',
  'close',
  'tick',
  'eye',
  'eyeOff',
  'pause',
  'flag',
  'warning',
  'info',
  'globe',
  'moon',
  'sun',
  'list',
  'star',
  'plus',
  'minus',
  'bin',
  'slip',
  'user',
  'out',
  'clock',
  'void',
  'search',
  'keyboard',
  'share',
  'bars',
  'play',
  'sound',
  'mute',
  'picture',
  'whole',
  'pin',
  'bell',
  'up',
  'down',
  'sort',
  'soccer',
  'basketball',
  'baseball',
  'hockey',
  'tennis',
  'handball',
  'rugby',
  'american-football',
  'snooker',
  'table-tennis',
  'cricket',
  'darts',
  'volleyball',
  'futsal',
  'badminton',
  'beach-volleyball',
  'squash',
  'mma',
  'default',
] as const

export type IconName = (typeof ICONS)[number]

export interface IconProps {
  name: IconName
  size?: 's' | 'm' | 'l'
  className?: string | undefined
}

/** The drawings by name. They are not used from the file itself: each `<use>` of it costs the browser 0.2 ms. */
const DRAWINGS = new Map(
  Array.from(new DOMParser().parseFromString(sprite, 'image/svg+xml').querySelectorAll('symbol'), (symbol) => [
    symbol.id,
    Array.from(symbol.children, shapeOf),
  ]),
)

function shapeOf({ tagName, attributes }: Element, key: number): ReactNode {
  return createElement(tagName, {
    key,
    ...Object.fromEntries(Array.from(attributes, ({ name, value }) => [name, value])),
  })
}

/** Always decorative: a text beside it, or the name of its control, must give the meaning. */
export function Icon({ name, size = 'm', className }: IconProps) {
  return (
    <svg className={cx(styles.icon, styles[size], className)} viewBox="0 0 18 18" aria-hidden="true" focusable="false">
      {DRAWINGS.get(name)}
    </svg>
  )
}
