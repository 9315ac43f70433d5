import type { TFunction } from 'i18next'
import { showsElapsedTime } from '../../domain/clock'
import type { Match } from '../../domain/offer'
import { shortStatusText, statusText } from '../../i18n/statusText'
import { useTranslation } from '../../i18n/useTranslation'

/** Shown as a label in brackets (CONTRACT 0): the match is not being played. */
const BRACKETED = new Set(['delayed', 'interrupted', 'abandoned', 'not_started'])

export interface StatusLabel {
  readonly text: string
  /** For where there is little room; of most the whole text. */
  readonly short: string
  readonly bracketed: boolean
}

/** Whether the status says more than the clock: where there is none, or where it only counts the time gone by. */
export function statusLeads(sportId: Match['sportId'], clock: string | null, status: StatusLabel | null): boolean {
  return !clock || (showsElapsedTime(sportId) && status?.bracketed === false)
}

const CRICKET = 21

/** The clock as text; of cricket it counts the overs. */
export function clockLabel(sportId: Match['sportId'], clock: string | null, t: TFunction): string | null {
  return clock !== null && sportId === CRICKET ? t('oversShort', { overs: clock }) : clock
}

/** A match's status in the language of the page. */
export function useStatusLabel(status: string | null): StatusLabel | null {
  const { i18n } = useTranslation()
  if (!status) {
    return null
  }
  const text = statusText(i18n, status)
  const short = shortStatusText(i18n, status)
  return BRACKETED.has(status)
    ? { text: `[${text}]`, short: `[${short}]`, bracketed: true }
    : { text, short, bracketed: false }
}
