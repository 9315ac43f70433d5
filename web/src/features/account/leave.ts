import type { AppDispatch, RootState } from '../../app/store'
import { noticeShown } from '../notices/noticesSlice'
import { pageOpened } from '../view/viewSlice'
import { loggedOut, strangerSeen } from './accountSlice'

/** Logs out. Whose session this is then is the server's to say: only what it has confirmed is shown. */
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
  if (getState().view.page === 'bets') {
    dispatch(pageOpened('list'))
  }
}
