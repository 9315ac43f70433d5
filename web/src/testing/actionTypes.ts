import type { AppStore } from '../app/store'
import { goalsSlice } from '../platform/offer/goalsSlice'

/** Records the types of all actions from now on, in the order in which Redux DevTools shows them. */
export function recordTypes(store: AppStore): string[] {
  const types: string[] = []
  // A reducer, because an effect of an earlier listener may dispatch before a later listener runs.
  store.addReducers({
    goals: (state, action) => {
      types.push(action.type)
      return goalsSlice.reducer(state, action)
    },
  })
  types.length = 0
  return types
}
