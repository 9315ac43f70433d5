/** What a time-out or a self-exclusion means for placing. */
import type { AppDispatch, RootState } from '../../app/store'
import { exclusionText } from '../../platform/account/exclusionText'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'

/** Says which exclusion prevents a bet, and until when. */
export function barredShown(dispatch: AppDispatch, getState: () => RootState): void {
  const state = getState()
  const exclusion = selectExclusion(state)
  if (exclusion) {
    const { key, values } = exclusionText(exclusion, selectLanguage(state))
    dispatch(noticeShown(key, values))
  }
}
