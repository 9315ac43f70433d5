import type { AppDispatch, RootState } from '../../app/store'
import { loggedOut, strangerSeen } from '../../platform/account/accountSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { pageOpened, panelTurned } from '../../platform/view/viewSlice'

/** Logs out. The page shows the user as logged out only after the server has confirmed it. */
export async function leave(dispatch: AppDispatch, getState: () => RootState): Promise<void> {
  try {
    const { logout } = await import('../../api/accountApi')
    await logout()
  } catch {
    dispatch(noticeShown('liveCommunicationError'))
    return
  }
  dispatch(loggedOut())
  dispatch(strangerSeen())
  // A dialog of the account must not open by itself after the next login.
  dispatch(panelTurned(null))
  const { page } = getState().view
  if (page === 'bets' || page === 'statement') {
    dispatch(pageOpened('list'))
  }
}
