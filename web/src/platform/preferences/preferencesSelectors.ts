import { ODDS_FORMATS, type OddsFormat } from '../../domain/oddsFormat'
import type { PreferencesState } from './preferencesSlice'

interface State {
  readonly preferences: PreferencesState
}

export const selectLanguage = (state: State) => state.preferences.language
export const selectTheme = (state: State) => state.preferences.theme
export const selectIsLowData = (state: State) => state.preferences.lowData
export const selectHasShortcuts = (state: State) => state.preferences.shortcuts
export const selectHasStrip = (state: State) => state.preferences.strip
export const selectHasPanel = (state: State) => state.preferences.panel
export const selectHasGoalNotes = (state: State) => state.preferences.goalNotes
export const selectHasBetNotes = (state: State) => state.preferences.betNotes
export const selectOddsType = (state: State) => state.preferences.oddsType
export const selectOddsFormat = (state: State): OddsFormat => ODDS_FORMATS[state.preferences.oddsType] ?? 'decimal'
export const selectSportFilter = (state: State) => state.preferences.sports
export const selectSort = (state: State) => state.preferences.sort
export const selectPinnedLeagues = (state: State) => state.preferences.pinnedLeagues
export const selectQuickStakes = (state: State) => state.preferences.quickStakes
export const selectOnePressStake = (state: State) => state.preferences.onePressStake
export const selectAcceptsFall = (state: State) => state.preferences.acceptsFall
export const selectFavouriteMarkets = (state: State, sportId: number): readonly number[] =>
  state.preferences.favouriteMarkets[sportId] ?? NO_MARKETS

const NO_MARKETS: readonly number[] = []
