/** What the page's address asks for: `/scoreboard/{id}?lang=…&width=…&theme=…`. Whatever it says otherwise is not said. */
import type { MatchId } from '../domain/offer'
import { type LanguageCode, LOCALES } from '../i18n/locale'

/** The widths of the panel (specification, section 9). */
export const WIDTHS = [355, 530] as const
export type Width = (typeof WIDTHS)[number]

export interface Address {
  readonly matchId: MatchId
  /** Null: the server chooses by the bettor's cookie. */
  readonly language: LanguageCode | null
  readonly width: Width
  /** Null: as the bettor has chosen, else as the system says. */
  readonly theme: 'dark' | 'light' | null
  /** Whether the page has its own tabs: the one around it may have them, with more beside. */
  readonly hasTabs: boolean
}

/** Null where the path names no match. */
export function readAddress(path: string, query: string): Address | null {
  const match = /^\/scoreboard\/(\d{1,16})$/.exec(path)
  const matchId = Number(match?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(matchId)) {
    return null
  }
  const asked = new URLSearchParams(query)
  const language = asked.get('lang')
  const theme = asked.get('theme')
  return {
    matchId,
    language: language !== null && Object.hasOwn(LOCALES, language) ? (language as LanguageCode) : null,
    width: WIDTHS.find((width) => String(width) === asked.get('width')) ?? 355,
    hasTabs: asked.get('tabs') !== '0',
    theme: theme === 'dark' || theme === 'light' ? theme : null,
  }
}
