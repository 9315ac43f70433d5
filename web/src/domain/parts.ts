/** The parts of a match by its status: halves, quarters, sets, rounds. */

const PART =
  /^((first|second)_(half|extra)|overtime|penalties|shoot_out|super_over|extra_innings|(quarter|period|set|inning|innings|round|leg|frame)_\d+)$/
/** A match that stands still goes on in the same part. */
const STILL: ReadonlySet<string | null> = new Set(['delayed', 'interrupted', 'abandoned', null])

export function isPart(status: string | null): boolean {
  return PART.test(status ?? '')
}

/** Whether a part has ended between two statuses. */
export function isPartOver(before: string | null, now: string | null): boolean {
  return isPart(before) && now !== before && !STILL.has(now)
}
