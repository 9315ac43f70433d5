import type { Match, Odd } from '../../domain/offer'
import { mayBeOutcomeId } from '../../domain/outcomeId'

type Words = Pick<Odd, 'type' | 'alias' | 'description'>

/** Whether the type of an odd is a provider's outcome id. Such an odd has all texts; an odd of kvota's feed has not. */
export function hasOutcomeId({ type, alias, description }: Words): boolean {
  return Boolean(alias && description && mayBeOutcomeId(type ?? ''))
}

/**
 * What an odd is called: its type, or its alias if the type is an outcome id. In kvota's feed the alias is a code, the
 * same in all languages: better than nothing, no more.
 */
export function oddLabel(odd: Words): string {
  const { type, alias, description } = odd
  return hasOutcomeId(odd) ? capitalised(alias ?? '') : (type ?? alias ?? description ?? '')
}

/** What an odd is called on a ticket: its label, or its full name if the type is an outcome id. */
export function oddName(odd: Words): string {
  return (hasOutcomeId(odd) && odd.description) || oddLabel(odd)
}

/** `x` and `over` with a capital. Longer texts and names stay as they are. */
function capitalised(text: string): string {
  return text.replace(/^[a-z](?=[a-z]{0,4}$)/, (letter) => letter.toUpperCase())
}

/** An odd's label without the line of its market: `over 2.5` and `Ajax (-1.5)` are `Over` and `Ajax`. */
export function labelWithoutLine(odd: Words): string {
  const label = oddLabel(odd)
  return hasOutcomeId(odd) ? capitalised(label.replace(/\s\(?[-+]?\d[\d.:]*\)?$/, '')) : label
}

/** The label of an odd for all matches: 1 and 2 for the teams, and without the line. */
export function generalLabel(odd: Words, { home, away }: Pick<Match, 'home' | 'away'>): string {
  const label = labelWithoutLine(odd)
  return hasOutcomeId(odd) ? label.replace(home || '1', '1').replace(away || '2', '2') : label
}
