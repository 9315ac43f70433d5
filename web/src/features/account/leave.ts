import type { AppDispatch, RootState } from '../../app/store'
import { noticeShown } from '../notices/noticesSlice'
import { pageOpened } from '../view/viewSlice'
import { loggedOut, strangerSeen } from './accountSlice'

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
  const { page } = getState().view
  if (page === 'bets' || page === 'statement') {
    dispatch(pageOpened('list'))
  }
}
