/** The periods of the statement, in local time. */
import type { Period } from '../../api/statementApi'

export const SPANS = ['7', '30', 'all', 'dates'] as const
export type Span = (typeof SPANS)[number]

/** `from` and `to` are dates such as `2026-05-13`, both included; an empty one is no bound. */
export function periodOf(span: Span, from: string, to: string, nowMs: number): Period {
  switch (span) {
    case 'all':
      return { from: null, to: null }
    case 'dates':
      return { from: midnight(from, 0), to: midnight(to, 1) }
    default: {
      const start = new Date(nowMs)
      start.setHours(0, 0, 0, 0)
      // Today is one of the days. A day may have 23 or 25 hours.
      start.setDate(start.getDate() - Number(span) + 1)
      return { from: start.getTime(), to: null }
    }
  }
}

/** The start of a date, some days later. */
function midnight(date: string, daysLater: number): number | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? []
  return year ? new Date(Number(year), Number(month) - 1, Number(day) + daysLater).getTime() : null
}
