/** Tags look like `group.name`; what stands after the dot is shown (CONTRACT 0). */
export function tagText(tag: string): string {
  return tag.slice(tag.indexOf('.') + 1)
}

export interface TagCount {
  readonly tag: string
  readonly count: number
}

/** The tags of some markets, in the order of their first appearance, with how many markets carry each. */
export function countTags(markets: readonly { readonly tags: readonly string[] }[]): TagCount[] {
  const counts = new Map<string, number>()
  for (const market of markets) {
    for (const tag of new Set(market.tags)) {
      counts.set(tag, (counts.get(tag) ?? 0) + 1)
    }
  }
  return Array.from(counts, ([tag, count]) => ({ tag, count }))
}
