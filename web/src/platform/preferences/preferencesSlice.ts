/** The user's preferences. A listener saves them in local storage, with the key prefix `cn-`. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { ODDS_FORMATS } from '../../domain/oddsFormat'
import type { SportId } from '../../domain/offer'

export const LANGUAGES = ['hr', 'en', 'bs', 'sr'] as const
export type Language = (typeof LANGUAGES)[number]

export const THEMES = ['dark', 'light', 'auto'] as const
export type Theme = (typeof THEMES)[number]

/** The odds columns of a row: the first is always shown, the others on wider screens. */
export const SLOTS = [0, 1, 2] as const
export type ColumnSlot = (typeof SLOTS)[number]

/** The most favourite markets of a sport; with more, the oldest are dropped. */
export const FAVOURITE_MARKETS_MAX = 20

/** The order of the matches of a sport: by league, by time of play, by kick-off, or by the number of odds. */
export const SORTS = ['league', 'played', 'start', 'odds'] as const
export type Sort = (typeof SORTS)[number]

/** The most pinned leagues; with more, the oldest are dropped. */
export const PINNED_LEAGUES_MAX = 50

/** How many amounts the ticket offers to add to its stake. */
export const QUICK_STAKES = 3

/** The largest stake of a bet by one press, in cents: a wrong press costs no more. */
export const ONE_PRESS_CENTS_MAX = 100_00n

export interface PreferencesState {
  language: Language
  /** The index into `ODDS_FORMATS`; this number is saved. */
  oddsType: number
  theme: Theme
  /** Whether updates are shown at most once a second, without flashes, and panels load only when they are opened. */
  lowData: boolean
  /** Whether single-letter shortcuts are on. */
  shortcuts: boolean
  /** Whether the strip with the favourites' scores is shown. */
  strip: boolean
  /** Whether goals of favourites are shown as system notifications while the page is hidden. */
  goalNotes: boolean
  /** The same for settled and corrected bets. */
  betNotes: boolean
  /** Whether the media panel of a match is open on screens where it is above the markets. */
  panel: boolean
  /** The sports filter of the list; empty means all sports. */
  sports: SportId[]
  /** The user's order of the sports; sports that are not in it follow in the order of the offer. */
  sportOrder: SportId[]
  sort: Sort
  /** The leagues that come first in their sport (`TournamentGroup.leagueId`). */
  pinnedLeagues: readonly string[]
  /** The chosen columns (their `order`) by sport and slot; null means the sport's default. */
  columns: Record<SportId, (number | null)[]>
  /** The favourite markets (their `type`) by sport, which are first in a match. */
  favouriteMarkets: Record<SportId, number[]>
  /** The amounts that the ticket offers to add to its stake. */
  quickStakes: readonly string[]
  /** Whether a press on an odd places a bet at once. */
  onePress: boolean
  /** The stake of such a bet. */
  onePressStake: string
  /** Whether a cash-out also accepts a value that has fallen a little (`FALL_PERCENT`). */
  acceptsFall: boolean
}

export const DEFAULT_PREFERENCES: PreferencesState = {
  language: 'hr',
  oddsType: 0,
  theme: 'auto',
  lowData: false,
  shortcuts: true,
  strip: false,
  goalNotes: false,
  betNotes: false,
  panel: false,
  sports: [],
  sportOrder: [],
  sort: 'league',
  pinnedLeagues: [],
  columns: {},
  favouriteMarkets: {},
  quickStakes: ['5.00', '10.00', '50.00'],
  onePress: false,
  onePressStake: '1.00',
  acceptsFall: false,
}

/** The list without the value, or with it as the last one. */
function toggled<T>(list: readonly T[], value: T, most: number): T[] {
  return list.includes(value) ? list.filter((each) => each !== value) : [...list, value].slice(-most)
}

export const preferencesSlice = createSlice({
  name: 'preferences',
  initialState: DEFAULT_PREFERENCES,
  reducers: {
    languageChanged(state, { payload }: PayloadAction<Language>) {
      state.language = payload
    },
    oddsTypeChanged(state, { payload }: PayloadAction<number>) {
      if (ODDS_FORMATS[payload]) {
        state.oddsType = payload
      }
    },
    themeChanged(state, { payload }: PayloadAction<Theme>) {
      state.theme = payload
    },
    lowDataTurned(state, { payload }: PayloadAction<boolean>) {
      state.lowData = payload
    },
    shortcutsTurned(state, { payload }: PayloadAction<boolean>) {
      state.shortcuts = payload
    },
    stripTurned(state, { payload }: PayloadAction<boolean>) {
      state.strip = payload
    },
    goalNotesTurned(state, { payload }: PayloadAction<boolean>) {
      state.goalNotes = payload
    },
    betNotesTurned(state, { payload }: PayloadAction<boolean>) {
      state.betNotes = payload
    },
    mediaPanelTurned(state, { payload }: PayloadAction<boolean>) {
      state.panel = payload
    },
    quickStakeSet(state, { payload }: PayloadAction<{ place: number; amount: string }>) {
      state.quickStakes = state.quickStakes.map((amount, place) => (place === payload.place ? payload.amount : amount))
    },
    onePressTurned(state, { payload }: PayloadAction<boolean>) {
      state.onePress = payload
    },
    onePressStakeSet(state, { payload }: PayloadAction<string>) {
      state.onePressStake = payload
    },
    fallAccepted(state, { payload }: PayloadAction<boolean>) {
      state.acceptsFall = payload
    },
    sportFilterSet(state, { payload }: PayloadAction<readonly SportId[]>) {
      state.sports = [...payload]
    },
    sportFilterToggled(state, { payload }: PayloadAction<SportId>) {
      const place = state.sports.indexOf(payload)
      if (place >= 0) {
        state.sports.splice(place, 1)
      } else {
        state.sports.push(payload)
      }
    },
    sportFilterCleared(state) {
      state.sports = []
    },
    sportOrderSet(state, { payload }: PayloadAction<readonly SportId[]>) {
      state.sportOrder = [...payload]
    },
    sortChosen(state, { payload }: PayloadAction<Sort>) {
      state.sort = payload
    },
    leaguePinToggled(state, { payload }: PayloadAction<string>) {
      state.pinnedLeagues = toggled(state.pinnedLeagues, payload, PINNED_LEAGUES_MAX)
    },
    columnChosen(state, { payload }: PayloadAction<{ sportId: SportId; slot: ColumnSlot; order: number }>) {
      const columns = state.columns[payload.sportId] ?? SLOTS.map(() => null)
      columns[payload.slot] = payload.order
      state.columns[payload.sportId] = columns
    },
    favouriteMarketToggled(state, { payload }: PayloadAction<{ sportId: SportId; type: number }>) {
      const { sportId, type } = payload
      state.favouriteMarkets[sportId] = toggled(state.favouriteMarkets[sportId] ?? [], type, FAVOURITE_MARKETS_MAX)
    },
  },
})

export const {
  languageChanged,
  oddsTypeChanged,
  themeChanged,
  lowDataTurned,
  shortcutsTurned,
  stripTurned,
  goalNotesTurned,
  betNotesTurned,
  mediaPanelTurned,
  quickStakeSet,
  onePressTurned,
  onePressStakeSet,
  fallAccepted,
  sportFilterSet,
  sportFilterToggled,
  sportFilterCleared,
  sportOrderSet,
  sortChosen,
  leaguePinToggled,
  columnChosen,
  favouriteMarketToggled,
} = preferencesSlice.actions
