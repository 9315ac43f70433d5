import type { MatchId } from '../../domain/offer'
import type { ViewState } from './viewSlice'

interface State {
  readonly view: ViewState
}

export const selectOpenMatchId = (state: State) => state.view.openMatchId
export const selectPage = (state: State) => state.view.page
export const selectIsTicketOpen = (state: State) => state.view.ticketOpen
export const selectPanel = (state: State) => state.view.panel
export const selectTag = (state: State) => state.view.tag
export const selectCollapsedSports = (state: State) => state.view.collapsedSports
export const selectCollapsedLeagues = (state: State) => state.view.collapsedLeagues
export const selectIsHiddenMatch = (state: State, id: MatchId) => state.view.hiddenMatches[id] === true
export const selectHiddenMatches = (state: State) => state.view.hiddenMatches
export const selectHiddenCount = (state: State) => Object.keys(state.view.hiddenMatches).length
