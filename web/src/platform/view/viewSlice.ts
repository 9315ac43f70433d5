/** The view: page and opened match (both in the URL), the tag filter, and what is collapsed or hidden. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { MatchId, SportId } from '../../domain/offer'
import { lookup } from '../../domain/table'
import { framesApplied, offerLoaded } from '../offer/offerSlice'
import { isListPage, type LinkedView, type Page } from './viewUrl'

/** A dialog that can be opened from any page. */
export type Panel = 'search' | 'keys' | 'security' | 'protection' | 'cashier'

export interface ViewState {
  page: Page
  /** Whether the login page was opened to place a ticket. */
  loginForTicket: boolean
  /** The page to show after a login or registration: the one it was opened from. */
  returnTo: Page
  /** Whether the ticket's sheet is open, on screens where the ticket is a sheet. */
  ticketOpen: boolean
  panel: Panel | null
  openMatchId: MatchId | null
  /** The tag filter for the markets of the opened match; null means all. */
  tag: string | null
  collapsedSports: Record<SportId, true>
  /** The folded leagues (`TournamentGroup.leagueId`). */
  collapsedLeagues: Record<string, true>
  hiddenMatches: Record<MatchId, true>
  /** The lines that rows show instead of the balanced ones, the latest last. */
  lines: readonly ChosenLine[]
  /** The row that offers its lines, and where. */
  lineChooser: LineChooser | null
}

/** A line of a market type that a row shows. */
export interface ChosenLine {
  readonly matchId: MatchId
  readonly type: number
  readonly sbv: string
}

export interface LineChooser {
  readonly matchId: MatchId
  readonly slot: number
}

/** The server sends all markets of each match with a chosen line. */
const LINES_MAX = 12

const initialState: ViewState = {
  page: 'list',
  loginForTicket: false,
  returnTo: 'list',
  ticketOpen: false,
  panel: null,
  openMatchId: null,
  tag: null,
  collapsedSports: {},
  collapsedLeagues: {},
  hiddenMatches: {},
  lines: [],
  lineChooser: null,
}

/** Pages that lead back to the match they were opened from. */
const OVER_MATCH: readonly Page[] = ['login', 'register']

function open(state: ViewState, matchId: MatchId | null) {
  if (state.openMatchId !== matchId) {
    state.openMatchId = matchId
    state.tag = null
  }
}

function show(state: ViewState, page: Page) {
  if (!OVER_MATCH.includes(page)) {
    state.returnTo = 'list'
  } else if (!OVER_MATCH.includes(state.page)) {
    state.returnTo = state.page
  }
  state.page = page
}

export const viewSlice = createSlice({
  name: 'view',
  initialState,
  reducers: {
    matchOpened(state, { payload }: PayloadAction<MatchId>) {
      if (!isListPage(state.page)) {
        show(state, 'list')
      }
      open(state, payload)
    },
    pageOpened: {
      prepare: (page: Page, forTicket = false) => ({ payload: { page, forTicket } }),
      reducer(state, { payload }: PayloadAction<{ page: Page; forTicket: boolean }>) {
        const isSame = state.page === payload.page
        show(state, payload.page)
        state.loginForTicket = payload.forTicket || (state.loginForTicket && OVER_MATCH.includes(payload.page))
        state.ticketOpen = false
        if (!isSame && !OVER_MATCH.includes(payload.page)) {
          open(state, null)
        }
      },
    },
    /** The open page needs a signed-in user. */
    loginRequired(state) {
      show(state, 'login')
      state.ticketOpen = false
    },
    /** The login or registration is done; the page that it was opened from is shown again. */
    pageLeft(state) {
      show(state, state.returnTo)
      state.loginForTicket = false
    },
    ticketTurned(state, { payload }: PayloadAction<boolean>) {
      state.ticketOpen = payload
    },
    panelTurned(state, { payload }: PayloadAction<Panel | null>) {
      state.panel = payload
    },
    matchClosed(state) {
      open(state, null)
    },
    /** The user went back or forward, or followed a link. */
    urlVisited(state, { payload }: PayloadAction<LinkedView>) {
      show(state, payload.page)
      state.loginForTicket &&= OVER_MATCH.includes(payload.page)
      state.ticketOpen = false
      // A dialog must not stay open on another page.
      state.panel = null
      open(state, payload.matchId)
    },
    /** The opened match is not in the offer. */
    openMatchMissing(state, { payload }: PayloadAction<MatchId>) {
      if (state.openMatchId === payload) {
        open(state, null)
      }
    },
    tagSelected(state, { payload }: PayloadAction<string | null>) {
      state.tag = payload
    },
    sportToggled(state, { payload }: PayloadAction<SportId>) {
      toggle(state.collapsedSports, payload)
    },
    leagueToggled(state, { payload }: PayloadAction<string>) {
      toggle(state.collapsedLeagues, payload)
    },
    matchHiddenToggled(state, { payload }: PayloadAction<MatchId>) {
      toggle(state.hiddenMatches, payload)
    },
    allMatchesShown(state) {
      state.hiddenMatches = {}
    },
    lineChooserTurned(state, { payload }: PayloadAction<LineChooser | null>) {
      state.lineChooser = payload
    },
    /** Closes the chooser. Without a `sbv` the row shows the balanced line again. */
    lineChosen(state, { payload }: PayloadAction<Omit<ChosenLine, 'sbv'> & { sbv: string | null }>) {
      const { matchId, type, sbv } = payload
      const others = state.lines.filter((line) => line.matchId !== matchId || line.type !== type)
      state.lines = sbv === null ? others : [...others, { matchId, type, sbv }].slice(-LINES_MAX)
      state.lineChooser = null
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(framesApplied, (state, { payload }) => {
        for (const { id } of payload.deletedMatches) {
          delete state.hiddenMatches[id]
          forgetLines(state, id)
          if (state.openMatchId === id) {
            open(state, null)
          }
        }
      })
      .addCase(offerLoaded, (state, { payload }) => {
        for (const id of Object.keys(state.hiddenMatches)) {
          if (!lookup(payload.offer.matches, Number(id))) {
            delete state.hiddenMatches[Number(id)]
          }
        }
        for (const { matchId } of state.lines) {
          if (!lookup(payload.offer.matches, matchId)) {
            forgetLines(state, matchId)
          }
        }
      })
  },
})

function forgetLines(state: ViewState, matchId: MatchId) {
  if (state.lines.some((line) => line.matchId === matchId)) {
    state.lines = state.lines.filter((line) => line.matchId !== matchId)
  }
  if (state.lineChooser?.matchId === matchId) {
    state.lineChooser = null
  }
}

function toggle<Id extends number | string>(set: Record<Id, true>, id: Id) {
  if (set[id]) {
    delete set[id]
  } else {
    set[id] = true
  }
}

export const {
  matchOpened,
  matchClosed,
  pageOpened,
  loginRequired,
  pageLeft,
  ticketTurned,
  panelTurned,
  urlVisited,
  openMatchMissing,
  tagSelected,
  sportToggled,
  leagueToggled,
  matchHiddenToggled,
  allMatchesShown,
  lineChooserTurned,
  lineChosen,
} = viewSlice.actions
