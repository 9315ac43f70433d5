// Generated from the simulator's catalogue: KVOTA_BLESS=1 cargo test -p kvota-simulator client_tests

/** What the end of a period decides, by market type; `unlessLevel` only if the score is not level. */
export const DECIDED_BY = {
  soccer: {
    first_half: { types: [4, 21, 23, 34, 35, 36, 46] },
    second_half: {
      types: [
        1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 24, 25, 26, 27, 28, 30, 31, 32, 33, 40,
        41, 42, 43, 44, 45, 50, 51, 52, 53, 54, 61,
      ],
      unlessLevel: [60],
    },
    second_extra: { types: [63, 64, 65], unlessLevel: [60] },
  },
  iceHockey: {
    period_1: { types: [72, 75] },
    period_2: { types: [73, 76] },
    period_3: { types: [1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 15, 18, 19, 20, 28, 61, 70, 74, 77, 78], unlessLevel: [60] },
    overtime: { types: [], unlessLevel: [60] },
  },
  handball: {
    first_half: { types: [4, 21, 36, 71] },
    second_half: { types: [1, 2, 3, 5, 6, 7, 8, 9, 12, 18, 19, 20, 22, 32, 61, 70], unlessLevel: [60] },
    second_extra: { types: [63, 64], unlessLevel: [60] },
  },
  futsal: {
    first_half: { types: [4, 21] },
    second_half: { types: [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 15, 18, 19, 20, 22, 28, 32, 61, 70], unlessLevel: [60] },
    second_extra: { types: [], unlessLevel: [60] },
  },
  basketball: {
    quarter_1: { types: [111, 115], byLine: [110, 123] },
    quarter_2: { types: [4, 21, 101, 102, 112, 116], byLine: [110, 123] },
    quarter_3: { types: [113, 117], byLine: [110, 123] },
    quarter_4: {
      types: [1, 2, 3, 5, 6, 22, 61, 103, 114, 118, 119, 120, 121, 122],
      unlessLevel: [9, 12, 18, 19, 20, 60, 100],
      byLine: [110, 123],
    },
    overtime: { types: [], unlessLevel: [9, 12, 18, 19, 20, 60, 100] },
  },
  rugby: {
    first_half: { types: [4, 21, 101, 102] },
    second_half: {
      types: [1, 2, 3, 5, 6, 7, 9, 12, 18, 19, 20, 22, 50, 61, 100, 119, 120, 121, 122, 124, 125, 126],
      unlessLevel: [60],
    },
    second_extra: { types: [], unlessLevel: [60] },
  },
  americanFootball: {
    quarter_1: { types: [111], byLine: [110, 123] },
    quarter_2: { types: [4, 21, 101, 112], byLine: [110, 123] },
    quarter_3: { types: [113], byLine: [110, 123] },
    quarter_4: {
      types: [1, 2, 3, 5, 6, 7, 22, 61, 114, 119, 122, 124, 125, 126, 127],
      unlessLevel: [9, 12, 18, 19, 20, 60, 100],
      byLine: [110, 123],
    },
    overtime: { types: [], unlessLevel: [9, 12, 18, 19, 20, 60, 100] },
  },
} as const

/** Market types; those of a set are counted from the first market of the set. */
export const TYPES = {
  tennis: { point: 35, setWinner: 0, setTotal: 1, setGame: 6 },
  rally: { setWinner: 0, setTotal: 1, setPoint: 6 },
  cricket: { winner: 2101, firstRuns: 2102, secondRuns: 2103, overRuns: 2106, overWicket: 2107 },
  darts: { leg: 2208, maximumInLeg: 2210 },
  snooker: { leg: 1905, fifty: 1907 },
  mma: { endsInRound: 11709 },
  baseball: { inning: 137, nine: 1, nextRun: 7, handicap: 9, total: 18, winner: 60 },
} as const
