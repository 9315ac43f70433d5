/** What a tracker has seen of a match. */
import { type Seen, withSample } from '../scoreboard/sample'
import type { TrackedMatch } from '../scoreboard/tracked'
import { aMatch } from './builders'

/** What a page has seen of these changes, a second after each other. */
export function seenOf(...changes: readonly Partial<TrackedMatch>[]): Seen {
  let match = aMatch({ score: null, ...changes[0] })
  return changes.reduce<Seen>((seen, change, index) => {
    match = { ...match, ...change }
    return withSample(seen, match, index * 1000)
  }, [])
}
