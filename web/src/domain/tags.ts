import type { OddId } from './offer'

/** The displayed text of a tag `group.name`: the part after the dot (CONTRACT 0). */
export function tagText(tag: string): string {
  return tag.slice(tag.indexOf('.') + 1)
}

export interface TagCount {
  readonly tag: string
  readonly count: number
}

/** The tags of the markets in the order of their first appearance, each with the number of odds in its markets. */
export function countTags(
  markets: readonly { readonly tags: readonly string[]; readonly oddIds: readonly OddId[] }[],
): TagCount[] {
  const counts = new Map<string, number>()
  for (const market of markets) {
    for (const tag of new Set(market.tags)) {
      counts.set(tag, (counts.get(tag) ?? 0) + market.oddIds.length)
    }
  }
  return Array.from(counts, ([tag, count]) => ({ tag, count }))
}
