import type { Odd } from '../../domain/offer'

/** What an odd is called. The alias is a code, the same in all languages: better than nothing, no more. */
export function oddLabel(odd: Pick<Odd, 'type' | 'alias' | 'description'>): string {
  return odd.type ?? odd.alias ?? odd.description ?? ''
}
