/** The usual ways out at darts: up to three darts, of which the last is a double. */
/** From 170 down; `-` cannot be finished. */
const THREE = `T20 T20 D25,-,-,T20 T19 D25,-,-,T20 T18 D25,-,-,T20 T17 D25,T20 T20 D20,-,T20 T20 D19,T20 T19 D20,
T20 T20 D18,T20 T19 D19,T20 T18 D20,T20 T19 D18,T20 T20 D16,T20 T17 D20,T20 T18 D18,T20 T19 D16,T20 T20 D14,
T20 T17 D18,T20 T18 D16,T20 T15 D20,T20 T20 D12,T20 T17 D16,T20 T14 D20,T20 T19 D12,T20 T20 D10,T20 T13 D20,
T20 T18 D12,T20 T19 D10,T20 T20 D8,T20 T17 D12,T20 T14 D16,T20 T19 D8,T20 T16 D12,T20 T13 D16,T20 T18 D8,
T19 T16 D12,T18 T14 D16,T20 T17 D8,T19 T19 D6,T20 T19 D4,T20 T16 D8,T19 T16 D9,T18 T18 D7,T20 T11 D14,T20 S20 D20,
T19 T12 D13,T20 S18 D20,T20 S17 D20,T20 S16 D20,T20 S15 D20,T20 S14 D20,T20 S13 D20,T20 S12 D20,T20 S19 D16,T20 D25,
T20 S17 D16,T20 S16 D16,T19 S18 D16,T20 S14 D16,T20 S13 D16,T18 S18 D16,T19 S6 D20,T20 S10 D16,T17 S10 D20,T20 D20,
T19 S10 D16,T20 D19,T19 D20,T20 D18,T19 D19,T18 D20,T19 D18,T20 D16,T17 D20,T18 D18,T19 D16,T20 D14,T17 D18,T18 D16,
T15 D20,T20 D12,T17 D16,T14 D20,T19 D12,T20 D10,T13 D20,T18 D12,T19 D10,T20 D8,T17 D12,T14 D16,T19 D8,T16 D12,T13 D16,
T18 D8,T19 D6,T20 D4,T17 D8,T10 D18,T19 D4,T16 D8,T13 D12,T10 D16,T15 D8`
  .split(',')
  .map((way) => way.trim())

export interface Dart {
  readonly ring: 'S' | 'D' | 'T'
  readonly number: number
}

/** The usual way out with these points left; null if three darts are not enough. */
export function wayOut(left: number): Dart[] | null {
  const way = left > 60 ? (THREE[170 - left] ?? '-') : shortWay(left)
  const darts = [...way.matchAll(/([SDT])(\d+)/g)].map(([, ring, number]) => ({
    ring: ring as Dart['ring'],
    number: Number(number),
  }))
  return darts.length > 0 ? darts : null
}

function shortWay(left: number): string {
  if (left > 40) {
    // 32 is the better rest, as it can be halved most often, but the single may not be above 20.
    const rest = left > 50 || [43, 44, 46].includes(left) ? 40 : 32
    return `S${left - rest} D${rest / 2}`
  }
  if (left < 2) {
    return '-'
  }
  if (left % 2 === 0) {
    return `D${left / 2}`
  }
  const rest = [32, 16, 8, 4, 2].find((even) => even < left) ?? 2
  return `S${left - rest} D${rest / 2}`
}

export function dartText({ ring, number }: Dart): string {
  return ring === 'S' ? String(number) : ring + number
}
