/** The drawings: one sprite in the page, and each use of an icon is a reference to it. */
import type { ReactNode } from 'react'
import styles from './Icon.module.css'

const DRAWINGS = {
  lock: (
    <>
      <rect x="4" y="8" width="10" height="7" rx="1.6" />
      <path d="M6 8V6a3 3 0 016 0v2" />
    </>
  ),
  chevronDown: <path d="M5 7l4 4 4-4" />,
  chevronRight: <path d="M7 5l4 4-4 4" />,
  back: <path d="M11 4L6 9l5 5" />,
  close: <path d="M5 5l8 8M13 5l-8 8" />,
  tick: <path d="M3.5 9.5l3.5 3.5 7.5-8" />,
  eye: (
    <>
      <path d="M1.8 9S4.4 4.2 9 4.2 16.2 9 16.2 9 13.6 13.8 9 13.8 1.8 9 1.8 9z" />
      <circle cx="9" cy="9" r="2.2" />
    </>
  ),
  eyeOff: (
    <path d="M3 3l12 12M7.2 4.5A6.7 6.7 0 019 4.2c4.6 0 7.2 4.8 7.2 4.8a13 13 0 01-2.1 2.7M11.2 13.5a6.5 6.5 0 01-2.2.300C4.4 13.8 1.8 9 1.8 9a13 13 0 012.8-3.2" />
  ),
  pause: <path d="M6.5 4.5v9M11.5 4.5v9" />,
  flag: <path d="M5 15.5V2.8l8 2.7-8 3.2" />,
  warning: (
    <>
      <path d="M9 2.8l6.6 11.7H2.4z" />
      <path d="M9 7.2v3.3M9 12.5v.1" />
    </>
  ),
  info: (
    <>
      <circle cx="9" cy="9" r="6.6" />
      <path d="M9 8.3v4M9 5.7v.1" />
    </>
  ),
  globe: (
    <>
      <circle cx="9" cy="9" r="6.6" />
      <path d="M2.4 9h13.2M9 2.4c4 4 4 9.2 0 13.2M9 2.4c-4 4-4 9.2 0 13.2" />
    </>
  ),
  moon: <path d="M14.8 10.8A6.3 6.3 0 017.2 3.2a6.3 6.3 0 107.6 7.6z" />,
  sun: (
    <>
      <circle cx="9" cy="9" r="3" />
      <path d="M9 1.8v1.6M9 14.6v1.6M1.8 9h1.6M14.6 9h1.6M3.9 3.9L5 5M13 13l1.1 1.1M3.9 14.1L5 13M13 5l1.1-1.1" />
    </>
  ),
  list: <path d="M6.5 4.5h8.5M6.5 9h8.5M6.5 13.5h8.5M3 4.5h.1M3 9h.1M3 13.5h.1" />,
  soccer: (
    <>
      <circle cx="9" cy="9" r="6.7" />
      <path d="M9 6.2l2.7 2-1 3.1H7.3l-1-3.1zM9 6.2V2.4M11.7 8.2l3.6-1.2M10.7 11.3l2.2 3M7.3 11.3l-2.2 3M6.3 8.2L2.7 7" />
    </>
  ),
  basketball: (
    <>
      <circle cx="9" cy="9" r="6.7" />
      <path d="M9 2.3v13.4M2.3 9h13.4M4.4 4.2c3 2.8 3 6.8 0 9.6M13.6 4.2c-3 2.8-3 6.8 0 9.6" />
    </>
  ),
  baseball: (
    <>
      <circle cx="9" cy="9" r="6.7" />
      <path d="M5 3.7c1.8 3.4 1.8 7.2 0 10.6M13 3.7c-1.8 3.4-1.8 7.2 0 10.6M5.2 7l1.9-.5M5.2 11l1.9.5M12.8 7l-1.9-.5M12.8 11l-1.9.5" />
    </>
  ),
  hockey: (
    <>
      <path d="M4 2.5l5.8 10.3c.4.7 1 1 1.7 1h3.3v-2.3h-2.9" />
      <ellipse cx="4.6" cy="13.8" rx="2.4" ry="1.2" />
    </>
  ),
  tennis: (
    <>
      <circle cx="9" cy="9" r="6.7" />
      <path d="M3.2 5.6c3.8.5 6 2.7 6 6.5 0 1-.1 2-.6 3.3M9.5 2.4c-.3 3.8 1.8 6 5.9 6.3" />
    </>
  ),
  handball: (
    <>
      <circle cx="9" cy="9" r="6.7" />
      <path d="M9 2.3c-3.5 3-1.5 6 0 6.7 3 1.3 5 4 3.2 5.9M2.6 7.3C5 10.5 8 9.5 9 9c1-2.5 3.8-4.2 6.3-2.6" />
    </>
  ),
  rugby: (
    <>
      <ellipse cx="9" cy="9" rx="7.2" ry="4.5" transform="rotate(-40 9 9)" />
      <path d="M6.5 11.5l5-5M5.2 6.5c1.7.7 5.5 4.3 6.3 6.3" />
    </>
  ),
  'american-football': (
    <>
      <ellipse cx="9" cy="9" rx="7.2" ry="4.3" transform="rotate(-40 9 9)" />
      <path d="M6.8 11.2l4.4-4.4M7 9.3l1.7 1.7M8.5 7.9l1.7 1.7M10 6.5l1.7 1.7" />
    </>
  ),
  snooker: (
    <>
      <circle cx="6" cy="11.8" r="3.2" />
      <circle cx="12.2" cy="11.8" r="3" />
      <circle cx="9.1" cy="6" r="3" />
    </>
  ),
  'table-tennis': (
    <>
      <path d="M10.8 3.1a4.7 4.7 0 01-6.2 6.9L3.5 8.9a4.9 4.9 0 017.3-5.8zM8.8 9.6l3.7 4.6" />
      <circle cx="13.9" cy="8.8" r="1.5" />
    </>
  ),
  cricket: (
    <>
      <path d="M12.5 2.8l2.2 2.2-7 7-2.2-2.2zM5.5 9.8l-3 5.2M13.6 13.6h.1" />
      <circle cx="13.3" cy="13.3" r="1.7" />
    </>
  ),
  darts: (
    <>
      <circle cx="8.2" cy="9.8" r="5.9" />
      <circle cx="8.2" cy="9.8" r="2.4" />
      <path d="M8.2 9.8l6.8-6.8M12.6 5.4V3M12.6 5.4H15" />
    </>
  ),
  volleyball: (
    <>
      <circle cx="9" cy="9" r="6.7" />
      <path d="M9 9c-.3-2.5-1.8-4.6-4.3-5.5M9 9c2.3-1 4.9-.7 6.5.8M9 9c-2 1.5-3 4-2.3 6.3M9 2.3c2.5 1 4.3 3 5 5.5M2.5 10.5c.2-2.6 1.4-4.8 3.5-6M12.5 14.7c-2.2.4-4.4-.2-5.8-1.9" />
    </>
  ),
  futsal: (
    <>
      <rect x="2" y="4" width="14" height="10" rx="1" />
      <path d="M9 4v10M2 7h2.2v4H2M16 7h-2.2v4H16" />
      <circle cx="9" cy="9" r="1.7" />
    </>
  ),
  badminton: (
    <path d="M4.2 13.8a2.3 2.3 0 003.2 0l-3.2-3.2a2.3 2.3 0 000 3.2zM4.2 10.6l4-7.8M7.4 13.8l7.8-4M8.2 2.8l7 7M6.5 12.2l5-5.6" />
  ),
  'beach-volleyball': (
    <>
      <circle cx="11.5" cy="5.8" r="3.6" />
      <path d="M11.5 5.8c-.2-1.4-1-2.6-2.3-3.2M11.5 5.8c1.2-.6 2.6-.5 3.6.3M11.5 5.8c-1 .8-1.6 2.2-1.3 3.4M1.8 13c1.8-1.4 3.3-1.4 4.8 0s3 1.4 4.8 0 3.3-1.4 4.8 0" />
    </>
  ),
  mma: (
    <path d="M5 8.2V5.5a1.5 1.5 0 013 0M8 7V4.3a1.5 1.5 0 013 0V7M11 5.3a1.5 1.5 0 013 .2v4.2c0 2.8-1.8 4.5-4.5 4.5S5 12.6 4.3 11L3.2 9.3c.5-1.4 1.8-1.1 2.5-.2M6.5 16.2h6" />
  ),
  default: (
    <>
      <circle cx="9" cy="9" r="6.7" />
      <path d="M6 9h6M9 6v6" />
    </>
  ),
} as const satisfies Record<string, ReactNode>

export type IconName = keyof typeof DRAWINGS

/** Mounted once, at the root of the app. */
export function IconSprite() {
  return (
    <svg className={styles.sprite} aria-hidden="true" focusable="false">
      {Object.entries(DRAWINGS).map(([name, drawing]) => (
        <symbol key={name} id={`icon-${name}`} viewBox="0 0 18 18">
          {drawing}
        </symbol>
      ))}
    </svg>
  )
}

export interface IconProps {
  name: IconName
  size?: 's' | 'm' | 'l'
  className?: string | undefined
}

/** Always decoration: what it stands for is said in words beside it, or by the name of the control it is in. */
export function Icon({ name, size = 'm', className }: IconProps) {
  return (
    <svg
      className={[styles.icon, styles[size], className].filter(Boolean).join(' ')}
      aria-hidden="true"
      focusable="false"
    >
      <use href={`#icon-${name}`} />
    </svg>
  )
}
