/** The sports with their own colour and icon. All others share one. */
const CLASSES = {
  1: 'soccer',
  2: 'basketball',
  3: 'baseball',
  4: 'hockey',
  5: 'tennis',
  6: 'handball',
  12: 'rugby',
  16: 'american-football',
  19: 'snooker',
  20: 'table-tennis',
  21: 'cricket',
  22: 'darts',
  23: 'volleyball',
  29: 'futsal',
  31: 'badminton',
  34: 'beach-volleyball',
  37: 'squash',
  117: 'mma',
} as const

export type SportClass = (typeof CLASSES)[keyof typeof CLASSES] | 'default'

const BY_ID = new Map<number, SportClass>(Object.entries(CLASSES).map(([id, name]) => [Number(id), name]))

export function sportClass(sportId: number): SportClass {
  return BY_ID.get(sportId) ?? 'default'
}
