/** What the bettor looks at: the opened match (it stands in the URL), its tag filter, what is collapsed or hidden. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { MatchId, SportId } from '../../domain/offer'
import { lookup } from '../../domain/table'
import { framesApplied, offerLoaded } from '../offer/offerSlice'

export interface ViewState {
  openMatchId: MatchId | null
  /** The tag the opened match's markets are filtered by; null is all. */
  tag: string | null
  collapsedSports: Record<SportId, true>
  hiddenMatches: Record<MatchId, true>
}

const initialState: ViewState = { openMatchId: null, tag: null, collapsedSports: {}, hiddenMatches: {} }

function open(state: ViewState, matchId: MatchId | null) {
  if (state.openMatchId !== matchId) {
    state.openMatchId = matchId
    state.tag = null
  }
}

export const viewSlice = createSlice({
  name: 'view',
  initialState,
  reducers: {
    matchOpened(state, { payload }: PayloadAction<MatchId>) {
      open(state, payload)
    },
    matchClosed(state) {
      open(state, null)
    },
    /** The bettor went back or forward, or came by a link. */
    urlVisited(state, { payload }: PayloadAction<{ matchId: MatchId | null }>) {
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
    matchHiddenToggled(state, { payload }: PayloadAction<MatchId>) {
      toggle(state.hiddenMatches, payload)
    },
    allMatchesShown(state) {
      state.hiddenMatches = {}
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(framesApplied, (state, { payload }) => {
        for (const { id } of payload.deletedMatches) {
          delete state.hiddenMatches[id]
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
      })
  },
})

function toggle(set: Record<number, true>, id: number) {
  if (set[id]) {
    delete set[id]
  } else {
    set[id] = true
  }
}

export const {
  matchOpened,
  matchClosed,
  urlVisited,
  openMatchMissing,
  tagSelected,
  sportToggled,
  matchHiddenToggled,
  allMatchesShown,
} = viewSlice.actions
