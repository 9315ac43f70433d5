import { cx } from './cx'
import styles from './Icon.module.css'
import sprite from './icons.svg'

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

/** Always decorative: a text beside it, or the name of its control, must give the meaning. */
export function Icon({ name, size = 'm', className }: IconProps) {
  return (
    <svg className={cx(styles.icon, styles[size], className)} aria-hidden="true" focusable="false">
      <use href={`${sprite}#${name}`} />
    </svg>
  )
}
