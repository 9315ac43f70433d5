/** Reads the page's address: `/scoreboard/{id}?lang=…&width=…&theme=…`. Invalid parameters are ignored. */
import type { MatchId } from '../domain/offer'
import { type LanguageCode, LOCALES } from '../i18n/locale'

/** The widths of the panel in px (CONTRACT 2). */
export const WIDTHS = [355, 530] as const
export type Width = (typeof WIDTHS)[number]

export interface Address {
  readonly matchId: MatchId
  /** Null: the server chooses the language by the user's cookie. */
  readonly language: LanguageCode | null
  readonly width: Width
  /** Null: the user's choice, otherwise the system's theme. */
  readonly theme: 'dark' | 'light' | null
  /** Whether the page shows its own tabs. If not, the surrounding page has them. */
  readonly hasTabs: boolean
}

/** The address; null if the path has no match id. */
export function readAddress(path: string, query: string): Address | null {
  const match = /^\/scoreboard\/(\d{1,16})$/.exec(path)
  const matchId = Number(match?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(matchId)) {
    return null
  }
  const asked = new URLSearchParams(query)
  const theme = asked.get('theme')
  return {
    matchId,
    language: languageOf(asked.get('lang') ?? ''),
    width: WIDTHS.find((width) => String(width) === asked.get('width')) ?? 355,
    hasTabs: asked.get('tabs') !== '0',
    theme: theme === 'dark' || theme === 'light' ? theme : null,
  }
}

/** The supported language with this code. */
export function languageOf(code: string): LanguageCode | null {
  return Object.hasOwn(LOCALES, code) ? (code as LanguageCode) : null
}
